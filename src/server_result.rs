//! What a server answered to a call of one of its tools, as a result for the model.

use std::borrow::Cow;

use crate::call::{Bytes, Rest, ToolResult, Verdict};
use crate::json::ToJson;
use crate::limits::Limits;
use crate::text::{one_line, shortened};
use crate::value::{Map, Value};

/// What whoever connects servers had to change of a result, so that it can be read here.
#[derive(Clone, Copy, Default)]
pub(crate) struct Changes {
    /// Something was nested too deeply.
    is_cut: bool,
    /// There was half of a surrogate pair, which is no text.
    is_mended: bool,
}

impl Changes {
    /// As they are told beside the result.
    pub(crate) fn of(answer: &Map) -> Self {
        let is = |key| answer.get(key) == Some(&Value::Bool(true));
        Self {
            is_cut: is("isCut"),
            is_mended: is("isMended"),
        }
    }

    fn push_to(self, content: &mut String) {
        let mut push = |said: bool, sentence: &str| {
            if said {
                let blank = if content.is_empty() { "" } else { "\n\n" };
                content.push_str(&[blank, "[", sentence, "]"].concat());
            }
        };
        push(
            self.is_cut,
            "What the server's result nests too deeply is left out.",
        );
        push(
            self.is_mended,
            "Some characters of the server's result were broken; U+FFFD stands for them.",
        );
    }
}

/// The result of a call, from what the protocol calls its result.
pub(crate) fn tool_result(result: &Map, changes: Changes, limits: &Limits) -> ToolResult {
    let mut answer = ToolResult::default();
    if result.get("isError") == Some(&Value::Bool(true)) {
        answer.verdict = Verdict::FailedInTool;
    }
    let mut texts: Vec<Cow<'_, str>> = Vec::new();
    if let Some(Value::List(parts)) = result.get("content") {
        for part in parts {
            texts.extend(part_text(part, &mut answer, limits));
        }
    }
    if texts.is_empty() {
        texts.extend(
            result
                .get("structuredContent")
                .map(|value| Cow::Owned(value.to_json())),
        );
    }
    let content = texts.join("\n");
    let (content, is_cut) = cut(content, limits.page as usize);
    answer.content = content;
    if is_cut {
        answer.rest = Rest::Lost;
    }
    changes.push_to(&mut answer.content);
    answer
}

/// What a part of a result says; bytes go into `answer`, which holds those of one part.
fn part_text<'a>(
    part: &'a Value,
    answer: &mut ToolResult,
    limits: &Limits,
) -> Option<Cow<'a, str>> {
    let Value::Map(part) = part else {
        return None;
    };
    let text = |key: &str| part.get(key).and_then(Value::as_str);
    match text("type")? {
        "text" => text("text").map(Cow::Borrowed),
        "image" | "audio" => Some(bytes_text(text("data")?, text("mimeType"), answer, limits)),
        "resource" => {
            let Some(Value::Map(resource)) = part.get("resource") else {
                return None;
            };
            let text = |key: &str| resource.get(key).and_then(Value::as_str);
            match (text("text"), text("blob")) {
                (Some(text), _) => Some(Cow::Borrowed(text)),
                (None, Some(blob)) => Some(bytes_text(blob, text("mimeType"), answer, limits)),
                (None, None) => None,
            }
        }
        "resource_link" => {
            let uri = shortened(text("uri")?);
            let name = shortened(text("name").unwrap_or_default());
            Some(Cow::Owned([&name, ": ", &uri].concat()))
        }
        _ => None,
    }
}

/// The line that stands for bytes. The first ones that can be kept are.
fn bytes_text<'a>(
    base64: &str,
    media_type: Option<&str>,
    answer: &mut ToolResult,
    limits: &Limits,
) -> Cow<'a, str> {
    let media_type = media_type_of(media_type);
    // Three bytes are four characters.
    let size = base64.len() / 4 * 3;
    let left_out = |why: &str| Cow::Owned(format!("[{media_type}: {why}]"));
    if answer.bytes.is_some() {
        return left_out("left out, since a result holds one file");
    }
    if size > limits.bytes as usize {
        return left_out(&format!("left out, since it has about {size} bytes"));
    }
    let Some(bytes) = decoded(base64) else {
        return left_out("left out, since it is not base64");
    };
    let line = format!("[{media_type}: {} bytes]", bytes.len());
    answer.bytes = Some(Bytes {
        content: bytes,
        media_type: Cow::Owned(media_type),
        uri: None,
    });
    Cow::Owned(line)
}

/// A media type that is one; else that of any bytes.
fn media_type_of(given: Option<&str>) -> String {
    const LONGEST: usize = 100;
    let given = one_line(given.unwrap_or_default()).to_ascii_lowercase();
    let is_part = |part: &str| {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte);
        !part.is_empty() && part.bytes().all(is_allowed)
    };
    let essence = given.split(';').next().unwrap_or_default().trim();
    match essence.split_once('/') {
        Some((kind, subtype)) if is_part(kind) && is_part(subtype) && essence.len() <= LONGEST => {
            essence.to_owned()
        }
        _ => "application/octet-stream".to_owned(),
    }
}

/// At most `most` bytes of a text; the rest is named.
fn cut(mut content: String, most: usize) -> (String, bool) {
    let size = content.len();
    if size <= most {
        return (content, false);
    }
    let end = content.floor_char_boundary(most);
    content.truncate(end);
    content.push_str(&format!(
        "\n\n[The server's result ends here: {} of {size} bytes are left out. Ask the tool for less.]",
        size - end
    ));
    (content, true)
}

/// The bytes of base64 text, which may have line breaks, and `=` at its end.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    let mut padding = 0;
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'\r' | b'\n' => continue,
            b'=' => {
                padding += 1;
                continue;
            }
            _ => return None,
        };
        if padding > 0 {
            return None;
        }
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    (padding <= 2 && count < 6).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn result(json: &str) -> ToolResult {
        let Ok(Value::Map(map)) = json::parse(json) else {
            panic!("{json}")
        };
        let limits = Limits {
            page: 80,
            bytes: 6,
            ..Limits::default()
        };
        tool_result(&map, Changes::of(&map), &limits)
    }

    #[test]
    fn what_was_changed_of_a_result_is_said() {
        for (json, content) in [
            (
                r#"{"content":[{"type":"text","text":"a"}],"isCut":true}"#,
                "a\n\n[What the server's result nests too deeply is left out.]",
            ),
            (
                r#"{"isMended":true}"#,
                "[Some characters of the server's result were broken; U+FFFD stands for them.]",
            ),
        ] {
            assert_eq!(result(json).content, content);
        }
    }

    #[test]
    fn parts_of_text_are_joined_and_bytes_kept() {
        let answer = result(
            r#"{"content":[{"type":"text","text":"a"},1,{"type":"image","data":"aGk=","mimeType":"Image/PNG; x"},
            {"type":"text","text":"b"},{"type":"new"}]}"#,
        );
        assert_eq!(answer.content, "a\n[image/png: 2 bytes]\nb");
        let bytes = answer.bytes.as_ref().expect("the image");
        assert_eq!(
            (bytes.content.as_slice(), &*bytes.media_type),
            (b"hi".as_slice(), "image/png")
        );
        assert!(!answer.is_error());
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (json, content) in [
            (
                r#"{"content":[{"type":"audio","data":"!","mimeType":"a"}]}"#,
                "[application/octet-stream: left out, since it is not base64]",
            ),
            (
                r#"{"content":[{"type":"audio","data":"aaaaaaaaaaaa","mimeType":"a/b"}]}"#,
                "[a/b: left out, since it has about 9 bytes]",
            ),
            (
                r#"{"content":[{"type":"resource_link","uri":"file:///a\nb","name":"n"}]}"#,
                "n: file:///a b",
            ),
            (
                r#"{"content":[{"type":"resource","resource":{"uri":"u","text":"t"}}]}"#,
                "t",
            ),
            (
                r#"{"content":[],"structuredContent":{"a":[1]}}"#,
                r#"{"a":[1]}"#,
            ),
            (r#"{"content":"x"}"#, ""),
            ("{}", ""),
        ] {
            let answer = result(json);
            assert!(answer.content.starts_with(content), "{}", answer.content);
            assert_eq!(answer.bytes, None);
        }
        let two = r#"{"content":[{"type":"resource","resource":{"blob":"aGk="}},{"type":"image","data":"aGk=","mimeType":"a/b"}]}"#;
        assert!(
            result(two)
                .content
                .contains("[a/b: left out, since a result")
        );
    }

    #[test]
    fn long_text_is_cut_at_a_character_and_says_so() {
        let json = format!(
            r#"{{"isError":true,"content":[{{"type":"text","text":"{}"}}]}}"#,
            "é".repeat(60)
        );
        let answer = result(&json);
        assert!(answer.content.starts_with(
            &("é".repeat(40) + "\n\n[The server's result ends here: 40 of 120 bytes")
        ));
        assert_eq!(answer.truncated(), Some(true));
        assert!(answer.is_error());
        assert_eq!(answer.code(), None);
    }

    #[test]
    fn base64_is_read_as_others_write_it() {
        for (text, bytes) in [
            ("", Some(b"".as_slice())),
            ("AA==", Some(b"\0")),
            ("AAA=", Some(b"\0\0")),
            ("_-8=", Some(b"\xff\xef")),
            ("/+8", Some(b"\xff\xef")),
            ("aG\r\nk=", Some(b"hi")),
            ("A", None),
            ("A=AA", None),
            ("AA===", None),
            ("é", None),
        ] {
            assert_eq!(decoded(text).as_deref(), bytes, "{text}");
        }
    }
}
