//! Slash commands: a user's short way to a skill, `/name extra`.
//!
//! What the model decides by a tool call, a user decides here. A skill that is disabled for the
//! model is offered all the same; one with `user-invocable: false` is not.

use crate::body;
use crate::catalog::Catalog;
use crate::error::{Error, TooLarge};
use crate::json::{Object, ToJson};
use crate::near::{near, near_names};
use crate::operation::{Io, Operation};
use crate::options::{self, Fields, FromFields};
use crate::order::sort_by;
use crate::skill::SkillKey;
use crate::snapshot::{Entry, Snapshot};
use crate::text::{folded, lowercase, one_line, quoted};

/// Code points of what is completed at most: names of skills have no more.
const LONGEST_NAME: usize = 256;

/// A command of the host, such as `/help`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Without the slash.
    pub name: String,
    /// What it does.
    pub description: Option<String>,
}

impl FromFields for Command {
    fn from_fields(fields: &Fields<'_>) -> Self {
        let name = fields.required_text("name");
        let name = folded(name.strip_prefix('/').unwrap_or(&name)).into_owned();
        if name.is_empty() {
            fields.refuse("name", "is empty");
        }
        Self {
            name,
            description: fields.text("description"),
        }
    }
}

fn commands_from(fields: &Fields<'_>) -> Vec<Command> {
    let mut commands = Vec::new();
    fields.each("commands", &mut |command| {
        commands.push(Command::from_fields(command));
    });
    commands
}

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
        /// Its name.
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

/// An expansion, and the body that it has in it.
pub(crate) struct Expanded {
    pub(crate) expansion: Expansion,
    /// The skill and its body. There exactly for [`Expansion::Skill`].
    pub(crate) body: Option<(Entry, SkillKey, String)>,
}

impl Expanded {
    fn without_body(expansion: Expansion) -> Self {
        Self {
            expansion,
            body: None,
        }
    }
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
            let expanded = catalog.expanded(&io, &input, &options).await?;
            Ok(expanded.expansion)
        })
    }

    pub(crate) async fn expanded(
        &self,
        io: &Io,
        input: &str,
        options: &ExpandOptions,
    ) -> Result<Expanded, Error> {
        let Some(line) = Line::parse(input) else {
            return Ok(Expanded::without_body(Expansion::Text {
                text: input.to_owned(),
            }));
        };
        let snapshot = self.snapshot();
        let longest = self.most_words(&snapshot, &options.commands);
        let beginnings = line.beginnings(longest);
        if let Some((name, extra)) = beginnings
            .iter()
            .find(|(name, _)| options.commands.iter().any(|command| command.name == *name))
        {
            return Ok(Expanded::without_body(Expansion::Command {
                name: name.clone(),
                extra: (*extra).to_owned(),
            }));
        }
        let names = beginnings.iter().map(|(name, _)| name.clone()).collect();
        let keys = io.normalize(names).await;
        for ((name, extra), key) in beginnings.iter().zip(keys) {
            let entry = snapshot.find(name, &key);
            let Some(entry) = entry.filter(|entry| self.offers_to_user(entry)) else {
                continue;
            };
            return self.expanded_skill(io, entry, extra, options).await;
        }
        // Not a name but a path, which a user may well begin a sentence with.
        if line.first_word().contains('/') {
            return Ok(Expanded::without_body(Expansion::Text {
                text: input.to_owned(),
            }));
        }
        Ok(Expanded::without_body(self.unknown(
            &snapshot,
            line.first_word(),
            options,
        )))
    }

    async fn expanded_skill(
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
        let body = body.text?;
        let text = if options.arguments {
            let limit = self.options().limits.body;
            let most = extra.len().saturating_add(limit as usize);
            with_arguments(&body, extra, most).ok_or_else(|| Error::FileTooLarge {
                path: format!("/{} {extra}", entry.skill.name),
                size: most as u64 + 1,
                limit,
                of: TooLarge::Body,
            })?
        } else {
            with_extra(body.clone(), extra)
        };
        Ok(Expanded {
            expansion: Expansion::Skill {
                skill: entry.skill.name.clone(),
                text,
                extra: extra.to_owned(),
            },
            body: Some((entry.clone(), key, body)),
        })
    }

    fn unknown(&self, snapshot: &Snapshot, name: &str, options: &ExpandOptions) -> Expansion {
        let skills = self
            .for_user(snapshot)
            .map(|entry| entry.skill.name.as_str());
        let commands = options.commands.iter().map(|command| command.name.as_str());
        let near = near(name, commands.chain(skills));
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

    fn offers_to_user(&self, entry: &Entry) -> bool {
        entry.skill.user_invocable && self.shows(entry)
    }

    /// Entries that the user is offered.
    fn for_user<'a>(&'a self, snapshot: &'a Snapshot) -> impl Iterator<Item = &'a Entry> {
        self.entries(snapshot)
            .filter(|entry| entry.skill.user_invocable)
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

fn with_extra(mut body: String, extra: &str) -> String {
    if !extra.is_empty() {
        body.push_str("\n\n");
        body.push_str(extra);
    }
    body
}

/// `body` with its placeholders filled in; `None` where that is more than `most` bytes. What is filled
/// in is not looked at again; where there is no placeholder, the extra text follows as ever.
fn with_arguments(body: &str, extra: &str, most: usize) -> Option<String> {
    let arguments = arguments(extra);
    let mut out = String::with_capacity(body.len() + extra.len());
    let mut is_used = false;
    let mut rest = body;
    while let Some(at) = rest.find('$') {
        let (before, placeholder) = rest.split_at(at);
        let Some((found, length)) = Placeholder::at_start(placeholder) else {
            out.push_str(before);
            out.push('$');
            rest = placeholder.get(1..).unwrap_or_default();
            continue;
        };
        let (literal, after) = placeholder.split_at(length);
        if let Some(before) = before.strip_suffix('\\') {
            out.push_str(before);
            out.push_str(literal);
        } else {
            out.push_str(before);
            out.push_str(found.value(extra, &arguments));
            is_used = true;
        }
        // A few placeholders and a long line would fill the memory.
        if out.len() > most {
            return None;
        }
        rest = after;
    }
    out.push_str(rest);
    Some(if is_used { out } else { with_extra(out, extra) })
}

enum Placeholder {
    All,
    /// Counted from 1.
    Number(usize),
}

impl Placeholder {
    /// The placeholder that `text` begins with, and its length. `$10`, `$1.50` and `$1st` are none.
    fn at_start(text: &str) -> Option<(Self, usize)> {
        const ALL: &str = "$ARGUMENTS";
        let continues = |c: char| c.is_alphanumeric() || c == '_';
        if let Some(after) = text.strip_prefix(ALL) {
            return (!after.starts_with(continues)).then_some((Self::All, ALL.len()));
        }
        let mut characters = text.chars().skip(1);
        let digit = characters.next()?.to_digit(10).filter(|digit| *digit > 0)?;
        let next = characters.next();
        let is_price =
            matches!(next, Some('.' | ',')) && characters.next().is_some_and(char::is_numeric);
        if next.is_some_and(continues) || is_price {
            return None;
        }
        Some((Self::Number(digit as usize), 2))
    }

    fn value<'a>(&self, extra: &'a str, arguments: &'a [String]) -> &'a str {
        match self {
            Self::All => extra,
            Self::Number(number) => arguments
                .get(number - 1)
                .map(String::as_str)
                .unwrap_or_default(),
        }
    }
}

/// Words, where quotes keep what belongs together. A quote that is not closed reaches to the end.
fn arguments(extra: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in extra.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c.is_whitespace() => arguments.extend(word.take()),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            Some(_) | None => word.get_or_insert_default().push(c),
        }
    }
    arguments.extend(word);
    arguments
}

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
            let mut names = vec![typed.trim_start().to_owned()];
            names.extend(options.commands.iter().map(|command| command.name.clone()));
            let mut keys = io.normalize(names).await.into_iter();
            let typed = lowercase(&keys.next().unwrap_or_default());
            let mut found = Vec::new();
            for (command, key) in options.commands.iter().zip(keys) {
                if let Some(likeness) = likeness(&typed, &key) {
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
                let name = &entry.skill.name;
                // A command that the name begins with wins, so that the skill could not be called.
                let is_hidden = options.commands.iter().any(|command| {
                    let rest = name.strip_prefix(&command.name);
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
                });
                let likeness = likeness(&typed, &entry.record.key).filter(|_| !is_hidden);
                if let Some(likeness) = likeness {
                    let completion = Completion {
                        is_command: false,
                        name: name.clone(),
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
    fn placeholders_are_filled_in_once() {
        for (body, extra, text) in [
            ("Do $ARGUMENTS.", "a b", "Do a b."),
            ("$1 then $2, $1", "a b", "a then b, a"),
            ("$2|$3|", "a \"b c\"", "b c||"),
            ("$1", "'it is' x", "it is"),
            ("$1", "\"open end", "open end"),
            ("$1", "\"\" x", ""),
            ("No place.", "a b", "No place.\n\na b"),
            ("No place.", "", "No place."),
            ("All: $ARGUMENTS", "", "All: "),
            (
                r"Write \$ARGUMENTS or \$1",
                "a",
                "Write $ARGUMENTS or $1\n\na",
            ),
            (r"\$1 is $1", "a", "$1 is a"),
            ("$1 and $ARGUMENTS", "$2 $1", "$2 and $2 $1"),
            (
                "$10 $1.50 $2,5 $1st $0 $ARGUMENTS_ $",
                "a",
                "$10 $1.50 $2,5 $1st $0 $ARGUMENTS_ $\n\na",
            ),
            ("costs $1. Or $1, or ($1)", "a", "costs a. Or a, or (a)"),
        ] {
            let filled = with_arguments(body, extra, 1000);
            assert_eq!(filled.as_deref(), Some(text), "{body} {extra}");
        }
    }

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
