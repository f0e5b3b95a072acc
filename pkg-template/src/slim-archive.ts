/**
 * `skillshelf/slim/archive`: the same as `skillshelf/archive`, for those who bring the module with
 * `skillshelf/slim`.
 *
 * @module
 */
export * from "./archive-host.js";
