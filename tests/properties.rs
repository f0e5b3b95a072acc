//! What holds whatever skills say, hosts answer and models ask for.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value as Json;
use skillshelf::{
    Catalog, Diagnostic, IndexOptions, Kind, Limits, Links, LoadOptions, Mode, Operation,
    ParseOptions, ParsedSkill, Reply, Request, SkillSpec, Style, ToJson, ToolName, ToolOptions,
    ToolResult, Value, parse_skill, stringify,
};
use support::hostile::{self, BODY_LETTERS, breaks_line, line};
use support::liar::Liar;
use support::{
    Abilities, Disk, SOURCE, STYLES, disk_of, index, load, load_in, load_with, name_and_text,
    read_file, report, run, run_in_steps, session, skill,
};

/// Skills that say anything, each in a directory of any name.
fn hostile_disk() -> impl Strategy<Value = Disk> {
    let one = (
        hostile::file_name(),
        hostile::text(),
        hostile::text(),
        hostile::body(),
        any::<bool>(),
    );
    prop::collection::vec(one, 1..5).prop_map(|skills| {
        let mut disk = Disk::default();
        for (directory, name, description, body, grouped) in skills {
            let group = if grouped { "group/" } else { "" };
            let path = format!("{SOURCE}/{group}{directory}/SKILL.md");
            disk.write(&path, hostile::file(&name, &description, &body));
        }
        disk
    })
}

/// What the index has to show: name, description and location of each, on one line.
fn entries(catalog: &Catalog) -> Vec<[String; 3]> {
    let entry = |id| {
        let json = serde_json::from_str::<Json>(&catalog.skill(id).unwrap().to_json()).unwrap();
        let text = |json: &Json| line(json.as_str().unwrap());
        [
            text(&json["name"]),
            text(&json["description"]),
            text(&json["source"]["path"]),
        ]
    };
    catalog.ids().into_iter().map(entry).collect()
}

/// The elements of an index in XML. `None` where it is not well-formed, or has another one.
fn xml_entries(text: &str) -> Option<Vec<[String; 3]>> {
    let mut rest = text.strip_prefix("<available_skills>\n")?;
    let mut entries = Vec::new();
    while let Some(inside) = rest.strip_prefix("<skill>\n") {
        rest = inside;
        let mut entry = [const { String::new() }; 3];
        for (part, tag) in entry.iter_mut().zip(["name", "description", "location"]) {
            let content = rest.strip_prefix(&format!("<{tag}>\n"))?;
            let (content, after) = content.split_once(&format!("\n</{tag}>\n"))?;
            *part = unescaped(content)?;
            rest = after;
        }
        rest = rest.strip_prefix("</skill>\n")?;
        entries.push(entry);
    }
    (rest == "</available_skills>").then_some(entries)
}

/// The text of an element without markup in it.
fn unescaped(content: &str) -> Option<String> {
    if content.contains(['<', '>', '\n']) || !content.chars().all(is_xml) {
        return None;
    }
    let mut parts = content.split('&');
    let mut text = parts.next()?.to_owned();
    for part in parts {
        let (entity, after) = part.split_once(';')?;
        text.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            _ => return None,
        });
        text.push_str(after);
    }
    Some(text)
}

/// What may stand in an XML document at all (<https://www.w3.org/TR/xml/#charsets>).
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

fn json_entries(text: &str) -> Option<Vec<[String; 3]>> {
    let json: Json = serde_json::from_str(text).ok()?;
    let text = |json: &Json| json.as_str().map(str::to_owned);
    json["skills"]
        .as_array()?
        .iter()
        .map(|item| {
            let has_more = item.as_object()?.len() != 3;
            let entry = [
                text(&item["name"])?,
                text(&item["description"])?,
                text(&item["location"])?,
            ];
            (!has_more).then_some(entry)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn no_part_of_a_body_is_in_any_index(disk in hostile_disk(), filler in 0..3_usize) {
        let mut disk = disk;
        // The body also where it is read together with the front matter, and where it is not.
        let long = hostile::file("long", &"x".repeat(filler * 2000), &"Ξ".repeat(6000));
        disk.write("s/long/SKILL.md", long);
        disk.write("s/broken/SKILL.md", "---\nname: broken\ndescription: |\n  fine\n---\ndescription: Ψ\n---\n");
        disk.write("s/open/SKILL.md", "---\nname: open\ndescription: fine\nΨ\n");
        disk.write("s/loose.md", "---\ndescription: fine\n---\nΩ");
        for abilities in [Abilities::FULL, Abilities::SMALLEST] {
            disk.abilities = abilities;
            let catalog = load(&disk);
            prop_assert!(catalog.count() > 1);
            for style in STYLES {
                prop_assert!(!index(&catalog, style).contains(BODY_LETTERS));
            }
            let tools = catalog.tools(ToolOptions::default()).unwrap();
            let shown = tools.definitions().to_json();
            prop_assert!(!shown.contains(BODY_LETTERS));
        }
    }

    #[test]
    fn nothing_in_a_skill_can_open_close_or_add_an_entry(disk in hostile_disk()) {
        let catalog = load(&disk);
        let entries = entries(&catalog);
        prop_assert_eq!(entries.len(), catalog.count());
        if entries.is_empty() {
            return Ok(());
        }
        for (style, bullet, preamble) in [(Style::Markdown, "- ", 4), (Style::Plain, "  - ", 2)] {
            let text = index(&catalog, style);
            prop_assert!(!text.chars().any(|c| c != '\n' && breaks_line(c)), "{:?}", text);
            let lines = text.split('\n').skip(preamble);
            let found: Vec<(String, String)> = lines
                .map(|line| name_and_text(line.strip_prefix(bullet).expect("an entry")))
                .map(|(name, text)| (name, text.to_owned()))
                .collect();
            let expected: Vec<(String, String)> = entries
                .iter()
                .map(|[name, description, path]| (name.clone(), format!("{description} ({path})")))
                .collect();
            prop_assert_eq!(found, expected);
        }
        let text = index(&catalog, Style::Xml);
        prop_assert_eq!(text.matches("</available_skills>").count(), 1);
        let (_, xml) = text.split_once("\n\n").unwrap();
        prop_assert_eq!(xml_entries(xml), Some(entries.clone()), "{}", xml);
        let text = index(&catalog, Style::Json);
        prop_assert!(!text.contains(breaks_line));
        prop_assert_eq!(json_entries(&text), Some(entries), "{}", text);
    }

    #[test]
    fn what_the_developer_says_cannot_break_the_form_either(
        heading in hostile::text(),
        instruction in hostile::text(),
    ) {
        let catalog = load(&disk_of(&["a", "b"]));
        for style in STYLES {
            let options = IndexOptions {
                style,
                heading: Some(heading.clone()),
                instruction: Some(instruction.clone()),
                ..IndexOptions::default()
            };
            let text = report(&catalog, options).text;
            match style {
                Style::Json => prop_assert!(serde_json::from_str::<Json>(&text).is_ok()),
                Style::Xml => prop_assert!(text.ends_with("\n</skill>\n</available_skills>")),
                Style::Markdown => prop_assert!(text.ends_with("- a: Does a.\n- b: Does b.")),
                Style::Plain => prop_assert!(text.ends_with("  - a: Does a.\n  - b: Does b.")),
            }
        }
    }

    #[test]
    fn any_order_of_a_directory_gives_the_same_bytes(disk in hostile_disk(), seeds in prop::array::uniform3(any::<u64>())) {
        let mut disk = disk;
        disk.write("s/dup1/SKILL.md", skill("dup", "First."));
        disk.write("s/dup2/SKILL.md", skill("dup", "Second."));
        disk.link("s/link", "group");
        disk.link("s/link2", "dup1");
        disk.link("s/gone", "nowhere");
        let options = LoadOptions { links: Links::All, ..LoadOptions::default() };
        let first = load_with(&disk, options.clone());
        for seed in seeds {
            disk.order = Some(seed);
            let catalog = load_with(&disk, options.clone());
            prop_assert_eq!(catalog.names(), first.names());
            prop_assert_eq!(catalog.diagnostics(), first.diagnostics());
            for style in STYLES {
                prop_assert_eq!(index(&catalog, style), index(&first, style));
            }
        }
    }
}

/// A skill among traps: files outside that no call may give, and links to them.
fn among_traps(abilities: Abilities) -> Disk {
    let mut disk = disk_of(&["demo", "victim", "demo-evil"]);
    disk.abilities = abilities;
    for path in [
        "secret",
        "etc/passwd",
        "s/secret",
        "s/demo-evil/a",
        "s/victim/a",
        "s/de",
        "s/demo.md",
        "C:/a",
    ] {
        disk.write(path, "SECRET");
    }
    for path in ["a", "b/a", "b/c/a", "..a", "a b", "demo/a"] {
        disk.write(&format!("s/demo/{path}"), "inside");
    }
    if abilities.capabilities.real_path {
        disk.link("s/demo/up", "..");
        disk.link("s/demo/b/out", "/etc");
        disk.link("s/demo/loot", "/secret");
        disk.link("s/demo/victim", "../victim");
        disk.link("s/demo/here", ".");
    }
    disk
}

fn path() -> impl Strategy<Value = String> {
    let segment = prop::sample::select(vec![
        "",
        ".",
        "..",
        "...",
        "a",
        "A",
        "b",
        "c",
        "demo",
        "demo-evil",
        "victim",
        "secret",
        "up",
        "out",
        "loot",
        "here",
        "etc",
        "passwd",
        "s",
        "SKILL.md",
        "C:",
        "~",
        "%2e%2e",
        "NUL",
        "..a",
        "a ",
        "a.",
        "a:b",
        "a\0",
        ".. ",
        "\u{2025}",
        "\u{FF0E}\u{FF0E}",
    ]);
    let separator =
        prop::sample::select(vec!["/", "\\", "//", "/./", "\\..\\", "/../", "\u{2215}"]);
    prop::collection::vec((segment, separator), 1..7).prop_map(|parts| {
        let mut path: String = parts
            .iter()
            .flat_map(|(segment, separator)| [*segment, *separator])
            .collect();
        if !path.len().is_multiple_of(3) {
            path.truncate(path.trim_end_matches(['/', '\\']).len());
        }
        path
    })
}

/// Whether a request stays below `directory`, by its text. The real path of the source is asked for
/// too, and its version.
fn stays_below(request: &Request, directory: &str) -> bool {
    let path = match request {
        Request::Normalize { .. }
        | Request::Count { .. }
        | Request::Connect { .. }
        | Request::CallServer { .. } => return true,
        Request::RealPath { path, .. } | Request::Stat { path, .. } if path == SOURCE => {
            return true;
        }
        Request::List { path, .. }
        | Request::Read { path, .. }
        | Request::Stat { path, .. }
        | Request::RealPath { path, .. } => path,
    };
    let Some(rest) = path.strip_prefix(directory) else {
        return false;
    };
    let names_no_other = rest.is_empty() || rest.starts_with('/');
    names_no_other
        && !path.contains('\0')
        && path
            .split('/')
            .all(|segment| !matches!(segment, "" | "." | ".."))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn no_path_leaves_the_skill(path in path(), host in 0..5_usize) {
        let abilities = [
            Abilities::FULL, Abilities::SMALLEST, Abilities::WITHOUT_OPEN, Abilities::WITHOUT_STAT,
            Abilities { windows: true, ..Abilities::FOLDING },
        ][host];
        let disk = among_traps(abilities);
        let catalog = load(&disk);
        disk.take_log();
        let result = read_file(&catalog, &disk, "demo", &path);
        for request in disk.take_log() {
            prop_assert!(stays_below(&request, "s/demo"), "{:?}", request);
        }
        prop_assert!(!result.content.contains("SECRET"), "{:?}", result);
        prop_assert!(result.bytes.is_none());
        prop_assert_eq!(result.is_error(), result.code().is_some());
        prop_assert!(result.is_error() || result.content == "inside" || path.contains("SKILL.md"), "{:?}", result);
    }

    #[test]
    fn any_arguments_have_an_answer(
        (tool, arguments) in prop_oneof![
            (tool(), arguments()),
            fitting_call(),
        ],
    ) {
        let disk = among_traps(Abilities::FULL);
        let catalog = load(&disk);
        let session = session(&catalog);
        for _ in 0..2 {
            let options = ToolOptions::default();
            check_answer(&run(catalog.call(tool.clone(), arguments.clone(), options.clone()), &disk))?;
            check_answer(&session.run(session.call(tool.clone(), arguments.clone(), options), &disk))?;
            // Once more where there is something to unload, and the files of which can be read.
            load_in(&session, &disk, "demo");
        }
        prop_assert!(session.loaded().len() <= 3);
    }
}

/// The model's mistake is one line with a code; nothing outside of the skill is told.
fn check_answer(result: &ToolResult) -> Result<(), TestCaseError> {
    prop_assert_eq!(result.is_error(), result.code().is_some());
    prop_assert!(result.bytes.is_none());
    prop_assert_eq!(result.truncated().is_some(), result.next_offset().is_some());
    prop_assert!(
        !result.is_error() || !result.content.contains(breaks_line),
        "{:?}",
        result.content
    );
    prop_assert!(!result.content.contains("SECRET"));
    prop_assert!(result.content.len() < 4000, "{:?}", result.content);
    Ok(())
}

/// The name of a tool, or any text.
fn tool() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(ToolName::ALL.to_vec()).prop_map(|tool| tool.as_str().to_owned()),
        1 => hostile::text(),
    ]
}

/// Any text; any JSON; and any values for the arguments that tools have.
fn arguments() -> impl Strategy<Value = String> {
    let keys = [
        "name", "skill", "path", "filter", "group", "offset", "limit",
    ];
    let given = prop::sample::subsequence(keys.to_vec(), 0..=keys.len());
    let values = prop::collection::vec(json(), keys.len());
    prop_oneof![
        hostile::text(),
        json().prop_map(|json| json.to_string()),
        (given, values).prop_map(|(given, values)| {
            let given = given.into_iter().map(str::to_owned).zip(values);
            Json::Object(given.collect()).to_string()
        }),
    ]
}

/// A call whose arguments a tool takes, whatever they mean.
fn fitting_call() -> impl Strategy<Value = (String, String)> {
    let skill = prop_oneof![
        3 => prop::sample::select(vec!["demo", "demo@1", " demo ", "DEMO"]).prop_map(str::to_owned),
        1 => hostile::text(),
    ];
    let number = prop_oneof![
        Just(None),
        (0..20_u64).prop_map(Some),
        any::<u64>().prop_map(Some)
    ];
    let filter = prop::option::of(prop_oneof![
        hostile::text(),
        Just("demo".to_owned()),
        path()
    ]);
    let path = prop_oneof![path(), Just("a".to_owned()), Just("SKILL.md".to_owned())];
    let tool = prop::sample::select(ToolName::ALL.to_vec());
    let numbers = (number.clone(), number);
    (tool, skill, path, filter, numbers).prop_map(|(tool, skill, path, filter, (offset, limit))| {
        let arguments = match tool {
            ToolName::LoadSkill | ToolName::UnloadSkill => serde_json::json!({ "name": skill }),
            ToolName::ListSkillResources => serde_json::json!({ "skill": skill }),
            ToolName::ListSkills => serde_json::json!({
                "filter": filter, "group": filter.as_ref().map(|_| path), "offset": offset, "limit": limit,
            }),
            ToolName::SearchSkills => serde_json::json!({ "query": skill, "limit": limit }),
            ToolName::ReadSkillFile | ToolName::LoadSkillResource => serde_json::json!({
                "skill": skill, "path": path, "offset": offset, "limit": limit,
            }),
        };
        (tool.as_str().to_owned(), arguments.to_string())
    })
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        (any::<i32>(), -330_i32..310).prop_map(|(digits, exponent)| {
            serde_json::from_str(&format!("{digits}e{exponent}")).unwrap_or(Json::from(-0.0))
        }),
        hostile::text().prop_map(Json::from),
        prop::sample::select(vec!["demo", "a", "SKILL.md"]).prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Json::from),
            prop::collection::hash_map(hostile::text(), inner, 0..3)
                .prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

/// Runs an operation over a host that lies: it ends, and asks for nothing outside of the source.
fn ends<T>(operation: Operation<T>, liar: &mut Liar<'_>) -> Result<T, TestCaseError> {
    let mut strayed = None;
    let result = run_in_steps(operation, 3000, |requests| {
        strayed = strayed.take().or_else(|| {
            requests
                .iter()
                .find(|request| !stays_below(request, SOURCE))
                .cloned()
        });
        liar.answer_all(requests)
    });
    prop_assert_eq!(strayed, None);
    result.ok_or_else(|| TestCaseError::fail("it does not end"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_host_that_lies_leads_to_an_end(seed in any::<u64>(), honesty in 1..8_usize, host in 0..4_usize, policy in 0..3_usize) {
        let abilities =
            [Abilities::FULL, Abilities::SMALLEST, Abilities::WITHOUT_OPEN, Abilities::WITHOUT_STAT][host];
        let mut disk = among_traps(abilities);
        disk.write("s/demo/long", "é".repeat(9000));
        disk.write("s/group/x/SKILL.md", skill("é", "X."));
        disk.write("s/case/skill.md", skill("case", "X."));
        let options = LoadOptions {
            links: [Links::Inside, Links::All, Links::Never][policy],
            nested: seed.is_multiple_of(2),
            ..LoadOptions::default()
        };
        let mut liar = Liar::new(&disk, seed, honesty);
        let sources = vec![disk.source(SOURCE)];
        let catalog = match ends(Catalog::load(sources, options.clone()), &mut liar)? {
            Ok(catalog) if catalog.names().contains(&"demo".to_owned()) => catalog,
            _ => load_with(&disk, options),
        };
        for style in STYLES {
            let _ = index(&catalog, style);
        }
        for (tool, arguments) in [
            ("load_skill", r#"{"name":"demo"}"#),
            ("read_skill_file", r#"{"skill":"demo","path":"b/a"}"#),
            ("read_skill_file", r#"{"skill":"demo","path":"long","offset":5,"limit":7}"#),
            ("load_skill", r#"{"name":"é"}"#),
        ] {
            let call = catalog.call(tool.to_owned(), arguments.to_owned(), ToolOptions::default());
            let result = ends(call, &mut liar)?;
            prop_assert_eq!(result.is_error(), result.code().is_some());
            prop_assert_eq!(result.truncated().is_some(), result.next_offset().is_some());
        }
        let _ = ends(catalog.body("demo".to_owned()), &mut liar)?;
        let _ = ends(catalog.refresh(), &mut liar)?;
    }
}

#[test]
fn a_host_without_end_leads_to_an_end() {
    let endless = |requests: &[Request]| -> Vec<Reply> {
        let entry = |name: &str, kind| skillshelf::DirectoryEntry {
            name: name.to_owned(),
            kind,
        };
        let listing = |entries| Reply::Listing {
            entries,
            real_path: None,
        };
        let answer = |request: &Request| match request {
            Request::List { .. } => listing(vec![
                entry("d", Kind::Directory),
                entry("e", Kind::Directory),
                entry("f", Kind::File),
                entry("l", Kind::Link),
            ]),
            Request::Read { path, .. } if path == "s/d/SKILL.md" => {
                Reply::File(skillshelf::FileReply {
                    kind: Kind::File,
                    size: None,
                    version: None,
                    real_path: Some(format!("/{path}")),
                    bytes: skill("d", "D.").into_bytes(),
                })
            }
            Request::Read { .. } => Reply::Failed(skillshelf::Failure {
                not_found: true,
                message: String::new(),
                told: None,
                fault: None,
            }),
            Request::Stat { .. } => Reply::Stat {
                kind: Kind::Directory,
                version: String::new(),
            },
            Request::RealPath { path, .. } => Reply::Text(format!("/{path}")),
            Request::Normalize { text }
            | Request::Count { text }
            | Request::Connect { text }
            | Request::CallServer { text } => Reply::Text(text.clone()),
        };
        requests.iter().map(answer).collect()
    };
    let disk = Disk::default();
    for links in [Links::Inside, Links::All, Links::Never] {
        let limits = Limits {
            directories: 1000,
            ..Limits::default()
        };
        let options = LoadOptions {
            links,
            limits,
            ..LoadOptions::default()
        };
        let catalog = run_in_steps(
            Catalog::load(vec![disk.source(SOURCE)], options),
            3000,
            endless,
        );
        let catalog = catalog.expect("it ends").expect("it loads");
        assert_eq!(catalog.names(), ["d"]);
        let call = catalog.call(
            "load_skill".to_owned(),
            r#"{"name":"d"}"#.to_owned(),
            ToolOptions::default(),
        );
        let result = run_in_steps(call, 3000, endless).expect("it ends");
        assert!(result.content.contains("more files"), "{}", result.content);
    }
}

fn parse(bytes: Vec<u8>, mode: Mode) -> ParsedSkill {
    let options = ParseOptions {
        path: Some("skills/demo/SKILL.md".to_owned()),
        mode,
        ..ParseOptions::default()
    };
    parse_skill(bytes, options)
        .run(|request| match request {
            Request::Normalize { text }
            | Request::Count { text }
            | Request::Connect { text }
            | Request::CallServer { text } => Reply::Text(text.clone()),
            other => panic!("{other:?}"),
        })
        .unwrap()
}

fn found(diagnostics: &[Diagnostic]) -> BTreeSet<(String, Option<(u32, u32)>)> {
    diagnostics
        .iter()
        .map(|found| {
            (
                found.code.to_string(),
                found.position.map(|place| (place.line, place.column)),
            )
        })
        .collect()
}

fn trimmed_text() -> impl Strategy<Value = String> {
    hostile::text().prop_map(|text| {
        let text = text.trim().to_owned();
        if text.is_empty() {
            "x".to_owned()
        } else {
            text
        }
    })
}

fn map(key: impl Strategy<Value = String>) -> impl Strategy<Value = Json> {
    let map = prop::collection::hash_map(key, json(), 0..3);
    map.prop_map(|map| Json::Object(map.into_iter().collect()))
}

/// A value that may be larger or deeper than what is read.
fn outsized_json() -> impl Strategy<Value = Json> {
    let deep = (prop::bool::ANY, 0..120_usize).prop_map(|(is_list, depth)| {
        (0..depth).fold(Json::from("x"), |inner, _| {
            if is_list {
                serde_json::json!([inner])
            } else {
                serde_json::json!({ "k": inner })
            }
        })
    });
    prop_oneof![
        4 => json(),
        2 => deep,
        1 => (60_000..70_000_usize).prop_map(|length| Json::from("x".repeat(length))),
        1 => (1..40_000_usize).prop_map(|length| Json::from("\u{1}".repeat(length))),
        1 => (1..30_000_usize).prop_map(|length| Json::from(vec![1; length])),
    ]
}

/// Lines of front matter with every form that YAML has for a value.
fn nearly_yaml() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "name",
        "description",
        "metadata",
        "allowed-tools",
        "x",
        "- ",
    ]);
    let colon = prop::sample::select(vec![
        ": ", ":", ":\n  ", ": |\n  ", ": \"", ": [", ": {", ": &a ", ": *a", ": !!str ",
    ]);
    let line = (key, colon, hostile::text())
        .prop_map(|(key, colon, text)| format!("{key}{colon}{text}\n"));
    prop::collection::vec(line, 0..5).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_definition_written_and_read_is_the_same(
        name in "[a-z0-9][a-z0-9_-]{0,20}",
        texts in prop::array::uniform3(trimmed_text()),
        optional in prop::collection::vec(prop::option::of(trimmed_text()), 3),
        version in prop::option::weighted(0.3, prop_oneof![trimmed_text(), Just("1.10".to_owned()), Just("yes".to_owned())]),
        tools in prop::option::of(prop::collection::vec(trimmed_text(), 0..4)),
        metadata in map(prop_oneof![Just("version".to_owned()), hostile::text()]),
        extra in map(hostile::text().prop_map(|text| format!("x{text}"))),
        flags in any::<(bool, bool)>(),
    ) {
        let [description, content, _] = texts;
        let json = serde_json::json!({
            "name": name, "description": description, "content": content, "version": version,
            "license": optional[0], "compatibility": optional[1], "trigger": optional[2],
            "allowedTools": tools, "metadata": metadata, "extra": extra,
            "modelInvocable": flags.0, "userInvocable": flags.1,
        });
        let spec = SkillSpec::from_json(&json.to_string()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let text = spec.to_text().map_err(|error| TestCaseError::fail(error.to_string()))?;
        let parsed = parse(text.clone().into_bytes(), Mode::Lenient);
        prop_assert_eq!(parsed.skill.as_ref(), Some(spec.skill()), "{}", text);
        prop_assert_eq!(parsed.body.as_deref(), Some(spec.content()), "{}", text);
        prop_assert_eq!(parsed.body.as_deref(), Some(content.as_str()));
    }

    #[test]
    fn no_bytes_make_a_panic_and_what_validates_loads(
        head in prop::sample::select(vec!["---\n", "---\r\n", "\u{FEFF}---\n", "", "```\n---\n", "---js\n"]),
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..120),
            hostile::text().prop_map(String::into_bytes),
            nearly_yaml().prop_map(String::into_bytes),
        ],
        tail in prop::sample::select(vec!["\n---\n", "\n---", "", "\n---\nBody\n---\n"]),
    ) {
        let file = [head.as_bytes(), &bytes, tail.as_bytes()].concat();
        let lenient = parse(file.clone(), Mode::Lenient);
        let strict = parse(file, Mode::Strict);
        for parsed in [&lenient, &strict] {
            let faulty = parsed.diagnostics.iter().any(Diagnostic::is_error);
            prop_assert_eq!(parsed.skill.is_some(), !faulty, "a skill exactly when nothing is an error");
            prop_assert_eq!(parsed.body.is_some(), !faulty);
        }
        if let Some(skill) = &strict.skill {
            prop_assert_eq!(lenient.skill.as_ref(), Some(skill));
            prop_assert_eq!(&lenient.body, &strict.body);
        }
    }

    /// Where the YAML itself is fine, both modes find the same; only the severity differs.
    #[test]
    fn one_set_of_rules_has_two_readings(
        name in prop::option::weighted(0.9, prop_oneof![hostile::text().prop_map(Json::from), json(), Just(Json::from("demo"))]),
        description in prop::option::weighted(0.9, prop_oneof![3 => hostile::text().prop_map(Json::from), 1 => json()]),
        more in prop::collection::vec((prop_oneof![
            prop::sample::select(vec![
                "license", "compatibility", "metadata", "allowed-tools", "version", "trigger",
                "disable-model-invocation", "user-invocable", "when_to_use",
            ]).prop_map(String::from),
            "[a-z]{3}",
        ], json()), 0..4),
        body in hostile::text(),
    ) {
        let first = [("name".to_owned(), name), ("description".to_owned(), description)];
        let first = first.into_iter().filter_map(|(key, value)| Some((key, value?)));
        let all: Vec<(String, Json)> = first.chain(more).collect();
        let mut seen = BTreeSet::new();
        let fields: Vec<_> = all
            .iter()
            .filter(|(key, _)| seen.insert(key.as_str()))
            .map(|(key, value)| (key.as_str(), Value::from_json(&value.to_string()).unwrap()))
            .collect();
        let text = stringify(&fields, body.trim());
        let lenient = parse(text.clone().into_bytes(), Mode::Lenient);
        let strict = parse(text.clone().into_bytes(), Mode::Strict);
        prop_assert_eq!(found(&strict.diagnostics), found(&lenient.diagnostics), "{}", text);
        let errors = |parsed: &ParsedSkill| {
            let errors: Vec<_> = parsed.diagnostics.iter().filter(|found| found.is_error()).cloned().collect();
            found(&errors)
        };
        prop_assert!(errors(&strict).is_superset(&errors(&lenient)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_definition_is_written_so_that_it_reads_back_or_not_at_all(
        extra in prop::collection::hash_map(
            prop_oneof![Just("when_to_use".to_owned()), Just("argument-hint".to_owned()), "[a-z]{1,3}"],
            outsized_json(),
            0..3,
        ),
        metadata in outsized_json(),
        description in prop_oneof![3 => trimmed_text(), 1 => (65_000..66_000_usize).prop_map(|length| "d".repeat(length))],
        content in prop_oneof![
            3 => trimmed_text(),
            1 => (0..4_usize).prop_map(|more| "c".repeat(1024 * 1024 - 2 + more)),
        ],
    ) {
        let json = serde_json::json!({
            "name": "x", "description": description, "content": content, "extra": extra,
            "metadata": { "m": metadata },
        });
        let Ok(spec) = SkillSpec::from_json(&json.to_string()) else {
            // JSON is read as deep as this.
            let opened = json.to_string().matches(['[', '{']).count();
            prop_assert!(opened > 100);
            return Ok(());
        };
        match spec.to_text() {
            Ok(text) => {
                let parsed = parse(text.into_bytes(), Mode::Lenient);
                prop_assert_eq!(parsed.skill.as_ref(), Some(spec.skill()));
                prop_assert_eq!(parsed.body.as_deref(), Some(content.as_str()));
            }
            Err(error) => {
                prop_assert_eq!(error.code(), "SKILL_INVALID");
                let message = error.diagnostics()[0].message.clone();
                let mut named = vec!["content", "\"description\"", "\"metadata\""];
                let quoted: Vec<String> = extra.keys().map(|key| format!("\"{key}\"")).collect();
                named.extend(quoted.iter().map(String::as_str));
                prop_assert!(named.iter().any(|name| message.contains(name)), "{}", message);
            }
        }
    }
}
