//! What is listed in a prompt: tools, agents and participants, each on lines of its own.
//!
//! What they say of themselves becomes one line, as in the index: it can neither add an entry nor
//! leave its section.

use crate::options::Fields;
use crate::order::sort_by;
use crate::places::Names;
use crate::text::{before_colon, one_line, quoted};
use crate::value::Value;

/// An entry of a list, and what it is called by.
type Entry = (String, String);

/// The list of the tools, by name. No two have the same.
pub(super) fn tools(fields: &Fields<'_>) -> String {
    let mut entries = Vec::new();
    let mut names = Names::default();
    fields.each("tools", &mut |tool| {
        let name = identifier(tool, "name", &mut names);
        let mut entry = String::new();
        let shown = before_colon(&name);
        push_item(&mut entry, "- ", &shown, &text(tool, "description"));
        entries.push((name, entry));
    });
    sorted(entries)
}

/// The list of the agents, by id. No two have the same.
pub(super) fn agents(fields: &Fields<'_>) -> String {
    let mut entries = Vec::new();
    let mut ids = Names::default();
    fields.each("agents", &mut |agent| {
        let id = identifier(agent, "id", &mut ids);
        let entry = agent_entry(agent, &id);
        entries.push((id, entry));
    });
    sorted(entries)
}

/// An agent and, below it, what its card says it can do. A text for a card is its description.
fn agent_entry(agent: &Fields<'_>, id: &str) -> String {
    let mut entry = String::new();
    let shown = before_colon(id);
    if let Some(Value::String(description)) = agent.get("card") {
        push_item(&mut entry, "- ", &shown, description);
        return entry;
    }
    let card = agent.object("card", "card.");
    let name = text(&card, "name");
    let name = one_line(&name);
    let shown = if name.is_empty() || name == id {
        shown
    } else {
        [&*shown, " (", &name, ")"].concat().into()
    };
    push_item(&mut entry, "- ", &shown, &text(&card, "description"));
    card.each("skills", &mut |skill| {
        let name = text(skill, "name");
        let description = text(skill, "description");
        push_item(&mut entry, "  - ", &one_line(&name), &description);
    });
    entry
}

/// The list of the participants, in their order. Their names are quoted: a name that looks like a
/// role is not one.
pub(super) fn participants(fields: &Fields<'_>) -> String {
    let mut out = String::new();
    fields.each("participants", &mut |participant| {
        let name = visible(participant, "name");
        let name = one_line(&name).replace('"', "'");
        let role = visible(participant, "role");
        push_item(&mut out, "- ", &["\"", &name, "\""].concat(), &role);
    });
    out
}

fn text(fields: &Fields<'_>, key: &'static str) -> String {
    fields.text(key).unwrap_or_default()
}

/// A text of which something can be seen.
fn visible(fields: &Fields<'_>, key: &'static str) -> String {
    let text = text(fields, key);
    if one_line(&text).is_empty() {
        fields.refuse(key, "is missing");
    }
    text
}

/// A text that has to be repeated exactly, and that means only this one.
pub(super) fn identifier(fields: &Fields<'_>, key: &'static str, others: &mut Names) -> String {
    let text = visible(fields, key);
    let problem = if !others.add(text.clone()) {
        " is there twice"
    } else if one_line(&text) != text {
        " has line breaks, needless blanks or hidden characters, which nobody can repeat"
    } else {
        return text;
    };
    fields.refuse(key, &[&quoted(&text), problem].concat());
    text
}

/// Entries in the order of what they are called by.
fn sorted(mut entries: Vec<Entry>) -> String {
    sort_by(&mut entries, Ord::cmp);
    let mut out = String::new();
    for (_, entry) in &entries {
        push_line(&mut out, entry);
    }
    out
}

/// `- name: text`, on one line; nothing where there is neither.
fn push_item(out: &mut String, bullet: &str, name: &str, text: &str) {
    let text = one_line(text);
    if name.is_empty() && text.is_empty() {
        return;
    }
    let is_both = !name.is_empty() && !text.is_empty();
    let separator = if is_both { ": " } else { "" };
    push_line(out, &[bullet, name, separator, &text].concat());
}

fn push_line(out: &mut String, line: &str) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(line);
}
