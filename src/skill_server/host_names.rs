//! Names of hosts, as the URLs of requests have them.

use crate::options::Fields;
use crate::text::quoted;

/// What is wrong with a text that is no name of a host.
const NO_HOST_NAME: &str = ", which is no name of a host: write it as skills.example or [::1], without scheme, port and path";
/// By which names this machine is asked by programs on it.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Reads a list of them; nothing where none is given.
pub(super) fn from_field(fields: &Fields<'_>, key: &'static str) -> Option<Vec<String>> {
    fields.get(key)?;
    let mut names = fields.texts(key);
    for name in &mut names {
        if !is_host_name(name) {
            let problem = ["has ", &quoted(name), NO_HOST_NAME].concat();
            fields.refuse(key, &problem);
        }
        name.make_ascii_lowercase();
    }
    Some(names)
}

/// Those of this machine.
pub(super) fn own() -> Vec<String> {
    LOOPBACK.map(str::to_owned).to_vec()
}

fn is_host_name(name: &str) -> bool {
    let address = name
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let (text, marks) = address.map_or((name, &b"-._"[..]), |address| (address, b":."));
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || marks.contains(&byte);
    !text.is_empty() && text.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_host_has_nothing_around_it() {
        for name in [
            "a",
            "skills.example",
            "127.0.0.1",
            "[::1]",
            "[::ffff:1.2.3.4]",
            "a_b-c.d",
        ] {
            assert!(is_host_name(name), "{name}");
        }
        for name in [
            "",
            "*",
            "a:80",
            "::1",
            "https://a",
            "a/",
            "a b",
            "[]",
            "[a",
            "gr\u{f6}\u{df}e.example",
        ] {
            assert!(!is_host_name(name), "{name}");
        }
    }
}
