//! The directory that a skill's files must stay in, and opening files inside it.
//!
//! What decides is what was opened: its real path, against the real path of the directory. A path
//! that meant something else a moment ago decides nothing.

use std::rc::Rc;

use crate::error::Error;
use crate::host::{Capabilities, DirectoryEntry, Failure, FileReply, HostId, Kind, Reply, Request};
use crate::operation::Io;
use crate::path;
use crate::relative_path::RelativePath;

/// A directory that nothing may be read outside of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Jail {
    pub(crate) host: HostId,
    pub(crate) capabilities: Capabilities,
    /// The directory's path on the host.
    pub(crate) directory: String,
    /// The source's path on the host. What lies between the two was no link when it was scanned,
    /// so it must be none when it is read.
    pub(crate) root: Rc<str>,
    /// Where a link to the directory led when it was scanned. It may lead elsewhere by now, which
    /// only a refresh may follow: that judges the new place by the links policy.
    pub(crate) linked_to: Option<Rc<str>>,
}

/// Why a file in a jail was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Nothing stands there.
    NotFound,
    /// It really is somewhere else.
    Outside,
    /// A link leads to it, and links are not followed.
    Linked,
    /// A directory, a pipe, a device.
    NotAFile,
    /// The host could not tell.
    Failed(Failure),
}

impl Refusal {
    /// As an error about a file of a skill, by the path that was asked for.
    pub(crate) fn into_error(self, path: &str, skill: &str) -> Error {
        let path = path.to_owned();
        match self {
            Self::NotFound => Error::FileNotFound {
                path,
                skill: skill.to_owned(),
                near: Vec::new(),
            },
            Self::Outside => Error::PathRefused {
                path,
                reason: "it leads out of the skill's directory",
            },
            Self::Linked => Error::PathRefused {
                path,
                reason: "a link leads to it, and links are not followed",
            },
            Self::NotAFile => Error::PathRefused {
                path,
                reason: "it is not a regular file",
            },
            Self::Failed(Failure {
                message,
                told,
                fault,
                ..
            }) => Error::HostFailed {
                path,
                message,
                told,
                fault,
            },
        }
    }
}

/// What was opened in a jail.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub(crate) file: FileReply,
    /// Whether its real path is the one that was asked for, to the letter.
    pub(crate) exact: bool,
}

/// A part of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) offset: u64,
    pub(crate) length: u32,
}

impl Jail {
    /// The request that tells whether the directory is there.
    pub(crate) fn directory_request(&self) -> Request {
        let (host, path) = (self.host, self.directory.clone());
        if self.capabilities.stat {
            Request::Stat { host, path }
        } else {
            Request::List { host, path }
        }
    }

    /// The request for the source's real path, where the host has real paths.
    pub(crate) fn root_request(&self) -> Option<Request> {
        self.capabilities.real_path.then(|| Request::RealPath {
            host: self.host,
            path: self.root.to_string(),
        })
    }

    /// The directory's real path, from the answer to [`Jail::root_request`].
    pub(crate) fn real_directory(&self, root: Reply) -> Option<String> {
        if let Some(linked_to) = &self.linked_to {
            return Some(linked_to.to_string());
        }
        let below = path::below(&self.directory, &self.root)?;
        Some(path::join_real(&root.text().ok()?, below))
    }

    /// Opens `file`, a host path in this directory, and reads a part of it, if it really is here.
    pub(crate) async fn open(&self, io: &Io, file: &str, range: Range) -> Result<Opened, Refusal> {
        let mut opened = Self::open_all(io, &[(self, file, range)]).await;
        opened.pop().unwrap_or(Err(Refusal::NotFound))
    }

    /// [`Jail::open`] for many files in one batch.
    pub(crate) async fn open_all(
        io: &Io,
        files: &[(&Self, &str, Range)],
    ) -> Vec<Result<Opened, Refusal>> {
        let mut requests = Vec::with_capacity(files.len() * 2);
        for &(jail, file, range) in files {
            requests.extend(jail.root_request());
            requests.push(Request::Read {
                host: jail.host,
                path: file.to_owned(),
                offset: range.offset,
                length: range.length,
                follow: true,
            });
        }
        let mut replies = io.perform(requests).await.into_iter();
        let mut opened = Vec::with_capacity(files.len());
        for (jail, file, _) in files {
            let root = jail.root_request().and_then(|_| replies.next());
            opened.push(match replies.next() {
                Some(read) => jail.opened(root, read, file),
                None => Err(Refusal::NotFound),
            });
        }
        opened
    }

    /// Judges what was opened as `file`, beside the source's real path where the host has such.
    fn opened(&self, root: Option<Reply>, read: Reply, file: &str) -> Result<Opened, Refusal> {
        let read = read.file().map_err(|failure| {
            if failure.not_found {
                Refusal::NotFound
            } else {
                Refusal::Failed(failure)
            }
        })?;
        let exact = match root {
            None => false,
            Some(root) => self.judge(root, read.real_path.as_deref(), file)?,
        };
        if read.kind != Kind::File {
            return Err(Refusal::NotAFile);
        }
        Ok(Opened { file: read, exact })
    }

    /// The same with a path in this directory, whose spelling is exact on disks that fold case too.
    pub(crate) async fn open_exactly(
        &self,
        io: &Io,
        relative: &RelativePath,
        range: Range,
        links: bool,
    ) -> Result<Opened, Refusal> {
        let file = path::join(&self.directory, relative.as_str());
        let opened = self.open(io, &file, range).await?;
        if opened.exact || self.is_exact(io, relative, links).await? {
            return Ok(opened);
        }
        Err(Refusal::NotFound)
    }

    /// Whether what was opened is in here; and whether under the very path that was asked for.
    fn judge(&self, root: Reply, real: Option<&str>, file: &str) -> Result<bool, Refusal> {
        let directory = self
            .real_directory(root)
            .ok_or_else(|| Refusal::Failed(Failure::because("its directory has no real path")))?;
        let real = real
            .ok_or_else(|| Refusal::Failed(Failure::because("what was opened has no real path")))?;
        if !path::is_inside(real, &directory) {
            return Err(Refusal::Outside);
        }
        let plain =
            path::below(file, &self.directory).map(|below| path::join_real(&directory, below));
        Ok(plain.as_deref() == Some(real))
    }

    /// Whether each part of `relative` stands in its directory in this very spelling, and is no
    /// link where `links` are not followed or cannot be judged. Settles what [`Opened::exact`] leaves open.
    async fn is_exact(
        &self,
        io: &Io,
        relative: &RelativePath,
        links: bool,
    ) -> Result<bool, Refusal> {
        let mut directory = self.directory.clone();
        let mut requests = Vec::new();
        for segment in relative.segments() {
            requests.push(Request::List {
                host: self.host,
                path: directory.clone(),
            });
            directory = path::join(&directory, segment);
        }
        let listings = io.perform(requests).await;
        for (segment, listing) in relative.segments().zip(listings) {
            let entries: Vec<DirectoryEntry> = listing.listing().map_err(Refusal::Failed)?;
            let Some(entry) = entries.iter().find(|entry| entry.name == segment) else {
                return Ok(false);
            };
            if entry.kind == Kind::Link && !(links && self.capabilities.real_path) {
                return Err(Refusal::Linked);
            }
        }
        Ok(true)
    }
}
