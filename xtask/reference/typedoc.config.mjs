// The reference of the package: of its declarations, as users have them.

import { readFileSync } from "node:fs";

const PACKAGE = "../../pkg";

const { exports } = JSON.parse(readFileSync(new URL(`${PACKAGE}/package.json`, import.meta.url)));
const scripts = Object.values(exports).filter((file) => file.endsWith(".js"));

/** @type {import("typedoc").TypeDocOptions} */
export default {
  name: "skillshelf",
  entryPoints: scripts.map((file) => `${PACKAGE}/${file.replace(".js", ".d.ts")}`),
  tsconfig: "tsconfig.json",
  readme: "none",
  // Declarations lead to no sources, and the place where they were built is nobody's business.
  disableSources: true,
  treatWarningsAsErrors: true,
  treatValidationWarningsAsErrors: true,
  validation: { notExported: true, invalidLink: true, rewrittenLink: true, notDocumented: true },
  // What a member is for is often said by its name.
  requiredToBeDocumented: ["Class", "Interface", "TypeAlias", "Function", "Variable"],
};
