/**
 * `skillshelf/slim/node`: the same as `skillshelf/node`, for those who bring the module with
 * `skillshelf/slim`.
 *
 * @module
 */
export * from "./node-api.js";
