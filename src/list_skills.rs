//! `list_skills`: names and descriptions in pages, for when the index does not show them all.

mod groups;

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
    let words = words(call.filter.as_deref());
    let found: Vec<&Line<'_>> = lines
        .iter()
        .filter(|line| is_meant(line, &words, call.group.as_deref()))
        .collect();
    let offset = call.offset.map_or(0, |offset| at_most(offset, usize::MAX));
    let limit = call
        .limit
        .map_or(PAGE, |limit| at_most(limit, LARGEST_PAGE));
    if found.is_empty() {
        return Ok(none_found(call, &lines, tools));
    }
    let total = found.len();
    if offset >= total {
        return Err(past_the_end(offset, total, tools));
    }
    let mut page = Vec::new();
    let mut size = 0;
    for &line in found.iter().skip(offset).take(limit) {
        size += line.entry.skill.description.len();
        // One is there in any case, so that the next page is another.
        if size > most_bytes && !page.is_empty() {
            break;
        }
        page.push(line);
    }
    Ok(page_result(&page, &found, offset, call, tools))
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

fn none_found(call: &ListSkills, all: &[Line<'_>], tools: &Tools) -> ToolResult {
    let mut content = String::from("There is no skill");
    push_condition(&mut content, call, "matches");
    if !all.is_empty() {
        content.push_str(&format!(", of {} in all", all.len()));
    }
    content.push('.');
    if call.group.is_some() {
        let all: Vec<&Line<'_>> = all.iter().collect();
        push_groups(&mut content, &all, tools);
    }
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

/// Adds the groups that `lines` are in, where one of them is fewer.
fn push_groups(content: &mut String, lines: &[&Line<'_>], tools: &Tools) {
    let of_lines: Vec<&str> = lines.iter().map(|line| line.entry.record.group()).collect();
    let groups = groups::named(&of_lines);
    if groups.is_empty() {
        return;
    }
    let group = tools.rename().shown_argument(ToolName::ListSkills, "group");
    for part in ["\n\n[Groups, to list with ", group, ": ", &groups, ".]"] {
        content.push_str(part);
    }
}

/// A page of what was `found`.
fn page_result(
    page: &[&Line<'_>],
    found: &[&Line<'_>],
    offset: usize,
    call: &ListSkills,
    tools: &Tools,
) -> ToolResult {
    let total = found.len();
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
    // Who goes on has seen them.
    if offset == 0 {
        push_groups(&mut content, found, tools);
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
