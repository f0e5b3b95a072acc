//! Where skills come from, and what a developer says about how they are read.

use std::rc::Rc;

use crate::catalog::Catalog;
use crate::define::SkillSpec;
use crate::diagnostic::Mode;
use crate::error::Error;
use crate::fields::Profile;
use crate::host::{Capabilities, HostId};
use crate::limits::Limits;
use crate::options::{self, Fields, FromFields};
use crate::path;
use crate::record::Record;
use crate::skill::ReadOptions;

/// Which links discovery follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Links {
    /// A linked skill directory wherever it leads; a linked file only inside its skill.
    #[default]
    Inside,
    /// Linked folders without a skill file are walked too.
    All,
    /// None.
    Never,
}

impl Links {
    const NAMES: [(&str, Self); 3] = [
        ("inside", Self::Inside),
        ("all", Self::All),
        ("never", Self::Never),
    ];
}

/// What a skill that cannot be used does to the load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Invalid {
    /// It is left out, with a diagnostic.
    #[default]
    Skip,
    /// The load fails.
    Throw,
}

impl Invalid {
    const NAMES: [(&str, Self); 2] = [("skip", Self::Skip), ("throw", Self::Throw)];
}

/// How skills are found and read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// `strict` or `lenient`.
    pub mode: Mode,
    /// `skip` or `throw`.
    pub invalid: Invalid,
    /// Whether directories below a skill may hold further skills.
    pub nested: bool,
    /// Which links are followed.
    pub links: Links,
    /// Names of directories that are not entered.
    pub ignore: Vec<String>,
    /// Whether hidden characters are left out of what is kept.
    pub strip: bool,
    /// Bounds.
    pub limits: Limits,
}

impl FromFields for LoadOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            mode: fields.choice("mode", &Mode::NAMES),
            invalid: fields.choice("invalid", &Invalid::NAMES),
            nested: fields.flag("nested", false),
            links: fields.choice("links", &Links::NAMES),
            ignore: fields.texts("ignore"),
            strip: fields.flag("strip", false),
            limits: Limits::from_fields(&fields.object("limits", "limits.")),
        }
    }
}

impl LoadOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }

    /// The part that reading one file needs.
    pub(crate) fn read_options(&self) -> ReadOptions {
        ReadOptions {
            mode: self.mode,
            profile: Profile::AgentSkills,
            limits: self.limits,
            strip: self.strip,
        }
    }
}

/// A directory on a host.
#[derive(Clone, Debug)]
pub struct Directory {
    /// The host.
    pub host: HostId,
    /// What it can do.
    pub capabilities: Capabilities,
    /// The directory's path on it; `""` is its root.
    pub path: String,
    /// What stands before the host's paths wherever they are shown.
    pub prefix: String,
    /// Shown as where a skill is from.
    pub label: String,
}

impl Directory {
    /// A host path as messages show it.
    pub(crate) fn shown(&self, host_path: &str) -> String {
        if host_path.is_empty() {
            let named = [&self.prefix, &self.label];
            return named
                .into_iter()
                .find(|name| !name.is_empty())
                .cloned()
                .unwrap_or_default();
        }
        path::join(&self.prefix, host_path)
    }
}

/// One place that skills come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A directory that is looked through.
    Directory(Directory),
    /// One that is not to be trusted: nothing of it is loaded.
    Untrusted {
        /// What the developer calls it.
        label: String,
    },
    /// One skill that is known: given in code, or found by another catalog.
    Known(Rc<Record>),
    /// The skills of another catalog, each where its file is.
    Catalog(Catalog),
}

impl Source {
    /// A skill that is given in code, with the directory of its files, if it has one.
    pub fn defined(spec: SkillSpec, files: Option<Directory>) -> Self {
        Self::Known(Rc::new(spec.into_record(files)))
    }
}
