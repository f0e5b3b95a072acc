//! Which files of a directory are skills.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use skillshelf::{Catalog, Limits, LoadOptions, Mode};
use support::{
    Abilities, Disk, SOURCE, disk_of, disk_with, found, load, load_sources, load_with, owned,
    path_of, public_skill, run, skill,
};

/// Everything that a host may be.
const HOSTS: [(&str, Abilities); 6] = [
    ("full", Abilities::FULL),
    ("smallest", Abilities::SMALLEST),
    ("without open", Abilities::WITHOUT_OPEN),
    ("without stat", Abilities::WITHOUT_STAT),
    ("folding", Abilities::FOLDING),
    ("windows", Abilities::WINDOWS),
];

/// A rule: the files, and the names and findings that come of them.
type Row<'a> = (
    &'a str,
    &'a [(&'a str, &'a str)],
    &'a [&'a str],
    &'a [(&'a str, &'a str)],
);

const A: &str = "---\nname: a\ndescription: A.\n---\nBody\n";
const B: &str = "---\nname: b\ndescription: B.\n---\nBody\n";
const NOTES: &str = "# Notes\n\nNo front matter.\n";

#[test]
fn layouts_on_every_host() {
    let rows: &[Row] = &[
        ("nothing", &[], &[], &[]),
        (
            "named directories",
            &[("s/a/SKILL.md", A), ("s/b/SKILL.md", B)],
            &["a", "b"],
            &[],
        ),
        (
            "grouped",
            &[("s/g/h/a/SKILL.md", A), ("s/b/SKILL.md", B)],
            &["a", "b"],
            &[],
        ),
        ("loose", &[("s/a.md", A), ("s/b.md", B)], &["a", "b"], &[]),
        (
            "mixed",
            &[("s/a.md", A), ("s/g/b/SKILL.md", B)],
            &["a", "b"],
            &[],
        ),
        (
            "loose without front matter",
            &[("s/README.md", NOTES), ("s/a.md", A)],
            &["a"],
            &[("loose-file-passed-over", "/s/README.md")],
        ),
        (
            "loose below the top",
            &[("s/g/a.md", A), ("s/b.md", B)],
            &["b"],
            &[],
        ),
        (
            "other endings",
            &[("s/a.txt", A), ("s/a.MD", A), ("s/amd", A)],
            &[],
            &[],
        ),
        (
            "nothing below a skill",
            &[("s/a/SKILL.md", A), ("s/a/b/SKILL.md", B)],
            &["a"],
            &[],
        ),
        (
            "nothing below a loose skill's name",
            &[("s/a.md", A), ("s/a/x.md", B)],
            &["a"],
            &[],
        ),
        (
            "hidden, node_modules, .git",
            &[
                ("s/.git/a/SKILL.md", A),
                ("s/.hidden/SKILL.md", A),
                ("s/node_modules/a/SKILL.md", A),
                ("s/g/node_modules/a/SKILL.md", A),
                ("s/g/.x/a/SKILL.md", A),
                ("s/.a.md", A),
                ("s/b/SKILL.md", B),
            ],
            &["b"],
            &[],
        ),
    ];
    for (host, abilities) in HOSTS {
        for (rule, files, names, findings) in rows {
            let mut disk = disk_with(files);
            disk.directory(SOURCE);
            disk.abilities = abilities;
            let catalog = load(&disk);
            assert_eq!(catalog.names(), *names, "{rule}, {host}");
            assert_eq!(found(&catalog), owned(findings), "{rule}, {host}");
        }
    }
}

#[test]
fn a_skill_file_at_the_top_makes_the_source_one_skill() {
    for (host, abilities) in HOSTS {
        let mut disk = disk_with(&[
            ("s/SKILL.md", skill("s", "The source.").as_str()),
            ("s/a/SKILL.md", A),
            ("s/b.md", B),
            ("s/notes.txt", NOTES),
        ]);
        disk.abilities = abilities;
        let catalog = load(&disk);
        assert_eq!(catalog.names(), ["s"], "{host}");
        assert_eq!(found(&catalog), [], "{host}");
        let content = support::load_skill(&catalog, &disk, "s").content;
        for file in ["a/SKILL.md", "b.md", "notes.txt"] {
            assert!(
                content.contains(&format!("<file>{file}</file>")),
                "{host}: {content}"
            );
        }
    }
}

#[test]
fn the_top_of_a_host_is_a_skill_without_a_name_of_its_own() {
    let mut disk = disk_with(&[("SKILL.md", A)]);
    disk.abilities = Abilities::SMALLEST;
    let mut place = disk.place("");
    place.prefix = String::new();
    let source = skillshelf::Source::Directory(place);
    let catalog = load_sources(&disk, vec![source], LoadOptions::default()).unwrap();
    assert_eq!(catalog.names(), ["a"]);
    assert_eq!(
        found(&catalog),
        [],
        "there is no directory whose name could differ"
    );
    assert_eq!(path_of(&catalog, &disk, "a").as_deref(), Some("SKILL.md"));
}

#[test]
fn a_loose_skill_is_named_by_its_file_and_has_no_directory() {
    let disk = disk_with(&[
        ("s/tidy.md", "---\ndescription: Tidies.\n---\nBody\n"),
        ("s/other.txt", "x"),
    ]);
    let catalog = load(&disk);
    assert_eq!(catalog.names(), ["tidy"]);
    assert_eq!(found(&catalog), []);
    let source = public_skill(&catalog, &disk, "tidy").unwrap()["source"].clone();
    assert_eq!(source["path"], "/s/tidy.md");
    assert_eq!(source["label"], "disk:s");
    assert!(source.get("directory").is_none());
    let result = support::read_file(&catalog, &disk, "tidy", "other.txt");
    assert_eq!(result.code(), Some("PATH_REFUSED"));
    assert!(
        !support::load_skill(&catalog, &disk, "tidy")
            .content
            .contains("directory")
    );
}

#[test]
fn a_missing_name_is_the_directorys_with_a_warning() {
    let disk = disk_with(&[(
        "s/deep/tidy/SKILL.md",
        "---\ndescription: Tidies.\n---\nBody\n",
    )]);
    let catalog = load(&disk);
    assert_eq!(catalog.names(), ["tidy"]);
    assert_eq!(
        found(&catalog),
        owned(&[("name-missing", "/s/deep/tidy/SKILL.md")])
    );
    let strict = load_with(
        &disk,
        LoadOptions {
            mode: Mode::Strict,
            ..LoadOptions::default()
        },
    );
    assert_eq!(strict.names(), Vec::<String>::new());
}

#[test]
fn nested_skills_are_found_only_when_asked_for() {
    let files = [
        ("s/a/SKILL.md", A),
        ("s/a/x/b/SKILL.md", B),
        ("s/a/loose.md", B),
    ];
    for (host, abilities) in HOSTS {
        let mut disk = disk_with(&files);
        disk.abilities = abilities;
        let nested = LoadOptions {
            nested: true,
            ..LoadOptions::default()
        };
        assert_eq!(load(&disk).names(), ["a"], "{host}");
        let catalog = load_with(&disk, nested);
        assert_eq!(catalog.names(), ["a", "b"], "{host}");
        assert_eq!(found(&catalog), [], "{host}");
    }
    let mut top = disk_with(&[
        ("s/SKILL.md", skill("s", "S.").as_str()),
        ("s/b/SKILL.md", B),
        ("s/x.md", A),
    ]);
    for abilities in [Abilities::FULL, Abilities::SMALLEST] {
        top.abilities = abilities;
        let nested = LoadOptions {
            nested: true,
            ..LoadOptions::default()
        };
        assert_eq!(
            load_with(&top, nested).names(),
            ["b", "s"],
            "beside a skill file nothing is loose"
        );
    }
}

#[test]
fn depth_is_bounded_and_said_once() {
    let disk = disk_with(&[
        ("s/1/2/3/4/5/a/SKILL.md", A),
        ("s/1/2/3/4/5/6/b/SKILL.md", B),
        ("s/1/2/3/4/5/7/c/SKILL.md", B),
    ]);
    let catalog = load(&disk);
    assert_eq!(catalog.names(), ["a"], "six levels below the source");
    assert_eq!(
        found(&catalog),
        owned(&[("depth-limit", "/s/1/2/3/4/5/6/b")])
    );
    let limits = Limits {
        depth: 1,
        ..Limits::default()
    };
    let disk = disk_with(&[("s/a/SKILL.md", A), ("s/g/b/SKILL.md", B)]);
    let catalog = load_with(
        &disk,
        LoadOptions {
            limits,
            ..LoadOptions::default()
        },
    );
    assert_eq!(catalog.names(), ["a"]);
    assert_eq!(found(&catalog), owned(&[("depth-limit", "/s/g/b")]));
    let diagnostics = catalog.diagnostics();
    assert!(
        diagnostics[0].message.contains("deeper than 1 "),
        "{}",
        diagnostics[0].message
    );
}

#[test]
fn a_limit_that_is_just_kept_is_not_mentioned() {
    let disk = disk_with(&[("s/a/SKILL.md", A), ("s/b/SKILL.md", B)]);
    let limits = Limits {
        depth: 1,
        directories: 3,
        ..Limits::default()
    };
    let catalog = load_with(
        &disk,
        LoadOptions {
            limits,
            ..LoadOptions::default()
        },
    );
    assert_eq!(catalog.names(), ["a", "b"]);
    assert_eq!(found(&catalog), []);
}

#[test]
fn directories_are_bounded_and_said_once() {
    let names: Vec<String> = (0..600).map(|number| format!("d{number:03}")).collect();
    let disk = disk_of(&names.iter().map(String::as_str).collect::<Vec<_>>());
    for (directories, skills) in [(601, 600), (600, 599), (257, 256), (2, 1), (1, 0)] {
        let limits = Limits {
            directories,
            ..Limits::default()
        };
        let catalog = load_with(
            &disk,
            LoadOptions {
                limits,
                ..LoadOptions::default()
            },
        );
        assert_eq!(
            catalog.count(),
            skills,
            "{directories} directories, the source included"
        );
        let expected: &[(&str, &str)] = if directories < 601 {
            &[("directories-limit", "/s")]
        } else {
            &[]
        };
        assert_eq!(found(&catalog), owned(expected), "{directories}");
        assert_eq!(catalog.names(), names[..skills], "the first by name");
    }
}

#[test]
fn ignored_directories_are_not_entered_at_any_depth() {
    let disk = disk_with(&[
        ("s/drafts/a/SKILL.md", A),
        ("s/g/drafts/SKILL.md", A),
        ("s/drafts2/b/SKILL.md", B),
    ]);
    let options = LoadOptions {
        ignore: vec!["drafts".to_owned()],
        ..LoadOptions::default()
    };
    let catalog = load_with(&disk, options);
    assert_eq!(catalog.names(), ["b"]);
    assert!(
        !disk
            .take_log()
            .iter()
            .any(|request| format!("{request:?}").contains("drafts/"))
    );
}

#[test]
fn a_skill_file_in_another_case_loads_with_a_warning() {
    for (host, abilities) in HOSTS {
        for name in ["skill.md", "Skill.md", "SKILL.MD"] {
            let path = format!("s/a/{name}");
            let mut disk = disk_with(&[
                (path.as_str(), A),
                ("s/b/SKILL.md", B),
                ("s/a/x/c/SKILL.md", A),
            ]);
            disk.abilities = abilities;
            let catalog = load(&disk);
            assert_eq!(catalog.names(), ["a", "b"], "{host} {name}");
            assert_eq!(
                found(&catalog),
                owned(&[("skill-file-name-case", &format!("/{path}"))]),
                "{host} {name}"
            );
            assert!(
                !support::load_skill(&catalog, &disk, "a").is_error(),
                "{host} {name}"
            );
            let content = support::load_skill(&catalog, &disk, "a").content;
            assert!(
                !content.contains(&format!("<file>{name}</file>")),
                "{host} {name}: {content}"
            );
        }
    }
}

#[test]
fn the_exact_skill_file_wins_over_one_in_another_case() {
    for abilities in [
        Abilities::FULL,
        Abilities::SMALLEST,
        Abilities::WITHOUT_OPEN,
    ] {
        let mut disk = disk_with(&[
            ("s/a/SKILL.md", A),
            ("s/a/skill.md", B),
            ("s/a/Skill.md", B),
        ]);
        disk.abilities = abilities;
        let catalog = load(&disk);
        assert_eq!(catalog.names(), ["a"]);
    }
}

#[test]
fn at_the_top_too_the_case_is_told() {
    for (host, abilities) in HOSTS {
        let mut disk = disk_with(&[("s/skill.md", skill("s", "S.").as_str()), ("s/a.md", A)]);
        disk.abilities = abilities;
        let catalog = load(&disk);
        assert_eq!(catalog.names(), ["s"], "{host}: a source that is one skill");
        assert_eq!(
            found(&catalog),
            owned(&[("skill-file-name-case", "/s/skill.md")]),
            "{host}"
        );
    }
}

#[test]
fn in_strict_mode_a_skill_file_in_another_case_is_an_error() {
    for abilities in [Abilities::FULL, Abilities::FOLDING] {
        let mut disk = disk_with(&[("s/a/skill.md", A)]);
        disk.abilities = abilities;
        let catalog = load_with(
            &disk,
            LoadOptions {
                mode: Mode::Strict,
                ..LoadOptions::default()
            },
        );
        assert_eq!(catalog.count(), 0);
        assert_eq!(
            found(&catalog),
            owned(&[("skill-file-name-case", "/s/a/skill.md")])
        );
    }
}

#[test]
fn a_directory_that_is_not_there_is_an_empty_catalog_without_a_word() {
    for (host, abilities) in HOSTS {
        let mut disk = Disk::default();
        disk.abilities = abilities;
        let catalog = load(&disk);
        assert_eq!((catalog.count(), found(&catalog)), (0, vec![]), "{host}");
    }
}

#[test]
fn a_file_on_the_place_of_a_source_is_a_finding() {
    for (path, hint) in [
        ("s", "pass the directory that it is in"),
        ("x/SKILL.md", "pass the skill's directory"),
    ] {
        for (host, abilities) in HOSTS {
            let mut disk = Disk::default();
            disk.abilities = abilities;
            disk.write(path, A);
            let catalog =
                load_sources(&disk, vec![disk.source(path)], LoadOptions::default()).unwrap();
            assert_eq!(catalog.count(), 0);
            if !abilities.capabilities.stat {
                assert_eq!(found(&catalog), [], "{host} cannot tell");
                continue;
            }
            let shown = format!("/{path}");
            assert_eq!(
                found(&catalog),
                owned(&[("source-not-a-directory", shown.as_str())]),
                "{host}"
            );
            let diagnostics = catalog.diagnostics();
            assert!(diagnostics[0].is_error());
            assert_eq!(diagnostics[0].hint.as_deref(), Some(hint));
        }
    }
}

#[test]
fn a_directory_that_cannot_be_read_is_a_finding() {
    for abilities in [
        Abilities::FULL,
        Abilities::SMALLEST,
        Abilities::WITHOUT_OPEN,
        Abilities::WITHOUT_STAT,
    ] {
        let mut disk = disk_with(&[("s/a/SKILL.md", A), ("s/secret/b/SKILL.md", B)]);
        disk.abilities = abilities;
        disk.failing.insert("s/secret".to_owned());
        let catalog = load(&disk);
        assert_eq!(
            catalog.names(),
            ["a"],
            "one bad directory never stops the others"
        );
        let diagnostics = catalog.diagnostics();
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        assert!(diagnostics[0].is_error());
        assert!(
            diagnostics[0].message.contains("EACCES"),
            "{}",
            diagnostics[0].message
        );
        assert!(
            diagnostics[0]
                .path
                .as_deref()
                .unwrap()
                .starts_with("/s/secret")
        );
        let mut disk = disk_with(&[("s/a/SKILL.md", A)]);
        disk.failing.insert(SOURCE.to_owned());
        disk.abilities = abilities;
        let catalog = load(&disk);
        assert_eq!(catalog.count(), 0);
        assert!(
            catalog
                .diagnostics()
                .iter()
                .any(skillshelf::Diagnostic::is_error),
            "the source itself"
        );
    }
}

#[test]
fn a_skill_file_that_is_no_file_is_a_finding() {
    for abilities in [
        Abilities::FULL,
        Abilities::WITHOUT_OPEN,
        Abilities::WITHOUT_STAT,
    ] {
        let mut disk = disk_of(&["a"]);
        disk.abilities = abilities;
        disk.directory("s/b/SKILL.md");
        disk.pipe("s/c/SKILL.md");
        let catalog = load(&disk);
        assert_eq!(catalog.names(), ["a"]);
        assert_eq!(
            found(&catalog),
            owned(&[
                ("not-a-file", "/s/b/SKILL.md"),
                ("not-a-file", "/s/c/SKILL.md")
            ])
        );
    }
}

#[test]
fn one_bad_skill_never_stops_the_others() {
    let disk = disk_with(&[
        ("s/a/SKILL.md", A.as_bytes()),
        ("s/empty/SKILL.md", b""),
        (
            "s/latin/SKILL.md",
            b"---\nname: latin\ndescription: caf\xe9\n---\n",
        ),
        ("s/none/SKILL.md", b"---\nname: none\n---\nBody\n"),
        ("s/open/SKILL.md", b"---\nname: open\ndescription: x\n"),
        ("s/plain/SKILL.md", NOTES.as_bytes()),
    ]);
    let catalog = load(&disk);
    assert_eq!(catalog.names(), ["a"]);
    let diagnostics = catalog.diagnostics();
    let paths: Vec<_> = diagnostics
        .iter()
        .map(|found| found.path.as_deref().unwrap())
        .collect();
    assert_eq!(
        paths,
        [
            "/s/empty/SKILL.md",
            "/s/latin/SKILL.md",
            "/s/none/SKILL.md",
            "/s/open/SKILL.md",
            "/s/plain/SKILL.md"
        ]
    );
    assert!(diagnostics.iter().all(skillshelf::Diagnostic::is_error));
}

#[test]
fn a_scan_costs_one_read_a_skill_and_one_listing_a_folder() {
    let disk = disk_with(&[
        ("s/a/SKILL.md", A),
        ("s/g/b/SKILL.md", B),
        ("s/g/c/SKILL.md", &skill("c", "C.")),
    ]);
    load(&disk);
    let counts = disk.take_counts();
    assert_eq!(counts.lists, 2, "the source and the group");
    assert_eq!(counts.reads, 5, "SKILL.md in five directories");
    assert!(
        counts.stats <= 5 && counts.real_paths <= 2,
        "how the disk folds case, and what the listed folders were before and after: {counts:?}"
    );
    assert_eq!(counts.normalized, 0, "ASCII is its own NFKC");
}

#[test]
fn only_the_front_of_a_long_file_is_read() {
    let long = skill("a", "A.") + &"x".repeat(100_000);
    let disk = disk_with(&[("s/a/SKILL.md", long)]);
    load(&disk);
    let longest = disk
        .take_log()
        .iter()
        .filter_map(|request| match request {
            skillshelf::Request::Read { length, .. } => Some(*length),
            _ => None,
        })
        .max();
    assert_eq!(longest, Some(1536));
}

#[test]
fn a_closing_fence_that_is_far_away_is_found() {
    for size in [1000, 1490, 1500, 1510, 1520, 1536, 3000, 4096, 60_000] {
        let file = format!(
            "---\nname: a\ndescription: A.\nx: {}\n---\nBody\n",
            "y".repeat(size)
        );
        for (host, abilities) in HOSTS {
            let mut disk = disk_with(&[("s/a/SKILL.md", &file)]);
            disk.abilities = abilities;
            assert_eq!(load(&disk).names(), ["a"], "{size} {host}");
        }
    }
    let file = format!(
        "---\nname: a\ndescription: A.\nx: {}\n---\nBody\n",
        "y".repeat(70_000)
    );
    for (host, abilities) in HOSTS {
        let mut disk = disk_with(&[("s/a/SKILL.md", &file)]);
        disk.abilities = abilities;
        let catalog = load(&disk);
        assert_eq!(catalog.count(), 0, "{host}");
        assert_eq!(found(&catalog).len(), 1, "{host}");
    }
}

#[test]
fn discovery_judges_only_what_ends_at_the_closing_fence() {
    let mut bytes = A.as_bytes().to_vec();
    bytes.extend(b"\xff\xfe not UTF-8");
    let large = A.to_owned() + &"x".repeat(2_000_000);
    for (host, abilities) in HOSTS {
        let mut disk = disk_with(&[
            ("s/a/SKILL.md", bytes.clone()),
            (
                "s/b/SKILL.md",
                large.replace("name: a", "name: b").into_bytes(),
            ),
        ]);
        disk.abilities = abilities;
        let catalog = load(&disk);
        assert_eq!(catalog.names(), ["a", "b"], "{host}");
        assert_eq!(found(&catalog), [], "{host}");
        let result = support::load_skill(&catalog, &disk, "a");
        assert_eq!(result.code(), Some("SKILL_INVALID"), "{host}: {result:?}");
        let result = support::load_skill(&catalog, &disk, "b");
        assert_eq!(result.code(), Some("FILE_TOO_LARGE"), "{host}: {result:?}");
    }
}

#[test]
fn order_is_by_code_point_whatever_the_listings_order() {
    let names = ["b", "a-b", "a", "B", "é", "z", "a_b"];
    let mut disk = disk_of(&names);
    let mut expected = names.map(str::to_owned);
    expected.sort();
    let first = load(&disk);
    assert_eq!(first.names(), expected);
    for seed in 0..20 {
        disk.order = Some(seed);
        let catalog = load(&disk);
        assert_eq!(catalog.names(), expected);
        assert_eq!(catalog.diagnostics(), first.diagnostics());
    }
}

#[test]
fn many_directories_are_looked_into_in_few_steps() {
    let names: Vec<String> = (0..1000).map(|number| format!("n{number:04}")).collect();
    let disk = disk_of(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let mut steps = 0;
    let catalog = support::run_in_steps(
        Catalog::load(vec![disk.source(SOURCE)], LoadOptions::default()),
        100,
        |requests| {
            steps += 1;
            requests
                .iter()
                .map(|request| disk.answer(request))
                .collect()
        },
    );
    assert_eq!(catalog.unwrap().unwrap().count(), 1000);
    assert!(steps < 20, "{steps} steps");
}

#[test]
fn progress_counts_directories_and_files() {
    let disk = disk_of(&["a", "b", "c"]);
    let mut operation = Catalog::load(vec![disk.source(SOURCE)], LoadOptions::default());
    let mut replies = Vec::new();
    while let Some(skillshelf::Step::Requests(requests)) = operation.step(replies) {
        replies = requests
            .iter()
            .map(|request| disk.answer(request))
            .collect();
    }
    assert_eq!(operation.progress().directories, 4);
    assert!(operation.progress().files >= 3);
    assert!(operation.step(Vec::new()).is_none(), "it is over");
}

#[test]
fn names_are_compared_in_nfkc() {
    let decomposed = "cafe\u{301}";
    let disk = disk_with(&[(
        &format!("s/{decomposed}/SKILL.md") as &str,
        skill("café", "C."),
    )]);
    let catalog = load(&disk);
    assert_eq!(catalog.names(), ["café"]);
    let codes: Vec<_> = found(&catalog).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["name-invalid"], "the directory has the same name");
    for name in ["café", decomposed] {
        assert!(
            run(catalog.get(name.to_owned(), None), &disk).is_some(),
            "{name}"
        );
        assert!(
            !support::load_skill(&catalog, &disk, name).is_error(),
            "{name}"
        );
    }
}
