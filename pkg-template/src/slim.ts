/**
 * The same as `skillshelf`, without the module inside: for those who bring it.
 *
 * @module
 */
import { type ModuleSource, provideModule } from "./engine.js";

export * from "./api.js";

/**
 * Says what the module is: its bytes, a response that has them, or the compiled module. Before
 * that, everything throws `NOT_INITIALIZED`.
 */
export async function init(
  module: ModuleSource | Response | PromiseLike<ModuleSource | Response>,
): Promise<void> {
  const given = await module;
  const source = isResponse(given) ? await given.arrayBuffer() : given;
  provideModule(() => source);
}

function isResponse(value: ModuleSource | Response): value is Response {
  return typeof Response === "function" && value instanceof Response;
}
