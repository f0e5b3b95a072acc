//! What is looked for, as the words of an index.

use std::num::NonZeroU16;

use super::index::Shown;
use super::stem::stem;
use super::tokens::{self, Kind, Token};
use super::vocabulary::{self, Vocabulary};

/// Different words at most; those that follow are not looked for.
const MOST_TERMS: usize = 256;
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
struct Term {
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
    terms: Vec<Term>,
    meanings: Meanings,
}

/// What each word of an index means to a query, by its number; nothing to most.
pub(super) type Meanings = Vec<Option<Meaning>>;

/// Which term of a query a word of an index is, and whether it is only a longer one that begins so: in
/// two bytes, since an index has many words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning(NonZeroU16);

impl Meaning {
    /// Marks a longer word.
    const LONGER: u16 = 1 << 15;

    /// The very term at a place of the query.
    fn term(at: usize) -> Option<Self> {
        let number = u16::try_from(at + 1).ok()?;
        NonZeroU16::new(number & !Self::LONGER).map(Self)
    }

    /// A longer word.
    fn longer(self) -> Self {
        Self(self.0 | Self::LONGER)
    }

    fn is_longer(self) -> bool {
        self.0.get() & Self::LONGER != 0
    }

    /// The place of the term in the query.
    fn at(self) -> usize {
        usize::from((self.0.get() & !Self::LONGER).saturating_sub(1))
    }
}

impl<'a> Query<'a> {
    /// `documents` are all that is shown: what else is in the vocabulary makes no difference.
    pub(super) fn new(text: &'a str, vocabulary: &Vocabulary, documents: &[Shown<'_>]) -> Self {
        let terms = terms_of(text, vocabulary);
        let mut meanings: Meanings = vec![None; vocabulary.len()];
        let mut is_there = vec![false; terms.len()];
        for ((at, term), is_there) in terms.iter().enumerate().zip(&mut is_there) {
            let Some(id) = vocabulary.find(&term.stem) else {
                continue;
            };
            *is_there = vocabulary::is_stop_word(id);
            if let Some(meaning) = meanings.get_mut(id as usize) {
                *meaning = Meaning::term(at);
            }
        }
        for document in documents {
            document.each(&meanings, &mut |meaning, _| {
                if let Some(is_there) = is_there.get_mut(meaning.at()) {
                    *is_there = true;
                }
            });
        }
        let mut prefixes: Vec<(&str, Meaning)> = Vec::new();
        let last = terms.len().saturating_sub(1);
        for ((at, term), is_there) in terms.iter().enumerate().zip(is_there) {
            // Somebody may be about to write more of the last word.
            let is_prefix = !is_there || at == last;
            if is_prefix
                && term.letters.len() >= SHORTEST_PREFIX
                && prefixes.len() < MOST_PREFIXES
                && let Some(meaning) = Meaning::term(at)
            {
                prefixes.push((&term.letters, meaning.longer()));
            }
        }
        if !prefixes.is_empty() {
            for (word, meaning) in vocabulary.words().zip(&mut meanings) {
                if meaning.is_none() {
                    let prefix = prefixes.iter().find(|(prefix, _)| word.starts_with(prefix));
                    *meaning = prefix.map(|(_, longer)| *longer);
                }
            }
        }
        Self {
            text,
            terms,
            meanings,
        }
    }

    /// How many words are looked for.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// What the words of the index mean to it.
    pub(super) fn meanings(&self) -> &Meanings {
        &self.meanings
    }

    /// Which term is meant, by its place, and what a word counts that means it.
    pub(super) fn meant(&self, meaning: Meaning) -> Option<(usize, f32)> {
        let weight = self.terms.get(meaning.at())?.weight;
        let of_longer = if meaning.is_longer() { OF_LONGER } else { 1.0 };
        Some((meaning.at(), weight * of_longer))
    }

    /// The terms that are `found`, as they are written in the query.
    pub(super) fn matched(&self, found: &dyn Fn(usize) -> bool) -> Vec<String> {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for (at, term) in self.terms.iter().enumerate() {
            if !found(at) {
                continue;
            }
            // A compound comes after its parts.
            let mut range = (term.start, term.end);
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
fn terms_of(text: &str, vocabulary: &Vocabulary) -> Vec<Term> {
    let mut all: Vec<Term> = Vec::new();
    let mut stop_words: Vec<Term> = Vec::new();
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
        let term = Term {
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
            term,
        );
        if let Some((text, start)) = neighbor {
            let neighbors = Term {
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

fn add(terms: &mut Vec<Term>, term: Term) {
    if terms.len() < MOST_TERMS && !terms.iter().any(|known| known.stem == term.stem) {
        terms.push(term);
    }
}
