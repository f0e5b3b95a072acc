//! Reading the beginnings of bodies into an index.

use std::rc::Rc;

use crate::body;
use crate::call::Audience;
use crate::catalog::Catalog;
use crate::jail::{Jail, Range};
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
/// is left out until a refresh.
pub(super) async fn read(io: &Io, catalog: &Catalog, bodies: Bodies, audience: Audience) {
    let options = catalog.options().read_options();
    loop {
        let unread = next_unread(catalog, bodies, audience);
        if unread.is_empty() {
            return;
        }
        let texts = texts(io, &unread, &options).await;
        let mut bodies = Vec::new();
        let mut of_bodies = Vec::new();
        for ((place, record), text) in unread.iter().zip(texts) {
            match text {
                Some(text) => {
                    bodies.push(text);
                    of_bodies.push((*place, record.id));
                }
                None => catalog.search_index().add_body(*place, record.id, None),
            }
        }
        let bodies = normalized(io, bodies).await;
        let mut index = catalog.search_index();
        for ((place, id), body) in of_bodies.into_iter().zip(bodies) {
            index.add_body(place, id, Some(&body));
        }
    }
}

/// A batch of what was not read yet, each with its place in the index.
fn next_unread(catalog: &Catalog, bodies: Bodies, audience: Audience) -> Vec<(usize, Rc<Record>)> {
    let snapshot = catalog.snapshot();
    let mut index = catalog.search_index();
    index.update(&snapshot);
    let entries = snapshot.entries.iter().enumerate();
    let unread = entries.filter(|(place, entry)| {
        index.lacks_body(*place) && bodies.are_of(&entry.record) && catalog.finds(entry, audience)
    });
    let unread = unread.map(|(place, entry)| (place, Rc::clone(&entry.record)));
    unread.take(BATCH).collect()
}

/// The beginning of each body; `None` where it cannot be had.
async fn texts(
    io: &Io,
    records: &[(usize, Rc<Record>)],
    options: &ReadOptions,
) -> Vec<Option<String>> {
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
        Origin::Defined(definition) => Some(definition.content.clone()),
        Origin::File(_) => {
            let opened = opened.next()?.ok()?;
            body::check_own(&opened, record, options.links).ok()?;
            let bytes = opened.file.bytes.as_slice();
            let body = bytes.get(skill_file::body_start(bytes, options)?..)?;
            Some(String::from_utf8_lossy(body).into_owned())
        }
    });
    texts.collect()
}
