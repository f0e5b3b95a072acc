// The hosts of stores, with the package as it is imported.

import { fsHost } from "skillshelf/fs";
import { hostConformance } from "skillshelf/testing";
import { unstorageHost } from "skillshelf/unstorage";
import { checkStores } from "../stores.mjs";

export const checked = () => checkStores({ fsHost, unstorageHost, hostConformance });
