//! Which files are a skill's own: all in its directory but what stands in the directory of another
//! skill. Skills may be nested, or reached through links; and one that is held back from the model
//! must not be read through the one around it.

use crate::jail::Jail;
use crate::path;
use crate::record::{Origin, Record};
use crate::snapshot::Snapshot;

/// The files of a skill.
#[derive(Debug)]
pub(crate) struct OwnFiles<'a> {
    /// What they must stay in.
    pub(crate) jail: &'a Jail,
    /// The host path of its skill file; empty where it has none.
    pub(crate) skill_file: &'a str,
    /// That file's real path, where it is known.
    real_skill_file: Option<&'a str>,
    /// Host paths of the directories of other skills in its own.
    others: Vec<&'a str>,
    /// Their real paths, where they are known.
    real_others: Vec<&'a str>,
}

impl<'a> OwnFiles<'a> {
    /// Of a skill of a snapshot, where it has a directory.
    pub(crate) fn of(record: &'a Record, snapshot: &'a Snapshot) -> Option<Self> {
        let jail = record.files()?;
        let (skill_file, real_directory) = match &record.origin {
            Origin::File(file) => (file.path.as_str(), file.real_directory.as_deref()),
            Origin::Defined(_) => ("", None),
        };
        let mut own = Self {
            jail,
            skill_file,
            real_skill_file: record.real_file.as_deref(),
            others: Vec::new(),
            real_others: Vec::new(),
        };
        for other in snapshot.records_that_may_be_nested() {
            own.leave_out(other, real_directory);
        }
        Some(own)
    }

    /// Leaves the directory of another skill out, if it is in this one.
    fn leave_out(&mut self, other: &'a Record, real_directory: Option<&str>) {
        let Some(jail) = other.files() else { return };
        let below = path::below(&jail.directory, &self.jail.directory);
        if jail.host == self.jail.host && below.is_some_and(|below| !below.is_empty()) {
            self.others.push(&jail.directory);
        }
        let Origin::File(file) = &other.origin else {
            return;
        };
        if let (Some(real), Some(around)) = (&file.real_directory, real_directory)
            && path::is_inside(real, around)
        {
            self.real_others.push(real);
        }
    }

    /// Whether a host path is that of another skill's directory, or of something in it.
    pub(crate) fn is_others(&self, host_path: &str) -> bool {
        let mut others = self.others.iter();
        others.any(|other| path::below(host_path, other).is_some())
    }

    /// The same of a real path.
    pub(crate) fn is_really_others(&self, real: &str) -> bool {
        let mut others = self.real_others.iter();
        others.any(|other| real == *other || path::is_inside(real, other))
    }

    /// Whether what was opened is the skill file, by whatever path.
    pub(crate) fn is_skill_file(&self, host_path: &str, real: Option<&str>) -> bool {
        host_path == self.skill_file || real.is_some() && real == self.real_skill_file
    }
}
