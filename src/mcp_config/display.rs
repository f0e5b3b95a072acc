//! A server in one line, for the person who is asked whether it may be started.
//!
//! What such a person sees must be what is started: characters that are not seen, that turn the order of
//! others around, or that look like a blank and are none, stand there as their numbers.

use super::Transport;
use crate::hidden;

/// Characters that a message names.
const NAMED: usize = 5;

impl Transport {
    /// The command with its variables, arguments and directory, or the address with its headers.
    pub(crate) fn display(&self, directory: Option<&str>) -> String {
        let mut line = String::new();
        match self {
            Self::Stdio {
                command, args, env, ..
            } => {
                for (name, value) in env {
                    push_shown(&mut line, name);
                    line.push('=');
                    push_shown(&mut line, value);
                    line.push(' ');
                }
                push_shown(&mut line, command);
                for argument in args {
                    line.push(' ');
                    push_shown(&mut line, argument);
                }
                if let Some(directory) = directory {
                    line.push_str(" (in ");
                    push_shown(&mut line, directory);
                    line.push(')');
                }
            }
            Self::Http { url, headers } => {
                push_shown(&mut line, url);
                for (place, (name, value)) in headers.iter().enumerate() {
                    line.push_str(if place == 0 { " with " } else { ", " });
                    push_shown(&mut line, name);
                    line.push_str(": ");
                    push_shown(&mut line, value);
                }
            }
        }
        line
    }

    /// Which characters that cannot be seen stand where, in words that follow the server's name.
    pub(crate) fn hidden_characters(&self) -> Option<String> {
        let mut parts: Vec<&str> = Vec::new();
        let mut characters: Vec<char> = Vec::new();
        for (part, text) in self.texts() {
            for character in text.chars().filter(|c| hidden::is_invisible(*c)) {
                if !parts.contains(&part) {
                    parts.push(part);
                }
                if !characters.contains(&character) && characters.len() < NAMED {
                    characters.push(character);
                }
            }
        }
        let named: Vec<String> = characters
            .into_iter()
            .map(|character| format!("U+{:04X}", u32::from(character)))
            .collect();
        let (parts, named) = (parts.join(", "), named.join(", "));
        let sentence = ["has characters that cannot be seen in ", &parts];
        (!parts.is_empty()).then(|| [&sentence.concat(), " (", &named, ")"].concat())
    }

    /// All text in it, each with the key it stands under.
    fn texts(&self) -> Vec<(&'static str, &str)> {
        let mut texts = Vec::new();
        match self {
            Self::Stdio {
                command,
                args,
                env,
                cwd,
            } => {
                texts.push(("command", command.as_str()));
                texts.extend(args.iter().map(|text| ("args", text.as_str())));
                push_entries(&mut texts, "env", env);
                texts.extend(cwd.iter().map(|text| ("cwd", text.as_str())));
            }
            Self::Http { url, headers } => {
                texts.push(("url", url.as_str()));
                push_entries(&mut texts, "headers", headers);
            }
        }
        texts
    }
}

fn push_entries<'a>(
    texts: &mut Vec<(&'static str, &'a str)>,
    part: &'static str,
    entries: &'a [(String, String)],
) {
    for (name, value) in entries {
        texts.push((part, name));
        texts.push((part, value));
    }
}

/// A text as it is where it can be taken for nothing else; in quotes otherwise, with what cannot be
/// seen as numbers.
fn push_shown(line: &mut String, text: &str) {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+~?&#${}*".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_plain) {
        line.push_str(text);
        return;
    }
    line.push('"');
    for character in text.chars() {
        // What has a proper use in prose has none in a command.
        if hidden::is_invisible(character)
            || hidden::is_control(character)
            || is_other_blank(character)
        {
            line.extend(character.escape_unicode());
        } else if matches!(character, '"' | '\\') {
            line.push('\\');
            line.push(character);
        } else {
            line.push(character);
        }
    }
    line.push('"');
}

/// Whether a character looks like the blank between two arguments and is another one.
fn is_other_blank(character: char) -> bool {
    character == hidden::BRAILLE_BLANK || character.is_whitespace() && character != ' '
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(entries: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        entries.iter().map(owned).collect()
    }

    fn program(command: &str, args: &[&str], env: &[(&str, &str)]) -> Transport {
        Transport::Stdio {
            command: command.to_owned(),
            args: args.iter().map(|&argument| argument.to_owned()).collect(),
            env: texts(env),
            cwd: None,
        }
    }

    #[test]
    fn a_line_is_what_is_started_and_nothing_in_it_is_hidden() {
        let http = Transport::Http {
            url: "https://x/mcp?a=${B}".to_owned(),
            headers: texts(&[("A", "Bearer ${T}"), ("B", "\u{200b}")]),
        };
        for (transport, directory, expected) in [
            (
                program("node", &["a.js", "-x=1"], &[]),
                None,
                "node a.js -x=1",
            ),
            (
                program("my tool", &["", "a \"b\" \\"], &[("T", "${T}"), ("U", "é")]),
                Some("/home/a b"),
                r#"T=${T} U="é" "my tool" "" "a \"b\" \\" (in "/home/a b")"#,
            ),
            (
                program("rm", &["\u{202e}gpj.a", "😀\u{fe0f}x\u{e0041}"], &[]),
                Some("/s"),
                "rm \"\\u{202e}gpj.a\" \"😀\\u{fe0f}x\\u{e0041}\" (in /s)",
            ),
            (
                program(
                    "a\u{1BCA0}b",
                    &["⠓\u{2800}⠓", "c\u{A0}d", "\u{13430}\u{3000}"],
                    &[],
                ),
                None,
                r#""a\u{1bca0}b" "⠓\u{2800}⠓" "c\u{a0}d" "\u{13430}\u{3000}""#,
            ),
            (
                http,
                None,
                r#"https://x/mcp?a=${B} with A: "Bearer ${T}", B: "\u{200b}""#,
            ),
        ] {
            assert_eq!(transport.display(directory), expected);
        }
    }

    #[test]
    fn what_cannot_be_seen_is_named_with_its_place() {
        assert_eq!(
            program("a", &["b"], &[("C", "é")]).hidden_characters(),
            None
        );
        let hidden = program(
            "a\u{200b}",
            &["b\u{202e}", "\u{200b}"],
            &[("C\u{e0041}", "d")],
        );
        assert_eq!(
            hidden.hidden_characters().as_deref(),
            Some(
                "has characters that cannot be seen in command, args, env (U+200B, U+202E, U+E0041)"
            )
        );
    }
}
