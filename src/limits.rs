//! Bounds on what is read and walked; each has a default and can be changed by the developer.

use crate::options::{Fields, FromFields};

/// Bounds of one catalog. Sizes are bytes, unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The front matter block, without its fences.
    pub front_matter: u32,
    /// Nesting of collections inside the front matter.
    pub yaml_depth: u32,
    /// Levels of directories below a source in which skills are looked for.
    pub depth: u32,
    /// Directories visited in one source.
    pub directories: u32,
    /// The body of a skill.
    pub body: u32,
    /// Text returned by one `read_skill_file` call.
    pub page: u32,
    /// A file that is not text, returned whole.
    pub bytes: u32,
    /// Files named in the result of `load_skill`.
    pub listed_files: u32,
    /// Requests that a host answers at the same time.
    pub concurrency: u32,
    /// Milliseconds in which a host that is asked has to answer something.
    pub timeout: u32,
    /// Milliseconds that a host may take for all that one operation asks of it.
    pub deadline: u32,
}

/// What is expected of hosts that answer with promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Requests to one host at the same time.
    pub concurrency: u32,
    /// Milliseconds after which a host that has answered nothing is given up.
    pub timeout: u32,
    /// Milliseconds after which a host is given up that has not answered all.
    pub deadline: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Limits::default().pace()
    }
}

/// Room for the fences, with blanks and their line ends.
const FENCES: u32 = 4096;

impl Limits {
    /// What is expected of hosts.
    pub fn pace(&self) -> Pace {
        Pace {
            concurrency: self.concurrency,
            timeout: self.timeout,
            deadline: self.deadline,
        }
    }

    /// How much of a skill file is read to see all of its front matter.
    pub(crate) fn front(&self) -> u32 {
        self.front_matter.saturating_add(FENCES)
    }

    /// How much of a skill file is read to see its body too.
    pub(crate) fn whole_file(&self) -> u32 {
        self.front().saturating_add(self.body)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            front_matter: 64 * 1024,
            yaml_depth: 64,
            depth: 6,
            directories: 200_000,
            body: 1024 * 1024,
            page: 256 * 1024,
            bytes: 5_000_000,
            listed_files: 50,
            concurrency: 64,
            timeout: 30_000,
            deadline: 300_000,
        }
    }
}

impl FromFields for Limits {
    fn from_fields(fields: &Fields<'_>) -> Self {
        let default = Self::default();
        Self {
            front_matter: fields.number("frontMatter", default.front_matter),
            yaml_depth: fields.number("yamlDepth", default.yaml_depth),
            depth: fields.number("depth", default.depth),
            directories: fields.number("directories", default.directories),
            body: fields.number("body", default.body),
            page: fields.number("page", default.page),
            bytes: fields.number("bytes", default.bytes),
            listed_files: fields.number("listedFiles", default.listed_files),
            concurrency: fields.number_from("concurrency", 1, default.concurrency),
            timeout: fields.number_from("timeout", 1, default.timeout),
            deadline: fields.number_from("deadline", 1, default.deadline),
        }
    }
}
