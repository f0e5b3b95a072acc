// The skills that the adapters are tested with.

import { memoryHost, type SyncHost } from "skillshelf";

/** The smallest PNG: one pixel. */
export const PIXEL: Uint8Array = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What no model may see before it has loaded the skill. */
export const BODY = "Warm the pot.";

/** A host with a skill that has files of all kinds, and one that cannot be loaded any more. */
export function skills(): SyncHost {
  return memoryHost({
    "tea/SKILL.md": `---\nname: tea\ndescription: Makes tea\n---\n${BODY}\n`,
    "tea/pixel.png": PIXEL,
    // Providers compare the type that they are told with the content.
    "tea/pixel.jpg": PIXEL,
    "tea/pixel.gif": Buffer.from("GIF89a\x01\0\x01\0\xff\xff", "latin1"),
    "tea/no-image.png": Uint8Array.of(0, 1, 2, 3),
    "tea/large.png": Buffer.concat([PIXEL, Buffer.alloc(4_000_000)]),
    "tea/empty.txt": "",
    "coffee/SKILL.md": "---\nname: coffee\ndescription: Makes coffee\n---\nGrind the beans.\n",
  });
}
