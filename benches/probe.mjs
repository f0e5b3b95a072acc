/**
 * Watches `WebAssembly` from before a package is imported: which module it compiles, and which
 * memory its instance has. So the figures hold however the package carries its module.
 */
export function watchWebAssembly() {
  const seen = { module: undefined, memory: undefined };
  const keep = (instance) => {
    seen.memory =
      Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory) ??
      seen.memory;
    return instance;
  };
  const keepBytes = (source) => {
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) seen.module = bytesOf(source);
  };

  const { Module, Instance, compile, instantiate } = WebAssembly;
  WebAssembly.Module = new Proxy(Module, {
    construct(target, args) {
      keepBytes(args[0]);
      return Reflect.construct(target, args);
    },
  });
  WebAssembly.Instance = new Proxy(Instance, {
    construct: (target, args) => keep(Reflect.construct(target, args)),
  });
  WebAssembly.compile = (source, ...rest) => {
    keepBytes(source);
    return compile.call(WebAssembly, source, ...rest);
  };
  WebAssembly.instantiate = async (source, ...rest) => {
    keepBytes(source);
    const result = await instantiate.call(WebAssembly, source, ...rest);
    keep(result.instance ?? result);
    return result;
  };
  return seen;
}

function bytesOf(source) {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}
