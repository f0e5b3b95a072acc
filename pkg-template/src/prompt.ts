/**
 * `skillshelf/prompt`: a system prompt as a document of sections. Works on import; the module is
 * inside.
 *
 * @module
 */
import { compiledModule } from "#module";
import { provideModule } from "./engine.js";

provideModule(compiledModule);

export * from "./system-prompt.js";
