/**
 * `skillshelf/archive`: zips and tars as hosts. Works on import; the module is inside.
 *
 * @module
 */
import { compiledModule } from "#module";
import { provideModule } from "./engine.js";

provideModule(compiledModule);

export * from "./archive-host.js";
