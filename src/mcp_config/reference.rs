//! References such as `${TOKEN}`: to what the host gives, and to nothing else.

use crate::error::Error;
use crate::options::{self, Fields, FromFields};
use crate::text::quoted;

/// What references may stand for: an allow-list, with its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment(Vec<(String, String)>);

/// Reads the field `environment`.
impl FromFields for Environment {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self(fields.texts_by_key("environment"))
    }
}

/// Shorter values are in any text.
const SHORTEST_SECRET: usize = 4;

/// Why a server cannot be started as it was written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// What is wrong with it, in words that follow its name, and without a value.
    Unusable(String),
    /// The name that a reference has and the host does not.
    NotGiven(String),
}

impl Environment {
    /// Reads it from JSON text: `{"environment": {"NAME": "value"}}`.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names what cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }

    #[cfg(test)]
    pub(super) fn of(values: &[(&str, &str)]) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Self(values.iter().map(owned).collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(given, _)| given == name)?;
        Some(value)
    }

    /// A text with what its references stand for.
    pub(super) fn expanded(&self, text: &str) -> Result<String, Unresolved> {
        let unusable = |parts: &[&str]| Err(Unresolved::Unusable(parts.concat()));
        let mut out = String::with_capacity(text.len());
        for piece in Pieces(text) {
            match piece {
                Ok(Piece::Text(text)) => out.push_str(text),
                Ok(Piece::Reference { name, default }) => match self.get(name).or(default) {
                    Some(value) if value.contains('\0') => {
                        let name = quoted(name);
                        return unusable(&["refers to ", &name, ", whose value has a NUL"]);
                    }
                    Some(value) => out.push_str(value),
                    None => return Err(Unresolved::NotGiven(name.to_owned())),
                },
                Err(reason) => return unusable(&["cannot be used: ", reason]),
            }
        }
        Ok(out)
    }

    /// A text of a server without the values that it may have been given, as they are or as an address
    /// spells them. Where one value is a part of another, the longer one is taken out, so that nothing
    /// of it stays.
    pub(crate) fn redacted(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let mut longest = None;
            for (name, value) in &self.0 {
                let length = spelled(value, rest).filter(|_| value.len() >= SHORTEST_SECRET);
                if length > longest.map(|(length, _)| length) {
                    longest = length.map(|length| (length, name));
                }
            }
            let length = match longest {
                Some((length, name)) => {
                    out.push_str("${");
                    out.push_str(name);
                    out.push('}');
                    length
                }
                None => {
                    out.push(first);
                    first.len_utf8()
                }
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        out
    }
}

/// How many bytes of a text spell `value`, if it begins with that: in letters of any case, as hosts
/// are written, and as it is or with `%` and digits.
fn spelled(value: &str, text: &str) -> Option<usize> {
    let as_it_is = text.as_bytes().get(..value.len());
    let as_it_is = as_it_is.filter(|found| found.eq_ignore_ascii_case(value.as_bytes()));
    as_it_is.map(<[u8]>::len).max(encoded(value, text))
}

fn encoded(value: &str, text: &str) -> Option<usize> {
    let text = text.as_bytes();
    let mut at = 0;
    for byte in value.bytes() {
        at += match text.get(at..)? {
            [b'%', high, low, ..] if hexadecimal(*high, *low) == Some(u32::from(byte)) => 3,
            [b'+', ..] if byte == b' ' => 1,
            [found, ..] if found.eq_ignore_ascii_case(&byte) => 1,
            _ => return None,
        };
    }
    Some(at)
}

fn hexadecimal(high: u8, low: u8) -> Option<u32> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some(digit(high)? * 16 + digit(low)?)
}

/// Whether the references of a text can be read.
pub(super) fn check(text: &str) -> Result<(), &'static str> {
    Pieces(text).try_for_each(|piece| piece.map(|_| ()))
}

enum Piece<'a> {
    Text(&'a str),
    Reference {
        name: &'a str,
        /// What it stands for where the host gives nothing.
        default: Option<&'a str>,
    },
}

/// A text, piece by piece. `$${` is a literal `${`; any other `$` is itself.
struct Pieces<'a>(&'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = Result<Piece<'a>, &'static str>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let Some(at) = self.0.find("${") else {
            return Some(Ok(Piece::Text(std::mem::take(&mut self.0))));
        };
        let (before, from) = self.0.split_at(at);
        let inside = from.strip_prefix("${").unwrap_or_default();
        if before == "$" {
            self.0 = inside;
            return Some(Ok(Piece::Text("${")));
        }
        let plain = before.strip_suffix('$').unwrap_or(before);
        if !plain.is_empty() {
            self.0 = self.0.split_at(plain.len()).1;
            return Some(Ok(Piece::Text(plain)));
        }
        let Some((reference, rest)) = inside.split_once('}') else {
            self.0 = "";
            return Some(Err("a reference has no end"));
        };
        self.0 = rest;
        let (name, default) = match reference.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (reference, None),
        };
        if !is_variable(name) {
            self.0 = "";
            return Some(Err("a reference has no name"));
        }
        Some(Ok(Piece::Reference { name, default }))
    }
}

fn is_variable(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty() && name.bytes().all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_given_is_put_in_once() {
        let environment = Environment::of(&[("A", "1"), ("B_2", "${A}"), ("E", "")]);
        for (text, expected) in [
            ("", Ok("")),
            ("plain $ {A} $A $$", Ok("plain $ {A} $A $$")),
            ("${A}", Ok("1")),
            ("x${A}y${A}", Ok("x1y1")),
            // A value is not read again.
            ("${B_2}", Ok("${A}")),
            ("${E}", Ok("")),
            ("$${A}", Ok("${A}")),
            ("a$${A}b${A}", Ok("a${A}b1")),
            ("$$${A}", Ok("$${A}")),
            ("$${", Ok("${")),
            ("${C:-d}", Ok("d")),
            ("${C:-}", Ok("")),
            ("${A:-d}", Ok("1")),
            ("${E:-d}", Ok("")),
            ("é${A}é", Ok("é1é")),
            ("${C}", Err("!C")),
            ("${", Err("cannot be used: a reference has no end")),
            ("${}", Err("cannot be used: a reference has no name")),
            ("${env:A}", Err("cannot be used: a reference has no name")),
            ("${1A}", Err("cannot be used: a reference has no name")),
        ] {
            let expanded = environment.expanded(text);
            let expected = expected.map(str::to_owned).map_err(|problem: &str| {
                match problem.strip_prefix('!') {
                    Some(name) => Unresolved::NotGiven(name.to_owned()),
                    None => Unresolved::Unusable(problem.to_owned()),
                }
            });
            assert_eq!(expanded, expected, "{text}");
        }
    }

    #[test]
    fn values_are_taken_out_of_what_a_server_says() {
        let environment = Environment::of(&[("TOKEN", "secret"), ("SHORT", "a")]);
        assert_eq!(
            environment.redacted("a secret, secret"),
            "a ${TOKEN}, ${TOKEN}"
        );
        let environment = Environment::of(&[("TOKEN", "S|cret k\u{e9}y%")]);
        for text in [
            "S|cret k\u{e9}y%",
            "s%7cCRET%20k%C3%A9y%25",
            "%53%7C%63ret+k%c3%a9y%25",
        ] {
            assert_eq!(environment.redacted(text), "${TOKEN}");
        }
        let literal = Environment::of(&[("TOKEN", "a%25b")]);
        assert_eq!(literal.redacted("a%25b a%2525b"), "${TOKEN} ${TOKEN}");
        for text in ["S%7", "S%7xcret", "S|cret", "%", ""] {
            assert_eq!(environment.redacted(text), text);
        }
        // In whichever order they were given, nothing of a longer one stays.
        for values in [
            [("SHORT", "secret"), ("LONG", "secret-key")],
            [("LONG", "secret-key"), ("SHORT", "secret")],
        ] {
            let environment = Environment::of(&values);
            assert_eq!(
                environment.redacted("é secret-key secret"),
                "é ${LONG} ${SHORT}"
            );
        }
    }
}
