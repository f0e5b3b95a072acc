//! What follows the name: added below the body, or put where the body has a place for it.

/// `body`, a blank line and the extra text, if there is one.
pub(super) fn with_extra(mut body: String, extra: &str) -> String {
    if !extra.is_empty() {
        body.push_str("\n\n");
        body.push_str(extra);
    }
    body
}

/// A body with its placeholders filled in.
pub(crate) struct Filled {
    pub(crate) text: String,
    /// Whether it had any.
    is_used: bool,
}

impl Filled {
    /// With the extra text below, where there was no place for it.
    pub(super) fn with_extra(self, extra: &str) -> String {
        if self.is_used {
            self.text
        } else {
            with_extra(self.text, extra)
        }
    }
}

/// How many bytes a body may have that is filled in, where one that is read may have `limit`.
pub(super) fn most_bytes(extra: &str, limit: u32) -> usize {
    extra.len().saturating_add(limit as usize)
}

/// `body` with its placeholders filled in; `None` where that is too much. What is filled in is not
/// looked at again.
pub(crate) fn filled(body: &str, extra: &str, limit: u32) -> Option<Filled> {
    let most = most_bytes(extra, limit);
    let arguments = arguments(extra);
    let mut out = String::with_capacity(body.len() + extra.len());
    let mut is_used = false;
    let mut rest = body;
    while let Some(at) = rest.find('$') {
        let (before, placeholder) = rest.split_at(at);
        let Some((found, length)) = Placeholder::at_start(placeholder) else {
            out.push_str(before);
            out.push('$');
            rest = placeholder.get(1..).unwrap_or_default();
            continue;
        };
        let (literal, after) = placeholder.split_at(length);
        if let Some(before) = before.strip_suffix('\\') {
            out.push_str(before);
            out.push_str(literal);
        } else {
            out.push_str(before);
            out.push_str(found.value(extra, &arguments));
            is_used = true;
        }
        // A few placeholders and a long line would fill the memory.
        if out.len() > most {
            return None;
        }
        rest = after;
    }
    out.push_str(rest);
    (!is_used || out.len() <= most).then_some(Filled { text: out, is_used })
}

enum Placeholder {
    All,
    /// Counted from 1.
    Number(usize),
}

impl Placeholder {
    /// The placeholder that `text` begins with, and its length. `$10`, `$1.50` and `$1st` are none.
    fn at_start(text: &str) -> Option<(Self, usize)> {
        const ALL: &str = "$ARGUMENTS";
        let continues = |c: char| c.is_alphanumeric() || c == '_';
        if let Some(after) = text.strip_prefix(ALL) {
            return (!after.starts_with(continues)).then_some((Self::All, ALL.len()));
        }
        let mut characters = text.chars().skip(1);
        let digit = characters.next()?.to_digit(10).filter(|digit| *digit > 0)?;
        let next = characters.next();
        let is_price =
            matches!(next, Some('.' | ',')) && characters.next().is_some_and(char::is_numeric);
        if next.is_some_and(continues) || is_price {
            return None;
        }
        Some((Self::Number(digit as usize), 2))
    }

    fn value<'a>(&self, extra: &'a str, arguments: &'a [String]) -> &'a str {
        match self {
            Self::All => extra,
            Self::Number(number) => arguments
                .get(number - 1)
                .map(String::as_str)
                .unwrap_or_default(),
        }
    }
}

/// Words, where quotes keep what belongs together. A quote that is not closed reaches to the end.
fn arguments(extra: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in extra.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c.is_whitespace() => arguments.extend(word.take()),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            Some(_) | None => word.get_or_insert_default().push(c),
        }
    }
    arguments.extend(word);
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_in_once() {
        for (body, extra, text) in [
            ("Do $ARGUMENTS.", "a b", "Do a b."),
            ("$1 then $2, $1", "a b", "a then b, a"),
            ("$2|$3|", "a \"b c\"", "b c||"),
            ("$1", "'it is' x", "it is"),
            ("$1", "\"open end", "open end"),
            ("$1", "\"\" x", ""),
            ("No place.", "a b", "No place.\n\na b"),
            ("No place.", "", "No place."),
            ("All: $ARGUMENTS", "", "All: "),
            (
                r"Write \$ARGUMENTS or \$1",
                "a",
                "Write $ARGUMENTS or $1\n\na",
            ),
            (r"\$1 is $1", "a", "$1 is a"),
            ("$1 and $ARGUMENTS", "$2 $1", "$2 and $2 $1"),
            (
                "$10 $1.50 $2,5 $1st $0 $ARGUMENTS_ $",
                "a",
                "$10 $1.50 $2,5 $1st $0 $ARGUMENTS_ $\n\na",
            ),
            ("costs $1. Or $1, or ($1)", "a", "costs a. Or a, or (a)"),
        ] {
            let filled = filled(body, extra, 1000).map(|filled| filled.with_extra(extra));
            assert_eq!(filled.as_deref(), Some(text), "{body} {extra}");
        }
    }

    #[test]
    fn what_is_filled_in_has_a_bound_with_all_that_follows() {
        for (body, text) in [
            ("$1 and x", Some("abc and x")),
            ("$1$1 and x", None),
            ("$1 and no more", None),
        ] {
            let filled = filled(body, "abc", 6).map(|filled| filled.with_extra("abc"));
            assert_eq!(filled.as_deref(), text, "{body}");
        }
    }
}
