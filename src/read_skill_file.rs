//! `read_skill_file`: a file beside a skill, text in pages, anything else as bytes.

use std::borrow::Cow;

use crate::body;
use crate::call::{Bytes, Rest, ToolResult, Unanswered};
use crate::catalog::Catalog;
use crate::error::{Error, TooLarge};
use crate::hidden;
use crate::jail::{Opened, Range, Refusal};
use crate::media_type;
use crate::near::near;
use crate::operation::Io;
use crate::own_files::OwnFiles;
use crate::path;
use crate::relative_path::RelativePath;
use crate::resources;
use crate::skill_file::hidden_in;
use crate::skill_uri;
use crate::snapshot::Entry;
use crate::source::Links;
use crate::text::shortened;
use crate::tool_call::FilePart;
use crate::tools::Tools;

/// Why no path of a skill without a directory can be read.
pub(crate) const NO_FILES: &str = "this skill has no files beside it";

/// Bytes that a character can have before its last one.
const CHARACTER_HEAD: u64 = 3;

/// The bytes that one call may get.
#[derive(Clone, Copy)]
struct Window {
    offset: u64,
    /// At most so many bytes of text.
    length: u32,
}

impl Window {
    fn new(part: &FilePart, page: u32) -> Self {
        let limit = part.limit.and_then(|limit| u32::try_from(limit).ok());
        Self {
            offset: part.offset.unwrap_or(0),
            length: limit.unwrap_or(u32::MAX).min(page).max(1),
        }
    }

    /// What is read for it: a little more at both ends, to see whole characters there.
    fn range(self) -> Range {
        let lead = self.offset.min(CHARACTER_HEAD);
        let length = self.length.saturating_add(lead as u32 + 4);
        Range {
            offset: self.offset - lead,
            length,
        }
    }
}

pub(crate) async fn answer(
    io: &Io,
    catalog: &Catalog,
    entry: &Entry,
    own: Option<OwnFiles<'_>>,
    part: &FilePart,
    tools: &Tools,
) -> Result<ToolResult, Unanswered> {
    let file = File::new(io, catalog, entry, own, &part.path)?;
    let limits = &catalog.options().limits;
    let window = Window::new(part, limits.page);
    let opened = file.open(window.range()).await?;
    if file.is_skill_file(&opened) {
        may_be_read(io, catalog, entry).await?;
    }
    Ok(match Page::new(&opened, window) {
        Page::PastTheEnd { size } => return Err(past_the_end(window, size, part, tools).into()),
        Page::Text {
            text,
            from,
            to,
            is_last,
        } => {
            let offset_name = tools.rename().shown_argument(part.tool, "offset");
            file.note_hidden(catalog, text, from);
            let text = if catalog.options().strip {
                hidden::strip(text)
            } else {
                Cow::Borrowed(text)
            };
            text_result(&text, from, to, is_last, &opened, offset_name)
        }
        Page::NotText => file.bytes(limits.bytes).await?,
    })
}

/// All bytes of a file, if there are no more than `limit`.
pub(crate) async fn whole(
    io: &Io,
    catalog: &Catalog,
    entry: &Entry,
    path: &str,
    limit: u32,
) -> Result<Vec<u8>, Unanswered> {
    let file = File::new(io, catalog, entry, OwnFiles::of(&entry.record), path)?;
    let opened = file.whole(limit).await?;
    if file.is_skill_file(&opened) {
        may_be_read(io, catalog, entry).await?;
    }
    Ok(opened.file.bytes)
}

/// The skill file is a file of the skill, but not where it says by now that the model may not have
/// it; nor where it cannot be read as a whole, so that nobody knows.
async fn may_be_read(io: &Io, catalog: &Catalog, entry: &Entry) -> Result<(), Unanswered> {
    let body = body::read(io, catalog, entry).await?;
    if body.model_invocable {
        Ok(())
    } else {
        Err(Unanswered::Disabled)
    }
}

fn past_the_end(window: Window, size: u64, part: &FilePart, tools: &Tools) -> Error {
    let tool = part.tool;
    Error::ToolArgumentsInvalid {
        tool: tools.rename().shown_name(tool).to_owned(),
        problem: format!(
            "{} {} is past the end of the file, which has {size} bytes",
            tools.rename().shown_argument(tool, "offset"),
            window.offset
        ),
    }
}

struct File<'a> {
    io: &'a Io,
    links: Links,
    entry: &'a Entry,
    own: OwnFiles<'a>,
    /// As it was asked for.
    path: &'a str,
    relative: RelativePath,
}

impl<'a> File<'a> {
    /// The file of a path, if its text allows it.
    fn new(
        io: &'a Io,
        catalog: &Catalog,
        entry: &'a Entry,
        own: Option<OwnFiles<'a>>,
        path: &'a str,
    ) -> Result<Self, Error> {
        let refuse = |reason| Error::PathRefused {
            path: path.to_owned(),
            reason,
        };
        let relative = RelativePath::parse(path).map_err(refuse)?;
        Ok(Self {
            io,
            links: catalog.options().links,
            entry,
            own: own.ok_or_else(|| refuse(NO_FILES))?,
            path,
            relative,
        })
    }

    fn host_path(&self) -> String {
        path::join(&self.own.jail.directory, self.relative.as_str())
    }

    fn is_skill_file(&self, opened: &Opened) -> bool {
        let real = opened.file.real_path.as_deref();
        self.own.is_really_skill_file(&self.host_path(), real)
    }

    async fn open(&self, range: Range) -> Result<Opened, Error> {
        let jail = self.own.jail;
        if self.own.is_others(&self.host_path()) {
            return Err(self.not_found().await);
        }
        let links = self.links != Links::Never;
        let opened = jail.open_exactly(self.io, &self.relative, range, links);
        let opened = match opened.await {
            Ok(opened) => opened,
            Err(Refusal::NotFound) => return Err(self.not_found().await),
            Err(refusal) => return Err(self.refused(refusal)),
        };
        let real = opened.file.real_path.as_deref();
        if real.is_some_and(|real| self.own.is_really_others(real)) {
            return Err(self.not_found().await);
        }
        Ok(opened)
    }

    /// Notes that a text, from a byte of the file on, has characters that nobody sees: once for each
    /// file.
    fn note_hidden(&self, catalog: &Catalog, text: &str, from: u64) {
        let what = if from == 0 {
            "the file".to_owned()
        } else {
            format!("what the file has from byte {from} on")
        };
        let Some(mut found) = hidden_in(&what, text, catalog.options().mode) else {
            return;
        };
        let record = &self.entry.record;
        let directory = record.shown_directory().unwrap_or_default();
        found = found.about(self.entry.skill.name.clone());
        found.path = Some(path::join(directory, self.relative.as_str()).into());
        catalog.note_of_file(record.key(), found);
    }

    fn refused(&self, refusal: Refusal) -> Error {
        refusal.into_error(self.path, &self.entry.skill.name)
    }

    async fn not_found(&self) -> Error {
        let files = resources::list(self.io, &self.own, self.links).await.files;
        Error::FileNotFound {
            path: self.path.to_owned(),
            skill: self.entry.skill.name.clone(),
            near: near_files(self.relative.as_str(), &files),
        }
    }

    /// The whole of a file.
    async fn whole(&self, limit: u32) -> Result<Opened, Error> {
        let length = limit.saturating_add(1);
        let opened = self.open(Range { offset: 0, length }).await?;
        let file = &opened.file;
        let size = file.size.unwrap_or(0).max(file.bytes.len() as u64);
        if size > u64::from(limit) {
            return Err(Error::FileTooLarge {
                path: self.path.to_owned(),
                size,
                limit,
                of: TooLarge::NotText,
            });
        }
        if !file.reaches_end(0, length) {
            return Err(Error::incomplete(self.path));
        }
        Ok(opened)
    }

    /// The whole of a file that is not text.
    async fn bytes(&self, limit: u32) -> Result<ToolResult, Error> {
        let bytes = self.whole(limit).await?.file.bytes;
        let size = bytes.len();
        let media_type = media_type::of(self.relative.as_str());
        let shown = shortened(self.relative.as_str());
        Ok(ToolResult {
            content: format!("{shown} is not text: {media_type}, {size} bytes."),
            bytes: Some(Bytes {
                content: bytes,
                media_type: Cow::Borrowed(media_type),
                uri: Some(skill_uri::of(
                    &self.entry.skill.name,
                    self.relative.as_str(),
                )),
            }),
            ..ToolResult::default()
        })
    }
}

/// Files whose path, or whose name alone, is like the one that was asked for.
fn near_files(wanted: &str, files: &[String]) -> Vec<String> {
    let by_path = near(wanted, files.iter().map(String::as_str));
    if !by_path.is_empty() {
        return by_path;
    }
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let names: Vec<String> = files.iter().map(|file| name(file)).collect();
    let found = near(&name(wanted), names.iter().map(String::as_str));
    files
        .iter()
        .filter(|file| found.contains(&name(file)))
        .take(3)
        .cloned()
        .collect()
}

/// What a read came to.
enum Page<'a> {
    Text {
        text: &'a str,
        from: u64,
        to: u64,
        is_last: bool,
    },
    NotText,
    PastTheEnd {
        size: u64,
    },
}

impl<'a> Page<'a> {
    /// Cuts the page of a `window` out of what was read for it, at character borders.
    fn new(opened: &'a Opened, window: Window) -> Self {
        let Range {
            offset: start,
            length: asked,
        } = window.range();
        let bytes = opened.file.bytes.as_slice();
        let end = start + bytes.len() as u64;
        let reaches_end = opened.file.reaches_end(start, asked);
        if end < window.offset {
            return Self::PastTheEnd {
                size: opened.file.size.unwrap_or(end),
            };
        }
        let lead = usize::try_from(window.offset - start).unwrap_or(bytes.len());
        let begin = character_start(bytes, lead);
        let available = bytes.get(begin..).unwrap_or_default();
        let Some(text) = text_up_to(available, window.length as usize, reaches_end) else {
            return Self::NotText;
        };
        let from = start + begin as u64;
        let is_last = reaches_end && text.len() == available.len();
        Self::Text {
            text,
            from,
            to: from + text.len() as u64,
            is_last,
        }
    }
}

/// The start of the character that the byte at `at` belongs to.
fn character_start(bytes: &[u8], at: usize) -> usize {
    let is_inside = |index: &usize| bytes.get(*index).is_some_and(|byte| byte & 0xC0 == 0x80);
    if !is_inside(&at) {
        return at;
    }
    let first = at.saturating_sub(3);
    (first..at)
        .rev()
        .find(|index| !is_inside(index))
        .unwrap_or(at)
}

/// At most `most` bytes of whole characters, but at least one character; `None` where these are
/// not text: not UTF-8, or with a NUL.
fn text_up_to(bytes: &[u8], most: usize, reaches_end: bool) -> Option<&str> {
    for length in most..=most.saturating_add(3) {
        let cut = bytes.get(..length).unwrap_or(bytes);
        let is_all = cut.len() == bytes.len() && reaches_end;
        let text = match std::str::from_utf8(cut) {
            Ok(text) => text,
            Err(error) if error.error_len().is_none() && !is_all => {
                std::str::from_utf8(cut.get(..error.valid_up_to())?).ok()?
            }
            Err(_) => return None,
        };
        if text.contains('\0') {
            return None;
        }
        if !text.is_empty() || bytes.is_empty() {
            return Some(text);
        }
    }
    None
}

fn text_result(
    text: &str,
    from: u64,
    to: u64,
    is_last: bool,
    opened: &Opened,
    offset_name: &str,
) -> ToolResult {
    let mut content = text.to_owned();
    if is_last {
        return ToolResult {
            content,
            ..ToolResult::default()
        };
    }
    let of = opened
        .file
        .size
        .map(|size| format!(" of {size}"))
        .unwrap_or_default();
    content.push_str(&format!(
        "\n\n[Bytes {from} to {to}{of}. To go on, read with {offset_name} {to}.]"
    ));
    ToolResult {
        content,
        rest: Rest::From(to),
        ..ToolResult::default()
    }
}
