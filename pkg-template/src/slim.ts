/**
 * The same as `skillshelf`, without the module inside: for those who bring it.
 *
 * @module
 */
import { isCompiledModule, provideModule } from "./engine.js";
import { SkillError } from "./errors.js";
import type { ModuleResponse, ModuleSource } from "./module.js";

export * from "./api.js";
export type { CompiledModule, ModuleResponse, ModuleSource } from "./module.js";

/**
 * Says what the module is: its bytes, a response that has them, or the compiled module. Before
 * that, everything throws `NOT_INITIALIZED`. The first module counts, also the one that `skillshelf`
 * brings along: catalogs are made with it, so a later call changes nothing.
 *
 * ```ts
 * await init(fetch(new URL("skillshelf.wasm", import.meta.url)));
 * ```
 */
export async function init(
  module: ModuleSource | ModuleResponse | PromiseLike<ModuleSource | ModuleResponse>,
): Promise<void> {
  const given = await module;
  const compiled = await compile(isResponse(given) ? await bytesOf(given) : given);
  provideModule(() => compiled);
}

async function compile(source: ModuleSource): Promise<WebAssembly.Module> {
  if (isCompiledModule(source)) return source;
  try {
    return await WebAssembly.compile(source as BufferSource);
  } catch (error) {
    throw notAModule(String(error), error);
  }
}

async function bytesOf(response: ModuleResponse): Promise<ArrayBuffer> {
  if (response.ok === false) throw notAModule(`the response has the status ${response.status}`);
  return response.arrayBuffer();
}

function isResponse(value: ModuleSource | ModuleResponse): value is ModuleResponse {
  return typeof (value as Partial<ModuleResponse> | null | undefined)?.arrayBuffer === "function";
}

function notAModule(reason: string, cause?: unknown): SkillError {
  return new SkillError(
    {
      code: "NOT_INITIALIZED",
      message:
        `What init was given is not the module: ${reason}. ` +
        'Give it the bytes of "skillshelf/skillshelf.wasm", a response that has them, or the compiled module.',
    },
    cause === undefined ? undefined : { cause },
  );
}
