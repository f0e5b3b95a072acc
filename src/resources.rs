//! The files beside a skill file.

use crate::discovery::NEVER_ENTERED;
use crate::hidden;
use crate::host::{DirectoryEntry, Kind, Request};
use crate::jail::Jail;
use crate::operation::Io;
use crate::order::sort_by;
use crate::own_files::OwnFiles;
use crate::path;
use crate::source::Links;

/// Counted at most, and directories looked into at most.
pub(crate) const COUNTED: usize = 1000;

/// Files of a skill, relative to its directory.
#[derive(Debug, Default)]
pub(crate) struct Resources {
    /// Sorted by path.
    pub(crate) files: Vec<String>,
    /// Whether there are more than were counted.
    pub(crate) more: bool,
}

/// Finds the files of a skill, a level at a time, so that the ones nearest to its skill file are
/// found first. Hidden ones and those of [`NEVER_ENTERED`] are left out, and so are links that no
/// call may follow.
pub(crate) async fn list(io: &Io, own: &OwnFiles<'_>, links: Links) -> Resources {
    let root = match own.jail.root_request() {
        Some(request) => own.jail.real_directory(io.ask(request).await),
        None => None,
    };
    let mut lister = Lister {
        io,
        own,
        links,
        root,
        visited: 0,
        found: Resources::default(),
    };
    let mut level = vec![own.jail.directory.clone()];
    while !level.is_empty() && !lister.found.more {
        level = lister.look_into(level).await;
    }
    let mut found = lister.found;
    sort_by(&mut found.files, Ord::cmp);
    found
}

struct Lister<'a> {
    io: &'a Io,
    own: &'a OwnFiles<'a>,
    links: Links,
    /// The jail's own real path, where the host has real paths.
    root: Option<String>,
    /// How many directories were looked into.
    visited: usize,
    found: Resources,
}

impl Lister<'_> {
    /// Looks into the directories of one level, as far as there is room. Gives those of the next.
    async fn look_into(&mut self, mut level: Vec<String>) -> Vec<String> {
        let room = COUNTED.saturating_sub(self.visited);
        if level.len() > room {
            level.truncate(room);
            self.found.more = true;
        }
        self.visited += level.len();
        let requests = level
            .iter()
            .map(|directory| Request::List {
                host: self.own.jail.host,
                path: directory.clone(),
            })
            .collect();
        let listings = self.io.perform(requests).await;
        let inside = self.are_inside(&level).await;
        let mut below_these = Vec::new();
        let mut links = Vec::new();
        for ((directory, listing), is_inside) in level.iter().zip(listings).zip(inside) {
            if is_inside {
                let entries = listing.listing().unwrap_or_default();
                self.sort_out(directory, &entries, &mut below_these, &mut links);
            }
        }
        links.truncate(COUNTED);
        let links = self.readable_links(links).await;
        self.found.files.extend(links);
        if self.found.files.len() > COUNTED {
            self.found.files.truncate(COUNTED);
            self.found.more = true;
        }
        below_these
    }

    /// What of a listing is a file, a directory of the next level, or a link to look at.
    fn sort_out(
        &mut self,
        directory: &str,
        entries: &[DirectoryEntry],
        below_these: &mut Vec<String>,
        links: &mut Vec<String>,
    ) {
        for entry in entries {
            let path = path::join(directory, &entry.name);
            if is_passed_over(entry) || self.own.is_others(&path) || self.own.is_skill_file(&path) {
                continue;
            }
            match entry.kind {
                Kind::Directory => below_these.push(path),
                Kind::File => self.found.files.push(relative(self.own.jail, &path)),
                Kind::Link if self.links != Links::Never => links.push(path),
                Kind::Link | Kind::Other => {}
            }
        }
    }

    /// Which of these directories are the skill's own, now that they have been listed.
    async fn are_inside(&self, directories: &[String]) -> Vec<bool> {
        if !self.own.jail.capabilities.real_path {
            return vec![true; directories.len()];
        }
        let requests = directories
            .iter()
            .map(|path| Request::RealPath {
                host: self.own.jail.host,
                path: path.clone(),
            })
            .collect();
        let replies = self.io.perform(requests).await;
        let is_inside = |real: String| self.is_own(&real) || Some(&real) == self.root.as_ref();
        replies
            .into_iter()
            .map(|reply| reply.text().is_ok_and(is_inside))
            .collect()
    }

    /// Whether a real path is that of something in the skill.
    fn is_own(&self, real: &str) -> bool {
        let root = self.root.as_ref();
        root.is_some_and(|root| path::is_inside(real, root)) && !self.own.is_really_others(real)
    }

    /// Links to files that stay in the skill.
    async fn readable_links(&self, links: Vec<String>) -> Vec<String> {
        let jail = self.own.jail;
        if !jail.capabilities.real_path {
            return Vec::new();
        }
        let requests = links
            .iter()
            .flat_map(|path| {
                let (host, path) = (jail.host, path.clone());
                [
                    Request::RealPath {
                        host,
                        path: path.clone(),
                    },
                    Request::Stat { host, path },
                ]
            })
            .collect();
        let mut replies = self.io.perform(requests).await.into_iter();
        let mut files = Vec::new();
        for link in links {
            let real = replies.next().and_then(|reply| reply.text().ok());
            let kind = replies.next().and_then(|reply| reply.stat().ok());
            let is_file = matches!(kind, Some((Kind::File, _)));
            if is_file && real.is_some_and(|real| self.is_own(&real)) {
                files.push(relative(jail, &link));
            }
        }
        files
    }
}

fn is_passed_over(entry: &DirectoryEntry) -> bool {
    entry.name.starts_with('.')
        || entry.name == NEVER_ENTERED && entry.kind == Kind::Directory
        || entry.name.chars().any(is_unreadable)
}

/// Whether a name with this character is not shown, or stands for one that is not UTF-8, by which no
/// file can be opened.
fn is_unreadable(character: char) -> bool {
    hidden::is_control(character) || character == char::REPLACEMENT_CHARACTER
}

fn relative(jail: &Jail, path: &str) -> String {
    path::below(path, &jail.directory)
        .unwrap_or(path)
        .to_owned()
}
