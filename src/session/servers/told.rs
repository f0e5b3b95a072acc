//! What the result of a load tells the model of a skill's servers.

use crate::diagnostic::{Diagnostic, Severity};

/// Tools and problems that a result names.
const TOOLS_NAMED: usize = 50;
const PROBLEMS_NAMED: usize = 5;

/// A finding as a sentence for the model, where something is missing.
pub(super) fn problem_of(finding: &Diagnostic) -> Option<String> {
    let hint = finding.hint.as_deref().unwrap_or_default();
    let parts = [
        "Of this skill's mcp.json: ",
        &finding.message,
        "; ",
        hint,
        ".",
    ];
    (finding.severity != Severity::Info).then(|| parts.concat())
}

/// Adds which tools came with a skill, and what is missing.
pub(in crate::session) fn push_served(content: &mut String, names: &[String], problems: &[String]) {
    if !names.is_empty() {
        let named = names.get(..TOOLS_NAMED).unwrap_or(names);
        content.push_str("\n\nTools that came with this skill: `");
        content.push_str(&named.join("`, `"));
        content.push('`');
        let more = names.len() - named.len();
        if more > 0 {
            content.push_str(&format!(" and {more} more"));
        }
        content.push('.');
    }
    for problem in problems.iter().take(PROBLEMS_NAMED) {
        content.push_str("\n\n");
        content.push_str(problem);
    }
    let more = problems.len().saturating_sub(PROBLEMS_NAMED);
    if more > 0 {
        content.push_str(&format!("\n\nAnd {more} more problems with its servers."));
    }
}
