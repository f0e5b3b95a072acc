//! What a refresh finds, and what it leaves alone.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use std::collections::BTreeMap;

use proptest::prelude::*;
use skillshelf::{Catalog, Changes, Invalid, LoadOptions, Request, Step, ToolOptions};
use support::{
    Abilities, Disk, body, disk_of, disk_with, found, load, load_skill, load_with, owned, pairs,
    path_of, public_skill, refresh, run, skill,
};

const HOSTS: [(&str, Abilities); 5] = [
    ("full", Abilities::FULL),
    ("smallest", Abilities::SMALLEST),
    ("without open", Abilities::WITHOUT_OPEN),
    ("without stat", Abilities::WITHOUT_STAT),
    ("folding", Abilities::FOLDING),
];

const BROKEN: &str = "---\nname: d\n";

fn names(changes: &Changes) -> (Vec<&str>, Vec<&str>, Vec<&str>) {
    fn borrowed(names: &[String]) -> Vec<&str> {
        names.iter().map(String::as_str).collect()
    }
    (
        borrowed(&changes.added),
        borrowed(&changes.changed),
        borrowed(&changes.removed),
    )
}

#[test]
fn added_changed_and_removed_are_told_apart() {
    for (host, abilities) in HOSTS {
        let mut disk = disk_of(&["a", "c", "same"]);
        disk.abilities = abilities;
        let catalog = load(&disk);
        disk.write("s/b/SKILL.md", skill("b", "New."));
        disk.write("s/a/SKILL.md", skill("a", "Edited."));
        disk.remove("s/c");
        let changes = refresh(&catalog, &disk);
        assert_eq!(names(&changes), (vec!["b"], vec!["a"], vec!["c"]), "{host}");
        assert_eq!(changes.diagnostics, [], "{host}");
        assert_eq!(catalog.names(), ["a", "b", "same"], "{host}");
        assert_eq!(
            public_skill(&catalog, &disk, "a").unwrap()["description"],
            "Edited."
        );
        let again = refresh(&catalog, &disk);
        assert_eq!(
            names(&again),
            (vec![], vec![], vec![]),
            "{host}: nothing has changed since"
        );
    }
}

/// Names of skills, each with what it says.
fn skills() -> impl Strategy<Value = BTreeMap<String, u8>> {
    prop::collection::btree_map("[ab]{1,3}", 0..3_u8, 0..8)
}

proptest! {
    #[test]
    fn what_is_told_is_how_the_skills_differ(before in skills(), after in skills()) {
        let text = |name: &str, says: u8| skill(name, &format!("Says {says}."));
        let mut disk = Disk::default();
        disk.write("s/always/SKILL.md", skill("always", "Stays."));
        for (name, says) in &before {
            disk.write(&format!("s/{name}/SKILL.md"), text(name, *says));
        }
        let catalog = load(&disk);
        for name in before.keys().filter(|name| !after.contains_key(*name)) {
            disk.remove(&format!("s/{name}"));
        }
        for (name, says) in after.iter().filter(|(name, says)| before.get(*name) != Some(says)) {
            disk.write(&format!("s/{name}/SKILL.md"), text(name, *says));
        }
        let changes = refresh(&catalog, &disk);
        let of = |is: &dyn Fn(Option<&u8>, Option<&u8>) -> bool| -> Vec<String> {
            let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
            names.sort();
            names.dedup();
            names.retain(|name| is(before.get(*name), after.get(*name)));
            names.into_iter().cloned().collect()
        };
        prop_assert_eq!(changes.added, of(&|before, _| before.is_none()));
        prop_assert_eq!(changes.removed, of(&|_, after| after.is_none()));
        prop_assert_eq!(
            changes.changed,
            of(&|before, after| before.is_some() && after.is_some() && before != after)
        );
    }
}

#[test]
fn a_skill_that_breaks_is_a_finding_and_not_a_change() {
    for (host, abilities) in HOSTS {
        let mut disk = disk_of(&["a", "d"]);
        disk.abilities = abilities;
        let catalog = load(&disk);
        disk.write("s/d/SKILL.md", BROKEN);
        let changes = refresh(&catalog, &disk);
        let is_fault = |found: &skillshelf::Diagnostic| {
            found.is_error() && found.path.as_deref() == Some("/s/d/SKILL.md")
        };
        assert!(changes.diagnostics.iter().any(is_fault), "{host}");
        assert_eq!(
            names(&changes),
            (vec![], vec![], vec![]),
            "{host}: its entry is the old one"
        );
        let again = refresh(&catalog, &disk);
        assert_eq!(
            again.diagnostics, changes.diagnostics,
            "{host}: it is still broken"
        );
        assert_eq!(names(&again), (vec![], vec![], vec![]), "{host}");
    }
}

#[test]
fn a_skill_that_breaks_keeps_its_last_good_entry() {
    for (host, abilities) in HOSTS {
        let mut disk = disk_of(&["d"]);
        disk.abilities = abilities;
        let catalog = load(&disk);
        disk.write("s/d/SKILL.md", BROKEN);
        let changes = refresh(&catalog, &disk);
        assert!(
            pairs(&changes.diagnostics)
                .contains(&("kept-last-good".to_owned(), "/s/d/SKILL.md".to_owned()))
        );
        assert_eq!(catalog.names(), ["d"], "{host}");
        assert_eq!(
            public_skill(&catalog, &disk, "d").unwrap()["description"],
            "Does d.",
            "{host}"
        );
        assert_eq!(
            load_skill(&catalog, &disk, "d").code(),
            Some("SKILL_INVALID"),
            "{host}: its body is not there"
        );
        refresh(&catalog, &disk);
        assert_eq!(catalog.names(), ["d"], "{host}: also after another refresh");
        disk.write("s/d/SKILL.md", skill("d", "Mended."));
        let changes = refresh(&catalog, &disk);
        assert_eq!(names(&changes), (vec![], vec!["d"], vec![]), "{host}");
        assert_eq!(changes.diagnostics, [], "{host}");
        assert_eq!(
            public_skill(&catalog, &disk, "d").unwrap()["description"],
            "Mended.",
            "{host}"
        );
        assert!(!load_skill(&catalog, &disk, "d").is_error(), "{host}");
    }
}

#[test]
fn a_skill_that_was_never_good_has_nothing_to_keep() {
    let mut disk = disk_with(&[("s/d/SKILL.md", BROKEN)]);
    let catalog = load(&disk);
    assert_eq!(catalog.count(), 0);
    refresh(&catalog, &disk);
    assert_eq!(catalog.count(), 0);
    disk.write("s/d/SKILL.md", skill("d", "Mended."));
    assert_eq!(
        names(&refresh(&catalog, &disk)),
        (vec!["d"], vec![], vec![])
    );
}

#[test]
fn what_has_not_changed_is_not_read_again() {
    let all: Vec<String> = (0..50).map(|number| format!("n{number:02}")).collect();
    let mut disk = disk_of(&all.iter().map(String::as_str).collect::<Vec<_>>());
    let catalog = load(&disk);
    let before = catalog.ids();
    disk.take_log();
    assert_eq!(names(&refresh(&catalog, &disk)), (vec![], vec![], vec![]));
    let counts = disk.take_counts();
    assert_eq!(
        counts.stats, 53,
        "and how the disk folds case, and the source before and after: {counts:?}"
    );
    assert!(
        counts.reads <= 1,
        "only where no skill file was: {counts:?}"
    );
    assert_eq!(catalog.ids(), before);
    disk.write("s/n07/SKILL.md", skill("n07", "Edited."));
    disk.take_log();
    assert_eq!(
        names(&refresh(&catalog, &disk)),
        (vec![], vec!["n07"], vec![])
    );
    assert!(disk.take_counts().reads <= 2);
}

#[test]
fn a_file_that_was_written_again_with_the_same_bytes_has_not_changed() {
    for (host, abilities) in HOSTS {
        let mut disk = disk_of(&["a"]);
        disk.abilities = abilities;
        let catalog = load(&disk);
        disk.write("s/a/SKILL.md", skill("a", "Does a."));
        assert_eq!(
            names(&refresh(&catalog, &disk)),
            (vec![], vec![], vec![]),
            "{host}"
        );
    }
}

#[test]
fn an_edit_of_the_body_alone_is_a_change() {
    for (host, abilities) in HOSTS {
        for length in [10, 5000] {
            if length > 4096 && host == "without stat" {
                // Such a host tells of the rest of a long file only when it is read.
                continue;
            }
            let mut disk = Disk::default();
            disk.abilities = abilities;
            let text = |end: &str| skill("a", "A.") + &"x".repeat(length) + end;
            disk.write("s/a/SKILL.md", text("1"));
            let catalog = load(&disk);
            disk.write("s/a/SKILL.md", text("2"));
            assert_eq!(
                names(&refresh(&catalog, &disk)),
                (vec![], vec!["a"], vec![]),
                "{host} {length}"
            );
        }
    }
}

#[test]
fn a_skill_may_take_another_name() {
    let mut disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    disk.write("s/a/SKILL.md", skill("z", "Renamed."));
    assert_eq!(
        names(&refresh(&catalog, &disk)),
        (vec!["z"], vec![], vec!["a"])
    );
    assert_eq!(catalog.names(), ["b", "z"]);
}

#[test]
fn duplicates_come_and_go() {
    let mut disk = disk_of(&["a"]);
    let catalog = load(&disk);
    disk.write("s/0/SKILL.md", skill("a", "Another."));
    let changes = refresh(&catalog, &disk);
    assert_eq!(
        names(&changes),
        (vec![], vec![], vec![]),
        "the directory with the name wins"
    );
    assert_eq!(
        pairs(&changes.diagnostics),
        owned(&[
            ("name-duplicate", "/s/0/SKILL.md"),
            ("name-directory-mismatch", "/s/0/SKILL.md")
        ])
    );
    disk.remove("s/a");
    assert_eq!(
        names(&refresh(&catalog, &disk)),
        (vec![], vec!["a"], vec![])
    );
    assert_eq!(
        path_of(&catalog, &disk, "a").as_deref(),
        Some("/s/0/SKILL.md")
    );
    assert_eq!(
        found(&catalog),
        owned(&[("name-directory-mismatch", "/s/0/SKILL.md")])
    );
    disk.write("s/a/SKILL.md", skill("a", "Back."));
    assert_eq!(
        names(&refresh(&catalog, &disk)),
        (vec![], vec!["a"], vec![])
    );
    assert_eq!(
        path_of(&catalog, &disk, "a").as_deref(),
        Some("/s/a/SKILL.md")
    );
}

#[test]
fn a_source_comes_and_goes() {
    for (host, abilities) in HOSTS {
        let mut disk = Disk::default();
        disk.abilities = abilities;
        let catalog = load(&disk);
        disk.write("s/a/SKILL.md", skill("a", "A."));
        assert_eq!(
            names(&refresh(&catalog, &disk)),
            (vec!["a"], vec![], vec![]),
            "{host}"
        );
        disk.remove("s");
        let changes = refresh(&catalog, &disk);
        assert_eq!(names(&changes), (vec![], vec![], vec!["a"]), "{host}");
        assert_eq!(changes.diagnostics, [], "{host}");
        disk.write("s/SKILL.md", skill("s", "S."));
        assert_eq!(
            names(&refresh(&catalog, &disk)),
            (vec!["s"], vec![], vec![]),
            "{host}"
        );
    }
}

#[test]
fn a_refresh_that_throws_leaves_the_old_state() {
    let mut disk = disk_of(&["a"]);
    let options = LoadOptions {
        invalid: Invalid::Throw,
        ..LoadOptions::default()
    };
    let catalog = load_with(&disk, options);
    disk.write("s/b/SKILL.md", skill("b", "B."));
    disk.write("s/a/SKILL.md", BROKEN);
    let error = run(catalog.refresh(), &disk).unwrap_err();
    assert_eq!(error.code(), "SKILL_INVALID");
    assert_eq!(catalog.names(), ["a"]);
    disk.write("s/a/SKILL.md", skill("a", "Mended."));
    assert_eq!(
        names(&refresh(&catalog, &disk)),
        (vec!["b"], vec!["a"], vec![])
    );
}

#[test]
fn all_of_a_new_state_is_seen_at_once_or_none() {
    let mut disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    disk.remove("s/a");
    disk.write("s/c/SKILL.md", skill("c", "C."));
    let mut operation = catalog.refresh();
    let mut replies = Vec::new();
    loop {
        match operation.step(replies).unwrap() {
            Step::Requests(requests) => {
                assert_eq!(
                    catalog.names(),
                    ["a", "b"],
                    "nothing of it is seen before the end"
                );
                replies = requests
                    .iter()
                    .map(|request| disk.answer(request))
                    .collect();
            }
            Step::Done(changes) => {
                assert_eq!(names(&changes.unwrap()), (vec!["c"], vec![], vec!["a"]));
                break;
            }
        }
    }
    assert_eq!(catalog.names(), ["b", "c"]);
}

#[test]
fn an_operation_that_began_before_a_refresh_sees_the_old_state() {
    let mut disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    let arguments = serde_json::json!({ "name": "a" }).to_string();
    let mut operation = catalog.call("load_skill".to_owned(), arguments, ToolOptions::default());
    let Some(Step::Requests(mut requests)) = operation.step(Vec::new()) else {
        panic!("a body is read at the moment it is asked for")
    };
    let text = disk.clone();
    disk.remove("s/a");
    refresh(&catalog, &disk);
    assert_eq!(catalog.names(), ["b"]);
    loop {
        let replies = requests
            .iter()
            .map(|request| text.answer(request))
            .collect();
        match operation.step(replies).unwrap() {
            Step::Requests(next) => requests = next,
            Step::Done(result) => {
                assert!(result.content.contains("The body of a."), "{result:?}");
                break;
            }
        }
    }
    let result = load_skill(&catalog, &disk, "a");
    assert_eq!(result.code(), Some("SKILL_NOT_FOUND"));
}

#[test]
fn an_operation_that_is_given_up_leaves_no_trace() {
    let mut disk = disk_of(&["a"]);
    let catalog = load(&disk);
    disk.write("s/b/SKILL.md", skill("b", "B."));
    for steps in 1..4 {
        let mut operation = catalog.refresh();
        let mut replies = Vec::new();
        for _ in 0..steps {
            if let Some(Step::Requests(requests)) = operation.step(replies) {
                replies = requests
                    .iter()
                    .map(|request| disk.answer(request))
                    .collect();
            } else {
                panic!("it takes more steps");
            }
        }
        drop(operation);
        assert_eq!(catalog.names(), ["a"]);
    }
    assert_eq!(
        names(&refresh(&catalog, &disk)),
        (vec!["b"], vec![], vec![])
    );
}

#[test]
fn a_view_is_refreshed_with_its_catalog_and_tells_only_of_what_it_shows() {
    let mut disk = disk_of(&["pdf-a", "doc-a"]);
    let catalog = load(&disk);
    let view = support::only(&catalog, &disk, &["pdf-*"]);
    for name in ["pdf-b", "doc-b"] {
        disk.write(&format!("s/{name}/SKILL.md"), skill(name, "New."));
    }
    disk.write("s/doc-a/SKILL.md", skill("doc-a", "Edited."));
    let changes = refresh(&view, &disk);
    assert_eq!(names(&changes), (vec!["pdf-b"], vec![], vec![]));
    assert_eq!(view.names(), ["pdf-a", "pdf-b"]);
    assert_eq!(
        catalog.names(),
        ["doc-a", "doc-b", "pdf-a", "pdf-b"],
        "they share their state"
    );
}

#[test]
fn what_has_changed_since_a_mark_is_told_once_whoever_refreshed() {
    let mut disk = disk_of(&["pdf-a", "doc-a"]);
    let catalog = load(&disk);
    let view = support::only(&catalog, &disk, &["pdf-*"]);
    let (mut of_all, mut of_view) = (catalog.mark(), view.mark());
    disk.write("s/pdf-b/SKILL.md", skill("pdf-b", "New."));
    refresh(&catalog, &disk);
    disk.write("s/doc-a/SKILL.md", skill("doc-a", "Edited."));
    disk.write("s/bad/SKILL.md", BROKEN);
    refresh(&view, &disk);
    let changes = catalog.changes_since(&mut of_all);
    assert_eq!(names(&changes), (vec!["pdf-b"], vec!["doc-a"], vec![]));
    assert_eq!(changes.diagnostics, catalog.diagnostics());
    let changes = view.changes_since(&mut of_view);
    assert_eq!(names(&changes), (vec!["pdf-b"], vec![], vec![]));
    for (catalog, mark) in [(&catalog, &mut of_all), (&view, &mut of_view)] {
        let again = catalog.changes_since(mark);
        assert_eq!(names(&again), (vec![], vec![], vec![]));
    }
}

#[test]
fn what_came_and_went_between_two_looks_is_no_change() {
    let mut disk = disk_of(&["a"]);
    let catalog = load(&disk);
    let mut mark = catalog.mark();
    disk.write("s/b/SKILL.md", skill("b", "B."));
    refresh(&catalog, &disk);
    disk.remove("s/b");
    refresh(&catalog, &disk);
    let changes = catalog.changes_since(&mut mark);
    assert_eq!(names(&changes), (vec![], vec![], vec![]));
}

#[test]
fn the_body_is_fresh_without_a_refresh() {
    for (host, abilities) in HOSTS {
        let mut disk = disk_of(&["a"]);
        disk.abilities = abilities;
        let catalog = load(&disk);
        let write = |disk: &mut Disk, text: &str| disk.write("s/a/SKILL.md", text);
        write(&mut disk, "---\nname: a\ndescription: A.\n---\nSecond\n");
        assert_eq!(body(&catalog, &disk, "a").unwrap(), "Second", "{host}");
        assert!(
            load_skill(&catalog, &disk, "a")
                .content
                .contains("\nSecond\n"),
            "{host}"
        );
        write(&mut disk, "---\nname: z\ndescription: A.\n---\nThird\n");
        let result = load_skill(&catalog, &disk, "a");
        assert!(
            result
                .content
                .contains("<skill_content name=\"a\">\nThird\n"),
            "{host}: served under the indexed name: {result:?}"
        );
        write(
            &mut disk,
            "---\nname: a\ndescription: A.\ndisable-model-invocation: true\n---\nFourth\n",
        );
        let result = load_skill(&catalog, &disk, "a");
        assert_eq!(
            result.code(),
            Some("SKILL_NOT_FOUND"),
            "{host}: disabled is unknown"
        );
        assert!(!result.content.contains("Fourth"), "{host}");
        assert_eq!(
            body(&catalog, &disk, "a").unwrap(),
            "Fourth",
            "{host}: the developer may"
        );
        write(&mut disk, "no front matter");
        assert_eq!(
            load_skill(&catalog, &disk, "a").code(),
            Some("SKILL_INVALID"),
            "{host}"
        );
        disk.remove("s/a");
        assert_eq!(
            load_skill(&catalog, &disk, "a").code(),
            Some("FILE_NOT_FOUND"),
            "{host}"
        );
    }
}

#[test]
fn a_file_that_cannot_be_read_for_a_while_comes_back() {
    let mut disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    disk.failing.insert("s/a/SKILL.md".to_owned());
    let changes = refresh(&catalog, &disk);
    assert!(
        changes
            .diagnostics
            .iter()
            .any(skillshelf::Diagnostic::is_error)
    );
    disk.failing.clear();
    refresh(&catalog, &disk);
    assert_eq!(catalog.names(), ["a", "b"]);
    assert_eq!(found(&catalog), []);
}

#[test]
fn a_skill_that_is_disabled_and_broken_in_one_edit_is_disabled() {
    let flag = "disable-model-invocation: true\n";
    let broken = [
        format!("---\nname: d\n{flag}---\nSECRET\n"),
        format!("---\nname: d\ndescription: Does d.\n{flag}SECRET\n"),
        format!("---\nname: d\ndescription: [\n{flag}---\nSECRET\n"),
        "---\n{name: d, disable-model-invocation: yes}\n---\nSECRET\n".to_owned(),
        format!("name: d\ndescription: Does d.\n{flag}---\nSECRET\n"),
        format!(
            "---\nname: d\n{flag}description: {}\n---\n",
            "\u{0}".repeat(70_000)
        ),
        format!(
            "---\nname: d\ndescription: d\n{flag}---\n{}",
            "SECRET ".repeat(200_000)
        ),
    ];
    for (host, abilities) in HOSTS {
        for text in &broken {
            let mut disk = disk_of(&["d", "e"]);
            disk.abilities = abilities;
            let catalog = load(&disk);
            disk.write("s/d/SKILL.md", text);
            let unknown = |catalog: &skillshelf::Catalog, disk: &Disk| {
                for result in [
                    load_skill(catalog, disk, "d"),
                    support::read_file(catalog, disk, "d", "SKILL.md"),
                ] {
                    assert_eq!(result.code(), Some("SKILL_NOT_FOUND"), "{host} {result:?}");
                    assert!(!result.content.contains("SECRET"), "{host} {text:.80}");
                }
            };
            unknown(&catalog, &disk);
            let changes = refresh(&catalog, &disk);
            assert_eq!(
                names(&changes),
                (vec![], vec!["d"], vec![]),
                "{host} {text:.80}"
            );
            let index = support::index(&catalog, skillshelf::Style::Plain);
            assert!(
                !index.contains("- d:") && index.contains("- e:"),
                "{host} {text:.80}"
            );
            unknown(&catalog, &disk);
            let again = refresh(&catalog, &disk);
            assert_eq!(names(&again), (vec![], vec![], vec![]), "{host}");
            // Broken in another way: nobody has said that it is open again.
            disk.write("s/d/SKILL.md", BROKEN);
            refresh(&catalog, &disk);
            assert!(!support::index(&catalog, skillshelf::Style::Plain).contains("- d:"));
            disk.write("s/d/SKILL.md", skill("d", "Mended."));
            refresh(&catalog, &disk);
            assert!(!load_skill(&catalog, &disk, "d").is_error(), "{host}");
        }
    }
}

#[test]
fn a_broken_file_hides_a_skill_from_the_user_too() {
    let mut disk = disk_of(&["d"]);
    let catalog = load(&disk);
    disk.write("s/d/SKILL.md", "---\nname: d\nuser-invocable: false\n");
    refresh(&catalog, &disk);
    let shown = public_skill(&catalog, &disk, "d").unwrap();
    assert_eq!(shown["userInvocable"], false);
    assert_eq!(shown["modelInvocable"], true);
}

fn asked_path(request: &Request) -> &str {
    match request {
        Request::List { path, .. }
        | Request::Read { path, .. }
        | Request::Stat { path, .. }
        | Request::RealPath { path, .. } => path,
        _ => "",
    }
}

/// Files as messages name them.
fn files(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| format!("/{path}")).collect()
}

/// What a catalog shows: names with what they say, and what was found.
fn shown(catalog: &Catalog, disk: &Disk) -> (Vec<String>, String) {
    let skills = catalog.names().into_iter().map(|name| {
        let skill = public_skill(catalog, disk, &name).unwrap();
        format!(
            "{name} {} {}",
            skill["source"]["path"], skill["description"]
        )
    });
    (skills.collect(), format!("{:?}", catalog.diagnostics()))
}

#[test]
fn files_that_are_read_again_alone_come_to_what_a_whole_refresh_does() {
    let texts = [
        ("a", skill("b", "Takes the name of another one.")),
        ("a", skill("b", "Still.")),
        ("b", skill("c", "Gives it up.")),
        ("b", skill("b", "Wants it back, and its directory has it.")),
        ("c", BROKEN.to_owned()),
        ("c", skill("c", "Mended.")),
        ("a", "No front matter.".to_owned()),
        ("a", skill("а", "A name that looks like another one.")),
        ("a", skill("a", "As it was.")),
    ];
    for (host, abilities) in HOSTS {
        let mut disk = disk_of(&["a", "b", "c"]);
        disk.abilities = abilities;
        let [one, whole] = [load(&disk), load(&disk)];
        for (directory, text) in &texts {
            let file = format!("s/{directory}/SKILL.md");
            disk.write(&file, text.clone());
            let told = run(one.refresh_files(files(&[&file])), &disk).unwrap();
            let expected = refresh(&whole, &disk);
            assert_eq!(names(&told), names(&expected), "{host}: {text}");
            assert_eq!(told.diagnostics, expected.diagnostics, "{host}: {text}");
            assert_eq!(shown(&one, &disk), shown(&whole, &disk), "{host}: {text}");
        }
    }
}

#[test]
fn files_that_are_read_again_alone_are_all_that_a_directory_is_asked_for() {
    let mut disk = disk_of(&["a", "b", "c"]);
    let catalog = load(&disk);
    disk.write("s/a/SKILL.md", skill("a", "Edited."));
    disk.write("s/b/SKILL.md", skill("b", "Edited too."));
    disk.write("s/d/SKILL.md", skill("d", "New."));
    let mut operation = catalog.refresh_files(files(&["s/b/SKILL.md", "s/none/SKILL.md"]));
    let mut replies = Vec::new();
    let changes = loop {
        match operation.step(replies).unwrap() {
            Step::Requests(requests) => {
                for request in &requests {
                    assert!(asked_path(request).contains("s/b"), "{request:?}");
                }
                replies = requests.iter().map(|it| disk.answer(it)).collect();
            }
            Step::Done(changes) => break changes.unwrap(),
        }
    };
    assert_eq!(names(&changes), (vec![], vec!["b"], vec![]));
    disk.remove("s/c");
    let gone = run(catalog.refresh_files(files(&["s/c/SKILL.md"])), &disk).unwrap();
    assert_eq!(names(&gone), (vec![], vec![], vec!["c"]));
    let rest = refresh(&catalog, &disk);
    assert_eq!(names(&rest), (vec!["d"], vec!["a"], vec![]));
}

#[test]
fn a_whole_refresh_does_not_take_back_what_was_read_alone_meanwhile() {
    let mut disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    let before = disk.clone();
    let mut whole = catalog.refresh();
    let mut replies = Vec::new();
    let mut edits = 0;
    loop {
        match whole.step(replies).unwrap() {
            Step::Requests(requests) => {
                // All that is asked for before the edit is answered as it was then.
                let answering = if edits == 0 { &before } else { &disk };
                replies = requests.iter().map(|it| answering.answer(it)).collect();
                let reads_a = requests.iter().any(|it| asked_path(it).contains("s/a"));
                if reads_a && edits == 0 {
                    edits += 1;
                    disk.write("s/a/SKILL.md", skill("a", "Edited meanwhile."));
                    run(catalog.refresh_files(files(&["s/a/SKILL.md"])), &disk).unwrap();
                }
            }
            Step::Done(changes) => {
                changes.unwrap();
                break;
            }
        }
    }
    assert_eq!(edits, 1);
    let skill = public_skill(&catalog, &disk, "a").unwrap();
    assert_eq!(skill["description"], "Edited meanwhile.");
}

#[test]
fn what_was_found_while_answering_stays_until_its_file_is_read_again() {
    let text = |closes: &str| skill("a", "A.") + closes;
    let mut disk = disk_of(&["b"]);
    disk.write("s/a/SKILL.md", text("</skill_content>\n"));
    let catalog = load(&disk);
    load_skill(&catalog, &disk, "a");
    let codes = || -> Vec<_> { catalog.diagnostics().iter().map(|it| it.code).collect() };
    assert_eq!(codes().len(), 1, "{:?}", codes());
    run(catalog.refresh_files(files(&["s/b/SKILL.md"])), &disk).unwrap();
    assert_eq!(codes().len(), 1, "{:?}", codes());
    disk.write("s/a/SKILL.md", text(""));
    run(catalog.refresh_files(files(&["s/a/SKILL.md"])), &disk).unwrap();
    assert_eq!(codes().len(), 0, "{:?}", codes());
}
