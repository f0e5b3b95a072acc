// Trying the skills: a conversation, what it has loaded, and who picks them.

import type { App } from "../app.ts";
import { byId, fill, h } from "../dom.ts";
import { counted, messageOf } from "../words.ts";
import { type Message, type Model, run } from "./agent.ts";
import { Chooser } from "./chooser.ts";
import { COMMANDS, type Composer, composer } from "./composer.ts";
import { type Endpoint, EndpointModel } from "./endpoint.ts";
import { endpointFields } from "./endpoint-fields.ts";
import { Log } from "./log.ts";
import { pathBox } from "./path-box.ts";
import { Talk } from "./talk.ts";

const TASKS = [
  "Review my pull request for security problems",
  "Design an endpoint that lists orders page by page",
  "This test fails only sometimes, find out why",
];

export class TryPanel {
  readonly #app: App;
  readonly #log = new Log();
  readonly #composer: Composer;
  readonly #chooser: Chooser;
  readonly #loaded = h("ul", { class: "loaded" });
  readonly #context = h("p", { class: "note", role: "status" });
  readonly #tasks = h("div", { class: "chips" });
  readonly #keep = h("input", { id: "keep", type: "number", min: 0, step: 100, value: 800 });
  readonly #compactButton = h(
    "button",
    { type: "button", onclick: () => void this.#exclusively(() => this.#compact()) },
    "Compact",
  );
  readonly #stop = h(
    "button",
    { type: "button", hidden: true, onclick: () => this.#talk.stop() },
    "Stop",
  );
  readonly #model = endpointFields();
  /** Another object for each conversation: what still runs in an older one has no place in it. */
  #talk = new Talk();

  constructor(app: App) {
    this.#app = app;
    this.#chooser = new Chooser((task) => app.engine.fitting(task));
    this.#composer = composer(app, (line) => this.#send(line));
    byId("view-try").append(
      h(
        "div",
        { class: "try" },
        h("div", { class: "talk" }, this.#log.element, this.#tasks, this.#composer.element),
        h("div", { class: "side" }, this.#sessionCard(), this.#model.element, pathBox(app)),
      ),
    );
    app.onOpen(() => void this.#begin());
    app.store.watch(
      ({ view, skills }) => view === "try" && [skills?.indexed],
      () => {
        if (this.#talk.messages.length > 0) return;
        void app.alerts.attempt(async () => {
          await this.#showSystem();
        });
      },
    );
    app.store.watch(
      ({ origin }) => [origin],
      ({ origin }) => {
        this.#tasks.hidden = origin.kind !== "examples";
      },
    );
    fill(
      this.#tasks,
      ...TASKS.map((task) =>
        h("button", { type: "button", class: "chip", onclick: () => void this.#send(task) }, task),
      ),
    );
  }

  /** Shows what becomes of a task: of one that fits the examples, where nothing has been said yet. */
  show(): void {
    const { store } = this.#app;
    store.set({ view: "try" });
    const [task] = TASKS;
    const isFirst = this.#talk.messages.length === 0 && store.state.origin.kind === "examples";
    if (task !== undefined && isFirst) void this.#send(task);
    byId("tab-try").focus();
  }

  async #begin(): Promise<void> {
    this.#talk.stop();
    this.#talk = new Talk();
    this.#log.clear();
    this.#showRunning();
    await this.#app.alerts.attempt(async () => {
      await this.#app.engine.begin(this.#app.options);
      await this.#showSystem();
      await this.#showLoaded();
    });
  }

  async #showSystem(): Promise<string> {
    if (this.#app.store.state.skills === undefined) return "";
    const { system, size } = await this.#app.engine.system(this.#app.options);
    this.#log.system(system, size);
    return system;
  }

  /** What a person typed: a task, a skill by its name, or a command of the page. Whether it was taken. */
  async #send(line: string): Promise<boolean> {
    const talk = this.#talk;
    let taken = false;
    await this.#exclusively(async (signal) => {
      const before = talk.messages.length;
      try {
        taken = await this.#take(talk, line, signal);
      } catch (error) {
        // A task that nobody has answered is not said: it is back where it was typed.
        if (talk.messages.length === before + 1) talk.messages.length = before;
        else taken = true;
        this.#fail(talk, signal, error);
      }
    });
    return taken;
  }

  /** Does something in the conversation, unless something is under way in it. */
  async #exclusively(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const talk = this.#talk;
    const done = talk.alone(work);
    this.#showRunning();
    await this.#app.alerts.attempt(async () => {
      if (!(await done)) this.#log.failure("The last task still runs. Wait for it, or stop it.");
    });
    if (talk !== this.#talk) return;
    this.#showRunning();
    await this.#app.alerts.attempt(() => this.#showLoaded());
  }

  async #take(talk: Talk, line: string, signal: AbortSignal): Promise<boolean> {
    const { engine } = this.#app;
    const endpoint = this.#model.chosen();
    const expansion = await engine.expand(line, COMMANDS);
    if (signal.aborted) return false;
    switch (expansion.kind) {
      case "command":
        if (expansion.name === "new") await this.#begin();
        else await this.#compact();
        return true;
      case "unknown": {
        const { message, name, near } = expansion;
        const others = near.length > 0 ? [] : await this.#withWordsOf(name);
        this.#log.failure([message, ...others].join(" "));
        return false;
      }
      case "skill": {
        const prompt = [expansion.text, expansion.resources].filter(Boolean).join("\n\n");
        const note = `A slash command: ${expansion.skill} is loaded without asking the model.`;
        this.#log.user(line, await engine.size(prompt), note);
        talk.messages.push({ role: "user", content: prompt });
        break;
      }
      case "text":
        this.#log.user(line, await engine.size(line));
        talk.messages.push({ role: "user", content: line });
    }
    // By a slash the skill is chosen; then only a model has something to say.
    if (expansion.kind === "text" || endpoint !== undefined) {
      await this.#run(talk, endpoint, signal);
    }
    return true;
  }

  /** Where no name is near, skills may have the words of it. */
  async #withWordsOf(name: string): Promise<string[]> {
    const found = await this.#app.engine.search(name.replaceAll("-", " "), 3);
    return found.length > 0 ? [`These have its words: /${found.join(", /")}.`] : [];
  }

  async #run(talk: Talk, endpoint: Endpoint | undefined, signal: AbortSignal): Promise<void> {
    const model: Model = endpoint === undefined ? this.#chooser : new EndpointModel(endpoint);
    const who = endpoint === undefined ? "Chooser (no model)" : endpoint.model;
    const { engine } = this.#app;
    const isShown = () => talk === this.#talk;
    await run({
      model: {
        reply: async (request) => {
          if (isShown()) this.#log.wait(`Waiting for ${who} …`);
          try {
            return await model.reply(request);
          } finally {
            if (isShown()) this.#log.waited();
          }
        },
      },
      system: await this.#showSystem(),
      messages: talk.messages,
      tools: () => engine.tools(),
      call: (name, args) => engine.call(name, args),
      observer: {
        said: (text) => isShown() && this.#log.assistant(who, text),
        called: (call, called) => {
          if (!isShown()) return;
          this.#log.call(call, called);
          void this.#app.alerts.attempt(() => this.#showLoaded());
        },
      },
      signal,
    });
  }

  #fail(talk: Talk, signal: AbortSignal, error: unknown): void {
    if (talk !== this.#talk) return;
    if (signal.aborted) this.#log.note("You stopped it", "What was said so far stays.");
    else this.#log.failure(messageOf(error));
  }

  /** What was said becomes a summary; the texts of skills stay as far as the budget reaches. */
  async #compact(): Promise<void> {
    const talk = this.#talk;
    const asked = talk.messages.filter(({ role }) => role === "user");
    if (asked.length === 0) return this.#log.note("Compaction", "There is nothing to shorten yet.");
    const { texts, kept, dropped } = await this.#app.engine.compact(this.#keep.valueAsNumber || 0);
    const summary = `Summary: the user asked ${counted(asked.length, "time")}; the last time: ${lastLine(asked)}`;
    const content = [summary, ...texts].join("\n\n");
    talk.messages = [{ role: "user", content }];
    const words = [
      kept.length > 0 && `Kept word for word: ${kept.join(", ")}.`,
      dropped.length > 0 &&
        `A line in its place: ${dropped.join(", ")}. The next load gives the text again.`,
      kept.length + dropped.length === 0 && "No skill was loaded.",
    ];
    this.#log.note("Compaction", words.filter(Boolean).join(" "), content);
  }

  async #unload(name: string): Promise<void> {
    const { content } = (await this.#app.engine.unload(name)).result;
    this.#log.note("You unloaded a skill", content);
    this.#talk.messages.push({ role: "user", content });
  }

  /** What can be done while something is under way, and what only afterwards. */
  #showRunning(): void {
    const { isRunning } = this.#talk;
    this.#stop.hidden = !isRunning;
    this.#compactButton.disabled = isRunning;
    this.#composer.button.disabled = isRunning;
    for (const button of this.#tasks.querySelectorAll("button")) button.disabled = isRunning;
    for (const button of this.#loaded.querySelectorAll("button")) button.disabled = isRunning;
  }

  async #showLoaded(): Promise<void> {
    const { engine } = this.#app;
    const loaded = await engine.loaded();
    const items = loaded.map(({ name, tokens, dropped }) =>
      h(
        "li",
        {},
        h("span", { class: "row-name", title: name }, name),
        dropped
          ? h("span", { class: "badge quiet" }, "dropped")
          : h("span", { class: "note" }, counted(tokens, "token")),
        h(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-label": `Unload ${name}`,
            disabled: this.#talk.isRunning,
            onclick: () => void this.#exclusively(() => this.#unload(name)),
          },
          "Unload",
        ),
      ),
    );
    fill(
      this.#loaded,
      ...(items.length > 0 ? items : [h("li", { class: "note" }, "No skill is loaded.")]),
    );
    const said = this.#talk.messages.map(({ content }) => content).join("\n");
    const { tokens } = await engine.size(said);
    this.#context.textContent = `The conversation has ${counted(tokens, "token")} beside the system prompt.`;
  }

  #sessionCard(): HTMLElement {
    const begin = h(
      "button",
      { type: "button", onclick: () => void this.#begin() },
      "New conversation",
    );
    return h(
      "section",
      { class: "card", "aria-label": "This conversation" },
      h("h3", {}, "Loaded"),
      this.#loaded,
      this.#context,
      h("label", { for: "keep" }, "Tokens of skills that compaction keeps"),
      h("div", { class: "line" }, this.#keep, this.#compactButton),
      h("div", { class: "line" }, begin, this.#stop),
    );
  }
}

function lastLine(asked: readonly Message[]): string {
  return (asked.at(-1)?.content ?? "").split("\n", 1)[0]?.slice(0, 200) ?? "";
}
