/** `skillshelf read NAME PATH` */
import { DONE, Failure } from "../exit.js";
import { loadShelf, skillNamed } from "../shelf.js";
import { JSON_OPTION, ROOT_OPTIONS, type Verb, verb } from "../verb.js";

/** Bytes that are printed of a file, at most. */
const LARGEST = 64 * 1024 * 1024;

export const read: Verb = verb({
  name: "read",
  operands: "NAME PATH",
  count: [2, 2],
  summary: "A file beside a skill, byte for byte",
  details: `Prints a file by its path relative to the skill, by the rules that hold for a model: nothing
outside of the skill's folder can be read. In a terminal, what it would obey is escaped.`,
  options: { ...ROOT_OPTIONS, json: JSON_OPTION },
  async run({ options: { root, trust, json }, operands: [name = "", path = ""], screen }) {
    const limits = { page: LARGEST, bytes: LARGEST };
    const catalog = await loadShelf({ roots: root, trust, limits }, screen);
    const session = catalog.session({ tools: { set: "full" } });
    // What only the user may load, the user reads by having loaded it.
    if (skillNamed(catalog, name)?.modelInvocable === false) await session.load(name);
    const result = await session.call("read_skill_file", { skill: name, path });
    if (result.isError) throw new Failure(result.content);
    if (result.truncated) throw new Failure(`${path} has more than ${LARGEST} bytes.`);
    const { content, bytes, mediaType, skill } = result;
    const { out } = screen;
    if (json) {
      const base64 = bytes && Buffer.from(bytes).toString("base64");
      screen.out.json({ skill, path, ...(bytes ? { base64, mediaType } : { text: content }) });
    } else if (bytes === undefined) {
      out.text(content);
    } else if (out.isTerminal) {
      throw new Failure(`${path} is no text (${mediaType}): send it to a file, with > FILE.`);
    } else {
      out.write(bytes);
    }
    return DONE;
  },
});
