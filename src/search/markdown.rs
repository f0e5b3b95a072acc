//! What is looked at of a body: its headings and its beginning.

/// Bytes of the beginning of a body.
const BEGINNING: usize = 2048;

/// Gives each heading of a body, and each other line of its beginning; whether it is a heading.
pub(super) fn each_line(body: &str, give: &mut dyn FnMut(&str, bool)) {
    let mut left = BEGINNING;
    let mut in_code = false;
    for line in body.lines() {
        let text = line.trim_start();
        if text.starts_with("```") || text.starts_with("~~~") {
            in_code = !in_code;
            continue;
        }
        let is_heading = !in_code && is_heading(text);
        if is_heading {
            give(text, true);
        } else if left > 0 {
            give(text, false);
            left = left.saturating_sub(text.len());
        }
    }
}

fn is_heading(line: &str) -> bool {
    let after = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - after.len())) && after.starts_with([' ', '\t'])
}
