//! `skill://` URIs: what skills and their files are called over MCP (SEP-2640). A skill's name is
//! the first segment, the path of a file in its directory are the others.

const SCHEME: &str = "skill://";

/// The URI of a file of a skill; with an empty path that of its directory.
pub(crate) fn of(name: &str, path: &str) -> String {
    let mut uri = SCHEME.to_owned();
    push_encoded(&mut uri, name);
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        uri.push('/');
        push_encoded(&mut uri, segment);
    }
    uri
}

/// Adds a segment, percent-encoded once: all but what is unreserved, so that nothing in a name can
/// be taken for a separator, a port, a query or another skill.
fn push_encoded(uri: &mut String, segment: &str) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in segment.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            uri.push(char::from(byte));
        } else {
            uri.push('%');
            for digit in [byte >> 4, byte & 0xf] {
                uri.push(char::from(DIGITS[usize::from(digit)]));
            }
        }
    }
}

/// A `skill://` URI, decoded once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkillUri {
    /// The skill's name.
    pub(crate) name: String,
    /// What follows it, not judged yet; nothing where the URI is that of the skill's directory.
    pub(crate) path: Option<String>,
}

impl SkillUri {
    /// Takes a URI apart, as it was sent: what `..` in it leads to is judged with the path. `None`
    /// where it names no skill, or has a separator inside a segment.
    pub(crate) fn parse(uri: &str) -> Option<Self> {
        let (scheme, rest) = uri.split_at_checked(SCHEME.len())?;
        if !scheme.eq_ignore_ascii_case(SCHEME) {
            return None;
        }
        let mut segments = rest.split('/').map(decoded);
        let name = segments.next()??;
        let path: Option<Vec<String>> = segments.collect();
        let path = path?;
        if name.is_empty() || path.iter().any(|segment| segment.contains(['/', '\\'])) {
            return None;
        }
        Some(Self {
            name,
            path: (!path.is_empty()).then(|| path.join("/")),
        })
    }
}

/// A segment without its percent-encoding. `None` where it is not UTF-8, or has what no segment has.
fn decoded(segment: &str) -> Option<String> {
    if segment.contains(['?', '#']) {
        return None;
    }
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let (high, low) = (digit()?, digit()?);
            u8::try_from(high * 16 + low).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_and_paths_are_encoded_once() {
        for (name, path, uri) in [
            ("pdf", "", "skill://pdf"),
            ("pdf", "SKILL.md", "skill://pdf/SKILL.md"),
            ("pdf", "a b/c%20d.md", "skill://pdf/a%20b/c%2520d.md"),
            ("pdf", "%2e%2e", "skill://pdf/%252e%252e"),
            ("a@b:1", "x?y#z", "skill://a%40b%3A1/x%3Fy%23z"),
            ("Größe", "é", "skill://Gr%C3%B6%C3%9Fe/%C3%A9"),
        ] {
            assert_eq!(of(name, path), uri);
            let parsed = SkillUri::parse(uri).unwrap();
            assert_eq!(parsed.name, name);
            assert_eq!(parsed.path.unwrap_or_default(), path);
        }
    }

    #[test]
    fn a_scheme_is_the_same_in_capitals_and_nothing_else_is() {
        let parsed = SkillUri::parse("Skill://pdf/a/../b").expect("a URI");
        assert_eq!(parsed.path.as_deref(), Some("a/../b"));
        assert_eq!(SkillUri::parse("SKILL://PDF").expect("a URI").name, "PDF");
    }

    #[test]
    fn what_names_no_skill_is_none() {
        for uri in [
            "",
            "skill:",
            "skill://",
            "skill:///SKILL.md",
            "skills://pdf",
            "file://pdf/SKILL.md",
            "skill://pdf/a%2Fb",
            "skill://pdf/..%5c..",
            "skill://pdf%2fx/SKILL.md/a%2fb",
            "skill://pdf/%",
            "skill://pdf/%4",
            "skill://pdf/%zz",
            "skill://pdf/%+1",
            "skill://pdf/%ff",
            "skill://pdf/SKILL.md?x",
            "skill://pdf/SKILL.md#x",
        ] {
            assert_eq!(SkillUri::parse(uri), None, "{uri:?}");
        }
    }

    proptest! {
        #[test]
        fn a_uri_is_read_as_it_was_written(name in "[^/\\\\]{1,8}", path in "([^/\\\\]{1,4}/){0,3}[^/\\\\]{1,4}") {
            let uri = of(&name, &path);
            prop_assert!(uri.is_ascii());
            prop_assert_eq!(SkillUri::parse(&uri), Some(SkillUri { name, path: Some(path) }));
        }
    }
}
