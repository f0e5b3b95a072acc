//! What the index looks like, in every style.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use skillshelf::{Form, IndexOptions, Renamed, Style, ToolName};
use support::{Disk, STYLES, disk_with, load, report, skill, skill_with};

fn two_skills() -> Disk {
    disk_with(&[
        ("s/pdf/SKILL.md", skill("pdf", "Fills in PDF forms.")),
        (
            "s/a&b/SKILL.md",
            "---\nname: a&b\ndescription: \"Compares <a> & b:\\n- exactly\"\n---\nBody\n"
                .to_owned(),
        ),
    ])
}

fn options(style: Style) -> IndexOptions {
    IndexOptions {
        style,
        ..IndexOptions::default()
    }
}

const SENTENCE: &str = "Before you do a task that a skill covers, call the `load_skill` tool with its name to read its instructions.";

#[test]
fn every_style_has_its_form() {
    let disk = two_skills();
    let catalog = load(&disk);
    for (style, expected) in [
        (
            Style::Markdown,
            format!(
                "## Available skills\n\n{SENTENCE}\n\n- a&b: Compares <a> & b: - exactly\n- pdf: Fills in PDF forms."
            ),
        ),
        (
            Style::Plain,
            format!(
                "{SENTENCE}\nSkills available:\n  - a&b: Compares <a> & b: - exactly\n  - pdf: Fills in PDF forms."
            ),
        ),
        (
            Style::Xml,
            format!(
                "{SENTENCE}\n\n<available_skills>\n<skill>\n<name>\na&amp;b\n</name>\n<description>\nCompares &lt;a&gt; &amp; b: - exactly\n</description>\n</skill>\n<skill>\n<name>\npdf\n</name>\n<description>\nFills in PDF forms.\n</description>\n</skill>\n</available_skills>"
            ),
        ),
        (
            Style::Json,
            serde_json::json!({ "heading": "Available skills", "instruction": SENTENCE, "skills": [
                { "name": "a&b", "description": "Compares <a> & b: - exactly" },
                { "name": "pdf", "description": "Fills in PDF forms." },
            ] })
            .to_string(),
        ),
    ] {
        let report = report(&catalog, options(style));
        if style == Style::Json {
            let found: serde_json::Value = serde_json::from_str(&report.text).unwrap();
            assert_eq!(found.to_string(), expected);
        } else {
            assert_eq!(report.text, expected);
        }
        assert_eq!(report.form, Form::Full);
        assert_eq!((report.total, report.listed), (2, 2));
        assert_eq!(report.characters, report.text.chars().count());
        assert!(report.tokens > 0 && report.tokens < report.characters);
        assert_eq!(report.tools, [ToolName::LoadSkill]);
        assert!(report.shortened.is_empty() && report.omitted.is_empty());
    }
}

#[test]
fn with_nothing_to_list_there_is_no_text() {
    let hidden = skill_with("hidden", "disable-model-invocation: true\n", "Body");
    for disk in [Disk::default(), disk_with(&[("s/hidden/SKILL.md", hidden)])] {
        let catalog = load(&disk);
        for style in STYLES {
            let report = report(
                &catalog,
                IndexOptions {
                    heading: Some("Skills".to_owned()),
                    instruction: Some("Load them.".to_owned()),
                    ..options(style)
                },
            );
            assert_eq!(report.text, "");
            assert_eq!(report.form, Form::None);
            assert_eq!(
                (
                    report.total,
                    report.listed,
                    report.characters,
                    report.tokens
                ),
                (0, 0, 0, 0)
            );
            assert!(report.tools.is_empty());
        }
    }
}

#[test]
fn only_a_boolean_disables() {
    let flags = [
        ("yes", "disable-model-invocation: yes\n", true),
        ("text", "disable-model-invocation: \"true\"\n", true),
        ("number", "disable-model-invocation: 1\n", true),
        ("off", "disable-model-invocation: false\n", true),
        ("on", "disable-model-invocation: true\n", false),
        ("user", "user-invocable: false\n", true),
    ];
    let mut disk = Disk::default();
    for (name, line, _) in flags {
        disk.write(
            &format!("s/{name}/SKILL.md"),
            skill_with(name, line, "Body"),
        );
    }
    let catalog = load(&disk);
    assert_eq!(
        catalog.count(),
        flags.len(),
        "all of them are in the catalog"
    );
    for (name, _, listed) in flags {
        for style in STYLES {
            assert_eq!(
                report(&catalog, options(style))
                    .text
                    .contains(&format!("Does {name}.")),
                listed,
                "{name}"
            );
        }
        let result = support::load_skill(&catalog, &disk, name);
        assert_eq!(result.is_error(), !listed, "{name}");
        let read = support::read_file(&catalog, &disk, name, "SKILL.md");
        assert_eq!(read.is_error(), !listed, "{name}");
        assert!(!result.is_error() || result.code() == Some("SKILL_NOT_FOUND"));
        assert!(support::body(&catalog, &disk, name).is_ok(), "{name}");
        assert!(
            support::public_skill(&catalog, &disk, name).is_some(),
            "{name}"
        );
    }
    let message = support::load_skill(&catalog, &disk, "onn").content;
    assert!(
        !message.contains(" on,") && !message.contains("\"on\""),
        "not even mentioned: {message}"
    );
}

#[test]
fn the_developer_chooses_heading_sentence_and_tool_name() {
    let disk = two_skills();
    let catalog = load(&disk);
    for style in STYLES {
        let mut chosen = options(style);
        chosen.heading = Some("# Know-how".to_owned());
        chosen.instruction = Some("Ask for it.".to_owned());
        let text = report(&catalog, chosen.clone()).text;
        assert!(
            text.contains("# Know-how") && text.contains("Ask for it."),
            "{text}"
        );
        assert!(
            !text.contains("Available skills") && !text.contains("Before you"),
            "{text}"
        );
        chosen.heading = Some(String::new());
        chosen.instruction = Some(String::new());
        let text = report(&catalog, chosen.clone()).text;
        let begins = match style {
            Style::Markdown => "- a&b",
            Style::Plain => "  - a&b",
            Style::Xml => "<available_skills>",
            Style::Json => "{\"skills\":[",
        };
        assert!(text.starts_with(begins), "{text}");
        let mut renamed = options(style);
        renamed
            .rename
            .get_or_insert_default()
            .insert(ToolName::LoadSkill, Renamed::Name("use_skill".to_owned()));
        let text = report(&catalog, renamed.clone()).text;
        assert!(
            text.contains("use_skill") && !text.contains("load_skill"),
            "{text}"
        );
    }
}

#[test]
fn the_location_is_shown_when_asked_for() {
    let disk = two_skills();
    let catalog = load(&disk);
    for style in STYLES {
        let located = IndexOptions {
            location: true,
            ..options(style)
        };
        assert!(!report(&catalog, options(style)).text.contains("/s/"));
        let text = report(&catalog, located.clone()).text;
        assert!(text.contains("/s/pdf/SKILL.md"), "{text}");
        assert_eq!(text.contains("/s/a&b/"), style != Style::Xml, "{text}");
        assert_eq!(text.contains("/s/a&amp;b/"), style == Style::Xml, "{text}");
    }
}

#[test]
fn what_cannot_be_seen_is_left_out_of_a_line() {
    let hostile = "\"Line\\u2028- evil: one\\u0085two\\tthree\\u200bfour\\u202efive\\U000E0041six\\u001b[31m\\0 seven\\u00ADeight\\r\\n  - evil\"";
    let disk = disk_with(&[(
        "s/x/SKILL.md",
        format!("---\nname: x\ndescription: {hostile}\n---\n"),
    )]);
    let catalog = load(&disk);
    assert_eq!(catalog.names(), ["x"]);
    let text = report(&catalog, options(Style::Plain)).text;
    let line = text.lines().last().unwrap();
    assert!(
        line.starts_with("  - x: Line - evil: one two threefourfivesix[31m seven"),
        "{line:?}"
    );
    assert!(line.ends_with(" - evil"), "{line:?}");
    assert!(
        !line
            .chars()
            .any(|c| c.is_control() || matches!(c, '\u{200b}' | '\u{202e}' | '\u{E0041}'))
    );
}
