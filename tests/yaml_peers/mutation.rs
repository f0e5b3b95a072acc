//! Front matter, and changes of it as people and machines make them.

use crate::shuffle::Numbers;

/// Front matter with all that YAML has, written for this.
pub(crate) const WRITTEN: [&str; 20] = [
    "name: tea\ndescription: Brews tea. Use when thirsty.\n",
    "name: tea\ndescription: >-\n  Brews tea, folded\n  over lines.\n\n  And a paragraph.\nlicense: MIT\n",
    "name: pot\ndescription: |\n  Keeps lines\n    and indentation\n  as they are.\nmetadata:\n  author: someone\n  version: \"1.0\"\n",
    "name: 'single ''quoted'''\ndescription: \"double \\\"quoted\\\" \\u00e9 \\x41\\n and\n  folded\"\n",
    "allowed-tools: [Read, \"Bash(git:*)\", 'Write']\nmetadata: {a: 1, b: [x, y], \"c\": null}\nname: flow\n",
    "name: lists\nitems:\n- one\n- two: 2\n  three: 3\n- - nested\n  - list\n-\n  - below\nlast: true\n",
    "a: 1\nb: 1.10\nc: 0x1F\nd: 0o17\ne: 017\nf: 1e3\ng: .inf\nh: -.5\ni: 1_000\nj: +7\nk: .nan\nl: 0b11\n",
    "a: yes\nb: No\nc: on\nd: TRUE\ne: False\nf: ~\ng: null\nh:\ni: 2024-01-31\nj: 12:30:45\nk: 2024-01-31T10:00:00Z\n",
    "# A comment\nname: comments # after a value\ndescription: has#hash and a : colon\n\n# between\nurl: https://example.org/#part\n",
    "base: &base\n  a: 1\nother:\n  <<: *base\n  b: *base\ntagged: !!str 1\nown: !thing {x: 1}\n",
    "? complex\n: value\n? [list, key]\n: 1\nplain multi\n  line: no\n\"quoted key\": 'v'\n",
    "name: text\ndescription: It's \"quoted\", [bracketed], {braced}, 50% & more! @home `code` | pipe > fold - dash ? mark\ndeep:\n  deeper:\n    deepest:\n      - {k: v}\n",
    "# first\na: # after a colon\n  b\nc:\n# at the margin\n  - d # after an item\n # between\n  - [e, # in brackets\n     f] # after them\ng: |\n  # text\n # not\nh: 'i' # after quotes\n",
    "? a\n  b\n: c\n? d # no value\n? |\n  text\n: - e\n  - f: g\n?\n  - h\n:\n  i: j\nk: {? l : m, ? n, o : p, \"q\":r}\ns: [? t : u, v: w]\n",
    "a: |2\n    b\n   c\nd: >1-\n  e\n f\ng:\n  - |+1\n    h\n\n  - >2\n     i\n\n    j\nk: |-\n\n\n  l\n\n  \tm\nn: >+\n\n  o\n   p\n\n\n",
    "a: >\r\n  b\r\n  c\r\n\r\n  d\r\ne: \"f\r\n  g\\\r\n  h\r\n\r\n  i\"\r\nj:\r\n- k\r\n- l: [m,\r\n  n]\r\n",
    "a: b\u{85}c\nd\u{2028}e: |\n  f\u{2029}g\n  🧬 \u{10fffd}\n🧬: \"h \u{85}\n  i\\N\\L\\P\\U0001F9EC\"\n\u{a0}j: {k: \u{2028}, é: \u{a0}}\n",
    "a: !<tag:example.org,2000:x> b\nc: !!map {d: e}\nf: !g! h\ni: ! j\nk: !l &m n\no: &p\n  q: r\n!s t: u\nv: [!w, &x y, *x]\nz: *m\n",
    "a: [\n  b, c\n  d,\n\n  [e], {f: g,\n  h: \"i\n  j\"}\n]\nk: {\n  l: [m\n  ],\n  n\n}\n[o, p]: q\n{r: s}: t\n\"u\\tv\" : w\n'x': {y, z: }\n",
    "---\na:\n  - - b\n    - - c\n  -\n    -\n      d: e\n      f:\n      - g\n      - h: i\n        j:\n          k\n            l\n...\n",
];

/// What is put into a text.
const PIECES: [&str; 64] = [
    ":",
    ": ",
    ":\n",
    " #",
    "#",
    "-",
    "- ",
    "-\n",
    "?",
    "? ",
    ",",
    "[",
    "]",
    "{",
    "}",
    "&a ",
    "*a",
    "!",
    "!!str ",
    "!!int ",
    "!t ",
    "|",
    ">",
    "|-\n",
    ">+\n",
    "|2\n",
    "'",
    "\"",
    "''",
    "\\",
    "\\\"",
    "%",
    "@",
    "`",
    "\t",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "---\n",
    "...\n",
    "--- ",
    "<<: ",
    "~",
    "null",
    "yes",
    "True",
    "1.10",
    "0x1F",
    "0o7",
    "017",
    "1e3",
    ".inf",
    "2024-01-31",
    "1_000",
    "=",
    "\u{feff}",
    "\u{a0}",
    "é",
    "\u{2028}",
    "\\u00e9",
    "a: 1\n",
];

/// A short text of nothing but what has a meaning somewhere: constructs that nobody would write down.
pub(crate) fn composed(numbers: &mut Numbers) -> String {
    const WORDS: [&str; 20] = [
        "a", "b", "a: ", "b: ", "c:", ": ", "- ", "? ", "\n", "\n", "\n  ", "\n ", "  ", " ", "\t",
        "[", "]", "\"", "'", "# ",
    ];
    let words = 2 + numbers.below(12);
    let mut text = String::new();
    for _ in 0..words {
        text.push_str(match numbers.below(4) {
            0 => PIECES[numbers.below(PIECES.len())],
            _ => WORDS[numbers.below(WORDS.len())],
        });
    }
    ended(text)
}

/// A text with one to three changes.
pub(crate) fn mutated(block: &str, numbers: &mut Numbers) -> String {
    let mut text = block.to_owned();
    // Mostly one: much more than that is rarely YAML to anyone.
    for _ in 0..=numbers.below(3) * numbers.below(2) {
        text = changed(&text, numbers);
    }
    ended(text)
}

/// The closing fence stands on a line of its own.
fn ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn changed(text: &str, numbers: &mut Numbers) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = border(text, numbers.below(text.len() + 1));
    let line = numbers.below(lines.len());
    let with_line = |change: &dyn Fn(&str) -> String| -> String {
        let changed = |(index, &text): (usize, &&str)| {
            if index == line {
                change(text)
            } else {
                text.to_owned()
            }
        };
        lines.iter().enumerate().map(changed).collect()
    };
    let (before, after) = text.split_at(at);
    match numbers.below(12) {
        0..=3 => [before, PIECES[numbers.below(PIECES.len())], after].concat(),
        4 => {
            let mut rest = after.chars();
            rest.next();
            before.to_owned() + rest.as_str()
        }
        5 => {
            let mut rest = after.chars();
            rest.next();
            [before, PIECES[numbers.below(PIECES.len())], rest.as_str()].concat()
        }
        6 => {
            let blanks = " ".repeat(1 + numbers.below(3));
            with_line(&|line| blanks.clone() + line)
        }
        7 => with_line(&|line| line.strip_prefix(' ').unwrap_or(line).to_owned()),
        8 => with_line(&|line| line.replacen("  ", "\t", 1)),
        9 => with_line(&|line| line.repeat(2)),
        10 => with_line(&|line| {
            let Some((key, value)) = line.trim_end().split_once(": ") else {
                return line.trim_end().to_owned();
            };
            format!("{key}: \"{value}\n")
        }),
        _ => {
            let other = numbers.below(lines.len());
            let mut lines = lines.clone();
            if !lines.is_empty() {
                lines.swap(line, other);
            }
            lines.concat()
        }
    }
}

/// The nearest border of a character at or before a byte.
fn border(text: &str, at: usize) -> usize {
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or_default()
}
