// The same with the package for those who bring the module.

import * as skillshelf from "skillshelf/slim";
import * as prompt from "skillshelf/slim/prompt";
import { outputsOf } from "../outputs.mjs";

/** Takes the module in one of its forms, and takes and gives JSON text. */
export async function outputs(module, trees) {
  await skillshelf.init(module);
  return outputsOf({ skillshelf, prompt }, trees);
}
