//! One skill file on its own, without a host.

use crate::diagnostic::{Diagnostic, Mode};
use crate::directory_name;
use crate::discovery::SKILL_FILE;
use crate::error::Error;
use crate::fields::Profile;
use crate::json::{Object, ToJson};
use crate::operation::Operation;
use crate::options::{self, Fields, FromFields};
use crate::path;
use crate::skill::{self, Place, ReadOptions, Skill};

/// How a skill file is read.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// The file's path: its directory is compared with the name.
    pub path: Option<String>,
    /// `lenient` or `strict`.
    pub mode: Mode,
    /// Whose extra rules apply.
    pub profile: Profile,
}

impl ParseOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for ParseOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            path: fields.text("path"),
            mode: fields.choice("mode", &Mode::NAMES),
            profile: fields.choice("profile", &Profile::NAMES),
        }
    }
}

/// What a skill file holds.
#[derive(Clone, Debug)]
pub struct ParsedSkill {
    /// There exactly when no diagnostic is an error.
    pub skill: Option<Skill>,
    /// The instructions, trimmed at both ends.
    pub body: Option<String>,
    /// Everything that was off, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
}

impl ToJson for ParsedSkill {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .optional("skill", self.skill.as_ref())
            .optional("body", self.body.as_ref())
            .field("diagnostics", &self.diagnostics)
            .end();
    }
}

/// Reads one skill file. Never fails: what is wrong is in the diagnostics.
pub fn parse_skill(bytes: Vec<u8>, options: ParseOptions) -> Operation<ParsedSkill> {
    Operation::new(|io| async move {
        let place = options.path.as_deref().map(place_of).unwrap_or_default();
        let read_options = ReadOptions {
            mode: options.mode,
            profile: options.profile,
            ..ReadOptions::default()
        };
        let mut parsed = skill::parse(&bytes, place, &read_options);
        directory_name::check(&io, &mut parsed, place, &read_options).await;
        ParsedSkill {
            skill: parsed.skill,
            body: parsed.body,
            diagnostics: parsed.diagnostics,
        }
    })
}

/// What a path says of the name: its directory's for a skill file, its own for a loose one.
fn place_of(path: &str) -> Place<'_> {
    let name = path::base_name(path).unwrap_or(path);
    let before = path.len().saturating_sub(name.len());
    if name.eq_ignore_ascii_case(SKILL_FILE) {
        let directory = path.get(..before).and_then(path::base_name);
        return Place {
            path: Some(path),
            directory,
            file_stem: None,
        };
    }
    Place {
        path: Some(path),
        directory: None,
        file_stem: name.strip_suffix(".md"),
    }
}
