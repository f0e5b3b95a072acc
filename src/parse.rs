//! One skill file on its own, without a host.

use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::directory_name;
use crate::discovery::SKILL_FILE;
use crate::error::Error;
use crate::fields::Profile;
use crate::json::{Object, ToJson};
use crate::operation::Operation;
use crate::options::{self, Fields, FromFields};
use crate::path;
use crate::skill::Skill;
use crate::skill_file::{self, Place, ReadOptions};

/// What was passed as a file, or as files, is none.
pub(crate) const CONTENT_NOT_TEXT: Rule = Rule::error("content-not-text");

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
        let path: Option<Rc<str>> = options.path.map(Into::into);
        let place = path.as_ref().map(place_of).unwrap_or_default();
        let read_options = ReadOptions {
            mode: options.mode,
            profile: options.profile,
            ..ReadOptions::default()
        };
        let mut parsed = skill_file::parse(&bytes, place, &read_options);
        directory_name::check(&io, &mut parsed, place, &read_options).await;
        ParsedSkill {
            skill: parsed.skill,
            body: parsed.body,
            diagnostics: parsed.diagnostics,
        }
    })
}

/// [`parse_skill`] as JavaScript calls it, with what was passed as the content and the options. What
/// cannot be used is a finding too.
pub fn parse_skill_json(content: Option<Vec<u8>>, options: &str) -> Operation<ParsedSkill> {
    let finding = match (ParseOptions::from_json(options), content) {
        (Ok(options), Some(content)) => return parse_skill(content, options),
        (Ok(options), None) => not_text(options.path.as_deref()),
        (Err(error), _) => options::finding(&error),
    };
    Operation::done(ParsedSkill {
        skill: None,
        body: None,
        diagnostics: vec![finding],
    })
}

/// That the content of a file is neither text nor bytes.
pub(crate) fn not_text(path: Option<&str>) -> Diagnostic {
    let message = "the content of the file is neither text nor bytes";
    let mut finding = Diagnostic::new(&CONTENT_NOT_TEXT, Mode::Strict, message)
        .with_hint("pass a string or a Uint8Array");
    finding.path = path.map(Rc::from);
    finding
}

/// What a path says of the name: its directory's for a skill file, its own for a loose one.
fn place_of(path: &Rc<str>) -> Place<'_> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_passed_is_never_a_failure() {
        let file = || Some(b"---\nname: a\ndescription: d\n---\nB\n".to_vec());
        for (content, options, code, path) in [
            (file(), r#"{"path":"a/SKILL.md"}"#, None, None),
            (file(), "[]", Some("option-invalid"), None),
            (file(), r#"{"mod":"strict"}"#, Some("option-invalid"), None),
            (None, "{}", Some("content-not-text"), None),
            (
                None,
                r#"{"path":"a/SKILL.md"}"#,
                Some("content-not-text"),
                Some("a/SKILL.md"),
            ),
        ] {
            let parsed =
                parse_skill_json(content, options).run(|_| unreachable!("nothing is asked"));
            let parsed = parsed.expect("it was not over before");
            let finding = parsed.diagnostics.first();
            assert_eq!(finding.map(|found| found.code), code, "{options}");
            assert_eq!(finding.and_then(|found| found.path.as_deref()), path);
            assert_eq!(parsed.skill.is_some(), code.is_none());
        }
    }
}
