//! Slash commands: a user's short way to a skill, `/name extra`.
//!
//! What the model decides by a tool call, a user decides here. A skill that is disabled for the
//! model is offered all the same; one with `user-invocable: false` is not.

mod arguments;
mod completion;
mod expansion;

use crate::catalog::Catalog;
use crate::operation::Io;
use crate::options::{Fields, FromFields};
use crate::snapshot::{Entry, Snapshot};
use crate::text::folded;

pub(crate) use arguments::filled;
pub use completion::{CompleteOptions, Completion};
pub use expansion::{ExpandOptions, Expansion};
pub(crate) use expansion::{Expanded, Meant};

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

/// The NFKC forms by which names are compared: those of what was typed, and those of the commands.
async fn keys(io: &Io, mut typed: Vec<String>, commands: &[Command]) -> (Vec<String>, Vec<String>) {
    let count = typed.len();
    typed.extend(commands.iter().map(|command| command.name.clone()));
    let mut keys = io.normalize(typed).await;
    let commands = keys.split_off(count.min(keys.len()));
    (keys, commands)
}

impl Catalog {
    fn offers_to_user(&self, entry: &Entry) -> bool {
        entry.skill.user_invocable && self.shows(entry)
    }

    /// Entries that the user is offered.
    fn for_user<'a>(&'a self, snapshot: &'a Snapshot) -> impl Iterator<Item = &'a Entry> {
        self.entries(snapshot)
            .filter(|entry| entry.skill.user_invocable)
    }
}
