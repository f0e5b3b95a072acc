//! Whether a skill has the name of its directory.
//!
//! Both are compared in NFKC. The runtime makes that form, so the names of many skills are asked
//! for at a time.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::operation::{Io, has_other_form};
use crate::order::sort_by;
use crate::skill_file::{self, Name, Parsed, Place, ReadOptions};
use crate::text::{folded, quoted};

/// The name is not that of the directory.
const NAME_DIRECTORY: Rule = Rule::tolerated("name-directory-mismatch");

/// What came of comparing a name with its directory's.
pub(crate) struct Compared {
    /// The name in NFKC: what the skill is looked up by.
    pub(crate) key: String,
    /// Whether its directory has the name.
    pub(crate) matches_directory: bool,
    /// Where it has another one.
    pub(crate) finding: Option<Diagnostic>,
}

/// Compares each name with that of its directory, where it has one of its own.
pub(crate) async fn compare(io: &Io, names: &[(&Name, Option<&str>)], mode: Mode) -> Vec<Compared> {
    // Nearly all names are ASCII, which is its own form.
    let mut texts = Vec::new();
    for (name, directory) in names {
        for text in [name.text.as_str(), directory.unwrap_or_default()] {
            let text = folded(text);
            if has_other_form(&text) {
                texts.push(text.into_owned());
            }
        }
    }
    let mut normalized = io.normalize(texts).await.into_iter();
    let mut normal = |text| {
        let text = folded(text);
        if !has_other_form(&text) {
            return text;
        }
        normalized.next().map_or(text, Cow::Owned)
    };
    let mut compared = Vec::with_capacity(names.len());
    for (name, directory) in names {
        let key = normal(&name.text);
        let other = normal(directory.unwrap_or_default());
        let matches_directory = directory.is_some() && key == other;
        let finding = if matches_directory || directory.is_none() {
            None
        } else {
            Some(mismatch(&key, &other, name, mode))
        };
        compared.push(Compared {
            key: key.into_owned(),
            matches_directory,
            finding,
        });
    }
    compared
}

/// Adds it to what was found in a skill file, if its name is not its directory's; where that is an
/// error, there is no skill.
pub(crate) async fn check(io: &Io, parsed: &mut Parsed, place: Place<'_>, options: &ReadOptions) {
    let Some(name) = parsed.name.as_ref().filter(|_| place.directory.is_some()) else {
        return;
    };
    let mut compared = compare(io, &[(name, place.directory)], options.mode).await;
    let Some(finding) = compared.pop().and_then(|compared| compared.finding) else {
        return;
    };
    let mut found = vec![finding];
    skill_file::placed(&mut found, place, parsed.skill.as_ref());
    if found.iter().any(Diagnostic::is_error) {
        parsed.skill = None;
        parsed.body = None;
    }
    parsed.diagnostics.append(&mut found);
    sort_by(&mut parsed.diagnostics, |a, b| a.position.cmp(&b.position));
}

fn mismatch(key: &str, directory: &str, name: &Name, mode: Mode) -> Diagnostic {
    let message = format!(
        "the name {} is not that of its directory, {}",
        quoted(key),
        quoted(directory)
    );
    Diagnostic::new(&NAME_DIRECTORY, mode, message)
        .with_hint("rename one of them, so that both are equal")
        .at(name.position)
}
