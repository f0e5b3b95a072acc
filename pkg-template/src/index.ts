/**
 * Agent Skills: found, indexed and served. Works on import; the module is inside.
 *
 * @module
 */
import { base64 } from "#module";
import { provideInlinedModule } from "./engine.js";

provideInlinedModule(base64);

export * from "./api.js";
