//! Paths that a model sends, and the jail they must stay in.
//!
//! The jail is the skill's own directory: not the source, and not a directory whose name begins
//! the same. A path is judged twice: its text, alike on every platform, here; and where it really
//! leads, once it is open ([`is_inside`]).

use crate::hidden;
use crate::host::HostId;

/// The segments of a path that stays in the skill's directory: none is empty, `.` or `..`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RelativePath {
    text: String,
}

impl RelativePath {
    /// Judges the text of a path. The error is the reason, in words.
    pub(crate) fn parse(path: &str) -> Result<Self, &'static str> {
        if path.is_empty() {
            return Err("it is empty");
        }
        if path.chars().any(hidden::is_control) {
            return Err("it has a control character");
        }
        let is_separator = |c: char| matches!(c, '/' | '\\');
        if path.starts_with(is_separator) {
            return Err("it is absolute");
        }
        if path.contains(':') {
            return Err("a colon names a drive or a stream");
        }
        if path.ends_with(is_separator) {
            return Err("it ends in a separator, so it names a directory");
        }
        let mut segments: Vec<&str> = Vec::new();
        for segment in path.split(is_separator) {
            match segment {
                "" | "." => {}
                ".." => {
                    segments.pop().ok_or("it leaves the skill's directory")?;
                }
                name if is_device(name) => return Err("it names a device"),
                name if name.chars().all(|c| matches!(c, '.' | ' ')) => {
                    return Err("a name in it has only dots and blanks");
                }
                name => segments.push(name),
            }
        }
        if segments.is_empty() {
            return Err("it names the skill's directory itself");
        }
        Ok(Self {
            text: segments.join("/"),
        })
    }

    /// With `/` between its segments.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Its segments, at least one.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &str> {
        self.text.split('/')
    }
}

/// Names that Windows gives to devices in every directory, with any ending
/// (<https://learn.microsoft.com/windows/win32/fileio/naming-a-file>).
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches(' ');
    let is = |device: &str| stem.eq_ignore_ascii_case(device);
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"]
        .into_iter()
        .any(is)
    {
        return true;
    }
    let Some((port, number)) = stem.split_at_checked(3) else {
        return false;
    };
    (port.eq_ignore_ascii_case("COM") || port.eq_ignore_ascii_case("LPT"))
        && matches!(
            number,
            "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³"
        )
}

/// Joins two host paths.
pub(crate) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() {
        return name.to_owned();
    }
    let mut path = String::with_capacity(directory.len() + 1 + name.len());
    path.push_str(directory);
    if !directory.ends_with('/') {
        path.push('/');
    }
    path.push_str(name);
    path
}

/// A path together with the host it is on: no two files have the same.
pub(crate) fn on_host(host: HostId, path: &str) -> String {
    [&host.to_string(), "\0", path].concat()
}

/// The last segment of a host path, in either notation; `None` for a root.
pub(crate) fn base_name(path: &str) -> Option<&str> {
    let path = path.trim_end_matches(['/', '\\']);
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    (!matches!(name, "" | "." | "..") && !name.ends_with(':')).then_some(name)
}

/// Whether `path` lies below `directory`; both are real paths of one host, in its own notation.
pub(crate) fn is_inside(path: &str, directory: &str) -> bool {
    relative_to(path, directory).is_some()
}

/// `path` from `directory` on, with `/` or `\` as the host has it.
pub(crate) fn relative_to<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    let separator = separator_of(directory);
    let directory = directory.trim_end_matches(separator);
    let rest = path.strip_prefix(directory)?.strip_prefix(separator)?;
    (!rest.is_empty()).then_some(rest)
}

/// What separates names in a real path. A backslash does only where no `/` does: elsewhere it is
/// part of a name.
fn separator_of(real: &str) -> char {
    if real.contains('\\') && !real.contains('/') {
        '\\'
    } else {
        '/'
    }
}

/// What of a host path lies below `directory`, a host path too: nothing where it is the directory
/// itself.
pub(crate) fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    if directory.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(directory)?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix('/')
}

/// Joins a real path, in whichever notation the host has, and a relative one with `/`.
pub(crate) fn join_real(directory: &str, relative: &str) -> String {
    if relative.is_empty() {
        return directory.to_owned();
    }
    if separator_of(directory) == '\\' {
        let directory = directory.trim_end_matches('\\');
        return format!("{directory}\\{}", relative.replace('/', "\\"));
    }
    join(directory, relative)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_inside_are_accepted_in_one_form() {
        for (path, clean) in [
            ("references/a.md", "references/a.md"),
            ("references/./a.md", "references/a.md"),
            ("references//../a.md", "a.md"),
            ("references\\a.md", "references/a.md"),
            ("./a.md", "a.md"),
            ("a b/ü.md", "a b/ü.md"),
            ("%2e%2e/a.md", "%2e%2e/a.md"),
            ("..a/b..c", "..a/b..c"),
            ("console.md", "console.md"),
            ("draft./a. b", "draft./a. b"),
            ("com/lpt.txt", "com/lpt.txt"),
        ] {
            assert_eq!(
                RelativePath::parse(path).as_ref().map(RelativePath::as_str),
                Ok(clean)
            );
        }
    }

    #[test]
    fn paths_that_leave_or_name_no_file_are_refused_on_every_platform() {
        for (path, reason) in [
            ("", "it is empty"),
            ("/etc/passwd", "it is absolute"),
            ("\\windows\\x", "it is absolute"),
            ("//server/share", "it is absolute"),
            ("\\\\?\\C:\\x", "it is absolute"),
            ("../../secret", "it leaves the skill's directory"),
            ("references/../../x", "it leaves the skill's directory"),
            ("a//../..//x", "it leaves the skill's directory"),
            ("a\\..\\..\\x", "it leaves the skill's directory"),
            ("C:/x", "a colon names a drive or a stream"),
            ("C:x", "a colon names a drive or a stream"),
            ("a.md:stream", "a colon names a drive or a stream"),
            ("a\0.md", "it has a control character"),
            ("a\n.md", "it has a control character"),
            ("a\u{85}", "it has a control character"),
            ("./", "it ends in a separator, so it names a directory"),
            (
                "references/",
                "it ends in a separator, so it names a directory",
            ),
            (".", "it names the skill's directory itself"),
            ("a/..", "it names the skill's directory itself"),
            ("nul", "it names a device"),
            ("a/CON.txt", "it names a device"),
            ("com1", "it names a device"),
            ("LPT².md", "it names a device"),
            ("a/NUL .txt", "it names a device"),
            (".. /x", "a name in it has only dots and blanks"),
            ("a/.../x", "a name in it has only dots and blanks"),
        ] {
            assert_eq!(RelativePath::parse(path), Err(reason), "{path:?}");
        }
    }

    #[test]
    fn a_name_with_the_same_beginning_is_not_inside() {
        assert!(is_inside("/s/demo/a.md", "/s/demo"));
        assert!(is_inside("/s/demo/a.md", "/s/demo/"));
        assert!(is_inside("C:\\s\\demo\\a.md", "C:\\s\\demo"));
        assert!(is_inside("/a", "/"));
        assert!(!is_inside("/s/demo-evil/a.md", "/s/demo"));
        assert!(!is_inside("/s/demo\\x", "/s/demo"));
        assert!(!is_inside("/s/demo", "/s/demo"));
        assert!(!is_inside("/s/demo/", "/s/demo"));
        assert!(!is_inside("/etc/passwd", "/s/demo"));
    }

    #[test]
    fn what_is_below_ends_at_a_separator() {
        for (path, directory, rest) in [
            ("a/b", "", Some("a/b")),
            ("a/b", "a", Some("b")),
            ("a", "a", Some("")),
            ("a/bc", "a/b", None),
            ("b", "a", None),
        ] {
            assert_eq!(below(path, directory), rest, "{path} {directory}");
        }
    }

    #[test]
    fn base_names_are_found_in_either_notation() {
        for (path, name) in [
            ("skills/pdf", Some("pdf")),
            ("skills/pdf/", Some("pdf")),
            ("C:\\skills\\pdf", Some("pdf")),
            ("", None),
            ("/", None),
            ("..", None),
            ("C:\\", None),
        ] {
            assert_eq!(base_name(path), name, "{path:?}");
        }
    }

    proptest! {
        #[test]
        fn an_accepted_path_never_leaves(path in "([a-z.]{0,3}[/\\\\ :\u{0}]{0,2}){0,8}") {
            if let Ok(relative) = RelativePath::parse(&path) {
                for segment in relative.segments() {
                    prop_assert!(!matches!(segment, "" | "." | ".."));
                    prop_assert!(!segment.contains(['\\', ':', '\0']));
                }
            }
        }
    }
}
