//! Which lines of a Markdown document are in a code fence or an HTML block, where what looks like a
//! heading is none.
//!
//! The rules (`CommonMark`) tell it by the structure of the whole document. Here it is told a line at a time, in
//! the first column exactly so. An indented line may belong to a list item or not, and which it is
//! decides where what it opens ends. There, and wherever else two readings are possible, a line is
//! added that makes them one: what closes a block where an item may end, a blank line where HTML may
//! go on. So nobody who reads the text by the rules sees a heading in it where there is none for us,
//! nor anything open at its end.

use std::borrow::Cow;

use crate::markdown_line::{Fence, NEAR, columns, heading, indented, starts_blank};

/// What is open in a document, after some of its lines.
#[derive(Debug)]
pub(super) struct Blocks {
    open: Option<Block>,
    /// Whether a list may go on, so that what is indented may be in its last item.
    may_be_in_list: bool,
    /// Whether HTML may go on that ends at the next blank line.
    may_be_in_html: bool,
    after_blank: bool,
}

/// How a line is to be written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step<'a> {
    /// As it is, or as a heading: it is outside of all blocks.
    Plain {
        /// Whether the line above it is not blank.
        follows_text: bool,
    },
    /// So: it is in a block, or opens or closes one.
    Block(Cow<'a, str>),
}

impl Default for Blocks {
    /// At the beginning of a document, or below a heading.
    fn default() -> Self {
        Self {
            open: None,
            may_be_in_list: false,
            may_be_in_html: false,
            after_blank: true,
        }
    }
}

impl Blocks {
    /// Below a text that may end in a list, and a blank line.
    pub(super) fn after_text() -> Self {
        Self {
            may_be_in_list: true,
            ..Self::default()
        }
    }

    /// Goes over a line. Adds to `out` what has to stand before it.
    pub(super) fn step<'a>(&mut self, line: &'a str, out: &mut String) -> Step<'a> {
        let (indent, text) = indented(line);
        let column = columns(indent);
        if let Some(block) = &self.open {
            if text.is_empty() || !block.may_end_before(column) {
                let written = block.written(line, column, text);
                if block.is_closed_by(column, text) {
                    self.open = None;
                }
                self.after_blank = false;
                return Step::Block(written);
            }
            block.push_closing(out);
            out.push('\n');
            self.open = None;
        }
        let follows_text = !self.after_blank;
        self.after_blank = text.is_empty();
        if text.is_empty() {
            self.may_be_in_html = false;
            return Step::Plain { follows_text };
        }
        self.note_list(column, text, follows_text);
        // What is indented more is code, or goes on with the text above it.
        if column <= NEAR || self.may_be_in_list {
            if let Some(kind) = Kind::opened_by(text) {
                return self.opened(kind, line, indent, out);
            }
            self.may_be_in_html |= column <= NEAR && text.starts_with('<');
        }
        Step::Plain { follows_text }
    }

    /// Notes whether what is below the line may be in a list item.
    fn note_list(&mut self, column: usize, text: &str, follows_text: bool) {
        let is_outside = column < LEAST_CONTENT;
        // Text goes on in an item from wherever it stands, but a heading and what is below a blank
        // line do not.
        if is_outside && (!follows_text || heading(text).is_some()) {
            self.may_be_in_list = false;
        }
        self.may_be_in_list |= column <= NEAR && is_list_item(text);
    }

    fn opened<'a>(
        &mut self,
        kind: Kind,
        line: &'a str,
        indent: &str,
        out: &mut String,
    ) -> Step<'a> {
        let block = Block {
            kind,
            indent: indent.to_owned(),
            may_be_in_item: self.may_be_in_list && columns(indent) >= LEAST_CONTENT,
        };
        if matches!(&block.kind, Kind::Html(html) if html.is_closed_by(line)) {
            return Step::Block(block.written(line, columns(indent), line));
        }
        if self.may_be_in_html {
            out.push('\n');
            self.may_be_in_html = false;
        }
        self.open = Some(block);
        Step::Block(Cow::Borrowed(line))
    }

    /// Closes what is open at the end of `out`, which ends in no blank line then.
    pub(super) fn close(&self, out: &mut String) {
        out.truncate(out.trim_end().len());
        if let Some(block) = &self.open {
            out.push('\n');
            block.push_closing(out);
        }
    }
}

/// The first column in which the content of a list item may begin.
const LEAST_CONTENT: usize = 2;

/// A block that is open.
#[derive(Debug)]
struct Block {
    kind: Kind,
    indent: String,
    /// Whether it ends with a list item; or else it is in none, or only looks like a block.
    may_be_in_item: bool,
}

impl Block {
    fn column(&self) -> usize {
        columns(&self.indent)
    }

    /// Whether the item that it is in may end before a line that begins in this column.
    fn may_end_before(&self, column: usize) -> bool {
        self.may_be_in_item && column < self.column()
    }

    /// Whether a line closes it. What is indented more is code in a fence that is in no item.
    fn is_closed_by(&self, column: usize, text: &str) -> bool {
        match &self.kind {
            Kind::Html(html) => html.is_closed_by(text),
            Kind::Fence(fence) => {
                (column <= NEAR || self.may_be_in_item) && fence.is_closed_by(text)
            }
        }
    }

    /// A line of it. One that closes it for some readers only is written so that it does for all: a
    /// fence that closes it if it is in an item, the end of another element than its own.
    fn written<'a>(&self, line: &'a str, column: usize, text: &str) -> Cow<'a, str> {
        if !self.is_closed_by(column, text) {
            return Cow::Borrowed(line);
        }
        match &self.kind {
            Kind::Fence(_) if self.may_be_in_item && column != self.column() => {
                Cow::Owned([&self.indent, text.trim_end_matches([' ', '\t'])].concat())
            }
            // By the rules blanks of both kinds may follow.
            Kind::Fence(_) => Cow::Borrowed(line.trim_end_matches([' ', '\t'])),
            Kind::Html(html) if !html.has_own_end(text) => {
                Cow::Owned([line, html.closing()].concat())
            }
            Kind::Html(_) => Cow::Borrowed(line),
        }
    }

    fn push_closing(&self, out: &mut String) {
        out.push_str(&self.indent);
        match &self.kind {
            Kind::Html(html) => out.push_str(html.closing()),
            Kind::Fence(fence) => {
                for _ in 0..fence.length {
                    out.push(fence.mark);
                }
            }
        }
    }
}

/// A block in which a line is not a heading, whatever it looks like.
#[derive(Debug)]
enum Kind {
    Fence(Fence),
    Html(Html),
}

impl Kind {
    fn opened_by(text: &str) -> Option<Self> {
        let fence = Fence::opened_by(text).map(Self::Fence);
        fence.or_else(|| Html::opened_by(text).map(Self::Html))
    }
}

/// HTML that goes on over blank lines.
#[derive(Debug)]
enum Html {
    /// The tag of an element with a text of its own.
    Raw(&'static str),
    Comment,
    Instruction,
    Declaration,
    CharacterData,
}

/// The elements with a text of their own, with their ends.
const RAW: [(&str, &str); 4] = [
    ("<pre", "</pre>"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<textarea", "</textarea>"),
];

impl Html {
    fn opened_by(text: &str) -> Option<Self> {
        if text.starts_with("<!--") {
            return Some(Self::Comment);
        }
        if text.starts_with("<?") {
            return Some(Self::Instruction);
        }
        if text.starts_with("<![CDATA[") {
            return Some(Self::CharacterData);
        }
        let declared = text.strip_prefix("<!");
        if declared.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic())) {
            return Some(Self::Declaration);
        }
        let begins = |tag: &str| {
            let (name, rest) = text.split_at_checked(tag.len())?;
            let ends = rest.is_empty() || rest.starts_with('>') || starts_blank(rest);
            (ends && name.eq_ignore_ascii_case(tag)).then_some(())
        };
        let raw = RAW.iter().find(|(tag, _)| begins(tag).is_some())?;
        Some(Self::Raw(raw.1))
    }

    fn closing(&self) -> &'static str {
        match self {
            Self::Raw(end) => end,
            Self::Comment => "-->",
            Self::Instruction => "?>",
            Self::Declaration => ">",
            Self::CharacterData => "]]>",
        }
    }

    /// Whether it ends in a line. By the rules the end of any raw element will do.
    fn is_closed_by(&self, line: &str) -> bool {
        match self {
            Self::Raw(_) => {
                let line = line.to_ascii_lowercase();
                RAW.iter().any(|(_, end)| line.contains(end))
            }
            _ => line.contains(self.closing()),
        }
    }

    fn has_own_end(&self, line: &str) -> bool {
        line.to_ascii_lowercase().contains(self.closing())
    }
}

/// Whether a text begins a list item, or looks so.
fn is_list_item(text: &str) -> bool {
    let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let marker: &[char] = if unnumbered.len() == text.len() {
        &['-', '+', '*']
    } else {
        &['.', ')']
    };
    let content = unnumbered.strip_prefix(marker);
    content.is_some_and(|content| content.is_empty() || starts_blank(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text with what has to stand in it, and the lines in it that are outside of all blocks.
    fn written(text: &str) -> (String, Vec<&str>) {
        let mut out = String::new();
        let mut plain = Vec::new();
        let mut blocks = Blocks::default();
        for line in text.split('\n') {
            match blocks.step(line, &mut out) {
                Step::Block(line) => out.push_str(&line),
                Step::Plain { .. } => {
                    plain.push(line);
                    out.push_str(line);
                }
            }
            out.push('\n');
        }
        blocks.close(&mut out);
        (out, plain)
    }

    #[test]
    fn lines_in_fences_and_in_html_are_not_plain() {
        for (text, plain, closing) in [
            ("a\n```\n## b\n```\nc", vec!["a", "c"], ""),
            ("~~~ sh\n## b\n```\n~~~~\nc", vec!["c"], ""),
            ("````\n```\n## b\n````\nc", vec!["c"], ""),
            ("```\n## b\n   ```\nc", vec!["c"], ""),
            ("```\n## b\n    ```\n## c", vec![], "\n```"),
            ("```\n\t```\n## c", vec![], "\n```"),
            ("```\n``` x\n## c", vec![], "\n```"),
            ("```\n```\u{A0}\n## c", vec![], "\n```"),
            ("~~~~~\n## c", vec![], "\n~~~~~"),
            ("```a`b```\n## c", vec!["```a`b```", "## c"], ""),
            ("``\n## c", vec!["``", "## c"], ""),
            ("    ```\n## c", vec!["    ```", "## c"], ""),
            ("  ```\n\n## b", vec![], "\n  ```"),
            ("   ```\nx\n```\n## b", vec!["## b"], ""),
            (
                "a\n\n- b\n\nc\n  ```\n## d",
                vec!["a", "", "- b", "", "c"],
                "\n  ```",
            ),
            ("- b\n# c\n  ```\n## d", vec!["- b", "# c"], "\n  ```"),
            (
                "1. a\n   ```\n   ## b\n   ```\n## c",
                vec!["1. a", "## c"],
                "",
            ),
            ("<!--\n## b\n-->\nc", vec!["c"], ""),
            ("<!-- b -->\n## c", vec!["## c"], ""),
            ("<!-->\n## c", vec!["## c"], ""),
            ("   <!--\n```\n-->\n## c", vec!["## c"], ""),
            ("    <!--\n## c", vec!["    <!--", "## c"], ""),
            ("```\n<!--\n```\n## c", vec!["## c"], ""),
            ("a <!--\n## c", vec!["a <!--", "## c"], ""),
            ("<!--\n## c", vec![], "\n-->"),
            ("<PRE class=x>\n```\n</Pre>\n## c", vec!["## c"], ""),
            ("<pre>\n\n## c", vec![], "\n</pre>"),
            ("<preface>\n\n## c", vec!["<preface>", "", "## c"], ""),
            ("<?\n## c", vec![], "\n?>"),
            ("<!A\n## c", vec![], "\n>"),
            ("<![CDATA[\n## c", vec![], "\n]]>"),
        ] {
            let expected = ([text, closing].concat(), plain);
            assert_eq!(written(text), expected, "{text:?}");
        }
    }

    #[test]
    fn of_two_readings_one_is_left() {
        for (text, expected) in [
            // The item may end, or what is in the first column is in the fence.
            ("- a\n  ```\nb", "- a\n  ```\n  ```\nb"),
            ("- a\n   ```\n  b", "- a\n   ```\n   ```\n  b"),
            ("1. a\n  <!--\nb", "1. a\n  <!--\n  -->\nb"),
            ("2024. a\nb\n    ~~~\nc", "2024. a\nb\n    ~~~\n    ~~~\nc"),
            // It closes the fence if that is in an item.
            ("- a\n  ```\n     ```\nb", "- a\n  ```\n  ```\nb"),
            ("- a\n  ```\n  ```\nb", "- a\n  ```\n  ```\nb"),
            // Some let only blanks follow what closes a fence.
            ("```\n``` \t\na", "```\n```\na"),
            // Some end an element only by its own end.
            ("<pre>\n</Script>\n## a", "<pre>\n</Script></pre>\n## a"),
            ("<pre></style>\n## a", "<pre></style></pre>\n## a"),
            // The element may go on to the next blank line.
            ("<div>\n```\n\n## a\n```", "<div>\n\n```\n\n## a\n```"),
            ("<a>\nb\n<!--\n-->", "<a>\nb\n\n<!--\n-->"),
            ("<div>\n\n```\n```", "<div>\n\n```\n```"),
        ] {
            let (once, _) = written(text);
            assert_eq!(once, expected, "{text:?}");
            assert_eq!(written(&once).0, once, "{text:?}: once is enough");
        }
    }
}
