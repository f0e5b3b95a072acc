//! A line that begins with a slash, and the names that it may begin with.

/// A line that begins with a slash.
pub(super) struct Line<'a> {
    /// Without the slash.
    rest: &'a str,
}

/// How long a name may be. All that is longer is no name, however long the line is.
#[derive(Clone, Copy)]
pub(super) struct Longest {
    pub(super) words: usize,
    /// Code points, with single blanks between the words.
    pub(super) characters: usize,
}

impl Longest {
    /// Of a name that is there, nothing is too long.
    pub(super) const ANY: Self = Self {
        words: usize::MAX,
        characters: usize::MAX,
    };
}

/// First words of a line as a name, and what follows them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Beginning<'a> {
    /// With single blanks.
    pub(super) name: String,
    /// Without blanks at its ends.
    pub(super) extra: &'a str,
}

impl<'a> Line<'a> {
    /// `None` where the line is no slash command.
    pub(super) fn parse(input: &'a str) -> Option<Self> {
        let rest = input.strip_prefix('/')?;
        (!rest.starts_with(char::is_whitespace) && !rest.is_empty()).then_some(Self { rest })
    }

    /// The line that calls for a name and nothing else.
    pub(super) fn of_name(name: &'a str) -> Self {
        Self { rest: name }
    }

    pub(super) fn first_word(&self) -> &'a str {
        self.rest.split_whitespace().next().unwrap_or_default()
    }

    /// The names within `longest` that it may begin with, the longest first.
    pub(super) fn beginnings(&self, longest: Longest) -> Vec<Beginning<'a>> {
        let mut beginnings = Vec::new();
        let mut name = String::new();
        let mut rest = self.rest;
        let mut left = longest.characters;
        while beginnings.len() < longest.words {
            let word = rest.trim_start();
            let end = word.find(char::is_whitespace).unwrap_or(word.len());
            let (word, after) = word.split_at(end);
            if word.is_empty() || word.chars().nth(left).is_some() {
                break;
            }
            left = left.saturating_sub(word.chars().count() + 1);
            if !name.is_empty() {
                name.push(' ');
            }
            name.push_str(word);
            rest = after;
            beginnings.push(Beginning {
                name: name.clone(),
                extra: rest.trim(),
            });
        }
        beginnings.reverse();
        beginnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beginning<'a>(name: &str, extra: &'a str) -> Beginning<'a> {
        Beginning {
            name: name.to_owned(),
            extra,
        }
    }

    #[test]
    fn a_line_has_its_longest_name_first() {
        let line = Line::parse("/code  review\tthis  file \n now ").unwrap();
        let both = [
            beginning("code review", "this  file \n now"),
            beginning("code", "review\tthis  file \n now"),
        ];
        for (words, characters, first) in [
            (2, 20, 0),
            (9, 12, 0),
            (9, 11, 0),
            (9, 10, 1),
            (1, 20, 1),
            (9, 4, 1),
            (9, 3, 2),
            (0, 20, 2),
        ] {
            let longest = Longest { words, characters };
            assert_eq!(
                line.beginnings(longest),
                both[first..],
                "{words} {characters}"
            );
        }
    }

    #[test]
    fn a_line_begins_with_a_slash_and_a_word() {
        for text in ["", "/", "/ x", "x /y", " /x"] {
            assert!(Line::parse(text).is_none(), "{text:?}");
        }
    }
}
