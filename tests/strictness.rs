//! One set of rules, two readings: what loading tolerates, validating reports, all of it.
#![cfg(not(target_arch = "wasm32"))]

use skillshelf::{
    Diagnostic, Mode, ParseOptions, Reply, Request, ValidateOptions, parse_skill, validate_skill,
};

/// A file in the directory `demo`, and each finding with its place and its two severities.
type Row<'a> = (&'a str, &'a [(&'a str, (u32, u32), char, char)]);

const ROWS: [Row; 12] = [
    ("name: demo\ndescription: D.\n", &[]),
    (
        "name: other\ndescription: D.\n",
        &[("name-directory-mismatch", (2, 7), 'w', 'e')],
    ),
    (
        "name: De Mo\ndescription: D.\n",
        &[
            ("name-invalid", (2, 7), 'w', 'e'),
            ("name-directory-mismatch", (2, 7), 'w', 'e'),
        ],
    ),
    (
        "name: other\ndescription: D.\ncompatibility: [a]\n",
        &[
            ("name-directory-mismatch", (2, 7), 'w', 'e'),
            ("field-not-text", (4, 16), 'w', 'e'),
        ],
    ),
    (
        "name: other\n",
        &[
            ("name-directory-mismatch", (2, 7), 'w', 'e'),
            ("description-missing", (1, 1), 'e', 'e'),
        ],
    ),
    ("description: D.\n", &[("name-missing", (1, 1), 'w', 'e')]),
    (
        "name: demo\ndescription: ~\n",
        &[("description-missing", (3, 14), 'e', 'e')],
    ),
    (
        "name: demo\ndescription: [a]\n",
        &[("description-not-text", (3, 14), 'e', 'e')],
    ),
    (
        "name: demo\ndescription: D.\nmetadata: x\n",
        &[("metadata-not-a-map", (4, 11), 'w', 'e')],
    ),
    (
        "name: demo\ndescription: D.\nmetadata: {n: 1}\nallowed-tools: A, B\ncolor: red\n",
        &[
            ("metadata-not-text", (4, 11), 'w', 'w'),
            ("allowed-tools-form", (5, 16), 'w', 'w'),
            ("field-unknown", (6, 1), 'w', 'w'),
        ],
    ),
    (
        "name: demo\ndescription: D.\ndisable-model-invocation: \"true\"\n",
        &[
            ("field-extension", (4, 1), 'i', 'w'),
            ("flag-not-boolean", (4, 27), 'w', 'w'),
        ],
    ),
    (
        "name: a/b\ndescription: D.\n",
        &[("name-unusable", (2, 7), 'w', 'e')],
    ),
];

type Finding = (String, (u32, u32), char);

fn told(diagnostics: &[Diagnostic]) -> Vec<Finding> {
    let mut told: Vec<Finding> = diagnostics
        .iter()
        .map(|found| {
            let place = found.position.map(|place| (place.line, place.column));
            let severity = format!("{:?}", found.severity).to_lowercase();
            let letter = severity.chars().next().unwrap_or_default();
            (found.code.to_string(), place.unwrap_or_default(), letter)
        })
        .collect();
    told.sort();
    told
}

fn expected(findings: &[(&str, (u32, u32), char, char)], mode: Mode) -> Vec<Finding> {
    let mut expected: Vec<Finding> = findings
        .iter()
        .map(|&(code, place, lenient, strict)| {
            let severity = if mode == Mode::Strict {
                strict
            } else {
                lenient
            };
            (code.to_owned(), place, severity)
        })
        .collect();
    expected.sort();
    expected
}

fn normalized(request: &Request) -> Reply {
    match request {
        Request::Normalize { text } => Reply::Text(text.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn parsing_tells_the_same_in_both_modes() {
    for (front, findings) in ROWS {
        for mode in [Mode::Lenient, Mode::Strict] {
            let options = ParseOptions {
                path: Some("skills/demo/SKILL.md".to_owned()),
                mode,
                ..ParseOptions::default()
            };
            let file = format!("---\n{front}---\nBody\n");
            let parsed = parse_skill(file.into_bytes(), options)
                .run(normalized)
                .unwrap();
            assert_eq!(
                told(&parsed.diagnostics),
                expected(findings, mode),
                "{mode:?} {front}"
            );
            let is_faulty = parsed.diagnostics.iter().any(Diagnostic::is_error);
            assert_eq!(parsed.skill.is_none(), is_faulty, "{mode:?} {front}");
            assert_eq!(parsed.body.is_none(), is_faulty, "{mode:?} {front}");
        }
    }
}

#[test]
fn validating_reports_every_departure() {
    for (front, findings) in ROWS {
        let files = vec![(
            "SKILL.md".to_owned(),
            Some(format!("---\n{front}---\nBody\n").into_bytes()),
        )];
        let options = ValidateOptions {
            directory: Some("demo".to_owned()),
            ..ValidateOptions::default()
        };
        let found = validate_skill(files, options).run(normalized).unwrap();
        assert_eq!(told(&found), expected(findings, Mode::Strict), "{front}");
        assert!(
            found
                .iter()
                .all(|found| found.path.as_deref() == Some("SKILL.md"))
        );
    }
}
