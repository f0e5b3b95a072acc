/**
 * The instance of the WebAssembly module: started on first use, and anew after a trap.
 */
import * as core from "./core/skillshelf.js";
import { SkillError } from "./errors.js";

let source: (() => WebAssembly.Module) | undefined;
let compiled: WebAssembly.Module | undefined;
let current = 0;

/** Says where the module comes from; the entry points do. The first to say so counts. */
export function provideModule(provide: () => WebAssembly.Module): void {
  source ??= provide;
}

/** Whether a value is a compiled module, of this realm or of another one. */
export function isCompiledModule(value: unknown): value is WebAssembly.Module {
  return Object.prototype.toString.call(value) === "[object WebAssembly.Module]";
}

/** Which instance is running: what was made by an older one is lost. */
export function generation(): number {
  return current;
}

/**
 * Runs `work` with the module. A trap leaves an instance that traps at every call, so it is
 * replaced, and the error says so.
 */
export function withCore<T>(work: (exports: typeof core) => T): T {
  start();
  try {
    return work(core);
  } catch (error) {
    if (!isTrap(error)) throw error;
    core.__wbg_reset_state();
    current += 1;
    throw new SkillError(
      {
        code: "INTERNAL",
        message:
          `The WebAssembly module failed (${String(error)}) and was started anew. ` +
          "Load catalogs again or refresh() them; please report what led to this.",
      },
      { cause: error },
    );
  }
}

function start(): void {
  if (compiled !== undefined) return;
  if (source === undefined) {
    throw new SkillError({
      code: "NOT_INITIALIZED",
      message:
        'skillshelf/slim has no module yet: call `await init(module)` first, or import "skillshelf".',
    });
  }
  const module = ofThisRealm(source());
  core.initSync({ module });
  compiled = module;
}

/**
 * The glue takes a module of another realm for bytes. Servers that play an edge runtime in a realm
 * of its own hand over such ones.
 */
function ofThisRealm(module: unknown): WebAssembly.Module {
  if (!isCompiledModule(module)) {
    throw new SkillError({
      code: "NOT_INITIALIZED",
      message:
        'The import of "skillshelf.wasm" gave no compiled module here. Tell your bundler to compile ' +
        'such files, or bring the module yourself: `await init(module)` of "skillshelf/slim".',
    });
  }
  if (!(module instanceof WebAssembly.Module)) {
    Object.setPrototypeOf(module, WebAssembly.Module.prototype);
  }
  return module;
}

/** A trap, or a stack that ran out inside the module. */
function isTrap(error: unknown): boolean {
  if (error instanceof WebAssembly.RuntimeError) return true;
  if (!(error instanceof Error)) return false;
  // A RangeError, but for Firefox.
  return (
    /^(?:Range|Internal)Error$/.test(error.name) && /call stack|recursion/i.test(error.message)
  );
}
