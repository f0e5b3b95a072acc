//! A Markdown document as sections: what stands before the first `## `, and what each begins.

use std::borrow::Cow;

use crate::places::Places;
use crate::text::one_line;

use super::blocks::{Blocks, Step};
use super::markdown::{cleaned, inside_section, section_name, without_blank_ends};

/// A document, in its order.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// What comes before the first section.
    pub(super) preamble: String,
    /// No two with the same key.
    pub(super) sections: Vec<Section>,
    /// Where a key stands among them.
    places: Places,
}

/// A section of a document.
#[derive(Debug)]
pub(super) struct Section {
    /// What it is found by.
    pub(super) key: String,
    /// Its name as the document writes it.
    pub(super) name: String,
    /// What stands below its heading.
    pub(super) text: String,
}

impl Document {
    /// Reads a document. What has a name that was there before continues that section.
    pub(super) fn read(text: &str) -> Self {
        let text = cleaned(text);
        let mut document = Self::default();
        let mut blocks = Blocks::default();
        let mut name: Option<String> = None;
        let mut content = String::new();
        for line in text.split('\n') {
            let written = match blocks.step(line, &mut content) {
                Step::Block(line) => line,
                Step::Plain { .. } => {
                    if let Some(next) = section_name(line) {
                        document.add(name.as_deref(), &content);
                        content.clear();
                        blocks = document.blocks_below(&next);
                        name = Some(next);
                        continue;
                    }
                    Cow::Borrowed(line)
                }
            };
            content.push_str(&written);
            content.push('\n');
        }
        blocks.close(&mut content);
        document.add(name.as_deref(), &content);
        document
    }

    /// What may be open where a section goes on.
    fn blocks_below(&self, name: &str) -> Blocks {
        let section = self.section(&key_of(name));
        match section.filter(|section| !section.text.is_empty()) {
            Some(_) => Blocks::after_text(),
            None => Blocks::default(),
        }
    }

    fn add(&mut self, name: Option<&str>, content: &str) {
        let text = match name {
            Some(name) => &mut self.section_or_new(name).text,
            None => &mut self.preamble,
        };
        join(text, without_blank_ends(content));
    }

    /// The section of a key.
    pub(super) fn section(&self, key: &str) -> Option<&Section> {
        self.sections.get(self.places.get(key)?)
    }

    /// The section of a name, added at the end where there is none.
    fn section_or_new(&mut self, name: &str) -> &mut Section {
        let key = key_of(name);
        let place = self.places.get(&key).unwrap_or(self.sections.len());
        if place == self.sections.len() {
            self.places.add(key.clone(), place);
            self.sections.push(Section {
                key,
                name: name.to_owned(),
                text: String::new(),
            });
        }
        &mut self.sections[place]
    }

    /// Adds `text` to the end of a section, which it cannot leave.
    pub(super) fn extend(&mut self, name: &str, text: &str) {
        join(&mut self.section_or_new(name).text, &inside_section(text));
    }
}

/// What a section is found by: its name on one line, whatever the case of its ASCII letters.
pub(super) fn key_of(name: &str) -> String {
    one_line(name).to_ascii_lowercase()
}

/// Adds `part` after a blank line, where neither is empty.
pub(super) fn join(text: &mut String, part: &str) {
    if !text.is_empty() && !part.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections(document: &Document) -> Vec<[&str; 3]> {
        document
            .sections
            .iter()
            .map(|section| [&*section.key, &*section.name, &*section.text])
            .collect()
    }

    #[test]
    fn sections_begin_at_their_headings() {
        let document = Document::read(
            "\u{FEFF}# Title\r\n\r\nHello.\r\n\r\n## Role ##\r\n\r\n    code\r\n## My  RULES\r\n### Deeper\r\n- a\r\n\r\n\r\n## Empty\r\n",
        );
        assert_eq!(document.preamble, "# Title\n\nHello.");
        assert_eq!(
            sections(&document),
            [
                ["role", "Role", "    code"],
                ["my rules", "My RULES", "### Deeper\n- a"],
                ["empty", "Empty", ""],
            ]
        );
    }

    #[test]
    fn a_name_that_comes_again_continues_its_section() {
        let document = Document::read("## Rules\na\n## Role\nb\n## RULES\nc\n## rules\n");
        assert_eq!(
            sections(&document),
            [["rules", "Rules", "a\n\nc"], ["role", "Role", "b"]]
        );
    }

    #[test]
    fn what_is_open_at_the_end_is_closed() {
        let document = Document::read("## Rules\n```\n## Role\n\n");
        assert_eq!(
            sections(&document),
            [["rules", "Rules", "```\n## Role\n```"]]
        );
        assert_eq!(Document::read("<!--\n## A").preamble, "<!--\n## A\n-->");
    }

    #[test]
    fn what_extends_a_section_stays_in_it() {
        let mut document = Document::read("## Rules\na");
        document.extend("rules", "# Title\n## Role\n```");
        document.extend("Voice", "Short.");
        assert_eq!(
            sections(&document),
            [
                ["rules", "Rules", "a\n\n### Title\n### Role\n```\n```"],
                ["voice", "Voice", "Short."],
            ]
        );
    }

    #[test]
    fn without_sections_all_is_before_the_first() {
        assert_eq!(Document::read("  You.\n\n").preamble, "  You.");
        assert!(Document::read("").preamble.is_empty());
    }
}
