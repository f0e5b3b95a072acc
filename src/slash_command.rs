//! Slash commands: a user's short way to a skill, `/name extra`.
//!
//! What the model decides by a tool call, a user decides here. A skill that is disabled for the
//! model is offered all the same; one with `user-invocable: false` is not.

mod arguments;
mod completion;
mod expansion;
mod line;

use crate::catalog::Catalog;
use crate::operation::Io;
use crate::options::{Fields, FromFields};
use crate::snapshot::{Entry, Snapshot};
use crate::text::folded;

use line::Beginning;

pub(crate) use arguments::filled;
pub use completion::{CompleteOptions, Completion, CompletionKind};
pub use expansion::{ExpandOptions, Expansion};
pub(crate) use expansion::{Expanded, Invoked, Meant};

/// Code points of the name of a skill at most.
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

/// Commands of the host, and the NFKC forms that they are found by.
struct Commands<'a> {
    all: &'a [Command],
    keys: Vec<String>,
}

impl<'a> Commands<'a> {
    /// The commands, and the NFKC forms of what was typed.
    async fn with_keys(io: &Io, mut typed: Vec<String>, all: &'a [Command]) -> (Self, Vec<String>) {
        let count = typed.len();
        typed.extend(all.iter().map(|command| command.name.clone()));
        let mut typed = io.normalize(typed).await;
        let keys = typed.split_off(count.min(typed.len()));
        (Self { all, keys }, typed)
    }

    /// The command that a line means, and what follows its name: it wins over every skill, of a
    /// longer name too. `keys` are the NFKC forms of the names that the line may begin with.
    fn meant_by<'l>(
        &self,
        beginnings: &[Beginning<'l>],
        keys: &[String],
    ) -> Option<(&'a Command, &'l str)> {
        beginnings.iter().zip(keys).find_map(|(beginning, key)| {
            let command = self.named(&beginning.name, key)?;
            Some((command, beginning.extra))
        })
    }

    /// The command of a name: exactly, or in NFKC.
    fn named(&self, name: &str, key: &str) -> Option<&'a Command> {
        let exact = self.all.iter().find(|command| command.name == name);
        exact.or_else(|| self.all.get(self.keys.iter().position(|own| own == key)?))
    }
}

impl Catalog {
    pub(crate) fn offers_to_user(&self, entry: &Entry) -> bool {
        entry.skill.user_invocable && self.shows(entry)
    }

    /// Entries that the user is offered.
    pub(crate) fn for_user<'a>(
        &'a self,
        snapshot: &'a Snapshot,
    ) -> impl Iterator<Item = &'a Entry> {
        self.entries(snapshot)
            .filter(|entry| entry.skill.user_invocable)
    }
}
