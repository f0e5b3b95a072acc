//! Forms of an English word brought to one: `generates`, `generated` and `generation` to `generat`.
//!
//! The stem need not be a word. What matters is that forms of one word meet, and that words of
//! different meaning do not.

/// Endings, each with what takes its place and how many letters must stand before it. Of a step the
/// first that fits is taken off.
type Step = [(&'static str, &'static str, usize)];

const PLURAL: &Step = &[
    ("sses", "ss", 1),
    ("xes", "x", 2),
    ("ches", "ch", 2),
    ("shes", "sh", 2),
    ("ies", "y", 2),
    ("ss", "ss", 0),
    ("us", "us", 0),
    ("is", "is", 0),
    ("s", "", 2),
];

const VERB: &Step = &[
    ("eed", "ee", 1),
    ("ied", "y", 2),
    ("ing", "", 3),
    ("ed", "", 3),
];

const NOUN: &Step = &[
    ("ization", "iz", 3),
    ("isation", "iz", 3),
    ("ation", "at", 4),
    ("ator", "at", 4),
    ("ment", "", 5),
    ("er", "", 4),
    ("or", "", 4),
    ("ion", "", 4),
    ("ise", "iz", 4),
    ("yse", "yz", 3),
    ("ysis", "yz", 3),
    ("ys", "yz", 4),
    ("is", "iz", 4),
];

/// The stem of a word in small letters. What is not of English letters is its own.
pub(super) fn stem(word: &str) -> String {
    let mut stem = word.to_owned();
    if word.len() <= 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return stem;
    }
    take_off(&mut stem, PLURAL);
    let before = stem.len();
    take_off(&mut stem, VERB);
    if stem.len() < before {
        undouble(&mut stem);
    }
    take_off(&mut stem, NOUN);
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    stem
}

fn take_off(word: &mut String, step: &Step) {
    for (ending, instead, least) in step {
        let Some(before) = word.strip_suffix(ending) else {
            continue;
        };
        let has_vowel = before.bytes().any(|byte| b"aeiouy".contains(&byte));
        if before.len() >= *least && has_vowel {
            word.truncate(before.len());
            word.push_str(instead);
        }
        return;
    }
}

/// `planning` has one `n` more than `plan`.
fn undouble(word: &mut String) {
    let mut last = word.bytes().rev();
    let (last, before) = (last.next(), last.next());
    if last == before && last.is_some_and(|last| b"bdgmnprt".contains(&last)) {
        word.pop();
    }
}
