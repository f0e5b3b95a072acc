/**
 * `skillshelf/http`: skills that are served over HTTP, as a host. Works on import; the module is
 * inside.
 *
 * @module
 */
import { compiledModule } from "#module";
import { provideModule } from "./engine.js";

provideModule(compiledModule);

export * from "./http-api.js";
