//! The groups that skills are in, as a list of skills names them: so that a model can ask for one.

use crate::order::sort_by;
use crate::places::Places;
use crate::text::{quoted, shortened};

/// Groups that are named at most.
const NAMED: usize = 20;

/// A group, and how many skills are in it or below it.
struct Group {
    name: String,
    count: usize,
}

/// `"office" (12), "office/word" (3)`: those that hold some of the skills and not all, the largest
/// first. `of_skills` are the groups of the skills, one each. Empty where there is no such group.
pub(super) fn named(of_skills: &[&str]) -> String {
    let mut groups: Vec<Group> = Vec::new();
    let mut places = Places::default();
    for group in of_skills {
        let mut name = *group;
        while !name.is_empty() {
            count(&mut groups, &mut places, name);
            name = above(name);
        }
    }
    let mut narrowing: Vec<&Group> = Vec::new();
    for group in &groups {
        let place = places.get(above(&group.name));
        let around = place.and_then(|place| groups.get(place));
        let all = around.map_or(of_skills.len(), |around| around.count);
        // What a model cannot repeat is no use to it.
        if group.count < all && shortened(&group.name) == group.name {
            narrowing.push(group);
        }
    }
    sort_by(&mut narrowing, |a, b| {
        b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name))
    });
    let mut out = String::new();
    for group in narrowing.iter().take(NAMED) {
        let separator = if out.is_empty() { "" } else { ", " };
        let count = group.count.to_string();
        for part in [separator, &quoted(&group.name), " (", &count, ")"] {
            out.push_str(part);
        }
    }
    let others = narrowing.len().saturating_sub(NAMED);
    if others > 0 {
        for part in [", and ", &others.to_string(), " more"] {
            out.push_str(part);
        }
    }
    out
}

/// The group that a group is in; empty where it is in none.
fn above(group: &str) -> &str {
    group.rsplit_once('/').map_or("", |(above, _)| above)
}

fn count(groups: &mut Vec<Group>, places: &mut Places, name: &str) {
    if places.add(name.to_owned(), groups.len()) {
        groups.push(Group {
            name: name.to_owned(),
            count: 1,
        });
    } else if let Some(group) = places.get(name).and_then(|place| groups.get_mut(place)) {
        group.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_narrow_are_named_with_what_is_below_them() {
        for (of_skills, expected) in [
            (vec![], ""),
            (vec!["", ""], ""),
            (vec!["a", "a", "a/b"], "\"a/b\" (1)"),
            (vec!["a", "a"], ""),
            (vec!["", "a"], "\"a\" (1)"),
            (
                vec!["", "a", "a/b", "c", "a/b"],
                "\"a\" (3), \"a/b\" (2), \"c\" (1)",
            ),
            (vec!["", "a/b/c", "a/b/c"], "\"a\" (2)"),
            (vec!["", "a\nb", "x\" (9), \"y"], "\"x\\\" (9), \\\"y\" (1)"),
        ] {
            assert_eq!(named(&of_skills), expected, "{of_skills:?}");
        }
    }

    #[test]
    fn only_so_many_are_named() {
        let of_skills: Vec<String> = (10..40).map(|number| format!("g{number}")).collect();
        let of_skills: Vec<&str> = of_skills.iter().map(String::as_str).collect();
        let named = named(&of_skills);
        assert!(named.starts_with("\"g10\" (1), \"g11\" (1), "), "{named}");
        assert!(named.ends_with("\"g29\" (1), and 10 more"), "{named}");
    }
}
