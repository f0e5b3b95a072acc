//! Names that what was typed may become, the likeliest first.

use crate::catalog::Catalog;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::operation::Operation;
use crate::options::{self, Fields, FromFields};
use crate::order::sort_by;
use crate::snapshot::Entry;
use crate::text::{lowercase, one_line};

use super::line::{Line, Longest};
use super::{Command, Commands, LONGEST_NAME, commands_from};

/// What is completed, and by what.
#[derive(Clone, Debug, Default)]
pub struct CompleteOptions {
    /// Commands of the host.
    pub commands: Vec<Command>,
    /// How many at most.
    pub limit: Option<usize>,
}

impl CompleteOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for CompleteOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        let limit = fields.number("limit", u32::MAX);
        Self {
            commands: commands_from(fields),
            limit: (limit != u32::MAX).then_some(limit as usize),
        }
    }
}

/// What a line may call for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A skill.
    Skill,
    /// A command of the host.
    Command,
}

impl CompletionKind {
    /// As the public interface names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Command => "command",
        }
    }
}

/// A way to go on from what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What has the name.
    pub kind: CompletionKind,
    /// Without the slash.
    pub name: String,
    /// On one line.
    pub description: Option<String>,
}

impl ToJson for Completion {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("kind", &self.kind.as_str())
            .field("name", &self.name)
            .field("insert", &["/", &self.name].concat())
            .optional("description", self.description.as_ref())
            .end();
    }
}

impl Catalog {
    /// Skills and commands that what was typed may become, the likeliest first.
    pub fn complete(&self, prefix: String, options: CompleteOptions) -> Operation<Vec<Completion>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let Some(typed) = typed_name(&prefix) else {
                return Vec::new();
            };
            let (commands, typed) = Commands::with_keys(&io, vec![typed], &options.commands).await;
            let snapshot = catalog.snapshot();
            let skills = catalog.for_user(&snapshot);
            let candidates = commands.candidates().chain(
                // Whoever typed the name of such a skill would have the command.
                skills
                    .map(Candidate::of_skill)
                    .filter(|skill| !commands.take(skill.key)),
            );
            likeliest(&typed.concat(), candidates, options.limit)
        })
    }
}

/// What was typed of a name; `None` where it begins none.
fn typed_name(prefix: &str) -> Option<String> {
    let typed = prefix.strip_prefix('/')?;
    // No name is longer, and each would be compared with all of it.
    let may_be_name =
        !typed.starts_with(char::is_whitespace) && typed.chars().nth(LONGEST_NAME).is_none();
    may_be_name.then(|| typed.to_owned())
}

impl Commands<'_> {
    fn candidates(&self) -> impl Iterator<Item = Candidate<'_>> {
        let commands = self.all.iter().zip(&self.keys);
        commands.map(|(command, key)| Candidate {
            key,
            kind: CompletionKind::Command,
            name: &command.name,
            description: command.description.as_deref(),
        })
    }

    /// Whether a line with this name means a command.
    fn take(&self, key: &str) -> bool {
        if self.all.is_empty() {
            return false;
        }
        let beginnings = Line::of_name(key).beginnings(Longest::ANY);
        let keys = beginnings.iter().map(|beginning| beginning.name.clone());
        let keys: Vec<String> = keys.collect();
        self.meant_by(&beginnings, &keys).is_some()
    }
}

/// What may be completed to.
struct Candidate<'a> {
    /// In NFKC.
    key: &'a str,
    kind: CompletionKind,
    name: &'a str,
    description: Option<&'a str>,
}

impl<'a> Candidate<'a> {
    fn of_skill(entry: &'a Entry) -> Self {
        Self {
            key: entry.record.key(),
            kind: CompletionKind::Skill,
            name: &entry.skill.name,
            description: Some(&entry.skill.description),
        }
    }

    fn completion(&self) -> Completion {
        Completion {
            kind: self.kind,
            name: self.name.to_owned(),
            description: self.description.map(|text| one_line(text).into_owned()),
        }
    }
}

/// The candidates that what was typed may become, as many as are wanted.
fn likeliest<'a>(
    typed: &str,
    candidates: impl Iterator<Item = Candidate<'a>>,
    limit: Option<usize>,
) -> Vec<Completion> {
    let typed = lowercase(typed);
    let mut found: Vec<(Likeness, Candidate<'a>)> = candidates
        .filter_map(|candidate| Some((likeness(&typed, candidate.key)?, candidate)))
        .collect();
    sort_by(&mut found, |(a, one), (b, other)| {
        a.cmp(b).then_with(|| one.name.cmp(other.name))
    });
    let found = found.iter().take(limit.unwrap_or(usize::MAX));
    found.map(|(_, candidate)| candidate.completion()).collect()
}

/// How like a name is to what was typed in small letters, the likest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Prefix,
    WordPrefix,
    Inside,
    LettersInOrder,
}

fn likeness(typed: &str, name: &str) -> Option<Likeness> {
    let name = lowercase(name);
    if name.starts_with(typed) {
        return Some(Likeness::Prefix);
    }
    let mut words = name.match_indices(typed);
    if words.clone().any(|(at, _)| begins_word(&name, at)) {
        return Some(Likeness::WordPrefix);
    }
    if words.next().is_some() {
        return Some(Likeness::Inside);
    }
    let mut letters = name.chars();
    let are_in_order = typed
        .chars()
        .all(|wanted| letters.any(|letter| letter == wanted));
    are_in_order.then_some(Likeness::LettersInOrder)
}

fn begins_word(name: &str, at: usize) -> bool {
    let before = name.get(..at).unwrap_or_default().chars().next_back();
    before.is_none_or(|c| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ranked_by_how_they_are_met() {
        for (typed, name, rank) in [
            ("", "go", Some(Likeness::Prefix)),
            ("go", "go-refactor", Some(Likeness::Prefix)),
            ("go", "Go Refactor", Some(Likeness::Prefix)),
            ("ref", "go-refactor", Some(Likeness::WordPrefix)),
            ("fact", "go-refactor", Some(Likeness::Inside)),
            ("gr", "go-refactor", Some(Likeness::LettersInOrder)),
            ("rg", "go-refactor", None),
            ("é", "café-é", Some(Likeness::WordPrefix)),
        ] {
            assert_eq!(likeness(typed, name), rank, "{typed} {name}");
        }
    }
}
