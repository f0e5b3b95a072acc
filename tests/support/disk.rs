//! A disk in memory with links, pipes and rights, which answers requests as the wrappers do.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use skillshelf::{
    Capabilities, Directory, DirectoryEntry, Failure, FileReply, HostId, Kind, Reply, Request,
    Source,
};

use super::shuffle::Numbers;

/// Links on the way to a file, before it counts as a loop.
const MOST_LINKS: usize = 40;

/// What stands at a path.
#[derive(Clone, Debug)]
enum Node {
    File { bytes: Vec<u8>, version: u64 },
    Directory,
    Link(String),
    Pipe,
}

/// What the host can do, and how it behaves.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a way of its own in which hosts differ"
)]
pub(crate) struct Abilities {
    /// What the core is told.
    pub(crate) capabilities: Capabilities,
    /// Whether a name in another case opens the same file.
    pub(crate) folds_case: bool,
    /// Whether a scan, which does not follow links, is told real paths.
    pub(crate) scan_tells_real_path: bool,
    /// Whether real paths are written as on Windows.
    pub(crate) windows: bool,
    /// Whether versions are told.
    pub(crate) tells_version: bool,
    /// At most so many bytes are read at once, whatever is asked.
    pub(crate) reads_at_most: Option<usize>,
}

impl Abilities {
    /// As on Node: everything.
    pub(crate) const FULL: Self = Self {
        capabilities: Capabilities {
            ranges: true,
            stat: true,
            real_path: true,
            open: true,
            lists_exactly: false,
            disk: true,
            near: false,
            whole: false,
        },
        folds_case: false,
        scan_tells_real_path: false,
        windows: false,
        tells_version: true,
        reads_at_most: None,
    };
    /// Only `list` and `read`.
    pub(crate) const SMALLEST: Self = Self {
        capabilities: Capabilities {
            ranges: false,
            stat: false,
            real_path: false,
            open: false,
            lists_exactly: false,
            disk: false,
            near: false,
            whole: false,
        },
        tells_version: false,
        ..Self::FULL
    };
    /// Everything but `open`.
    pub(crate) const WITHOUT_OPEN: Self = Self {
        capabilities: Capabilities {
            open: false,
            ..Self::FULL.capabilities
        },
        ..Self::FULL
    };
    /// Everything but `stat` and versions.
    pub(crate) const WITHOUT_STAT: Self = Self {
        capabilities: Capabilities {
            stat: false,
            ..Self::FULL.capabilities
        },
        tells_version: false,
        ..Self::FULL
    };
    /// As on Node where listings tell what was listed.
    pub(crate) const EXACT: Self = Self {
        capabilities: Capabilities {
            lists_exactly: true,
            ..Self::FULL.capabilities
        },
        ..Self::FULL
    };
    /// A disk that folds case.
    pub(crate) const FOLDING: Self = Self {
        folds_case: true,
        ..Self::FULL
    };
    /// A disk of Windows.
    pub(crate) const WINDOWS: Self = Self {
        windows: true,
        scan_tells_real_path: true,
        ..Self::FOLDING
    };
}

/// A disk. Host paths are real ones without the leading `/`.
#[derive(Clone)]
pub(crate) struct Disk {
    nodes: BTreeMap<String, Node>,
    /// When something was last put into a directory, or taken out of it.
    entered: BTreeMap<String, u64>,
    writes: u64,
    /// What the host can do.
    pub(crate) abilities: Abilities,
    /// Paths that fail, whatever is asked of them.
    pub(crate) failing: BTreeSet<String>,
    /// Listings come in an order that depends on this.
    pub(crate) order: Option<u64>,
    log: RefCell<Vec<Request>>,
}

impl fmt::Debug for Disk {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = formatter.debug_map();
        for (path, node) in &self.nodes {
            match node {
                Node::Directory => {}
                Node::File { bytes, .. } => {
                    map.entry(path, &String::from_utf8_lossy(bytes));
                }
                other => {
                    map.entry(path, other);
                }
            }
        }
        map.finish()
    }
}

impl Default for Disk {
    fn default() -> Self {
        Self {
            nodes: BTreeMap::from([(String::new(), Node::Directory)]),
            entered: BTreeMap::new(),
            writes: 0,
            abilities: Abilities::FULL,
            failing: BTreeSet::new(),
            order: None,
            log: RefCell::default(),
        }
    }
}

// What stands on it.
impl Disk {
    fn put(&mut self, path: &str, node: Node) {
        let mut directory = path;
        while let Some((parent, _)) = directory.rsplit_once('/') {
            if !self.nodes.contains_key(parent) {
                self.nodes.insert(parent.to_owned(), Node::Directory);
                self.enter(parent);
            }
            directory = parent;
        }
        let before = self.nodes.insert(path.to_owned(), node);
        if before.is_none_or(|before| kind(&before) != kind(&self.nodes[path])) {
            self.enter(path);
        }
    }

    /// Notes that the directory of `path` has changed.
    fn enter(&mut self, path: &str) {
        self.writes += 1;
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        self.entered.insert(directory.to_owned(), self.writes);
    }

    /// Writes a file, and the directories that it needs.
    pub(crate) fn write(&mut self, path: &str, content: impl AsRef<[u8]>) {
        self.writes += 1;
        let node = Node::File {
            bytes: content.as_ref().to_vec(),
            version: self.writes,
        };
        self.put(path, node);
    }

    /// Makes a link. A target that begins with `/` is a real path.
    pub(crate) fn link(&mut self, path: &str, target: &str) {
        self.put(path, Node::Link(target.to_owned()));
    }

    /// Makes a directory.
    pub(crate) fn directory(&mut self, path: &str) {
        self.put(path, Node::Directory);
    }

    /// Makes a pipe: whoever reads it waits forever.
    pub(crate) fn pipe(&mut self, path: &str) {
        self.put(path, Node::Pipe);
    }

    /// Removes what stands at a path, and all below it.
    pub(crate) fn remove(&mut self, path: &str) {
        self.enter(path);
        let below = format!("{path}/");
        self.nodes
            .retain(|other, _| other != path && !other.starts_with(&below));
    }

    /// Gives what stands at a path, and all below it, another path.
    pub(crate) fn rename(&mut self, from: &str, to: &str) {
        let below = format!("{from}/");
        let moved: Vec<String> = self
            .nodes
            .keys()
            .filter(|path| *path == from || path.starts_with(&below))
            .cloned()
            .collect();
        for path in moved {
            if let Some(node) = self.nodes.remove(&path) {
                self.nodes.insert(path.replacen(from, to, 1), node);
            }
        }
        self.enter(from);
        self.enter(to);
    }

    /// Every file with its bytes, by host path.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.nodes.iter().filter_map(|(path, node)| match node {
            Node::File { bytes, .. } => Some((path.as_str(), bytes.as_slice())),
            _ => None,
        })
    }

    /// A directory of it as a source.
    pub(crate) fn source(&self, path: &str) -> Source {
        Source::Directory(self.place(path))
    }

    /// A directory of it.
    pub(crate) fn place(&self, path: &str) -> Directory {
        Directory {
            host: 0,
            capabilities: self.abilities.capabilities,
            path: path.to_owned(),
            prefix: "/".to_owned(),
            label: format!("disk:{path}"),
        }
    }
}

/// What was asked of it.
impl Disk {
    /// All requests since the last time.
    pub(crate) fn take_log(&self) -> Vec<Request> {
        self.log.take()
    }

    /// How many listings, reads, stats, real paths and normalized texts were asked for since the
    /// last time.
    pub(crate) fn take_counts(&self) -> Counts {
        let mut counts = Counts::default();
        for request in self.take_log() {
            match request {
                Request::List { .. } => counts.lists += 1,
                Request::Read { .. } => counts.reads += 1,
                Request::Stat { .. } => counts.stats += 1,
                Request::RealPath { .. } => counts.real_paths += 1,
                Request::Normalize { .. } => counts.normalized += 1,
                Request::Count { .. } => counts.counted += 1,
                Request::Connect { .. } | Request::CallServer { .. } => {}
            }
        }
        counts
    }
}

/// How many requests of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) lists: usize,
    pub(crate) reads: usize,
    pub(crate) stats: usize,
    pub(crate) real_paths: usize,
    pub(crate) normalized: usize,
    pub(crate) counted: usize,
}

// Answers.
impl Disk {
    /// Answers as a wrapper does.
    pub(crate) fn answer(&self, request: &Request) -> Reply {
        self.log.borrow_mut().push(request.clone());
        let answer = match request {
            Request::Normalize { text } => Ok(Reply::Text(normalized(text))),
            // A token a word.
            Request::Count { text } => Ok(Reply::Text(text.split_whitespace().count().to_string())),
            Request::List { path, .. } => self.list(path),
            Request::Read {
                path,
                offset,
                length,
                follow,
                ..
            } => self.read(path, *offset, *length, *follow),
            Request::Stat { path, .. } => self.stat(path),
            Request::RealPath { path, .. } => self.real_path(path),
            Request::Connect { .. } | Request::CallServer { .. } => {
                panic!("nobody connects servers here: {request:?}")
            }
        };
        answer.unwrap_or_else(Reply::Failed)
    }

    fn list(&self, path: &str) -> Result<Reply, Failure> {
        let (real, node) = self.resolve(path, true)?;
        if !matches!(node, Node::Directory) {
            return Err(not_found("ENOTDIR"));
        }
        let mut entries: Vec<DirectoryEntry> = self
            .nodes
            .iter()
            .filter_map(|(child, node)| {
                let name = child_name(child, &real)?;
                Some(DirectoryEntry {
                    name: name.to_owned(),
                    kind: kind(node),
                })
            })
            .collect();
        if let Some(seed) = self.order {
            Numbers::new(seed.wrapping_add(real.len() as u64)).shuffle(&mut entries);
        }
        let tells_path = self.abilities.capabilities.lists_exactly;
        Ok(Reply::Listing {
            entries,
            real_path: tells_path.then(|| self.written(&real)),
        })
    }

    fn read(&self, path: &str, offset: u64, length: u32, follow: bool) -> Result<Reply, Failure> {
        let Capabilities {
            ranges,
            stat,
            real_path,
            open,
            ..
        } = self.abilities.capabilities;
        let (real, node) = self.resolve(path, follow || !open)?;
        let tells_kind = open || stat;
        let file = match node {
            Node::Link(_) => return Err(failed("ELOOP")),
            Node::Directory if !tells_kind => return Err(failed("EISDIR")),
            Node::Pipe if !tells_kind => return Err(failed("a read that never ends")),
            Node::Directory | Node::Pipe => (kind(node), &[][..], 0),
            Node::File { bytes, version } => (Kind::File, bytes.as_slice(), *version),
        };
        let (kind, bytes, version) = file;
        let begin = usize::try_from(offset)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        let most = self
            .abilities
            .reads_at_most
            .unwrap_or(usize::MAX)
            .min(length as usize);
        let part: Vec<u8> = bytes[begin..].iter().copied().take(most).collect();
        let size = (open || stat || !ranges).then_some(bytes.len() as u64);
        let tells_version = self.abilities.tells_version && (open || stat);
        let tells_path = real_path && (!open || follow || self.abilities.scan_tells_real_path);
        Ok(Reply::File(FileReply {
            kind,
            size,
            version: tells_version.then(|| version.to_string()),
            real_path: tells_path.then(|| self.written(&real)),
            bytes: part,
        }))
    }

    fn stat(&self, path: &str) -> Result<Reply, Failure> {
        if !self.abilities.capabilities.stat {
            return Err(not_found(""));
        }
        let (real, node) = self.resolve(path, true)?;
        let version = match node {
            Node::File { version, .. } => *version,
            _ => self.entered.get(&real).copied().unwrap_or_default(),
        };
        Ok(Reply::Stat {
            kind: kind(node),
            version: version.to_string(),
        })
    }

    fn real_path(&self, path: &str) -> Result<Reply, Failure> {
        if !self.abilities.capabilities.real_path {
            return Err(not_found(""));
        }
        let (real, _) = self.resolve(path, true)?;
        Ok(Reply::Text(self.written(&real)))
    }

    /// A real path as the host tells it.
    pub(crate) fn written(&self, real: &str) -> String {
        if self.abilities.windows {
            return format!("C:\\{}", real.replace('/', "\\"));
        }
        format!("/{real}")
    }

    /// What stands at a path, by the real path of it; links on the way are followed, and one at
    /// the end if `follow`.
    fn resolve(&self, path: &str, follow: bool) -> Result<(String, &Node), Failure> {
        let mut ahead: Vec<String> = segments(path).rev().collect();
        let mut real = String::new();
        let mut links = 0;
        while let Some(segment) = ahead.pop() {
            if segment == ".." {
                real.truncate(real.rfind('/').unwrap_or(0));
                continue;
            }
            if !matches!(self.nodes.get(&real), Some(Node::Directory)) {
                return Err(not_found("ENOTDIR"));
            }
            let child = self.child(&real, &segment)?;
            match &self.nodes[&child] {
                Node::Link(target) if follow || !ahead.is_empty() => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(failed("ELOOP"));
                    }
                    if target.starts_with('/') {
                        real.clear();
                    }
                    ahead.extend(segments(target).rev());
                }
                _ => real = child,
            }
            if self.failing.contains(&real) {
                return Err(failed("EACCES"));
            }
        }
        let node = self.nodes.get(&real).ok_or_else(|| not_found("ENOENT"))?;
        Ok((real, node))
    }

    fn child(&self, directory: &str, name: &str) -> Result<String, Failure> {
        let path = join(directory, name);
        if self.nodes.contains_key(&path) {
            return Ok(path);
        }
        self.nodes
            .keys()
            .filter(|_| self.abilities.folds_case)
            .find(|child| {
                child_name(child, directory)
                    .is_some_and(|other| other.to_lowercase() == name.to_lowercase())
            })
            .cloned()
            .ok_or_else(|| not_found("ENOENT"))
    }
}

/// Several disks, told apart by their numbers.
pub(crate) struct Disks<'a>(pub(crate) &'a [&'a Disk]);

impl Disks<'_> {
    /// Answers for the disk that is meant.
    pub(crate) fn answer(&self, request: &Request) -> Reply {
        let host = match request {
            Request::List { host, .. }
            | Request::Read { host, .. }
            | Request::Stat { host, .. }
            | Request::RealPath { host, .. } => *host as usize,
            Request::Normalize { .. }
            | Request::Count { .. }
            | Request::Connect { .. }
            | Request::CallServer { .. } => 0,
        };
        self.0[host].answer(request)
    }

    /// A directory of one of them as a source.
    pub(crate) fn source(&self, host: HostId, path: &str) -> Source {
        let place = self.0[host as usize].place(path);
        Source::Directory(Directory { host, ..place })
    }
}

fn kind(node: &Node) -> Kind {
    match node {
        Node::File { .. } => Kind::File,
        Node::Directory => Kind::Directory,
        Node::Link(_) => Kind::Link,
        Node::Pipe => Kind::Other,
    }
}

fn segments(path: &str) -> impl DoubleEndedIterator<Item = String> + '_ {
    path.split('/')
        .filter(|segment| !matches!(*segment, "" | "."))
        .map(str::to_owned)
}

fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() {
        return name.to_owned();
    }
    format!("{directory}/{name}")
}

/// The name of `path` in `directory`, if it stands right in it.
fn child_name<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    let name = if directory.is_empty() {
        path
    } else {
        path.strip_prefix(directory)?.strip_prefix('/')?
    };
    (!name.is_empty() && !name.contains('/')).then_some(name)
}

fn not_found(message: &str) -> Failure {
    Failure {
        not_found: true,
        message: message.to_owned(),
        told: None,
        fault: None,
    }
}

fn failed(message: &str) -> Failure {
    Failure {
        not_found: false,
        message: message.to_owned(),
        told: None,
        fault: None,
    }
}

/// As much of NFKC as the tests need.
fn normalized(text: &str) -> String {
    text.replace("e\u{301}", "é")
        .replace('\u{FB01}', "fi")
        .chars()
        .map(|c| match u32::from(c) {
            code @ 0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0).unwrap_or(c),
            _ => c,
        })
        .collect()
}
