//! What is looked at of a body: its headings and its beginning.

use crate::markdown_line::{Fence, NEAR, columns, heading, indented};

/// Bytes of the beginning of a body.
const BEGINNING: usize = 2048;

/// Gives each heading of a body, and each other line of its beginning; whether it is a heading.
pub(super) fn each_line(body: &str, give: &mut dyn FnMut(&str, bool)) {
    let mut left = BEGINNING;
    let mut open: Option<Fence> = None;
    for line in body.lines() {
        let (indent, text) = indented(line);
        // What is indented more is code, or goes on with the text above it.
        let is_near = columns(indent) <= NEAR;
        let opened = Fence::opened_by(text).filter(|_| is_near && open.is_none());
        let closes = |fence: &Fence| is_near && fence.is_closed_by(text);
        if opened.is_some() || open.as_ref().is_some_and(closes) {
            open = opened;
            continue;
        }
        if is_near && open.is_none() && heading(text).is_some() {
            give(text, true);
        } else if left > 0 {
            give(text, false);
            left = left.saturating_sub(text.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_fence_or_indented_as_code_is_no_heading() {
        let body = "# One\n````\n# a\n```\n# b\n~~~\n# c\n`````\n## Two\n    # d\n  ~~~ sh\n# e\n```\n ~~~\n### Three\n#no";
        let mut headings = Vec::new();
        let mut others = Vec::new();
        each_line(body, &mut |line, is_heading| {
            if is_heading {
                headings.push(line.to_owned());
            } else {
                others.push(line.to_owned());
            }
        });
        assert_eq!(headings, ["# One", "## Two", "### Three"]);
        assert_eq!(
            others,
            [
                "# a", "```", "# b", "~~~", "# c", "# d", "# e", "```", "#no"
            ]
        );
    }
}
