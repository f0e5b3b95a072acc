//! Search: the skills that fit a task best, in the words of whoever has it.
//!
//! An index is made on first use and brought up to date after a refresh: only what has changed is
//! read again. Views and what is disabled for the model share it; what they leave out counts for
//! nothing in their results.

mod bodies;
mod fronts;
mod index;
mod markdown;
mod normal;
mod query;
mod ranking;
mod stem;
mod tokens;
mod vocabulary;

use crate::call::Audience;
use crate::catalog::Catalog;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::operation::{Io, Operation};
use crate::options::{self, Fields, FromFields};
use crate::record::RecordId;
use crate::snapshot::Entry;
use crate::value::Value;

pub(crate) use bodies::Bodies;
pub(crate) use index::Index;
use query::Query;

/// Results, where the caller does not say.
const USUAL_LIMIT: u32 = 10;
/// Bytes of a query that are looked at.
const LONGEST_QUERY: usize = 64 * 1024;

/// How a search is made.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// Results at most.
    pub limit: u32,
    /// Whether headings and beginnings of bodies are looked at.
    pub bodies: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            limit: USUAL_LIMIT,
            bodies: false,
        }
    }
}

impl SearchOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for SearchOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            limit: fields.number("limit", USUAL_LIMIT),
            bodies: fields.flag("bodies", false),
        }
    }
}

/// A skill that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    /// Its reading.
    pub id: RecordId,
    /// Its name.
    pub name: String,
    /// How well it fits; to be compared within one search only.
    pub score: f32,
    /// The words of the query that were found, as they are written there.
    pub matched: Vec<String>,
}

impl ToJson for SearchHit {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("id", &self.id)
            .field("score", &Value::Number(rounded(self.score)))
            .field("matched", &self.matched)
            .end();
    }
}

/// A score with three digits after the point, which is all that it tells.
fn rounded(score: f32) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "no score is negative or large"
    )]
    let thousandths = (score * 1000.0) as u32;
    f64::from(thousandths) / 1000.0
}

/// An entry that was found.
pub(crate) struct Found {
    pub(crate) entry: Entry,
    /// How well it fits.
    score: f32,
    /// The words of the query in it.
    matched: Vec<String>,
}

impl Catalog {
    /// The skills that fit a query best, those that are hidden from the model too.
    pub fn search(&self, query: String, options: SearchOptions) -> Operation<Vec<SearchHit>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let bodies = if options.bodies {
                Bodies::All
            } else {
                Bodies::None
            };
            let limit = usize::try_from(options.limit).unwrap_or(usize::MAX);
            let found = catalog.found(&io, &query, bodies, limit, Audience::User);
            let hits = found.await.into_iter();
            hits.map(|found| SearchHit {
                id: found.entry.record.id,
                name: found.entry.skill.name.clone(),
                score: found.score,
                matched: found.matched,
            })
            .collect()
        })
    }

    /// The best of those that `audience` may use.
    pub(crate) async fn found(
        &self,
        io: &Io,
        query: &str,
        bodies: Bodies,
        limit: usize,
        audience: Audience,
    ) -> Vec<Found> {
        let end = query.floor_char_boundary(LONGEST_QUERY);
        let query = query.get(..end).unwrap_or_default().to_owned();
        let query = normal::normalized(io, vec![query]).await.concat();
        if bodies != Bodies::None {
            bodies::read(io, self, bodies, audience).await;
        }
        fronts::read(io, self, audience).await;
        let snapshot = self.snapshot();
        let index = self.search_index();
        let mut shown = Vec::new();
        let mut documents = Vec::new();
        for (entry, document) in snapshot.entries.iter().zip(&index.documents) {
            if self.finds(entry, audience) {
                shown.push(entry);
                documents.push(document.shown(bodies.are_of(&entry.record)));
            }
        }
        let query = Query::new(&query, &index.vocabulary, &documents);
        let best = ranking::best(&documents, &query, limit);
        let found = best.into_iter().filter_map(|best| {
            Some(Found {
                entry: Entry::clone(shown.get(best.place)?),
                score: best.score,
                matched: best.matched,
            })
        });
        found.collect()
    }

    /// Whether an entry may be found, which has its name.
    fn finds(&self, entry: &Entry, audience: Audience) -> bool {
        self.shows(entry) && (audience == Audience::User || entry.skill.model_invocable)
    }
}
