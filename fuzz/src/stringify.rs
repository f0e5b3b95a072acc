//! A skill that is given in code: refused with its fields, or written as text that reads the same.

use skillshelf::{Mode, SkillSpec};

use super::input::Input;
use super::skill_file::{check_findings, parse};

const WORDS: [&str; 24] = [
    "name",
    "description",
    "content",
    "version",
    "license",
    "compatibility",
    "allowedTools",
    "metadata",
    "trigger",
    "extra",
    "files",
    "directory",
    "demo",
    "__proto__",
    "yes",
    "1.10",
    "0x1F",
    "2026-01-02",
    "~",
    "- a",
    "---",
    "a: b",
    " # ",
    "\u{FEFF}",
];

/// Makes a skill of the bytes: of what they say as JSON, and with the fields that each one needs.
pub fn check(data: &[u8]) {
    check_spec(&String::from_utf8_lossy(data));
    let mut input = Input::new(data);
    check_spec(&input.json(&WORDS, 4));
    let [description, content, trigger] = [(); 3].map(|()| super::input::quoted(&input.text()));
    let [metadata, extra] = [(); 2].map(|()| input.json(&WORDS, 4));
    check_spec(&format!(
        r#"{{"name":"demo","description":{description},"content":{content},"trigger":{trigger},"metadata":{{"a":{metadata}}},"extra":{{"b":{extra}}}}}"#
    ));
}

fn check_spec(json: &str) {
    let spec = match SkillSpec::from_json(json) {
        Ok(spec) => spec,
        Err(error) => {
            assert_eq!(error.code(), "SKILL_INVALID", "{error}");
            return;
        }
    };
    let Ok(text) = spec.to_text() else {
        return;
    };
    let read = parse(text.as_bytes(), Mode::Lenient);
    check_findings(&read.diagnostics, text.as_bytes());
    assert_eq!(read.skill.as_ref(), Some(spec.skill()), "{text}");
    assert_eq!(read.body.as_deref(), Some(spec.content().trim()), "{text}");
}
