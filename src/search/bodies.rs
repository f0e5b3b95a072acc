//! Reading the beginnings of bodies into an index.

use std::rc::Rc;

use crate::body;
use crate::call::Audience;
use crate::catalog::Catalog;
use crate::jail::{Jail, Opened, Range, Refusal};
use crate::operation::Io;
use crate::record::{Origin, Record};
use crate::skill_file::{self, ReadOptions};

use super::normal::normalized;

/// Read of each file: all of most, and of the others most headings.
const READ: u32 = 16 * 1024;
/// Files that are read at the same time, so that they are not all in memory at once.
const BATCH: usize = 256;

/// Which bodies are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bodies {
    None,
    /// Those that cost little to read.
    Cheap,
    All,
}

impl Bodies {
    pub(super) fn are_of(self, record: &Record) -> bool {
        match (self, &record.origin) {
            (Self::None, _) => false,
            (Self::All, _) | (Self::Cheap, Origin::Defined(_)) => true,
            (Self::Cheap, Origin::File(file)) => file.jail.capabilities.is_cheap_to_read(),
        }
    }
}

/// Reads those that were not read yet, of the entries that `audience` may use. What cannot be read
/// is left out until a refresh, where it was not a host that failed.
pub(super) async fn read(io: &Io, catalog: &Catalog, bodies: Bodies, audience: Audience) {
    let options = catalog.options().read_options();
    // What a host failed to give is asked for again, but not by this search.
    let mut first = 0;
    loop {
        let unread = next_unread(catalog, bodies, audience, first);
        let Some((last, _)) = unread.last() else {
            return;
        };
        let after = last + 1;
        let texts = texts(io, &unread, &options).await;
        let mut bodies = Vec::new();
        let mut of_bodies = Vec::new();
        for ((place, record), text) in unread.iter().zip(texts) {
            match text {
                Text::Had(text) => {
                    bodies.push(text);
                    of_bodies.push((*place, record.id));
                }
                Text::Failed => first = after,
                Text::None => catalog.search_index().add_body(*place, record.id, None),
            }
        }
        let bodies = normalized(io, bodies).await;
        let mut index = catalog.search_index();
        for ((place, id), body) in of_bodies.into_iter().zip(bodies) {
            index.add_body(place, id, Some(&body));
        }
    }
}

/// What a search has of a body.
enum Text {
    Had(String),
    /// It cannot be had.
    None,
    /// The host failed: it may be had a moment later.
    Failed,
}

/// A batch of what was not read yet, each with its place in the index; `first` is the first place.
fn next_unread(
    catalog: &Catalog,
    bodies: Bodies,
    audience: Audience,
    first: usize,
) -> Vec<(usize, Rc<Record>)> {
    let snapshot = catalog.snapshot();
    let mut index = catalog.search_index();
    index.update(&snapshot);
    let entries = snapshot.entries.iter().enumerate().skip(first);
    let unread = entries.filter(|(place, entry)| {
        index.lacks_body(*place) && bodies.are_of(&entry.record) && catalog.finds(entry, audience)
    });
    let unread = unread.map(|(place, entry)| (place, Rc::clone(&entry.record)));
    unread.take(BATCH).collect()
}

/// The beginning of each body.
async fn texts(io: &Io, records: &[(usize, Rc<Record>)], options: &ReadOptions) -> Vec<Text> {
    let range = Range {
        offset: 0,
        length: READ,
    };
    let mut files: Vec<(&Jail, &str, Range)> = Vec::new();
    for (_, record) in records {
        if let Origin::File(file) = &record.origin {
            files.push((&file.jail, &file.path, range));
        }
    }
    let mut opened = Jail::open_all(io, &files).await.into_iter();
    let texts = records.iter().map(|(_, record)| match &record.origin {
        Origin::Defined(definition) => Text::Had(definition.content.clone()),
        Origin::File(_) => match opened.next() {
            Some(Ok(opened)) => text_of(&opened, record, options).map_or(Text::None, Text::Had),
            Some(Err(Refusal::Failed(_))) => Text::Failed,
            Some(Err(_)) | None => Text::None,
        },
    });
    texts.collect()
}

fn text_of(opened: &Opened, record: &Record, options: &ReadOptions) -> Option<String> {
    body::check_own(opened, record, options.links).ok()?;
    let bytes = opened.file.bytes.as_slice();
    let body = bytes.get(skill_file::body_start(bytes, options)?..)?;
    Some(String::from_utf8_lossy(body).into_owned())
}
