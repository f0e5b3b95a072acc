/**
 * A chat in a terminal with an agent that has the shelf. Bundled apart, since only this verb reads it;
 * what it needs of the library is given to it.
 *
 * @module
 */
import { messageOf } from "../../message-of.js";
import type { Session, Skill } from "../../types.js";
import { onOneLine } from "../columns.js";
import { DONE, FAILED } from "../exit.js";
import type { Screen } from "../screen.js";
import { anthropic } from "./anthropic.js";
import type { Choice } from "./choice.js";
import { COMMANDS, type CommandName, completionLines, helpLines, skillLines } from "./commands.js";
import { compact } from "./compaction.js";
import { Conversation } from "./conversation.js";
import { type Display, JsonDisplay, LinesDisplay } from "./display.js";
import { type Lines, PromptLines, pipedLines } from "./lines.js";
import type { ChatModel } from "./model.js";
import { openai } from "./openai.js";
import { ofProvider } from "./request.js";
import { scripted } from "./scripted.js";
import { INDEX } from "./shelf-index.js";
import { MOST_REQUESTS, runTurn } from "./turn.js";

/** What part of a conversation the texts of skills may be after it was summarized. */
const SHARE_OF_SKILLS = 0.25;

/** The exit code of what a person has ended. */
const INTERRUPTED = 130;

export interface ChatOptions {
  screen: Screen;
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  choice: Choice;
  skills: Iterable<Skill>;
  /** A conversation that has loaded nothing yet. */
  newSession(): Session;
  /** How text of others may be shown. */
  visible(text: string): string;
  /** Characters after which the conversation is summarized. */
  context: number;
  /** Whether a program reads it. */
  json: boolean;
}

/** Talks until the user has no more to say. Gives the exit code. */
export async function chat(options: ChatOptions): Promise<number> {
  return new Chat(options).run();
}

class Chat {
  readonly #options: ChatOptions;
  readonly #model: ChatModel;
  readonly #display: Display;
  readonly #isPrompting: boolean;
  readonly #lines: Lines;
  readonly #conversation = new Conversation();
  #session: Session;
  /** Ends the turn that is under way. */
  #underWay: AbortController | undefined;
  #code: number = DONE;

  constructor(options: ChatOptions) {
    const { screen, input, output, json, choice } = options;
    this.#options = options;
    this.#model = modelOf(choice);
    this.#session = options.newSession();
    this.#isPrompting = !json && input.isTTY === true && output.isTTY === true;
    this.#display = json
      ? new JsonDisplay(screen)
      : new LinesDisplay(screen, options.visible, input.isTTY !== true);
    this.#lines = this.#isPrompting ? this.#promptLines() : pipedLines(input);
  }

  async run(): Promise<number> {
    const onSignal = (): void => {
      if (this.#interrupt()) return;
      this.#code = INTERRUPTED;
      this.#lines.close();
    };
    process.on("SIGINT", onSignal);
    try {
      for (;;) {
        const line = await this.#lines.next();
        if (line === undefined) break;
        if (line.trim() !== "" && (await this.#said(line))) break;
      }
    } finally {
      this.#lines.close();
      process.off("SIGINT", onSignal);
    }
    return this.#code;
  }

  #promptLines(): Lines {
    const { input, output, screen } = this.#options;
    const commands = COMMANDS;
    const found = (typed: string) => {
      // What a terminal would obey is not put into its line.
      const all = this.#session.complete(typed, { commands });
      return all.filter(({ insert }) => this.#options.visible(insert) === insert);
    };
    return new PromptLines({
      input,
      output,
      prompt: `${screen.out.paint("bold", ">")} `,
      completer: {
        complete: (typed) => found(typed).map(({ insert }) => insert),
        describe: (typed) => completionLines(found(typed), screen.out, this.#line),
      },
      onInterrupt: () => this.#interrupt(),
      farewell: "Ctrl-C once more ends the chat.",
    });
  }

  /** Ends the turn that is under way, if one is. */
  #interrupt(): boolean {
    this.#underWay?.abort();
    return this.#underWay !== undefined;
  }

  /** Does what a line says. Gives whether it was the last one. */
  async #said(line: string): Promise<boolean> {
    const turn = new AbortController();
    this.#underWay = turn;
    this.#display.begin(line);
    try {
      return await this.#carryOut(line, turn.signal);
    } catch (error) {
      if (turn.signal.aborted) {
        this.#display.note("Ended.");
      } else {
        this.#fail(messageOf(error));
      }
      return false;
    } finally {
      this.#underWay = undefined;
      this.#conversation.mend();
      this.#display.end();
    }
  }

  async #carryOut(line: string, signal: AbortSignal): Promise<boolean> {
    const expansion = await this.#session.expand(line, { commands: COMMANDS, signal });
    switch (expansion.kind) {
      case "command":
        return this.#command(expansion.name as CommandName, expansion.extra, signal);
      case "unknown":
        this.#fail(expansion.message);
        return false;
      case "skill": {
        const { skill, prompt } = expansion;
        this.#conversation.ask(prompt, line);
        this.#display.skill(skill, prompt);
        break;
      }
      case "text":
        this.#conversation.ask(expansion.text);
    }
    await this.#answer(signal);
    return false;
  }

  async #answer(signal: AbortSignal): Promise<void> {
    const display = this.#display;
    const isDone = await runTurn({
      model: this.#model,
      system: systemOf(this.#session),
      session: this.#session,
      conversation: this.#conversation,
      signal,
      onText: (text) => display.text(text),
      onReply: (text) => display.replied(text),
      onCall: (call, result) => display.call(call, result),
      onNote: (text) => display.note(text),
    });
    if (!isDone) display.note(`Stopped after ${MOST_REQUESTS} requests; say more to go on.`);
    if (this.#conversation.characters > this.#options.context) await this.#compact(signal);
  }

  async #command(name: CommandName, extra: string, signal: AbortSignal): Promise<boolean> {
    const { screen, skills, newSession } = this.#options;
    switch (name) {
      case "help":
        this.#display.answer(helpLines(screen.out));
        return false;
      case "skills":
        this.#display.answer(skillLines(skills, this.#session, screen.out, this.#line));
        return false;
      case "clear":
        this.#session = newSession();
        this.#conversation.restart();
        this.#display.note("A new conversation.");
        return false;
      case "compact": {
        const characters = extra.trim() === "" ? undefined : Number(extra);
        if (characters === undefined || (Number.isSafeInteger(characters) && characters >= 0)) {
          await this.#compact(signal, characters);
        } else {
          this.#fail("/compact takes a number of characters, or nothing.");
        }
        return false;
      }
      case "exit":
        return true;
    }
  }

  async #compact(signal: AbortSignal, characters?: number): Promise<void> {
    const conversation = this.#conversation;
    if (conversation.messages.length === 0) {
      this.#display.note("There is nothing to summarize yet.");
      return;
    }
    const before = conversation.characters;
    const [kept, dropped] = await compact({
      model: this.#model,
      session: this.#session,
      conversation,
      characters: characters ?? Math.floor(this.#options.context * SHARE_OF_SKILLS),
      signal,
      onNote: (text) => this.#display.note(text),
    });
    const parts = [
      ...(kept.length > 0 ? [`kept: ${kept.join(", ")}`] : []),
      ...(dropped.length > 0 ? [`dropped: ${dropped.join(", ")}`] : []),
    ];
    const skills = parts.length > 0 ? `; ${parts.join("; ")}` : "";
    this.#display.note(`Summarized: ${conversation.characters} of ${before} characters${skills}`);
  }

  /** Says what went wrong. For a person the chat goes on as if nothing were. */
  #fail(text: string): void {
    this.#display.failure(text);
    if (!this.#isPrompting) this.#code = FAILED;
  }

  readonly #line = (text: string): string => this.#options.visible(onOneLine(text));
}

function modelOf(choice: Choice): ChatModel {
  if (choice.provider === "scripted") return scripted();
  const { url, key, keyName, model } = choice;
  const connect = { anthropic, openai }[choice.provider];
  const endpoint = { url, key, keyName };
  return ofProvider(endpoint, connect(endpoint, model));
}

function systemOf(session: Session): string {
  const index = session.prompt(INDEX);
  const role =
    "You are a careful assistant. You talk with a user in a terminal: be brief, in plain text.";
  return index === "" ? role : `${role}\n\n${index}`;
}
