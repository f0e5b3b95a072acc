//! Where the programs of a skill run: in its directory on this machine's disk.

use super::failure::Failed;
use crate::host::Request;
use crate::jail::Jail;
use crate::mcp_config::{ServerConfig, Transport};
use crate::operation::Io;
use crate::own_files::OwnFiles;
use crate::path;
use crate::snapshot::Entry;

/// The directory of a skill, as far as it is on a disk.
pub(super) struct Workplace<'a> {
    own: Option<OwnFiles<'a>>,
    /// Its real path, where it is on a disk and still there.
    directory: Result<Option<String>, Gone>,
    /// Whether links in it are followed.
    links: bool,
}

/// The directory is not there.
struct Gone;

impl<'a> Workplace<'a> {
    pub(super) async fn of(io: &Io, entry: &'a Entry, links: bool) -> Self {
        let own = OwnFiles::of(&entry.record).filter(|own| own.jail.capabilities.disk);
        let directory = match &own {
            Some(own) => real_directory(io, own.jail).await,
            None => Ok(None),
        };
        Self {
            own,
            directory,
            links,
        }
    }

    /// The real path of where a server runs; nothing where it is no program, or on no disk. What
    /// counts is where its `cwd` really is: a link in the skill may lead anywhere.
    pub(super) async fn of_server(
        &self,
        io: &Io,
        server: &ServerConfig,
    ) -> Result<Option<String>, Failed> {
        let Transport::Stdio { cwd, .. } = &server.transport else {
            return Ok(None);
        };
        let Ok(directory) = &self.directory else {
            return Err(Failed::no_directory());
        };
        let Some(cwd) = cwd else {
            return Ok(directory.clone());
        };
        let (Some(own), Some(directory)) = (&self.own, directory) else {
            let problem = "has a cwd, but the skill is not on this machine's disk";
            return Err(Failed::unusable(problem));
        };
        let path = path::join(&own.jail.directory, cwd);
        let is_others = own.is_others(&path);
        let host = own.jail.host;
        let Ok(real) = io.ask(Request::RealPath { host, path }).await.text() else {
            return Err(Failed::unusable("has a cwd that is not there"));
        };
        if real != *directory && !path::is_inside(&real, directory) {
            return Err(Failed::unusable(
                "has a cwd that leads out of the skill's directory",
            ));
        }
        if is_others || own.is_really_others(&real) {
            return Err(Failed::unusable(
                "has a cwd in the directory of another skill",
            ));
        }
        if !self.links && real != path::join_real(directory, cwd) {
            return Err(Failed::unusable(
                "has a cwd that a link leads to, and links are not followed",
            ));
        }
        Ok(Some(real))
    }
}

async fn real_directory(io: &Io, jail: &Jail) -> Result<Option<String>, Gone> {
    let Some(request) = jail.root_request() else {
        return Ok(None);
    };
    let directory = jail.real_directory(io.ask(request).await);
    directory.map(Some).ok_or(Gone)
}

/// Where a server that is called runs, or would.
#[derive(PartialEq, Eq)]
pub(super) enum Place {
    /// It is no program, or not of a skill on a disk.
    Nowhere,
    In(String),
    /// The place is no longer there, or not the skill's, so it cannot be started any more.
    Gone,
}

impl Place {
    pub(super) async fn of(
        io: &Io,
        entry: Option<&Entry>,
        server: &ServerConfig,
        links: bool,
    ) -> Self {
        if let Transport::Http { .. } = server.transport {
            return Self::Nowhere;
        }
        let Some(entry) = entry else {
            return Self::Gone;
        };
        let workplace = Workplace::of(io, entry, links).await;
        match workplace.of_server(io, server).await {
            Ok(Some(directory)) => Self::In(directory),
            Ok(None) => Self::Nowhere,
            Err(_) => Self::Gone,
        }
    }

    pub(super) fn directory(self) -> Option<String> {
        match self {
            Self::In(directory) => Some(directory),
            Self::Nowhere | Self::Gone => None,
        }
    }
}
