//! Words as numbers: each text once, one behind the other, with a table to find it by.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// Names a word of a [`Vocabulary`].
pub(super) type WordId = u32;

/// A place of the table that has no word.
const FREE: WordId = WordId::MAX;

/// Words that say nothing of a task, as stems. They come first in every vocabulary.
const STOP_WORDS: &str = "a about after all also am an and ani any are as at be because been before \
    being but by can could did do doe don each few for from get had has have he help her here him his how i \
    if in into is it its just let like ll make mani may me mine more most my need no not now of off on \
    one onli or other our out over own pleas re s she should so some such t than that the their them \
    then there these they thing this those through to too up us use used using ve veri via want was \
    we were what when where whether which while who whom why will with without would you your";

const STOP_WORDS_COUNT: WordId = {
    let bytes = STOP_WORDS.as_bytes();
    let (mut count, mut at) = (1, 0);
    while at < bytes.len() {
        if bytes[at] == b' ' {
            count += 1;
        }
        at += 1;
    }
    count
};

/// Whether a word is one of those that come first.
pub(super) fn is_stop_word(id: WordId) -> bool {
    id < STOP_WORDS_COUNT
}

/// Words by number, and numbers by word. A hash table with a text for each key would take three
/// times the memory.
#[derive(Debug)]
pub(super) struct Vocabulary {
    text: String,
    /// Where each word ends in `text`.
    ends: Vec<u32>,
    /// Numbers of words, each at the place that its hash says or the next free one. Its length is a
    /// power of two; a third of it is free at least.
    table: Vec<WordId>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        let mut vocabulary = Self {
            text: String::new(),
            ends: Vec::new(),
            table: Vec::new(),
        };
        for word in STOP_WORDS.split(' ') {
            vocabulary.add(word);
        }
        vocabulary
    }
}

impl Vocabulary {
    /// How many words there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn word(&self, id: WordId) -> Option<&str> {
        let id = id as usize;
        let start = match id.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.text.get(start as usize..*self.ends.get(id)? as usize)
    }

    /// All words, in the order of their numbers.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let word = self.text.get(start..end as usize).unwrap_or_default();
            start = end as usize;
            word
        })
    }

    /// The number of a word.
    pub(super) fn find(&self, word: &str) -> Option<WordId> {
        self.place(word).ok()
    }

    /// The number of a word, which it is given now where it has none.
    pub(super) fn add(&mut self, word: &str) -> WordId {
        if (self.ends.len() + 1) * 3 > self.table.len() * 2 {
            self.grow();
        }
        match self.place(word) {
            Ok(id) => id,
            Err(place) => {
                let id = number(self.ends.len());
                self.text.push_str(word);
                self.ends.push(number(self.text.len()));
                self.put(place, id);
                id
            }
        }
    }

    /// The number of a word, or the place of the table where it would be.
    fn place(&self, word: &str) -> Result<WordId, usize> {
        let mask = self.table.len().wrapping_sub(1);
        let mut place = hash(word) & mask;
        loop {
            match self.table.get(place) {
                None | Some(&FREE) => return Err(place),
                Some(&id) if self.word(id) == Some(word) => return Ok(id),
                Some(_) => place = (place + 1) & mask,
            }
        }
    }

    fn put(&mut self, place: usize, id: WordId) {
        if let Some(slot) = self.table.get_mut(place) {
            *slot = id;
        }
    }

    fn grow(&mut self) {
        self.table = vec![FREE; (self.table.len() * 2).max(64)];
        for id in 0..number(self.ends.len()) {
            if let Some(word) = self.word(id)
                && let Err(place) = self.place(word)
            {
                self.put(place, id);
            }
        }
    }
}

fn hash(word: &str) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    let hash = hasher.finish();
    // The upper half is the better mixed one.
    usize::try_from(hash >> 32 ^ hash & 0xffff_ffff).unwrap_or_default()
}

fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_one_number_however_many_there_are() {
        let mut vocabulary = Vocabulary::default();
        let first = vocabulary.add("first") + 1;
        assert_eq!(vocabulary.find("w0"), None);
        for round in 0..2 {
            for count in 0..1000 {
                let id = vocabulary.add(&format!("w{count}"));
                assert_eq!(id, first + count, "round {round}");
            }
        }
        assert_eq!(vocabulary.find("w999"), Some(first + 999));
        assert_eq!(vocabulary.find("w1000"), None);
        let words: Vec<&str> = vocabulary.words().skip(first as usize).collect();
        assert_eq!(words.get(..3), Some(["w0", "w1", "w2"].as_slice()));
        assert_eq!(words.len(), 1000);
    }

    #[test]
    fn stop_words_are_told_by_their_number() {
        let mut vocabulary = Vocabulary::default();
        for (word, is_stop_word) in [("a", true), ("your", true), ("pdf", false)] {
            assert_eq!(
                super::is_stop_word(vocabulary.add(word)),
                is_stop_word,
                "{word}"
            );
        }
    }
}
