//! Names like one that is not there, for messages that help to correct it.

use crate::order::sort_by;
use crate::text::quoted;

/// The candidates that look like `wanted`, nearest first, at most three.
pub(crate) fn near<'a>(wanted: &str, mut candidates: impl Iterator<Item = &'a str>) -> Vec<String> {
    // Once for all kinds of iterators.
    nearest(wanted, &mut candidates)
}

fn nearest(wanted: &str, candidates: &mut dyn Iterator<Item = &str>) -> Vec<String> {
    const MOST: usize = 3;
    let mut in_small = Vec::new();
    put_in_small(&mut in_small, wanted);
    let wanted = in_small;
    if wanted.is_empty() {
        return Vec::new();
    }
    let allowed = (wanted.len() / 3).max(2);
    let mut found: Vec<(usize, &str)> = Vec::new();
    let mut lower = Vec::new();
    for candidate in candidates {
        put_in_small(&mut lower, candidate);
        let score = if lower == wanted {
            0
        } else if lower.starts_with(&wanted) || wanted.starts_with(&lower) && !lower.is_empty() {
            1
        } else {
            match distance(&wanted, &lower, allowed) {
                Some(steps) => 1 + steps,
                None if contains(&lower, &wanted) => 1 + allowed,
                None => continue,
            }
        };
        found.push((score, candidate));
    }
    sort_by(&mut found, Ord::cmp);
    found.dedup();
    found
        .into_iter()
        .take(MOST)
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// Puts the beginning of a text, in small letters, in the place of what is there.
fn put_in_small(letters: &mut Vec<char>, text: &str) {
    const LONGEST: usize = 64;
    letters.clear();
    if text.is_ascii() {
        // A scan asks for each field that it does not know: nearly always this one.
        let bytes = text.bytes().take(LONGEST);
        letters.extend(bytes.map(|byte| char::from(byte.to_ascii_lowercase())));
    } else {
        letters.extend(text.chars().flat_map(char::to_lowercase).take(LONGEST));
    }
}

/// ` Did you mean …?`, where there is something like it.
pub(crate) fn near_names(near: &[String]) -> String {
    if near.is_empty() {
        return String::new();
    }
    let names: Vec<String> = near.iter().map(|name| quoted(name)).collect();
    format!(" Did you mean {}?", names.join(" or "))
}

fn contains(text: &[char], part: &[char]) -> bool {
    part.len() >= 3 && text.windows(part.len()).any(|window| window == part)
}

/// How many single-character edits lead from `a` to `b`, if at most `allowed`.
fn distance(a: &[char], b: &[char], allowed: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > allowed {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut lowest = i + 1;
        let mut before = i + 1;
        for (cell, right) in row.iter_mut().skip(1).zip(b) {
            let above = *cell;
            let value = (diagonal + usize::from(left != right))
                .min(above + 1)
                .min(before + 1);
            diagonal = above;
            before = value;
            *cell = value;
            lowest = lowest.min(value);
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
        if lowest > allowed {
            return None;
        }
    }
    row.last().copied().filter(|steps| *steps <= allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_ranked() {
        let names = ["code-review", "pdf", "mcp-builder", "Code-Review"];
        assert_eq!(
            near("code-reviw", names.into_iter()),
            ["Code-Review", "code-review"]
        );
        assert_eq!(near("PDF", names.into_iter()), ["pdf"]);
        assert_eq!(near("zzzzzz", names.into_iter()), Vec::<String>::new());
        assert_eq!(near("", names.into_iter()), Vec::<String>::new());
    }
}
