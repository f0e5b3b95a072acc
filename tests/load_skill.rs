//! What a model gets when it loads a skill.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use serde_json::json;
use skillshelf::{Limits, LoadOptions, ToolOptions, ToolResult, Wrapper};
use support::{
    Abilities, Disk, body, call_with, disk_of, disk_with, found, load, load_skill, load_with,
    owned, skill, skill_with,
};

const HOSTS: [(&str, Abilities); 5] = [
    ("full", Abilities::FULL),
    ("smallest", Abilities::SMALLEST),
    ("without open", Abilities::WITHOUT_OPEN),
    ("without stat", Abilities::WITHOUT_STAT),
    ("folding", Abilities::FOLDING),
];

const FILES_SENTENCE: &str = "Paths in these instructions are relative to the skill's directory; read its files with `read_skill_file`.";

fn wrapped(catalog: &skillshelf::Catalog, disk: &Disk, name: &str, wrapper: Wrapper) -> ToolResult {
    let options = ToolOptions {
        wrapper,
        ..ToolOptions::default()
    };
    call_with(
        catalog,
        disk,
        "load_skill",
        &json!({ "name": name }),
        options,
    )
}

#[test]
fn the_body_stands_in_its_tag_with_directory_and_files() {
    for (host, abilities) in HOSTS {
        let mut disk = disk_with(&[
            (
                "s/demo/SKILL.md",
                skill_with("demo", "", "\n\n# Do it\r\n\r\n---\n  code  \n\n"),
            ),
            ("s/demo/b.md", String::new()),
            ("s/demo/scripts/a.sh", String::new()),
            ("s/demo/a&b.md", String::new()),
        ]);
        disk.abilities = abilities;
        let result = load_skill(&load(&disk), &disk, "demo");
        assert!(!result.is_error());
        assert_eq!(result.skill.as_deref(), Some("demo"));
        assert_eq!(
            result.content,
            format!(
                "<skill_content name=\"demo\">\n# Do it\r\n\r\n---\n  code\n</skill_content>\n\nSkill directory: /s/demo\n{FILES_SENTENCE}\n\n<skill_resources>\n<file>a&amp;b.md</file>\n<file>b.md</file>\n<file>scripts/a.sh</file>\n</skill_resources>"
            ),
            "{host}"
        );
    }
}

#[test]
fn wrappers_and_the_directory_can_be_chosen() {
    let mut disk = disk_of(&["demo"]);
    let catalog = load(&disk);
    let tail = "\n\nSkill directory: /s/demo";
    for (wrapper, expected) in [
        (
            Wrapper::SkillContent,
            "<skill_content name=\"demo\">\nThe body of demo.\n</skill_content>",
        ),
        (
            Wrapper::Skill,
            "<skill name=\"demo\">\nThe body of demo.\n</skill>",
        ),
        (Wrapper::None, "The body of demo."),
    ] {
        assert_eq!(
            wrapped(&catalog, &disk, "demo", wrapper).content,
            format!("{expected}{tail}")
        );
    }
    let without_directory = |disk: &Disk| {
        let options = ToolOptions {
            directory: false,
            ..ToolOptions::default()
        };
        let arguments = json!({ "name": "demo" });
        call_with(&catalog, disk, "load_skill", &arguments, options).content
    };
    assert_eq!(
        without_directory(&disk),
        "<skill_content name=\"demo\">\nThe body of demo.\n</skill_content>",
        "there is nothing to read"
    );
    disk.write("s/demo/a.md", b"");
    let content = without_directory(&disk);
    assert!(
        !content.contains("/s/demo") && content.contains(FILES_SENTENCE),
        "{content}"
    );
}

#[test]
fn only_the_wrappers_own_tag_is_escaped_and_only_its_first_character() {
    let text = "<skill_content name=\"x\"> </skill_content> </skill> <skill> <skills> </skill-x> <SKILL_CONTENT> < /skill_content> a < b &lt; &amp; <b>";
    let disk = disk_with(&[("s/demo/SKILL.md", skill_with("demo", "", text))]);
    for (wrapper, expected, tag) in [
        (
            Wrapper::SkillContent,
            "&lt;skill_content name=\"x\"> &lt;/skill_content> </skill> <skill> <skills> </skill-x> &lt;SKILL_CONTENT> &lt; /skill_content> a < b &lt; &amp; <b>",
            "skill_content",
        ),
        (
            Wrapper::Skill,
            "<skill_content name=\"x\"> </skill_content> &lt;/skill> &lt;skill> <skills> </skill-x> <SKILL_CONTENT> < /skill_content> a < b &lt; &amp; <b>",
            "skill",
        ),
        (Wrapper::None, text, ""),
    ] {
        let catalog = load(&disk);
        for _ in 0..2 {
            let content = wrapped(&catalog, &disk, "demo", wrapper).content;
            assert!(content.contains(expected), "{content}");
            if !tag.is_empty() {
                assert_eq!(
                    content.matches(&format!("</{tag}>")).count(),
                    1,
                    "{content}"
                );
                assert_eq!(content.matches(&format!("<{tag} ")).count(), 1, "{content}");
            }
        }
        let expected: &[(&str, &str)] = if tag.is_empty() {
            &[]
        } else {
            &[("wrapper-tag-in-body", "/s/demo/SKILL.md")]
        };
        assert_eq!(found(&catalog), owned(expected), "said once");
        assert_eq!(
            body(&catalog, &disk, "demo").unwrap(),
            text,
            "the developer gets it verbatim"
        );
    }
}

#[test]
fn a_name_cannot_leave_its_attribute() {
    let disk = disk_with(&[(
        "s/x/SKILL.md",
        "---\nname: 'a\"><b> &'\ndescription: X.\n---\nBody\n",
    )]);
    let catalog = load(&disk);
    let content = load_skill(&catalog, &disk, &catalog.names()[0]).content;
    assert!(
        content.starts_with("<skill_content name=\"a&quot;&gt;&lt;b&gt; &amp;\">\nBody\n"),
        "{content}"
    );
}

fn many_files(count: usize) -> Disk {
    let mut disk = disk_of(&["demo"]);
    for number in 0..count {
        disk.write(&format!("s/demo/d{}/f{number:04}.md", number % 7), "");
    }
    disk
}

#[test]
fn fifty_files_are_listed_and_a_thousand_counted() {
    for (count, more) in [
        (0, None),
        (1, None),
        (50, None),
        (51, Some("And 1 more file.")),
        (1000, Some("And 950 more files.")),
        (1001, Some("And at least 950 more files.")),
        (3000, Some("And at least 950 more files.")),
    ] {
        for order in [None, Some(3)] {
            let mut disk = many_files(count);
            disk.order = order;
            let content = load_skill(&load(&disk), &disk, "demo").content;
            assert_eq!(content.matches("<file>").count(), count.min(50), "{count}");
            match more {
                Some(more) => assert!(content.ends_with(more), "{count}: {content}"),
                None => assert!(!content.contains(" more file"), "{count}: {content}"),
            }
        }
    }
    let disk = many_files(20);
    let limits = Limits {
        listed_files: 3,
        ..Limits::default()
    };
    let catalog = load_with(
        &disk,
        LoadOptions {
            limits,
            ..LoadOptions::default()
        },
    );
    assert!(
        load_skill(&catalog, &disk, "demo")
            .content
            .ends_with("And 17 more files.")
    );
}

#[test]
fn the_same_files_are_listed_in_any_order() {
    let mut disk = many_files(1500);
    let catalog = load(&disk);
    let first = load_skill(&catalog, &disk, "demo");
    for seed in 0..5 {
        disk.order = Some(seed);
        assert_eq!(load_skill(&catalog, &disk, "demo"), first);
    }
}

#[test]
fn files_are_sorted_and_hidden_ones_left_out() {
    let disk = disk_with(&[
        ("s/demo/SKILL.md", skill("demo", "D.")),
        ("s/demo/z.md", String::new()),
        ("s/demo/a/z.md", String::new()),
        ("s/demo/a.md", String::new()),
        ("s/demo/.env", String::new()),
        ("s/demo/.git/config", String::new()),
        ("s/demo/node_modules/x/index.js", String::new()),
        ("s/demo/sub/SKILL.md", String::new()),
        ("s/demo/bad\nname", String::new()),
    ]);
    let content = load_skill(&load(&disk), &disk, "demo").content;
    let (_, list) = content.split_once("<skill_resources>\n").unwrap();
    assert_eq!(
        list,
        "<file>a.md</file>\n<file>a/z.md</file>\n<file>sub/SKILL.md</file>\n<file>z.md</file>\n</skill_resources>"
    );
}

#[test]
fn a_deep_or_endless_tree_of_files_ends() {
    let mut disk = disk_of(&["demo"]);
    let deep = vec!["d"; 200].join("/");
    disk.write(&format!("s/demo/{deep}/x.md"), "");
    disk.link("s/demo/loop", ".");
    for number in 0..1500 {
        disk.directory(&format!("s/demo/empty{number:04}"));
    }
    let catalog = load(&disk);
    disk.take_log();
    let result = load_skill(&catalog, &disk, "demo");
    assert!(!result.is_error());
    assert!(
        disk.take_counts().lists <= 1001,
        "directories are bounded too"
    );
}

#[test]
fn a_large_body_is_whole_up_to_its_limit() {
    for (host, abilities) in HOSTS {
        let text = |length: usize| skill_with("demo", "", &"é".repeat(length / 2));
        let mut disk = disk_with(&[("s/demo/SKILL.md", text(1_048_576))]);
        disk.abilities = abilities;
        let catalog = load(&disk);
        assert_eq!(
            body(&catalog, &disk, "demo").unwrap().len(),
            1_048_576,
            "{host}"
        );
        assert!(
            load_skill(&catalog, &disk, "demo").content.len() > 1_048_576,
            "{host}"
        );
        for length in [1_048_578, 1_200_000, 3_000_000] {
            disk.write("s/demo/SKILL.md", text(length));
            let result = load_skill(&catalog, &disk, "demo");
            assert_eq!(result.code(), Some("FILE_TOO_LARGE"), "{host} {length}");
            assert!(
                result.content.contains("1048576"),
                "the limit: {}",
                result.content
            );
            assert!(
                result.content.contains("\"SKILL.md\" has "),
                "the size: {}",
                result.content
            );
            assert!(result.content.len() < 300);
            assert_eq!(
                body(&catalog, &disk, "demo").unwrap_err().code(),
                "FILE_TOO_LARGE"
            );
        }
    }
    let disk = disk_with(&[("s/demo/SKILL.md", skill_with("demo", "", "0123456789"))]);
    for (limit, fits) in [(10, true), (9, false)] {
        let limits = Limits {
            body: limit,
            ..Limits::default()
        };
        let catalog = load_with(
            &disk,
            LoadOptions {
                limits,
                ..LoadOptions::default()
            },
        );
        assert_eq!(load_skill(&catalog, &disk, "demo").is_error(), !fits);
    }
}

#[test]
fn a_body_may_be_empty() {
    let disk = disk_with(&[("s/demo/SKILL.md", "---\nname: demo\ndescription: D.\n---")]);
    let catalog = load(&disk);
    assert_eq!(body(&catalog, &disk, "demo").unwrap(), "");
    let content = load_skill(&catalog, &disk, "demo").content;
    assert!(
        content.starts_with("<skill_content name=\"demo\">\n\n</skill_content>"),
        "{content}"
    );
}

#[test]
fn hidden_characters_are_kept_unless_stripped() {
    let text = "Zero\u{200b}width";
    let disk = disk_with(&[("s/demo/SKILL.md", skill_with("demo", "", text))]);
    for (strip, expected) in [(false, text), (true, "Zerowidth")] {
        let catalog = load_with(
            &disk,
            LoadOptions {
                strip,
                ..LoadOptions::default()
            },
        );
        assert_eq!(body(&catalog, &disk, "demo").unwrap(), expected);
        assert!(
            load_skill(&catalog, &disk, "demo")
                .content
                .contains(expected)
        );
        let told = catalog.diagnostics();
        let told: Vec<_> = told
            .iter()
            .map(|found| (found.code, found.path.as_deref()))
            .collect();
        let expected = ("hidden-characters", Some("/s/demo/SKILL.md"));
        assert_eq!(
            told,
            vec![expected; usize::from(!strip)],
            "once, whoever is given it"
        );
    }
}

#[test]
fn stripping_reaches_every_field_that_is_text() {
    let lines = "license: L\u{200b}1\ncompatibility: C\u{200b}2\nversion: 1\u{200b}.2\n\
                 trigger: T\u{202e}3\nallowed-tools: Re\u{200b}ad Write\nx: X\u{200b}\n";
    let disk = disk_with(&[
        (
            "s/demo/SKILL.md",
            format!("---\nname: demo\ndescription: D\u{200b} \u{200b}\n{lines}---\nB \u{200b}\n"),
        ),
        (
            "s/meta/SKILL.md",
            skill_with("meta", "metadata: {version: \"2\u{200b}.0\"}\n", ""),
        ),
        (
            "s/nothing/SKILL.md",
            "---\nname: nothing\ndescription: \"\u{200b}\"\n---\n".to_owned(),
        ),
    ]);
    let options = LoadOptions {
        strip: true,
        ..LoadOptions::default()
    };
    let catalog = load_with(&disk, options);
    assert_eq!(
        catalog.names(),
        ["demo", "meta"],
        "what is empty by then is missing"
    );
    let demo = support::public_skill(&catalog, &disk, "demo").unwrap();
    for (field, expected) in [
        ("description", json!("D")),
        ("license", json!("L1")),
        ("compatibility", json!("C2")),
        ("version", json!("1.2")),
        ("trigger", json!("T3")),
        ("allowedTools", json!(["Read", "Write"])),
    ] {
        assert_eq!(demo[field], expected, "{field}");
    }
    assert_eq!(
        demo["frontMatter"]["license"], "L\u{200b}1",
        "as it was written"
    );
    assert_eq!(body(&catalog, &disk, "demo").unwrap(), "B", "trimmed");
    let meta = support::public_skill(&catalog, &disk, "meta").unwrap();
    assert_eq!(meta["version"], "2.0");
}

#[test]
fn short_reads_do_not_cut_a_body_silently() {
    let text = skill_with("demo", "", &"x".repeat(10_000));
    let mut disk = disk_with(&[("s/demo/SKILL.md", text)]);
    let catalog = load(&disk);
    disk.abilities.reads_at_most = Some(5000);
    let result = load_skill(&catalog, &disk, "demo");
    let xs = result.content.matches('x').count();
    assert!(
        result.is_error() || xs >= 10_000,
        "{xs} characters of 10000 without a word"
    );
}
