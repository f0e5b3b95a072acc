/**
 * `skillshelf/prompt`: a system prompt as a document of sections. Works on import; the module is
 * inside.
 *
 * @module
 */
import { base64 } from "#module";
import { provideInlinedModule } from "./engine.js";

provideInlinedModule(base64);

export * from "./system-prompt.js";
