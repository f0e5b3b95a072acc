//! What any developer says of how skills are fetched: it can be used, or what is wrong is named and
//! keeps secrets.

use skillshelf::{HttpOptions, MemoryCacheOptions, ToJson, Value, http_findings};

use super::input::{Input, OUTSIDE, quoted};

const WORDS: [&str; 22] = [
    "headers",
    "origins",
    "skills",
    "timeout",
    "silence",
    "deadline",
    "retries",
    "retryAfter",
    "redirects",
    "concurrency",
    "limits",
    "index",
    "file",
    "archive",
    "total",
    "unpacked",
    "files",
    "name",
    "cache",
    "read",
    "write",
    "bytes",
];

/// Judges what the bytes say.
pub fn check(data: &[u8]) {
    let mut input = Input::new(data);
    let options = options(&mut input);
    let judged = HttpOptions::from_json(&options);
    assert_eq!(judged, HttpOptions::from_json(&options));
    match judged {
        Ok(judged) => check_judged(&judged.to_json()),
        Err(error) => check_error(&error),
    }
    let json = input.json(&WORDS, 4);
    if let Ok(judged) = HttpOptions::from_json(&json) {
        check_judged(&judged.to_json());
    }
    if let Err(error) = MemoryCacheOptions::from_json(&json) {
        check_error(&error);
    }
    check_troubles(&mut input);
}

fn check_error(error: &skillshelf::Error) {
    assert_eq!(error.code(), "SOURCE_UNSUPPORTED", "{error}");
    let said = error.to_string();
    assert!(!said.contains(OUTSIDE), "{said}");
    let is_odd = |c: char| c.is_control() || c == '\u{2028}';
    assert!(said.len() < 2000 && !said.contains(is_odd), "{said:?}");
}

/// Options that are mostly in order. What is secret in them has a mark.
fn options(input: &mut Input<'_>) -> String {
    let mut options = Vec::new();
    let mut add = |key: &str, value: String| options.push(format!("\"{key}\":{value}"));
    if input.flag() {
        let secret = quoted(&format!("{OUTSIDE}"));
        let value = input.pick(&[&secret, "7", "[]", "null"]).to_owned();
        add(
            "headers",
            format!("{{{}:{value}}}", input.word(&["a", "authorization"])),
        );
    }
    if input.flag() {
        let origins = (0..input.below(3)).map(|_| {
            let scheme = input.pick(&["https://", "http://", "ftp://", "//", ""]);
            let user = input.pick(&["", "u:Ψ@", "Ψ@"]);
            let host = input.pick(&["a.example", "[::1]:8080", "a/b", "a?b", "a#b", "a\\b", ""]);
            quoted(&[scheme, user, host].concat())
        });
        let origins: Vec<String> = origins.collect();
        add("origins", format!("[{}]", origins.join(",")));
    }
    if input.flag() {
        let skills = (0..input.below(4)).map(|_| {
            let name = input.word(&["a", "b", "a b", "..", "a/b", "%2e%2e"]);
            let files = (0..input.below(4)).map(|_| input.word(&["SKILL.md", "a", "a/b", "/x"]));
            let files: Vec<String> = files.collect();
            if input.flag() {
                format!(r#"{{"name":{name},"files":[{}]}}"#, files.join(","))
            } else {
                format!(r#"{{"name":{name}}}"#)
            }
        });
        let skills: Vec<String> = skills.collect();
        add("skills", format!("[{}]", skills.join(",")));
    }
    for key in [
        "timeout",
        "silence",
        "deadline",
        "retries",
        "redirects",
        "concurrency",
    ] {
        if input.below(4) == 0 {
            let numbers = [
                "0",
                "1",
                "4294967295",
                "4294967296",
                "-1",
                "1.5",
                "null",
                "\"1\"",
            ];
            add(key, input.pick(&numbers).to_owned());
        }
    }
    if input.below(4) == 0 {
        add("limits", input.json(&WORDS[11..17], 2));
    }
    if input.below(8) == 0 {
        let key = input.pick(&WORDS);
        add(key, input.json(&WORDS, 2));
    }
    format!("{{{}}}", options.join(","))
}

/// What a host goes by can be gone by.
fn check_judged(json: &str) {
    let Some(Value::Map(judged)) = Value::from_json(json) else {
        panic!("{json}");
    };
    let list = |key: &str| match judged.get(key) {
        Some(Value::List(items)) => items.clone(),
        _ => Vec::new(),
    };
    for key in ["timeout", "silence", "deadline", "concurrency"] {
        let Some(Value::Number(number)) = judged.get(key) else {
            panic!("{json}");
        };
        assert!(*number >= 1.0, "{json}");
    }
    for origin in list("origins") {
        let origin = origin.as_str().expect("it is text");
        let host = origin
            .strip_prefix("https://")
            .or(origin.strip_prefix("http://"));
        let host = host.expect("it is of http");
        assert!(
            !host.is_empty() && !host.contains(['/', '?', '#', '\\', '@']),
            "{origin}"
        );
    }
    let mut names = Vec::new();
    for skill in list("skills") {
        let Value::Map(skill) = skill else {
            panic!("{json}");
        };
        let name = skill
            .get("name")
            .and_then(Value::as_str)
            .expect("it has a name");
        assert!(
            !name.contains('/') && !matches!(name, "" | "." | ".."),
            "{name}"
        );
        assert!(!names.contains(&name.to_owned()), "{name}");
        names.push(name.to_owned());
        let Some(Value::List(files)) = skill.get("files") else {
            panic!("{json}");
        };
        assert!(
            files.contains(&Value::String("SKILL.md".to_owned())),
            "{json}"
        );
    }
}

/// Of any troubles no more is told than of some, and each is one line.
fn check_troubles(input: &mut Input<'_>) {
    let troubles = (0..input.below(60)).map(|_| {
        let kind = input.word(&["stale", "cache", "entry", "entry", "withdrawn"]);
        format!(r#"{{"kind":{kind},"url":"u","problem":"p"}}"#)
    });
    let troubles: Vec<String> = troubles.collect();
    let Ok(findings) = http_findings(&format!(r#"{{"troubles":[{}]}}"#, troubles.join(","))) else {
        return;
    };
    assert!(findings.len() <= 23 && findings.is_empty() == troubles.is_empty());
    for kind in ["content-stale", "cache-unusable", "index-withdrawn"] {
        assert!(findings.iter().filter(|found| found.code == kind).count() <= 1);
    }
}
