//! What is read back from a prompt is what was put into it.

use proptest::prelude::*;
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};
use serde_json::{Value as Json, json};

use crate::text::one_line;

use super::*;

const PIECES: [&str; 66] = [
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "\u{2028}",
    "\u{B}",
    "\t",
    " ",
    "    ",
    "## ",
    "## Rules\n",
    "\n# A",
    "\n## Task\n",
    "\n  ## b",
    "#",
    "##",
    "###",
    "```",
    "\n```\n",
    "\n````",
    "~~~",
    "\n   ~~~\n",
    "- ",
    "<!--",
    "\n<!--\n",
    "-->",
    "\\",
    ">",
    "\u{200B}",
    "\u{0}",
    "é",
    "\u{A0}",
    "a",
    "---\n",
    "\n---\n",
    "\n==\n",
    "\n-\n",
    "  ",
    "\n   ",
    "\n     ",
    "\n1. ",
    "\n2) ",
    "\n* ",
    "\n+\n",
    "\n> ",
    "\n  ```",
    "\n    ~~~",
    "\n      ```\n",
    "\n\t```\n",
    "<!-->\n",
    "\n  <!-- ",
    "<pre>\n",
    "\n</pre>",
    "<SCRIPT ",
    "<div>\n",
    "<x-y>\n",
    "<!A",
    "<?",
    "?>",
    "<![CDATA[",
    "]]>",
    "[a]: b\n",
    "-\t",
    "\n10. ",
    "\n    - ",
    "\n  > ",
];

/// The headings of the first two levels as another reader of Markdown finds them, as they are
/// written, but for those in list items and quotes.
fn top_headings(markdown: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut found = Vec::new();
    for (event, range) in Parser::new(markdown).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 && level <= HeadingLevel::H2 => {
                found.push(markdown[range].trim_end());
            }
            Event::Start(Tag::Item | Tag::BlockQuote(_)) => depth += 1,
            Event::End(TagEnd::Item | TagEnd::BlockQuote(_)) => depth -= 1,
            _ => {}
        }
    }
    found
}

fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..12)
        .prop_map(|pieces| pieces.concat())
}

/// The parts of a prompt as JSON, and those of the document: the base and what extends its rules.
fn hostile_prompt() -> impl Strategy<Value = (Json, Option<String>, String)> {
    let texts = prop::collection::vec(hostile(), 8);
    (texts, prop::option::of(hostile())).prop_map(|(texts, base)| {
        let base = base.map(|base| ["You.\n", &base].concat());
        let extension = &texts[0];
        let file = ["---\nextends: rules\n---\n", extension].concat();
        let seen = |text: &str| ["x", text].concat();
        let id = |text: &str| one_line(&seen(text)).into_owned();
        let parts = json!({
            "base": base,
            "plugins": [{
                "namespace": "org.example",
                "files": { "a.md": file },
            }],
            "tools": [{ "name": id(&texts[4]), "description": texts[3] }],
            "agents": [{
                "id": id(&texts[1]),
                "card": {
                    "name": texts[2],
                    "description": texts[3],
                    "skills": [{ "name": texts[3], "description": texts[2] }],
                },
            }],
            "catalog": { "index": texts[5] },
            "participants": [{ "name": seen(&texts[6]), "role": seen(&texts[4]) }],
            "task": texts[7],
        });
        (parts, base, extension.clone())
    })
}

fn read(parts: &Json) -> SystemPrompt {
    SystemPrompt::from_json(&parts.to_string()).unwrap()
}

/// The sections that have a text of the document or of its plugin, or a list.
fn expected_keys(prompt: &SystemPrompt, base: Option<&str>, extension: &str) -> Vec<String> {
    let mut own = Document::read(base.unwrap_or(DEFAULT).trim());
    own.extend("rules", extension.trim());
    let listed = prompt.listed.iter();
    let listed: Vec<&str> = listed
        .filter(|(_, list)| !list.is_empty())
        .map(|(place, _)| place.key())
        .collect();
    let has_text = |key: &&str| {
        let text = own.section(key).map(|section| section.text.as_str());
        !text.unwrap_or_default().is_empty() || listed.contains(key)
    };
    let others = own.sections.iter().map(|section| section.key.as_str());
    let others = others.filter(|key| !FIRST.contains(key) && Place::of(key).is_none());
    let keys = FIRST
        .into_iter()
        .chain(others)
        .chain(Place::ALL.map(Place::key));
    keys.filter(has_text).map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_text_opens_or_closes_a_section((parts, base, extension) in hostile_prompt()) {
        let prompt = read(&parts);
        let expected = expected_keys(&prompt, base.as_deref(), &extension);
        let lists = prompt.listed.clone();
        let text = prompt.render().unwrap().text;
        let document = Document::read(&text);
        let keys: Vec<&str> = document.sections.iter().map(|section| &*section.key).collect();
        prop_assert_eq!(keys, expected, "{}", text);
        for (place, list) in lists {
            if !list.is_empty() {
                let text = &document.section(place.key()).unwrap().text;
                prop_assert!(text.ends_with(&list), "{place:?}: {text}");
            }
        }
    }

    #[test]
    fn what_was_rendered_is_rendered_the_same(base in hostile()) {
        let render = |base: &str| read(&json!({ "base": base })).render().unwrap().text;
        let first = render(&["You.\n", &base].concat());
        prop_assert_eq!(render(&first), first);
    }

    #[test]
    fn a_strict_reader_of_markdown_finds_the_same_sections(
        before in hostile(),
        parts in prop::collection::vec(hostile(), 1..4),
    ) {
        let base = ["\n## First\n\n", &before, "\n\n## Second\n\nb"].concat();
        let mut document = Document::read(&base);
        for part in &parts {
            document.extend("second", part);
        }
        document.extend("last", "l");
        let text = assembled(&document, &Place::ALL.map(|place| (place, String::new())));
        let mut expected: Vec<String> = Vec::new();
        for Section { key, name, text } in &document.sections {
            if !text.is_empty() {
                expected.push(["## ", name].concat());
            }
            // What the developer writes may have headings of any form.
            if !["second", "last"].contains(&&**key) {
                expected.extend(top_headings(text).into_iter().map(str::to_owned));
            }
        }
        expected.sort();
        let mut found = top_headings(&text);
        found.sort_unstable();
        prop_assert_eq!(found, expected, "{}", text);
    }
}
