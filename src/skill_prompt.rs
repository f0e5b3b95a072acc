//! Skills as prompts over MCP: what a user may invoke by name, with a text that follows the name.

use crate::call::unknown_skill;
use crate::catalog::Catalog;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::operation::{Io, Operation};
use crate::session::{Outcome, Session};
use crate::skill_resource::Page;
use crate::slash_command::{ExpandOptions, Invoked};
use crate::snapshot::Entry;
use crate::text::one_line;
use crate::tool_options::ToolOptions;

/// The one argument of each prompt.
const ARGUMENTS: &str = "arguments";

/// A skill that a user may invoke, as JSON text.
fn line(entry: &Entry) -> String {
    let skill = &entry.skill;
    let hint = skill.written.get("argument-hint");
    let hint = hint.and_then(|hint| hint.as_str()).unwrap_or_default();
    let hint = one_line(hint);
    let mut hint = &*hint;
    if hint.is_empty() {
        hint = "Text that follows the instructions of the skill";
    }
    let mut line = String::new();
    Object::begin(&mut line)
        .field("name", &skill.name)
        .field("description", &&*one_line(&skill.description))
        .field("arguments", &Arguments(hint))
        .end();
    line
}

/// The list of the one argument, by what is said of it.
struct Arguments<'a>(&'a str);

impl ToJson for Arguments<'_> {
    fn write_json(&self, out: &mut String) {
        out.push('[');
        Object::begin(out)
            .field("name", &ARGUMENTS)
            .field("description", &self.0)
            .field("required", &false)
            .end();
        out.push(']');
    }
}

impl Catalog {
    /// A page of the skills that a user may invoke. Nothing is read.
    ///
    /// # Errors
    ///
    /// The cursor is none that came with a page.
    pub fn skill_prompts(&self, cursor: Option<&str>) -> Result<Page, Error> {
        let snapshot = self.snapshot();
        let offered: Vec<&Entry> = self.for_user(&snapshot).collect();
        Page::of_lines("prompts", &offered, cursor, line)
    }

    async fn prompt_named(&self, io: &Io, name: &str, extra: &str) -> Result<Invoked, Error> {
        let snapshot = self.snapshot();
        let entry = snapshot.named(name);
        let invoked = match entry.filter(|entry| self.offers_to_user(entry)) {
            Some(entry) => Invoked::of(io, self, entry, extra.trim()).await,
            None => None,
        };
        invoked.ok_or_else(|| {
            let offered = self.for_user(&snapshot);
            unknown_skill(name, offered.filter(|entry| entry.skill.name != name))
        })
    }

    /// What the skill of exactly this name stands for, with a text that follows it, as one text: for
    /// one who has no conversation, and reads its files with these tools.
    pub fn skill_prompt(
        &self,
        name: String,
        extra: String,
        options: ExpandOptions,
        tools: ToolOptions,
    ) -> Operation<Result<String, Error>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let invoked = catalog.prompt_named(&io, &name, &extra).await?;
            let expanded = catalog.expand_skill(&io, invoked, &options, tools).await?;
            Ok(expanded.prompt())
        })
    }
}

impl Session {
    /// The same in a conversation: as a line of a user, `/name text`, by which the skill is loaded.
    pub fn skill_prompt(
        &self,
        name: String,
        extra: String,
        options: ExpandOptions,
    ) -> Operation<Outcome<Result<String, Error>>> {
        let session = self.clone();
        self.changing(async move |io, change| {
            let invoked = session.catalog().prompt_named(io, &name, &extra).await?;
            let expanded = session.expand_skill(io, invoked, &options, change).await?;
            Ok(expanded.prompt())
        })
    }
}
