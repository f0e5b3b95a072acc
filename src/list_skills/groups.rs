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
pub(super) fn named<'a>(of_skills: impl Iterator<Item = &'a str>) -> String {
    let mut groups: Vec<Group> = Vec::new();
    let mut places = Places::default();
    let mut skills = 0;
    for group in of_skills {
        skills += 1;
        for name in with_above(group) {
            count(&mut groups, &mut places, name);
        }
    }
    let narrows = |group: &&Group| {
        let above = group.name.rsplit_once('/').and_then(|(above, _)| {
            let above = groups.get(places.get(above)?)?;
            Some(above.count)
        });
        // What a model cannot repeat is no use to it.
        group.count < above.unwrap_or(skills) && shortened(&group.name) == group.name
    };
    let mut narrowing: Vec<&Group> = groups.iter().filter(narrows).collect();
    sort_by(&mut narrowing, |a, b| {
        b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name))
    });
    let mut out = String::new();
    for group in narrowing.iter().take(NAMED) {
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(&quoted(&group.name));
        out.push_str(&format!(" ({})", group.count));
    }
    let others = narrowing.len().saturating_sub(NAMED);
    if others > 0 {
        out.push_str(&format!(", and {others} more"));
    }
    out
}

/// A group, the one it is in, and so on.
fn with_above(group: &str) -> impl Iterator<Item = &str> {
    let first = Some(group).filter(|group| !group.is_empty());
    std::iter::successors(first, |group| Some(group.rsplit_once('/')?.0))
}

fn count(groups: &mut Vec<Group>, places: &mut Places, name: &str) {
    if let Some(group) = places.get(name).and_then(|place| groups.get_mut(place)) {
        group.count += 1;
        return;
    }
    places.add(name.to_owned(), groups.len());
    groups.push(Group {
        name: name.to_owned(),
        count: 1,
    });
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
            assert_eq!(named(of_skills.iter().copied()), expected, "{of_skills:?}");
        }
    }

    #[test]
    fn only_so_many_are_named() {
        let of_skills: Vec<String> = (10..40).map(|number| format!("g{number}")).collect();
        let named = named(of_skills.iter().map(String::as_str));
        assert!(named.starts_with("\"g10\" (1), \"g11\" (1), "), "{named}");
        assert!(named.ends_with("\"g29\" (1), and 10 more"), "{named}");
    }
}
