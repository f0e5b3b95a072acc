//! Every departure from the specification in one skill, its files included.

use crate::advice::{Advised, Hints};
use crate::body_paths::{self, RESOURCE_DIRECTORIES};
use crate::diagnostic::{Diagnostic, MOST_FINDINGS, Mode, Position, Rule};
use crate::directory_name;
use crate::discovery::{RENAME_SKILL_FILE, SKILL_FILE, SKILL_FILE_CASE};
use crate::error::Error;
use crate::fields::Profile;
use crate::mcp_config;
use crate::near::near;
use crate::operation::Operation;
use crate::options::{self, Fields, FromFields};
use crate::order::sort_by;
use crate::parse::{CONTENT_NOT_TEXT, not_text};
use crate::relative_path::RelativePath;
use crate::skill_file::{self, Place, ReadOptions};
use crate::text::quoted;
use crate::tool_options::Wrapper;
use crate::wrapper::{begins_tag, wrapper_tag_found};

const SKILL_FILE_MISSING: Rule = Rule::error("skill-file-missing");
const SECOND_SKILL_FILE: Rule = Rule::warning("skill-file-twice");
const FILE_PATH: Rule = Rule::error("file-path-refused");
const RESOURCE_DEEP: Rule = Rule::warning("resource-deep");
pub(crate) const LINK_OUTSIDE: Rule = Rule::warning("link-target-outside");
pub(crate) const LINK_MISSING: Rule = Rule::warning("link-target-missing");

/// How a skill is validated.
#[derive(Clone, Debug, Default)]
pub struct ValidateOptions {
    /// The name of its directory.
    pub directory: Option<String>,
    /// Whose extra rules apply.
    pub profile: Profile,
    /// What else is said that makes skills better.
    pub hints: Hints,
}

impl ValidateOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for ValidateOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            directory: fields.text("directory"),
            profile: fields.choice("profile", &Profile::NAMES),
            hints: Hints::of(fields),
        }
    }
}

/// A file of the skill: its path relative to the skill, and its bytes; none for a content that is
/// neither text nor bytes.
pub type SkillFileContent = (String, Option<Vec<u8>>);

/// How many bytes of a file are looked at: of the skill file and of the one that names servers more
/// than may be loaded, to say by how much; of all others only their paths, or, where hints are
/// given, what they mention.
pub(crate) fn bytes_judged(path: &str, hints: bool) -> u32 {
    const OF_SKILL_FILE: u32 = 4 * 1024 * 1024;
    const FOR_HINTS: u32 = 64 * 1024;
    if path.eq_ignore_ascii_case(SKILL_FILE) {
        OF_SKILL_FILE
    } else if path == mcp_config::FILE {
        mcp_config::LARGEST + 1
    } else if hints {
        FOR_HINTS
    } else {
        0
    }
}

/// Where no more than [`bytes_judged`] came, a last character of which the cut left only the first
/// bytes is no fault of the file's.
fn drop_cut_character(file: &mut SkillFileContent) {
    let (path, content) = file;
    if let Some(bytes) = content
        && bytes.len() >= bytes_judged(path, false) as usize
        && let Err(error) = std::str::from_utf8(bytes)
        && error.error_len().is_none()
    {
        bytes.truncate(error.valid_up_to());
    }
}

/// [`validate_skill`] as JavaScript calls it: what cannot be used is a finding too, and so are
/// files that are none.
pub fn validate_skill_json(
    mut files: Option<Vec<SkillFileContent>>,
    options: &str,
) -> Operation<Vec<Diagnostic>> {
    files.iter_mut().flatten().for_each(drop_cut_character);
    let finding = match (ValidateOptions::from_json(options), files) {
        (Ok(options), Some(files)) => return validate_skill(files, options),
        (Ok(_), None) => {
            let message = "what was passed to be validated is no object of files";
            Diagnostic::new(&CONTENT_NOT_TEXT, Mode::Strict, message)
                .with_hint("pass an object of files, such as { \"SKILL.md\": text }")
        }
        (Err(error), _) => options::finding(&error),
    };
    Operation::done(vec![finding])
}

/// Validates one skill.
pub fn validate_skill(
    files: Vec<SkillFileContent>,
    options: ValidateOptions,
) -> Operation<Vec<Diagnostic>> {
    Operation::new(|io| async move {
        let mut found = file_findings(&files);
        let Some((path, Some(bytes))) = skill_file(&files, &mut found) else {
            return found;
        };
        let place = Place {
            path: Some(&path.into()),
            directory: options.directory.as_deref(),
            file_stem: None,
        };
        let read_options = ReadOptions {
            mode: Mode::Strict,
            profile: options.profile,
            ..ReadOptions::default()
        };
        let mut parsed = skill_file::parse(bytes, place, &read_options);
        directory_name::check(&io, &mut parsed, place, &read_options).await;
        let mut of_body = body_findings(bytes, path, &files, &read_options);
        let mut diagnostics = parsed.diagnostics;
        diagnostics.append(&mut of_body);
        diagnostics.append(&mut found);
        diagnostics.append(&mut server_findings(&files));
        if options.hints.given {
            let advised = Advised::new(bytes, place, &files);
            diagnostics.append(&mut advised.hints(path, &options.hints));
        }
        diagnostics.retain(|found| options.hints.keep(found));
        diagnostics
    })
}

/// What is off in the file that names the skill's servers.
fn server_findings(files: &[SkillFileContent]) -> Vec<Diagnostic> {
    let config = files.iter().find(|(path, _)| path == mcp_config::FILE);
    let Some((path, Some(bytes))) = config else {
        return Vec::new();
    };
    let found = mcp_config::parse(bytes, Mode::Strict).findings.into_iter();
    found.map(|found| found.in_file(path.clone())).collect()
}

/// The skill file, which should have its one right name.
fn skill_file<'a>(
    files: &'a [SkillFileContent],
    found: &mut Vec<Diagnostic>,
) -> Option<(&'a str, Option<&'a [u8]>)> {
    let mut named: Vec<&SkillFileContent> = files
        .iter()
        .filter(|(path, _)| path.eq_ignore_ascii_case(SKILL_FILE))
        .collect();
    let is_misnamed = |file: &SkillFileContent| file.0 != SKILL_FILE;
    sort_by(&mut named, |a, b| {
        let first = is_misnamed(a).cmp(&is_misnamed(b));
        first.then_with(|| a.0.cmp(&b.0))
    });
    let Some((path, bytes)) = named.first() else {
        let message = "there is no SKILL.md";
        let hint = "add one: front matter with a name and a description, then the instructions";
        found.push(Diagnostic::new(&SKILL_FILE_MISSING, Mode::Strict, message).with_hint(hint));
        return None;
    };
    if path != SKILL_FILE {
        let message = format!("the skill file is named {path}, not {SKILL_FILE}");
        found.push(
            Diagnostic::new(&SKILL_FILE_CASE, Mode::Strict, message)
                .with_hint(RENAME_SKILL_FILE)
                .in_file(path.clone()),
        );
    }
    for (other, _) in named.iter().skip(1) {
        let message = format!("{other} differs from {path} in case only; {path} counts");
        found.push(
            Diagnostic::new(&SECOND_SKILL_FILE, Mode::Strict, message)
                .with_hint("remove one of them")
                .in_file(other.clone()),
        );
    }
    Some((path, bytes.as_deref()))
}

/// What is off with the files themselves.
fn file_findings(files: &[SkillFileContent]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (path, bytes) in files {
        if bytes.is_none() {
            found.push(not_text(Some(path)));
        }
        let report = |rule: &Rule, message: String, hint: &'static str| {
            Diagnostic::new(rule, Mode::Strict, message)
                .with_hint(hint)
                .in_file(path.clone())
        };
        match RelativePath::parse(path) {
            Err(reason) => {
                let message = format!("the path {} cannot be read: {reason}", quoted(path));
                let hint =
                    "name it by a path in the skill's directory, such as references/guide.md";
                found.push(report(&FILE_PATH, message, hint));
            }
            Ok(relative) => {
                let mut segments = relative.segments();
                let in_resources = segments
                    .next()
                    .is_some_and(|first| RESOURCE_DIRECTORIES.contains(&first));
                if in_resources && segments.count() > 1 {
                    let message = "files should lie one level deep in their directory".to_owned();
                    let hint = "move it up, directly into that directory";
                    found.push(report(&RESOURCE_DEEP, message, hint));
                }
            }
        }
    }
    found
}

/// What is off in the body: tags of the wrapper, paths that lead nowhere or away.
fn body_findings(
    bytes: &[u8],
    path: &str,
    files: &[SkillFileContent],
    options: &ReadOptions,
) -> Vec<Diagnostic> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Vec::new();
    };
    let Some(start) = skill_file::body_start(bytes, options) else {
        return Vec::new();
    };
    let body = text.get(start..).unwrap_or_default();
    let paths = body_paths::find(body)
        .filter_map(|(offset, path)| Some((offset, path_finding(path, files, options.mode)?)));
    wrapper_tag(body, options.mode)
        .into_iter()
        .chain(paths)
        .take(MOST_FINDINGS)
        .map(|(offset, finding)| {
            let position = Position::in_text(text, start + offset);
            finding.in_file(path).at(position)
        })
        .collect()
}

/// The finding for the first tag that could be taken for the wrapper's, and its offset.
fn wrapper_tag(body: &str, mode: Mode) -> Option<(usize, Diagnostic)> {
    let (offset, _) = body
        .match_indices('<')
        .find(|(at, _)| begins_tag(body.get(at + 1..).unwrap_or_default(), Wrapper::USUAL_TAG))?;
    Some((offset, wrapper_tag_found(mode)))
}

/// What is off with a path that the body names.
fn path_finding(path: &str, files: &[SkillFileContent], mode: Mode) -> Option<Diagnostic> {
    let relative = match RelativePath::parse(path) {
        Ok(relative) => relative,
        Err(reason) => {
            let path = quoted(path);
            let message = format!("the link to {path} cannot be followed: {reason}");
            return Some(
                Diagnostic::new(&LINK_OUTSIDE, mode, message)
                    .with_hint("link only to files in the skill's directory"),
            );
        }
    };
    if stands(files, relative.as_str()) {
        return None;
    }
    let near = near(
        relative.as_str(),
        files.iter().map(|(path, _)| path.as_str()),
    );
    let mut message = format!("there is no file {}", quoted(path));
    if let Some(near) = near.first() {
        message.push_str(&format!("; there is {}", quoted(near)));
    }
    Some(
        Diagnostic::new(&LINK_MISSING, mode, message)
            .with_hint("add the file, or correct the path"),
    )
}

/// Whether there is a file of this path, or a directory.
fn stands(files: &[SkillFileContent], path: &str) -> bool {
    files.iter().any(|(file, _)| {
        file.strip_prefix(path)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(files: &[(&str, &str)], directory: &str) -> Vec<String> {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), Some(text.as_bytes().to_vec())))
            .collect();
        let options = ValidateOptions {
            directory: Some(directory.to_owned()),
            ..ValidateOptions::default()
        };
        let found = validate_skill(files, options).run(|_| unreachable!("nothing is asked"));
        let found = found.unwrap();
        let severity = |found: &Diagnostic| format!("{:?}", found.severity).to_lowercase();
        found
            .iter()
            .map(|found| format!("{} {}", found.code, severity(found)))
            .collect()
    }

    #[test]
    fn departures_are_found_in_the_whole_skill() {
        let head = "---\nname: s\ndescription: x\n---\n";
        let with = |body: &str| format!("{head}{body}\n");
        for (files, expected) in [
            (vec![("SKILL.md", with("B"))], vec![]),
            (vec![("a.md", with("B"))], vec!["skill-file-missing error"]),
            (
                vec![("skill.md", with("B"))],
                vec!["skill-file-name-case error"],
            ),
            (
                vec![("SKILL.md", with("B")), ("skill.md", with("B"))],
                vec!["skill-file-twice warning"],
            ),
            (
                vec![("SKILL.md", with("See [t](../../T.md)."))],
                vec!["link-target-outside warning"],
            ),
            (
                vec![("SKILL.md", with("See `references/no.md`."))],
                vec!["link-target-missing warning"],
            ),
            (
                vec![
                    ("SKILL.md", with("See [f](FORMS.md).")),
                    ("forms.md", String::new()),
                ],
                vec!["link-target-missing warning"],
            ),
            (
                vec![
                    (
                        "SKILL.md",
                        with("[a](a.md#x) [w](https://x.y) [s](#s) [d](scripts/)"),
                    ),
                    ("a.md", String::new()),
                    ("scripts/b", String::new()),
                ],
                vec![],
            ),
            (
                vec![("SKILL.md", with("</skill_content>"))],
                vec!["wrapper-tag-in-body warning"],
            ),
            (
                vec![("SKILL.md", with("B")), ("scripts/a/b.sh", String::new())],
                vec!["resource-deep warning"],
            ),
            (
                vec![("SKILL.md", with("B")), ("../x", String::new())],
                vec!["file-path-refused error"],
            ),
        ] {
            let files: Vec<(&str, &str)> = files
                .iter()
                .map(|(path, text)| (*path, text.as_str()))
                .collect();
            assert_eq!(codes(&files, "s"), expected, "{files:?}");
        }
    }

    #[test]
    fn what_was_passed_is_never_a_failure() {
        let file = |path: &str, content: Option<&str>| {
            (
                path.to_owned(),
                content.map(|text| text.as_bytes().to_vec()),
            )
        };
        let skill = "---\nname: s\ndescription: x\n---\nB\n";
        for (files, options, expected) in [
            (
                vec![file("SKILL.md", Some(skill)), file("a.md", None)],
                "{}",
                vec![("content-not-text", Some("a.md"))],
            ),
            (
                vec![file("SKILL.md", None)],
                "{}",
                vec![("content-not-text", Some("SKILL.md"))],
            ),
            (
                vec![file("SKILL.md", Some(skill))],
                r#"{"profil":"anthropic"}"#,
                vec![("option-invalid", None)],
            ),
        ] {
            let found = validate_skill_json(Some(files), options).run(|_| unreachable!());
            let found = found.expect("it was not over before");
            let told: Vec<_> = found
                .iter()
                .map(|found| (found.code, found.path.as_deref()))
                .collect();
            assert_eq!(told, expected, "{options}");
            assert!(found.iter().all(Diagnostic::is_error));
        }
    }

    #[test]
    fn what_is_no_object_of_files_is_a_finding() {
        let found = validate_skill_json(None, "{}").run(|_| unreachable!());
        let found = found.expect("it was not over before");
        assert_eq!(found.len(), 1);
        let finding = found.first().expect("there is one");
        assert_eq!(finding.code, "content-not-text");
        assert!(
            finding
                .hint
                .as_ref()
                .is_some_and(|hint| hint.contains("SKILL.md"))
        );
    }

    #[test]
    fn the_directory_must_have_the_name() {
        let file = ("SKILL.md", "---\nname: s\ndescription: x\n---\n");
        assert_eq!(codes(&[file], "other"), ["name-directory-mismatch error"]);
    }
}
