// The editor: CodeMirror, with YAML front matter and Markdown. It lives in a shadow root, where its
// style sheets need no exception of the page's policy.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { yamlFrontmatter } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import {
  diagnosticCount,
  lintGutter,
  lintKeymap,
  type Diagnostic as Mark,
  setDiagnostics,
} from "@codemirror/lint";
import { Compartment, EditorState, type Extension, Text, Transaction } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Diagnostic } from "skillshelf/slim";

const colors = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700", color: "var(--accent-text)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent-text)" },
  { tag: [tags.string, tags.monospace], color: "var(--code-text)" },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: "var(--muted)" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.link, tags.url], color: "var(--accent-text)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--surface)", color: "var(--ink)", fontSize: "13px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--muted)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  // The frame has the ring: what is drawn here, the line numbers lie over.
  "&.cm-focused": { outline: "none" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    {
      backgroundColor: "var(--selection)",
    },
  // Those of the library are images, which the page's policy keeps out.
  ".cm-lintRange": { backgroundImage: "none", textDecoration: "underline wavy 1px" },
  ".cm-lintRange-error": { textDecorationColor: "var(--bad)" },
  ".cm-lintRange-warning": { textDecorationColor: "var(--warn)" },
  ".cm-lintRange-info": { textDecorationColor: "var(--muted)" },
  ".cm-lint-marker": { width: "9px", height: "9px", marginTop: "6px" },
  ".cm-lint-marker-error": {
    content: "normal",
    backgroundColor: "var(--bad)",
    borderRadius: "50%",
  },
  ".cm-lint-marker-warning": {
    content: "normal",
    backgroundColor: "var(--warn)",
    clipPath: "polygon(50% 0, 100% 100%, 0 100%)",
  },
  ".cm-lint-marker-info": { content: "normal", backgroundColor: "var(--muted)" },
  // There the color of what is selected is one that text on it need not be seen on.
  "@media (forced-colors: active)": { ".cm-selectionBackground": { opacity: "0.5" } },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    maxWidth: "min(60ch, 80vw)",
  },
});

/** A text with a line of more characters is shown without colors: to tell its parts would hold the page up. */
const LONG_LINE = 10_000;

/** How many characters of a line a mark covers: that of a long one would be drawn for each finding in it. */
const MARKED = 200;

const colored: Extension = [yamlFrontmatter({ content: markdown() }), syntaxHighlighting(colors)];
const plain: Extension = [];

/**
 * What is typed over a selection is put in its place by the editor: a browser that does it keeps the look of
 * what was there by a style of its own, which the page's policy refuses.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    if (inputType !== "insertText" || data === null) return false;
    if (view.composing || view.state.selection.main.empty) return false;
    const { state } = view;
    view.dispatch(state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

const LINE_END = /\r\n?|\n/;

export class Editor {
  readonly #view: EditorView;
  readonly #onChange: (text: string) => void;
  readonly #coloring = new Compartment();
  #silent = false;
  /** How lines end: the editor has them as lines, and a person's file is to stay as it is. */
  #lineEnd = "\n";

  constructor(parent: HTMLElement, onChange: (text: string) => void) {
    const root = parent.attachShadow({ mode: "open" });
    this.#onChange = onChange;
    this.#view = new EditorView({
      root,
      parent: root as unknown as HTMLElement,
      state: this.#stateOf("", ""),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString().replaceAll("\n", this.#lineEnd);
  }

  /** Whether this is what it shows, however the lines end. */
  shows(text: string): boolean {
    return this.#view.state.doc.eq(this.#view.state.toText(text));
  }

  /** Whether it shows the text without colors, since a line of it is too long for them. */
  get isPlain(): boolean {
    return this.#coloring.get(this.#view.state) === plain;
  }

  /** Opens another text, with a history of its own. */
  open(text: string, label: string): void {
    this.#lineEnd = lineEndOf(text);
    this.#silent = true;
    this.#view.setState(this.#stateOf(text, label));
    this.#silent = false;
  }

  /** Puts another text in the place of this one; that can be undone. */
  replace(text: string): void {
    this.#lineEnd = lineEndOf(text);
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  /** Shows a text that its file has become; the cursor stays beside what it is at. */
  follow(text: string): void {
    if (this.shows(text)) return;
    const { state } = this.#view;
    this.#lineEnd = lineEndOf(text);
    this.#silent = true;
    this.#view.dispatch({
      changes: differenceOf(state.doc.toString(), state.toText(text).toString()),
      annotations: Transaction.addToHistory.of(false),
    });
    this.#silent = false;
  }

  mark(diagnostics: readonly Diagnostic[]): void {
    const { state } = this.#view;
    // Where nothing is off and nothing was, there is nothing to draw anew.
    if (diagnostics.length === 0 && diagnosticCount(state) === 0) return;
    const places = new Places(state.doc);
    const marks = diagnostics.map((found) => markOf(found, places));
    this.#view.dispatch(setDiagnostics(state, marks));
  }

  /** Puts the cursor there. */
  goTo(line: number, column: number): void {
    const { at } = new Places(this.#view.state.doc).find(line, column);
    this.#view.dispatch({
      selection: { anchor: at },
      effects: EditorView.scrollIntoView(at, { y: "center" }),
    });
    this.#view.focus();
  }

  #stateOf(text: string, label: string): EditorState {
    const doc = Text.of(text.split(LINE_END));
    return EditorState.create({
      doc,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        this.#coloring.of(coloringOf(doc)),
        EditorState.transactionExtender.of((change) => this.#recolored(change)),
        theme,
        typedOver,
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({
          "aria-label": `Text of ${label}`,
          spellcheck: "false",
          // What is edited can be reached anyway; that what scrolls can be is told by this alone.
          tabindex: "0",
        }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged && !this.#silent) this.#onChange(this.text);
        }),
      ],
    });
  }

  /** Colors go with the change that makes a line too long for them, and come back with its end. */
  #recolored({ docChanged, startState, newDoc }: Transaction) {
    if (!docChanged) return null;
    const coloring = coloringOf(newDoc);
    if (coloring === this.#coloring.get(startState)) return null;
    return { effects: this.#coloring.reconfigure(coloring) };
  }
}

/** Finds places of a text. Those that follow one another in a line are found in one pass over it. */
class Places {
  readonly #doc: Text;
  /** The place that was found last. */
  #line = 0;
  #column = 1;
  #offset = 0;

  constructor(doc: Text) {
    this.#doc = doc;
  }

  /** Lines and columns count from 1, columns in code points. Gives also where the line ends. */
  find(line: number, column: number): { at: number; end: number } {
    const { from, to, text } = this.#doc.line(Math.min(Math.max(1, line), this.#doc.lines));
    if (line !== this.#line || column < this.#column) {
      this.#line = line;
      this.#column = 1;
      this.#offset = 0;
    }
    while (this.#column < column && this.#offset < text.length) {
      this.#offset += (text.codePointAt(this.#offset) ?? 0) > 0xffff ? 2 : 1;
      this.#column += 1;
    }
    return { at: from + this.#offset, end: to };
  }
}

function markOf(
  { line = 1, column = 1, severity, message, hint }: Diagnostic,
  places: Places,
): Mark {
  const { at, end } = places.find(line, column);
  const to = Math.min(end, at + MARKED);
  return { from: at, to, severity, message: hint ? `${message} ${hint}` : message };
}

function coloringOf(doc: Text): Extension {
  if (doc.length <= LONG_LINE) return colored;
  for (const line of doc.iterLines()) if (line.length > LONG_LINE) return plain;
  return colored;
}

/** What of a text is another in the second one: all between what both begin and what both end with. */
function differenceOf(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

/** How the first line of a text ends. */
function lineEndOf(text: string): string {
  return LINE_END.exec(text)?.[0] ?? "\n";
}
