// Where the skills came from, as far as the code that loads them needs it.

import type { Given } from "./engine/shapes.ts";

export type Origin =
  | { kind: "examples" | "pasted" | "dropped" }
  | { kind: "directory"; name: string }
  | { kind: "archive"; name: string }
  | { kind: "site"; url: string };

export function originOf(given: Given): Origin {
  switch (given.kind) {
    case "examples":
    case "pasted":
      return { kind: given.kind };
    case "host":
      return { kind: "dropped" };
    case "archive":
    case "directory":
      return { kind: given.kind, name: given.label };
    case "site":
      return { kind: "site", url: given.url };
  }
}
