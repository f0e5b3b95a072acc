//! Names that what was typed may become, the likeliest first.

use crate::catalog::Catalog;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::operation::Operation;
use crate::options::{self, Fields, FromFields};
use crate::order::sort_by;
use crate::text::{lowercase, one_line};

use super::{Command, commands_from, keys};

/// Code points of what is completed at most: names of skills have no more.
const LONGEST_NAME: usize = 256;

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

/// A way to go on from what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Whether it is a command of the host; otherwise it is a skill.
    pub is_command: bool,
    /// Without the slash.
    pub name: String,
    /// On one line.
    pub description: Option<String>,
}

impl ToJson for Completion {
    fn write_json(&self, out: &mut String) {
        let kind = if self.is_command { "command" } else { "skill" };
        Object::begin(out)
            .field("kind", &kind)
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
            let Some(typed) = prefix.strip_prefix('/') else {
                return Vec::new();
            };
            // No name is longer, and each would be compared with all of it.
            if typed.chars().nth(LONGEST_NAME).is_some() {
                return Vec::new();
            }
            let typed = vec![typed.trim_start().to_owned()];
            let (typed, command_keys) = keys(&io, typed, &options.commands).await;
            let typed = lowercase(&typed.concat());
            let mut found = Vec::new();
            for (command, key) in options.commands.iter().zip(&command_keys) {
                if let Some(likeness) = likeness(&typed, key) {
                    let completion = Completion {
                        is_command: true,
                        name: command.name.clone(),
                        description: command.description.as_deref().map(shown),
                    };
                    found.push((likeness, completion));
                }
            }
            let snapshot = catalog.snapshot();
            for entry in catalog.for_user(&snapshot) {
                let key = &entry.record.key;
                // A command that the name begins with wins, so that the skill could not be called.
                let is_hidden = command_keys.iter().any(|command| {
                    let rest = key.strip_prefix(command.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
                });
                let likeness = likeness(&typed, key).filter(|_| !is_hidden);
                if let Some(likeness) = likeness {
                    let completion = Completion {
                        is_command: false,
                        name: entry.skill.name.clone(),
                        description: Some(shown(&entry.skill.description)),
                    };
                    found.push((likeness, completion));
                }
            }
            sort_by(&mut found, |(a, one), (b, other)| {
                a.cmp(b).then_with(|| one.name.cmp(&other.name))
            });
            let most = options.limit.unwrap_or(usize::MAX);
            let found = found.into_iter().take(most);
            found.map(|(_, completion)| completion).collect()
        })
    }
}

fn shown(description: &str) -> String {
    one_line(description).into_owned()
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
