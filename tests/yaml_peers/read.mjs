// Reads YAML by two implementations that are not ours: each line of the input is a list of texts as
// JSON, each line of the output what both make of each text, as [kind, …] or as { refused }.

import { createInterface } from "node:readline";
import process from "node:process";
import * as jsYaml from "js-yaml";
import { parseDocument } from "yaml";

/** Maps keep what their keys are, and values that JSON has not are told as they are. */
function plain(value) {
  if (value === null || value === undefined) return ["null"];
  if (value instanceof Map) {
    return ["map", ...Array.from(value, ([key, inner]) => [plain(key), plain(inner)])];
  }
  if (value instanceof Set) return ["map", ...Array.from(value, (key) => [plain(key), ["null"]])];
  if (Array.isArray(value)) return ["list", ...value.map(plain)];
  switch (typeof value) {
    case "number":
    case "bigint":
      return ["number", String(value)];
    case "string":
      return ["text", value.toWellFormed?.() ?? value];
    case "boolean":
      return ["boolean", value];
    default:
      return ["other", Object.prototype.toString.call(value)];
  }
}

const SCHEMA = jsYaml.CORE_SCHEMA.withTags(jsYaml.realMapTag);

const PEERS = [
  (text) => {
    const document = parseDocument(text, { schema: "core", version: "1.2" });
    if (document.errors.length > 0) throw new Error(document.errors[0].code);
    return document.toJS({ mapAsMap: true, maxAliasCount: 1000 });
  },
  (text) => jsYaml.load(text, { schema: SCHEMA }),
];

function readBy(read, text) {
  try {
    return plain(read(text));
  } catch (error) {
    return { refused: String(error.reason ?? error.message).split("\n")[0] };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const read = JSON.parse(line).map((text) => PEERS.map((peer) => readBy(peer, text)));
  process.stdout.write(`${JSON.stringify(read)}\n`);
}
