// The archives, with the package and its peers as they are imported.

import { archiveHost } from "skillshelf/archive";
import { checkArchives } from "../archives.mjs";

export const checked = () => checkArchives(archiveHost);
