//! Views of a catalog: patterns that let skills through or hold them back.

use crate::options::{Fields, FromFields};

/// What [`Catalog::only_json`] takes.
pub(crate) struct Patterns(pub(crate) Vec<String>);

impl FromFields for Patterns {
    fn from_fields(fields: &Fields<'_>) -> Self {
        const PATTERNS: &str = "patterns";
        if fields.get(PATTERNS).is_none() {
            fields.refuse(
                PATTERNS,
                "must be a list of text, such as [\"pdf\", \"!draft-*\"]",
            );
        }
        Self(fields.texts(PATTERNS))
    }
}

/// One call of [`Catalog::only`].
#[derive(Clone, Debug)]
pub(crate) struct View {
    let_through: Vec<String>,
    held_back: Vec<String>,
}

impl View {
    pub(crate) fn new(patterns: &[String]) -> Self {
        let (held_back, let_through): (Vec<_>, Vec<_>) = patterns
            .iter()
            .cloned()
            .partition(|pattern| pattern.starts_with('!'));
        let held_back = held_back
            .iter()
            .map(|pattern| pattern.trim_start_matches('!').to_owned());
        Self {
            let_through,
            held_back: held_back.collect(),
        }
    }

    pub(crate) fn shows(&self, name: &str) -> bool {
        let all = self.let_through.is_empty() && !self.held_back.is_empty();
        (all || self
            .let_through
            .iter()
            .any(|pattern| matches(pattern, name)))
            && !self.held_back.iter().any(|pattern| matches(pattern, name))
    }
}

/// Whether `name` has the form of `pattern`, in which `*` stands for any characters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut name) = name.strip_prefix(first) else {
        return false;
    };
    let mut parts = rest.split('*');
    let Some(last) = parts.next_back() else {
        return true;
    };
    for part in parts {
        let Some(at) = name.find(part) else {
            return false;
        };
        name = name.get(at + part.len()..).unwrap_or_default();
    }
    name.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(
                View::new(&patterns).shows(name),
                shown,
                "{patterns:?} {name}"
            );
        }
    }
}
