// The condition `edge-light`, in the sandbox that plays Vercel's edge runtime: a realm of its own in
// which nothing is compiled, neither text nor WebAssembly.

import { readFileSync } from "node:fs";
import path from "node:path";
import { EdgeVM } from "@edge-runtime/vm";
import { build } from "esbuild";

const MODULE = "compiledModule";

export const edge = {
  name: "edge-light",
  async test({ trees, golden }) {
    const files = [];
    const script = await bundle(files);
    const [file, ...others] = new Set(files);
    if (file === undefined || others.length > 0) throw new Error(`Not one module: ${files}`);
    const sandbox = new EdgeVM({
      codeGeneration: { strings: false, wasm: false },
      extend: (context) =>
        Object.assign(context, { trees, [MODULE]: new WebAssembly.Module(readFileSync(file)) }),
    });
    sandbox.evaluate(script);
    await sandbox.evaluate("app.checked()");
    return `sandbox: ${golden.compare(await sandbox.evaluate("app.outputs(trees)"))}`;
  },
};

async function bundle(files) {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, "apps/edge.mjs")],
    write: false,
    bundle: true,
    format: "iife",
    globalName: "app",
    conditions: ["edge-light"],
    plugins: [compiledModules(files)],
    logLevel: "warning",
  });
  return outputFiles[0].text;
}

/** What bundlers for edge runtimes make of `?module`: the compiled module is a global variable. */
function compiledModules(files) {
  return {
    name: "compiled-modules",
    setup(builder) {
      builder.onResolve({ filter: /\.wasm\?module$/ }, ({ path: name, resolveDir }) => {
        const file = path.join(resolveDir, name.replace("?module", ""));
        files.push(file);
        return { path: file, namespace: "compiled" };
      });
      builder.onLoad({ filter: /.*/, namespace: "compiled" }, () => ({
        contents: `export default ${MODULE};`,
      }));
    },
  };
}
