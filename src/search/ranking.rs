//! Which skills fit a query, and how well: BM25 over fields of different weight.

use crate::order::sort_by;

use super::index::{Body, Counts, Document, Field};
use super::query::Query;
use super::vocabulary::WordId;

/// How much more often a word must be there to count nearly all it can.
const SATURATION: f32 = 1.2;

/// What a word in a field counts, and how much less where the field is longer than others.
const FIELDS: [(Field, f32, f32); Field::COUNT] = [
    (Field::Name, 4.0, 0.4),
    (Field::Hints, 1.5, 0.5),
    (Field::Description, 1.5, 0.5),
    (Field::Heading, 0.7, 0.6),
    (Field::Body, 0.4, 0.6),
];
const OF_FRONT: usize = 3;

/// A document that fits.
#[derive(Debug)]
pub(super) struct Best {
    /// Its place among those that were given.
    pub(super) place: usize,
    pub(super) score: f32,
    /// The words of the query that are in it.
    pub(super) matched: Vec<String>,
}

/// Those of `documents` that fit a query, at most `limit`, the best first; equal ones stay in their
/// order.
pub(super) fn best(
    documents: &[&Document],
    query: &Query<'_>,
    bodies: bool,
    limit: usize,
) -> Vec<Best> {
    let mut ranking = Ranking::new(documents, query, bodies);
    let candidates = ranking.candidates(documents);
    let mut scores = Vec::new();
    for place in candidates {
        if let Some(document) = documents.get(place) {
            scores.push((place, document, ranking.score(document)));
        }
    }
    sort_by(&mut scores, |a, b| b.2.total_cmp(&a.2));
    scores.truncate(limit);
    let found = scores.into_iter().map(|(place, document, score)| Best {
        place,
        score,
        matched: ranking.matched(document),
    });
    found.collect()
}

struct Ranking<'a> {
    query: &'a Query<'a>,
    bodies: bool,
    /// Words in each field of a document, on average.
    averages: [f32; Field::COUNT],
    /// How rare each word of the query is.
    rarity: Vec<f32>,
    /// How often each of them is in a document, weighted.
    frequencies: Vec<f32>,
}

impl<'a> Ranking<'a> {
    fn new(documents: &[&Document], query: &'a Query<'a>, bodies: bool) -> Self {
        let mut averages = [0.0; Field::COUNT];
        for document in documents {
            for (average, length) in averages.iter_mut().zip(document.lengths) {
                *average += f32::from(length);
            }
        }
        for average in &mut averages {
            *average /= amount(documents.len());
        }
        Self {
            query,
            bodies,
            averages,
            rarity: vec![0.0; query.len()],
            frequencies: vec![0.0; query.len()],
        }
    }

    /// The places of documents that have any of the words; now it is known how rare these are.
    fn candidates(&mut self, documents: &[&Document]) -> Vec<usize> {
        let mut having = vec![0_usize; self.query.len()];
        let mut candidates = Vec::new();
        for (place, document) in documents.iter().enumerate() {
            self.count(document);
            let mut has_any = false;
            for (having, frequency) in having.iter_mut().zip(&self.frequencies) {
                if *frequency > 0.0 {
                    *having += 1;
                    has_any = true;
                }
            }
            if has_any {
                candidates.push(place);
            }
        }
        let all = amount(documents.len());
        let rarity = having.into_iter().map(|having| {
            let having = amount(having);
            logarithm(1.0 + (all - having + 0.5) / (having + 0.5))
        });
        self.rarity = rarity.collect();
        candidates
    }

    fn score(&mut self, document: &Document) -> f32 {
        self.count(document);
        let mut score = 0.0;
        for (frequency, rarity) in self.frequencies.iter().zip(&self.rarity) {
            score += rarity * frequency / (frequency + SATURATION);
        }
        score
    }

    fn matched(&mut self, document: &Document) -> Vec<String> {
        self.count(document);
        let is_found = |at: usize| {
            self.frequencies
                .get(at)
                .is_some_and(|&frequency| frequency > 0.0)
        };
        self.query.matched(&is_found)
    }

    /// Counts the words of the query in a document.
    fn count(&mut self, document: &Document) {
        self.frequencies.fill(0.0);
        let mut weights = [0.0; Field::COUNT];
        for ((field, weight, of_length), out) in FIELDS.into_iter().zip(&mut weights) {
            let at = field as usize;
            let (length, average) = (document.lengths.get(at), self.averages.get(at));
            let length = length.copied().map_or(0.0, f32::from);
            let average = average.copied().unwrap_or_default().max(1.0);
            *out = weight / (1.0 - of_length + of_length * length / average);
        }
        let query = self.query;
        let frequencies = &mut self.frequencies;
        let mut add = |word: WordId, counts: Counts, fields: std::ops::Range<usize>| {
            let Some((at, of_word)) = query.meaning(word) else {
                return;
            };
            let mut sum = 0.0;
            for ((field, ..), weight) in FIELDS
                .iter()
                .zip(&weights)
                .take(fields.end)
                .skip(fields.start)
            {
                sum += weight * f32::from(counts.get(*field));
            }
            if let Some(frequency) = frequencies.get_mut(at) {
                *frequency += of_word * sum;
            }
        };
        document
            .front
            .each(&mut |word, counts| add(word, counts, 0..OF_FRONT));
        if let (Body::Read(words), true) = (&document.body, self.bodies) {
            words.each(&mut |word, counts| add(word, counts, OF_FRONT..Field::COUNT));
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn amount(number: usize) -> f32 {
    number as f32
}

/// A number that grows like the logarithm to the base two, and is exactly that of its powers: the
/// true one would differ in its last digits from one machine to the next.
fn logarithm(number: f32) -> f32 {
    const ONE: u32 = 1 << 23;
    let bits = number.max(1.0).to_bits();
    let exponent = bits / ONE;
    #[expect(clippy::cast_precision_loss, reason = "both have 24 bits at most")]
    let (whole, part) = (exponent as f32 - 127.0, (bits % ONE) as f32 / ONE as f32);
    whole + part
}
