// The chosen skill: its files, the text, what is off in it as it is typed, and what to take along.

import type { Diagnostic } from "skillshelf/slim";
import type { App } from "../app.ts";
import { byId, fill, h } from "../dom.ts";
import type { Checked, Row } from "../engine/shapes.ts";
import { Latest, OneAtATime } from "../latest.ts";
import { placeOf } from "../panels/problems.ts";
import type { Place, Selected, State } from "../store.ts";
import { copy, download } from "../take-along.ts";
import { counted, number } from "../words.ts";
import { codeFor } from "./code.ts";
import type { Editor } from "./editor.ts";

/** The text of a file, as somebody has typed it. */
interface Typed {
  path: string;
  text: string;
  /** The skills that it is of: others may be open before it is taken. */
  origin: State["origin"];
  /** When, as performance counts. */
  at: number;
}

const SEVERITIES = { error: "bad", warning: "warn", info: "" };

export class EditPanel {
  readonly #app: App;
  readonly #file = h("select", {
    id: "edit-file",
    onchange: () => void this.#openFile(this.#file.value),
  });
  readonly #frame = h("div", { class: "editor" });
  readonly #empty = h("p", { class: "empty" }, "Choose a skill from the list to read and edit it.");
  readonly #body = h("div", { class: "edit", hidden: true });
  readonly #facts = h("p", { class: "facts", role: "status" });
  readonly #found = h("ul", { class: "found", "aria-label": "Problems of this file" });
  readonly #fix = h("button", {
    type: "button",
    hidden: true,
    onclick: () => void this.#applyFixes(),
  });
  readonly #revert = h(
    "button",
    {
      type: "button",
      hidden: true,
      onclick: () => void this.#app.alerts.attempt(() => this.#takeBack()),
    },
    "Take edits back",
  );
  /** The list of problems says something else of the same file, and is right as well. */
  readonly #judged = h("p", { class: "note", id: "judged" });
  /** Whether what was found last is what a strict client refuses. */
  #isRefused = false;
  /** Stands where there is no text to show. */
  readonly #textless = h("p", { class: "empty", hidden: true });
  readonly #plain = h(
    "p",
    { class: "note", role: "status", hidden: true },
    "This file has a very long line, so it is shown without colors.",
  );
  readonly #edited = new Set<string>();
  #editor: Editor | undefined;
  #skill: string | undefined;
  #path: string | undefined;
  readonly #opening = new Latest();
  /** While a text is on its way, another file may be chosen and typed in. */
  readonly #edits = new OneAtATime(
    (typed: Typed) => this.#take(typed),
    ({ path }) => path,
  );
  #followed: Selected | undefined;

  constructor(app: App) {
    this.#app = app;
    const zip = h(
      "button",
      { type: "button", onclick: () => void app.alerts.attempt(() => this.#download()) },
      "Download all as zip",
    );
    this.#body.append(
      h(
        "div",
        { class: "controls" },
        h("label", { for: "edit-file" }, "File"),
        this.#file,
        this.#fix,
        this.#revert,
        zip,
      ),
      this.#facts,
      this.#frame,
      this.#textless,
      this.#plain,
      this.#found,
      this.#judged,
    );
    byId("view-edit").append(this.#empty, this.#body, this.#codeBox());
    app.store.watch(
      ({ view, selected }) => [view, selected],
      (state) => void this.#follow(state),
    );
    app.store.watch(
      ({ view, skills }) => view === "edit" && [skills?.overview.rows],
      () => this.#judge(),
    );
    app.onReload(() => {
      this.#skill = undefined;
      void this.#follow(app.store.state, this.#path);
    });
    app.onOpen(() => {
      this.#skill = undefined;
      this.#path = undefined;
      // What was being read is of other skills.
      this.#opening.begin();
      this.#edited.clear();
    });
  }

  /** Opens what is selected, once it can be seen: this file of it, if it is one of it. */
  async #follow({ view, selected }: Readonly<State>, file?: string): Promise<void> {
    this.#empty.hidden = selected !== undefined;
    this.#body.hidden = selected === undefined;
    if (view !== "edit" || selected === undefined) return;
    const { path, place } = selected;
    // Once it was followed, the cursor is where the person put it.
    const isNew = selected !== this.#followed;
    this.#followed = selected;
    await this.#app.alerts.attempt(async () => {
      if (path !== this.#skill) await this.#openSkill(path, file ?? path);
      if (isNew && place !== undefined) await this.#goTo(path, place);
    });
  }

  /** Puts the cursor to a place of a file, which may be another than the one that is open. */
  async #goTo(path: string | undefined, { line, column }: Place): Promise<void> {
    if (path !== undefined && path !== this.#path) {
      this.#file.value = path;
      await this.#openFile(path);
    }
    if (!this.#frame.hidden) this.#editor?.goTo(line, column);
  }

  async #openSkill(path: string, wanted: string): Promise<void> {
    this.#skill = path;
    const isLatest = this.#begin(wanted);
    const files = await this.#read(wanted, isLatest, this.#app.engine.files(path));
    if (files === undefined) return;
    const { paths, more } = files;
    const rest = `More than ${number(paths.length - 1)} files: the others are not listed.`;
    fill(
      this.#file,
      ...paths.map((file) => h("option", { value: file }, file)),
      more && h("option", { disabled: true }, rest),
    );
    const file = paths.includes(wanted) ? wanted : path;
    this.#file.value = file;
    await this.#openFile(file);
  }

  async #openFile(path: string): Promise<void> {
    const isLatest = this.#begin(path);
    await this.#app.alerts.attempt(async () => {
      const typed = this.#typedIn(path);
      const reading = Promise.all([typed ?? this.#app.engine.text(path), import("./editor.ts")]);
      const read = await this.#read(path, isLatest, reading);
      if (read === undefined) return;
      const [text, { Editor }] = read;
      if (text === undefined) return this.#showNone(path, "This file is not text.");
      this.#editor ??= new Editor(this.#frame, (text) => void this.#typed(text));
      const shown = this.#showText(path, text, this.#editor);
      this.#showChecked(path, shown, await this.#app.engine.check(path, shown));
    });
  }

  /** A text that is still on its way to the engine, and newer than what that has. */
  #typedIn(path: string): string | undefined {
    const typed = this.#edits.latest(path);
    return typed?.origin === this.#app.store.state.origin ? typed.text : undefined;
  }

  /** Begins to open a file; what is shown until it is there is another one, in which nothing is typed now. */
  #begin(path: string): () => boolean {
    this.#frame.inert = path !== this.#path;
    return this.#opening.begin();
  }

  /**
   * What is read of a file, which is shown as one that has no text where that fails. Nothing where another one
   * has been asked for since, or other skills are open: then nobody wants to know why it failed either.
   */
  async #read<T>(
    path: string,
    isLatest: () => boolean,
    reading: Promise<T>,
  ): Promise<T | undefined> {
    try {
      const read = await reading;
      return isLatest() ? read : undefined;
    } catch (error) {
      if (!isLatest()) return undefined;
      this.#showNone(path, "This file cannot be read.");
      throw error;
    }
  }

  #showNone(path: string, words: string): void {
    this.#setPath(path);
    if (this.#file.value !== path) fill(this.#file, h("option", { value: path }, path));
    this.#textless.textContent = words;
    this.#textless.hidden = false;
    this.#frame.hidden = true;
    this.#plain.hidden = true;
    this.#fix.hidden = true;
    this.#facts.textContent = "";
    fill(this.#found);
  }

  /** Shows the text of a file; gives what is shown, which is newer where it is being typed. */
  #showText(path: string, text: string, editor: Editor): string {
    const isShown = path === this.#path && !this.#frame.hidden;
    this.#setPath(path);
    this.#textless.hidden = true;
    this.#frame.hidden = false;
    if (!isShown) editor.open(text, path);
    // An edit stays, and what is typed may be on its way.
    else if (!this.#edited.has(path)) editor.follow(text);
    this.#plain.hidden = !editor.isPlain;
    return editor.text;
  }

  #setPath(path: string): void {
    this.#path = path;
    this.#frame.inert = false;
    this.#revert.hidden = !this.#edited.has(path);
  }

  async #typed(text: string): Promise<void> {
    const path = this.#path;
    if (path === undefined) return;
    this.#edited.add(path);
    this.#revert.hidden = false;
    this.#plain.hidden = !this.#editor?.isPlain;
    const { origin } = this.#app.store.state;
    const at = performance.now();
    await this.#app.alerts.attempt(() => this.#edits.do({ path, text, origin, at }));
  }

  /** Whether a text is on its way to the engine. */
  get isEditing(): boolean {
    return !this.#edits.isIdle;
  }

  /** What is told of a text that was typed follows it. */
  async #take({ path, text, origin, at }: Typed): Promise<void> {
    // Who has opened others since has been asked, and has said that this may be lost.
    if (origin !== this.#app.store.state.origin) return;
    const edited = await this.#app.edit(path, text);
    if (edited === undefined) return;
    // What was typed since is an edit, whatever this was.
    if (!edited.isEdited && this.#edits.latest(path)?.at === at) this.#edited.delete(path);
    if (path === this.#path) this.#revert.hidden = !this.#edited.has(path);
    this.#showChecked(path, text, edited.checked);
    // For the bench. Of a long visit the last one is enough.
    performance.clearMeasures("key followed");
    performance.measure("key followed", { start: at });
  }

  /** Tells what is off, in the text and below it. */
  #showChecked(path: string, text: string, { diagnostics, mends, size }: Checked): void {
    // Another file has been chosen since.
    if (path !== this.#path) return;
    const isHere = (found: Diagnostic) => (found.path ?? path) === path;
    if (this.#editor?.shows(text)) this.#editor.mark(diagnostics.filter(isHere));
    fill(this.#found, ...diagnostics.map((found) => this.#foundItem(found)));
    this.#facts.textContent = [
      size &&
        `Instructions: ${counted(size.tokens, "token")}, ${counted(size.characters, "character")}`,
      diagnostics.length > 0 ? counted(diagnostics.length, "finding") : "nothing is off",
    ]
      .filter(Boolean)
      .join(" · ");
    this.#isRefused = diagnostics.some(({ severity }) => severity === "error");
    this.#judge();
    this.#fix.hidden = mends.length === 0;
    this.#fix.textContent = `Mend ${mends.join(", ")}`;
  }

  /** Says how strictly the file is checked, and what becomes of it here. */
  #judge(): void {
    const rows = this.#app.store.state.skills?.overview.rows;
    const row = rows?.find(({ path }) => path === this.#path);
    // To a file beside a skill there is nothing to say.
    this.#judged.hidden = row === undefined;
    if (row !== undefined)
      this.#judged.textContent = `Checked strictly. ${fateOf(row, this.#isRefused)}`;
  }

  async #takeBack(): Promise<void> {
    const path = this.#path;
    if (path === undefined) return;
    this.#edited.delete(path);
    this.#edits.drop(path);
    await this.#app.revert(path);
    // With a history of its own: what was undone is not to come back.
    if (path === this.#path) this.#path = undefined;
    await this.#openFile(path);
  }

  async #applyFixes(): Promise<void> {
    const { text } = this.#editor ?? {};
    if (text === undefined) return;
    await this.#app.alerts.attempt(async () => {
      this.#editor?.replace(await this.#app.engine.mended(text));
    });
  }

  async #download(): Promise<void> {
    // What is typed from now on is not in it.
    const { store } = this.#app;
    const { origin, skills } = store.state;
    const zipped = await this.#app.engine.zip(this.#app.known);
    if (zipped === undefined) {
      this.#app.alerts.tell("Other skills were opened meanwhile. Nothing was downloaded.");
      return;
    }
    const { zip, incomplete } = zipped;
    download("skills.zip", zip);
    if (origin === store.state.origin) store.set({ saved: skills?.overview.changes });
    if (incomplete.length > 0) {
      this.#app.alerts.tell(
        `Not everything is in the zip: more files than are counted stand beside ${incomplete.join(", ")}. Take these from where they are.`,
      );
    }
  }

  #foundItem(found: Diagnostic): HTMLElement {
    const { severity, message, hint, path = this.#path, line = 1, column = 1 } = found;
    const go = h(
      "button",
      {
        type: "button",
        class: "plain place",
        onclick: () => void this.#goTo(path, { line, column }),
      },
      placeOf(found) || "file",
    );
    return h(
      "li",
      {},
      h("span", { class: `badge ${SEVERITIES[severity]}` }, severity),
      go,
      h("span", {}, ` ${message} `),
      hint && h("span", { class: "note" }, hint),
    );
  }

  /** What an agent's code would say to load the same. */
  #codeBox(): HTMLElement {
    const code = h("pre", { tabindex: 0, role: "region", "aria-label": "Code" });
    const button = h("button", { type: "button" }, "Copy");
    button.addEventListener("click", () => void copy(code.textContent ?? "", button));
    this.#app.store.watch(
      ({ origin, style, budget, skills }) => [origin, style, budget, skills?.overview.rows],
      (state) => {
        const text = codeFor(state);
        if (code.textContent !== text) code.textContent = text;
      },
    );
    return h(
      "details",
      { class: "card", id: "code-box" },
      h("summary", {}, "The same in an agent's code"),
      code,
      button,
    );
  }
}

/** What becomes of a skill here, where loading is lenient. */
function fateOf({ skipped, kept }: Row, isRefused: boolean): string {
  if (skipped) return "It does not load here either.";
  if (kept) return "It does not load here either, until the file is right.";
  return isRefused ? "It loads here; a strict client refuses it." : "It loads here.";
}
