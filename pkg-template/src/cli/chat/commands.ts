/** What a user can say to the chat itself. */
import type { Command, Completion, Session, Skill } from "../../types.js";
import { counted } from "../columns.js";
import { type NamedRow, namedRows } from "../named-rows.js";
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
const INDENT = "  ";

/** How text of others may be shown, on one line. */
type VisibleLine = (text: string) => string;

/** What `/help` says. */
export function helpLines(out: Output): string[] {
  const commands = COMMANDS.map(({ name, description = "" }): NamedRow => {
    return { color: COLORS.command, name: `/${name}`, text: description };
  });
  const skill: NamedRow = {
    color: COLORS.skill,
    name: "/name …",
    text: "Load a skill, and say something more",
  };
  return [
    ...namedRows([...commands, skill], out, INDENT),
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
  const rows = [...skills].map(({ name, description, modelInvocable, userInvocable }): NamedRow => {
    const here = loaded.get(name);
    const marks = [
      ...(here === undefined || here.dropped
        ? []
        : [`loaded, ${counted(here.characters, "character")}`]),
      ...(modelInvocable ? [] : ["only for the user"]),
      ...(userInvocable ? [] : ["only for the model"]),
    ];
    const before = marks.length > 0 ? `(${marks.join("; ")}) ` : "";
    const text = before + visibleLine(description);
    return { color: COLORS.skill, name: visibleLine(name), text };
  });
  return rows.length === 0 ? ["There is no skill."] : namedRows(rows, out, INDENT);
}

/** What may become of a line, one a row. */
export function completionLines(
  found: readonly Completion[],
  out: Output,
  visibleLine: VisibleLine,
): string[] {
  const rows = found.slice(0, MOST_SHOWN).map(({ kind, insert, description = "" }): NamedRow => {
    return { color: COLORS[kind], name: visibleLine(insert), text: visibleLine(description) };
  });
  const more = found.length - rows.length;
  return [...namedRows(rows, out, INDENT), ...(more > 0 ? [`  and ${more} more`] : [])];
}
