//! What of a skill is published over MCP, and what keeps one from it: a client refuses an entry that
//! breaks a rule, and some refuse all entries beside it.

use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::fields::{
    COMPATIBILITY_LENGTH_MOST, DESCRIPTION_LENGTH, NAME_LENGTH, against_the_pattern,
};
use crate::front_matter::{self, Split};
use crate::limits::Limits;
use crate::text::quoted;
use crate::value::{Map, Value};
use crate::yaml;

/// A skill is not among those that MCP clients list.
const NOT_PUBLISHED: Rule = Rule::warning("not-published");

/// Files of a skill at most, and bytes of all of them: clients have to take so many (SEP-2640).
pub(super) const MOST_FILES: usize = 512;
pub(super) const MOST_BYTES: u32 = 16 * 1024 * 1024;

/// Why a skill is not published: the problem, and what mends it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unpublished {
    problem: String,
    remedy: &'static str,
}

impl Unpublished {
    fn new(problem: impl Into<String>, remedy: &'static str) -> Self {
        let problem = problem.into();
        Self { problem, remedy }
    }

    pub(super) fn too_large() -> Self {
        Self::new(
            format!(
                "it has more than {MOST_FILES} files, or more than {} MiB in them",
                MOST_BYTES >> 20
            ),
            "move files out of the skill",
        )
    }

    /// That a part of it cannot be read.
    pub(super) fn unreadable(message: String) -> Self {
        Self::new(message, "let all files of the skill be read")
    }

    /// As a finding.
    pub(super) fn finding(self, mode: Mode) -> Diagnostic {
        let message = ["MCP clients do not list the skill: ", &self.problem].concat();
        Diagnostic::new(&NOT_PUBLISHED, mode, message).with_hint(self.remedy)
    }
}

/// The front matter of a skill file as all readers of YAML see it, if a client takes it for that of
/// the skill named `name`.
pub(super) fn front_matter(bytes: &[u8], name: &str, limits: &Limits) -> Result<Map, Unpublished> {
    let split = front_matter::split(bytes, true, limits.front_matter, Mode::Strict);
    let fields = match split {
        Split::Complete { block, .. } => yaml::read_as_others(block, limits),
        Split::Incomplete | Split::Fault(_) => None,
    };
    let fields = fields.ok_or_else(|| {
        Unpublished::new(
            "other readers of YAML do not read its front matter, or read something else",
            "put the values in quotes",
        )
    })?;
    match refusal(&fields, name) {
        Some(refused) => Err(refused),
        None => Ok(fields),
    }
}

/// The first rule of clients that these fields of a skill break.
fn refusal(fields: &Map, name: &str) -> Option<Unpublished> {
    let length = |key| match fields.get(key) {
        Some(Value::String(text)) => Some(text.chars().count()),
        _ => None,
    };
    if fields.get("name").and_then(Value::as_str) != Some(name) {
        return Some(Unpublished::new(
            ["its front matter does not have the name ", &quoted(name)].concat(),
            "write the name into it as text, without blanks around",
        ));
    }
    if against_the_pattern(name).is_some() || name.len() > NAME_LENGTH {
        return Some(Unpublished::new(
            "its name is not one of the specification",
            "use lower-case letters, digits and single hyphens, at most 64",
        ));
    }
    if !matches!(length("description"), Some(1..=DESCRIPTION_LENGTH)) {
        return Some(Unpublished::new(
            "its description is not text of 1 to 1,024 characters",
            "shorten the description",
        ));
    }
    let is_fit = matches!(length("compatibility"), Some(1..=COMPATIBILITY_LENGTH_MOST));
    if fields.get("compatibility").is_some() && !is_fit {
        return Some(Unpublished::new(
            "its compatibility is not text of 1 to 500 characters",
            "shorten it, or leave it out",
        ));
    }
    let is_text = |entry: &(String, Value)| entry.1.as_str().is_some();
    match fields.get("metadata") {
        None => None,
        Some(Value::Map(metadata)) if metadata.0.iter().all(is_text) => None,
        Some(_) => Some(Unpublished::new(
            "its metadata is not a map of text",
            "put the values of metadata in quotes",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::ToJson;

    fn of(block: &str) -> Result<String, String> {
        let file = format!("---\n{block}---\nBody.\n");
        front_matter(file.as_bytes(), "pdf", &Limits::default())
            .map(|fields| fields.to_json())
            .map_err(|unpublished| unpublished.problem)
    }

    #[test]
    fn front_matter_is_what_other_readers_see() {
        assert_eq!(
            of("name: pdf\ndescription: d\nversion: 1.10\nmetadata:\n  version: \"1.0\"\n"),
            Ok(
                r#"{"name":"pdf","description":"d","version":1.1,"metadata":{"version":"1.0"}}"#
                    .to_owned()
            )
        );
    }

    #[test]
    fn what_clients_refuse_is_not_published() {
        for (block, problem) in [
            ("description: d\n", "does not have the name"),
            ("name: PDF\ndescription: d\n", "does not have the name"),
            ("name: \" pdf\"\ndescription: d\n", "does not have the name"),
            ("name: pdf\ndescription: a: b\n", "other readers"),
            ("name: pdf\nname: pdf\ndescription: d\n", "other readers"),
            ("name: pdf\ndescription: &a d\n", "other readers"),
            ("name: pdf\ndescription: d\nx: .inf\n", "other readers"),
            ("name: pdf\n", "its description"),
            ("name: pdf\ndescription: 7\n", "its description"),
            (
                "name: pdf\ndescription: d\ncompatibility: \"\"\n",
                "its compatibility",
            ),
            (
                "name: pdf\ndescription: d\nmetadata:\n  version: 1.0\n",
                "its metadata",
            ),
            ("name: pdf\ndescription: d\nmetadata:\n", "its metadata"),
        ] {
            let found = of(block).unwrap_err();
            assert!(found.contains(problem), "{block:?}: {found}");
        }
        let long = format!("name: pdf\ndescription: {}\n", "é".repeat(1024));
        assert!(of(&long).is_ok());
        let longer = format!("name: pdf\ndescription: {}\n", "é".repeat(1025));
        assert!(of(&longer).unwrap_err().contains("its description"));
        let name = "---\nname: Pdf\ndescription: d\n---\n";
        let found = front_matter(name.as_bytes(), "Pdf", &Limits::default()).unwrap_err();
        assert!(
            found.problem.contains("not one of the specification"),
            "{found:?}"
        );
    }
}
