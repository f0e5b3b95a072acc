//! Skills as resources over MCP (SEP-2640): the entries that clients list, with the digest of each
//! file; the files; and the directories that they are in.
//!
//! What the model may not load is not there. What is read is read at that moment, in the jail of the
//! skill, and only what its entry lists, or would list.

mod digests;
mod published;

use crate::body;
use crate::call::{Audience, Unanswered};
use crate::catalog::Catalog;
use crate::diagnostic::Diagnostic;
use crate::discovery::SKILL_FILE;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::media_type;
use crate::near::near;
use crate::operation::{Branch, Io, Operation};
use crate::order::sort_by;
use crate::own_files::OwnFiles;
use crate::path;
use crate::read_skill_file;
use crate::relative_path::RelativePath;
use crate::resources::{self, Resources};
use crate::skill_uri::{self, SkillUri};
use crate::snapshot::{Entry, Snapshot};
use crate::text::one_line;
use crate::value::Map;
pub(crate) use digests::Digests;
use digests::{Content, contents};
use published::{MOST_BYTES, MOST_FILES, Unpublished, front_matter};

/// Entries of one page, whose files have to be read.
const ENTRIES: usize = 32;
/// Lines of one page, for which nothing is read.
pub(crate) const LINES: usize = 200;
/// The media type of a skill file.
const MARKDOWN: &str = "text/markdown";
/// The media type of a directory.
const DIRECTORY: &str = "inode/directory";
/// The version of a skill, among what is said of its resource.
const VERSION: &str = "io.modelcontextprotocol.skills/version";
/// The digest of a file, among what is said of it.
const DIGEST: &str = "io.modelcontextprotocol.skills/digest";

/// One page of a list, and where the next one begins.
#[derive(Debug)]
pub struct Page {
    /// The key of the list.
    pub(crate) key: &'static str,
    /// What is on it, each as JSON text.
    pub(crate) items: Vec<String>,
    /// Absent on the last one.
    pub(crate) next_cursor: Option<String>,
}

/// JSON text.
struct Raw<'a>(&'a str);

impl ToJson for Raw<'_> {
    fn write_json(&self, out: &mut String) {
        out.push_str(self.0);
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

/// The part of a sorted list that is the page of a cursor, and where the next one begins.
pub(crate) fn window(
    names: &[&str],
    most: usize,
    cursor: Option<&str>,
) -> Result<(std::ops::Range<usize>, Option<String>), Error> {
    let first = match cursor {
        None => 0,
        Some(cursor) => {
            let after = read_cursor(cursor)?;
            names.partition_point(|name| *name <= after.as_str())
        }
    };
    let end = names.len().min(first + most);
    let last = names.get(first..end).and_then(<[&str]>::last);
    let next = last.filter(|_| end < names.len());
    Ok((first..end, next.map(|name| cursor_after(name))))
}

/// What stands for the place after a name.
fn cursor_after(name: &str) -> String {
    skill_uri::of(name, "")
}

fn read_cursor(cursor: &str) -> Result<String, Error> {
    let uri = SkillUri::parse(cursor).filter(|uri| uri.path.is_none());
    uri.map(|uri| uri.name)
        .ok_or_else(|| Error::ToolArgumentsInvalid {
            tool: "the list".to_owned(),
            problem: "the cursor is none that came with a page".to_owned(),
        })
}

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

/// A skill file among all resources, as JSON text.
fn skill_file_line(entry: &Entry) -> String {
    let skill = &entry.skill;
    let version = skill.version.as_deref();
    let meta = version.map(|version| meta(VERSION, &one_line(version)));
    let mut line = String::new();
    Object::begin(&mut line)
        .field("uri", &skill_uri::of(&skill.name, SKILL_FILE))
        .field("name", &&*one_line(&skill.name))
        .field("description", &&*one_line(&skill.description))
        .field("mimeType", &MARKDOWN)
        .optional("_meta", meta.as_deref().map(Raw).as_ref())
        .end();
    line
}

/// What is said of a resource beside what all resources have, as JSON text.
fn meta(key: &'static str, value: &str) -> String {
    let mut text = String::new();
    Object::begin(&mut text).field(key, &value).end();
    text
}

/// Something in a directory of a skill, as JSON text.
fn child_line(skill: &str, directory: &str, name: &str, is_directory: bool) -> String {
    let media_type = if is_directory {
        Some(DIRECTORY)
    } else {
        media_type::of_resource(name)
    };
    let mut line = String::new();
    Object::begin(&mut line)
        .field("uri", &skill_uri::of(skill, &path::join(directory, name)))
        .field("name", &name)
        .optional("mimeType", media_type.as_ref())
        .end();
    line
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillResource {
    /// What it is called.
    pub uri: String,
    /// What it holds.
    pub media_type: &'static str,
    /// Of all its bytes.
    pub digest: String,
    /// All its bytes.
    pub bytes: Vec<u8>,
}

/// As clients are sent it, but for its text or bytes.
impl ToJson for SkillResource {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("uri", &self.uri)
            .field("mimeType", &self.media_type)
            .field("_meta", &Raw(&meta(DIGEST, &self.digest)))
            .end();
    }
}

impl SkillResource {
    fn new(uri: String, path: &str, bytes: Vec<u8>) -> Self {
        let known = media_type::of_resource(path);
        let is_text = std::str::from_utf8(&bytes).is_ok_and(|text| !text.contains('\0'));
        Self {
            uri,
            media_type: known.unwrap_or(if is_text {
                "text/plain"
            } else {
                media_type::BYTES
            }),
            digest: Content::of(&bytes).digest,
            bytes,
        }
    }

    /// The text, where it is some.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes)
            .ok()
            .filter(|text| !text.contains('\0'))
    }
}

impl Catalog {
    /// A page of the skills that MCP clients list.
    pub fn skill_entries(&self, cursor: Option<String>) -> Operation<Result<Option<Page>, Error>> {
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
            Ok(Some(Page {
                key: "skills",
                items: items.into_iter().flatten().collect(),
                next_cursor,
            }))
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

    /// A page of the skill files, as they are among all resources. Nothing is read.
    ///
    /// # Errors
    ///
    /// The cursor is none that came with a page.
    pub fn skill_files(&self, cursor: Option<&str>) -> Result<Page, Error> {
        let snapshot = self.snapshot();
        let offered: Vec<&Entry> = self.offered(&snapshot).collect();
        let (range, next_cursor) = window(&names(&offered), LINES, cursor)?;
        let page = offered.get(range).unwrap_or_default();
        Ok(Page {
            key: "resources",
            items: page.iter().map(|entry| skill_file_line(entry)).collect(),
            next_cursor,
        })
    }

    /// A page of what is in a directory of a skill; nothing where the URI is of none.
    pub fn skill_directory(
        &self,
        uri: String,
        cursor: Option<String>,
    ) -> Operation<Result<Option<Page>, Error>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let snapshot = catalog.snapshot();
            let Some(parsed) = SkillUri::parse(&uri) else {
                return Ok(None);
            };
            let Ok(entry) = catalog.resource_owner(&snapshot, &parsed) else {
                return Ok(None);
            };
            let is_clean =
                |path: &String| RelativePath::parse(path).is_ok_and(|clean| clean.as_str() == path);
            let directory = parsed.path.unwrap_or_default();
            if uri.ends_with('/') || !directory.is_empty() && !is_clean(&directory) {
                return Ok(None);
            }
            let files = catalog.files_of(&io, entry).await.files;
            let Some(children) = children(&directory, &files) else {
                return Ok(None);
            };
            let names: Vec<&str> = children.iter().map(|(name, _)| *name).collect();
            let (range, next_cursor) = window(&names, LINES, cursor.as_deref())?;
            let page = children.get(range).unwrap_or_default();
            let mut items = Vec::new();
            for (name, is_directory) in page {
                items.push(child_line(
                    &entry.skill.name,
                    &directory,
                    name,
                    *is_directory,
                ));
            }
            Ok(Some(Page {
                key: "resources",
                items,
                next_cursor,
            }))
        })
    }

    /// A file of a skill.
    ///
    /// # Errors
    ///
    /// There is none, or its path is refused, or it cannot be read now.
    pub fn skill_resource(&self, uri: String) -> Operation<Result<SkillResource, Error>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let snapshot = catalog.snapshot();
            let refused = || Error::PathRefused {
                path: uri.clone(),
                reason: "it is no skill:// URI of a file, percent-encoded once",
            };
            let parsed = SkillUri::parse(&uri).ok_or_else(refused)?;
            let entry = catalog.resource_owner(&snapshot, &parsed)?;
            let path = parsed.path.ok_or_else(refused)?;
            let path = RelativePath::parse(&path).map_err(|reason| Error::PathRefused {
                path: path.clone(),
                reason,
            })?;
            let read = if path.as_str() == SKILL_FILE {
                catalog.skill_file(&io, entry).await
            } else {
                catalog.other_file(&io, entry, path.as_str()).await
            };
            let bytes = read.map_err(|unanswered| match unanswered {
                Unanswered::Disabled => catalog.not_found(&snapshot, &parsed.name, Some(entry)),
                Unanswered::Failed(error) => error,
            })?;
            let uri = skill_uri::of(&entry.skill.name, path.as_str());
            Ok(SkillResource::new(uri, path.as_str(), bytes))
        })
    }

    /// The skill that a URI is of: exactly its name, and one that the model may load.
    fn resource_owner<'a>(
        &self,
        snapshot: &'a Snapshot,
        uri: &SkillUri,
    ) -> Result<&'a Entry, Error> {
        snapshot
            .named(&uri.name)
            .filter(|entry| self.allows(snapshot, entry, Audience::Model))
            .ok_or_else(|| self.not_found(snapshot, &uri.name, None))
    }

    /// The skill file as it is now.
    async fn skill_file(&self, io: &Io, entry: &Entry) -> Result<Vec<u8>, Unanswered> {
        let options = self.options().read_options();
        let (bytes, body) = body::read_whole(io, entry, &options).await?;
        if !body.model_invocable {
            return Err(Unanswered::Disabled);
        }
        body.text?;
        Ok(bytes)
    }

    /// A file beside the skill file, if the entry of the skill lists it.
    async fn other_file(&self, io: &Io, entry: &Entry, path: &str) -> Result<Vec<u8>, Unanswered> {
        let files = self.files_of(io, entry).await.files;
        if files.iter().any(|file| file == path) {
            return read_skill_file::whole(io, self, entry, path, MOST_BYTES).await;
        }
        let error = Error::FileNotFound {
            path: path.to_owned(),
            skill: entry.skill.name.clone(),
            near: near(path, files.iter().map(String::as_str)),
        };
        Err(error.into())
    }

    /// The files beside the skill file of an entry.
    async fn files_of(&self, io: &Io, entry: &Entry) -> Resources {
        let Some(own) = OwnFiles::of(&entry.record) else {
            return Resources::default();
        };
        let mut found = resources::list(io, &own, self.options().links).await;
        // The skill file is told of by itself; of a skill from code it is none of its files.
        found.files.retain(|file| file != SKILL_FILE);
        found
    }

    /// The entry of a skill; nothing, and a finding, where a client would not take it.
    async fn published(&self, io: &Io, entry: &Entry) -> Option<String> {
        match self.entry_of(io, entry).await {
            Ok(found) => found,
            Err(unpublished) => {
                let found = self.unpublished(entry, unpublished);
                self.note(&entry.record.key, found);
                None
            }
        }
    }

    fn unpublished(&self, entry: &Entry, why: Unpublished) -> Diagnostic {
        let mut found = why.finding(self.options().mode);
        found = found.about(entry.skill.name.clone());
        found.path = entry.record.shown().cloned();
        found
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

/// The names of entries, in their order.
pub(crate) fn names<'a>(entries: &[&'a Entry]) -> Vec<&'a str> {
    entries
        .iter()
        .map(|entry| entry.skill.name.as_str())
        .collect()
}

/// What is directly in a directory of a skill, in the order of their names, and whether it is a
/// directory itself. `None` where there is no such directory.
fn children<'a>(directory: &str, files: &'a [String]) -> Option<Vec<(&'a str, bool)>> {
    let mut children: Vec<(&str, bool)> = Vec::new();
    if directory.is_empty() {
        children.push((SKILL_FILE, false));
    }
    for file in files {
        let below = path::below(file, directory).filter(|below| !below.is_empty());
        if let Some(below) = below {
            children.push(match below.split_once('/') {
                Some((name, _)) => (name, true),
                None => (below, false),
            });
        }
    }
    sort_by(&mut children, Ord::cmp);
    children.dedup();
    (!children.is_empty()).then_some(children)
}
