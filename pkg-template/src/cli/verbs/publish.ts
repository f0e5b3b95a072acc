/** `skillshelf publish ROOT --out DIR` */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { packed } from "../archive.js";
import { counted } from "../columns.js";
import { DONE, UsageError } from "../exit.js";
import { type HandedOn, handedOn } from "../handed-on.js";
import { shownPath } from "../paths.js";
import { replaceFile } from "../replaced-file.js";
import { visibleLine } from "../screen.js";
import { JSON_OPTION, type Verb, verb } from "../verb.js";

/** Where clients look for an index, below the root of a site. */
const PLACE = ".well-known/agent-skills";
const INDEX = "index.json";
/** Version 0.2.0 of the discovery format. */
const SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

export const publish: Verb = verb({
  name: "publish",
  operands: "ROOT --out DIR",
  count: [1, 1],
  summary: "A site's index of skills, with digests and archives",
  details: `Writes DIR/${PLACE}/${INDEX} and beside it each skill below ROOT:
its SKILL.md where that is all of it, otherwise a .tar.gz. DIR is the root of the site; its
skills are then loaded by the site's URL (httpHost of skillshelf/http). The same files give
the same bytes everywhere. Skills of an earlier index that are gone are removed.`,
  options: {
    out: { type: "string", value: "DIR", help: "The root of the site" },
    json: JSON_OPTION,
  },
  async run({ options: { out, json }, operands: [root = ""], screen }) {
    if (out === undefined) throw new UsageError("publish needs --out DIR.");
    const skills = await handedOn(root, screen);
    const published: Published[] = [];
    for (const skill of skills) published.push(await publishedAs(skill));
    const place = join(out, PLACE);
    const before = earlier(place);
    for (const { entry, bytes } of published) write(join(place, entry.url), bytes);
    const index = { $schema: SCHEMA, skills: published.map(({ entry }) => entry) };
    write(join(place, INDEX), `${JSON.stringify(index, undefined, 2)}\n`);
    removeOthers(place, before, published);
    if (json) screen.out.json(index);
    else {
      for (const { entry, bytes } of published) {
        const { name, type, url } = entry;
        screen.out.line(
          `  ${visibleLine(name)}  ${type}  ${visibleLine(url)}  ${counted(bytes.length, "byte")}`,
        );
      }
      const shown = visibleLine(shownPath(join(place, INDEX)));
      screen.out.line(`${counted(published.length, "skill")} published in ${shown}`);
    }
    return DONE;
  },
});

interface Entry {
  name: string;
  type: "skill-md" | "archive";
  description: string;
  /** Relative to the index, so that the site may be anywhere. */
  url: string;
  digest: string;
}

interface Published {
  entry: Entry;
  bytes: Uint8Array;
}

async function publishedAs({ skill, files }: HandedOn): Promise<Published> {
  const { name, description } = skill;
  const [only, ...others] = files;
  const isOne = only !== undefined && others.length === 0;
  const bytes = isOne ? only[1] : await packed(files);
  const type = isOne ? "skill-md" : "archive";
  const url = isOne ? `${name}/SKILL.md` : `${name}.tar.gz`;
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  return { entry: { name, type, description, url, digest }, bytes };
}

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  replaceFile(file, content);
}

/** Files that an earlier call has put there, by its index. */
function earlier(place: string): string[] {
  try {
    const index = JSON.parse(readFileSync(join(place, INDEX), "utf8")) as { skills: Entry[] };
    return index.skills.map(({ url }) => url).filter(isOwn);
  } catch {
    // None, or one that somebody else made.
    return [];
  }
}

/** Whether a URL of an index has the form that this command gives them. */
function isOwn(url: unknown): url is string {
  return typeof url === "string" && /^[a-z0-9-]+(\/SKILL\.md|\.tar\.gz)$/.test(url);
}

function removeOthers(place: string, before: readonly string[], now: readonly Published[]): void {
  const kept = new Set(now.map(({ entry }) => entry.url));
  for (const url of before.filter((url) => !kept.has(url)))
    rmSync(join(place, url), { force: true });
}
