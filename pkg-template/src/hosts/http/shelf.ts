/** What a host offers between two refreshes: the skills of one index, or of a developer's list. */
import { withCore } from "../../engine.js";
import type { Diagnostic } from "../../types.js";
import { digestOf } from "./digest.js";
import { shownUrl } from "./failure.js";
import type { PlannedSkill } from "./options.js";
import { findingsOf, type Plan, type Trouble } from "./plan.js";
import type { Requester } from "./requester.js";
import type { Facts, Remote, Round } from "./round.js";
import type { SkillArchives } from "./skill-archives.js";
import { type Place, placeIn } from "./tree.js";

/** What a skill is made of. */
export type Shelved = { files: ReadonlyMap<string, Remote> } | { archive: Remote };

/** A file of a skill, which is fetched if need be. */
export interface ServedFile {
  facts(): Promise<Facts>;
  content(): Promise<Uint8Array>;
}

export interface Shelf {
  skills: ReadonlyMap<string, Shelved>;
  diagnostics: readonly Diagnostic[];
  round: Round;
}

/** The skills of a plan, each with what is to be fetched for it. */
export function shelfOf(plan: Plan, requester: Requester, round: Round): Shelf {
  const skills = new Map<string, Shelved>();
  const troubles: Trouble[] = [];
  for (const skill of plan.skills) {
    try {
      skills.set(skill.name, shelved(skill, plan.from, requester));
    } catch (error) {
      if (!(error instanceof NotFetched)) throw error;
      const facts = { url: shownUrl(plan.from.href), skill: skill.name, problem: error.message };
      troubles.push({ kind: "entry", ...facts });
    }
  }
  return { skills, diagnostics: [...plan.diagnostics, ...findingsOf(troubles)], round };
}

/** What stands at a path of a shelf. */
export async function placeOn(
  { skills, round }: Shelf,
  archives: SkillArchives,
  path: string,
): Promise<Place<ServedFile> | undefined> {
  if (path === "") {
    const entries = Array.from(skills.keys(), (name) => ({ name, kind: "directory" }));
    return { kind: "directory", entries };
  }
  const [name = ""] = path.split("/", 1);
  const skill = skills.get(name);
  if (skill === undefined) return undefined;
  const below = path.slice(name.length + 1);
  if ("archive" in skill) {
    const files = await archives.files(name, skill.archive, round);
    return servedPlace(placeIn(files, below), unpackedFile);
  }
  return servedPlace(placeIn(skill.files, below), (remote) => ({
    facts: () => round.facts(remote),
    content: () => round.content(remote),
  }));
}

function servedPlace<File>(
  place: Place<File> | undefined,
  serve: (file: File) => ServedFile,
): Place<ServedFile> | undefined {
  return place?.kind === "file" ? { kind: "file", file: serve(place.file) } : place;
}

function unpackedFile(bytes: Uint8Array): ServedFile {
  return {
    facts: async () => ({ digest: await digestOf(bytes), size: bytes.length }),
    content: async () => bytes,
  };
}

/** The archives of a shelf. */
export function archivesOn({ skills }: Shelf): Remote[] {
  return [...skills.values()].flatMap((skill) => ("archive" in skill ? [skill.archive] : []));
}

/** Why the URL of an entry is not fetched. */
class NotFetched extends Error {}

function shelved(skill: PlannedSkill, from: URL, requester: Requester): Shelved {
  const { name, skillFile, archive, digest, files = [] } = skill;
  if (archive !== undefined) {
    return { archive: { url: resolved(archive, from, requester), digest, of: "archive" } };
  }
  if (skillFile !== undefined) {
    const remote: Remote = { url: resolved(skillFile, from, requester), digest, of: "file" };
    return { files: new Map([["SKILL.md", remote]]) };
  }
  return { files: new Map(files.map((path) => [path, listedFile(`${name}/${path}`, from)])) };
}

/** A URL of an index, as RFC 3986 has it. */
function resolved(reference: string, from: URL, requester: Requester): string {
  if (!URL.canParse(reference, from.href)) throw new NotFetched("it is no URL");
  const url = new URL(reference, from);
  url.hash = "";
  const reason = requester.reasonAgainst(url);
  if (reason !== undefined) throw new NotFetched(reason);
  return url.href;
}

/** A file below a directory; the directory's query is sent along, since it may be what lets one in. */
function listedFile(path: string, from: URL): Remote {
  const url = new URL(path.split("/").map(encodeURIComponent).join("/"), from);
  url.search = from.search;
  return { url: url.href, of: "file", isPage: withCore((core) => core.mayBePage(path)) };
}
