//! Which of several skills with one name is the one, and what a fault does to a load.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use skillshelf::{Catalog, Error, Invalid, LoadOptions, Mode, Source};
use support::disk::Disks;
use support::{
    Abilities, Disk, call_with, disk_of, disk_with, found, load, load_skill, load_sources, owned,
    path_of, public_skill, refresh, run, skill, skill_with, try_load,
};

fn throwing() -> LoadOptions {
    LoadOptions {
        invalid: Invalid::Throw,
        ..LoadOptions::default()
    }
}

fn thrown(disk: &Disk, options: LoadOptions) -> Option<(String, Vec<String>)> {
    match try_load(disk, options) {
        Ok(_) => None,
        Err(error) => {
            assert_eq!(error.code(), "SKILL_INVALID");
            let codes = error
                .diagnostics()
                .iter()
                .map(|found| found.code.to_string());
            Some((
                error.diagnostics()[0]
                    .path
                    .as_deref()
                    .unwrap_or_default()
                    .to_owned(),
                codes.collect(),
            ))
        }
    }
}

#[test]
fn the_earlier_source_wins_and_the_other_is_mentioned() {
    let disk = disk_with(&[
        ("one/demo/SKILL.md", skill("demo", "First.")),
        ("two/demo/SKILL.md", skill("demo", "Second.")),
        ("two/x/SKILL.md", skill("x", "Only here.")),
    ]);
    for (first, second) in [("one", "two"), ("two", "one")] {
        for options in [LoadOptions::default(), throwing()] {
            let sources = vec![disk.source(first), disk.source(second)];
            let catalog = load_sources(&disk, sources, options).expect("shadowing is no fault");
            assert_eq!(catalog.names(), ["demo", "x"]);
            let winner = format!("/{first}/demo/SKILL.md");
            let loser = format!("/{second}/demo/SKILL.md");
            assert_eq!(path_of(&catalog, &disk, "demo").as_ref(), Some(&winner));
            assert_eq!(found(&catalog), owned(&[("name-shadowed", &loser)]));
            let message = &catalog.diagnostics()[0].message;
            assert!(
                message.contains(&winner) && message.contains(&loser),
                "{message}"
            );
            assert_eq!(catalog.diagnostics()[0].skill.as_deref(), Some("demo"));
            let content = load_skill(&catalog, &disk, "demo").content;
            assert!(
                content.contains(&format!("Skill directory: /{first}/demo")),
                "{content}"
            );
        }
    }
}

#[test]
fn even_a_well_placed_skill_loses_to_an_earlier_source() {
    let disk = disk_with(&[
        ("one/other/SKILL.md", skill("demo", "First.")),
        ("two/demo/SKILL.md", skill("demo", "Second.")),
    ]);
    let catalog = load_sources(
        &disk,
        vec![disk.source("one"), disk.source("two")],
        LoadOptions::default(),
    )
    .unwrap();
    assert_eq!(
        path_of(&catalog, &disk, "demo").as_deref(),
        Some("/one/other/SKILL.md")
    );
}

#[test]
fn a_broken_skill_shadows_nothing() {
    let disk = disk_with(&[
        ("one/demo/SKILL.md", "---\nname: demo\n---\n".to_owned()),
        ("two/demo/SKILL.md", skill("demo", "Second.")),
    ]);
    let catalog = load_sources(
        &disk,
        vec![disk.source("one"), disk.source("two")],
        LoadOptions::default(),
    )
    .unwrap();
    assert_eq!(
        path_of(&catalog, &disk, "demo").as_deref(),
        Some("/two/demo/SKILL.md")
    );
}

#[test]
fn within_a_source_the_directory_with_the_name_wins_then_the_first_path() {
    for (files, winner, losers) in [
        (
            ["s/a/SKILL.md", "s/demo/SKILL.md", "s/z/SKILL.md"],
            "/s/demo/SKILL.md",
            ["/s/a/SKILL.md", "/s/z/SKILL.md"],
        ),
        (
            ["s/c/SKILL.md", "s/b/SKILL.md", "s/a.md"],
            "/s/a.md",
            ["/s/b/SKILL.md", "/s/c/SKILL.md"],
        ),
        (
            ["s/g2/demo/SKILL.md", "s/g1/demo/SKILL.md", "s/a/SKILL.md"],
            "/s/g1/demo/SKILL.md",
            ["/s/a/SKILL.md", "/s/g2/demo/SKILL.md"],
        ),
        (
            ["s/demo/SKILL.md", "s/a.md", "s/demo2/SKILL.md"],
            "/s/demo/SKILL.md",
            ["/s/a.md", "/s/demo2/SKILL.md"],
        ),
    ] {
        let files = files.map(|path| (path, skill("demo", path)));
        let mut disk = disk_with(&files);
        for seed in 0..6 {
            disk.order = Some(seed);
            let catalog = load(&disk);
            assert_eq!(path_of(&catalog, &disk, "demo").as_deref(), Some(winner));
            let diagnostics = catalog.diagnostics();
            let duplicates: Vec<_> = diagnostics
                .iter()
                .filter(|found| found.code == "name-duplicate")
                .collect();
            let paths: Vec<_> = duplicates
                .iter()
                .filter_map(|found| found.path.as_deref())
                .collect();
            assert_eq!(paths, losers);
            for (duplicate, loser) in duplicates.iter().zip(losers) {
                let message = &duplicate.message;
                assert!(
                    message.contains(winner) && message.contains(loser),
                    "{message}"
                );
            }
        }
    }
}

#[test]
fn another_version_stays_reachable_under_name_and_version() {
    for (one, two) in [("one", "two"), ("s/demo", "s/z")] {
        let write = |version: &str| {
            skill_with(
                "demo",
                &format!("version: {version}\n"),
                &format!("Body {version}"),
            )
        };
        let (first, second) = if one == "one" {
            (
                "one/demo/SKILL.md".to_owned(),
                "two/demo/SKILL.md".to_owned(),
            )
        } else {
            (format!("{one}/SKILL.md"), format!("{two}/SKILL.md"))
        };
        let disk = disk_with(&[
            (first.as_str(), write("1.10")),
            (second.as_str(), write("2")),
        ]);
        let sources = if one == "one" {
            vec![disk.source("one"), disk.source("two")]
        } else {
            vec![disk.source("s")]
        };
        let catalog = load_sources(&disk, sources, LoadOptions::default()).unwrap();
        assert_eq!(catalog.names(), ["demo"]);
        assert_eq!(catalog.count(), 1);
        for (name, version, body) in [
            ("demo", None, Some("Body 1.10")),
            ("demo", Some("1.10"), Some("Body 1.10")),
            ("demo", Some("2"), Some("Body 2")),
            ("demo", Some("1.1"), None),
            ("demo@2", None, Some("Body 2")),
            ("demo@1.10", None, Some("Body 1.10")),
            ("demo@3", None, None),
            ("@2", None, None),
        ] {
            let id = run(
                catalog.get(name.to_owned(), version.map(str::to_owned)),
                &disk,
            );
            assert_eq!(id.is_some(), body.is_some(), "{name} {version:?}");
            if version.is_none() {
                let read = support::body(&catalog, &disk, name).ok();
                assert_eq!(read.as_deref(), body, "{name}");
                let result = load_skill(&catalog, &disk, name);
                assert_eq!(result.is_error(), body.is_none(), "{name}: {result:?}");
            }
        }
        let is_loser = |found: &skillshelf::Diagnostic| found.message.contains("demo@2");
        assert!(catalog.diagnostics().iter().any(is_loser));
    }
}

#[test]
fn the_same_version_or_none_is_gone() {
    for version in ["version: 1\n", ""] {
        let disk = disk_with(&[
            (
                "one/demo/SKILL.md",
                skill_with("demo", "version: 1\n", "First"),
            ),
            ("two/demo/SKILL.md", skill_with("demo", version, "Second")),
        ]);
        let catalog = load_sources(
            &disk,
            vec![disk.source("one"), disk.source("two")],
            LoadOptions::default(),
        )
        .unwrap();
        assert_eq!(support::body(&catalog, &disk, "demo@1").unwrap(), "First");
        let names_version = |found: &skillshelf::Diagnostic| found.message.contains("demo@");
        assert!(!catalog.diagnostics().iter().any(names_version));
    }
}

#[test]
fn a_name_may_itself_have_an_at_sign() {
    let disk = disk_with(&[("s/x/SKILL.md", skill("pdf@2", "At."))]);
    let catalog = load(&disk);
    assert_eq!(catalog.names(), ["pdf@2"]);
    assert!(!load_skill(&catalog, &disk, "pdf@2").is_error());
}

#[test]
fn names_that_are_equal_in_nfkc_are_one_name() {
    let disk = disk_with(&[
        ("one/x/SKILL.md", skill("cafe\u{301}", "First.")),
        ("two/y/SKILL.md", skill("café", "Second.")),
    ]);
    let catalog = load_sources(
        &disk,
        vec![disk.source("one"), disk.source("two")],
        LoadOptions::default(),
    )
    .unwrap();
    assert_eq!(catalog.names(), ["cafe\u{301}"]);
    assert!(found(&catalog).contains(&("name-shadowed".to_owned(), "/two/y/SKILL.md".to_owned())));
}

#[test]
fn two_hosts_may_have_the_same_paths() {
    let one = disk_with(&[("s/demo/SKILL.md", skill("demo", "One."))]);
    let two = disk_with(&[
        ("s/demo/SKILL.md", skill("demo", "Two.")),
        ("s/x/SKILL.md", skill("x", "X.")),
        ("s/x/a.md", "of two".to_owned()),
    ]);
    let disks = Disks(&[&one, &two]);
    let sources = vec![disks.source(0, "s"), disks.source(1, "s")];
    let operation = Catalog::load(sources, LoadOptions::default());
    let catalog = operation
        .run(|request| disks.answer(request))
        .unwrap()
        .unwrap();
    assert_eq!(catalog.names(), ["demo", "x"]);
    assert_eq!(
        found(&catalog),
        owned(&[("name-shadowed", "/s/demo/SKILL.md")])
    );
    let call = catalog.call(
        "read_skill_file".to_owned(),
        r#"{"skill":"x","path":"a.md"}"#.to_owned(),
        skillshelf::ToolOptions::default(),
    );
    assert_eq!(
        call.run(|request| disks.answer(request)).unwrap().content,
        "of two"
    );
}

#[test]
fn an_untrusted_source_loads_nothing_and_says_so() {
    let disk = disk_of(&["a"]);
    let untrusted = Source::Untrusted {
        label: "downloads".to_owned(),
    };
    for options in [LoadOptions::default(), throwing()] {
        let catalog =
            load_sources(&disk, vec![untrusted.clone()], options).expect("it is no fault");
        assert!(disk.take_log().is_empty(), "nothing of it is looked at");
        assert_eq!(catalog.count(), 0);
        assert_eq!(found(&catalog), owned(&[("source-untrusted", "downloads")]));
        assert!(catalog.diagnostics()[0].hint.is_some());
        assert_eq!(refresh(&catalog, &disk).diagnostics.len(), 1);
    }
}

/// What is put on a disk.
type Layout = fn(&mut Disk);

/// Path and codes of what is thrown.
type Fault = (&'static str, &'static [&'static str]);

#[test]
fn what_is_a_fault_throws_and_what_is_none_does_not() {
    let good = skill("good", "Good.");
    let rows: [(&str, Layout, Option<Fault>); 10] = [
        ("nothing", |_| {}, None),
        (
            "a broken skill",
            |disk| disk.write("s/bad/SKILL.md", "---\nname: bad\n---\n"),
            Some(("/s/bad/SKILL.md", &["description-missing"])),
        ),
        (
            "a broken loose skill",
            |disk| disk.write("s/bad.md", "---\nname: bad\n---\n"),
            Some(("/s/bad.md", &["description-missing"])),
        ),
        (
            "an empty skill file",
            |disk| disk.write("s/bad/SKILL.md", ""),
            Some(("/s/bad/SKILL.md", &["file-empty"])),
        ),
        (
            "a loose file without front matter",
            |disk| disk.write("s/README.md", "# Read me"),
            None,
        ),
        (
            "an ignored folder",
            |disk| disk.write("s/drafts/bad/SKILL.md", ""),
            None,
        ),
        (
            "a hidden folder",
            |disk| disk.write("s/.git/bad/SKILL.md", ""),
            None,
        ),
        (
            "a duplicate",
            |disk| disk.write("s/x/SKILL.md", skill("good", "Again.")),
            Some((
                "/s/x/SKILL.md",
                &["name-duplicate", "name-directory-mismatch"],
            )),
        ),
        (
            "an unreadable directory",
            |disk| {
                disk.directory("s/closed");
                disk.failing.insert("s/closed".to_owned());
            },
            Some(("/s/closed", &["directory-unreadable"])),
        ),
        (
            "a warning",
            |disk| disk.write("s/w/SKILL.md", skill("Odd Name", "W.")),
            None,
        ),
    ];
    for (what, layout, expected) in rows {
        let mut disk = disk_with(&[("s/good/SKILL.md", good.clone())]);
        layout(&mut disk);
        let options = LoadOptions {
            ignore: vec!["drafts".to_owned()],
            ..throwing()
        };
        let thrown = thrown(&disk, options);
        let Some((path, codes)) = expected else {
            assert_eq!(thrown, None, "{what}");
            continue;
        };
        let (at, found) = thrown.unwrap_or_else(|| panic!("{what} throws"));
        assert_eq!(at, path, "{what}");
        assert_eq!(found, codes, "{what}");
    }
}

#[test]
fn the_first_fault_by_path_is_thrown() {
    let mut disk = disk_with(&[
        ("s/m/SKILL.md", "---\nname: m\n---\n"),
        ("s/z/SKILL.md", "no front matter"),
        ("s/a/b/c/SKILL.md", "---\nname: c\nname: d\n"),
        ("s/b.md", "---\nname: b\n---\n"),
    ]);
    for seed in 0..10 {
        disk.order = Some(seed);
        let Some((path, _)) = thrown(&disk, throwing()) else {
            panic!("it throws")
        };
        assert_eq!(path, "/s/a/b/c/SKILL.md");
    }
}

#[test]
fn the_first_source_with_a_fault_is_the_one_that_throws() {
    let disk = disk_with(&[
        ("one/a/SKILL.md", skill("a", "A.")),
        ("two/z/SKILL.md", "---\nname: z\n---\n".to_owned()),
        ("three/b/SKILL.md", String::new()),
    ]);
    let sources = ["one", "two", "three"]
        .map(|path| disk.source(path))
        .to_vec();
    let Err(Error::SkillInvalid(diagnostics)) = load_sources(&disk, sources, throwing()) else {
        panic!("it throws")
    };
    assert_eq!(diagnostics[0].path.as_deref(), Some("/two/z/SKILL.md"));
    let error = Error::SkillInvalid(diagnostics);
    let message = error.to_string();
    assert!(
        message.starts_with("/two/z/SKILL.md:1:1: description is missing"),
        "{message}"
    );
    assert_eq!(error.path(), Some("/two/z/SKILL.md"));
}

#[test]
fn strict_mode_throws_for_what_lenient_tolerates() {
    let disk = disk_with(&[("s/w/SKILL.md", skill("Odd Name", "W."))]);
    assert_eq!(thrown(&disk, throwing()), None);
    let strict = LoadOptions {
        mode: Mode::Strict,
        ..throwing()
    };
    let (path, codes) = thrown(&disk, strict).unwrap();
    assert_eq!(path, "/s/w/SKILL.md");
    assert_eq!(codes, ["name-invalid", "name-directory-mismatch"]);
}

#[test]
fn a_missing_directory_is_no_fault() {
    for abilities in [Abilities::FULL, Abilities::SMALLEST] {
        let mut disk = Disk::default();
        disk.abilities = abilities;
        assert_eq!(thrown(&disk, throwing()), None);
    }
}

#[test]
fn views_show_what_their_patterns_let_through() {
    let disk = disk_of(&["pdf", "pdf-forms", "pdf-text", "review"]);
    let catalog = load(&disk);
    let only = |patterns: &[&str]| support::only(&catalog, &disk, patterns);
    for (patterns, names) in [
        (vec!["pdf"], vec!["pdf"]),
        (vec!["pdf-*"], vec!["pdf-forms", "pdf-text"]),
        (vec!["pdf-*", "!pdf-text"], vec!["pdf-forms"]),
        (vec!["!pdf-text", "pdf-*"], vec!["pdf-forms"]),
        (vec!["!pdf*"], vec!["review"]),
        (vec!["review", "none"], vec!["review"]),
        (vec!["PDF"], vec![]),
        (vec![], vec![]),
    ] {
        let view = only(&patterns);
        assert_eq!(view.names(), names, "{patterns:?}");
        assert_eq!(view.count(), names.len());
        assert_eq!(view.ids().len(), names.len());
        let text = support::index(&view, skillshelf::Style::Plain);
        for name in catalog.names() {
            let shown = names.contains(&name.as_str());
            assert_eq!(
                text.contains(&format!("  - {name}: ")),
                shown,
                "{patterns:?} {name}"
            );
            assert_eq!(
                load_skill(&view, &disk, &name).is_error(),
                !shown,
                "{patterns:?} {name}"
            );
            assert_eq!(support::body(&view, &disk, &name).is_err(), !shown);
            assert_eq!(public_skill(&view, &disk, &name).is_some(), shown);
        }
        assert_eq!(
            view.tools(skillshelf::ToolOptions::default())
                .unwrap()
                .definitions()
                .is_empty(),
            names.is_empty()
        );
    }
    assert_eq!(
        support::only(&only(&["pdf*"]), &disk, &["*-forms", "review"]).names(),
        ["pdf-forms"],
        "a view of a view"
    );
    let result = call_with(
        &only(&["pdf-*"]),
        &disk,
        "load_skill",
        &serde_json::json!({ "name": "review" }),
        skillshelf::ToolOptions::default(),
    );
    assert!(
        !result
            .content
            .replace("named \"review\"", "")
            .contains("review"),
        "{result:?}"
    );
}

#[test]
fn a_pattern_means_what_look_up_finds_however_it_is_written() {
    let names = ["pdf", "ｒｅｖｉｅｗ", "ﬁle-tools"];
    let disk = disk_of(&names);
    let catalog = load(&disk);
    for (patterns, shown) in [
        (vec!["!ｐｄｆ"], vec!["ｒｅｖｉｅｗ", "ﬁle-tools"]),
        (vec!["ｐｄｆ"], vec!["pdf"]),
        (vec!["!review"], vec!["pdf", "ﬁle-tools"]),
        (vec!["rev*"], vec!["ｒｅｖｉｅｗ"]),
        (vec!["ｒｅｖ*"], vec!["ｒｅｖｉｅｗ"]),
        (vec!["!file-*"], vec!["pdf", "ｒｅｖｉｅｗ"]),
        // Neither of these is `*` or `!`.
        (vec!["＊"], vec![]),
        (vec!["！pdf"], vec![]),
    ] {
        let view = support::only(&catalog, &disk, &patterns);
        let mut shown: Vec<&str> = shown;
        shown.sort_unstable();
        assert_eq!(view.names(), shown, "{patterns:?}");
        for name in [
            "pdf",
            "ｐｄｆ",
            "review",
            "ｒｅｖｉｅｗ",
            "file-tools",
            "ﬁle-tools",
        ] {
            let found = path_of(&catalog, &disk, name).unwrap();
            let is_shown = shown
                .iter()
                .any(|shown| found.contains(&format!("/{shown}/")));
            let result = load_skill(&view, &disk, name);
            assert_eq!(result.is_error(), !is_shown, "{patterns:?} {name}");
        }
    }
}

#[test]
fn a_view_has_no_findings_of_skills_that_it_leaves_out() {
    let mut disk = disk_of(&["pdf", "doc"]);
    disk.write("s/pdf-copy/SKILL.md", skill("pdf", "Again."));
    disk.write("s/doc-copy/SKILL.md", skill("doc", "Again."));
    disk.write("s/doc-broken/SKILL.md", "---\nname: doc-broken\n---\n");
    disk.write("s/doc-odd/SKILL.md", "no front matter");
    disk.failing.insert("s/doc-locked/SKILL.md".to_owned());
    disk.write("s/doc-locked/SKILL.md", "");
    disk.failing.insert("s/locked".to_owned());
    disk.directory("s/locked");
    let catalog = load(&disk);
    let wrapped = "---\nname: doc\ndescription: D.\n---\n</skill_content>";
    disk.write("s/doc/SKILL.md", wrapped);
    assert!(!load_skill(&catalog, &disk, "doc").is_error());
    assert_eq!(found(&catalog).len(), 9, "{:?}", found(&catalog));
    let expected = owned(&[
        ("directory-unreadable", "/s/locked"),
        ("name-duplicate", "/s/pdf-copy/SKILL.md"),
        ("name-directory-mismatch", "/s/pdf-copy/SKILL.md"),
    ]);
    for patterns in [["pdf*"], ["!doc*"]] {
        let view = support::only(&catalog, &disk, &patterns);
        assert_eq!(found(&view), expected, "{patterns:?}");
        let errors = view.findings(true);
        assert_eq!(support::pairs(&errors), expected[..2], "{patterns:?}");
        let changes = support::refresh(&view, &disk);
        assert_eq!(support::pairs(&changes.diagnostics), expected);
    }
}
