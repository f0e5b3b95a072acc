/**
 * `skillshelf/slim/prompt`: the same as `skillshelf/prompt`, for those who bring the module with
 * `skillshelf/slim`.
 *
 * @module
 */
export * from "./system-prompt.js";
