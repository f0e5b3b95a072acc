//! `search_skills`: the skills that fit a task best, for when they are too many to be listed.

use crate::call::{Audience, ToolResult};
use crate::catalog::Catalog;
use crate::list_skills::push_line;
use crate::operation::Io;
use crate::search::{Bodies, Found};
use crate::text::quoted;
use crate::tool::ToolName;
use crate::tool_call::SearchSkills;
use crate::tools::Tools;

/// Skills that are found, where the call does not say.
const USUAL: usize = 10;
/// Skills that are found at most.
const MOST: usize = 50;

/// Answers a call. Where they cost little to read, bodies are looked at too; none of their text is in the
/// answer.
pub(crate) async fn answer(
    io: &Io,
    catalog: &Catalog,
    call: &SearchSkills,
    tools: &Tools,
) -> ToolResult {
    let limit = call.limit.map_or(USUAL, |limit| {
        usize::try_from(limit).unwrap_or(MOST).min(MOST)
    });
    let found = catalog
        .found(io, &call.query, Bodies::Cheap, limit, Audience::Model)
        .await;
    let all = catalog.offered(&catalog.snapshot()).count();
    let content = if found.is_empty() {
        none_found(&call.query, all, tools)
    } else {
        let most_bytes = catalog.options().limits.page as usize;
        listed(&found, &call.query, all, most_bytes)
    };
    ToolResult {
        content,
        ..ToolResult::default()
    }
}

fn listed(found: &[Found], query: &str, all: usize, most_bytes: usize) -> String {
    let mut lines = String::new();
    let mut count = 0;
    for Found { entry, .. } in found {
        let before = lines.len();
        push_line(&mut lines, &entry.skill.name, &entry.skill.description);
        // One is there in any case.
        if lines.len() > most_bytes && count > 0 {
            lines.truncate(before);
            break;
        }
        count += 1;
    }
    let query = quoted(query);
    format!("{count} of {all} skills, those that fit {query} best first:\n{lines}")
}

fn none_found(query: &str, all: usize, tools: &Tools) -> String {
    let query = quoted(query);
    let mut content = format!("There is no skill that fits {query}, of {all} in all.");
    if all > 0 {
        content.push_str(" Try other words for the task");
        if let Some(list) = tools.offered_name(ToolName::ListSkills) {
            content.push_str(", or list them with ");
            content.push_str(list);
        }
        content.push('.');
    }
    content
}
