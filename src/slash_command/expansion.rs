//! What a line of a user stands for: a skill's body, a command of the host, or just text.

use crate::body::{self, Body};
use crate::call::Audience;
use crate::catalog::Catalog;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::load_skill;
use crate::near::{near, near_names};
use crate::operation::{Io, Operation};
use crate::options::{self, Fields, FromFields};
use crate::own_files::OwnFiles;
use crate::snapshot::{Entry, Snapshot};
use crate::text::{one_line, quoted};
use crate::tool_options::{ToolOptions, ToolSet};
use crate::tools::Tools;

use super::arguments::{filled, most_bytes, with_extra};
use super::line::{Line, Longest};
use super::{Command, Commands, LONGEST_NAME, commands_from};

/// Code points that one of a name is at most where its marks stand apart.
const DECOMPOSED: usize = 4;

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
        /// Where the skill's files are and how they are read, where it has some: the lines that
        /// `load_skill` adds to a text.
        resources: Option<String>,
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
            Self::Skill {
                skill,
                text,
                extra,
                resources,
            } => object
                .field("kind", &"skill")
                .field("skill", skill)
                .field("text", text)
                .field("extra", extra)
                .optional("resources", resources.as_ref())
                .field("prompt", &prompt(text, resources.as_deref())),
            Self::Command { name, extra } => object
                .field("kind", &"command")
                .field("name", name)
                .field("extra", extra),
            Self::Text { text } => object
                .field("kind", &"text")
                .field("text", text)
                .field("prompt", text),
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
    /// A skill.
    Skill(Invoked),
    /// Anything else.
    Other(Expansion),
}

/// A skill that a line calls for.
pub(crate) struct Invoked {
    pub(crate) entry: Entry,
    /// As it is now, or why it cannot be had.
    pub(crate) body: Result<Body, Error>,
    /// What follows the name.
    pub(crate) extra: String,
}

impl Invoked {
    /// A skill as its file is now; nothing where that says that the user is not offered it.
    pub(crate) async fn of(io: &Io, catalog: &Catalog, entry: &Entry, extra: &str) -> Option<Self> {
        let body = body::read(io, catalog, entry).await;
        let is_closed = body.as_ref().is_ok_and(|body| !body.user_invocable);
        (!is_closed).then(|| Self {
            entry: entry.clone(),
            body,
            extra: extra.to_owned(),
        })
    }
}

/// A skill's expansion.
pub(crate) struct Expanded {
    skill: String,
    text: String,
    extra: String,
    resources: Option<String>,
    /// What was filled into the body, where that changed it.
    pub(crate) arguments: Option<String>,
}

impl Expanded {
    /// A body with what follows the name of its skill. A body that is read may have `limit` bytes.
    pub(crate) fn of(
        skill: &str,
        body: &str,
        extra: &str,
        options: &ExpandOptions,
        limit: u32,
    ) -> Result<Self, Error> {
        let mut arguments = None;
        let text = if options.arguments {
            let filled = filled(body, extra, limit).ok_or_else(|| Error::ArgumentsTooLarge {
                skill: skill.to_owned(),
                limit: most_bytes(extra, limit),
            })?;
            arguments = (filled.text != body).then(|| extra.to_owned());
            filled.with_extra(extra)
        } else {
            with_extra(body.to_owned(), extra)
        };
        Ok(Self {
            skill: skill.to_owned(),
            text,
            extra: extra.to_owned(),
            resources: None,
            arguments,
        })
    }

    /// The expansion, with what stands beside a text.
    pub(crate) fn with_resources(mut self, beside: &str) -> Self {
        let beside = beside.trim_start();
        self.resources = (!beside.is_empty()).then(|| beside.to_owned());
        self
    }

    /// What a model is to be given, as one text.
    pub(crate) fn prompt(&self) -> String {
        prompt(&self.text, self.resources.as_deref())
    }
}

/// A text of a skill, and below it what is said of its files.
fn prompt(text: &str, resources: Option<&str>) -> String {
    match resources {
        Some(resources) => [text, "\n\n", resources].concat(),
        None => text.to_owned(),
    }
}

impl From<Expanded> for Expansion {
    fn from(expanded: Expanded) -> Self {
        Self::Skill {
            skill: expanded.skill,
            text: expanded.text,
            extra: expanded.extra,
            resources: expanded.resources,
        }
    }
}

impl Catalog {
    /// What a line of a user stands for. `/name extra` is the body of the skill, a blank line and
    /// the extra text.
    ///
    /// # Errors
    ///
    /// The skill's file cannot be read, or has become invalid; or what follows its name makes more of
    /// it than is expanded.
    pub fn expand(
        &self,
        input: String,
        options: ExpandOptions,
    ) -> Operation<Result<Expansion, Error>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            match catalog.meant(&io, &input, &options).await {
                Meant::Skill(invoked) => {
                    let tools = ToolOptions {
                        set: ToolSet::Basic,
                        ..ToolOptions::default()
                    };
                    let expanded = catalog.expand_skill(&io, invoked, &options, tools).await;
                    Ok(expanded?.into())
                }
                Meant::Other(expansion) => Ok(expansion),
            }
        })
    }

    /// What a skill stands for, for one who reads its files with these tools.
    pub(crate) async fn expand_skill(
        &self,
        io: &Io,
        invoked: Invoked,
        options: &ExpandOptions,
        tools: ToolOptions,
    ) -> Result<Expanded, Error> {
        let Invoked { entry, body, extra } = invoked;
        let body = body?;
        let tools = self.tools_for(&entry, body.model_invocable, tools)?;
        let text = body.text?;
        let limit = self.options().limits.body;
        let expanded = Expanded::of(&entry.skill.name, &text, &extra, options, limit)?;
        let own = OwnFiles::of(&entry.record);
        let beside = load_skill::beside(io, self, &entry, own, &tools).await;
        Ok(expanded.with_resources(&beside))
    }

    /// The tools by which a model reads the files of a skill: a catalog has none for one that is
    /// disabled.
    fn tools_for(
        &self,
        entry: &Entry,
        model_invocable: bool,
        mut options: ToolOptions,
    ) -> Result<Tools, Error> {
        if !model_invocable || !self.allows(&self.snapshot(), entry, Audience::Model) {
            options.set = ToolSet::Only(Vec::new());
        }
        self.tools(options)
    }

    /// What a line means. Of a skill that is meant the file is read: it says whether the user is
    /// offered it by now.
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
        let beginnings = line.beginnings(self.longest(&snapshot, &options.commands));
        let names = beginnings.iter().map(|beginning| beginning.name.clone());
        let (commands, keys) = Commands::with_keys(io, names.collect(), &options.commands).await;
        if let Some((command, extra)) = commands.meant_by(&beginnings, &keys) {
            return Meant::Other(Expansion::Command {
                name: command.name.clone(),
                extra: extra.to_owned(),
            });
        }
        let mut closed = Vec::new();
        for (beginning, key) in beginnings.iter().zip(&keys) {
            let entry = snapshot.find(&beginning.name, key);
            let Some(entry) = entry.filter(|entry| self.offers_to_user(entry)) else {
                continue;
            };
            match Invoked::of(io, self, entry, beginning.extra).await {
                Some(invoked) => return Meant::Skill(invoked),
                None => closed.push(entry.record.id),
            }
        }
        // Not a name but a path, which a user may well begin a sentence with.
        if line.first_word().contains('/') {
            return text();
        }
        // The shortest beginning is the first word.
        let key = keys.last().map_or(line.first_word(), String::as_str);
        let offered = self
            .for_user(&snapshot)
            .filter(|entry| !closed.contains(&entry.record.id));
        Meant::Other(unknown(line.first_word(), key, offered, options))
    }

    /// How long a name may be that could be meant.
    fn longest(&self, snapshot: &Snapshot, commands: &[Command]) -> Longest {
        let skills = self
            .for_user(snapshot)
            .map(|entry| entry.skill.name.as_str());
        let names = commands.iter().map(|command| command.name.as_str());
        let words = |name: &str| name.split_whitespace().count();
        let longest_command = names.clone().map(|name| name.chars().count()).max();
        Longest {
            words: names.chain(skills).map(words).max().unwrap_or(0),
            // Typed with its marks apart, it is longer than as it is found.
            characters: DECOMPOSED * longest_command.unwrap_or(0).max(LONGEST_NAME),
        }
    }
}

/// That nothing of this name is there: neither a command nor one of the skills that are `offered`.
fn unknown<'a>(
    name: &str,
    key: &str,
    offered: impl Iterator<Item = &'a Entry>,
    options: &ExpandOptions,
) -> Expansion {
    let skills = offered.map(|entry| entry.skill.name.as_str());
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
