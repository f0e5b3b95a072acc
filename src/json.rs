//! JSON text, read into a [`Value`] and written from whatever is [`ToJson`].
//!
//! JSON is small, and so is this: with a library for any format and any type, reading and writing
//! would be half of the module. Keys keep their order, and `__proto__` is one like any other.

use crate::eight_bytes::EightBytes;
use crate::number;
use crate::value::{Map, Value};

/// Deeper nesting is refused: values are read and dropped by recursion.
const DEEPEST: usize = 128;

/// Text that is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    /// How many bytes could be read.
    pub(crate) offset: usize,
}

/// Reads one value.
pub(crate) fn parse(text: &str) -> Result<Value, Malformed> {
    Reader::of(text, false).document()
}

/// Reads one value of JSON that others wrote, of which a part may have no form in here: what is left
/// of a character is a replacement character, a number that is too large is the largest there is, and
/// what is nested too deeply is null.
pub(crate) fn parse_tolerantly(text: &str) -> Result<Value, Malformed> {
    Reader::of(text, true).document()
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    is_tolerant: bool,
}

impl<'a> Reader<'a> {
    fn of(text: &'a str, is_tolerant: bool) -> Self {
        Self {
            text,
            at: 0,
            is_tolerant,
        }
    }

    fn document(&mut self) -> Result<Value, Malformed> {
        let value = self.value(DEEPEST).inspect(|_| self.skip_blanks());
        match value {
            Some(value) if self.at == self.text.len() => Ok(value),
            _ => Err(Malformed { offset: self.at }),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Goes over what comes next, if it is `token`.
    fn take(&mut self, token: &str) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_there = rest.starts_with(token.as_bytes());
        if is_there {
            self.at += token.len();
        }
        is_there
    }

    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.skip_blanks();
        match self.peek()? {
            b'"' => self.string().map(Value::String),
            b'[' | b'{' if depth == 0 => self.skip_nested(),
            b'[' => self.list(depth - 1),
            b'{' => self.map(depth - 1),
            b'-' | b'0'..=b'9' => self.number(),
            _ if self.take("null") => Some(Value::Null),
            _ if self.take("true") => Some(Value::Bool(true)),
            _ if self.take("false") => Some(Value::Bool(false)),
            _ => None,
        }
    }

    /// Goes over a list or an object without a look at what is in it.
    fn skip_nested(&mut self) -> Option<Value> {
        let mut depth = if self.is_tolerant { 0 } else { return None };
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Some(Value::Null);
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        self.at += 1;
        self.skip_blanks();
        if self.take("]") {
            return Some(Value::List(items));
        }
        loop {
            items.push(self.value(depth)?);
            self.skip_blanks();
            if self.take("]") {
                return Some(Value::List(items));
            }
            self.take(",").then_some(())?;
        }
    }

    fn map(&mut self, depth: usize) -> Option<Value> {
        let mut entries = Vec::new();
        self.at += 1;
        self.skip_blanks();
        if self.take("}") {
            return Some(Value::Map(Map(entries)));
        }
        loop {
            self.skip_blanks();
            let key = self.string()?;
            self.skip_blanks();
            self.take(":").then_some(())?;
            entries.push((key, self.value(depth)?));
            self.skip_blanks();
            if self.take("}") {
                return Some(Value::Map(Map(entries)));
            }
            self.take(",").then_some(())?;
        }
    }

    fn string(&mut self) -> Option<String> {
        self.take("\"").then_some(())?;
        let mut string = String::new();
        loop {
            let rest = self.text.get(self.at..)?;
            let is_special = |byte| matches!(byte, b'"' | b'\\' | 0..b' ');
            let length = rest.bytes().position(is_special).unwrap_or(rest.len());
            string.push_str(rest.get(..length)?);
            self.at += length;
            if self.take("\"") {
                return Some(string);
            }
            self.take("\\").then_some(())?;
            string.push(self.escape()?);
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Option<char> {
        let escaped = self.peek()?;
        self.at += 1;
        Some(match escaped {
            b'"' | b'\\' | b'/' => char::from(escaped),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.code_unit()?;
                let end = self.at;
                let character = self.code_point(unit).and_then(char::from_u32);
                if character.is_none() && self.is_tolerant {
                    self.at = end;
                    return Some(char::REPLACEMENT_CHARACTER);
                }
                return character;
            }
            _ => return None,
        })
    }

    /// What a code unit is with the one after it, where it takes two.
    fn code_point(&mut self, unit: u32) -> Option<u32> {
        match unit {
            0xD800..0xDC00 if self.take("\\u") => {
                let low = self.code_unit()?.checked_sub(0xDC00);
                Some(0x1_0000 + ((unit - 0xD800) << 10) + low.filter(|&low| low < 0x400)?)
            }
            _ => Some(unit),
        }
    }

    fn code_unit(&mut self) -> Option<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            unit = unit * 16 + char::from(self.peek()?).to_digit(16)?;
            self.at += 1;
        }
        Some(unit)
    }

    fn number(&mut self) -> Option<Value> {
        let start = self.at;
        self.take("-");
        if !self.take("0") {
            self.digits()?;
        }
        if self.take(".") {
            self.digits()?;
        }
        if self.take("e") || self.take("E") {
            let _ = self.take("+") || self.take("-");
            self.digits()?;
        }
        let text = self.text.get(start..self.at)?;
        let number = number::from_json(text);
        let number = number.or(self.is_tolerant.then_some(f64::MAX));
        number.map(Value::Number)
    }

    /// Goes over at least one digit.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }
}

/// What can be written as JSON.
pub trait ToJson {
    /// Adds it to `out`.
    fn write_json(&self, out: &mut String);

    /// As JSON text.
    fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }
}

/// An object that is being written.
pub(crate) struct Object<'a> {
    out: &'a mut String,
    /// What stands before the next key.
    separator: char,
}

impl<'a> Object<'a> {
    pub(crate) fn begin(out: &'a mut String) -> Self {
        Self {
            out,
            separator: '{',
        }
    }

    /// Writes a key with its value.
    pub(crate) fn field(&mut self, key: &str, value: &dyn ToJson) -> &mut Self {
        self.out.push(self.separator);
        self.separator = ',';
        push_string(self.out, key);
        self.out.push(':');
        value.write_json(self.out);
        self
    }

    /// Writes a key with its value, if there is one.
    pub(crate) fn optional<T: ToJson>(&mut self, key: &str, value: Option<&T>) -> &mut Self {
        if let Some(value) = value {
            self.field(key, value);
        }
        self
    }

    pub(crate) fn end(&mut self) {
        if self.separator == '{' {
            self.out.push('{');
        }
        self.out.push('}');
    }
}

fn push_string(out: &mut String, text: &str) {
    out.push('"');
    let mut copied = 0;
    for (place, bytes) in text.as_bytes().chunks(EightBytes::COUNT).enumerate() {
        let eight = EightBytes::first_of(bytes);
        if eight.is_some_and(|eight| !eight.have(b' ', *b"\"\\")) {
            continue;
        }
        for (offset, byte) in bytes.iter().enumerate() {
            if matches!(byte, b'"' | b'\\' | 0..b' ') {
                let at = place * EightBytes::COUNT + offset;
                out.push_str(text.get(copied..at).unwrap_or_default());
                copied = at + 1;
                push_escape(out, *byte);
            }
        }
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out.push('"');
}

fn push_escape(out: &mut String, byte: u8) {
    match byte {
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        b'"' | b'\\' => {
            out.push('\\');
            out.push(char::from(byte));
        }
        _ => {
            out.push_str("\\u00");
            for digit in [byte >> 4, byte & 15] {
                out.push(char::from_digit(digit.into(), 16).unwrap_or_default());
            }
        }
    }
}

impl ToJson for str {
    fn write_json(&self, out: &mut String) {
        push_string(out, self);
    }
}

impl<T: ToJson + ?Sized> ToJson for &T {
    fn write_json(&self, out: &mut String) {
        (**self).write_json(out);
    }
}

impl ToJson for String {
    fn write_json(&self, out: &mut String) {
        push_string(out, self);
    }
}

impl ToJson for () {
    fn write_json(&self, out: &mut String) {
        out.push_str("null");
    }
}

impl ToJson for bool {
    fn write_json(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl ToJson for u32 {
    fn write_json(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl ToJson for u64 {
    fn write_json(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl ToJson for usize {
    fn write_json(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn write_json(&self, out: &mut String) {
        match self {
            Some(value) => value.write_json(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: ToJson> ToJson for [T] {
    fn write_json(&self, out: &mut String) {
        out.push('[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            item.write_json(out);
        }
        out.push(']');
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn write_json(&self, out: &mut String) {
        self.as_slice().write_json(out);
    }
}

impl ToJson for Value {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Number(number) if number.is_finite() => out.push_str(&number::print(*number)),
            Self::Null | Self::Number(_) => out.push_str("null"),
            Self::Bool(flag) => flag.write_json(out),
            Self::String(text) => text.write_json(out),
            Self::List(items) => items.write_json(out),
            Self::Map(map) => map.write_json(out),
        }
    }
}

impl ToJson for Map {
    fn write_json(&self, out: &mut String) {
        let mut object = Object::begin(out);
        for (key, value) in &self.0 {
            object.field(key, value);
        }
        object.end();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_read_is_written_the_same() {
        for text in [
            "null",
            "[true,false,1,-2,0.5,\"x\",[],{}]",
            "{\"b\":1,\"a\":{\"__proto__\":[]},\"b\":2}",
            "1e+30",
            "\"\\\"\\\\\\n\\u001b\u{7f}é\u{2028}😀\"",
        ] {
            assert_eq!(parse(text).unwrap().to_json(), text);
        }
        let escapes = r#" [ "\u00e9\uD83D\ude00\/\b\f\r\t" , 1.50 , -0 , 1E2 ] "#;
        let written = "[\"é😀/\\u0008\\u000c\\r\\t\",1.5,0,100]";
        assert_eq!(parse(escapes).unwrap().to_json(), written);
    }

    #[test]
    fn what_is_not_json_is_refused_where_it_ends() {
        for (text, offset) in [
            ("", 0),
            ("{", 1),
            ("[1,]", 3),
            ("{\"a\":1,}", 7),
            ("{\"a\" 1}", 5),
            ("nul", 0),
            ("01", 1),
            ("1.", 2),
            ("-", 1),
            ("1e", 2),
            ("\"a", 2),
            ("\"\n\"", 1),
            ("\"\\x\"", 3),
            ("\"\\ud800\"", 7),
            ("\"\\udc00\"", 7),
            ("\"\\ud800\\u0041\"", 13),
            ("\"\\ud800\\ue000\"", 13),
            ("1 2", 2),
            ("{'a':1}", 1),
        ] {
            assert_eq!(parse(text), Err(Malformed { offset }), "{text}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(parse(&deep), Err(Malformed { offset: DEEPEST }));
    }

    #[test]
    fn of_what_others_wrote_a_part_without_a_form_in_here_takes_nothing_else_away() {
        let deep = ["[".repeat(100_000), "]".repeat(100_000)].concat();
        let odd_string = r#""]\ud800""#;
        let outer = ["[{\"a\":", odd_string, ",\"b\":"].concat().repeat(200);
        let deeply_odd = [outer, "1e999".to_owned(), "}]".repeat(200)].concat();
        for (odd, read) in [
            (r#""a\ud800""#, "\"a\u{fffd}\""),
            (r#""\udc00b""#, "\"\u{fffd}b\""),
            (r#""\ud800\u0041""#, "\"\u{fffd}A\""),
            (r#""\ud800\ud83d\ude00""#, "\"\u{fffd}😀\""),
            ("1e999999", "1.7976931348623157e+308"),
            ("1e99999999999999999999", "1.7976931348623157e+308"),
        ] {
            assert_eq!(parse(odd).ok(), None, "{odd}");
            let text = format!("[{odd}, 7]");
            let value = parse_tolerantly(&text).map(|value| value.to_json());
            assert_eq!(value, Ok(format!("[{read},7]")), "{text}");
        }
        for deep in [deep, deeply_odd] {
            let text = format!("[{deep}, 7]");
            assert_eq!(parse(&text).ok(), None);
            let Ok(Value::List(items)) = parse_tolerantly(&text) else {
                panic!("it is a list");
            };
            assert_eq!((items.len(), items.get(1)), (2, Some(&Value::Number(7.0))));
        }
        for text in [
            r#""\ud800\u00""#,
            r#""\ud800"#,
            "1e",
            "[7",
            &"[".repeat(500),
        ] {
            assert_eq!(parse_tolerantly(text).ok(), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn it_reads_what_another_reader_does(text in r#"([\[\]{},:" 0-9.eE+\-]|"[a-z\\"u0-9é]{0,8}"|null|true|"[a-z]":){0,12}"#) {
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            // Numbers that are infinite in JavaScript are none here either, and 1e999 is not there.
            prop_assert_eq!(parse(&text).is_ok(), theirs.is_ok(), "{}", text);
            if let Ok(value) = parse(&text) {
                prop_assert_eq!(parse_tolerantly(&text), Ok(value));
            }
        }

        #[test]
        fn any_text_is_written_as_json(text in any::<String>()) {
            let json = text.to_json();
            let theirs = serde_json::from_str::<String>(&json).ok();
            prop_assert_eq!(theirs.as_ref(), Some(&text));
            prop_assert_eq!(parse(&json), Ok(Value::String(text)));
        }
    }
}
