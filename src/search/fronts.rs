//! Reading what has another form than NFKC into an index: names, descriptions and hints.

use crate::call::Audience;
use crate::catalog::Catalog;
use crate::operation::Io;
use crate::skill::Skill;
use crate::snapshot::Entry;

use super::index::{Field, each_front_text};
use super::normal::normalized;

/// Skills of which the texts are on their way at the same time.
const BATCH: usize = 256;

/// Reads those that were not read yet, of the entries that `audience` may use. At its end the index
/// is that of the snapshot of this moment.
pub(super) async fn read(io: &Io, catalog: &Catalog, audience: Audience) {
    loop {
        let unread = next_unread(catalog, audience);
        if unread.is_empty() {
            return;
        }
        let mut texts = Vec::new();
        let mut fields = Vec::new();
        for (_, entry) in &unread {
            fields.push(push_texts(&entry.skill, &mut texts));
        }
        let mut texts = normalized(io, texts).await.into_iter();
        let mut index = catalog.search_index();
        for ((place, entry), fields) in unread.iter().zip(fields) {
            let texts: Vec<(Field, String)> = fields.into_iter().zip(texts.by_ref()).collect();
            index.add_front(*place, entry.record.id, &texts);
        }
    }
}

/// Adds the texts of a skill to `texts`; the field of each.
fn push_texts(skill: &Skill, texts: &mut Vec<String>) -> Vec<Field> {
    let mut fields = Vec::new();
    each_front_text(skill, &mut |field, text| {
        fields.push(field);
        texts.push(text.to_owned());
    });
    fields
}

/// A batch of what was not read yet, each with its place in the index.
fn next_unread(catalog: &Catalog, audience: Audience) -> Vec<(usize, Entry)> {
    let snapshot = catalog.snapshot();
    let mut index = catalog.search_index();
    index.update(&snapshot);
    let entries = snapshot.entries.iter().enumerate();
    let unread = entries
        .filter(|(place, entry)| index.lacks_front(*place) && catalog.finds(entry, audience));
    let unread = unread.map(|(place, entry)| (place, Entry::clone(entry)));
    unread.take(BATCH).collect()
}
