// Compiled with the types of browsers, never run.

import type { Host } from "skillshelf";
import { directoryHandleHost, droppedFilesHost, fileListHost } from "skillshelf/web";

// What browsers give is what the hosts of a page take.
declare const picked: FileSystemDirectoryHandle;
declare const input: HTMLInputElement;
declare const event: DragEvent;
export const ofBrowsers: Host[] = [
  directoryHandleHost(picked),
  fileListHost(input.files),
  droppedFilesHost(event.dataTransfer),
];
