//! A skill that is fetched: what it is made of, and which paths its files may have.

use crate::discovery::SKILL_FILE;
use crate::json::{Object, ToJson};
use crate::places::Names;
use crate::text::{counted, quoted};

/// A path in a list of files is no longer.
const LONGEST_PATH: usize = 1024;

/// A skill that an index or a developer lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedSkill {
    /// The name of its directory.
    pub name: String,
    /// What it is made of.
    pub content: PlannedContent,
}

/// What a skill is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedContent {
    /// Its skill file alone.
    SkillFile {
        /// Relative to the URL of the index.
        url: String,
        /// `sha256:` and hexadecimal digits, of the bytes that are served.
        digest: String,
    },
    /// An archive with all its files.
    Archive {
        /// Relative to the URL of the index.
        url: String,
        /// `sha256:` and hexadecimal digits, of the bytes that are served.
        digest: String,
    },
    /// Files below its directory.
    Files(Vec<String>),
}

impl ToJson for PlannedSkill {
    fn write_json(&self, out: &mut String) {
        let mut object = Object::begin(out);
        object.field("name", &self.name);
        match &self.content {
            PlannedContent::SkillFile { url, digest } => {
                object.field("skillFile", url).field("digest", digest);
            }
            PlannedContent::Archive { url, digest } => {
                object.field("archive", url).field("digest", digest);
            }
            PlannedContent::Files(files) => {
                object.field("files", files);
            }
        }
        object.end();
    }
}

/// What is wrong with the paths of a skill's files, in words that follow the skill's name.
pub(crate) fn files_problem(paths: &[String], most: u32) -> Option<String> {
    if paths.len() > most as usize {
        let files = counted(paths.len(), "file");
        return Some(format!("has {files}; limits.files allows {most}"));
    }
    let mut seen = Names::default();
    for path in paths {
        if let Some(problem) = path_problem(path) {
            return Some(["has a file ", &quoted(path), " that ", problem].concat());
        }
        if !seen.add(path.clone()) {
            return Some(["has the file ", &quoted(path), " twice"].concat());
        }
    }
    for path in paths {
        for (end, _) in path.match_indices('/') {
            if seen.has(path.get(..end).unwrap_or_default()) {
                return Some(["has a file above the file ", &quoted(path)].concat());
            }
        }
    }
    if !seen.has(SKILL_FILE) {
        return Some("has no file \"SKILL.md\"".to_owned());
    }
    None
}

/// What is wrong with the path of a file, relative to its skill.
pub(crate) fn path_problem(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("is empty");
    }
    if path.len() > LONGEST_PATH {
        return Some("is longer than 1,024 bytes");
    }
    let is_refused = |byte: u8| !matches!(byte, b' '..=b'~') || b"\\?#[]".contains(&byte);
    if path.bytes().any(is_refused) {
        return Some("has other characters than printable ASCII without \\ ? # [ ]");
    }
    if path.starts_with('/') {
        return Some("is absolute");
    }
    if path
        .split('/')
        .any(|segment| matches!(segment, "" | "." | ".."))
    {
        return Some("has a name that is empty, \".\" or \"..\"");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_format() {
        for path in [
            "SKILL.md",
            "a/b/c.md",
            "a b",
            "..a",
            "a..",
            "%2e%2e",
            "~!$&'()*+,;=:@",
        ] {
            assert_eq!(path_problem(path), None, "{path}");
        }
        let names = Some("has a name that is empty, \".\" or \"..\"");
        let characters = Some("has other characters than printable ASCII without \\ ? # [ ]");
        for (path, problem) in [
            ("", Some("is empty")),
            ("/etc", Some("is absolute")),
            ("..", names),
            ("a/../b", names),
            ("./a", names),
            ("a//b", names),
            ("a/", names),
            ("a\\b", characters),
            ("a?b", characters),
            ("a#b", characters),
            ("a[b", characters),
            ("a]b", characters),
            ("\u{e9}", characters),
            ("a\nb", characters),
            ("a\u{7f}", characters),
        ] {
            assert_eq!(path_problem(path), problem, "{path}");
        }
        assert_eq!(
            path_problem(&"a".repeat(1025)),
            Some("is longer than 1,024 bytes")
        );
    }
}
