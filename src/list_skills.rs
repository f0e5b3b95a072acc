//! `list_skills`: names and descriptions in pages, for when the index does not show them all.

use crate::call::ToolResult;
use crate::error::Error;
use crate::order::sort_by;
use crate::snapshot::Entry;
use crate::text::{lowercase, one_line, quoted};
use crate::tool::ToolName;
use crate::tool_call::ListSkills;
use crate::tools::Tools;

/// Skills on a page, where the call does not say.
const PAGE: usize = 50;
/// Skills on a page at most.
const LARGEST_PAGE: usize = 200;

/// A skill as it is listed.
struct Line<'a> {
    /// With its version, where another one has the name.
    name: String,
    entry: &'a Entry,
}

/// Answers a call. `entries` may be loaded by their names, `versions` by name and version. Their
/// descriptions fill a page at `most_bytes`.
pub(crate) fn answer<'a>(
    entries: impl Iterator<Item = &'a Entry>,
    versions: impl Iterator<Item = &'a Entry>,
    call: &ListSkills,
    most_bytes: usize,
    tools: &Tools,
) -> Result<ToolResult, Error> {
    let mut lines: Vec<Line<'_>> = entries
        .map(|entry| Line {
            name: one_line(&entry.skill.name).into_owned(),
            entry,
        })
        .collect();
    lines.extend(versions.map(|entry| Line {
        name: one_line(&entry.skill.key().address()).into_owned(),
        entry,
    }));
    sort_by(&mut lines, |a, b| a.name.cmp(&b.name));
    let all = lines.len();
    let words = words(call.filter.as_deref());
    lines.retain(|line| is_meant(line, &words, call.group.as_deref()));
    let offset = call.offset.map_or(0, |offset| at_most(offset, usize::MAX));
    let limit = call
        .limit
        .map_or(PAGE, |limit| at_most(limit, LARGEST_PAGE));
    if lines.is_empty() {
        return Ok(none_found(call, all));
    }
    let total = lines.len();
    if offset >= total {
        return Err(past_the_end(offset, total, tools));
    }
    let mut page = Vec::new();
    let mut size = 0;
    for line in lines.iter().skip(offset).take(limit) {
        size += line.entry.skill.description.len();
        // One is there in any case, so that the next page is another.
        if size > most_bytes && !page.is_empty() {
            break;
        }
        page.push(line);
    }
    Ok(page_result(&page, offset, total, call, tools))
}

fn at_most(number: u64, most: usize) -> usize {
    usize::try_from(number).unwrap_or(most).min(most)
}

fn words(filter: Option<&str>) -> Vec<String> {
    let words = filter.unwrap_or_default().split_whitespace();
    words.map(lowercase).collect()
}

fn is_meant(line: &Line<'_>, words: &[String], group: Option<&str>) -> bool {
    let is_in_group = group.is_none_or(|group| is_in(line.entry.record.group(), group));
    if !is_in_group || words.is_empty() {
        return is_in_group;
    }
    let text = [&line.name, "\n", &line.entry.skill.description].concat();
    let text = lowercase(&text);
    words.iter().all(|word| text.contains(word.as_str()))
}

/// Whether a group is `wanted`, or below it.
fn is_in(group: &str, wanted: &str) -> bool {
    let wanted = wanted.trim().trim_matches('/');
    group
        .strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || wanted.is_empty())
}

fn past_the_end(offset: usize, total: usize, tools: &Tools) -> Error {
    let rename = tools.rename();
    Error::ToolArgumentsInvalid {
        tool: rename.shown_name(ToolName::ListSkills).to_owned(),
        problem: format!(
            "{} {offset} is past the end: there are {total}",
            tools
                .rename()
                .shown_argument(ToolName::ListSkills, "offset")
        ),
    }
}

fn none_found(call: &ListSkills, all: usize) -> ToolResult {
    let mut content = String::from("There is no skill");
    push_condition(&mut content, call, "matches");
    if all > 0 {
        content.push_str(&format!(", of {all} in all"));
    }
    content.push('.');
    ToolResult {
        content,
        ..ToolResult::default()
    }
}

fn push_condition(content: &mut String, call: &ListSkills, matches: &str) {
    if let Some(filter) = &call.filter {
        content.push_str(&format!(" that {matches} {}", quoted(filter)));
    }
    if let Some(group) = &call.group {
        content.push_str(" in the group ");
        content.push_str(&quoted(group));
    }
}

fn page_result(
    page: &[&Line<'_>],
    offset: usize,
    total: usize,
    call: &ListSkills,
    tools: &Tools,
) -> ToolResult {
    let end = offset + page.len();
    let mut content = format!("Skills {} to {end} of {total}", offset + 1);
    push_condition(&mut content, call, "match");
    content.push_str(":\n");
    for line in page {
        content.push_str("\n- ");
        content.push_str(&line.name);
        content.push_str(": ");
        content.push_str(&one_line(&line.entry.skill.description));
    }
    if end == total {
        return ToolResult {
            content,
            ..ToolResult::default()
        };
    }
    let offset = tools
        .rename()
        .shown_argument(ToolName::ListSkills, "offset");
    content.push_str(&format!("\n\n[To go on, list with {offset} {end}.]"));
    ToolResult {
        content,
        next_offset: Some(end as u64),
        ..ToolResult::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_holds_what_is_below_it() {
        for (group, wanted, expected) in [
            ("docs", "docs", true),
            ("docs/pdf", "docs", true),
            ("docs/pdf", "docs/", true),
            ("docs-old", "docs", false),
            ("docs", "docs/pdf", false),
            ("docs", "", true),
        ] {
            assert_eq!(is_in(group, wanted), expected, "{group} {wanted}");
        }
    }
}
