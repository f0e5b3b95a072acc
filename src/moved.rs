//! Whether directories were replaced while a scan was under way.
//!
//! A scan does not ask where each skill file really is: that would cost as much as reading it. What
//! a listing called a directory may be a link by the time the file in it is opened. But whoever puts
//! a link in its place changes the directory above it, and its version tells so: one question for
//! each directory that was listed, not for each skill. What was read below one that has changed is
//! read again, and judged by where it really is.

use std::rc::Rc;

use crate::host::{HostId, Request};
use crate::operation::Io;
use crate::path;
use crate::places::Names;

/// Directories that were listed, with their versions from before.
#[derive(Debug)]
pub(crate) struct Listed {
    host: HostId,
    /// The source's path and its real path.
    root: (String, Option<Rc<str>>),
    directories: Vec<(String, String)>,
}

/// Directories in which something was replaced.
#[derive(Default)]
pub(crate) struct Moved(Names);

impl Listed {
    pub(crate) fn new(host: HostId, root: &str, real_root: Option<Rc<str>>) -> Self {
        Self {
            host,
            root: (root.to_owned(), real_root),
            directories: Vec::new(),
        }
    }

    /// Notes directories that are about to be listed. One without a version is not noted.
    pub(crate) async fn note(&mut self, io: &Io, paths: Vec<String>) {
        let versions = self.versions(io, &paths).await;
        let known = paths.into_iter().zip(versions);
        self.directories
            .extend(known.filter_map(|(path, version)| Some((path, version?))));
    }

    async fn versions(&self, io: &Io, paths: &[String]) -> Vec<Option<String>> {
        let host = self.host;
        let stat = |path: &String| Request::Stat {
            host,
            path: path.clone(),
        };
        let replies = io.perform(paths.iter().map(stat).collect()).await;
        let version = |(_, version)| version;
        replies
            .into_iter()
            .map(|reply| reply.stat().ok().map(version))
            .collect()
    }

    /// Those of the directories above one of `files` that are not what they were.
    pub(crate) async fn moved(self, io: &Io, files: &[&str]) -> Moved {
        let mut moved = Moved::default();
        let (root, real_root) = &self.root;
        let request = Request::RealPath {
            host: self.host,
            path: root.clone(),
        };
        if files.is_empty() {
            return moved;
        }
        let real = io.ask(request).await.text().ok();
        if real.as_deref() != real_root.as_deref() {
            moved.0.add(root.clone());
            return moved;
        }
        let mut above = Names::default();
        for file in files {
            for directory in path::above(file) {
                if !above.add(directory.to_owned()) {
                    break;
                }
            }
        }
        let mut paths = Vec::new();
        let mut before = Vec::new();
        for (path, version) in &self.directories {
            if above.has(path) {
                paths.push(path.clone());
                before.push(version);
            }
        }
        let after = self.versions(io, &paths).await;
        for ((path, before), after) in paths.into_iter().zip(before).zip(after) {
            if after.as_ref() != Some(before) {
                moved.0.add(path);
            }
        }
        moved
    }
}

impl Moved {
    /// Whether a file is below one of them.
    pub(crate) fn may_hold(&self, file: &str) -> bool {
        path::above(file).any(|directory| self.0.has(directory))
    }
}
