//! Paths of hosts, and their real paths: putting them together and taking them apart.
//!
//! A host path has `/` between its names and `""` for the root; a real path is in the host's own
//! notation.

use crate::host::HostId;

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

/// A path on a host without what stands for nothing at its ends: `./a/` is `a`, `/` the root.
pub(crate) fn trimmed(path: &str) -> &str {
    let mut rest = path.trim_end_matches('/');
    loop {
        let before = rest.len();
        rest = rest.strip_prefix("./").unwrap_or(rest);
        rest = rest.trim_start_matches('/');
        if rest.len() == before {
            return if rest == "." { "" } else { rest };
        }
    }
}

/// A path together with the host it is on: no two files have the same.
pub(crate) fn on_host(host: HostId, path: &str) -> String {
    with_number(path, host.into())
}

/// A path together with a number: no two paths and numbers give the same.
pub(crate) fn with_number(path: &str, number: u64) -> String {
    const BITS: u32 = 6;
    // No number has more digits, and none has a NUL in it.
    let mut key = String::with_capacity(path.len() + 12);
    let mut rest = number;
    loop {
        key.push(char::from(b'0' + rest.to_le_bytes()[0] % (1 << BITS)));
        rest >>= BITS;
        if rest == 0 {
            break;
        }
    }
    key.push('\0');
    key.push_str(path);
    key
}

/// The last segment of a host path, in either notation; `None` for a root.
pub(crate) fn base_name(path: &str) -> Option<&str> {
    // Bytes, since this is asked several times of each file.
    let is_separator = |byte: &u8| matches!(byte, b'/' | b'\\');
    let bytes = path.as_bytes();
    let end = bytes.iter().rposition(|byte| !is_separator(byte))? + 1;
    let path = path.get(..end)?;
    let before = path.as_bytes().iter().rposition(is_separator);
    let name = path.get(before.map_or(0, |at| at + 1)..)?;
    (!matches!(name, "" | "." | "..") && !name.ends_with(':')).then_some(name)
}

/// Whether `path` lies below `directory`; both are real paths of one host, in its own notation.
pub(crate) fn is_inside(path: &str, directory: &str) -> bool {
    relative_to(path, directory).is_some()
}

/// `path` from `directory` on, with `/` or `\` as the host has it.
pub(crate) fn relative_to<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    let separator = separator_of(directory);
    let directory = without_end(directory);
    let rest = path.strip_prefix(directory)?.strip_prefix(separator)?;
    (!rest.is_empty()).then_some(rest)
}

/// What separates names in a real path. A backslash does only where no `/` does: elsewhere it is
/// part of a name.
fn separator_of(real: &str) -> char {
    let bytes = real.as_bytes();
    if !bytes.contains(&b'/') && bytes.contains(&b'\\') {
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

/// The directories that a host path is in, the nearest first.
pub(crate) fn above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(parent(path), |path| parent(path))
}

fn parent(path: &str) -> Option<&str> {
    match path.rsplit_once('/') {
        Some((directory, _)) => Some(directory),
        None if path.is_empty() => None,
        None => Some(""),
    }
}

/// The directories that a real path is in, the nearest first, none with a separator at its end.
pub(crate) fn above_real(real: &str) -> impl Iterator<Item = &str> {
    let separator = separator_of(real);
    let real = without_end(real);
    let ends = real.rmatch_indices(separator);
    ends.filter_map(|(end, _)| real.get(..end))
}

/// A real path without a separator at its end.
pub(crate) fn without_end(real: &str) -> &str {
    real.trim_end_matches(separator_of(real))
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
    use super::*;

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
    fn what_is_above_goes_up_to_the_root() {
        for (path, expected) in [("a/b/c", &["a/b", "a", ""][..]), ("a", &[""]), ("", &[])] {
            assert_eq!(above(path).collect::<Vec<_>>(), expected, "{path}");
        }
        for (real, expected) in [
            ("/a/b/", &["/a", ""][..]),
            ("/", &[]),
            ("C:\\a\\b", &["C:\\a", "C:"]),
            ("C:\\", &[]),
        ] {
            assert_eq!(above_real(real).collect::<Vec<_>>(), expected, "{real}");
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

    #[test]
    fn no_two_paths_and_numbers_have_one_key() {
        let numbers = [0, 1, 63, 64, 64 * 64, u64::MAX - 1, u64::MAX];
        let mut keys: Vec<String> = Vec::new();
        for path in ["", "0", "a", "a/0", "10"] {
            for number in numbers {
                let key = with_number(path, number);
                assert!(!key.starts_with('\0'), "{key:?} is that of a real path");
                assert!(!keys.contains(&key), "{path} {number}");
                keys.push(key);
            }
        }
    }
}
