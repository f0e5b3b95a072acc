//! System prompts of any documents, files of plugins and lists.

use skillshelf::{RenderedPrompt, SystemPrompt};

use super::input::{Input, quoted};

/// Pieces of documents.
const PIECES: [&str; 36] = [
    "## Rules\n",
    "## Role ##\n",
    "## Tools\n",
    "##\tTask\n",
    "# Title\n",
    "### Deeper\n",
    "## \n",
    "## A#\n",
    " ## no\n",
    "##no\n",
    "```\n",
    "````\n",
    "~~~\n",
    "  ```\n",
    "``` a`b\n",
    "<!--",
    "-->\n",
    "<!-- x -->",
    "- a\n",
    "  - b\n",
    "    code\n",
    "\t",
    "text\n",
    "\n",
    "\r\n",
    "\r",
    "\u{2028}## Evil\n",
    "\u{85}",
    "\u{200B}",
    "#\u{200B}# Evil\n",
    "\u{0}",
    "\u{FEFF}",
    "---\n",
    "extends: rules\n",
    "> ## q\n",
    "1. x\n",
];

/// The sections with a place of their own, in the order of that place; others stand after two.
const ORDER: [&str; 7] = [
    "role",
    "rules",
    "tools",
    "agents",
    "skills",
    "participants",
    "task",
];

/// Renders what the bytes say.
pub fn check(data: &[u8]) {
    let mut input = Input::new(data);
    let options = options(&mut input);
    let Some(rendered) = rendered(&options) else {
        return;
    };
    check_text(&rendered.text);
    for found in &rendered.diagnostics {
        assert!(found.hint.is_some(), "{found:?}");
        assert!(
            !found.message.contains(['\n', '\r', '\u{2028}']),
            "{found:?}"
        );
    }
    assert!(rendered.text.len() <= 4 * options.len() + 8000);
    assert_eq!(self::rendered(&options), Some(rendered));
}

fn rendered(options: &str) -> Option<RenderedPrompt> {
    let prompt = SystemPrompt::from_json(options).and_then(SystemPrompt::render);
    match prompt {
        Ok(rendered) => Some(rendered),
        Err(error) => {
            assert!(
                matches!(error.code(), "SOURCE_UNSUPPORTED" | "PROMPT_INVALID"),
                "{error}"
            );
            None
        }
    }
}

/// A document.
fn document(input: &mut Input<'_>) -> String {
    let pieces = 0..input.below(24);
    let piece = pieces.map(|_| match PIECES.get(input.below(40)) {
        Some(piece) => (*piece).to_owned(),
        None => input.text(),
    });
    piece.collect()
}

fn options(input: &mut Input<'_>) -> String {
    let mut options = Vec::new();
    let mut add = |key: &str, value: String| options.push(format!("\"{key}\":{value}"));
    if input.flag() {
        add("base", quoted(&document(input)));
    }
    let files = 0..input.below(4);
    let file = files.map(|_| {
        let name = input.word(&["systemprompt.md", "a.md", "b/c.MD", "x.txt"]);
        let front = input.pick(&[
            "",
            "---\nextends: rules\n---\n",
            "---\nextends: voice\n---\n",
            "---\n",
        ]);
        format!("{name}:{}", quoted(&format!("{front}{}", document(input))))
    });
    let files = file.collect::<Vec<_>>().join(",");
    add(
        "plugins",
        format!("[{{\"namespace\":\"p\",\"files\":{{{files}}}}}]"),
    );
    if input.flag() {
        let (name, description) = (input.word(&["t", "u"]), quoted(&document(input)));
        add(
            "tools",
            format!("[{{\"name\":{name},\"description\":{description}}}]"),
        );
    }
    if input.flag() {
        let (id, card) = (input.word(&["a", "b"]), quoted(&document(input)));
        add("agents", format!("[{{\"id\":{id},\"card\":{card}}}]"));
    }
    if input.flag() {
        let (name, role) = (quoted(&document(input)), quoted(&document(input)));
        add(
            "participants",
            format!("[{{\"name\":{name},\"role\":{role}}}]"),
        );
    }
    if input.flag() {
        add("task", quoted(&document(input)));
    }
    if input.below(4) == 0 {
        let key = input.pick(&["tools", "agents", "catalog", "invalid", "task", "x"]);
        add(
            key,
            input.json(
                &[
                    "name",
                    "id",
                    "card",
                    "skills",
                    "index",
                    "throw",
                    "description",
                ],
                3,
            ),
        );
    }
    format!("{{{}}}", options.join(","))
}

/// Lines end in one way, and sections stand in their order.
fn check_text(text: &str) {
    assert!(!text.contains([
        '\r', '\u{B}', '\u{C}', '\u{85}', '\u{2028}', '\u{2029}', '\0'
    ]));
    assert!(!text.ends_with('\n'), "{text}");
    let mut last = 0;
    for name in plain_headings(text) {
        let name = name.trim_end_matches('#').trim().to_lowercase();
        if name.is_empty() {
            continue;
        }
        // Others follow the first two.
        let place = ORDER.iter().position(|known| *known == name).unwrap_or(1);
        let place = if place < 2 {
            place.max(last.min(1))
        } else {
            place
        };
        assert!(place >= last, "{name} is out of its place: {text}");
        last = place;
    }
}

/// What begins sections for a reader that knows fences and comments.
fn plain_headings(text: &str) -> Vec<&str> {
    let (mut fence, mut is_comment) = (None::<Fence>, false);
    let mut headings = Vec::new();
    for line in text.lines() {
        // The fence of a list item ends with the item.
        let begins = line.starts_with(|c| c != ' ' && c != '\t');
        fence = fence.filter(|fence| fence.indent.is_empty() || !begins);
        let marked = Fence::of(line);
        if is_comment {
            is_comment = !line.contains("-->");
        } else if let Some(open) = &fence {
            let is_closed = marked.is_some_and(|marked| marked.closes(open));
            fence = fence.filter(|_| !is_closed);
        } else if let Some(marked) = marked.filter(Fence::opens) {
            fence = Some(marked);
        } else if let Some(rest) = line.strip_prefix("<!--") {
            is_comment = !rest.contains("-->");
        } else if let Some(name) = line.strip_prefix("## ") {
            headings.push(name);
        }
    }
    headings
}

/// A line that may open or close a fence.
struct Fence<'a> {
    indent: &'a str,
    mark: char,
    length: usize,
    after: &'a str,
}

impl<'a> Fence<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let text = line.trim_start_matches([' ', '\t']);
        let mark = text
            .chars()
            .next()
            .filter(|mark| matches!(mark, '`' | '~'))?;
        let after = text.trim_start_matches(mark);
        Some(Self {
            indent: &line[..line.len() - text.len()],
            mark,
            length: text.len() - after.len(),
            after,
        })
    }

    fn opens(&self) -> bool {
        self.length >= 3 && !(self.mark == '`' && self.after.contains('`'))
    }

    fn closes(&self, open: &Fence<'_>) -> bool {
        // What is indented more is code in a fence of the first column.
        let is_near = self.indent.len() <= 3 && !self.indent.contains('\t');
        (is_near || !open.indent.is_empty())
            && self.mark == open.mark
            && self.length >= open.length
            && self.after.trim().is_empty()
    }
}
