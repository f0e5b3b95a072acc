//! A host that fails at its k-th answer, for every k of every operation, with every kind of error.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use std::collections::BTreeSet;

use serde_json::json;
use skillshelf::{
    Catalog, Error, ExpandOptions, Expansion, Failure, IndexOptions, Kind, Links, LoadOptions,
    Operation, Reply, Request, SearchOptions, Style, ToJson, ToolOptions, ToolResult,
};
use support::{Abilities, Disk, disk_with, index, load_with, refresh, report, session, skill};

const HOSTS: [(&str, Abilities); 6] = [
    ("full", Abilities::FULL),
    ("exact", Abilities::EXACT),
    ("smallest", Abilities::SMALLEST),
    ("without open", Abilities::WITHOUT_OPEN),
    ("without stat", Abilities::WITHOUT_STAT),
    ("folding", Abilities::FOLDING),
];

/// How a host fails.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// It throws, with this code and message.
    Throws(
        Option<&'static str>,
        Option<&'static str>,
        Option<&'static str>,
    ),
    /// It gives nothing.
    Nothing,
    /// It gives an answer to another question.
    OutOfTurn,
}

const FAULTS: [Fault; 8] = [
    Fault::Throws(Some("EIO"), Some("Error"), Some("EIO: i/o error")),
    Fault::Throws(Some("EACCES"), None, None),
    Fault::Throws(Some("ENOENT"), Some("Error"), Some("gone")),
    Fault::Throws(None, Some("NotFoundError"), None),
    Fault::Throws(None, None, None),
    Fault::Throws(Some("HOST_FAILED"), Some("SkillError"), Some("no answer")),
    Fault::Nothing,
    Fault::OutOfTurn,
];

impl Fault {
    fn reply(self, request: &Request) -> Reply {
        match self {
            Self::Throws(code, name, message) => {
                Reply::Failed(Failure::thrown(code, name, message))
            }
            Self::Nothing => Reply::Failed(Failure::nothing()),
            Self::OutOfTurn => match request {
                Request::Stat { .. } | Request::RealPath { .. } => Reply::Listing {
                    entries: Vec::new(),
                    real_path: None,
                },
                _ => Reply::Stat {
                    kind: Kind::Other,
                    version: "0".to_owned(),
                },
            },
        }
    }

    /// Whether it says that nothing is there, which is no failure.
    fn says_absent(self) -> bool {
        matches!(
            self.reply(&Request::Normalize {
                text: String::new()
            }),
            Reply::Failed(Failure {
                not_found: true,
                ..
            })
        )
    }
}

fn disk(abilities: Abilities) -> Disk {
    let long = format!(
        "---\nname: long\ndescription: Long.\nmetadata:\n  k: {}\n---\nThe body of long.\n",
        "x".repeat(3000)
    );
    let mut disk = disk_with(&[
        ("s/one/SKILL.md", skill("one", "One.")),
        ("s/one/a.md", "A".to_owned()),
        ("s/one/sub/b.md", "B".to_owned()),
        ("s/group/two/SKILL.md", skill("two", "Two.")),
        ("s/long/SKILL.md", long),
        ("s/three/skill.md", skill("three", "Three.")),
        ("s/loose.md", skill("loose", "Loose.")),
        ("elsewhere/four/SKILL.md", skill("four", "Four.")),
    ]);
    disk.link("s/four", "/elsewhere/four");
    disk.abilities = abilities;
    disk
}

/// Where a request is about, if about a place.
fn place(request: &Request) -> Option<&str> {
    match request {
        Request::List { path, .. }
        | Request::Read { path, .. }
        | Request::Stat { path, .. }
        | Request::RealPath { path, .. } => Some(path),
        _ => None,
    }
}

/// Runs an operation over a host whose k-th answer is a fault. Gives what came of it, and the request
/// that failed; `None` where there were fewer.
fn faulty<T>(operation: Operation<T>, disk: &Disk, k: usize, fault: Fault) -> (T, Option<Request>) {
    let mut asked = 0;
    let mut failed = None;
    let result = operation.run(|request| {
        asked += 1;
        if asked == k {
            failed = Some(request.clone());
            return fault.reply(request);
        }
        disk.answer(request)
    });
    (result.expect("it was not over before"), failed)
}

/// For every way of failing and every k, until `check`, which is given both, has met no failure.
fn for_every_fault(mut check: impl FnMut(usize, Fault) -> Option<Request>) -> usize {
    let mut met = 0;
    for fault in FAULTS {
        for k in 1.. {
            if check(k, fault).is_none() {
                break;
            }
            met += 1;
        }
    }
    met
}

fn load(disk: &Disk) -> Catalog {
    load_with(disk, LoadOptions::default())
}

fn load_faulty(disk: &Disk, k: usize, fault: Fault) -> (Result<Catalog, Error>, Option<Request>) {
    let load = Catalog::load(vec![disk.source("s")], LoadOptions::default());
    faulty(load, disk, k, fault)
}

/// The entries of an index.
fn entries(catalog: &Catalog) -> BTreeSet<String> {
    let options = IndexOptions {
        style: Style::Plain,
        ..IndexOptions::default()
    };
    let text = report(catalog, options).text;
    text.lines().map(str::to_owned).collect()
}

fn names(catalog: &Catalog) -> BTreeSet<String> {
    catalog.names().into_iter().collect()
}

/// The skill that a request is about, by the directory below the source.
fn skill_of(request: &Request) -> Option<&'static str> {
    let below = place(request)?;
    let skills = [
        ("s/one", "one"),
        ("s/group", "two"),
        ("s/long", "long"),
        ("s/three", "three"),
        ("s/four", "four"),
        ("s/loose.md", "loose"),
    ];
    skills
        .into_iter()
        .find(|(path, _)| {
            below
                .strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
        .map(|(_, name)| name)
}

#[test]
fn a_scan_keeps_the_others_offers_nothing_by_halves_and_the_next_one_is_whole() {
    for (host, abilities) in HOSTS {
        let disk = disk(abilities);
        let whole = load(&disk);
        let met = for_every_fault(|k, fault| {
            let (catalog, failed) = load_faulty(&disk, k, fault);
            let catalog = catalog.expect("what fails is a finding");
            let case = || format!("{host}, {fault:?} at {k}: {failed:?}");
            let lost: Vec<_> = names(&whole)
                .difference(&names(&catalog))
                .cloned()
                .collect();
            assert!(names(&catalog).is_subset(&names(&whole)), "{}", case());
            let shown = entries(&catalog);
            assert!(shown.is_subset(&entries(&whole)), "{}: {shown:?}", case());
            if let Some(about) = failed.as_ref().and_then(skill_of) {
                assert!(
                    lost.iter().all(|name| name == about),
                    "{}: {lost:?}",
                    case()
                );
            }
            if !lost.is_empty() && !fault.says_absent() {
                assert!(!catalog.diagnostics().is_empty(), "{}: {lost:?}", case());
            }
            refresh(&catalog, &disk);
            assert_eq!(
                index(&catalog, Style::Json),
                index(&whole, Style::Json),
                "{}",
                case()
            );
            assert_eq!(catalog.diagnostics(), whole.diagnostics(), "{}", case());
            failed
        });
        assert!(met > 8 * FAULTS.len(), "{host}: {met}");
    }
}

#[test]
fn a_refresh_keeps_what_it_cannot_read() {
    for (host, abilities) in HOSTS {
        let disk = disk(abilities);
        let whole = load(&disk);
        for_every_fault(|k, fault| {
            let catalog = load(&disk);
            let (changes, failed) = faulty(catalog.refresh(), &disk, k, fault);
            let case = || format!("{host}, {fault:?} at {k}: {failed:?}");
            let changes = changes.expect("what fails is a finding");
            assert!(names(&catalog).is_subset(&names(&whole)), "{}", case());
            let lost: BTreeSet<_> = names(&whole)
                .difference(&names(&catalog))
                .cloned()
                .collect();
            assert_eq!(
                lost,
                changes.removed.iter().cloned().collect(),
                "{}",
                case()
            );
            assert!(changes.added.is_empty(), "{}", case());
            refresh(&catalog, &disk);
            assert_eq!(
                index(&catalog, Style::Json),
                index(&whole, Style::Json),
                "{}",
                case()
            );
            assert_eq!(catalog.diagnostics(), whole.diagnostics(), "{}", case());
            failed
        });
    }
}

const CALLS: [(&str, &str); 10] = [
    ("load_skill", r#"{"name":"one"}"#),
    ("load_skill", r#"{"name":"four"}"#),
    ("load_skill", r#"{"name":"ｏｎｅ"}"#),
    ("read_skill_file", r#"{"skill":"one","path":"sub/b.md"}"#),
    ("read_skill_file", r#"{"skill":"three","path":"skill.md"}"#),
    (
        "read_skill_file",
        r#"{"skill":"one","path":"a.md","offset":0,"limit":1}"#,
    ),
    ("load_skill_resource", r#"{"skill":"one","path":"a.md"}"#),
    ("list_skill_resources", r#"{"skill":"one"}"#),
    ("search_skills", r#"{"query":"body of two"}"#),
    ("list_skills", "{}"),
];

fn call(tool: &str, arguments: &str, catalog: &Catalog) -> Operation<ToolResult> {
    let options = ToolOptions::from_json(r#"{"set":"full"}"#).expect("they are options");
    catalog.call(tool.to_owned(), arguments.to_owned(), options)
}

/// Whether a result is a whole one, or lacks only files in the list of those beside the skill, and
/// says so.
fn is_correct(content: &str, whole: &str, fault: Fault) -> bool {
    if content == whole {
        return true;
    }
    let lines: BTreeSet<&str> = whole.lines().collect();
    let is_told = |line: &str| line.contains("could not be");
    let is_body_whole = !whole.contains("The body of ") || content.contains("The body of ");
    is_body_whole
        && (fault.says_absent() || content.lines().any(is_told))
        && content.lines().all(|line| {
            lines.contains(line)
                || is_told(line)
                || line.starts_with("Paths in these")
                || line.starts_with("The skill \"")
        })
}

#[test]
fn a_call_gives_the_right_result_or_says_that_it_failed_and_the_next_one_works() {
    for (host, abilities) in HOSTS {
        let disk = disk(abilities);
        let catalog = load(&disk);
        for (tool, arguments) in CALLS {
            let whole = support::run(call(tool, arguments, &catalog), &disk);
            for_every_fault(|k, fault| {
                let (result, failed) = faulty(call(tool, arguments, &catalog), &disk, k, fault);
                let case = || format!("{host}, {tool} {arguments}, {fault:?} at {k}: {failed:?}");
                assert_eq!(result.is_error(), result.code().is_some(), "{}", case());
                assert!(
                    result.is_error() || is_correct(&result.content, &whole.content, fault),
                    "{}: {}",
                    case(),
                    result.content
                );
                let next = support::run(call(tool, arguments, &catalog), &disk);
                assert_eq!(next.to_json(), whole.to_json(), "{}", case());
                failed
            });
        }
    }
}

#[test]
fn a_body_an_expansion_and_a_search_do_too() {
    for (host, abilities) in HOSTS {
        let disk = disk(abilities);
        let catalog = load(&disk);
        let body = || catalog.body("two".to_owned());
        let expand = || catalog.expand("/one more".to_owned(), ExpandOptions::default());
        let search = || {
            let options = SearchOptions::from_json(r#"{"bodies":true}"#).expect("they are options");
            catalog.search("body".to_owned(), options)
        };
        let whole_body = support::run(body(), &disk).expect("it is there");
        let Ok(Expansion::Skill {
            text: whole_text, ..
        }) = support::run(expand(), &disk)
        else {
            panic!("it is a skill");
        };
        for_every_fault(|k, fault| {
            let (result, failed) = faulty(body(), &disk, k, fault);
            assert!(
                result.is_err() || result == Ok(whole_body.clone()),
                "{host} {fault:?} {k}"
            );
            assert_eq!(
                support::run(body(), &disk),
                Ok(whole_body.clone()),
                "{host} {fault:?} {k}"
            );
            failed
        });
        for_every_fault(|k, fault| {
            let (result, failed) = faulty(expand(), &disk, k, fault);
            let text = match &result {
                Ok(Expansion::Skill { text, .. }) => text.clone(),
                Ok(other) => panic!("{other:?}"),
                Err(_) => whole_text.clone(),
            };
            assert!(
                is_correct(&text, &whole_text, fault),
                "{host} {fault:?} {k}: {failed:?}: {text}"
            );
            failed
        });
        for_every_fault(|k, fault| {
            // What it has read once it keeps.
            let catalog = load(&disk);
            let options = || SearchOptions::from_json(r#"{"bodies":true}"#).expect("options");
            let (_, failed) = faulty(
                catalog.search("body".to_owned(), options()),
                &disk,
                k,
                fault,
            );
            let next = support::run(catalog.search("body".to_owned(), options()), &disk);
            let fresh = support::run(search(), &disk);
            if !fault.says_absent() {
                assert_eq!(next.len(), fresh.len(), "{host} {fault:?} {k}: {failed:?}");
            }
            failed
        });
    }
}

#[test]
fn a_session_holds_what_was_loaded_whole_and_nothing_else() {
    for (host, abilities) in HOSTS {
        let disk = disk(abilities);
        let catalog = load(&disk);
        for_every_fault(|k, fault| {
            let session = session(&catalog);
            let load = session.call(
                "load_skill".to_owned(),
                json!({ "name": "one" }).to_string(),
                ToolOptions::default(),
            );
            let (outcome, failed) = faulty(load, &disk, k, fault);
            let result = session.take(outcome);
            let loaded = support::loaded_names(&session);
            let case = || format!("{host}, {fault:?} at {k}: {failed:?}");
            assert_eq!(loaded.is_empty(), result.is_error(), "{}", case());
            assert!(
                !support::load_in(&session, &disk, "one").is_error(),
                "{}",
                case()
            );
            assert_eq!(support::loaded_names(&session), ["one"], "{}", case());
            failed
        });
    }
}

#[test]
fn links_that_cannot_be_judged_lead_nowhere() {
    for links in [Links::Inside, Links::All, Links::Never] {
        let mut disk = disk(Abilities::FULL);
        disk.write("elsewhere/secret.md", "SECRET");
        disk.link("s/one/out.md", "/elsewhere/secret.md");
        let options = LoadOptions {
            links,
            ..LoadOptions::default()
        };
        let catalog = load_with(&disk, options);
        let arguments = r#"{"skill":"one","path":"out.md"}"#;
        for_every_fault(|k, fault| {
            let (result, failed) = faulty(
                call("read_skill_file", arguments, &catalog),
                &disk,
                k,
                fault,
            );
            assert!(
                result.is_error() && !result.content.contains("SECRET"),
                "{links:?} {fault:?} {k}"
            );
            failed
        });
    }
}
