//! Which skills fit a query, and how well: BM25 over fields of different weight.

use std::ops::Range;

use crate::order::sort_by;

use super::index::{Field, InFields, Shown};
use super::query::{Meaning, Query};

/// How much more often a word must be there to count nearly all it can.
const SATURATION: f32 = 1.6;

/// What a word in a field counts, and how much less where the field is longer than others.
fn importance(field: Field) -> (f32, f32) {
    match field {
        Field::Name => (5.0, 0.75),
        Field::Hints => (2.0, 0.5),
        Field::Description => (1.5, 0.75),
        Field::Heading => (0.4, 0.5),
        Field::Body => (0.4, 0.6),
    }
}

/// A document that fits.
#[derive(Debug)]
pub(super) struct Best {
    /// Its place among those that were given.
    pub(super) place: usize,
    pub(super) score: f32,
    /// The words of the query that are in it.
    pub(super) matched: Vec<String>,
}

/// A word of the query in a document.
struct Hit {
    /// Which one, by its place.
    term: usize,
    /// How often it is there, weighted.
    frequency: f32,
}

/// The words of the query in one document.
struct Candidate {
    place: usize,
    hits: Range<usize>,
    score: f32,
}

/// Those of `documents` that fit a query, at most `limit`, the best first; equal ones stay in their
/// order.
pub(super) fn best(documents: &[Shown<'_>], query: &Query<'_>, limit: usize) -> Vec<Best> {
    let averages = averages(documents);
    let mut hits = Vec::new();
    let mut candidates = Vec::new();
    let mut frequencies = vec![0.0; query.len()];
    for (place, document) in documents.iter().enumerate() {
        let start = hits.len();
        count(document, query, &averages, &mut frequencies);
        for (term, frequency) in frequencies.iter_mut().enumerate() {
            let frequency = std::mem::take(frequency);
            if frequency > 0.0 {
                hits.push(Hit { term, frequency });
            }
        }
        if hits.len() > start {
            candidates.push(Candidate {
                place,
                hits: start..hits.len(),
                score: 0.0,
            });
        }
    }
    let rarity = rarity(&hits, query.len(), documents.len());
    for candidate in &mut candidates {
        for hit in hits.get(candidate.hits.clone()).unwrap_or_default() {
            let rarity = rarity.get(hit.term).copied().unwrap_or_default();
            candidate.score += rarity * hit.frequency / (hit.frequency + SATURATION);
        }
    }
    sort_by(&mut candidates, |a, b| b.score.total_cmp(&a.score));
    candidates.truncate(limit);
    let best = candidates.into_iter().map(|candidate| {
        let hits = hits.get(candidate.hits).unwrap_or_default();
        Best {
            place: candidate.place,
            score: candidate.score,
            matched: query.matched(&|at| hits.iter().any(|hit| hit.term == at)),
        }
    });
    best.collect()
}

/// Words in each field of a document, on average.
fn averages(documents: &[Shown<'_>]) -> [f32; Field::COUNT] {
    let mut averages = [0.0; Field::COUNT];
    for document in documents {
        for (average, length) in averages.iter_mut().zip(document.lengths) {
            *average += f32::from(length);
        }
    }
    averages.map(|sum| sum / amount(documents.len()))
}

/// How rare each word of the query is among so many documents.
fn rarity(hits: &[Hit], words: usize, documents: usize) -> Vec<f32> {
    let mut having = vec![0.0; words];
    for hit in hits {
        if let Some(having) = having.get_mut(hit.term) {
            *having += 1.0;
        }
    }
    for having in &mut having {
        *having = logarithm(1.0 + (amount(documents) - *having + 0.5) / (*having + 0.5));
    }
    having
}

/// Adds to `frequencies` how often each word of the query is in a document.
fn count(
    document: &Shown<'_>,
    query: &Query<'_>,
    averages: &[f32; Field::COUNT],
    frequencies: &mut [f32],
) {
    let mut weights = [0.0; Field::COUNT];
    let lengths = document.lengths.iter().zip(averages);
    for ((out, field), (&length, average)) in weights.iter_mut().zip(Field::ALL).zip(lengths) {
        let (weight, of_length) = importance(field);
        let length = f32::from(length) / average.max(1.0);
        *out = weight / (1.0 - of_length + of_length * length);
    }
    let mut add = |meaning: Meaning, counts: InFields| {
        let Some((at, of_word)) = query.meant(meaning) else {
            return;
        };
        let fields = counts.iter().zip(&weights);
        let sum: f32 = fields
            .map(|(count, weight)| weight * f32::from(*count))
            .sum();
        if let Some(frequency) = frequencies.get_mut(at) {
            *frequency += of_word * sum;
        }
    };
    document.each(query.meanings(), &mut add);
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
