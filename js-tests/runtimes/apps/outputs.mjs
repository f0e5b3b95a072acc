// What the programs come to with the package as it is imported.

import * as skillshelf from "skillshelf";
import * as prompt from "skillshelf/prompt";
import { outputsOf } from "../outputs.mjs";

/** Takes and gives JSON text. */
export const outputs = (trees) => outputsOf({ skillshelf, prompt }, trees);
