//! Skills from code and other catalogs, alone and mixed with directories.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use serde_json::json;
use skillshelf::{
    Catalog, Error, Invalid, LoadOptions, Mode, ParseOptions, SkillSpec, Source, parse_skill,
};
use support::{
    Abilities, Disk, body, disk_of, disk_with, found, load, load_skill, load_sources, owned,
    path_of, public_skill, read_file, refresh, skill, skill_with,
};

fn spec(name: &str, content: &str) -> SkillSpec {
    let json =
        json!({ "name": name, "description": format!("Defined {name}."), "content": content });
    SkillSpec::from_json(&json.to_string()).unwrap()
}

fn defined(name: &str) -> Source {
    Source::defined(spec(name, "From code."), None)
}

fn catalog_of(disk: &Disk, sources: Vec<Source>) -> Catalog {
    load_sources(disk, sources, LoadOptions::default()).expect("the catalog loads")
}

#[test]
fn a_defined_skill_is_a_source() {
    let disk = Disk::default();
    let catalog = catalog_of(&disk, vec![Source::defined(spec("x", "  Do it.\n"), None)]);
    assert_eq!(catalog.names(), ["x"]);
    assert_eq!(found(&catalog), []);
    assert_eq!(body(&catalog, &disk, "x").unwrap(), "Do it.");
    assert_eq!(
        load_skill(&catalog, &disk, "x").content,
        "<skill_content name=\"x\">\nDo it.\n</skill_content>"
    );
    assert_eq!(
        read_file(&catalog, &disk, "x", "a.md").code(),
        Some("PATH_REFUSED")
    );
    assert!(disk.take_log().is_empty(), "nothing of a host is needed");
    let shown = public_skill(&catalog, &disk, "x").unwrap();
    assert_eq!(shown["content"], "  Do it.\n", "as it was given");
    assert!(shown.get("source").is_none());
    let changes = refresh(&catalog, &disk);
    assert!(changes.added.is_empty() && changes.changed.is_empty() && changes.removed.is_empty());
}

#[test]
fn what_nobody_sees_is_told_of_each_defined_skill_once() {
    let disk = Disk::default();
    let hidden = |name| Source::defined(spec(name, "Do\u{200b}it."), None);
    let catalog = catalog_of(&disk, vec![hidden("x"), hidden("y")]);
    for name in ["x", "y", "x"] {
        body(&catalog, &disk, name).unwrap();
    }
    let told = catalog.diagnostics();
    let told: Vec<_> = told
        .iter()
        .map(|it| (it.code, it.skill.as_deref()))
        .collect();
    let of = |name| ("hidden-characters", Some(name));
    assert_eq!(told, [of("x"), of("y")]);
}

#[test]
fn a_defined_skill_may_have_files() {
    let disk = disk_with(&[
        ("files/a.md", "A"),
        ("files/sub/b.md", "B"),
        ("secret", "SECRET"),
    ]);
    let catalog = catalog_of(
        &disk,
        vec![Source::defined(
            spec("x", "Do it."),
            Some(disk.place("files")),
        )],
    );
    let content = load_skill(&catalog, &disk, "x").content;
    assert!(content.contains("Skill directory: /files\n"), "{content}");
    assert!(
        content.contains("<file>a.md</file>\n<file>sub/b.md</file>"),
        "{content}"
    );
    assert_eq!(read_file(&catalog, &disk, "x", "sub/b.md").content, "B");
    assert_eq!(
        read_file(&catalog, &disk, "x", "../secret").code(),
        Some("PATH_REFUSED")
    );
    let result = read_file(&catalog, &disk, "x", "SKILL.md");
    assert_eq!(result.code(), Some("FILE_NOT_FOUND"));
}

#[test]
fn a_defined_skill_whose_directory_is_not_there_says_so_and_loads() {
    for abilities in [Abilities::FULL, Abilities::SMALLEST] {
        let mut disk = disk_with(&[("files/a.md", "A")]);
        disk.abilities = abilities;
        let load = |disk: &Disk, directory: &str| {
            let files = Some(disk.place(directory));
            catalog_of(disk, vec![Source::defined(spec("x", "Do it."), files)])
        };
        assert_eq!(found(&load(&disk, "files")), []);
        for (directory, problem) in [
            ("file", "is not there"),
            ("files/a.md", "is not"),
            ("files", "could not be read: EACCES"),
        ] {
            if directory == "files" {
                disk.failing.insert("files".to_owned());
            }
            let catalog = load(&disk, directory);
            assert_eq!(body(&catalog, &disk, "x").unwrap(), "Do it.");
            let shown = format!("/{directory}");
            assert_eq!(
                found(&catalog),
                owned(&[("files-directory-missing", shown.as_str())])
            );
            let [finding] = &catalog.diagnostics()[..] else {
                panic!("one finding")
            };
            assert!(finding.message.contains(problem), "{}", finding.message);
            assert_eq!(finding.skill.as_deref(), Some("x"));
            assert!(!finding.is_error());
        }
        disk.failing.clear();
        let catalog = load(&disk, "late");
        disk.write("late/a.md", "A");
        refresh(&catalog, &disk);
        assert_eq!(found(&catalog), [], "it is there now");
    }
}

#[test]
fn the_directory_of_a_defined_skill_is_a_jail() {
    let mut disk = disk_with(&[("files/a.md", "A"), ("secret", "SECRET")]);
    disk.link("files/loot", "/secret");
    disk.link("files/fine", "a.md");
    let catalog = catalog_of(
        &disk,
        vec![Source::defined(
            spec("x", "Do it."),
            Some(disk.place("files")),
        )],
    );
    assert_eq!(
        read_file(&catalog, &disk, "x", "loot").code(),
        Some("PATH_REFUSED")
    );
    assert_eq!(read_file(&catalog, &disk, "x", "fine").content, "A");
    assert!(!load_skill(&catalog, &disk, "x").content.contains("loot"));
}

#[test]
fn defined_skills_and_directories_mix_by_precedence() {
    let disk = disk_of(&["x", "y"]);
    let code_first = catalog_of(&disk, vec![defined("x"), disk.source("s")]);
    assert_eq!(code_first.names(), ["x", "y"]);
    assert_eq!(body(&code_first, &disk, "x").unwrap(), "From code.");
    assert_eq!(
        found(&code_first),
        owned(&[("name-shadowed", "/s/x/SKILL.md")])
    );
    let disk_first = catalog_of(&disk, vec![disk.source("s"), defined("x")]);
    assert_eq!(body(&disk_first, &disk, "x").unwrap(), "The body of x.");
    assert_eq!(found(&disk_first), owned(&[("name-shadowed", "")]));
    let message = &disk_first.diagnostics()[0].message;
    assert!(
        message.contains("/s/x/SKILL.md") && message.contains("code"),
        "{message}"
    );
}

#[test]
fn two_defined_skills_of_one_name() {
    let disk = Disk::default();
    let sources = || {
        vec![
            Source::defined(spec("x", "First."), None),
            Source::defined(spec("x", "Second."), None),
        ]
    };
    let catalog = catalog_of(&disk, sources());
    assert_eq!(body(&catalog, &disk, "x").unwrap(), "First.");
    assert_eq!(catalog.diagnostics().len(), 1);
    let options = LoadOptions {
        invalid: Invalid::Throw,
        ..LoadOptions::default()
    };
    assert!(
        load_sources(&disk, sources(), options).is_ok(),
        "each is a source of its own"
    );
}

#[test]
fn a_catalog_is_a_source_and_stays_linked_to_its_files() {
    let mut disk = disk_of(&["a", "b"]);
    let inner = load(&disk);
    let outer = catalog_of(&disk, vec![defined("c"), Source::Catalog(inner.clone())]);
    assert_eq!(outer.names(), ["a", "b", "c"]);
    assert_eq!(
        path_of(&outer, &disk, "a").as_deref(),
        Some("/s/a/SKILL.md")
    );
    assert_eq!(body(&outer, &disk, "a").unwrap(), "The body of a.");
    disk.write("s/a/SKILL.md", skill_with("a", "", "Edited."));
    disk.write("s/a/note.md", "N");
    assert_eq!(body(&outer, &disk, "a").unwrap(), "Edited.");
    assert_eq!(read_file(&outer, &disk, "a", "note.md").content, "N");
    let changes = refresh(&outer, &disk);
    assert_eq!(
        changes.changed,
        ["a"],
        "an edit is seen through the inner catalog"
    );
    assert_eq!(refresh(&outer, &disk).changed, Vec::<String>::new());
}

#[test]
fn a_catalog_that_was_loaded_costs_no_reading_again() {
    let disk = disk_of(&["a", "b"]);
    let inner = load(&disk);
    disk.take_log();
    let outer = catalog_of(&disk, vec![Source::Catalog(inner.clone())]);
    assert_eq!(outer.names(), inner.names());
    assert_eq!(disk.take_counts().reads, 0);
}

#[test]
fn a_view_as_a_source_gives_what_it_shows() {
    let disk = disk_of(&["pdf", "doc"]);
    let inner = support::only(&load(&disk), &disk, &["pdf"]);
    let outer = catalog_of(&disk, vec![Source::Catalog(inner)]);
    assert_eq!(outer.names(), ["pdf"]);
    assert_eq!(
        load_skill(&outer, &disk, "doc").code(),
        Some("SKILL_NOT_FOUND")
    );
}

#[test]
fn a_catalog_and_its_directory_are_one_without_a_conflict() {
    let disk = disk_of(&["a"]);
    let inner = load(&disk);
    for sources in [
        vec![Source::Catalog(inner.clone()), disk.source("s")],
        vec![disk.source("s"), Source::Catalog(inner.clone())],
        vec![
            Source::Catalog(inner.clone()),
            Source::Catalog(inner.clone()),
        ],
    ] {
        let catalog = catalog_of(&disk, sources);
        assert_eq!(catalog.names(), ["a"]);
        assert_eq!(found(&catalog), []);
    }
}

#[test]
fn the_inner_catalogs_refresh_shows_in_the_outer_ones() {
    let mut disk = disk_of(&["a"]);
    let inner = load(&disk);
    let outer = catalog_of(&disk, vec![Source::Catalog(inner.clone())]);
    disk.write("s/b/SKILL.md", skill("b", "B."));
    refresh(&inner, &disk);
    let changes = refresh(&outer, &disk);
    assert_eq!(changes.added, ["b"]);
    disk.remove("s/a");
    let changes = refresh(&outer, &disk);
    assert_eq!(changes.removed, ["a"], "its file is gone");
    assert_eq!(inner.names(), ["a", "b"], "the inner one was not refreshed");
}

#[test]
fn one_skill_of_a_catalog_is_a_source() {
    let mut disk = disk_of(&["a", "b"]);
    let inner = load(&disk);
    let id = inner.ids()[0];
    let record = inner.record(id, "a").unwrap();
    let outer = catalog_of(&disk, vec![Source::Known(record)]);
    assert_eq!(outer.names(), ["a"]);
    disk.write("s/a/SKILL.md", skill_with("a", "", "Edited."));
    assert_eq!(body(&outer, &disk, "a").unwrap(), "Edited.");
    assert_eq!(refresh(&outer, &disk).changed, ["a"]);
}

#[test]
fn other_options_judge_a_catalogs_skills_anew() {
    let disk = disk_with(&[
        ("s/a/SKILL.md", skill("Odd Name", "A.")),
        ("s/b/SKILL.md", skill("b", "B.")),
    ]);
    let inner = load(&disk);
    assert_eq!(inner.count(), 2);
    let strict = LoadOptions {
        mode: Mode::Strict,
        ..LoadOptions::default()
    };
    let outer = load_sources(&disk, vec![Source::Catalog(inner)], strict).unwrap();
    assert_eq!(outer.names(), ["b"]);
}

#[test]
fn versions_are_passed_on() {
    let disk = disk_with(&[
        (
            "one/demo/SKILL.md",
            skill_with("demo", "version: 1\n", "First"),
        ),
        (
            "two/demo/SKILL.md",
            skill_with("demo", "version: 2\n", "Second"),
        ),
    ]);
    let inner = catalog_of(&disk, vec![disk.source("one"), disk.source("two")]);
    let outer = catalog_of(&disk, vec![Source::Catalog(inner)]);
    assert_eq!(body(&outer, &disk, "demo").unwrap(), "First");
    assert_eq!(body(&outer, &disk, "demo@2").unwrap(), "Second");
}

#[test]
fn definitions_are_checked_field_by_field() {
    let good = json!({ "name": "x", "description": "X.", "content": "Do." });
    let with = |key: &str, value: serde_json::Value| {
        let mut spec = good.clone();
        spec[key] = value;
        SkillSpec::from_json(&spec.to_string())
    };
    for (key, value) in [
        ("name", json!("Bad")),
        ("name", json!("-x")),
        ("name", json!("_x")),
        ("name", json!("x".repeat(65))),
        ("name", json!("")),
        ("name", json!("x\n")),
        ("name", json!(null)),
        ("description", json!("")),
        ("description", json!(" \n\u{3000}")),
        ("description", json!(["x"])),
        ("content", json!("")),
        ("content", json!("\n")),
        ("content", json!(7)),
        ("version", json!(1)),
        ("allowedTools", json!("Read")),
        ("allowedTools", json!([1])),
        ("metadata", json!([])),
        ("modelInvocable", json!("true")),
        ("extra", json!({ "description": "y" })),
    ] {
        let Err(Error::SkillInvalid(found)) = with(key, value.clone()) else {
            panic!("{key}: {value} is refused")
        };
        assert_eq!(found.len(), 1, "{key}: {value}");
        assert!(
            found[0].is_error() && found[0].message.contains(key),
            "{found:?}"
        );
        assert!(found[0].hint.is_some(), "{found:?}");
    }
    for (key, value) in [
        ("name", json!("0-_x_-")),
        ("name", json!("x".repeat(64))),
        ("version", json!(null)),
        ("allowedTools", json!([])),
        ("modelInvocable", json!(false)),
        ("extra", json!({ "__proto__": { "polluted": true } })),
        ("metadata", json!({ "deep": [{ "er": null }] })),
    ] {
        assert!(with(key, value.clone()).is_ok(), "{key}: {value}");
    }
    let Err(Error::SkillInvalid(all)) = SkillSpec::from_json("{}") else {
        panic!("it is refused")
    };
    assert_eq!(all.len(), 3, "every fault at once: {all:?}");
}

#[test]
fn a_definition_written_and_read_is_the_same() {
    let json = json!({
        "name": "x_y", "description": "Line one\nline two: #3", "content": "---\nBody\n---", "version": "1.10",
        "license": "MIT", "compatibility": "any", "allowedTools": ["Bash(git add *)", "Read"],
        "metadata": { "n": 1, "l": [true, null, "x"], "m": { "k": "v" } }, "trigger": "yes",
        "modelInvocable": false, "userInvocable": false, "extra": { "z": "null", "a": [] },
    });
    let spec = SkillSpec::from_json(&json.to_string()).unwrap();
    let parsed = parse_skill(
        spec.to_text().unwrap().into_bytes(),
        ParseOptions::default(),
    )
    .run(|_| unreachable!("ASCII names need nothing"))
    .unwrap();
    assert_eq!(parsed.skill.as_ref(), Some(spec.skill()));
    assert_eq!(parsed.body.as_deref(), Some(spec.content()));
}

#[test]
fn a_version_in_the_metadata_counts_alike_in_code_and_in_a_file() {
    for (version, expected) in [
        (json!("1.10"), Some("1.10")),
        (json!(2), Some("2")),
        (json!(1.5), Some("1.5")),
        (json!(""), None),
        (json!(null), None),
        (json!(true), None),
        (json!(["1"]), None),
    ] {
        let spec = json!({
            "name": "x", "description": "X.", "content": "Do.", "metadata": { "version": version },
        });
        let spec = SkillSpec::from_json(&spec.to_string()).unwrap();
        let parsed = parse_skill(
            spec.to_text().unwrap().into_bytes(),
            ParseOptions::default(),
        )
        .run(|_| unreachable!("ASCII names need nothing"))
        .unwrap();
        let parsed = parsed.skill.expect("it loads");
        assert_eq!(parsed.version.as_deref(), expected, "{version} in a file");
        assert_eq!(
            spec.skill().version.as_deref(),
            expected,
            "{version} in code"
        );
    }
}
