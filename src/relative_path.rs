//! Paths that a model or a skill file names, judged by their text alone, alike on every platform.
//!
//! The second judgment, where such a path really leads once it is open, is the jail's.

use crate::hidden;

/// Bytes of a path at most; no system opens a longer one.
const LONGEST: usize = 4096;
/// Segments of a path at most: each may cost a listing.
const MOST_SEGMENTS: usize = 64;

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
        if path.len() > LONGEST {
            return Err("it is longer than 4,096 bytes");
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
        if segments.len() > MOST_SEGMENTS {
            return Err("it has more than 64 segments");
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
            (&"a".repeat(4097), "it is longer than 4,096 bytes"),
            (&["a"; 65].join("/"), "it has more than 64 segments"),
        ] {
            assert_eq!(RelativePath::parse(path), Err(reason), "{path:?}");
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
