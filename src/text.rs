//! Small pieces of text work that several renderings share.

use std::borrow::Cow;

use crate::eight_bytes::{self, EightBytes};
use crate::hidden;

/// How much of something that others wrote is repeated in a message.
const ECHOED: usize = 200;

/// `text` in double quotes, on one line, at most 200 characters of it: for messages that repeat
/// what a model or a file said. A quote in it does not end it.
pub(crate) fn quoted(text: &str) -> String {
    if text.len() <= ECHOED && is_one_line(text) && !text.as_bytes().contains(&b'"') {
        return ["\"", text, "\""].concat();
    }
    ["\"", &shortened(text).replace('"', "\\\""), "\""].concat()
}

/// A name as one of a list: in quotes where it could be taken for more than one.
pub(crate) fn listed(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.@".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_plain) {
        return name.to_owned();
    }
    quoted(name)
}

/// A name on one line as it stands before a colon and a text: in quotes where nobody could tell by
/// which colon it ends.
pub(crate) fn before_colon(name: &str) -> Cow<'_, str> {
    let name = one_line(name);
    // What an index says of the skills that are in no group: `5 skills: a, b`.
    let is_count = name.starts_with(|c: char| c.is_ascii_digit()) && name.contains(' ');
    let is_plain =
        !name.contains(": ") && !name.ends_with(':') && !name.starts_with('"') && !is_count;
    if is_plain {
        return name;
    }
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    Cow::Owned(["\"", &name, "\""].concat())
}

/// `text` on one line, at most 200 characters of it.
pub(crate) fn shortened(text: &str) -> String {
    cut(&one_line(text), ECHOED)
}

/// At most so many characters of a text, and a sign that there are more.
pub(crate) fn cut(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => [text.get(..end).unwrap_or_default(), "…"].concat(),
        None => text.to_owned(),
    }
}

/// A number of things, each called `thing`: `1 file`, `2 files`.
pub(crate) fn counted(number: usize, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    [&number.to_string(), " ", thing, ending].concat()
}

/// `text` as one line: every run of white space is one space, control and hidden characters are
/// left out, nothing stands at the ends.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if is_one_line(text) {
        return Cow::Borrowed(text);
    }
    let visible = hidden::strip(text);
    let mut out = String::with_capacity(visible.len());
    let mut blank = false;
    let mut rest = visible.as_ref();
    while let Some(first) = rest.chars().next() {
        // A word at a time, where it is ASCII.
        let word = rest.bytes().take_while(u8::is_ascii_graphic).count();
        let (piece, after) = rest.split_at(word.max(first.len_utf8()));
        rest = after;
        if first.is_whitespace() {
            blank = true;
        } else if !hidden::is_control(first) {
            if blank && !out.is_empty() {
                out.push(' ');
            }
            blank = false;
            out.push_str(piece);
        }
    }
    Cow::Owned(out)
}

/// `text` with every run of white space as one space, and none at the ends.
pub(crate) fn folded(text: &str) -> Cow<'_, str> {
    if is_one_line(text) {
        return Cow::Borrowed(text);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    Cow::Owned(words.join(" "))
}

/// Whether `text` is one line as it is: the usual case, told fast.
fn is_one_line(text: &str) -> bool {
    let mut blank = true;
    let mut rest = text;
    loop {
        while let Some(eight) = EightBytes::first_of(rest.as_bytes())
            && eight.are_printable()
        {
            let blanks = eight.blanks();
            if eight_bytes::are_beside(blanks, blank) {
                return false;
            }
            blank = eight_bytes::is_last(blanks);
            rest = rest.get(EightBytes::COUNT..).unwrap_or_default();
        }
        let mut characters = rest.chars();
        match characters.next() {
            Some(' ') if blank => return false,
            Some(' ') => blank = true,
            Some('!'..='~') => blank = false,
            Some(c) if !c.is_ascii() && is_kept_in_line(c) => blank = false,
            Some(_) => return false,
            None => return !blank || text.is_empty(),
        }
        rest = characters.as_str();
    }
}

/// Whether a line has a character as it is, wherever it stands.
fn is_kept_in_line(c: char) -> bool {
    !c.is_whitespace() && !hidden::is_control(c) && !hidden::is_invisible(c)
}

/// `text` with `&`, `<` and `>` escaped, for XML content.
pub(crate) fn xml_escaped(text: &str) -> Cow<'_, str> {
    escaped(text, &['&', '<', '>'])
}

/// `text` escaped for an XML attribute in double quotes.
pub(crate) fn attribute_escaped(text: &str) -> Cow<'_, str> {
    escaped(text, &['&', '<', '>', '"'])
}

/// `special` are ASCII.
fn escaped<'a>(text: &'a str, special: &[char]) -> Cow<'a, str> {
    if !text.bytes().any(|byte| special.contains(&char::from(byte))) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if special.contains(&'"') => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// `text` in small letters, each by itself: enough to compare by, without the standard library's
/// tables for letters that depend on their neighbors.
pub(crate) fn lowercase(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// An estimate without a tokenizer: four ASCII characters a token, other characters one each.
pub(crate) fn estimated_tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().count() - ascii;
    ascii.div_ceil(4) + others
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_text_is_one_line_if_making_it_one_changes_nothing(
            text in "([ a!~]|[\\x1f\\x7f\t]|[é—字\u{a0}\u{200b}\u{85}]){0,30}"
        ) {
            let words: Vec<&str> = text.split_whitespace().collect();
            let is_folded = words.join(" ") == text;
            prop_assert_eq!(is_one_line(&text), is_folded && text.chars().all(|c| c == ' ' || is_kept_in_line(c)));
            prop_assert_eq!(is_one_line(&text), one_line(&text) == text);
        }
    }

    #[test]
    fn one_line_folds_white_space_and_drops_what_cannot_be_seen() {
        for (text, line) in [
            ("plain", "plain"),
            ("", ""),
            ("  a \n\t b  ", "a b"),
            ("a\u{2028}- b: c", "a - b: c"),
            ("a\u{0}b\u{1b}[0m", "ab[0m"),
            ("a\u{200b}b", "ab"),
            ("técnica", "técnica"),
        ] {
            assert_eq!(one_line(text), line, "{text:?}");
        }
    }

    #[test]
    fn a_name_before_a_colon_ends_at_one_place_only() {
        for (name, shown) in [
            ("pdf", "pdf"),
            ("a \"b\" c:d", "a \"b\" c:d"),
            ("pdf: reads", "\"pdf: reads\""),
            ("pdf:\nreads", "\"pdf: reads\""),
            ("pdf:", "\"pdf:\""),
            ("5 skills", "\"5 skills\""),
            ("5s", "5s"),
            ("\"pdf\"", "\"\\\"pdf\\\"\""),
            ("a: \\", "\"a: \\\\\""),
        ] {
            assert_eq!(before_colon(name), shown);
        }
    }

    #[test]
    fn a_name_in_a_list_is_one() {
        for (name, shown) in [
            ("pdf-1.0@2_b", "pdf-1.0@2_b"),
            ("a, b", "\"a, b\""),
            ("a\nb", "\"a b\""),
            ("é、b", "\"é、b\""),
            ("", "\"\""),
        ] {
            assert_eq!(listed(name), shown);
        }
    }

    #[test]
    fn a_quotation_is_cut_at_200_characters() {
        assert_eq!(quoted("a\nb"), "\"a b\"");
        assert_eq!(quoted("a\" or \"b"), r#""a\" or \"b""#);
        let long = quoted(&"é".repeat(500));
        assert_eq!(long.chars().count(), 200 + 3);
        assert!(long.ends_with("…\""));
    }
}
