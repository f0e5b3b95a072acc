//! Pages of sorted lists.

use std::ops::Range;

use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::skill_uri::{self, SkillUri};
use crate::snapshot::Entry;

/// Lines of one page, for which nothing is read.
pub(super) const LINES: usize = 200;

/// One page of a list, and where the next one begins.
#[derive(Debug)]
pub struct Page {
    /// The key of the list.
    pub(super) key: &'static str,
    /// What is on it, each as JSON text.
    pub(super) items: Vec<String>,
    /// Absent on the last one.
    pub(super) next_cursor: Option<String>,
}

impl Page {
    /// The page of entries that nothing is read of, each a line of JSON text.
    pub(crate) fn of_lines(
        key: &'static str,
        entries: &[&Entry],
        cursor: Option<&str>,
        line: fn(&Entry) -> String,
    ) -> Result<Self, Error> {
        let (range, next_cursor) = window(&names(entries), LINES, cursor)?;
        let page = entries.get(range).unwrap_or_default();
        Ok(Self {
            key,
            items: page.iter().map(|entry| line(entry)).collect(),
            next_cursor,
        })
    }
}

impl ToJson for Page {
    fn write_json(&self, out: &mut String) {
        let items = ["[", &self.items.join(","), "]"].concat();
        Object::begin(out)
            .field(self.key, &Raw(&items))
            .optional("nextCursor", self.next_cursor.as_ref())
            .end();
    }
}

/// JSON text.
pub(super) struct Raw<'a>(pub(super) &'a str);

impl ToJson for Raw<'_> {
    fn write_json(&self, out: &mut String) {
        out.push_str(self.0);
    }
}

/// The names of entries, in their order.
pub(super) fn names<'a>(entries: &[&'a Entry]) -> Vec<&'a str> {
    entries
        .iter()
        .map(|entry| entry.skill.name.as_str())
        .collect()
}

/// The part of a sorted list that is the page of a cursor, and where the next one begins.
pub(super) fn window(
    names: &[&str],
    most: usize,
    cursor: Option<&str>,
) -> Result<(Range<usize>, Option<String>), Error> {
    let first = match cursor {
        None => 0,
        Some(cursor) => {
            let after = name_in(cursor)?;
            names.partition_point(|name| *name <= after.as_str())
        }
    };
    let end = names.len().min(first + most);
    let last = names.get(first..end).and_then(<[&str]>::last);
    let next = last.filter(|_| end < names.len());
    Ok((first..end, next.map(|name| cursor_after(name))))
}

/// What stands for the place after a name, whatever the name is of: the list may be another one when
/// it goes on. As in a URI, a name is plain characters that no client changes on the way.
fn cursor_after(name: &str) -> String {
    skill_uri::of(name, "")
}

fn name_in(cursor: &str) -> Result<String, Error> {
    let uri = SkillUri::parse(cursor).filter(|uri| uri.path.is_none());
    uri.map(|uri| uri.name).ok_or(Error::CursorUnknown)
}
