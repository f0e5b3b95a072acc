// Which skills are open: one set of them at a time. What is asked of one that was replaced meanwhile comes
// to nothing. `known` is what the page has, where it asks for what is another by now.

import { type Catalog, mendSkill, type ToolResult } from "skillshelf/slim";
import { OpenSkills, type Tell } from "./open-skills.ts";
import type {
  Checked,
  Edited,
  Files,
  Given,
  Indexed,
  IndexOptions,
  Known,
  Reloaded,
  Update,
  Zipped,
} from "./shapes.ts";
import { broughtFrom } from "./sources.ts";
import { Editions } from "./telling.ts";

export class Shelf {
  readonly #site: string;
  readonly #tell: Tell;
  readonly #editions = new Editions();
  /** Those under way, as they were asked for. */
  #openings: AbortController[] = [];
  #open: OpenSkills | undefined;

  /** `site` is where the page's own files are. */
  constructor(site: string, tell: Tell) {
    this.#site = site;
    this.#tell = tell;
  }

  /** The skills as they are now, edits included. */
  get catalog(): Catalog {
    return this.#skills.catalog;
  }

  /**
   * Opens what was brought; where that fails, what was open before stays. Nothing where it is stopped, or
   * what was asked for later is open by then.
   */
  async open(given: Given, options: IndexOptions): Promise<Update | undefined> {
    const opening = new AbortController();
    const { signal } = opening;
    this.#openings.push(opening);
    try {
      const brought = await broughtFrom(given, this.#site);
      const skills = await OpenSkills.read(brought, this.#tell, signal, this.#editions);
      if (signal.aborted) {
        skills.close();
        return undefined;
      }
      this.#open?.close();
      this.#open = skills;
      // Those before it come too late.
      this.#stop(this.#openings.slice(0, this.#openings.indexOf(opening)));
      return skills.update(options);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      this.#openings = this.#openings.filter((other) => other !== opening);
    }
  }

  /** What is being opened is not. */
  stop(): void {
    this.#stop(this.#openings);
  }

  #stop(openings: readonly AbortController[]): void {
    for (const opening of openings) opening.abort();
  }

  reload(options: IndexOptions, known?: Known): Promise<Reloaded | undefined> {
    return this.#ofOpen((skills) => skills.reload(options, known), known);
  }

  index(options: IndexOptions): Indexed {
    return this.#skills.index(options);
  }

  measure(options: IndexOptions, known?: Known): Promise<Update | undefined> {
    return this.#ofOpen((skills) => skills.measure(options, known), known);
  }

  /** Names of the skills that fit a task, the best first. */
  async search(task: string, limit: number): Promise<string[]> {
    const hits = await this.#skills.search(task, limit);
    return hits.map(({ skill }) => skill.name);
  }

  /** The skill that fits a task best, of those that a model may load, with the words that it has. */
  async fitting(task: string): Promise<{ name: string; matched: string[] } | undefined> {
    const hits = await this.#skills.search(task, Math.max(1, this.catalog.size));
    const best = hits.find(({ skill }) => skill.modelInvocable);
    return best && { name: best.skill.name, matched: best.matched };
  }

  /** What the tool that reads files answers outside of any conversation. */
  async read(skill: string, path: string): Promise<ToolResult> {
    const { bytes: _, ...result } = await this.catalog.call("read_skill_file", { skill, path });
    return result;
  }

  files(path: string): Promise<Files> {
    return this.#skills.files(path);
  }

  text(path: string): Promise<string | undefined> {
    return this.#skills.text(path);
  }

  check(path: string, text: string): Promise<Checked> {
    return this.#skills.check(path, text);
  }

  edit(
    path: string,
    text: string,
    options: IndexOptions,
    known?: Known,
  ): Promise<Edited | undefined> {
    return this.#ofOpen((skills) => skills.edit(path, text, options, known), known);
  }

  revert(path: string, options: IndexOptions, known?: Known): Promise<Update | undefined> {
    return this.#ofOpen((skills) => skills.revert(path, options, known), known);
  }

  /** A text with what can safely be mended. */
  mended(text: string): string {
    return mendSkill(text).text;
  }

  zip(known?: Known): Promise<Zipped | undefined> {
    return this.#ofOpen((skills) => skills.zip(), known);
  }

  /** Asks the skills that are open, if the page means these; nothing where others are when they answer. */
  async #ofOpen<T>(
    ask: (skills: OpenSkills) => Promise<T>,
    known: Known | undefined,
  ): Promise<T | undefined> {
    const skills = this.#skills;
    if (skills.areOthers(known)) return undefined;
    try {
      const answer = await ask(skills);
      return skills === this.#open ? answer : undefined;
    } catch (error) {
      if (skills === this.#open) throw error;
      return undefined;
    }
  }

  get #skills(): OpenSkills {
    if (this.#open === undefined) throw new Error("No skills are open yet.");
    return this.#open;
  }
}
