//! Which files of a skill something in it mentions: by path, by name, by the name of a module, or by
//! a directory that they are in.

use std::cmp::Ordering;

use super::is_expected;
use crate::order::sort_by;
use crate::validate::SkillFileContent;

/// A stem that is shorter stands in texts by chance.
const SHORTEST_STEM: usize = 3;

/// What a text may call a file by.
struct Handle {
    text: String,
    file: usize,
}

/// The files that mention what has a handle: a word counts for the files that it names at most twice, however
/// often it stands there and however many files it names.
#[derive(Clone, Copy)]
enum Mentioners {
    None,
    One(usize),
    Several,
}

/// The paths of the files that nothing mentions. A file does not count for itself.
pub(super) fn not_mentioned<'a>(
    skill_file: &str,
    files: &'a [SkillFileContent],
) -> impl Iterator<Item = &'a str> {
    let mut handles = Vec::new();
    let mut is_mentioned = Vec::with_capacity(files.len());
    for (index, (path, _)) in files.iter().enumerate() {
        let is_exempt = path == skill_file || is_expected(path);
        is_mentioned.push(is_exempt);
        if !is_exempt {
            push_handles(path, index, &mut handles);
        }
    }
    sort_by(&mut handles, |a, b| a.text.cmp(&b.text));
    // At the first handle of each text.
    let mut mentioned = vec![Mentioners::None; handles.len()];
    for (index, (_, content)) in files.iter().enumerate() {
        let text = text_of(content.as_deref().unwrap_or_default());
        let mut mention = |word: &str| {
            let first = handles.partition_point(|handle| handle.text.as_str() < word);
            let named = handles.get(first..).unwrap_or_default();
            if named.first().is_none_or(|handle| handle.text != word) {
                return;
            }
            let Some(mentioned) = mentioned.get_mut(first) else {
                return;
            };
            *mentioned = match mentioned {
                Mentioners::None => Mentioners::One(index),
                Mentioners::One(other) if *other != index => Mentioners::Several,
                _ => return,
            };
            for handle in named.iter().take_while(|handle| handle.text == word) {
                if handle.file != index
                    && let Some(is) = is_mentioned.get_mut(handle.file)
                {
                    *is = true;
                }
            }
        };
        words(text, &mut mention);
    }
    let unmentioned = is_mentioned.into_iter().zip(files);
    unmentioned.filter_map(|(is_mentioned, (path, _))| (!is_mentioned).then_some(path.as_str()))
}

/// The text that bytes begin with. The last character of a file that was cut is cut, too.
fn text_of(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_else(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        std::str::from_utf8(valid).unwrap_or_default()
    })
}

fn push_handles(path: &str, file: usize, handles: &mut Vec<Handle>) {
    let mut push = |text: String| handles.push(Handle { text, file });
    let mut segments = path.rsplit('/');
    // Of a name with blanks, what tells most.
    let name = segments.next().unwrap_or(path).split(|c| !is_in_word(c));
    let name = name.max_by(longer).unwrap_or_default();
    push(name.to_owned());
    if let Some((stem, _)) = name.rsplit_once('.')
        && stem.len() >= SHORTEST_STEM
    {
        push(stem.to_owned());
    }
    for directory in segments {
        push([directory, "/"].concat());
    }
}

fn longer(a: &&str, b: &&str) -> Ordering {
    a.len().cmp(&b.len())
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// The words of a text that may be names of files, parts of them, and directories with a `/`.
fn words(text: &str, take: &mut dyn FnMut(&str)) {
    let mut rest = text;
    while let Some(start) = rest.find(is_in_word) {
        let from = rest.get(start..).unwrap_or_default();
        let end = from.find(|c| !is_in_word(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        rest = after;
        let word = word.trim_matches(['.', '-']);
        take(word);
        // Modules are named without their ending: `scripts.forms`, `import forms`.
        if word.contains('.') {
            word.split('.').for_each(&mut *take);
        }
        if names_directory(after) {
            take(&[word, "/"].concat());
        }
    }
}

/// Whether what follows a word makes a directory of it, and names nothing in it.
fn names_directory(after: &str) -> bool {
    let after = after.trim_start_matches('`');
    match after.strip_prefix('/') {
        Some(inside) => !inside.starts_with(is_in_word),
        None => [" directory", " folder"]
            .iter()
            .any(|kind| after.starts_with(kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unmentioned(body: &str, files: &[(&str, &str)]) -> Vec<String> {
        let content = |text: &str| Some(text.as_bytes().to_vec());
        let mut all = vec![("SKILL.md".to_owned(), content(body))];
        all.extend(
            files
                .iter()
                .map(|(path, text)| ((*path).to_owned(), content(text))),
        );
        not_mentioned("SKILL.md", &all).map(str::to_owned).collect()
    }

    #[test]
    fn a_file_is_mentioned_by_what_people_call_it() {
        for body in [
            "See [the guide](references/guide.md).",
            "See guide.md.",
            "Read `references/guide.md`",
            "Everything in references/ counts.",
            "Look into the `references` directory.",
            "All of `references/*.md`",
            "As the guide says.",
        ] {
            assert_eq!(
                unmentioned(body, &[("references/guide.md", "")]),
                [""; 0],
                "{body}"
            );
        }
        for body in [
            "",
            "See references/guides.md.",
            "By these references, guided.",
            "a/references/b",
        ] {
            let found = unmentioned(body, &[("references/guide.md", "")]);
            assert_eq!(found, ["references/guide.md"], "{body}");
        }
    }

    #[test]
    fn files_of_one_name_are_all_mentioned_by_it_but_each_not_by_itself() {
        let files = [("a/f.md", ""), ("b/f.md", "f.md"), ("c/f.md", "")];
        assert_eq!(unmentioned("f.md f.md", &files), [""; 0]);
        assert_eq!(unmentioned("", &files), ["b/f.md"]);
        let two = [("a/f.md", "f.md f.md"), ("b/f.md", "f.md")];
        assert_eq!(unmentioned("", &two), [""; 0]);
    }

    #[test]
    fn a_word_that_names_many_files_is_looked_at_twice_however_often_it_stands_there() {
        // Each with each would be some minutes.
        let names: Vec<String> = (0..40_000)
            .map(|number| format!("d{number}/f.md"))
            .collect();
        let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
        assert_eq!(unmentioned(&"f.md ".repeat(40_000), &files), [""; 0]);
    }

    #[test]
    fn files_mention_each_other_but_not_themselves() {
        let files = [
            ("a.md", "Read b.md."),
            ("b.md", "This is b.md."),
            ("scripts/run.py", "from scripts.util import x"),
            ("scripts/util.py", ""),
            ("my notes.txt", ""),
            ("LICENSE.txt", ""),
            ("mcp.json", ""),
        ];
        assert_eq!(
            unmentioned("Read a.md, run `run.py`.", &files),
            ["my notes.txt"]
        );
        assert_eq!(unmentioned("", &[("b.md", "This is b.md.")]), ["b.md"]);
    }
}
