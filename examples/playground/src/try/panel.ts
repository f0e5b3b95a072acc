// Trying the skills: a conversation, what it has loaded, and who picks them.

import type { App } from "../app.ts";
import { messageOf } from "../app.ts";
import { byId, counted, fill, h, number } from "../dom.ts";
import { type Message, type Model, run } from "./agent.ts";
import { Chooser } from "./chooser.ts";
import { COMMANDS, type Composer, composer } from "./composer.ts";
import { type Endpoint, EndpointModel } from "./endpoint.ts";
import { Log } from "./log.ts";
import { pathBox } from "./path-box.ts";

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
  readonly #stop = h(
    "button",
    { type: "button", hidden: true, onclick: () => this.#running?.abort() },
    "Stop",
  );
  readonly #model = modelFields();
  #messages: Message[] = [];
  #running: AbortController | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#chooser = new Chooser((task) => app.engine.fitting(task));
    this.#composer = composer(app, (line) => void this.#send(line));
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
      ({ skills }) => [skills?.indexed],
      () => {
        if (this.#messages.length > 0) return;
        void app.attempt(async () => {
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

  async #begin(): Promise<void> {
    this.#running?.abort();
    this.#messages = [];
    this.#log.clear();
    await this.#app.attempt(async () => {
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

  /** What a person typed: a task, a skill by its name, or a command of the page. */
  async #send(line: string): Promise<void> {
    if (this.#running !== undefined) {
      this.#log.failure("The last task still runs. Wait for it, or stop it.");
      return;
    }
    const { engine } = this.#app;
    try {
      const endpoint = this.#model.chosen();
      const expansion = await engine.expand(line, COMMANDS);
      switch (expansion.kind) {
        case "command":
          return expansion.name === "new" ? await this.#begin() : await this.#compact();
        case "unknown":
          return this.#log.failure(expansion.message);
        case "skill": {
          const prompt = [expansion.text, expansion.resources].filter(Boolean).join("\n\n");
          const note = `A slash command: ${expansion.skill} is loaded without asking the model.`;
          this.#log.user(line, await engine.size(prompt), note);
          this.#messages.push({ role: "user", content: prompt });
          break;
        }
        case "text":
          this.#log.user(line, await engine.size(line));
          this.#messages.push({ role: "user", content: line });
      }
      // By a slash the skill is chosen; then only a model has something to say.
      if (expansion.kind === "text" || endpoint !== undefined) await this.#run(endpoint);
    } catch (error) {
      this.#log.failure(messageOf(error));
    }
    await this.#app.attempt(() => this.#showLoaded());
  }

  async #run(endpoint: Endpoint | undefined): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.#stop.hidden = false;
    const model: Model = endpoint === undefined ? this.#chooser : new EndpointModel(endpoint);
    const who = endpoint === undefined ? "Chooser (no model)" : endpoint.model;
    const { engine } = this.#app;
    try {
      await run({
        model,
        system: await this.#showSystem(),
        messages: this.#messages,
        tools: () => engine.tools(),
        call: (name, args) => engine.call(name, args),
        observer: {
          said: (text) => this.#log.assistant(who, text),
          called: (call, called) => this.#log.call(call, called),
        },
        signal: running.signal,
      });
    } catch (error) {
      this.#log.failure(running.signal.aborted ? "You stopped it." : messageOf(error));
    } finally {
      this.#running = undefined;
      this.#stop.hidden = true;
    }
  }

  /** What was said becomes a summary; the texts of skills stay as far as the budget reaches. */
  async #compact(): Promise<void> {
    const asked = this.#messages.filter(({ role }) => role === "user");
    if (asked.length === 0) return this.#log.note("Compaction", "There is nothing to shorten yet.");
    const { texts, kept, dropped } = await this.#app.engine.compact(this.#keep.valueAsNumber || 0);
    const summary = `Summary: the user asked ${counted(asked.length, "time")}; the last time: ${lastLine(asked)}`;
    const content = [summary, ...texts].join("\n\n");
    this.#messages = [{ role: "user", content }];
    const words = [
      kept.length > 0 && `Kept word for word: ${kept.join(", ")}.`,
      dropped.length > 0 &&
        `A line in its place: ${dropped.join(", ")}. The next load gives the text again.`,
      kept.length + dropped.length === 0 && "No skill was loaded.",
    ];
    this.#log.note("Compaction", words.filter(Boolean).join(" "), content);
    await this.#showLoaded();
  }

  async #unload(name: string): Promise<void> {
    await this.#app.attempt(async () => {
      const called = await this.#app.engine.unload(name);
      this.#log.note("You unloaded a skill", called.result.content);
      this.#messages.push({ role: "user", content: called.result.content });
      await this.#showLoaded();
    });
  }

  async #showLoaded(): Promise<void> {
    const { engine } = this.#app;
    const loaded = await engine.loaded();
    const items = loaded.map(({ name, tokens, dropped }) =>
      h(
        "li",
        {},
        h("span", { class: "row-name" }, name),
        dropped
          ? h("span", { class: "badge quiet" }, "dropped")
          : h("span", { class: "note" }, counted(tokens, "token")),
        h(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-label": `Unload ${name}`,
            onclick: () => void this.#unload(name),
          },
          "Unload",
        ),
      ),
    );
    fill(
      this.#loaded,
      ...(items.length > 0 ? items : [h("li", { class: "note" }, "No skill is loaded.")]),
    );
    const { tokens } = await engine.size(this.#messages.map(({ content }) => content).join("\n"));
    this.#context.textContent = `The conversation has ${number(tokens)} tokens beside the system prompt.`;
  }

  #sessionCard(): HTMLElement {
    const begin = h(
      "button",
      { type: "button", onclick: () => void this.#begin() },
      "New conversation",
    );
    const compact = h(
      "button",
      { type: "button", onclick: () => void this.#app.attempt(() => this.#compact()) },
      "Compact",
    );
    return h(
      "section",
      { class: "card", "aria-label": "This conversation" },
      h("h3", {}, "Loaded"),
      this.#loaded,
      this.#context,
      h("label", { for: "keep" }, "Tokens of skills that compaction keeps"),
      h("div", { class: "line" }, this.#keep, compact),
      h("div", { class: "line" }, begin, this.#stop),
    );
  }
}

/** Who picks skills: the chooser, or an endpoint with what it needs. */
function modelFields() {
  const builtIn = h("input", { type: "radio", name: "model", value: "chooser", checked: true });
  const own = h("input", { type: "radio", name: "model", value: "endpoint" });
  const url = h("input", {
    id: "endpoint-url",
    type: "url",
    placeholder: "https://api.openai.com/v1",
    autocomplete: "off",
  });
  const key = h("input", { id: "endpoint-key", type: "password", autocomplete: "off" });
  const model = h("input", {
    id: "endpoint-model",
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
  });
  const fields = h(
    "form",
    { hidden: true, onsubmit: (event: Event) => event.preventDefault() },
    h("label", { for: "endpoint-url" }, "Address"),
    url,
    h("label", { for: "endpoint-key" }, "Key"),
    key,
    h(
      "p",
      { class: "note" },
      "Kept in memory until you close the page, and sent to this address alone.",
    ),
    h("label", { for: "endpoint-model" }, "Model"),
    model,
  );
  for (const input of [builtIn, own]) {
    input.addEventListener("change", () => {
      fields.hidden = !own.checked;
    });
  }
  const element = h(
    "fieldset",
    { class: "card" },
    h("legend", {}, "Who picks skills"),
    h("label", { class: "radio" }, builtIn, "The built-in chooser: a search, no model"),
    h("label", { class: "radio" }, own, "A model at an OpenAI-compatible address"),
    fields,
  );
  const chosen = (): Endpoint | undefined => {
    if (!own.checked) return undefined;
    if (!URL.canParse(url.value) || model.value.trim() === "") {
      throw new Error(
        "Give the address of the endpoint and the name of a model, or take the built-in chooser.",
      );
    }
    return { url: url.value.trim(), key: key.value.trim(), model: model.value.trim() };
  };
  return { element, chosen };
}

function lastLine(asked: readonly Message[]): string {
  return (asked.at(-1)?.content ?? "").split("\n", 1)[0]?.slice(0, 200) ?? "";
}
