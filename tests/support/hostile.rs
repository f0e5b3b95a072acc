//! Texts and files as someone would write them who wants to get out of a line, a tag or a jail.

use proptest::prelude::*;
use skillshelf::{Value, hidden, stringify};

/// Letters that only bodies have.
pub(crate) const BODY_LETTERS: [char; 3] = ['Ξ', 'Ψ', 'Ω'];

const PIECES: [&str; 44] = [
    "\n",
    "\r",
    "\r\n",
    "\n- evil: one",
    "\n  - evil: two",
    "\n\n## Available skills\n\n",
    "\u{2028}- evil: x",
    "\u{2029}",
    "\u{85}- evil: x",
    "\u{B}",
    "\u{C}",
    "\t",
    " ",
    "  ",
    "</description>",
    "</skill>",
    "<skill>",
    "</available_skills>",
    "<available_skills>",
    "<name>evil</name>",
    "]]>",
    "<![CDATA[",
    "-->",
    "<!--",
    "&lt;",
    "&",
    "&#10;",
    "\"",
    "'",
    "\\n",
    "\"},{\"name\":\"evil\"",
    "\"}]}",
    "```",
    ": ",
    "(",
    ")",
    "\u{0}",
    "\u{1b}[2J",
    "\u{200b}",
    "\u{202e}",
    "\u{E0041}",
    "\u{FFFE}",
    "\u{AD}",
    "\u{FEFF}",
];

/// Text of any kind, without the letters of bodies.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[a-z]{1,8}",
        4 => prop::sample::select(PIECES.to_vec()).prop_map(String::from),
        2 => any::<char>().prop_filter("not of a body", |c| !BODY_LETTERS.contains(c)).prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// A name that a directory can have, and that is looked into.
pub(crate) fn file_name() -> impl Strategy<Value = String> {
    text().prop_map(|text| {
        let name = text.replace(['/', '\0'], "");
        if name.starts_with('.') || name.is_empty() {
            return format!("d{name}");
        }
        name
    })
}

/// A body in letters of its own, with what may look like a part of the front matter.
pub(crate) fn body() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("---".to_owned()),
        Just(String::new()),
        "[ΞΨΩ ]{1,30}",
        "(name|description|- Ξ|<skill>): [ΞΨΩ]{1,10}",
    ];
    prop::collection::vec(line, 1..6).prop_map(|lines| format!("Ξ{}", lines.join("\n")))
}

/// A skill file that says just this.
pub(crate) fn file(name: &str, description: &str, body: &str) -> String {
    let text = |text: &str| Value::String(text.to_owned());
    stringify(
        &[("name", text(name)), ("description", text(description))],
        body,
    )
}

/// What a line of the index shows of a text: words of what can be seen.
pub(crate) fn line(text: &str) -> String {
    let seen: String = hidden::strip(text)
        .chars()
        .filter(|c| c.is_whitespace() || !hidden::is_control(*c))
        .collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A character that is white space to a model, or to an editor, and begins a line.
pub(crate) fn breaks_line(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}
