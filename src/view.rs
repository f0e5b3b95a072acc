//! Views of a catalog: patterns that let skills through or hold them back.

use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::error::Error;
use crate::near::{near, near_names};
use crate::operation::Io;
use crate::options::{self, Fields, FromFields};
use crate::places::Places;
use crate::text::{counted, folded, quoted};

/// A pattern fits no skill.
const PATTERN_IDLE: Rule = Rule::warning("only-pattern-idle");

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
/// name is written, whoever lets it through or holds it back means the same skill. In which order
/// patterns stand makes no difference: what one of them holds back, none lets through.
///
/// However many names and beginnings there are, a key is looked up once for each of its characters.
#[derive(Debug, Default)]
pub(crate) struct View {
    patterns: Vec<Pattern>,
    /// Whether a pattern lets through.
    lets_through: bool,
    /// Where the pattern of a name is.
    names: Places,
    /// Where the pattern of a beginning is.
    beginnings: Places,
    /// What else there is: where the pattern is, and what stands before, between and after each `*`.
    others: Vec<(usize, Vec<String>)>,
}

#[derive(Debug)]
struct Pattern {
    written: String,
    /// Whether it, or one that means the same skills, holds back.
    holds_back: bool,
}

impl View {
    pub(crate) async fn new(io: &Io, patterns: &[String]) -> Self {
        let mut view = Self::default();
        for written in patterns {
            let signed = written.trim_start();
            let mut name = folded(signed.trim_start_matches('!')).into_owned();
            // Two `*` side by side are one.
            while name.contains("**") {
                name = name.replace("**", "*");
            }
            // Each part is normalized by itself: a character that becomes `*` is none.
            let parts = name.split('*').map(str::to_owned).collect();
            let parts = io.normalize(parts).await;
            let holds_back = signed.starts_with('!');
            view.lets_through |= !holds_back;
            view.add(
                parts,
                Pattern {
                    written: written.clone(),
                    holds_back,
                },
            );
        }
        view
    }

    fn add(&mut self, mut parts: Vec<String>, pattern: Pattern) {
        let place = self.patterns.len();
        let known = match parts.as_mut_slice() {
            [name] => known_or_added(&mut self.names, name, place),
            [first, last] if last.is_empty() => known_or_added(&mut self.beginnings, first, place),
            _ => {
                self.others.push((place, parts));
                None
            }
        };
        match known.and_then(|known| self.patterns.get_mut(known)) {
            Some(known) => known.holds_back |= pattern.holds_back,
            None => self.patterns.push(pattern),
        }
    }

    /// Calls `fits` with the place of each pattern that fits a key.
    fn each_that_fits(&self, key: &str, fits: &mut dyn FnMut(usize)) {
        if let Some(place) = self.names.get(key) {
            fits(place);
        }
        if self.beginnings.count() > 0 {
            for end in 0..=key.len() {
                let beginning = key.get(..end);
                if let Some(place) = beginning.and_then(|it| self.beginnings.get(it)) {
                    fits(place);
                }
            }
        }
        for (place, parts) in &self.others {
            if has_parts(key, parts) {
                fits(*place);
            }
        }
    }

    /// Whether it shows the skill that is looked up by `key`.
    pub(crate) fn shows(&self, key: &str) -> bool {
        let all = !self.lets_through && !self.patterns.is_empty();
        let is_let_through = all || self.fits(key, false);
        is_let_through && !self.holds_back(key)
    }

    /// Whether a pattern says that what has this key is not to be shown.
    pub(crate) fn holds_back(&self, key: &str) -> bool {
        self.fits(key, true)
    }

    fn fits(&self, key: &str, holds_back: bool) -> bool {
        let mut is_fit = false;
        self.each_that_fits(key, &mut |place| {
            let pattern = self.patterns.get(place);
            is_fit |= pattern.is_some_and(|pattern| pattern.holds_back == holds_back);
        });
        is_fit
    }

    /// That patterns fit none of `keys`, which are those that it could show: what was to be held back
    /// may be misspelled.
    pub(crate) fn finding(&self, keys: &[&str], mode: Mode) -> Option<Diagnostic> {
        let mut is_idle = vec![true; self.patterns.len()];
        for key in keys {
            self.each_that_fits(key, &mut |place| {
                if let Some(is_idle) = is_idle.get_mut(place) {
                    *is_idle = false;
                }
            });
        }
        let mut idle = self
            .patterns
            .iter()
            .zip(is_idle)
            .filter(|(_, is_idle)| *is_idle);
        let written = &idle.next()?.0.written;
        let more = match idle.count() {
            0 => String::new(),
            more => [" and ", &counted(more, "other")].concat(),
        };
        let message = [
            "the pattern ",
            &quoted(written),
            &more,
            " of only: no skill has such a name",
        ];
        let name = written.trim_start_matches('!');
        let near = near_names(&near(name, keys.iter().copied()));
        let hint = match near.trim_start() {
            "" => "correct it, or take it out",
            near => near,
        };
        let found = Diagnostic::new(&PATTERN_IDLE, mode, message.concat());
        Some(found.with_hint(hint.to_owned()))
    }
}

/// The place that a text has already; otherwise it has `place` from now on.
fn known_or_added(places: &mut Places, text: &mut String, place: usize) -> Option<usize> {
    let known = places.get(text);
    if known.is_none() {
        places.add(std::mem::take(text), place);
    }
    known
}

/// Whether a key begins with the first of `parts`, ends with the last, and has the others between, in
/// their order.
fn has_parts(key: &str, parts: &[String]) -> bool {
    let [first, between @ .., last] = parts else {
        return false;
    };
    let Some(mut rest) = key.strip_prefix(first.as_str()) else {
        return false;
    };
    for part in between {
        let Some((_, after)) = rest.split_once(part.as_str()) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Operation;

    fn view(patterns: &[&str]) -> View {
        let patterns: Vec<String> = patterns.iter().map(|&it| it.to_owned()).collect();
        Operation::new(|io| async move { View::new(&io, &patterns).await })
            .run(|request| panic!("{request:?}: ASCII is its own form"))
            .unwrap()
    }

    #[test]
    fn patterns_let_through_and_hold_back() {
        for (patterns, name, shown) in [
            (&["pdf"][..], "pdf", true),
            (&["pdf"], "pdf-forms", false),
            (&["pdf-*"], "pdf-forms", true),
            (&["pdf-*"], "pdf", false),
            (&["*"], "pdf", true),
            (&["!pdf"], "pdf", false),
            (&["!pdf"], "code-review", true),
            (&["*", "!pdf-*"], "pdf-forms", false),
            (&["!pdf-*", "*", "pdf-forms"], "pdf-forms", false),
            (&["a*c*e"], "abcde", true),
            (&["a*c*e"], "abde", false),
            (&["a*a"], "a", false),
            (&["**c**e"], "abcde", true),
            (&["*-forms"], "pdf-forms", true),
            // Blanks around a name are none of it, and so are further signs.
            ([" ! pdf "].as_slice(), "pdf", false),
            (&["!!pdf"], "pdf", false),
            (&[" pdf"], "pdf", true),
            (&["PDF"], "pdf", false),
            // What fits nothing lets nothing through, and holds nothing back.
            (&[], "pdf", false),
            (&[""], "pdf", false),
            (&["!"], "pdf", true),
            (&["pdf@1.0"], "pdf", false),
        ] {
            assert_eq!(view(patterns).shows(name), shown, "{patterns:?} {name}");
        }
    }

    #[test]
    fn patterns_that_fit_nothing_are_told() {
        let keys = ["code-review", "pdf", "pdf-forms"];
        for (patterns, message) in [
            (&["pdf", "!code-*", "*-forms", "*"][..], None),
            (&[], None),
            (
                &["!pfd"],
                Some("the pattern \"!pfd\" of only: no skill has such a name"),
            ),
            (
                &["pdf", "PDF", "tea-*", "*z*"],
                Some("the pattern \"PDF\" and 2 others of only: no skill has such a name"),
            ),
        ] {
            let found = view(patterns).finding(&keys, Mode::Lenient);
            let found = found.map(|found| found.message.into_owned());
            assert_eq!(found.as_deref(), message, "{patterns:?}");
        }
        let found = view(&["!pfd"]).finding(&keys, Mode::Lenient);
        let hint = found.and_then(|found| found.hint).unwrap_or_default();
        assert_eq!(hint, "Did you mean \"pdf\"?");
    }

    #[test]
    fn long_patterns_are_matched_a_part_at_a_time() {
        let stars = "*a".repeat(100_000);
        let view = view(&[&stars, &["!", &stars, "*"].concat()]);
        assert!(!view.shows(&"a".repeat(256)));
        assert!(!view.shows("b"));
    }
}
