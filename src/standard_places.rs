//! Where people keep skills by convention: in folders of a project and of their own, by the names
//! that the agents' own documentation gives. Finding the folders is the runtime's.

use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields};
use crate::path;
use crate::value::Value;

/// What a developer says of the standard places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandardPlaces {
    /// Whether the folders of the project are trusted.
    pub trusted: bool,
    /// Folders below a project's directories and below the home, the first wins.
    pub folders: Vec<String>,
}

/// The agent's own folder stands before these: what was put there was meant for it.
const SHARED: [&str; 2] = [".agents", ".claude"];

impl StandardPlaces {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for StandardPlaces {
    fn from_fields(fields: &Fields<'_>) -> Self {
        fields.text("cwd");
        // `false` for none.
        if fields.get("home") != Some(&Value::Bool(false)) {
            fields.text("home");
        }
        let own = fields.text("client").and_then(|client| {
            if is_client(&client) {
                return Some([".", &client].concat());
            }
            fields.refuse(
                "client",
                "must be the name of a folder without its dot, of letters, digits, -, _ and ., \
                 such as \"my-agent\"",
            );
            None
        });
        let shared = SHARED
            .into_iter()
            .filter(|name| own.as_deref() != Some(name))
            .map(str::to_owned);
        Self {
            trusted: fields.flag("trusted", false),
            folders: own
                .iter()
                .cloned()
                .chain(shared)
                .map(|folder| path::join(&folder, "skills"))
                .collect(),
        }
    }
}

/// Whether a name makes a hidden folder, and leads nowhere else.
fn is_client(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(char::is_alphanumeric)
        && characters.all(|it| it.is_alphanumeric() || matches!(it, '-' | '_' | '.'))
}

impl ToJson for StandardPlaces {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("trusted", &self.trusted)
            .field("folders", &self.folders)
            .end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agents_own_folder_stands_first() {
        for (json, folders) in [
            ("{}", vec![".agents/skills", ".claude/skills"]),
            (
                r#"{"client":"my-agent"}"#,
                vec![".my-agent/skills", ".agents/skills", ".claude/skills"],
            ),
            (
                r#"{"client":"claude"}"#,
                vec![".claude/skills", ".agents/skills"],
            ),
        ] {
            let places = StandardPlaces::from_json(json).unwrap();
            assert_eq!(places.folders, folders, "{json}");
            assert!(!places.trusted, "unless the developer says so");
        }
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (json, problem) in [
            (r#"{"client":""}"#, "client must be the name of a folder"),
            (
                r#"{"client":"../x"}"#,
                "client must be the name of a folder",
            ),
            (r#"{"client":"a/b"}"#, "client must be the name of a folder"),
            (
                r#"{"client":"a\\b"}"#,
                "client must be the name of a folder",
            ),
            (r#"{"client":".x"}"#, "client must be the name of a folder"),
            (r#"{"home":true}"#, "home must be text"),
            (r#"{"cwd":1}"#, "cwd must be text"),
            (r#"{"trust":true}"#, "trust is not known; trusted is"),
        ] {
            let error = StandardPlaces::from_json(json).unwrap_err().to_string();
            assert!(error.contains(problem), "{json}: {error}");
        }
    }
}
