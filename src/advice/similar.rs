//! Descriptions of one catalog that are so alike that a model cannot choose between their skills.

use std::hash::Hasher as _;

use rustc_hash::FxHasher;

use super::{Hints, SIMILAR, hint};
use crate::diagnostic::{Diagnostic, Position};
use crate::error::Error;
use crate::options::{self, Fields, FromFields};
use crate::order::sort_by;
use crate::text::{lowercase, quoted};

/// Shorter descriptions are not compared.
const FEWEST_WORDS: usize = 3;
/// Two are alike when they share four fifths of all their words.
const SHARED: usize = 4;
const OF: usize = 5;
/// With how many others that share a word one is compared: a hostile catalog is not compared for
/// minutes.
const MOST_COMPARED: usize = 256;

/// A skill as far as it is compared.
struct Described {
    name: String,
    path: Option<String>,
    position: Option<Position>,
    /// The words of its description, as numbers, sorted, each once.
    words: Vec<u64>,
}

struct Shelf {
    skills: Vec<Described>,
    hints: Hints,
}

impl FromFields for Shelf {
    fn from_fields(fields: &Fields<'_>) -> Self {
        let mut skills = Vec::new();
        fields.each("skills", &mut |skill| {
            let (line, column) = (skill.number("line", 0), skill.number("column", 0));
            skills.push(Described {
                name: skill.required_text("name"),
                path: skill.text("path"),
                position: (line > 0).then_some(Position { line, column }),
                words: words(&skill.required_text("description")),
            });
        });
        let hints = Hints::of(fields);
        Self { skills, hints }
    }
}

/// The hints for the skills of one catalog, taken as JSON text: `skills`, each with `name`,
/// `description` and where it is, and `hints` as [`crate::ValidateOptions`] has them.
///
/// # Errors
///
/// [`Error::SourceUnsupported`], which names what cannot be used.
pub fn similar_descriptions(shelf: &str) -> Result<Vec<Diagnostic>, Error> {
    let Shelf { skills, hints } = options::read(shelf)?;
    if !hints.wants(&SIMILAR) {
        return Ok(Vec::new());
    }
    let twins = twins(&skills);
    let found = skills.iter().zip(twins).filter_map(|(skill, twin)| {
        let twin = quoted(&skills.get(twin?)?.name);
        let message = ["the description is nearly the same as that of ", &twin].concat();
        let remedy = "say in both what sets them apart, or make one skill of them";
        let mut found = hint(&SIMILAR, message, remedy).about(skill.name.as_str());
        found.path = skill.path.as_deref().map(Into::into);
        found.position = skill.position;
        Some(found)
    });
    Ok(found.collect())
}

fn words(description: &str) -> Vec<u64> {
    let lower = lowercase(description);
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let mut numbers: Vec<u64> = words.filter(|word| !word.is_empty()).map(number).collect();
    sort_by(&mut numbers, Ord::cmp);
    numbers.dedup();
    numbers
}

/// A word as a number of 32 bits, which tell words apart well enough.
fn number(word: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    hasher.finish() & 0xFFFF_FFFF
}

/// For each skill the first one before it that is like it.
///
/// Two lists that share four fifths of their numbers have one in common among the first few of
/// each, so only those that do are compared.
fn twins(skills: &[Described]) -> Vec<Option<usize>> {
    // The word in the upper half, the skill in the lower one: a sort that is there already sorts both.
    let mut firsts: Vec<u64> = Vec::new();
    for (index, skill) in skills.iter().enumerate() {
        let count = skill.words.len();
        if count >= FEWEST_WORDS {
            let prefix = count - (count * SHARED).div_ceil(OF) + 1;
            let first = skill.words.iter().take(prefix);
            firsts.extend(first.map(|word| word << 32 | index as u64));
        }
    }
    sort_by(&mut firsts, Ord::cmp);
    let mut twins: Vec<Option<usize>> = vec![None; skills.len()];
    for group in firsts.chunk_by(|a, b| a >> 32 == b >> 32) {
        for (at, later) in group.iter().enumerate() {
            let later = index_of(*later);
            for earlier in group.iter().take(at.min(MOST_COMPARED)) {
                let earlier = index_of(*earlier);
                let Some(twin) = twins.get_mut(later) else {
                    continue;
                };
                if twin.is_some_and(|twin| twin <= earlier) {
                    break;
                }
                if are_alike(skills.get(earlier), skills.get(later)) {
                    *twin = Some(earlier);
                }
            }
        }
    }
    twins
}

/// The skill of a first word.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the lower half is an index that was a usize"
)]
fn index_of(first: u64) -> usize {
    (first & 0xFFFF_FFFF) as usize
}

fn are_alike(a: Option<&Described>, b: Option<&Described>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return false;
    };
    let (mut left, mut right) = (a.words.iter().peekable(), b.words.iter().peekable());
    let mut shared = 0;
    while let (Some(one), Some(other)) = (left.peek(), right.peek()) {
        let order = one.cmp(other);
        shared += usize::from(order.is_eq());
        if order.is_le() {
            left.next();
        }
        if order.is_ge() {
            right.next();
        }
    }
    let all = a.words.len() + b.words.len() - shared;
    shared * OF >= all * SHARED
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `name message` of each hint.
    fn found(descriptions: &[&str]) -> Vec<String> {
        let skills: Vec<String> = descriptions
            .iter()
            .enumerate()
            .map(|(index, text)| {
                format!(r#"{{"name":"s{index}","description":"{text}","line":3,"column":14}}"#)
            })
            .collect();
        let shelf = format!(r#"{{"skills":[{}],"hints":true}}"#, skills.join(","));
        let found = similar_descriptions(&shelf).expect("it can be used");
        let told = |hint: &Diagnostic| {
            assert_eq!(
                hint.position,
                Some(Position {
                    line: 3,
                    column: 14
                })
            );
            let name = hint.skill.as_deref().unwrap_or_default();
            let twin = hint.message.rsplit(' ').next().unwrap_or_default();
            format!("{name} {twin}")
        };
        found.iter().map(told).collect()
    }

    #[test]
    fn nearly_the_same_is_found() {
        let found = found(&[
            "Fills in PDF forms for people. Use it when a form has to be filled in.",
            "Writes release notes. Use it for a release.",
            "Fills in PDF forms for people; use it when one form has to be filled in!",
            "fills in pdf forms for people use it when a form has to be filled in",
            "Fills in tax returns. Use it when a return is due.",
            "Two words",
            "Two words",
        ]);
        assert_eq!(found, ["s2 \"s0\"", "s3 \"s0\""]);
    }

    #[test]
    fn thousands_that_share_all_but_their_own_words_are_told_apart() {
        let texts: Vec<String> = (0..3000)
            .map(|n| format!("use this when {n}a {n}b {n}c {n}d"))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(found(&texts), [""; 0]);
    }

    #[test]
    fn it_can_be_turned_off() {
        let twice = r#"{"name":"a","description":"one two three"}"#;
        for (hints, count) in [
            ("true", 1),
            ("false", 0),
            (r#"{"description-similar":false}"#, 0),
            (r#"{"body-long":false}"#, 1),
        ] {
            let shelf = format!(r#"{{"skills":[{twice},{twice}],"hints":{hints}}}"#);
            let found = similar_descriptions(&shelf).expect("it can be used");
            assert_eq!(found.len(), count, "{hints}");
        }
    }
}
