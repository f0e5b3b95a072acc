//! The digests of a skill's files. What has not changed, by the version that its host tells, is not
//! read again.

use std::cell::RefCell;

use super::published::{MOST_BYTES, Unpublished};
use crate::digest::sha256;
use crate::error::Error;
use crate::host::Request;
use crate::jail::{Jail, Opened, Range, Refusal};
use crate::operation::Io;
use crate::own_files::OwnFiles;
use crate::path;
use crate::places::Places;

/// Digests that are kept; then all are forgotten.
const MOST_KEPT: usize = 50_000;
/// Files that are read at the same time.
const AT_ONCE: usize = 4;
/// What is read of each: one byte tells that there are more than are taken.
const RANGE: Range = Range {
    offset: 0,
    length: MOST_BYTES + 1,
};

/// A file of a skill, by its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) digest: String,
    /// In bytes.
    pub(super) size: u64,
}

impl Content {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self {
            digest: sha256(bytes),
            size: bytes.len() as u64,
        }
    }
}

/// Digests by host and path, each of one version.
#[derive(Debug, Default)]
pub(crate) struct Digests {
    places: Places,
    kept: Vec<(String, Content)>,
}

impl Digests {
    fn get(&self, key: &str, version: &str) -> Option<Content> {
        let (of, content) = self.kept.get(self.places.get(key)?)?;
        (of == version).then(|| content.clone())
    }

    fn keep(&mut self, key: String, version: String, content: Content) {
        if let Some(kept) = self.places.get(&key).and_then(|at| self.kept.get_mut(at)) {
            *kept = (version, content);
            return;
        }
        if self.kept.len() >= MOST_KEPT {
            *self = Self::default();
        }
        self.places.add(key, self.kept.len());
        self.kept.push((version, content));
    }
}

/// The contents of a skill's files, in their order; without those that are not there by now, or not
/// its own. `room` is how many bytes they may have together.
pub(super) async fn contents(
    io: &Io,
    own: &OwnFiles<'_>,
    files: &[String],
    room: u64,
    known: &RefCell<Digests>,
) -> Result<Vec<(String, Content)>, Unpublished> {
    let reading = Reading { io, own, known };
    let mut contents = Vec::with_capacity(files.len());
    let mut left = room;
    for files in files.chunks(AT_ONCE) {
        let found = reading
            .contents(files)
            .await
            .map_err(|error| Unpublished::unreadable(error.for_remote()))?;
        for (file, content) in files.iter().zip(found) {
            let Some(content) = content else { continue };
            left = left
                .checked_sub(content.size)
                .ok_or_else(Unpublished::too_large)?;
            contents.push((file.clone(), content));
        }
    }
    Ok(contents)
}

struct Reading<'a> {
    io: &'a Io,
    own: &'a OwnFiles<'a>,
    known: &'a RefCell<Digests>,
}

impl Reading<'_> {
    async fn contents(&self, files: &[String]) -> Result<Vec<Option<Content>>, Error> {
        let jail = self.own.jail;
        let paths: Vec<String> = files
            .iter()
            .map(|file| path::join(&jail.directory, file))
            .collect();
        let versions = self.versions(&paths).await;
        let mut contents: Vec<Option<Content>> = Vec::with_capacity(files.len());
        let mut wanted = Vec::new();
        for (path, version) in paths.iter().zip(&versions) {
            let key = path::on_host(jail.host, path);
            let version = version.as_deref();
            let known = version.and_then(|version| self.known.borrow().get(&key, version));
            if known.is_none() {
                wanted.push((jail, path.as_str(), RANGE));
            }
            contents.push(known);
        }
        let mut opened = Jail::open_all(self.io, &wanted).await.into_iter();
        for (at, content) in contents.iter_mut().enumerate() {
            if content.is_some() {
                continue;
            }
            let (Some(opened), Some(file), Some(path)) =
                (opened.next(), files.get(at), paths.get(at))
            else {
                continue;
            };
            *content = self.content(opened, file)?;
            if let (Some(content), Some(Some(version))) = (content, versions.get(at)) {
                let key = path::on_host(jail.host, path);
                let (version, content) = (version.clone(), content.clone());
                self.known.borrow_mut().keep(key, version, content);
            }
        }
        Ok(contents)
    }

    /// The versions of files from before they are read, where the host tells them.
    async fn versions(&self, paths: &[String]) -> Vec<Option<String>> {
        let jail = self.own.jail;
        if !jail.capabilities.stat {
            return vec![None; paths.len()];
        }
        let requests = paths
            .iter()
            .map(|path| Request::Stat {
                host: jail.host,
                path: path.clone(),
            })
            .collect();
        let replies = self.io.perform(requests).await;
        replies
            .into_iter()
            .map(|reply| reply.stat().ok().map(|(_, version)| version))
            .collect()
    }

    /// The content of a file that was opened; nothing where it is not there by now, or not its own.
    fn content(
        &self,
        opened: Result<Opened, Refusal>,
        file: &str,
    ) -> Result<Option<Content>, Error> {
        let read = match opened {
            Ok(opened) => opened.file,
            Err(refusal @ Refusal::Failed(_)) => return Err(refusal.into_error(file, "")),
            Err(_) => return Ok(None),
        };
        let real = read.real_path.as_deref();
        if real.is_some_and(|real| self.own.is_really_others(real)) {
            return Ok(None);
        }
        let is_whole = read.reaches_end(RANGE.offset, RANGE.length);
        if !is_whole && read.bytes.len() < RANGE.length as usize {
            return Err(Error::incomplete(file));
        }
        Ok(Some(Content::of(&read.bytes)))
    }
}
