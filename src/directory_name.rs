//! Whether a skill has the name of its directory.
//!
//! Both are compared in NFKC. The runtime makes that form, so the names of many skills are asked
//! for at a time.

use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::operation::Io;
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
    let mut texts = Vec::with_capacity(2 * names.len());
    for (name, directory) in names {
        texts.push(folded(&name.text).into_owned());
        texts.push(folded(directory.unwrap_or_default()).into_owned());
    }
    let mut normalized = io.normalize(texts).await.into_iter();
    names
        .iter()
        .map(|(name, directory)| {
            let key = normalized.next().unwrap_or_default();
            let other = normalized.next().filter(|_| directory.is_some());
            let matches_directory = other.as_ref() == Some(&key);
            let finding = other
                .filter(|_| !matches_directory)
                .map(|other| mismatch(&key, &other, name, mode));
            Compared {
                key,
                matches_directory,
                finding,
            }
        })
        .collect()
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
