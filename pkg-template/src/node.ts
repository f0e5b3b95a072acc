/**
 * `skillshelf/node`: directories of the disk, as hosts, watched, and where people keep skills. Works
 * on import; the module is inside.
 *
 * @module
 */
import { compiledModule } from "#module";
import { provideModule } from "./engine.js";

provideModule(compiledModule);

export * from "./node-api.js";
