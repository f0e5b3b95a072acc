/**
 * `skillshelf/slim/http`: the same as `skillshelf/http`, for those who bring the module with
 * `skillshelf/slim`.
 *
 * @module
 */
export * from "./http-api.js";
