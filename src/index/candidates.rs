//! The skills that an index is about, in the order in which they come: who is pinned first, then by
//! priority, then by name.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

use super::IndexOptions;
use super::listing::Line;
use crate::order::sort_by;
use crate::places::Places;
use crate::record::RecordId;
use crate::snapshot::Entry;
use crate::text::{folded, one_line, shortened};

/// A skill that an index may show, each text on one line.
pub(super) struct Candidate<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) description: Cow<'a, str>,
    pub(super) location: Option<Cow<'a, str>>,
    entry: &'a Entry,
}

impl<'a> Candidate<'a> {
    /// Whether a line says all of it that it is to say.
    pub(super) fn is_whole_in(&self, line: &Line<'_>) -> bool {
        line.description.as_deref() == Some(&*self.description)
            && line.location == self.location.as_deref()
    }

    /// The group that it is in; empty where it is in none.
    pub(super) fn group(&self, options: &'a IndexOptions) -> &'a str {
        group_of(self.entry, options)
    }
}

/// All of them, in their order.
pub(super) struct Candidates<'a> {
    pub(super) all: Vec<Candidate<'a>>,
    /// How many at the beginning are pinned.
    pub(super) pinned: usize,
    /// Where those begin whose priority is lower than that of the ones before.
    borders: Vec<usize>,
}

impl<'a> Candidates<'a> {
    /// Of `entries`, which are in the order of their names.
    pub(super) fn of(entries: &[&'a Entry], options: &'a IndexOptions) -> Self {
        let mut candidates = Self {
            all: Vec::with_capacity(entries.len()),
            pinned: 0,
            borders: Vec::new(),
        };
        if options.pinned.is_empty() && options.priority.is_empty() {
            let all = entries.iter().map(|entry| candidate(entry, options));
            candidates.all.extend(all);
            return candidates;
        }
        let pins = pins(options);
        let mut ranked: Vec<(Rank, &'a Entry)> = entries
            .iter()
            .map(|entry| (Rank::of(entry, &pins, options), *entry))
            .collect();
        sort_by(&mut ranked, |(a, _), (b, _)| a.order(b));
        candidates.pinned = ranked.iter().filter(|(rank, _)| rank.is_pinned()).count();
        for (index, pair) in ranked.windows(2).enumerate() {
            if let [(a, _), (b, _)] = pair
                && a.is_before(b)
            {
                candidates.borders.push(index + 1);
            }
        }
        let all = ranked.iter().map(|(_, entry)| candidate(entry, options));
        candidates.all.extend(all);
        candidates
    }

    /// Those of equal rank, of the first `count`: each gets its room before the next ones do.
    pub(super) fn ranks(&self, count: usize) -> Vec<Range<usize>> {
        let borders = self
            .borders
            .iter()
            .copied()
            .filter(|border| *border < count);
        let mut ranks = Vec::new();
        let mut start = 0;
        for end in borders.chain([count]) {
            ranks.push(start..end);
            start = end;
        }
        ranks
    }
}

/// Where a skill stands among the others, before its name decides.
struct Rank {
    /// Its place among those that are pinned.
    pin: usize,
    priority: f64,
}

impl Rank {
    fn of(entry: &Entry, pins: &Places, options: &IndexOptions) -> Self {
        let pin = pins.get(&folded(&entry.skill.name));
        let pin = pin.or_else(|| pins.get(entry.record.key()));
        let priority = value_of(&options.priority, entry.record.id);
        Self {
            pin: pin.unwrap_or(usize::MAX),
            priority: priority.copied().unwrap_or_default(),
        }
    }

    fn is_pinned(&self) -> bool {
        self.pin < usize::MAX
    }

    fn order(&self, other: &Self) -> Ordering {
        let by_priority = other.priority.partial_cmp(&self.priority);
        let pins = self.pin.cmp(&other.pin);
        pins.then(by_priority.unwrap_or(Ordering::Equal))
    }

    /// Whether it gets its room before the other does. All that are pinned share theirs.
    fn is_before(&self, other: &Self) -> bool {
        self.is_pinned() != other.is_pinned()
            || (!self.is_pinned() && self.order(other) == Ordering::Less)
    }
}

/// The places of pinned names.
fn pins(options: &IndexOptions) -> Places {
    let mut pins = Places::default();
    for (place, name) in options.pinned.iter().enumerate() {
        pins.add(folded(name).into_owned(), place);
    }
    pins
}

fn candidate<'a>(entry: &'a Entry, options: &'a IndexOptions) -> Candidate<'a> {
    let location = entry.record.shown().filter(|_| options.location);
    Candidate {
        name: one_line(&entry.skill.name),
        description: one_line(&entry.skill.description),
        location: location.map(|path| one_line(path)),
        entry,
    }
}

/// The group of a skill; empty where it is in none.
pub(crate) fn group_of<'a>(entry: &'a Entry, options: &'a IndexOptions) -> &'a str {
    let given = value_of(&options.groups, entry.record.id);
    let group = given.map_or_else(|| entry.group(), String::as_str);
    // What a model cannot repeat is no use to it.
    if shortened(group) == group { group } else { "" }
}

/// What the developer gave for a skill; `values` are in the order of the ids.
fn value_of<T>(values: &[(RecordId, T)], id: RecordId) -> Option<&T> {
    let place = values.binary_search_by(|(known, _)| known.cmp(&id)).ok()?;
    values.get(place).map(|(_, value)| value)
}
