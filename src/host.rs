//! What the core asks of a host, and what the host answers. The core does no I/O itself.

use crate::options::{Fields, FromFields};
use crate::order::sort_by;
use crate::text::{cut, one_line, shortened};

/// Names a host among those of a wrapper.
pub type HostId = u32;

/// What a host can do beside `list` and `read`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each stands for a method that is there or not"
)]
pub struct Capabilities {
    /// `read` honors a range.
    pub ranges: bool,
    /// `stat` is there.
    pub stat: bool,
    /// `realPath` is there, so there may be links.
    pub real_path: bool,
    /// `open` is there: what was opened can be judged.
    pub open: bool,
    /// Listings tell where what was listed really is.
    pub lists_exactly: bool,
    /// Its real paths are paths of this machine, where programs can run.
    pub disk: bool,
    /// Its files are at hand, in memory or in a browser's store.
    pub near: bool,
    /// What it holds was published or packed as a whole: what is not there is missing.
    pub whole: bool,
}

/// A host as a wrapper tells of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostFacts {
    /// Its number.
    pub host: HostId,
    /// What it can do.
    pub capabilities: Capabilities,
}

impl Capabilities {
    /// Whether to read many files costs little: they are at hand, or a file system opens them.
    pub(crate) fn is_cheap_to_read(self) -> bool {
        self.open || self.near
    }
}

impl FromFields for HostFacts {
    const SUBJECT: &'static str = "host";

    fn from_fields(fields: &Fields<'_>) -> Self {
        let ranges = fields.flag("ranges", false);
        let open = fields.flag("open", false);
        Self {
            host: fields.number("host", 0),
            capabilities: Capabilities {
                // What was opened is read in parts.
                ranges: ranges || open,
                stat: fields.flag("stat", false),
                real_path: fields.flag("realPath", false),
                open,
                lists_exactly: fields.flag("listsExactly", false),
                disk: fields.flag("disk", false),
                near: fields.flag("near", false),
                whole: fields.flag("whole", false),
            },
        }
    }
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A link that was not followed.
    Link,
    /// A pipe, a socket, a device: never read.
    Other,
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// Its name, without a separator.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// One thing asked of a host, or of the runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The entries of a directory. Answer: [`Reply::Listing`].
    List {
        /// Of which host.
        host: HostId,
        /// The directory; `""` is the root.
        path: String,
    },
    /// A part of a file, and what was opened. Answer: [`Reply::File`].
    Read {
        /// Of which host.
        host: HostId,
        /// The file.
        path: String,
        /// The first byte.
        offset: u64,
        /// At most so many bytes.
        length: u32,
        /// Whether a link at the end of the path is followed.
        follow: bool,
    },
    /// What stands at a path, links followed. Answer: [`Reply::Stat`].
    Stat {
        /// Of which host.
        host: HostId,
        /// The path.
        path: String,
    },
    /// The absolute path without links. Answer: [`Reply::Text`].
    RealPath {
        /// Of which host.
        host: HostId,
        /// The path.
        path: String,
    },
    /// How many tokens a text has, from the caller's function. Answer: [`Reply::Text`], the number.
    Count {
        /// The text.
        text: String,
    },
    /// The NFKC form of a text, from the runtime. Answer: [`Reply::Text`].
    Normalize {
        /// The text.
        text: String,
    },
    /// The tools of a skill's server, which is started once the developer has approved it. Answer:
    /// [`Reply::Text`], JSON text.
    Connect {
        /// The server, as JSON text.
        text: String,
    },
    /// What a tool of a server says, which is started if need be. Answer: [`Reply::Text`], JSON text.
    CallServer {
        /// The server, the tool and its arguments, as JSON text.
        text: String,
    },
}

/// A part of a file, and what was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReply {
    /// What was opened. Only a [`Kind::File`] has bytes.
    pub kind: Kind,
    /// The size in bytes, where the host tells it.
    pub size: Option<u64>,
    /// Changes when the content does, where the host tells it.
    pub version: Option<String>,
    /// Where what was opened really is, where the host tells it.
    pub real_path: Option<String>,
    /// The bytes from the offset on; fewer than asked for at the end of the file.
    pub bytes: Vec<u8>,
}

impl FileReply {
    /// Whether the file ends with these bytes, which were read from `offset` on when `asked` were
    /// wanted. Fewer do not tell, where the size says that there are more.
    pub(crate) fn reaches_end(&self, offset: u64, asked: u32) -> bool {
        let end = offset + self.bytes.len() as u64;
        let has_more = self.size.is_some_and(|size| size > end);
        self.bytes.is_empty()
            || self.size == Some(end)
            || (self.bytes.len() < asked as usize && !has_more)
    }
}

/// An error of this package, as hosts of it throw them.
#[derive(Debug, PartialEq, Eq)]
pub struct HostFault {
    /// Its code.
    pub(crate) code: &'static str,
    /// What a model is told in the place of its words, which name addresses and options.
    told: &'static str,
    /// What helps, where its own words do not say it.
    hint: Option<&'static str>,
}

impl HostFault {
    const KNOWN: [Self; 7] = [
        Self {
            code: "ABORTED",
            told: "the application has stopped it",
            hint: None,
        },
        Self {
            code: "ARCHIVE_REFUSED",
            told: "the archive that it is in cannot be used",
            hint: None,
        },
        Self {
            code: "DIGEST_MISMATCH",
            told: "its content is not what its index says, so nothing of it is used",
            hint: Some("have it published with the digest that it has, then refresh"),
        },
        Self {
            code: "FILE_NOT_FOUND",
            told: "the place that it comes from does not have it any more",
            hint: Some("have it published, or no longer listed, then refresh"),
        },
        Self {
            code: "HOST_FAILED",
            told: "the place that it comes from does not give it now",
            hint: Some("refresh once that is mended"),
        },
        Self {
            code: "PEER_MISSING",
            told: Self::UNUSABLE,
            hint: None,
        },
        Self {
            code: "SOURCE_UNSUPPORTED",
            told: Self::UNUSABLE,
            hint: None,
        },
    ];
    const UNUSABLE: &str = "the application cannot use the place that it comes from";
    /// What an error with another code is.
    const OTHER: Self = Self {
        code: "HOST_FAILED",
        told: Self::UNUSABLE,
        hint: None,
    };

    fn of(code: &str) -> &'static Self {
        let known = Self::KNOWN.iter().find(|known| known.code == code);
        known.unwrap_or(&Self::OTHER)
    }

    /// The code by which a call fails that it was the reason for. Only who aborts a call hears of that.
    pub(crate) fn code_of_call(&self) -> &'static str {
        match self.code {
            "ABORTED" => Self::OTHER.code,
            code => code,
        }
    }

    /// Whether the same may go well a moment later.
    pub(crate) fn is_for_now(&self) -> bool {
        matches!(self.code, "ABORTED" | "HOST_FAILED")
    }
}

/// Why a request could not be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Nothing stands there.
    pub not_found: bool,
    /// The host's own words.
    pub message: String,
    /// What a model is told in their place.
    pub told: Option<String>,
    /// What it is, where the host is one of this package.
    pub fault: Option<&'static HostFault>,
}

impl Failure {
    /// That a host has nothing there.
    pub fn nothing() -> Self {
        Self {
            not_found: true,
            ..Self::because("")
        }
    }

    /// That a request could not be answered, in words for everybody.
    pub(crate) fn because(message: &str) -> Self {
        Self {
            not_found: false,
            message: message.to_owned(),
            told: None,
            fault: None,
        }
    }

    /// What went wrong with `what`, for a developer.
    pub(crate) fn words(&self, what: &str) -> String {
        let fault = self
            .fault
            .filter(|fault| fault.code != HostFault::OTHER.code);
        let code = fault.map(|fault| [" (", fault.code, ")"].concat());
        let code = code.unwrap_or_default();
        let message = match self.hint("") {
            Some(_) => self.message.trim_end_matches('.'),
            None => &self.message,
        };
        [what, " could not be read", &code, ": ", message].concat()
    }

    /// What helps: `otherwise` where the host is not one of this package, whose words say it mostly.
    pub(crate) fn hint(&self, otherwise: &'static str) -> Option<&'static str> {
        self.fault.map_or(Some(otherwise), |fault| fault.hint)
    }

    /// What a host threw, by what of it is text. A code tells nobody of the machine, where a message
    /// may name its directories: so a model is told no more than that, and of an error of this
    /// package, whose words name addresses and options, what its code means.
    pub fn thrown(code: Option<&str>, name: Option<&str>, message: Option<&str>) -> Self {
        let not_found = matches!(code, Some("ENOENT" | "ENOTDIR")) || name == Some("NotFoundError");
        let message = message.filter(|message| !message.is_empty());
        if name == Some("SkillError") {
            let fault = HostFault::of(code.unwrap_or_default());
            return Self {
                not_found,
                message: cut(&one_line(message.unwrap_or(NO_REASON)), LONGEST_REASON),
                told: Some(fault.told.to_owned()),
                fault: Some(fault),
            };
        }
        let code = code.filter(|code| !code.is_empty()).map(shortened);
        let message = message.map(shortened);
        let words = match (&message, &code) {
            // What a system says begins with its code, and has names of the machine.
            (Some(message), Some(code)) if !message.starts_with(code.as_str()) => {
                [message, " (", code, ")"].concat()
            }
            _ => code.clone().or(message).unwrap_or(NO_REASON.to_owned()),
        };
        let stale = (code.as_deref() == Some("ESTALE")).then(|| STALE.to_owned());
        Self {
            not_found,
            message: stale.clone().unwrap_or(words),
            told: stale.or(code),
            fault: None,
        }
    }
}

const NO_REASON: &str = "it gave no reason";
/// What the code of what is changed while it is opened says to nobody.
const STALE: &str = "ESTALE, it or a directory above it was being changed; try again";
/// So much is told of what an error of this package says, which ends with the remedy.
pub(crate) const LONGEST_REASON: usize = 800;

/// The answer to a [`Request`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// To [`Request::List`].
    Listing {
        /// What is in the directory.
        entries: Vec<DirectoryEntry>,
        /// The real path of what was listed, where the host tells it.
        real_path: Option<String>,
    },
    /// To [`Request::Read`].
    File(FileReply),
    /// To [`Request::Stat`]: kind and version.
    Stat {
        /// What stands there.
        kind: Kind,
        /// Changes when the content does.
        version: String,
    },
    /// To [`Request::RealPath`] and [`Request::Normalize`].
    Text(String),
    /// It could not be answered.
    Failed(Failure),
}

/// A reply that does not answer its request: the wrapper's fault, not a user's.
fn out_of_turn<T>() -> Result<T, Failure> {
    Err(Failure::because("the host gave an answer of another kind"))
}

impl Reply {
    /// The listing, sorted by name; names that no directory can hold are left out, and so is the
    /// second of two equal ones, so that a host that lies cannot lead a path elsewhere.
    pub(crate) fn listing(self) -> Result<Vec<DirectoryEntry>, Failure> {
        Ok(self.placed_listing()?.0)
    }

    /// The same, and the real path of what was listed, where the host tells it.
    pub(crate) fn placed_listing(self) -> Result<(Vec<DirectoryEntry>, Option<String>), Failure> {
        match self {
            Self::Listing {
                mut entries,
                real_path,
            } => {
                entries.retain(|entry| is_entry_name(&entry.name));
                sort_by(&mut entries, |a, b| a.name.cmp(&b.name));
                entries.dedup_by(|a, b| a.name == b.name);
                Ok((entries, real_path))
            }
            Self::Failed(failure) => Err(failure),
            _ => out_of_turn(),
        }
    }

    pub(crate) fn file(self) -> Result<FileReply, Failure> {
        match self {
            Self::File(file) => Ok(file),
            Self::Failed(failure) => Err(failure),
            _ => out_of_turn(),
        }
    }

    pub(crate) fn stat(self) -> Result<(Kind, String), Failure> {
        match self {
            Self::Stat { kind, version } => Ok((kind, version)),
            Self::Failed(failure) => Err(failure),
            _ => out_of_turn(),
        }
    }

    pub(crate) fn text(self) -> Result<String, Failure> {
        match self {
            Self::Text(text) => Ok(text),
            Self::Failed(failure) => Err(failure),
            _ => out_of_turn(),
        }
    }
}

/// No file system has longer names; a host that lies may.
const LONGEST_NAME: usize = 4096;

fn is_entry_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME && !matches!(name, "" | "." | "..") && !name.contains(['/', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options;

    #[test]
    fn what_a_host_threw_tells_what_is_not_there() {
        let long = "é".repeat(300);
        for (thrown, not_found, message) in [
            (
                (Some("ENOENT"), Some("Error"), Some("ENOENT: m")),
                true,
                "ENOENT",
            ),
            ((Some("ENOTDIR"), None, None), true, "ENOTDIR"),
            ((None, Some("NotFoundError"), Some("gone")), true, "gone"),
            (
                (
                    Some("EACCES"),
                    Some("Error"),
                    Some("EACCES: denied, open '/machine'"),
                ),
                false,
                "EACCES",
            ),
            (
                (Some("EQUOTA"), Some("Error"), Some("the quota is used up")),
                false,
                "the quota is used up (EQUOTA)",
            ),
            ((None, Some("Error"), Some("no\n way")), false, "no way"),
            (
                (Some("SOURCE_UNSUPPORTED"), Some("SkillError"), Some("m")),
                false,
                "m",
            ),
            ((None, Some("Error"), Some("")), false, "it gave no reason"),
            ((None, None, None), false, "it gave no reason"),
        ] {
            let failure = Failure::thrown(thrown.0, thrown.1, thrown.2);
            assert_eq!(failure.not_found, not_found, "{thrown:?}");
            assert_eq!(failure.message, message);
        }
        let cut = Failure::thrown(None, None, Some(&long)).message;
        assert_eq!(cut.chars().count(), 201);
        let quota = Failure::thrown(Some("EQUOTA"), None, Some("/machine is full"));
        assert_eq!(quota.told.as_deref(), Some("EQUOTA"));
    }

    #[test]
    fn what_a_host_of_this_package_threw_says_what_it_is_and_how_to_mend_it() {
        let long = "x".repeat(300);
        let words = |code, message| {
            let failure = Failure::thrown(Some(code), Some("SkillError"), Some(message));
            (failure.words("it"), failure.hint("let it be read"))
        };
        for (code, message, said, hint) in [
            (
                "ARCHIVE_REFUSED",
                "No. Pack it anew.",
                "it could not be read (ARCHIVE_REFUSED): No. Pack it anew.",
                None,
            ),
            (
                "HOST_FAILED",
                "u answered.",
                "it could not be read: u answered",
                Some("refresh once that is mended"),
            ),
            ("INTERNAL", "Again.", "it could not be read: Again.", None),
            (
                "PEER_MISSING",
                &long,
                &["it could not be read (PEER_MISSING): ", &long].concat(),
                None,
            ),
        ] {
            assert_eq!(words(code, message), (said.to_owned(), hint), "{code}");
        }
        let stale = Failure::thrown(Some("ESTALE"), Some("Error"), Some("ESTALE: /home/me"));
        assert!(stale.message.ends_with("was being changed; try again"));
        assert_eq!(stale.told.as_ref(), Some(&stale.message));
        let other = Failure::thrown(None, Some("Error"), Some("no."));
        assert_eq!(other.hint("let it be read"), Some("let it be read"));
    }

    #[test]
    fn a_host_that_opens_files_reads_parts() {
        for (facts, ranges) in [
            (r#"{"host":3,"open":true,"ranges":false}"#, true),
            (r#"{"host":3,"ranges":true}"#, true),
            (r#"{"host":3,"stat":true,"realPath":true}"#, false),
        ] {
            let facts: HostFacts = options::read(facts).unwrap();
            assert_eq!((facts.host, facts.capabilities.ranges), (3, ranges));
        }
    }
}
