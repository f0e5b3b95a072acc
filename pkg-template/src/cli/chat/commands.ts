/** What a user can say to the chat itself. */
import type { Command, Completion, Session, Skill } from "../../types.js";
import { columnsOf, counted, fitted, padded } from "../columns.js";
import type { Output } from "../screen.js";
import { COLORS } from "./display.js";

export type CommandName = "help" | "skills" | "compact" | "clear" | "exit";

export const COMMANDS: readonly (Command & { name: CommandName })[] = [
  { name: "help", description: "What can be said here" },
  { name: "skills", description: "The skills, and which of them are loaded" },
  { name: "compact", description: "Summarize the conversation; skills keep so many characters" },
  { name: "clear", description: "Begin a new conversation" },
  { name: "exit", description: "End the chat" },
];

/** Candidates that are shown at once. */
const MOST_SHOWN = 20;
const WIDEST_NAME = 32;

/** How text of others may be shown, on one line. */
type VisibleLine = (text: string) => string;

/** What `/help` says. */
export function helpLines(out: Output): string[] {
  const commands = COMMANDS.map(({ name, description = "" }): Row => {
    return { kind: "command", name: `/${name}`, text: description };
  });
  const skill: Row = {
    kind: "skill",
    name: "/name …",
    text: "Load a skill, and say something more",
  };
  return [
    ...table([...commands, skill], out),
    "Tab completes names. Ctrl-C ends a turn, and twice the chat, as Ctrl-D does.",
  ];
}

/** What `/skills` says. */
export function skillLines(
  skills: Iterable<Skill>,
  session: Session,
  out: Output,
  visibleLine: VisibleLine,
): string[] {
  const loaded = new Map(session.loaded.map((one) => [one.name, one]));
  const rows = [...skills].map(({ name, description, modelInvocable, userInvocable }): Row => {
    const here = loaded.get(name);
    const marks = [
      ...(here === undefined || here.dropped
        ? []
        : [`loaded, ${counted(here.characters, "character")}`]),
      ...(modelInvocable ? [] : ["only for the user"]),
      ...(userInvocable ? [] : ["only for the model"]),
    ];
    const before = marks.length > 0 ? `(${marks.join("; ")}) ` : "";
    return { kind: "skill", name: visibleLine(name), text: before + visibleLine(description) };
  });
  return rows.length === 0 ? ["There is no skill."] : table(rows, out);
}

/** What may become of a line, one a row. */
export function completionLines(
  found: readonly Completion[],
  out: Output,
  visibleLine: VisibleLine,
): string[] {
  const rows = found.slice(0, MOST_SHOWN).map(({ kind, insert, description = "" }): Row => {
    return { kind, name: visibleLine(insert), text: visibleLine(description) };
  });
  const more = found.length - rows.length;
  return [...table(rows, out), ...(more > 0 ? [`  and ${more} more`] : [])];
}

interface Row {
  kind: "skill" | "command";
  name: string;
  text: string;
}

function table(rows: readonly Row[], out: Output): string[] {
  const width = Math.min(WIDEST_NAME, Math.max(0, ...rows.map(({ name }) => columnsOf(name))));
  return rows.map(({ kind, name, text }) => {
    const cut = fitted(name, out.width - 4);
    const rest = fitted(text, Math.max(1, out.width - Math.max(width, columnsOf(cut)) - 5));
    return `  ${out.paint(COLORS[kind], padded(cut, width))}  ${rest}`;
  });
}
