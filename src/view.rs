//! Views of a catalog: patterns that let skills through or hold them back.

use crate::error::Error;
use crate::operation::Io;
use crate::options::{self, Fields, FromFields};
use crate::text::folded;

/// Patterns of the skills that a view shows, as [`crate::Catalog::only`] takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patterns(pub Vec<String>);

impl Patterns {
    /// Reads them from JSON text: `{"patterns": […]}`, or `{"only": […]}` as a session calls them.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`] where they are not a list of text.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for Patterns {
    fn from_fields(fields: &Fields<'_>) -> Self {
        const PATTERNS: &str = "patterns";
        const ONLY: &str = "only";
        let key = match fields.get(ONLY) {
            Some(_) => ONLY,
            None => PATTERNS,
        };
        if fields.get(key).is_none() {
            fields.refuse(
                key,
                "must be a list of text, such as [\"pdf\", \"!draft-*\"]",
            );
        }
        Self(fields.texts(key))
    }
}

/// One call of [`crate::Catalog::only`]. Skills are judged by their keys, as look-up finds them: however a
/// name is written, whoever lets it through or holds it back means the same skill.
#[derive(Clone, Debug)]
pub(crate) struct View {
    let_through: Vec<Pattern>,
    held_back: Vec<Pattern>,
}

impl View {
    pub(crate) async fn new(io: &Io, patterns: &[String]) -> Self {
        let mut view = Self {
            let_through: Vec::new(),
            held_back: Vec::new(),
        };
        for written in patterns {
            let name = written.trim_start_matches('!');
            let pattern = Pattern::new(io, name).await;
            if name.len() == written.len() {
                view.let_through.push(pattern);
            } else {
                view.held_back.push(pattern);
            }
        }
        view
    }

    /// Whether it shows the skill that is looked up by `key`.
    pub(crate) fn shows(&self, key: &str) -> bool {
        let matches = |pattern: &Pattern| pattern.matches(key);
        let all = self.let_through.is_empty() && !self.held_back.is_empty();
        (all || self.let_through.iter().any(matches)) && !self.held_back.iter().any(matches)
    }
}

/// What stands before, between and after the `*` of a pattern, in the form of keys.
#[derive(Clone, Debug)]
struct Pattern(Vec<String>);

impl Pattern {
    /// Each part is normalized by itself: a character that becomes `*` is none.
    async fn new(io: &Io, written: &str) -> Self {
        let parts = folded(written).split('*').map(str::to_owned).collect();
        Self(io.normalize(parts).await)
    }

    fn matches(&self, key: &str) -> bool {
        let [first, rest @ ..] = self.0.as_slice() else {
            return false;
        };
        let [between @ .., last] = rest else {
            return first == key;
        };
        let Some(mut key) = key.strip_prefix(first.as_str()) else {
            return false;
        };
        for part in between {
            let Some((_, after)) = key.split_once(part.as_str()) else {
                return false;
            };
            key = after;
        }
        key.ends_with(last.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Operation;

    #[test]
    fn patterns_let_through_and_hold_back() {
        for (patterns, name, shown) in [
            (vec!["pdf"], "pdf", true),
            (vec!["pdf"], "pdf-forms", false),
            (vec!["pdf-*"], "pdf-forms", true),
            (vec!["pdf-*"], "pdf", false),
            (vec!["*"], "pdf", true),
            (vec!["!pdf"], "pdf", false),
            (vec!["!pdf"], "code-review", true),
            (vec!["*", "!pdf-*"], "pdf-forms", false),
            (vec!["a*c*e"], "abcde", true),
            (vec!["a*c*e"], "abde", false),
            (vec![], "pdf", false),
        ] {
            let patterns: Vec<String> = patterns.into_iter().map(str::to_owned).collect();
            let asked = patterns.clone();
            let view = Operation::new(|io| async move { View::new(&io, &asked).await })
                .run(|request| panic!("{request:?}: ASCII is its own form"))
                .unwrap();
            assert_eq!(view.shows(name), shown, "{patterns:?} {name}");
        }
    }
}
