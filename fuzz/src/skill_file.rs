//! One skill file: its fences, its YAML, what is made of it, and that it can be written again.

use skillshelf::front_matter::{self, BLOCK_LINE, Split};
use skillshelf::{
    Diagnostic, Limits, Mode, ParseOptions, ParsedSkill, Reply, Request, parse_skill, stringify,
    yaml,
};

use super::input::Input;

const PATH: &str = "skills/demo/SKILL.md";

/// Checks the bytes as a file, and a file that is made of them.
pub fn check(data: &[u8]) {
    check_file(data);
    let mut input = Input::new(data);
    let head = input.pick(&["---\n", "---\r\n", "\u{FEFF}---\n", "", "---\nname: demo\n"]);
    let front = input.bytes();
    let tail = input.pick(&["\n---\n", "\n---", "", "\n---\nBody\n---\n"]);
    let body = input.bytes();
    check_file(&[head.as_bytes(), &front, tail.as_bytes(), &body].concat());
}

fn check_file(bytes: &[u8]) {
    for mode in [Mode::Lenient, Mode::Strict] {
        check_fences(bytes, mode);
    }
    let lenient = parse(bytes, Mode::Lenient);
    let strict = parse(bytes, Mode::Strict);
    for parsed in [&lenient, &strict] {
        let is_faulty = parsed.diagnostics.iter().any(Diagnostic::is_error);
        assert_eq!(parsed.skill.is_some(), !is_faulty);
        assert_eq!(parsed.body.is_some(), !is_faulty);
        check_findings(&parsed.diagnostics, bytes);
    }
    if let Some(skill) = &strict.skill {
        assert_eq!(lenient.skill.as_ref(), Some(skill), "what validates loads");
        assert_eq!(lenient.body, strict.body);
    }
    check_written(&lenient);
}

/// A beginning says what the whole file says, or nothing.
fn check_fences(bytes: &[u8], mode: Mode) {
    for limit in [16, Limits::default().front_matter] {
        let whole = front_matter::split(bytes, true, limit, mode);
        for end in [bytes.len() / 3, bytes.len() / 2, bytes.len()] {
            match front_matter::split(&bytes[..end], false, limit, mode) {
                Split::Incomplete => {}
                told => assert_eq!(told, whole),
            }
        }
        if let Split::Complete { block, body_start } = whole {
            let _ = yaml::read(block, BLOCK_LINE, mode, &Limits::default());
            if let Ok(body) = front_matter::body(bytes, body_start) {
                assert_eq!(body, body.trim());
            }
        }
    }
}

/// Findings name places in the file, and are few.
pub(crate) fn check_findings(found: &[Diagnostic], bytes: &[u8]) {
    let lines = 1 + line_ends(bytes);
    assert!(found.len() < 500, "{}", found.len());
    for finding in found {
        assert!(finding.hint.is_some(), "{finding:?}");
        assert!(!finding.message.contains('\n'), "{finding:?}");
        if let Some(position) = finding.position {
            assert!(position.column > 0, "{finding:?}");
            let line = position.line as usize;
            assert!((1..=lines).contains(&line), "{finding:?}");
        }
    }
}

/// A carriage return alone is one too (YAML 1.2.2, 5.4).
fn line_ends(bytes: &[u8]) -> usize {
    let nexts = bytes.iter().skip(1).chain([&0]);
    let is_end = |(byte, next): &(&u8, &u8)| match **byte {
        b'\n' => true,
        b'\r' => **next != b'\n',
        _ => false,
    };
    bytes.iter().zip(nexts).filter(is_end).count()
}

/// What was read, written again, reads the same.
fn check_written(parsed: &ParsedSkill) {
    let (Some(skill), Some(body)) = (&parsed.skill, &parsed.body) else {
        return;
    };
    let front_matter = skill.front_matter();
    let fields = front_matter.0.iter();
    let fields: Vec<_> = fields
        .map(|(key, value)| (key.as_str(), value.clone()))
        .collect();
    let text = stringify(&fields, body);
    if text.len() > Limits::default().front_matter as usize {
        return;
    }
    let again = parse(text.as_bytes(), Mode::Lenient);
    assert_eq!(again.skill.as_ref(), Some(skill), "{text}");
    assert_eq!(again.body.as_ref(), Some(body), "{text}");
}

pub(crate) fn parse(bytes: &[u8], mode: Mode) -> ParsedSkill {
    let options = ParseOptions {
        path: Some(PATH.to_owned()),
        mode,
        ..ParseOptions::default()
    };
    parse_skill(bytes.to_vec(), options)
        .run(as_it_is)
        .expect("it was not over before")
}

/// Answers what is asked without a host: for another form of a name, which is its own here.
pub(crate) fn as_it_is(request: &Request) -> Reply {
    match request {
        Request::Normalize { text } => Reply::Text(text.clone()),
        other => panic!("nothing of a host is needed: {other:?}"),
    }
}
