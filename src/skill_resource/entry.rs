//! The entries of skills: what clients list, with the digest of each file.

use crate::body;
use crate::catalog::Catalog;
use crate::diagnostic::Diagnostic;
use crate::discovery::SKILL_FILE;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::operation::{Branch, Io, Operation};
use crate::own_files::OwnFiles;
use crate::skill_uri::{self, SkillUri};
use crate::snapshot::Entry;
use crate::value::Map;

use super::digests::{Content, contents};
use super::page::{Page, names, window};
use super::published::{MOST_BYTES, MOST_FILES, Unpublished, front_matter};

/// Entries of one page, whose files have to be read.
const ENTRIES: usize = 32;

/// A skill as clients list it.
struct SkillEntry {
    uri: String,
    front_matter: Map,
    resources: Vec<FileEntry>,
}

/// One of its files.
struct FileEntry {
    uri: String,
    content: Content,
}

impl ToJson for SkillEntry {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("uri", &self.uri)
            .field("frontmatter", &self.front_matter)
            .field("resources", &self.resources)
            .end();
    }
}

impl ToJson for FileEntry {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("uri", &self.uri)
            .field("digest", &self.content.digest)
            .field("size", &self.content.size)
            .end();
    }
}

impl Catalog {
    /// A page of the skills that MCP clients list.
    ///
    /// # Errors
    ///
    /// The cursor is none that came with a page.
    pub fn skill_entries(&self, cursor: Option<String>) -> Operation<Result<Page, Error>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let snapshot = catalog.snapshot();
            let offered: Vec<&Entry> = catalog.offered(&snapshot).collect();
            let (range, next_cursor) = window(&names(&offered), ENTRIES, cursor.as_deref())?;
            let page = offered.get(range).unwrap_or_default();
            let works = page.iter().map(|entry| {
                let catalog = &catalog;
                move |io: Io| -> Branch<'_, Option<String>> {
                    Box::pin(async move { catalog.published(&io, entry).await })
                }
            });
            let items = io.side_by_side(works.collect()).await;
            Ok(Page {
                key: "skills",
                items: items.into_iter().flatten().collect(),
                next_cursor,
            })
        })
    }

    /// The entry of the skill whose skill file has this URI, as it is written in the list: JSON
    /// text.
    pub fn skill_entry(&self, uri: String) -> Operation<Option<String>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let parsed = SkillUri::parse(&uri)?;
            if skill_uri::of(&parsed.name, SKILL_FILE) != uri {
                return None;
            }
            let snapshot = catalog.snapshot();
            let entry = catalog.resource_owner(&snapshot, &parsed).ok()?;
            catalog.published(&io, entry).await
        })
    }

    /// The entry of a skill; nothing, and a finding, where a client would not take it.
    async fn published(&self, io: &Io, entry: &Entry) -> Option<String> {
        match self.entry_of(io, entry).await {
            Ok(found) => found,
            Err(unpublished) => {
                let found = self.unpublished(entry, unpublished);
                self.note(entry.record.key(), found);
                None
            }
        }
    }

    fn unpublished(&self, entry: &Entry, why: Unpublished) -> Diagnostic {
        entry.finding(why.finding(self.options().mode))
    }

    /// The entry of a skill; nothing where its file says by now that the model may not have it.
    async fn entry_of(&self, io: &Io, entry: &Entry) -> Result<Option<String>, Unpublished> {
        let options = self.options().read_options();
        let name = &entry.skill.name;
        let unreadable = |error: Error| Unpublished::unreadable(error.for_remote());
        let (bytes, body) = body::read_whole(io, entry, &options)
            .await
            .map_err(unreadable)?;
        if !body.model_invocable {
            return Ok(None);
        }
        body.text.map_err(unreadable)?;
        let front_matter = front_matter(&bytes, name, &options.limits)?;
        let own = Content::of(&bytes);
        let files = self.files_of(io, entry).await;
        if files.more || files.files.len() >= MOST_FILES || own.size > u64::from(MOST_BYTES) {
            return Err(Unpublished::too_large());
        }
        let room = u64::from(MOST_BYTES) - own.size;
        let mut found = vec![(SKILL_FILE.to_owned(), own)];
        if let Some(own) = OwnFiles::of(&entry.record) {
            let known = self.digests();
            found.extend(contents(io, &own, &files.files, room, known).await?);
        }
        let mut resources = Vec::with_capacity(found.len());
        for (path, content) in found {
            let uri = skill_uri::of(name, &path);
            resources.push(FileEntry { uri, content });
        }
        let entry = SkillEntry {
            uri: skill_uri::of(name, SKILL_FILE),
            front_matter,
            resources,
        };
        Ok(Some(entry.to_json()))
    }
}
