//! What is looked for, as the words of an index.

use super::index::Shown;
use super::stem::stem;
use super::tokens::{self, Kind, Token};
use super::vocabulary::{self, Vocabulary};

/// Different words at most; those that follow are not looked for.
const MOST_WORDS: usize = 256;
/// Words at most for which longer ones that begin with them count too.
const MOST_PREFIXES: usize = 16;
/// Bytes of a word at least for that.
const SHORTEST_PREFIX: usize = 3;
/// What a longer word counts beside the very word.
const OF_LONGER: f32 = 0.4;
/// What a compound counts that was written in two words: `type script` for `typescript`.
const OF_NEIGHBORS: f32 = 0.1;
/// What a part of a compound counts.
const OF_PART: f32 = 0.5;

/// A word that is looked for, and where it stands in the query.
#[derive(Debug)]
struct Wanted {
    stem: String,
    /// What longer words begin with.
    letters: String,
    weight: f32,
    start: usize,
    end: usize,
}

/// A query, and which words of an index it means.
#[derive(Debug)]
pub(super) struct Query<'a> {
    text: &'a str,
    wanted: Vec<Wanted>,
    /// For each word of the index which one of the query it is, from one on, and whether it is only
    /// one that begins with it.
    meanings: Vec<u16>,
}

/// Marks a word of the index that is longer than that of the query.
const LONGER: u16 = 1 << 15;

impl<'a> Query<'a> {
    /// `documents` are all that is shown: what else is in the vocabulary makes no difference.
    pub(super) fn new(text: &'a str, vocabulary: &Vocabulary, documents: &[Shown<'_>]) -> Self {
        let wanted = wanted_by(text, vocabulary);
        let mut meanings = vec![0; vocabulary.len()];
        let mut is_there = vec![false; wanted.len()];
        for ((word, number), is_there) in wanted.iter().zip(1_u16..).zip(&mut is_there) {
            let Some(id) = vocabulary.find(&word.stem) else {
                continue;
            };
            *is_there = vocabulary::is_stop_word(id);
            if let Some(meaning) = meanings.get_mut(id as usize) {
                *meaning = number;
            }
        }
        for document in documents {
            document.each(&meanings, &mut |number, _, _| {
                if let Some(is_there) = is_there.get_mut(usize::from(number) - 1) {
                    *is_there = true;
                }
            });
        }
        let mut prefixes: Vec<(&str, u16)> = Vec::new();
        let last = wanted.len().saturating_sub(1);
        for ((word, number), is_there) in wanted.iter().zip(1_u16..).zip(is_there) {
            // Somebody may be about to write more of the last word.
            let is_prefix = !is_there || usize::from(number) > last;
            if is_prefix && word.letters.len() >= SHORTEST_PREFIX && prefixes.len() < MOST_PREFIXES
            {
                prefixes.push((&word.letters, number));
            }
        }
        if !prefixes.is_empty() {
            for (word, meaning) in vocabulary.words().zip(&mut meanings) {
                let prefix = prefixes.iter().find(|(prefix, _)| word.starts_with(prefix));
                if let (0, Some((_, number))) = (*meaning, prefix) {
                    *meaning = number | LONGER;
                }
            }
        }
        Self {
            text,
            wanted,
            meanings,
        }
    }

    /// How many words are looked for.
    pub(super) fn len(&self) -> usize {
        self.wanted.len()
    }

    /// For each word of the index what it means, of which [`Query::meaning`] makes something; 0 where
    /// it means nothing.
    pub(super) fn meanings(&self) -> &[u16] {
        &self.meanings
    }

    /// Which word of the query is meant, and what it counts.
    pub(super) fn meaning(&self, meaning: u16) -> Option<(usize, f32)> {
        let at = usize::from(meaning & !LONGER).checked_sub(1)?;
        let weight = self.wanted.get(at)?.weight;
        let of_longer = if meaning & LONGER == 0 {
            1.0
        } else {
            OF_LONGER
        };
        Some((at, weight * of_longer))
    }

    /// The words of the query that are `found`, as they are written in it.
    pub(super) fn matched(&self, found: &dyn Fn(usize) -> bool) -> Vec<String> {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for (at, word) in self.wanted.iter().enumerate() {
            if !found(at) {
                continue;
            }
            // A compound comes after its parts.
            let mut range = (word.start, word.end);
            while let Some(&(start, end)) = ranges.last()
                && range.0 < end
            {
                range = (range.0.min(start), range.1.max(end));
                ranges.pop();
            }
            ranges.push(range);
        }
        let words = ranges
            .into_iter()
            .filter_map(|(start, end)| self.text.get(start..end));
        let mut matched = Vec::new();
        for word in words {
            if !matched.iter().any(|known| known == word) {
                matched.push(word.to_owned());
            }
        }
        matched
    }
}

/// The different words of a query, in its order; those that say nothing only where there are no
/// others.
fn wanted_by(text: &str, vocabulary: &Vocabulary) -> Vec<Wanted> {
    let mut all: Vec<Wanted> = Vec::new();
    let mut stop_words: Vec<Wanted> = Vec::new();
    let mut before: Option<(String, usize)> = None;
    tokens::each(text, &mut |token: &Token<'_>| {
        let neighbor = before.take().filter(|_| token.kind == Kind::Word);
        if token.kind == Kind::LastLetter {
            return;
        }
        let stem = stem(token.text);
        let is_stop_word = vocabulary.find(&stem).is_some_and(vocabulary::is_stop_word);
        let weight = match token.kind {
            Kind::Part => OF_PART,
            _ => 1.0,
        };
        let wanted = Wanted {
            stem,
            letters: token.text.to_owned(),
            weight,
            start: token.start,
            end: token.end,
        };
        add(
            if is_stop_word {
                &mut stop_words
            } else {
                &mut all
            },
            wanted,
        );
        if let Some((text, start)) = neighbor {
            let neighbors = Wanted {
                stem: super::stem::stem(&[&text, token.text].concat()),
                // Nobody is about to write more of it.
                letters: String::new(),
                weight: OF_NEIGHBORS,
                start,
                end: token.end,
            };
            add(&mut all, neighbors);
        }
        if token.kind == Kind::Word {
            before = Some((token.text.to_owned(), token.start));
        }
    });
    if all.is_empty() { stop_words } else { all }
}

fn add(words: &mut Vec<Wanted>, word: Wanted) {
    if words.len() < MOST_WORDS && !words.iter().any(|known| known.stem == word.stem) {
        words.push(word);
    }
}
