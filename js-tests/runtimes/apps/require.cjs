// Node and Bun: `require` of the package. Arguments as of `import.mjs`.

const { readFileSync, writeFileSync } = require("node:fs");
const skillshelf = require("skillshelf");
const prompt = require("skillshelf/prompt");

const [trees, answer] = process.argv.slice(2);
import("../outputs.mjs")
  .then(({ outputsOf }) => outputsOf({ skillshelf, prompt }, readFileSync(trees, "utf8")))
  .then((text) => writeFileSync(answer, text));
