// The same for those who bring the module: where its file is, the bundler says.

import url from "skillshelf/skillshelf.wasm?url";
import { init, loadSkills, memoryHost } from "skillshelf/slim";

const host = memoryHost({
  "pdf/SKILL.md": "---\nname: pdf\ndescription: Fills in forms\n---\nRead references/a.md.",
  "tea/SKILL.md": "---\nname: tea\ndescription: Brews tea\n---\nWarm the pot.",
});

init(fetch(url))
  .then(() => loadSkills({ host }))
  .then((catalog) => console.log(catalog.names.join(", ")));
