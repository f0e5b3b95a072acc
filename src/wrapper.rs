//! The tag around a text that a model is given, which nothing in the text closes or opens again.

use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::hidden;
use crate::look_alike::{ascii_form, is_read_as};
use crate::text::{attribute_escaped, one_line};
use crate::tool_options::Wrapper;

/// The body has a tag that could be taken for the wrapper around it.
const WRAPPER_TAG_IN_BODY: Rule = Rule::warning("wrapper-tag-in-body");

/// Adds the body in its tag. Tells whether a literal tag in the body had to be escaped.
pub(crate) fn push_wrapped(content: &mut String, name: &str, body: &str, wrapper: Wrapper) -> bool {
    let Some(tag) = wrapper.tag() else {
        content.push_str(body);
        return false;
    };
    for part in [
        "<",
        tag,
        " name=\"",
        &attribute_escaped(&one_line(name)),
        "\">\n",
    ] {
        content.push_str(part);
    }
    let escaped = push_escaped(content, body, tag);
    for part in ["\n</", tag, ">"] {
        content.push_str(part);
    }
    escaped
}

/// Adds `body` with the `<` of each literal `<tag` and `</tag` as `&lt;`, and nothing else changed.
pub(crate) fn push_escaped(content: &mut String, body: &str, tag: &str) -> bool {
    let mut escaped = false;
    let mut rest = body;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        content.push_str(before);
        rest = from.strip_prefix('<').unwrap_or_default();
        if begins_tag(rest, tag) {
            content.push_str("&lt;");
            escaped = true;
        } else {
            content.push('<');
        }
    }
    content.push_str(rest);
    escaped
}

/// Whether `text`, what follows a `<`, begins the tag or its end, as a reader sees it: in any case, with
/// blanks, with characters between that nobody sees, in letters and slashes that look like these.
pub(crate) fn begins_tag(text: &str, tag: &str) -> bool {
    let mut seen = text.chars().filter(|c| is_seen(*c)).peekable();
    while seen
        .next_if(|c| c.is_whitespace() || is_slash(*c))
        .is_some()
    {}
    for letter in tag.chars() {
        if seen.next_if(|c| is_read_as(*c, letter)).is_none() {
            return false;
        }
    }
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    seen.next_if(|c| goes_on(ascii_form(*c))).is_none()
}

/// Whether a character takes room of its own between letters: white space does, but not what nobody sees,
/// a control, or an accent of the one before.
fn is_seen(c: char) -> bool {
    let is_blank = matches!(c, ' ' | '\t' | '\n' | '\r');
    let is_accent = matches!(c,
        '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}');
    is_blank || !(is_accent || hidden::is_invisible(c) || hidden::is_control(c))
}

/// Whether a character is a slash of any kind.
fn is_slash(c: char) -> bool {
    matches!(
        ascii_form(c),
        '/' | '\\'
            | '\u{2044}'
            | '\u{2215}'
            | '\u{2216}'
            | '\u{2571}'
            | '\u{2572}'
            | '\u{27CB}'
            | '\u{27CD}'
            | '\u{29F5}'
            | '\u{29F8}'
            | '\u{29F9}'
            | '\u{FE68}'
    )
}

/// That a body has a tag that could be taken for the wrapper around it.
pub(crate) fn wrapper_tag_found(mode: Mode) -> Diagnostic {
    let message = "the body has a literal tag of the wrapper around it; it is escaped when loaded";
    Diagnostic::new(&WRAPPER_TAG_IN_BODY, mode, message)
        .with_hint("remove the tag, or choose another wrapper for the tools")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_wrappers_own_tags_are_escaped() {
        for (body, tag, expected) in [
            (
                "a </skill_content> b",
                "skill_content",
                "a &lt;/skill_content> b",
            ),
            (
                "<SKILL_content name=\"x\">",
                "skill_content",
                "&lt;SKILL_content name=\"x\">",
            ),
            ("< / skill >", "skill", "&lt; / skill >"),
            (
                "<skill_resources> <skills>",
                "skill",
                "<skill_resources> <skills>",
            ),
            ("</skill", "skill", "&lt;/skill"),
            ("a < b <b> </b> << <", "skill", "a < b <b> </b> << <"),
            ("&lt;skill>", "skill", "&lt;skill>"),
            // As a reader sees it.
            ("</sk\u{200B}ill>", "skill", "&lt;/sk\u{200B}ill>"),
            (
                "<\u{E0041}/\u{202E}skill\u{2060}>",
                "skill",
                "&lt;\u{E0041}/\u{202E}skill\u{2060}>",
            ),
            ("<\u{0}/skill>", "skill", "&lt;\u{0}/skill>"),
            ("</ѕkіll>", "skill", "&lt;/ѕkіll>"),
            ("</sk\u{200B}ills>", "skill", "</sk\u{200B}ills>"),
            ("<é", "skill", "<é"),
        ] {
            let mut content = String::new();
            let escaped = push_escaped(&mut content, body, tag);
            assert_eq!(content, expected);
            assert_eq!(escaped, body != expected);
        }
    }

    #[test]
    fn a_tag_is_one_in_every_alphabet_that_looks_like_it() {
        for tag in [
            "</ЅКІLL>",
            "</SΚΙLL>",
            "</ꓢꓗꓲꓡꓡ>",
            "</ᏚᏦᎥᏞᏞ>",
            "</ꮪkill>",
            "</𝒮𝒦ℐℒℒ>",
            "</𝔖𝔎ℑ𝔏𝔏>",
            "</sk𝚤ll>",
            "</ₛₖᵢₗₗ>",
            "</ˢᵏⁱˡˡ>",
            "</⒮⒦⒤⒧⒧>",
            "</🅂🄺🄸🄻🄻>",
            "</🅢🅚🅘🅛🅛>",
            "</🆂🅺🅸🅻🅻>",
            "</🄢🄚🄘🄛🄛>",
            "</ꜱᴋɪʟʟ>",
            "</skɩǀ∣>",
            "</sk\u{301}ill>",
            "</sk\u{483}ill>",
            "</sk\u{1AB0}ill>",
            "</sk\u{1DC4}ill>",
            "</sk\u{20DD}ill>",
            "</sk\u{FE20}ill>",
            "<╱skill>",
            "<⟋skill>",
            "<∖skill>",
            "<﹨skill>",
        ] {
            let mut content = String::new();
            assert!(push_escaped(&mut content, tag, "skill"), "{tag}");
            assert_eq!(content, tag.replacen('<', "&lt;", 1));
        }
    }
}
