// Who makes a host and no catalog takes nothing but the host.

import { memoryHost } from "skillshelf/slim";

const host = memoryHost({ "pdf/SKILL.md": "", "tea/SKILL.md": "" });
console.log(
  host
    .list("")
    .map(({ name }) => name)
    .join(", "),
);
