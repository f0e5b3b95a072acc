/**
 * `skillshelf/web`: files that a person hands to a page, as hosts. Nothing leaves the page.
 *
 * @module
 */
export {
  type DirectoryHandle,
  directoryHandleHost,
  type FileHandle,
} from "./hosts/web/directory-handle.js";
export {
  type DroppedEntry,
  type DroppedItem,
  droppedFilesHost,
} from "./hosts/web/dropped-files.js";
export { fileListHost } from "./hosts/web/file-list.js";
export type { WebBlob, WebFile } from "./hosts/web/file-tree.js";
