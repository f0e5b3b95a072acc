//! Indexes of skills of any bytes: what is planned has names and paths that stay in place, and a bad
//! entry takes away no other one where the format says so.

use std::collections::BTreeSet;

use skillshelf::{
    Diagnostic, IndexPlan, PlannedContent, PlannedSkill, index_paths, is_page, may_be_page,
};

use super::input::{Input, quoted};

const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const URL: &str = "https://a.example/index.json";

const WORDS: [&str; 24] = [
    "name",
    "type",
    "description",
    "url",
    "digest",
    "files",
    "skills",
    "$schema",
    "skill-md",
    "archive",
    "later",
    "a",
    "b",
    "pdf",
    "A",
    "-a",
    "SKILL.md",
    "a/b",
    "a/b/c",
    "../x",
    "https://b.example/x",
    "sha256:00",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    SCHEMA,
];

/// Of valid JSON, what has no form in here.
const ODD: [&str; 4] = [r#""\ud800""#, r#""\udc00x""#, "1e999999", "-1e99999999999"];

/// Plans what the bytes list.
pub fn check(data: &[u8]) {
    let mut input = Input::new(data);
    let most_skills = input.pick(&[10_000, 2, 0]);
    let most_files = input.pick(&[1_000, 2]);
    let is_new = input.flag();
    let count = input.below(8);
    let entries: Vec<String> = (0..count).map(|_| entry(&mut input, is_new)).collect();
    let reading = format!(r#"{{"url":"{URL}","skills":{most_skills},"files":{most_files}}}"#);
    let plan = |index: &[u8]| plan_of(index, &reading, most_skills, most_files);

    let planned = plan(index(&entries, is_new).as_bytes());
    if is_new {
        let planned = planned.expect("entries are skipped, and refuse nothing");
        if most_skills > count {
            check_odd_entry(&mut input, entries, &planned, &plan);
        }
    } else if let Some(planned) = planned {
        let is_whole = planned
            .diagnostics
            .iter()
            .all(|one| one.code == "index-skills-limit");
        assert!(is_whole, "{:?}", planned.diagnostics);
        assert_eq!(planned.skills.len(), count.min(most_skills));
    }
    let _ = plan(input.json(&WORDS, 4).as_bytes());
    let _ = plan(&input.bytes());
    check_addresses(&input.text());
}

/// A plan whose parts are checked.
fn plan_of(
    index: &[u8],
    reading: &str,
    most_skills: usize,
    most_files: usize,
) -> Option<IndexPlan> {
    let plan = IndexPlan::of_index_json(index, reading);
    assert_eq!(plan, IndexPlan::of_index_json(index, reading));
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => {
            assert_eq!(error.code(), "SOURCE_UNSUPPORTED", "{error}");
            assert!(error.to_string().contains(URL), "{error}");
            assert!(is_one_line(&error.to_string()), "{error}");
            return None;
        }
    };
    assert!(plan.skills.len() <= most_skills);
    let names: BTreeSet<&str> = plan
        .skills
        .iter()
        .map(|skill| skill.name.as_str())
        .collect();
    assert_eq!(names.len(), plan.skills.len(), "{:?}", plan.skills);
    for skill in &plan.skills {
        check_skill(skill, most_files);
    }
    assert!(plan.diagnostics.len() <= 102);
    plan.diagnostics.iter().for_each(check_finding);
    Some(plan)
}

fn check_skill(skill: &PlannedSkill, most_files: usize) {
    let PlannedSkill { name, content } = skill;
    let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    assert!(
        (1..=64).contains(&name.len()) && name.bytes().all(is_plain),
        "{name:?}"
    );
    match content {
        PlannedContent::SkillFile { url, digest } | PlannedContent::Archive { url, digest } => {
            assert!(!url.is_empty());
            let digits = digest.strip_prefix("sha256:").expect("it is of a digest");
            let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            assert!(
                digits.len() == 64 && digits.bytes().all(is_digit),
                "{digest}"
            );
        }
        PlannedContent::Files(files) => check_files(files, most_files),
    }
}

fn check_files(files: &[String], most: usize) {
    assert!(files.len() <= most);
    let paths: BTreeSet<&str> = files.iter().map(String::as_str).collect();
    assert_eq!(paths.len(), files.len());
    assert!(paths.contains("SKILL.md"));
    for path in &paths {
        let is_refused = |c: char| !matches!(c, ' '..='~') || "\\?#[]".contains(c);
        assert!(!path.contains(is_refused), "{path:?}");
        let names: Vec<&str> = path.split('/').collect();
        assert!(
            names.iter().all(|name| !matches!(*name, "" | "." | "..")),
            "{path:?}"
        );
        for end in 1..names.len() {
            let above = names[..end].join("/");
            assert!(!paths.contains(above.as_str()), "{above:?} {path:?}");
        }
    }
}

fn check_finding(found: &Diagnostic) {
    assert!(is_one_line(&found.message), "{found:?}");
    assert!(found.hint.is_some(), "{found:?}");
}

fn is_one_line(text: &str) -> bool {
    text.len() < 2000 && !text.contains(|c: char| c.is_control() || c == '\u{2028}')
}

/// One more entry, of which something has no form in here, takes nothing away.
fn check_odd_entry(
    input: &mut Input<'_>,
    mut entries: Vec<String>,
    before: &IndexPlan,
    plan: &dyn Fn(&[u8]) -> Option<IndexPlan>,
) {
    let deep = ["[".repeat(200), "]".repeat(200)].concat();
    let odd = if input.flag() {
        &deep
    } else {
        input.pick(&ODD)
    };
    let key = input.pick(&["name", "type", "more"]);
    let place = input.below(entries.len() + 1);
    entries.insert(place, format!(r#"{{"{key}":{odd},"description":"d"}}"#));
    let after = plan(index(&entries, true).as_bytes()).expect("entries are skipped");
    assert_eq!(after.skills, before.skills);
    assert_eq!(after.diagnostics.len(), before.diagnostics.len() + 1);
}

fn index(entries: &[String], is_new: bool) -> String {
    let schema = if is_new {
        format!(r#""$schema":"{SCHEMA}","#)
    } else {
        String::new()
    };
    format!(r#"{{{schema}"skills":[{}]}}"#, entries.join(","))
}

/// An entry that is mostly in order.
fn entry(input: &mut Input<'_>, is_new: bool) -> String {
    if input.below(8) == 7 {
        return input_json(input);
    }
    let name = quoted(input.pick(&["a", "b", "c-d", "pdf", "A", ""]));
    let mut fields = vec![format!(r#""name":{name},"description":"d""#)];
    if is_new {
        let kind = input.pick(&["skill-md", "archive", "later"]);
        fields.push(format!(
            r#""type":"{kind}","url":{}"#,
            input.word(&WORDS[20..21])
        ));
        fields.push(format!(r#""digest":"{}""#, WORDS[22]));
    } else {
        let files = 0..input.below(4);
        let file = files.map(|_| input.word(&["SKILL.md", "a", "a/b", "a/b/c", "..", "/x"]));
        let files: Vec<String> = file.collect();
        let first = if input.below(8) == 0 {
            ""
        } else {
            r#""SKILL.md","#
        };
        let files = [first, &files.join(",")].concat();
        fields.push(format!(r#""files":[{}]"#, files.trim_end_matches(',')));
    }
    if input.below(4) == 3 {
        let (key, value) = (input.word(&WORDS), input_json(input));
        fields.push(format!("{key}:{value}"));
    }
    format!("{{{}}}", fields.join(","))
}

/// A value that is JSON.
fn input_json(input: &mut Input<'_>) -> String {
    let json = input.json(&WORDS, 2);
    match skillshelf::Value::from_json(&json) {
        Some(_) => json,
        None => "7".to_owned(),
    }
}

/// Where an index is, and what is a page, is told of any text.
fn check_addresses(text: &str) {
    let path = ["/", text].concat();
    let paths = index_paths(&path);
    assert!(matches!(paths.len(), 0 | 2 | 4), "{paths:?}");
    assert!(
        paths
            .iter()
            .all(|path| path.starts_with('/') && path.ends_with("/index.json"))
    );
    let _ = (is_page(text), may_be_page(text));
}
