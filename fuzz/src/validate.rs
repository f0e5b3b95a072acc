//! `validate_skill` of any files.

use skillshelf::{Hints, Mode, Profile, ValidateOptions, mend, validate_skill};

use super::input::Input;
use super::skill_file::{as_it_is, check_findings, parse};

const PATHS: [&str; 8] = [
    "SKILL.md",
    "references/a.md",
    "references/b/c.md",
    "skill.md",
    "../a.md",
    "scripts/a.sh",
    "a//b",
    "C:\\a",
];

/// Validates files that are made of the bytes. What has no errors loads.
pub fn check(data: &[u8]) {
    let mut input = Input::new(data);
    let front = input.bytes();
    let body = input.bytes();
    let skill = [b"---\nname: demo\n", &*front, b"\n---\n", &body].concat();
    let mut files = vec![("SKILL.md".to_owned(), Some(skill.clone()))];
    for _ in 0..input.below(5) {
        let path = if input.flag() {
            input.pick(&PATHS).to_owned()
        } else {
            input.text()
        };
        let content = input.flag().then(|| input.raw(16).to_vec());
        if files.iter().all(|(other, _)| *other != path) {
            files.push((path, content));
        }
    }
    let options = ValidateOptions {
        directory: Some("demo".to_owned()),
        profile: input.pick(&[Profile::AgentSkills, Profile::Anthropic]),
        hints: Hints {
            given: input.flag(),
            off: Vec::new(),
        },
    };
    let found = validate_skill(files, options)
        .run(as_it_is)
        .expect("it was not over before");
    check_findings(&found, &skill);
    if found.iter().all(|finding| !finding.is_error()) {
        assert!(parse(&skill, Mode::Strict).skill.is_some());
        assert!(parse(&skill, Mode::Lenient).skill.is_some());
    }
    check_mended(&skill);
}

/// What is mended is mended for good, and says what it said before.
fn check_mended(skill: &[u8]) {
    let Some(mended) = mend(skill) else {
        return;
    };
    assert_eq!(mend(mended.text.as_bytes()), None);
    let before = parse(skill, Mode::Lenient);
    let after = parse(mended.text.as_bytes(), Mode::Lenient);
    if let Some(skill) = before.skill {
        let now = after.skill.expect("it could be loaded before");
        // Text that is kept as it is written, and bodies, have the ends of lines that the file has.
        let lines = |text: String| text.replace('\r', "");
        assert_eq!(now.name, skill.name);
        assert_eq!(lines(now.description), lines(skill.description));
        assert_eq!(after.body.map(lines), before.body.map(lines));
    }
}
