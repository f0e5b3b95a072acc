//! One skill file on its own, without a host.

use serde::{Deserialize, Serialize};

use crate::body::compare_names;
use crate::diagnostic::{Diagnostic, Mode};
use crate::discovery::SKILL_FILE;
use crate::fields::Profile;
use crate::operation::Operation;
use crate::path;
use crate::skill::{self, Place, ReadOptions, Skill};

/// How a skill file is read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ParseOptions {
    /// The file's path: its directory is compared with the name.
    pub path: Option<String>,
    /// `lenient` or `strict`.
    pub mode: Mode,
    /// Whose extra rules apply.
    pub profile: Profile,
}

/// What a skill file holds.
#[derive(Clone, Debug, Serialize)]
pub struct ParsedSkill {
    /// There exactly when no diagnostic is an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<Skill>,
    /// The instructions, trimmed at both ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Everything that was off, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
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
        compare_names(&io, &mut parsed, place, &read_options).await;
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
