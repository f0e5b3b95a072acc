/** All verbs, in the order of the help. */
import type { Verb } from "./verb.js";
import { bundle } from "./verbs/bundle.js";
import { chat } from "./verbs/chat.js";
import { list } from "./verbs/list.js";
import { mcp } from "./verbs/mcp.js";
import { create } from "./verbs/new.js";
import { prompt } from "./verbs/prompt.js";
import { publish } from "./verbs/publish.js";
import { read } from "./verbs/read.js";
import { readProperties } from "./verbs/read-properties.js";
import { search } from "./verbs/search.js";
import { show } from "./verbs/show.js";
import { toPrompt } from "./verbs/to-prompt.js";
import { validate } from "./verbs/validate.js";

export const VERBS: readonly Verb[] = [
  list,
  show,
  read,
  prompt,
  search,
  chat,
  mcp,
  validate,
  create,
  publish,
  bundle,
  readProperties,
  toPrompt,
];
