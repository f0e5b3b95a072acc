//! Reading a skill's body at the moment it is asked for.

use crate::catalog::Catalog;
use crate::diagnostic::Diagnostic;
use crate::directory_name;
use crate::error::{Error, TooLarge};
use crate::jail::{Opened, Range, Refusal};
use crate::operation::Io;
use crate::record::{Origin, Record, SkillFile};
use crate::skill_file::{self, BODY_TOO_LARGE, ReadOptions};
use crate::snapshot::Entry;
use crate::source::Links;
use crate::stringify::stringify;

/// A body, as it is now.
pub(crate) struct Body {
    /// Trimmed at both ends; or why it cannot be had.
    pub(crate) text: Result<String, Error>,
    /// Whether the model may have it, as its file says now.
    pub(crate) model_invocable: bool,
    /// Whether the user is offered it, as its file says now.
    pub(crate) user_invocable: bool,
    /// As its file says now.
    pub(crate) version: Option<String>,
    /// As its file says now.
    pub(crate) allowed_tools: Vec<String>,
}

/// Reads the body of an entry for whoever is given it, and judges its file anew. That it has characters
/// that nobody sees is a finding of the catalog.
pub(crate) async fn read(io: &Io, catalog: &Catalog, entry: &Entry) -> Result<Body, Error> {
    let body = judged(io, entry, &catalog.options().read_options()).await?;
    note_hidden(catalog, entry, &body);
    Ok(body)
}

/// Notes that a body has characters that nobody sees: once for each file.
fn note_hidden(catalog: &Catalog, entry: &Entry, body: &Body) {
    let Ok(text) = &body.text else { return };
    let Some(found) = skill_file::hidden_in("the body", text, catalog.options().mode) else {
        return;
    };
    catalog.note_of_file(entry.record.key(), entry.finding(found));
}

/// Reads the body of an entry, and judges its file anew.
async fn judged(io: &Io, entry: &Entry, options: &ReadOptions) -> Result<Body, Error> {
    match &entry.record.origin {
        Origin::Defined(definition) => {
            let text = definition.content.trim();
            check_size(text.len(), "SKILL.md", options)?;
            Ok(Body {
                text: Ok(skill_file::kept_body(text, options)),
                model_invocable: entry.skill.model_invocable,
                user_invocable: entry.skill.user_invocable,
                version: entry.skill.version.clone(),
                allowed_tools: entry.skill.allowed_tools.clone().unwrap_or_default(),
            })
        }
        Origin::File(file) => {
            let opened = open(io, file, entry, options).await?;
            Ok(from_file(io, file, &opened, options).await)
        }
    }
}

/// The bytes of the skill file of an entry, and the body in them; of a skill from code those of the
/// file that it stands for.
pub(crate) async fn read_whole(
    io: &Io,
    entry: &Entry,
    options: &ReadOptions,
) -> Result<(Vec<u8>, Body), Error> {
    match &entry.record.origin {
        Origin::Defined(definition) => {
            let body = judged(io, entry, options).await?;
            let front_matter = entry.skill.front_matter();
            let fields = front_matter.0.iter();
            let fields: Vec<_> = fields
                .map(|(key, value)| (key.as_str(), value.clone()))
                .collect();
            let text = stringify(&fields, definition.content.trim());
            Ok((text.into_bytes(), body))
        }
        Origin::File(file) => {
            let opened = open(io, file, entry, options).await?;
            let body = from_file(io, file, &opened, options).await;
            Ok((opened.file.bytes, body))
        }
    }
}

/// Opens the file of an entry in its jail.
async fn open(
    io: &Io,
    file: &SkillFile,
    entry: &Entry,
    options: &ReadOptions,
) -> Result<Opened, Error> {
    let name = &entry.skill.name;
    let length = options.limits.whole_file();
    let opened = file
        .jail
        .open(io, &file.path, Range { offset: 0, length })
        .await
        .map_err(|refusal| refusal.into_error(file.name(), name))?;
    check_own(&opened, &entry.record, options.links)
        .map_err(|refusal| refusal.into_error(file.name(), name))?;
    Ok(opened)
}

/// Judges what was opened.
async fn from_file(io: &Io, file: &SkillFile, opened: &Opened, options: &ReadOptions) -> Body {
    let length = options.limits.whole_file();
    let read = opened.file.bytes.as_slice();
    let size = opened.file.size.unwrap_or(0).max(read.len() as u64);
    let mut parsed = skill_file::parse(read, file.place(), options);
    directory_name::check(io, &mut parsed, file.place(), options).await;
    let invocation = parsed.invocation;
    let skill = parsed.skill.as_ref();
    let version = skill.and_then(|skill| skill.version.clone());
    let allowed_tools = skill.and_then(|skill| skill.allowed_tools.clone());
    let is_too_large = |found: &Diagnostic| found.code == BODY_TOO_LARGE.code;
    let text = if size >= u64::from(length) {
        Err(too_large(size, file.name(), options))
    } else if !opened.file.reaches_end(0, length) {
        Err(Error::incomplete(file.name()))
    } else if parsed.diagnostics.iter().any(is_too_large) {
        Err(too_large(parsed.body_size as u64, file.name(), options))
    } else {
        let text = parsed.body.filter(|_| parsed.skill.is_some());
        text.ok_or(Error::SkillInvalid(parsed.diagnostics))
    };
    Body {
        text,
        model_invocable: invocation.model,
        user_invocable: invocation.user,
        version,
        allowed_tools: allowed_tools.unwrap_or_default(),
    }
}

/// Whether what was opened is the file that was scanned.
pub(crate) fn check_own(opened: &Opened, record: &Record, links: Links) -> Result<(), Refusal> {
    let (Origin::File(file), Some(real)) = (&record.origin, opened.file.real_path.as_deref())
    else {
        return Ok(());
    };
    // Its real path is that of its source, as it is now, and the rest as text: no link led there, and for
    // a loose file it is that file. What was scanned may have been elsewhere.
    if opened.exact {
        return Ok(());
    }
    // The jail of a loose file holds other skills too: only the file that was scanned is its own.
    let is_another = || record.real_file().is_some_and(|own| own != real);
    if !file.has_directory() && is_another() {
        return Err(Refusal::Outside);
    }
    if links == Links::Never && file.is_link_to(real) {
        return Err(Refusal::Linked);
    }
    Ok(())
}

fn check_size(size: usize, file_name: &str, options: &ReadOptions) -> Result<(), Error> {
    if size > options.limits.body as usize {
        return Err(too_large(size as u64, file_name, options));
    }
    Ok(())
}

fn too_large(size: u64, file_name: &str, options: &ReadOptions) -> Error {
    Error::FileTooLarge {
        path: file_name.to_owned(),
        size,
        limit: options.limits.body,
        of: TooLarge::Body,
    }
}
