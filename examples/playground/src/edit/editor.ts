// The editor: CodeMirror, with YAML front matter and Markdown. It lives in a shadow root, where its
// style sheets need no exception of the page's policy.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { yamlFrontmatter } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, type Diagnostic as Mark, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
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
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
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
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    maxWidth: "min(60ch, 80vw)",
  },
});

export class Editor {
  readonly #view: EditorView;
  readonly #onChange: (text: string) => void;
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

  mark(diagnostics: readonly Diagnostic[]): void {
    const marks = diagnostics.map((found) => this.#markOf(found));
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  /** Puts the cursor there. */
  goTo(line: number, column: number): void {
    const at = this.#offsetOf(line, column);
    this.#view.dispatch({
      selection: { anchor: at },
      effects: EditorView.scrollIntoView(at, { y: "center" }),
    });
    this.#view.focus();
  }

  #stateOf(doc: string, label: string): EditorState {
    return EditorState.create({
      doc,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        yamlFrontmatter({ content: markdown() }),
        syntaxHighlighting(colors),
        theme,
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ "aria-label": `Text of ${label}`, spellcheck: "false" }),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged && !this.#silent) this.#onChange(this.text);
        }),
      ],
    });
  }

  #markOf({ line = 1, column = 1, severity, message, hint }: Diagnostic): Mark {
    const from = this.#offsetOf(line, column);
    const { to } = this.#view.state.doc.lineAt(from);
    return { from, to, severity, message: hint ? `${message} ${hint}` : message };
  }

  /** Lines and columns count from 1, columns in code points. */
  #offsetOf(line: number, column: number): number {
    const { doc } = this.#view.state;
    const at = doc.line(Math.min(Math.max(1, line), doc.lines));
    const before = [...at.text].slice(0, column - 1).join("");
    return at.from + before.length;
  }
}

/** How the first line of a text ends. */
function lineEndOf(text: string): string {
  return /\r\n?|\n/.exec(text)?.[0] ?? "\n";
}
