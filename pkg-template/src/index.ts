/**
 * Agent Skills: found, indexed and served. Works on import; the module is inside.
 *
 * @module
 */
import { compiledModule } from "#module";
import { provideModule } from "./engine.js";

provideModule(compiledModule);

export * from "./api.js";
