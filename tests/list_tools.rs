//! `list_skills` and `list_skill_resources`.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use serde_json::{Value as Json, json};
use skillshelf::{Catalog, IndexOptions, LoadOptions, ToolOptions, ToolResult};
use support::{
    Abilities, Disk, call_with, disk_of, disk_with, load, load_sources, report, run, skill,
    skill_with,
};

fn list(catalog: &Catalog, disk: &Disk, arguments: &Json) -> ToolResult {
    call_with(
        catalog,
        disk,
        "list_skills",
        arguments,
        ToolOptions::default(),
    )
}

fn resources(catalog: &Catalog, disk: &Disk, name: &str) -> ToolResult {
    let arguments = json!({ "skill": name });
    call_with(
        catalog,
        disk,
        "list_skill_resources",
        &arguments,
        ToolOptions::default(),
    )
}

#[test]
fn skills_are_listed_in_pages() {
    let names: Vec<String> = (0..120)
        .map(|number| format!("skill-{number:03}"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let disk = disk_of(&names);
    let catalog = load(&disk);
    for (arguments, first_line, lines, next) in [
        (json!({}), "Skills 1 to 50 of 120:", 50, Some(50)),
        (
            json!({ "offset": 50 }),
            "Skills 51 to 100 of 120:",
            50,
            Some(100),
        ),
        (
            json!({ "offset": 100, "limit": null }),
            "Skills 101 to 120 of 120:",
            20,
            None,
        ),
        (json!({ "limit": 5 }), "Skills 1 to 5 of 120:", 5, Some(5)),
        (
            json!({ "limit": 9999 }),
            "Skills 1 to 120 of 120:",
            120,
            None,
        ),
        (
            json!({ "filter": "skill-11" }),
            "Skills 1 to 10 of 10 that match \"skill-11\":",
            10,
            None,
        ),
    ] {
        let result = list(&catalog, &disk, &arguments);
        assert_eq!(result.content.lines().next(), Some(first_line));
        let listed = result.content.lines().filter(|line| line.starts_with("- "));
        assert_eq!(listed.count(), lines, "{arguments}");
        assert_eq!(result.next_offset(), next, "{arguments}");
        let last = result.content.lines().last().unwrap();
        let expected = next.map(|next| format!("[To go on, list with offset {next}.]"));
        assert_eq!(last.starts_with('['), expected.is_some(), "{arguments}");
        assert_eq!(
            Some(last.to_owned()).filter(|line| line.starts_with('[')),
            expected
        );
    }
    let past = list(&catalog, &disk, &json!({ "offset": 120 }));
    assert_eq!(past.code(), Some("TOOL_ARGUMENTS_INVALID"));
    assert_eq!(
        past.content,
        "The arguments of list_skills do not fit: offset 120 is past the end: there are 120."
    );
}

#[test]
fn a_filter_wants_all_its_words_in_name_or_description() {
    let disk = disk_with(&[
        ("s/pdf/SKILL.md", skill("pdf", "Fills in FORMS.")),
        (
            "s/docx/SKILL.md",
            skill("docx", "Writes letters and forms."),
        ),
    ]);
    let catalog = load(&disk);
    for (filter, names) in [
        ("forms", vec!["docx", "pdf"]),
        ("PDF forms", vec!["pdf"]),
        ("letters  Forms", vec!["docx"]),
        ("nothing", vec![]),
        ("", vec!["docx", "pdf"]),
        (" ", vec!["docx", "pdf"]),
    ] {
        let result = list(&catalog, &disk, &json!({ "filter": filter }));
        let listed: Vec<_> = result
            .content
            .lines()
            .filter_map(|line| line.strip_prefix("- ")?.split_once(": "))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(listed, names, "{filter}");
    }
    let none = list(&catalog, &disk, &json!({ "filter": "nothing" }));
    assert_eq!(
        none.content,
        "There is no skill that matches \"nothing\", of 2 in all."
    );
    assert!(!none.is_error());
}

#[test]
fn a_group_is_a_directory_of_skills() {
    let disk = disk_with(&[
        ("s/office/word/docx/SKILL.md", skill("docx", "D.")),
        ("s/office/pdf/SKILL.md", skill("pdf", "P.")),
        ("s/top/SKILL.md", skill("top", "T.")),
    ]);
    let catalog = load(&disk);
    for (group, names) in [("office", "docx pdf"), ("office/word", "docx"), ("top", "")] {
        let result = list(&catalog, &disk, &json!({ "group": group }));
        let listed: Vec<_> = result
            .content
            .lines()
            .filter_map(|line| line.strip_prefix("- ")?.split_once(": "))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(listed.join(" "), names, "{group}");
    }
    let last_line = |arguments: Json| {
        let content = list(&catalog, &disk, &arguments).content;
        content.lines().last().unwrap().to_owned()
    };
    let groups = "[Groups, to list with group: \"office\" (2), \"office/word\" (1).]";
    assert_eq!(last_line(json!({})), groups);
    assert_eq!(
        last_line(json!({ "group": "office" })),
        "[Groups, to list with group: \"office/word\" (1).]"
    );
    assert_eq!(last_line(json!({ "group": "nowhere" })), groups);
    assert_eq!(
        last_line(json!({ "group": "office/word" })),
        "- docx: D.",
        "no group is smaller"
    );
    assert_eq!(
        last_line(json!({ "filter": "x", "group": "nowhere" })),
        groups
    );
    assert_eq!(
        last_line(json!({ "filter": "T." })),
        "- top: T.",
        "groups of what was not found are not named"
    );
    assert_eq!(
        last_line(json!({ "offset": 1 })),
        "- top: T.",
        "who goes on has seen them"
    );
    let first = list(&catalog, &disk, &json!({ "limit": 1 })).content;
    assert!(
        first.ends_with(&format!("\n\n{groups}\n\n[To go on, list with offset 1.]")),
        "{first}"
    );
}

#[test]
fn what_the_model_may_not_load_is_not_listed() {
    let disk = disk_with(&[
        ("s/a/SKILL.md", skill("a", "A.")),
        (
            "s/b/SKILL.md",
            skill_with("b", "disable-model-invocation: true\n", "B."),
        ),
        ("s/c/SKILL.md", skill("c", "C.")),
    ]);
    let catalog = run(load(&disk).only(vec!["!c".to_owned()]), &disk);
    let result = list(&catalog, &disk, &json!({}));
    assert_eq!(result.content, "Skills 1 to 1 of 1:\n\n- a: A.");
}

#[test]
fn other_versions_are_listed_by_their_address() {
    let disk = disk_with(&[
        ("one/a/SKILL.md", skill_with("a", "version: '2'\n", "Two.")),
        ("two/a/SKILL.md", skill_with("a", "version: '1'\n", "One.")),
    ]);
    let sources = vec![disk.source("one"), disk.source("two")];
    let catalog = load_sources(&disk, sources, LoadOptions::default()).unwrap();
    let result = list(&catalog, &disk, &json!({}));
    assert_eq!(
        result.content,
        "Skills 1 to 2 of 2:\n\n- a: Does a.\n- a@1: Does a."
    );
}

#[test]
fn no_description_can_add_an_entry_to_a_list() {
    let disk = disk_with(&[("s/a/SKILL.md", skill("a", "\"x\\n- b: y\\u2028- c: z\""))]);
    let result = list(&load(&disk), &disk, &json!({}));
    assert_eq!(
        result.content,
        "Skills 1 to 1 of 1:\n\n- a: x - b: y - c: z"
    );
}

#[test]
fn the_files_of_a_skill_are_listed_as_they_are_asked_for() {
    let disk = disk_with(&[
        ("s/a/SKILL.md", skill("a", "A.")),
        ("s/a/scripts/run.sh", String::new()),
        ("s/a/references/x.md", String::new()),
        ("s/b/SKILL.md", skill("b", "B.")),
        ("s/loose.md", skill("loose", "L.")),
    ]);
    let catalog = load(&disk);
    for (name, content) in [
        (
            "a",
            "The skill \"a\" has 2 files; read one with `read_skill_file`:\n\n- references/x.md\n- scripts/run.sh",
        ),
        ("b", "The skill \"b\" has no files beside its instructions."),
        (
            "loose",
            "The skill \"loose\" has no files beside its instructions.",
        ),
    ] {
        assert_eq!(resources(&catalog, &disk, name).content, content);
    }
    assert_eq!(
        resources(&catalog, &disk, "c").code(),
        Some("SKILL_NOT_FOUND")
    );
}

#[test]
fn files_that_no_call_could_read_by_their_names_are_not_listed() {
    let mut disk = disk_of(&["a"]);
    for name in ["a:b", "a\\b", "NUL", "a\u{200B}b", "a\nb", "a  b", "é.md"] {
        disk.write(&format!("s/a/{name}"), b"");
    }
    assert_eq!(
        resources(&load(&disk), &disk, "a").content,
        "The skill \"a\" has 2 files; read one with `read_skill_file`:\n\n- a  b\n- é.md"
    );
}

#[test]
fn more_files_than_are_counted_are_told() {
    let mut disk = disk_of(&["a"]);
    for number in 0..1100 {
        disk.write(&format!("s/a/{number:04}.md"), b"");
    }
    let content = resources(&load(&disk), &disk, "a").content;
    let first = content.lines().next().unwrap();
    assert_eq!(
        first,
        "The skill \"a\" has more than 1000 files; these are the first ones; read one with `read_skill_file`:"
    );
}

#[test]
fn a_list_that_lacks_something_says_so() {
    let mut links = disk_of(&["a"]);
    links.abilities = Abilities::FULL;
    links.write("outside", b"");
    for number in 0..1100 {
        let target = if number % 2 == 0 {
            "/outside"
        } else {
            "SKILL.md"
        };
        links.link(&format!("s/a/{number:04}.md"), target);
    }
    let content = resources(&load(&links), &links, "a").content;
    let first = content.lines().next().unwrap();
    assert_eq!(
        first,
        "The skill \"a\" has too many files and directories to look at all; these were found; read one with `read_skill_file`:"
    );
    let mut directories = disk_of(&["a"]);
    for number in 0..1100 {
        directories.write(&format!("s/a/{number:04}/.hidden"), b"");
    }
    assert_eq!(
        resources(&load(&directories), &directories, "a").content,
        "The skill \"a\" has too many directories to look at all; no files were found in the first ones."
    );
}

#[test]
fn a_page_ends_before_it_is_too_long_for_a_conversation() {
    let mut disk = Disk::default();
    for number in 0..10 {
        let name = format!("skill-{number}");
        let text = skill(&name, &"long ".repeat(10_000));
        disk.write(&format!("s/{name}/SKILL.md"), text);
    }
    let catalog = load(&disk);
    let first = list(&catalog, &disk, &json!({}));
    assert_eq!(
        first.next_offset(),
        Some(5),
        "five times 50,000 bytes in 262,144"
    );
    let last = list(&catalog, &disk, &json!({ "offset": 5 }));
    assert_eq!(last.next_offset(), None);
}

#[test]
fn a_filter_has_a_bound_on_its_words_and_looks_for_each_once() {
    let disk = disk_of(&["a"]);
    let catalog = load(&disk);
    let filter = |words: String| list(&catalog, &disk, &json!({ "filter": words }));
    let distinct = |count: u32| -> String {
        let words: Vec<String> = (0..count).map(|number| format!("w{number}")).collect();
        words.join(" ")
    };
    let found = filter("A a ".repeat(50_000));
    assert!(found.content.contains("- a: "), "{}", found.content);
    assert!(!filter(distinct(32)).is_error());
    let refused = filter(distinct(33));
    assert_eq!(refused.code(), Some("TOOL_ARGUMENTS_INVALID"));
    assert_eq!(
        refused.content,
        "The arguments of list_skills do not fit: filter has more than 32 words."
    );
}

#[test]
fn no_name_can_be_taken_for_that_of_another_skill() {
    let disk = disk_with(&[
        ("s/one/SKILL.md", skill("\"pdf: of the house\"", "One.")),
        ("s/two/SKILL.md", skill("'\"pdf\"'", "Two.")),
    ]);
    let catalog = load(&disk);
    let lines = "- \"\\\"pdf\\\"\": Two.\n- \"pdf: of the house\": One.";
    let listed = list(&catalog, &disk, &json!({})).content;
    assert!(listed.ends_with(lines), "{listed}");
    let index = report(&catalog, IndexOptions::default()).text;
    assert!(index.ends_with(lines), "{index}");
}
