//! The files beside a skill file.

use crate::hidden;
use crate::host::{DirectoryEntry, Kind, Request};
use crate::jail::Jail;
use crate::operation::Io;
use crate::order::sort_by;
use crate::own_files::OwnFiles;
use crate::path;

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
/// found first. Hidden ones and `node_modules` are left out, and so are links that leave.
pub(crate) async fn list(io: &Io, own: &OwnFiles<'_>) -> Resources {
    let jail = own.jail;
    let mut found = Resources::default();
    let root = match jail.root_request() {
        Some(request) => Some(
            jail.real_directory(io.ask(request).await)
                .unwrap_or_default(),
        ),
        None => None,
    };
    let mut level = vec![jail.directory.clone()];
    let mut visited = 0;
    while !level.is_empty() && !found.more {
        let room = COUNTED.saturating_sub(visited);
        if level.len() > room {
            level.truncate(room);
            found.more = true;
        }
        visited += level.len();
        let requests = level
            .iter()
            .map(|directory| Request::List {
                host: jail.host,
                path: directory.clone(),
            })
            .collect();
        let listings = io.perform(requests).await;
        let inside = are_inside(io, own, &level, root.as_deref()).await;
        let mut below_these = Vec::new();
        let mut links = Vec::new();
        let judged = listings.into_iter().zip(inside);
        for (directory, (listing, is_inside)) in level.iter().zip(judged) {
            if !is_inside {
                continue;
            }
            for entry in listing.listing().unwrap_or_default() {
                let path = path::join(directory, &entry.name);
                match entry.kind {
                    _ if is_passed_over(&entry) || own.is_others(&path) => {}
                    Kind::Directory => below_these.push(path),
                    Kind::File if !own.is_skill_file(&path) => {
                        found.files.push(relative(jail, &path));
                    }
                    Kind::Link if !own.is_skill_file(&path) => links.push(path),
                    Kind::File | Kind::Link | Kind::Other => {}
                }
            }
        }
        links.truncate(COUNTED);
        found.files.extend(readable_links(io, own, links).await);
        level = below_these;
        if found.files.len() > COUNTED {
            found.files.truncate(COUNTED);
            found.more = true;
        }
    }
    sort_by(&mut found.files, Ord::cmp);
    found
}

/// Which of these directories are the skill's own, now that they have been listed. `root` is the
/// jail's own real path, where the host has real paths.
async fn are_inside(
    io: &Io,
    own: &OwnFiles<'_>,
    directories: &[String],
    root: Option<&str>,
) -> Vec<bool> {
    let Some(root) = root else {
        return vec![true; directories.len()];
    };
    let requests = directories
        .iter()
        .map(|path| Request::RealPath {
            host: own.jail.host,
            path: path.clone(),
        })
        .collect();
    let replies = io.perform(requests).await;
    let is_inside =
        |real: String| real == root || path::is_inside(&real, root) && !own.is_really_others(&real);
    replies
        .into_iter()
        .map(|reply| reply.text().is_ok_and(is_inside))
        .collect()
}

fn is_passed_over(entry: &DirectoryEntry) -> bool {
    entry.name.starts_with('.')
        || entry.name == "node_modules" && entry.kind == Kind::Directory
        || entry.name.chars().any(hidden::is_control)
}

fn relative(jail: &Jail, path: &str) -> String {
    path::below(path, &jail.directory)
        .unwrap_or(path)
        .to_owned()
}

/// Links to files that stay in the skill.
async fn readable_links(io: &Io, own: &OwnFiles<'_>, links: Vec<String>) -> Vec<String> {
    let jail = own.jail;
    let Some(root) = jail.root_request().filter(|_| !links.is_empty()) else {
        return Vec::new();
    };
    let directory = jail.real_directory(io.ask(root).await);
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
    let mut replies = io.perform(requests).await.into_iter();
    let mut files = Vec::new();
    for link in links {
        let real = replies.next().and_then(|reply| reply.text().ok());
        let kind = replies
            .next()
            .and_then(|reply| reply.stat().ok())
            .map(|(kind, _)| kind);
        if let (Some(real), Some(directory), Some(Kind::File)) = (real, &directory, kind)
            && path::is_inside(&real, directory)
            && !own.is_really_others(&real)
        {
            files.push(relative(jail, &link));
        }
    }
    files
}
