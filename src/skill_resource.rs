//! Skills as resources over MCP (SEP-2640): their files, and below this module the entries that clients
//! list, with the digest of each file, and the directories that the files are in.
//!
//! What the model may not load is not there. What is read is read at that moment, in the jail of the
//! skill, and only what its entry lists, or would list.

mod digests;
mod directory;
mod entry;
mod page;
mod published;

use crate::body;
use crate::call::{Audience, Unanswered};
use crate::catalog::Catalog;
use crate::discovery::SKILL_FILE;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::media_type;
use crate::near::near;
use crate::operation::{Io, Operation};
use crate::own_files::OwnFiles;
use crate::read_skill_file;
use crate::relative_path::RelativePath;
use crate::resources::{self, Resources};
use crate::skill_uri::{self, SkillUri};
use crate::snapshot::{Entry, Snapshot};
use crate::text::one_line;
use digests::Content;
pub(crate) use digests::Digests;
pub use page::Page;
use page::Raw;
use published::MOST_BYTES;

/// The media type of a skill file.
const MARKDOWN: &str = "text/markdown";
/// The version of a skill, among what is said of its resource.
const VERSION: &str = "io.modelcontextprotocol.skills/version";
/// The digest of a file, among what is said of it.
const DIGEST: &str = "io.modelcontextprotocol.skills/digest";

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
        let other = match text_of(&bytes) {
            Some(_) => "text/plain",
            None => media_type::BYTES,
        };
        Self {
            uri,
            media_type: known.unwrap_or(other),
            digest: Content::of(&bytes).digest,
            bytes,
        }
    }

    /// The text, where it is some.
    pub fn text(&self) -> Option<&str> {
        text_of(&self.bytes)
    }
}

fn text_of(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.contains('\0')).then_some(text)
}

impl Catalog {
    /// A page of the skill files, as they are among all resources. Nothing is read.
    ///
    /// # Errors
    ///
    /// The cursor is none that came with a page.
    pub fn skill_files(&self, cursor: Option<&str>) -> Result<Page, Error> {
        let snapshot = self.snapshot();
        let offered: Vec<&Entry> = self.offered(&snapshot).collect();
        Page::of_lines("resources", &offered, cursor, skill_file_line)
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
}
