//! What a line of a user stands for: a skill's body, a command of the host, or just text.

use crate::body;
use crate::catalog::Catalog;
use crate::error::{Error, TooLarge};
use crate::json::{Object, ToJson};
use crate::near::{near, near_names};
use crate::operation::{Io, Operation};
use crate::options::{self, Fields, FromFields};
use crate::skill::SkillKey;
use crate::snapshot::{Entry, Snapshot};
use crate::text::{one_line, quoted};

use super::arguments::{filled, most_bytes, with_extra};
use super::{Command, commands_from, keys};

/// How a line is expanded.
#[derive(Clone, Debug, Default)]
pub struct ExpandOptions {
    /// Commands of the host: they win over skills.
    pub commands: Vec<Command>,
    /// Whether `$ARGUMENTS` and `$1` to `$9` in a body stand for what follows the name.
    pub arguments: bool,
}

impl ExpandOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for ExpandOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        fields.signal("signal");
        Self {
            commands: commands_from(fields),
            arguments: fields.flag("arguments", false),
        }
    }
}

/// What a line of a user came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// A skill.
    Skill {
        /// Its name.
        skill: String,
        /// Its body, a blank line, and the extra text.
        text: String,
        /// What followed the name.
        extra: String,
    },
    /// A command of the host.
    Command {
        /// Its name, as the host writes it.
        name: String,
        /// What followed the name.
        extra: String,
    },
    /// Not a slash command.
    Text {
        /// The line as it was.
        text: String,
    },
    /// A slash command that nobody knows.
    Unknown {
        /// Its first word.
        name: String,
        /// Names like it.
        near: Vec<String>,
        /// For the user.
        message: String,
    },
}

impl ToJson for Expansion {
    fn write_json(&self, out: &mut String) {
        let mut object = Object::begin(out);
        match self {
            Self::Skill { skill, text, extra } => object
                .field("kind", &"skill")
                .field("skill", skill)
                .field("text", text)
                .field("extra", extra),
            Self::Command { name, extra } => object
                .field("kind", &"command")
                .field("name", name)
                .field("extra", extra),
            Self::Text { text } => object.field("kind", &"text").field("text", text),
            Self::Unknown {
                name,
                near,
                message,
            } => object
                .field("kind", &"unknown")
                .field("name", name)
                .field("near", near)
                .field("message", message),
        };
        object.end();
    }
}

/// What a line means.
pub(crate) enum Meant {
    /// A skill, and what follows its name.
    Skill(Entry, String),
    /// Anything else.
    Other(Expansion),
}

/// A skill's expansion, and the body that it has in it.
pub(crate) struct Expanded {
    pub(crate) expansion: Expansion,
    pub(crate) key: SkillKey,
    pub(crate) body: String,
    /// What its file says now.
    pub(crate) model_invocable: bool,
    /// What was filled into the body, where that changed it.
    pub(crate) arguments: Option<String>,
}

impl Catalog {
    /// What a line of a user stands for. `/name extra` is the body of the skill, a blank line and
    /// the extra text.
    ///
    /// # Errors
    ///
    /// The skill's file cannot be read, or has become invalid.
    pub fn expand(
        &self,
        input: String,
        options: ExpandOptions,
    ) -> Operation<Result<Expansion, Error>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            match catalog.meant(&io, &input, &options).await {
                Meant::Skill(entry, extra) => {
                    let expanded = catalog.expanded(&io, &entry, &extra, &options).await?;
                    Ok(expanded.expansion)
                }
                Meant::Other(expansion) => Ok(expansion),
            }
        })
    }

    /// What a line means; no file is read for it.
    pub(crate) async fn meant(&self, io: &Io, input: &str, options: &ExpandOptions) -> Meant {
        let text = || {
            Meant::Other(Expansion::Text {
                text: input.to_owned(),
            })
        };
        let Some(line) = Line::parse(input) else {
            return text();
        };
        let snapshot = self.snapshot();
        let longest = self.most_words(&snapshot, &options.commands);
        let beginnings = line.beginnings(longest);
        let names = beginnings.iter().map(|(name, _)| name.clone()).collect();
        let (keys, command_keys) = keys(io, names, &options.commands).await;
        for ((name, extra), key) in beginnings.iter().zip(&keys) {
            if let Some(command) = command_of(name, key, &options.commands, &command_keys) {
                return Meant::Other(Expansion::Command {
                    name: command.name.clone(),
                    extra: (*extra).to_owned(),
                });
            }
        }
        for ((name, extra), key) in beginnings.iter().zip(&keys) {
            let entry = snapshot.find(name, key);
            if let Some(entry) = entry.filter(|entry| self.offers_to_user(entry)) {
                return Meant::Skill(entry.clone(), (*extra).to_owned());
            }
        }
        // Not a name but a path, which a user may well begin a sentence with.
        if line.first_word().contains('/') {
            return text();
        }
        // The shortest beginning is the first word.
        let key = keys.last().map_or(line.first_word(), String::as_str);
        Meant::Other(self.unknown(&snapshot, line.first_word(), key, options))
    }

    /// The expansion of a skill, with its body as it is now.
    pub(crate) async fn expanded(
        &self,
        io: &Io,
        entry: &Entry,
        extra: &str,
        options: &ExpandOptions,
    ) -> Result<Expanded, Error> {
        let body = body::read(io, entry, &self.options().read_options()).await?;
        let key = SkillKey {
            name: entry.skill.name.clone(),
            version: body.version,
        };
        let model_invocable = body.model_invocable;
        let body = body.text?;
        let mut arguments = None;
        let text = if options.arguments {
            let limit = self.options().limits.body;
            let filled = filled(&body, extra, limit).ok_or_else(|| Error::FileTooLarge {
                path: format!("/{} {extra}", entry.skill.name),
                size: most_bytes(extra, limit) as u64 + 1,
                limit,
                of: TooLarge::Body,
            })?;
            arguments = (filled.text != body).then(|| extra.to_owned());
            filled.with_extra(extra)
        } else {
            with_extra(body.clone(), extra)
        };
        Ok(Expanded {
            expansion: Expansion::Skill {
                skill: entry.skill.name.clone(),
                text,
                extra: extra.to_owned(),
            },
            key,
            body,
            model_invocable,
            arguments,
        })
    }

    fn unknown(
        &self,
        snapshot: &Snapshot,
        name: &str,
        key: &str,
        options: &ExpandOptions,
    ) -> Expansion {
        let skills = self
            .for_user(snapshot)
            .map(|entry| entry.skill.name.as_str());
        let commands = options.commands.iter().map(|command| command.name.as_str());
        let near = near(key, commands.chain(skills));
        let slashed: Vec<String> = near.iter().map(|name| ["/", name].concat()).collect();
        let message = format!(
            "There is no command or skill named {}.{}",
            quoted(&["/", name].concat()),
            near_names(&slashed)
        );
        Expansion::Unknown {
            name: one_line(name).into_owned(),
            near,
            message,
        }
    }

    /// The words of the longest name that could be meant.
    fn most_words(&self, snapshot: &Snapshot, commands: &[Command]) -> usize {
        let skills = self
            .for_user(snapshot)
            .map(|entry| entry.skill.name.as_str());
        let commands = commands.iter().map(|command| command.name.as_str());
        let words = |name: &str| name.split_whitespace().count();
        commands.chain(skills).map(words).max().unwrap_or(0)
    }
}

/// The command of a name: exactly, or in NFKC (`key`).
fn command_of<'a>(
    name: &str,
    key: &str,
    commands: &'a [Command],
    keys: &[String],
) -> Option<&'a Command> {
    let exact = commands.iter().find(|command| command.name == name);
    exact.or_else(|| commands.get(keys.iter().position(|own| own == key)?))
}

/// A line that begins with a slash.
struct Line<'a> {
    /// Without the slash.
    rest: &'a str,
}

impl<'a> Line<'a> {
    fn parse(input: &'a str) -> Option<Self> {
        let rest = input.strip_prefix('/')?;
        let is_command = rest.chars().next().is_some_and(|c| !c.is_whitespace());
        is_command.then_some(Self { rest })
    }

    fn first_word(&self) -> &'a str {
        self.rest.split_whitespace().next().unwrap_or_default()
    }

    /// Its first words as a name and what follows them, the longest name first.
    fn beginnings(&self, most_words: usize) -> Vec<(String, &'a str)> {
        let mut beginnings = Vec::new();
        let mut name = String::new();
        let mut rest = self.rest;
        while beginnings.len() < most_words {
            let word = rest.trim_start();
            if word.is_empty() {
                break;
            }
            let end = word.find(char::is_whitespace).unwrap_or(word.len());
            let (word, after) = word.split_at(end);
            if !name.is_empty() {
                name.push(' ');
            }
            name.push_str(word);
            rest = after;
            beginnings.push((name.clone(), rest.trim()));
        }
        beginnings.reverse();
        beginnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_longest_name_first() {
        let line = Line::parse("/code  review\tthis  file \n now ").unwrap();
        let beginnings = line.beginnings(2);
        assert_eq!(
            beginnings,
            [
                ("code review".to_owned(), "this  file \n now"),
                ("code".to_owned(), "review\tthis  file \n now")
            ]
        );
        for text in ["", "/", "/ x", "x /y", " /x"] {
            assert!(Line::parse(text).is_none(), "{text:?}");
        }
    }
}
