/** Archives of an index: each content is unpacked once, into memory, whole or not at all. */
import { SkillError } from "../../errors.js";
import type { Diagnostic } from "../../types.js";
import type { ArchiveRules } from "../archive/rules.js";
import { type UnpackedArchive, unpackArchive } from "../archive/unpack.js";
import { shownUrl } from "./failure.js";
import { afterFailure, type Remote, type Round } from "./round.js";

/** The files of an archive, by path. */
type Files = ReadonlyMap<string, Uint8Array>;

export class SkillArchives {
  readonly #rules: ArchiveRules;
  /** By the digest of the archive. */
  readonly #running = new Map<string, Promise<Files>>();
  readonly #findings = new Map<string, readonly Diagnostic[]>();

  constructor(rules: ArchiveRules) {
    this.#rules = rules;
  }

  /** Lets go of all but these. */
  keepOnly(archives: readonly Remote[]): void {
    const wanted = new Set(archives.map(keyOf));
    for (const key of this.#running.keys()) {
      if (!wanted.has(key)) this.#forget(key);
    }
  }

  /** What was left out of the archives that were unpacked. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#findings.values()].flat();
  }

  /** The files of a skill. */
  files(skill: string, remote: Remote, round: Round): Promise<Files> {
    const key = keyOf(remote);
    let running = this.#running.get(key);
    if (running === undefined) {
      running = this.#unpack(skill, remote, round);
      this.#running.set(key, running);
      running.catch(() => afterFailure(() => this.#forget(key)));
    }
    return running;
  }

  async #unpack(skill: string, remote: Remote, round: Round): Promise<Files> {
    const bytes = await round.content(remote);
    const { files, diagnostics } = await unpackArchive(bytes, this.#rules);
    checkSkill(files, remote.url);
    const key = keyOf(remote);
    // It may have been let go of meanwhile.
    if (this.#running.has(key)) {
      this.#findings.set(
        key,
        diagnostics.map((finding) => ({ ...finding, skill })),
      );
    }
    return new Map(Object.entries(files));
  }

  #forget(key: string): void {
    this.#running.delete(key);
    this.#findings.delete(key);
  }
}

function keyOf({ digest = "", url }: Remote): string {
  return `${digest} ${url}`;
}

function checkSkill(files: UnpackedArchive["files"], url: string): void {
  if ("SKILL.md" in files) return;
  throw new SkillError({
    code: "ARCHIVE_REFUSED",
    message: `${shownUrl(url)} has no SKILL.md at its root, as an archive of one skill must have: pack the skill's files, not its folder`,
    path: shownUrl(url),
  });
}
