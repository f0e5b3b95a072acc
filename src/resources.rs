//! The files beside a skill file.

use std::rc::Rc;

use crate::discovery::NEVER_ENTERED;
use crate::hidden;
use crate::host::{DirectoryEntry, Kind, Request};
use crate::jail::Jail;
use crate::json::{Object, ToJson};
use crate::link_target;
use crate::moved::Listed;
use crate::operation::Io;
use crate::order::sort_by;
use crate::own_files::OwnFiles;
use crate::path;
use crate::relative_path::RelativePath;
use crate::source::Links;

/// Counted at most, and directories looked into at most.
pub(crate) const COUNTED: usize = 1000;

/// Said where a list lacks what is in a directory that could not be read.
pub(crate) const UNREAD: &str =
    "A directory of the skill could not be read: there may be more files.";

/// Files of a skill, relative to its directory.
#[derive(Debug, Default)]
pub struct Resources {
    /// Sorted by path.
    pub files: Vec<String>,
    /// Whether there are more than were counted.
    pub more: bool,
    /// Whether a directory could not be read.
    pub(crate) unread: bool,
}

impl ToJson for Resources {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("files", &self.files)
            .field("more", &self.more)
            .field("unread", &self.unread)
            .end();
    }
}

impl Resources {
    /// Whether nothing stands beside the skill file.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && !self.more && !self.unread
    }
}

/// Finds the files of a skill, a level at a time, so that the ones nearest to its skill file are
/// found first. Hidden ones and those of [`NEVER_ENTERED`] are left out, and so are links that no
/// call may follow.
pub(crate) async fn list(io: &Io, own: &OwnFiles<'_>, links: Links) -> Resources {
    let root = match own.jail.root_request() {
        Some(request) => own.jail.real_directory(io.ask(request).await),
        None => None,
    };
    let is_lost = root.is_none() && own.jail.capabilities.real_path;
    let mut lister = Lister {
        io,
        own,
        links,
        listed: listed(own.jail, root.as_deref()),
        root,
        visited: 0,
        found: Resources {
            unread: is_lost,
            ..Resources::default()
        },
    };
    let mut level = vec![own.jail.directory.clone()];
    lister.note(above_in_source(own.jail)).await;
    while !level.is_empty() && !lister.found.more {
        level = lister.look_into(level).await;
    }
    lister.drop_moved().await;
    let mut found = lister.found;
    sort_by(&mut found.files, Ord::cmp);
    found
}

/// Where the versions of what is listed are noted, if the host has links and tells versions, but not
/// what it was that was listed.
fn listed(jail: &Jail, real: Option<&str>) -> Option<Listed> {
    let capabilities = jail.capabilities;
    (capabilities.stat && capabilities.real_path && !capabilities.lists_exactly)
        .then(|| Listed::new(jail.host, &jail.directory, real.map(Rc::from)))
}

/// The directories of the source that the skill's own is in.
fn above_in_source(jail: &Jail) -> Vec<String> {
    path::above(&jail.directory)
        .filter(|above| path::below(above, &jail.root).is_some())
        .map(str::to_owned)
        .collect()
}

/// What is in a directory, and its real path, where it is known.
type Listing = (Vec<DirectoryEntry>, Option<String>);

struct Lister<'a> {
    io: &'a Io,
    own: &'a OwnFiles<'a>,
    links: Links,
    /// The jail's own real path, where the host has real paths.
    root: Option<String>,
    /// What was listed, where the host has links and tells versions.
    listed: Option<Listed>,
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
        self.note(level.clone()).await;
        let requests = level
            .iter()
            .map(|directory| Request::List {
                host: self.own.jail.host,
                path: directory.clone(),
            })
            .collect();
        let replies = self.io.perform(requests).await;
        let mut listings: Vec<_> = replies
            .into_iter()
            .map(|reply| {
                reply.placed_listing().unwrap_or_else(|failure| {
                    self.found.unread |= !failure.not_found;
                    Listing::default()
                })
            })
            .collect();
        self.place(&level, &mut listings).await;
        let mut below_these = Vec::new();
        let mut links = Vec::new();
        for (directory, (entries, real)) in level.iter().zip(listings) {
            if self.is_inside(real.as_deref()) {
                let directory = (directory.as_str(), real.as_deref());
                self.sort_out(directory, &entries, &mut below_these, &mut links);
            }
        }
        if links.len() > COUNTED {
            links.truncate(COUNTED);
            self.found.more = true;
        }
        let links = self.readable_links(links).await;
        self.found.files.extend(links);
        if self.found.files.len() > COUNTED {
            self.found.files.truncate(COUNTED);
            self.found.more = true;
        }
        below_these
    }

    /// Notes directories that are about to be listed.
    async fn note(&mut self, directories: Vec<String>) {
        if let Some(listed) = &mut self.listed {
            listed.note(self.io, directories).await;
        }
    }

    /// Drops what was found below a directory that was replaced meanwhile, unless it is really there:
    /// what stood in its place while it was listed may have been a link out of the skill.
    async fn drop_moved(&mut self) {
        let Some(listed) = self.listed.take() else {
            return;
        };
        let jail = self.own.jail;
        let host = jail.host;
        let files = std::mem::take(&mut self.found.files);
        let paths: Vec<String> = files
            .iter()
            .map(|it| path::join(&jail.directory, it))
            .collect();
        let borrowed: Vec<&str> = paths.iter().map(String::as_str).collect();
        let moved = listed.moved(self.io, &borrowed).await;
        let in_doubt = |path: &&String| moved.may_hold(path);
        let ask = |path: &String| Request::RealPath {
            host,
            path: path.clone(),
        };
        let requests = paths.iter().filter(in_doubt).map(ask).collect();
        let mut replies = self.io.perform(requests).await.into_iter();
        for (file, path) in files.into_iter().zip(&paths) {
            let is_there = !in_doubt(&path) || {
                let real = replies.next().and_then(|reply| reply.text().ok());
                real.is_some_and(|real| self.is_own(&real))
            };
            if is_there {
                self.found.files.push(file);
            } else {
                self.found.unread = true;
            }
        }
    }

    /// What of a listing is a file, a directory of the next level, or a link to look at. Takes the
    /// host path and the real path of what was listed.
    fn sort_out(
        &mut self,
        (directory, real): (&str, Option<&str>),
        entries: &[DirectoryEntry],
        below_these: &mut Vec<String>,
        links: &mut Vec<String>,
    ) {
        for entry in entries {
            let path = path::join(directory, &entry.name);
            let real = real.map(|real| path::join_real(real, &entry.name));
            let is_others = self.own.is_others(&path)
                || real.is_some_and(|real| self.own.is_really_others(&real));
            if is_others || is_passed_over(entry) || self.own.is_skill_file(&path) {
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

    /// Where these directories really are, now that they have been listed, as far as their listings
    /// have not told it.
    async fn place(&mut self, directories: &[String], listings: &mut [Listing]) {
        if !self.own.jail.capabilities.real_path {
            return;
        }
        let mut untold = Vec::new();
        let mut requests = Vec::new();
        for (directory, (_, real)) in directories.iter().zip(listings) {
            if real.is_none() {
                untold.push(real);
                requests.push(Request::RealPath {
                    host: self.own.jail.host,
                    path: directory.clone(),
                });
            }
        }
        let replies = self.io.perform(requests).await;
        for (real, reply) in untold.into_iter().zip(replies) {
            *real = reply.text().ok();
            self.found.unread |= real.is_none();
        }
    }

    /// Whether a directory is the skill's own, where it really is.
    fn is_inside(&self, real: Option<&str>) -> bool {
        match real {
            Some(real) => self.is_own(real) || Some(real) == self.root.as_deref(),
            None => !self.own.jail.capabilities.real_path,
        }
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
        let targets = link_target::targets(self.io, jail.host, &links).await;
        let mut files = Vec::new();
        for (link, target) in links.iter().zip(targets) {
            let is_file = target.kind == Some(Kind::File);
            if is_file && target.real.is_some_and(|real| self.is_own(&real)) {
                files.push(relative(jail, link));
            }
        }
        files
    }
}

fn is_passed_over(entry: &DirectoryEntry) -> bool {
    entry.name.starts_with('.')
        || entry.name == NEVER_ENTERED && entry.kind == Kind::Directory
        || !can_be_asked_for(&entry.name)
}

/// Whether a model that is shown a name can ask for it: it sees all of it, no call refuses it, and it
/// stands for no name that is not UTF-8, by which no file can be opened.
fn can_be_asked_for(name: &str) -> bool {
    let is_itself = RelativePath::parse(name).is_ok_and(|path| path.as_str() == name);
    is_itself && !name.contains(char::REPLACEMENT_CHARACTER) && hidden::find(name).next().is_none()
}

fn relative(jail: &Jail, path: &str) -> String {
    path::below(path, &jail.directory)
        .unwrap_or(path)
        .to_owned()
}
