//! System prompts of any documents, files of plugins and lists.

use pulldown_cmark::{Event, Parser, Tag};
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

/// What begins sections for another reader of Markdown.
fn plain_headings(text: &str) -> Vec<&str> {
    let events = Parser::new(text).into_offset_iter();
    let headings = events.filter_map(|(event, range)| {
        let is_in_first_column = range.start == 0 || text[..range.start].ends_with('\n');
        match event {
            Event::Start(Tag::Heading { .. }) if is_in_first_column => {
                text[range].strip_prefix("## ")
            }
            _ => None,
        }
    });
    headings.collect()
}
