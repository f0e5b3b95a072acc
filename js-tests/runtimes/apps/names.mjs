// The smallest use, for bundlers: prints the names of skills.

import { loadSkills, memoryHost } from "skillshelf";

const host = memoryHost({
  "pdf/SKILL.md": "---\nname: pdf\ndescription: Fills in forms\n---\nRead references/a.md.",
  "tea/SKILL.md": "---\nname: tea\ndescription: Brews tea\n---\nWarm the pot.",
});

loadSkills({ host }).then((catalog) => console.log(catalog.names.join(", ")));
