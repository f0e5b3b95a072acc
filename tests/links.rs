//! Where links lead, and where they do not.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use skillshelf::{Catalog, Links, LoadOptions, Request};
use support::{
    Abilities, Disk, disk_of, disk_with, found, load, load_skill, load_sources, load_with, owned,
    path_of, public_skill, read_file, run_in_steps, skill,
};

/// Hosts that know links.
const HOSTS: [(&str, Abilities); 4] = [
    ("full", Abilities::FULL),
    ("without open", Abilities::WITHOUT_OPEN),
    ("folding", Abilities::FOLDING),
    ("windows", Abilities::WINDOWS),
];

const POLICIES: [Links; 3] = [Links::Inside, Links::All, Links::Never];

fn following(links: Links) -> LoadOptions {
    LoadOptions {
        links,
        ..LoadOptions::default()
    }
}

/// What is changed on a disk.
type Layout = fn(&mut Disk);

/// Names of skills, and codes and paths of findings.
type Outcome = (
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
);

/// One layout: what stands there, and for each policy the names and findings.
struct Row {
    rule: &'static str,
    layout: Layout,
    expected: [Outcome; 3],
}

const REFUSED: &str = "link-refused";
const FILE_REFUSED: &str = "skill-file-link-refused";

const ROWS: [Row; 14] = [
    Row {
        rule: "a linked skill directory is followed wherever it leads",
        layout: |disk| {
            disk.write("shared/demo/SKILL.md", skill("demo", "Demo."));
            disk.link("s/demo", "../shared/demo");
        },
        expected: [
            (&["demo", "own"], &[]),
            (&["demo", "own"], &[]),
            (&["own"], &[(REFUSED, "/s/demo")]),
        ],
    },
    Row {
        rule: "in a group too, and by an absolute target",
        layout: |disk| {
            disk.write("shared/demo/SKILL.md", skill("demo", "Demo."));
            disk.link("s/group/demo", "/shared/demo");
        },
        expected: [
            (&["demo", "own"], &[]),
            (&["demo", "own"], &[]),
            (&["own"], &[(REFUSED, "/s/group/demo")]),
        ],
    },
    Row {
        rule: "a linked folder without a skill file is walked only with all",
        layout: |disk| {
            disk.write("shared/demo/SKILL.md", skill("demo", "Demo."));
            disk.write("shared/loose.md", skill("loose", "Loose."));
            disk.link("s/all", "../shared");
        },
        expected: [
            (&["own"], &[("link-not-walked", "/s/all")]),
            (&["demo", "own"], &[]),
            (&["own"], &[(REFUSED, "/s/all")]),
        ],
    },
    Row {
        rule: "two links to one directory are one skill, at the first of them",
        layout: |disk| {
            disk.write("shared/demo/SKILL.md", skill("demo", "Demo."));
            disk.link("s/demo", "../shared/demo");
            disk.link("s/other", "../shared/demo");
        },
        expected: [
            (&["demo", "own"], &[]),
            (&["demo", "own"], &[]),
            (&["own"], &[(REFUSED, "/s/demo"), (REFUSED, "/s/other")]),
        ],
    },
    Row {
        rule: "a link to a skill of the source is that skill, in its own place",
        layout: |disk| disk.link("s/a-link", "own"),
        expected: [
            (&["own"], &[]),
            (&["own"], &[]),
            (&["own"], &[(REFUSED, "/s/a-link")]),
        ],
    },
    Row {
        rule: "a chain of links is followed to its end",
        layout: |disk| {
            disk.write("far/away/demo/SKILL.md", skill("demo", "Demo."));
            disk.link("far/next", "away/demo");
            disk.link("far/first", "next");
            disk.link("s/demo", "../far/first");
        },
        expected: [
            (&["demo", "own"], &[]),
            (&["demo", "own"], &[]),
            (&["own"], &[(REFUSED, "/s/demo")]),
        ],
    },
    Row {
        rule: "a ring of links ends",
        layout: |disk| {
            disk.link("s/x", "y");
            disk.link("s/y", "x");
        },
        expected: [
            (
                &["own"],
                &[("link-dangling", "/s/x"), ("link-dangling", "/s/y")],
            ),
            (
                &["own"],
                &[("link-dangling", "/s/x"), ("link-dangling", "/s/y")],
            ),
            (&["own"], &[(REFUSED, "/s/x"), (REFUSED, "/s/y")]),
        ],
    },
    Row {
        rule: "a link that leads nowhere",
        layout: |disk| disk.link("s/gone", "../not/there"),
        expected: [
            (&["own"], &[("link-dangling", "/s/gone")]),
            (&["own"], &[("link-dangling", "/s/gone")]),
            (&["own"], &[(REFUSED, "/s/gone")]),
        ],
    },
    Row {
        rule: "never to an ancestor of the source, nor to the source",
        layout: |disk| {
            disk.write("SKILL.md", skill("root", "Root."));
            disk.link("s/me", ".");
            disk.link("s/up", "..");
        },
        expected: [
            (&["own"], &[(REFUSED, "/s/me"), (REFUSED, "/s/up")]),
            (&["own"], &[(REFUSED, "/s/me"), (REFUSED, "/s/up")]),
            (&["own"], &[(REFUSED, "/s/me"), (REFUSED, "/s/up")]),
        ],
    },
    Row {
        rule: "a folder that holds a link to itself is walked once",
        layout: |disk| {
            disk.write("shared/demo/SKILL.md", skill("demo", "Demo."));
            disk.link("shared/again", ".");
            disk.link("s/all", "../shared");
        },
        expected: [
            (&["own"], &[("link-not-walked", "/s/all")]),
            (&["demo", "own"], &[]),
            (&["own"], &[(REFUSED, "/s/all")]),
        ],
    },
    Row {
        rule: "a linked skill file that stays in its skill",
        layout: |disk| {
            disk.write("s/demo/text.md", skill("demo", "Demo."));
            disk.link("s/demo/SKILL.md", "text.md");
        },
        expected: [
            (&["demo", "own"], &[]),
            (&["demo", "own"], &[]),
            (&["own"], &[(FILE_REFUSED, "/s/demo/SKILL.md")]),
        ],
    },
    Row {
        rule: "a linked skill file that leaves its skill, though not the source",
        layout: |disk| {
            disk.write("s/.store/demo.md", skill("demo", "Demo."));
            disk.link("s/demo/SKILL.md", "../.store/demo.md");
        },
        expected: [
            (&["own"], &[("skill-file-link-leaves", "/s/demo/SKILL.md")]),
            (&["own"], &[("skill-file-link-leaves", "/s/demo/SKILL.md")]),
            (&["own"], &[(FILE_REFUSED, "/s/demo/SKILL.md")]),
        ],
    },
    Row {
        rule: "a linked skill file whose target's name only begins the same",
        layout: |disk| {
            disk.write("s-evil/SKILL.md", skill("demo", "Demo."));
            disk.write("s/.demo-evil/SKILL.md", skill("demo", "Demo."));
            disk.link("s/.demo/SKILL.md", "../.demo-evil/SKILL.md");
            disk.link("s/demo", ".demo");
        },
        expected: [
            (&["own"], &[("skill-file-link-leaves", "/s/demo/SKILL.md")]),
            (&["own"], &[("skill-file-link-leaves", "/s/demo/SKILL.md")]),
            (&["own"], &[(REFUSED, "/s/demo")]),
        ],
    },
    Row {
        rule: "a loose skill that is a link stays in the source",
        layout: |disk| {
            disk.write("s/.store/in.md", skill("in", "In."));
            disk.write("elsewhere/out.md", skill("out", "Out."));
            disk.link("s/in.md", ".store/in.md");
            disk.link("s/out.md", "../elsewhere/out.md");
        },
        expected: [
            (&["in", "own"], &[(REFUSED, "/s/out.md")]),
            (&["in", "own"], &[(REFUSED, "/s/out.md")]),
            (&["own"], &[(REFUSED, "/s/in.md"), (REFUSED, "/s/out.md")]),
        ],
    },
];

#[test]
fn links_are_followed_as_the_policy_says() {
    for (host, abilities) in HOSTS {
        for Row {
            rule,
            layout,
            expected,
        } in &ROWS
        {
            for (policy, (names, findings)) in POLICIES.into_iter().zip(expected) {
                let mut disk = disk_of(&["own"]);
                disk.abilities = abilities;
                layout(&mut disk);
                let catalog = load_with(&disk, following(policy));
                assert_eq!(catalog.names(), *names, "{rule}: {policy:?}, {host}");
                assert_eq!(
                    found(&catalog),
                    owned(findings),
                    "{rule}: {policy:?}, {host}"
                );
                assert_eq!(
                    path_of(&catalog, &disk, "own").as_deref(),
                    Some("/s/own/SKILL.md"),
                    "{rule}: {policy:?}, {host}"
                );
            }
        }
    }
}

#[test]
fn the_order_of_the_listing_changes_nothing() {
    for Row { rule, layout, .. } in &ROWS {
        for policy in POLICIES {
            let mut disk = disk_of(&["own"]);
            layout(&mut disk);
            let first = load_with(&disk, following(policy));
            for seed in 0..5 {
                disk.order = Some(seed);
                let catalog = load_with(&disk, following(policy));
                assert_eq!(catalog.names(), first.names(), "{rule}");
                assert_eq!(catalog.diagnostics(), first.diagnostics(), "{rule}");
            }
        }
    }
}

#[test]
fn a_host_without_real_paths_follows_no_link_and_says_so() {
    let mut disk = disk_of(&["own"]);
    disk.abilities = Abilities::SMALLEST;
    disk.write("shared/demo/SKILL.md", skill("demo", "Demo."));
    disk.link("s/demo", "../shared/demo");
    disk.write("secret", "TOP SECRET");
    disk.link("s/own/loot", "/secret");
    for policy in POLICIES {
        let catalog = load_with(&disk, following(policy));
        assert_eq!(catalog.names(), ["own"]);
        assert_eq!(found(&catalog), owned(&[(REFUSED, "/s/demo")]));
        let result = read_file(&catalog, &disk, "own", "loot");
        assert_eq!(result.code(), Some("PATH_REFUSED"), "{result:?}");
    }
}

#[test]
fn a_linked_loose_skill_needs_no_stat() {
    let mut disk = disk_of(&["own"]);
    disk.abilities = Abilities::WITHOUT_STAT;
    disk.write("s/.store/in.md", skill("in", "In."));
    disk.link("s/in.md", ".store/in.md");
    assert_eq!(load(&disk).names(), ["in", "own"]);
}

#[test]
fn a_real_path_that_a_scan_is_told_decides_too() {
    let mut disk = disk_of(&["own"]);
    disk.abilities.scan_tells_real_path = true;
    disk.write("elsewhere/SKILL.md", skill("demo", "Demo."));
    disk.link("s/demo/SKILL.md", "../../elsewhere/SKILL.md");
    let catalog = load(&disk);
    assert_eq!(catalog.names(), ["own"]);
    assert_eq!(
        found(&catalog),
        owned(&[("skill-file-link-leaves", "/s/demo/SKILL.md")])
    );
}

#[test]
fn a_linked_skill_is_named_by_its_link_and_shows_where_it_really_is() {
    let mut disk = Disk::default();
    disk.write("shared/v2/SKILL.md", "---\ndescription: Demo.\n---\nBody\n");
    disk.link("s/demo", "../shared/v2");
    let catalog = load(&disk);
    assert_eq!(catalog.names(), ["demo"]);
    let source = public_skill(&catalog, &disk, "demo").unwrap()["source"].clone();
    assert_eq!(source["path"], "/s/demo/SKILL.md");
    assert_eq!(source["directory"], "/shared/v2");
}

#[test]
fn a_source_that_is_a_link_itself_is_the_developers_will() {
    let mut disk = Disk::default();
    disk.write("real/demo/SKILL.md", skill("demo", "Demo."));
    disk.write("real/demo/a.md", "A");
    disk.link("s", "real");
    for policy in POLICIES {
        let catalog = load_with(&disk, following(policy));
        assert_eq!(catalog.names(), ["demo"], "{policy:?}");
        assert_eq!(found(&catalog), []);
        assert_eq!(read_file(&catalog, &disk, "demo", "a.md").content, "A");
    }
}

#[test]
fn one_file_through_two_sources_is_one_skill_without_a_conflict() {
    for (host, abilities) in HOSTS {
        let mut disk = disk_of(&["demo"]);
        disk.abilities = abilities;
        disk.link("t", "s");
        disk.link("u/demo", "../s/demo");
        for sources in [["s", "s"], ["s", "t"], ["s", "u"], ["u", "s"], ["t", "u"]] {
            let list = sources.iter().map(|path| disk.source(path)).collect();
            let catalog = load_sources(&disk, list, LoadOptions::default()).unwrap();
            assert_eq!(catalog.names(), ["demo"], "{sources:?} {host}");
            assert_eq!(found(&catalog), [], "{sources:?} {host}");
            let expected = format!("/{}/demo/SKILL.md", sources[0]);
            assert_eq!(
                path_of(&catalog, &disk, "demo"),
                Some(expected),
                "{sources:?} {host}"
            );
        }
    }
}

/// What a model may read of a skill that has links in it.
#[test]
fn links_in_a_skill_are_read_only_while_they_stay_in_it() {
    for (host, abilities) in HOSTS {
        for linked in [false, true] {
            let mut disk = disk_of(&["victim"]);
            disk.abilities = abilities;
            let real = if linked { "shared/demo" } else { "s/demo" };
            disk.write(&format!("{real}/SKILL.md"), skill("demo", "Demo."));
            disk.write(&format!("{real}/a.md"), "inside");
            disk.write("home/id_rsa", "SECRET");
            disk.link(&format!("{real}/refs/loot"), "/home/id_rsa");
            disk.link(&format!("{real}/refs/home"), "/home");
            disk.link(&format!("{real}/victim"), "/s/victim");
            disk.link(&format!("{real}/up"), "..");
            disk.link(&format!("{real}/chain"), "refs/loot");
            disk.link(&format!("{real}/fine.md"), "a.md");
            disk.link(&format!("{real}/again"), ".");
            disk.link(&format!("{real}/gone"), "nowhere");
            disk.directory(&format!("{real}/folder"));
            disk.pipe(&format!("{real}/pipe"));
            if linked {
                disk.link("s/demo", "../shared/demo");
            }
            let catalog = load(&disk);
            for (path, outcome) in [
                ("a.md", Ok("inside")),
                ("fine.md", Ok("inside")),
                ("again/a.md", Ok("inside")),
                ("again/again/fine.md", Ok("inside")),
                ("refs/loot", Err("PATH_REFUSED")),
                ("refs/home/id_rsa", Err("PATH_REFUSED")),
                ("victim/SKILL.md", Err("PATH_REFUSED")),
                ("up/demo/a.md", Ok("inside")),
                (
                    "up/victim/SKILL.md",
                    Err(if linked {
                        "FILE_NOT_FOUND"
                    } else {
                        "PATH_REFUSED"
                    }),
                ),
                ("chain", Err("PATH_REFUSED")),
                ("gone", Err("FILE_NOT_FOUND")),
                ("folder", Err("PATH_REFUSED")),
                ("pipe", Err("PATH_REFUSED")),
            ] {
                let result = read_file(&catalog, &disk, "demo", path);
                let said = format!("{path}, {host}, linked: {linked}: {result:?}");
                match outcome {
                    Ok(content) => assert_eq!(result.content, content, "{said}"),
                    Err(code) => assert_eq!(result.code(), Some(code), "{said}"),
                }
                assert!(!result.content.contains("SECRET"), "{said}");
                assert!(
                    !result.content.contains("home/id_rsa") || path.contains("id_rsa"),
                    "{said}"
                );
                assert!(result.bytes.is_none(), "{said}");
            }
            let content = load_skill(&catalog, &disk, "demo").content;
            for file in ["a.md", "fine.md"] {
                assert!(
                    content.contains(&format!("<file>{file}</file>")),
                    "{host}: {content}"
                );
            }
            for file in [
                "loot", "id_rsa", "victim", "gone", "pipe", "folder", "chain",
            ] {
                assert!(
                    !content.contains(&format!("{file}</file>")),
                    "{host}: {content}"
                );
            }
        }
    }
}

/// Runs a call with the disk changed before each of its requests in turn, and gives every result.
fn swapped(
    disk: &Disk,
    catalog: &Catalog,
    arguments: (&str, serde_json::Value),
    swap: Layout,
) -> Vec<skillshelf::ToolResult> {
    let (tool, arguments) = arguments;
    let mut results = Vec::new();
    for at in 0.. {
        let mut disk = disk.clone();
        let mut asked = 0;
        let operation = catalog.call(
            tool.to_owned(),
            arguments.to_string(),
            skillshelf::ToolOptions::default(),
        );
        let result = operation.run(|request| {
            if asked == at {
                swap(&mut disk);
            }
            asked += 1;
            disk.answer(request)
        });
        results.push(result.unwrap());
        if asked <= at {
            return results;
        }
    }
    results
}

#[test]
fn what_was_opened_decides_and_not_what_a_path_meant_a_moment_ago() {
    let evil = |disk: &mut Disk| {
        disk.write("evil/demo/SKILL.md", skill_text("SECRET"));
        disk.write("evil/demo/refs/a.md", "SECRET");
        disk.write("evil/refs/a.md", "SECRET");
        disk.write("evil/SKILL.md", skill_text("SECRET"));
        disk.write("evil/a.md", "SECRET");
    };
    let swaps: [(&str, Layout); 4] = [
        ("the file", |disk| {
            disk.remove("s/g/demo/refs/a.md");
            disk.link("s/g/demo/refs/a.md", "/evil/a.md");
            disk.remove("s/g/demo/SKILL.md");
            disk.link("s/g/demo/SKILL.md", "/evil/SKILL.md");
        }),
        ("its folder", |disk| {
            disk.remove("s/g/demo/refs");
            disk.link("s/g/demo/refs", "/evil/refs");
        }),
        ("the skill's directory", |disk| {
            disk.remove("s/g/demo");
            disk.link("s/g/demo", "/evil");
        }),
        ("a folder above it", |disk| {
            disk.remove("s/g");
            disk.link("s/g", "/evil");
        }),
    ];
    for (host, abilities) in HOSTS {
        for (what, swap) in swaps {
            let mut disk = Disk::default();
            disk.abilities = abilities;
            evil(&mut disk);
            disk.write("s/g/demo/SKILL.md", skill_text("fine"));
            disk.write("s/g/demo/refs/a.md", "fine");
            let catalog = load(&disk);
            for arguments in [
                (
                    "read_skill_file",
                    serde_json::json!({ "skill": "demo", "path": "refs/a.md" }),
                ),
                ("load_skill", serde_json::json!({ "name": "demo" })),
            ] {
                let results = swapped(&disk, &catalog, arguments, swap);
                assert!(results.len() > 2, "the change came in between");
                let last = results.last().unwrap();
                assert!(
                    !last.is_error(),
                    "{what}, {host}: unchanged to its end: {last:?}"
                );
                for result in &results {
                    assert!(
                        !result.content.contains("SECRET"),
                        "{what}, {host}: {result:?}"
                    );
                    assert!(result.bytes.is_none());
                }
            }
        }
    }
}

fn skill_text(body: &str) -> String {
    format!("---\nname: demo\ndescription: Demo.\n---\n{body}\n")
}

#[test]
fn a_linked_skill_that_is_pointed_elsewhere_during_a_read_is_not_read_from_two_places() {
    for (host, abilities) in HOSTS {
        let mut disk = Disk::default();
        disk.abilities = abilities;
        disk.write("shared/demo/SKILL.md", skill_text("fine"));
        disk.write("shared/demo/a.md", "fine");
        disk.write("evil/SKILL.md", skill_text("SECRET"));
        disk.write("evil/a.md", "SECRET");
        disk.link("s/demo", "../shared/demo");
        let catalog = load(&disk);
        let results = swapped(
            &disk,
            &catalog,
            (
                "read_skill_file",
                serde_json::json!({ "skill": "demo", "path": "a.md" }),
            ),
            |disk| {
                disk.remove("s/demo");
                disk.link("s/demo", "../evil");
            },
        );
        // Between the first request, for the directory's real path, and the second, for the file.
        assert_eq!(
            results[1].code(),
            Some("PATH_REFUSED"),
            "{host}: {:?}",
            results[1]
        );
        assert_eq!(results.last().unwrap().content, "fine", "{host}");
    }
}

#[test]
fn many_linked_files_take_few_steps() {
    for links in POLICIES {
        let mut disk = Disk::default();
        for number in 0..200 {
            let (own, loose) = (format!("d{number:03}"), format!("l{number:03}"));
            disk.write(&format!("s/{own}/real.txt"), skill(&own, "Own."));
            disk.link(&format!("s/{own}/SKILL.md"), "real.txt");
            disk.write(&format!("s/.loose/{loose}.md"), skill(&loose, "Loose."));
            disk.link(&format!("s/{loose}.md"), &format!(".loose/{loose}.md"));
        }
        let mut steps = 0;
        let catalog = run_in_steps(
            Catalog::load(vec![disk.source("s")], following(links)),
            100,
            |requests| {
                steps += 1;
                requests.iter().map(|asked| disk.answer(asked)).collect()
            },
        );
        let expected = if links == Links::Never { 0 } else { 400 };
        assert_eq!(catalog.unwrap().unwrap().count(), expected, "{links:?}");
        assert!(steps < 20, "{steps} steps, {links:?}");
    }
}

#[test]
fn links_are_followed_within_the_limits() {
    let mut disk = Disk::default();
    for number in 0..20 {
        disk.write(
            &format!("shared/d{number:02}/SKILL.md"),
            skill(&format!("d{number:02}"), "D."),
        );
        disk.link(
            &format!("s/d{number:02}"),
            &format!("../shared/d{number:02}"),
        );
    }
    let mut options = LoadOptions::default();
    options.limits.directories = 11;
    let catalog = load_with(&disk, options);
    assert_eq!(catalog.count(), 10);
    assert_eq!(found(&catalog), owned(&[("directories-limit", "/s")]));
}

#[test]
fn a_link_is_as_deep_as_a_directory_in_its_place() {
    let mut disk = disk_of(&["own"]);
    disk.write("shared/demo/SKILL.md", skill("demo", "Demo."));
    disk.link("s/1/2/3/4/5/six", "/shared/demo");
    assert_eq!(load(&disk).names(), ["demo", "own"]);
    let mut disk = disk_of(&["own"]);
    disk.write("shared/demo/SKILL.md", skill("demo", "Demo."));
    disk.link("s/1/2/3/4/5/6/seven", "/shared/demo");
    for policy in [Links::Inside, Links::All] {
        let catalog = load_with(&disk, following(policy));
        assert_eq!(catalog.names(), ["own"], "{policy:?}");
        assert_eq!(
            found(&catalog),
            owned(&[("depth-limit", "/s/1/2/3/4/5/6/seven")])
        );
    }
}

#[test]
fn a_link_that_is_pointed_at_an_ancestor_of_the_source_later_gives_nothing_of_it() {
    for (host, abilities) in HOSTS {
        let mut disk = Disk::default();
        disk.abilities = abilities;
        disk.write("shared/demo/SKILL.md", skill("demo", "Demo."));
        disk.write("etc/passwd", "SECRET");
        disk.link("s/demo", "../shared/demo");
        let catalog = load(&disk);
        disk.remove("s/demo");
        disk.link("s/demo", "/");
        let result = read_file(&catalog, &disk, "demo", "etc/passwd");
        assert_eq!(result.code(), Some("PATH_REFUSED"), "{host}: {result:?}");
        let content = load_skill(&catalog, &disk, "demo").content;
        assert!(!content.contains("passwd"), "{host}: {content}");
    }
}

/// Loads while someone swaps `victim` for a link to the outside around each request that `is_raced`
/// tells, and back.
fn load_raced(disk: &Disk, victim: &str, is_raced: impl Fn(&Request) -> bool) -> Catalog {
    let disk = std::cell::RefCell::new(disk.clone());
    let source = disk.borrow().source("s");
    Catalog::load(vec![source], LoadOptions::default())
        .run(|request| {
            let mut disk = disk.borrow_mut();
            if !is_raced(request) {
                return disk.answer(request);
            }
            disk.rename(victim, "s/.aside");
            disk.link(victim, "/outside");
            let reply = disk.answer(request);
            disk.remove(victim);
            disk.rename("s/.aside", victim);
            reply
        })
        .unwrap()
        .unwrap()
}

#[test]
fn what_was_swapped_for_a_link_while_it_was_scanned_is_not_read() {
    let mut disk = disk_of(&["demo", "other", "group/deep"]);
    disk.write("outside/SKILL.md", skill("secret", "SECRET"));
    disk.write("outside/deep/SKILL.md", skill("deep", "SECRET"));
    disk.write("outside/more/SKILL.md", skill("more", "SECRET"));
    for victim in ["s/demo", "s/group"] {
        let below = format!("{victim}/");
        for follow in [false, true] {
            let raced = load_raced(&disk, victim, |request| match request {
                // Who swaps it also for the second look is seen where the file is opened.
                Request::Read {
                    path,
                    follow: second,
                    ..
                } => path.starts_with(&below) && (!second || follow),
                Request::List { path, .. } => path == victim,
                _ => false,
            });
            let told = support::index(&raced, skillshelf::Style::Json);
            assert!(!told.contains("SECRET"), "{victim} {follow}: {told}");
            assert_eq!(
                raced.names().contains(&"demo".to_owned()),
                !follow || victim == "s/group"
            );
            assert!(raced.names().contains(&"other".to_owned()));
        }
    }
}

#[test]
fn what_is_listed_can_be_read_whatever_the_policy() {
    for abilities in [
        Abilities::FULL,
        Abilities::WITHOUT_OPEN,
        Abilities::WITHOUT_STAT,
        Abilities::SMALLEST,
    ] {
        for links in POLICIES {
            let mut disk = disk_with(&[
                ("s/x/SKILL.md", skill("x", "X.")),
                ("s/x/a.md", "A".to_owned()),
                ("s/x/sub/b.md", "B".to_owned()),
                ("secret", "SECRET".to_owned()),
            ]);
            disk.link("s/x/alias.md", "a.md");
            disk.link("s/x/sub/alias.md", "../a.md");
            disk.link("s/x/again", "sub");
            disk.link("s/x/loot.md", "/secret");
            disk.abilities = abilities;
            let catalog = load_with(&disk, following(links));
            let content = load_skill(&catalog, &disk, "x").content;
            let listed: Vec<&str> = content
                .lines()
                .filter_map(|line| line.strip_prefix("<file>")?.strip_suffix("</file>"))
                .collect();
            assert!(listed.contains(&"sub/b.md"), "{content}");
            for path in &listed {
                let result = read_file(&catalog, &disk, "x", path);
                assert!(!result.is_error(), "{links:?} {path}: {result:?}");
            }
            let tells_links = abilities.capabilities.real_path;
            let follows = tells_links && links != Links::Never;
            let tells_files = abilities.capabilities.stat;
            assert_eq!(listed.contains(&"alias.md"), follows && tells_files);
            for path in ["alias.md", "sub/alias.md", "again/b.md"] {
                let result = read_file(&catalog, &disk, "x", path);
                assert_eq!(result.is_error(), !follows, "{links:?} {path}: {result:?}");
                if !follows {
                    let reason = "a link leads to it, and links are not followed";
                    assert_eq!(result.code(), Some("PATH_REFUSED"));
                    assert!(result.content.contains(reason), "{}", result.content);
                }
            }
            let result = read_file(&catalog, &disk, "x", "loot.md");
            assert_eq!(result.code(), Some("PATH_REFUSED"));
        }
    }
}

#[test]
fn a_skill_file_that_became_a_link_follows_the_policy() {
    for links in POLICIES {
        let mut disk = disk_with(&[
            ("s/x/SKILL.md", skill("x", "X.")),
            ("s/x/real.md", skill("x", "Real.")),
        ]);
        let catalog = load_with(&disk, following(links));
        disk.remove("s/x/SKILL.md");
        disk.link("s/x/SKILL.md", "real.md");
        let result = load_skill(&catalog, &disk, "x");
        let body = support::body(&catalog, &disk, "x");
        if links == Links::Never {
            assert_eq!(result.code(), Some("PATH_REFUSED"));
            assert_eq!(body.unwrap_err().code(), "PATH_REFUSED");
        } else {
            assert!(!result.is_error(), "{result:?}");
        }
    }
}
