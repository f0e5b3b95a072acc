//! What holds of lists, completions, expansions and system prompts, whatever skills say.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::SizeRange;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use skillshelf::{
    Catalog, CompleteOptions, Completion, CompletionKind, ExpandOptions, Expansion, IndexOptions,
    Limits, LoadOptions, SystemPrompt, ToolOptions, ToolResult, Value, stringify,
};
use support::hostile::{self, BODY_LETTERS, breaks_line, line};
use support::{
    Disk, SOURCE, as_json, body, call_with, load, load_with, name_and_text, read_file, report, run,
};

/// A skill that says anything.
#[derive(Clone, Debug)]
struct Written {
    directory: String,
    name: String,
    description: String,
    body: String,
    version: Option<String>,
    for_model: bool,
    for_user: bool,
}

fn written() -> impl Strategy<Value = Written> {
    let name = prop_oneof![hostile::text(), "[ab]( [ab]){0,2}"];
    let directory = hostile::file_name();
    let version = prop::option::weighted(0.3, "[1-3]");
    let flags = (prop::bool::weighted(0.8), prop::bool::weighted(0.8));
    let texts = (name, hostile::text(), hostile::body());
    (directory, texts, version, flags).prop_map(
        |(directory, (name, description, body), version, (for_model, for_user))| Written {
            directory,
            name,
            description,
            body,
            version,
            for_model,
            for_user,
        },
    )
}

impl Written {
    fn file(&self) -> String {
        let text = |text: &str| Value::String(text.to_owned());
        let mut fields = vec![
            ("name", text(&self.name)),
            ("description", text(&self.description)),
            ("disable-model-invocation", Value::Bool(!self.for_model)),
            ("user-invocable", Value::Bool(self.for_user)),
        ];
        fields.extend(
            self.version
                .as_ref()
                .map(|version| ("version", text(version))),
        );
        stringify(&fields, &self.body)
    }
}

fn shelf(size: impl Into<SizeRange>) -> impl Strategy<Value = Disk> {
    prop::collection::vec(written(), size).prop_map(|skills| {
        let mut disk = Disk::default();
        for skill in skills {
            let path = format!("{SOURCE}/{}/SKILL.md", skill.directory);
            disk.write(&path, skill.file());
        }
        disk
    })
}

/// The skills of a catalog that `flag` is set for, as JSON.
fn skills(catalog: &Catalog, flag: &str) -> Vec<Json> {
    let ids = catalog.ids().into_iter();
    let skill = |id| as_json(&catalog.skill(id).expect("it is there"));
    ids.map(skill).filter(|skill| skill[flag] == true).collect()
}

fn text<'a>(json: &'a Json, key: &str) -> &'a str {
    json[key].as_str().expect("text")
}

fn call(catalog: &Catalog, disk: &Disk, tool: &str, arguments: &Json) -> ToolResult {
    call_with(catalog, disk, tool, arguments, ToolOptions::default())
}

/// The entries of a list: between the line that says how many and the one that says how to go on.
fn entries(result: &ToolResult) -> Vec<String> {
    let (_, after) = result.content.split_once(":\n\n").expect("a list");
    let entries = match result.next_offset() {
        Some(_) => after.rsplit_once("\n\n[").expect("a way to go on").0,
        None => after,
    };
    let entry = |line: &str| line.strip_prefix("- ").expect("an entry").to_owned();
    entries.split('\n').map(entry).collect()
}

/// All pages of `list_skills`.
fn pages(catalog: &Catalog, disk: &Disk, limit: Option<usize>) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut offset = 0;
    loop {
        let arguments = json!({ "offset": offset, "limit": limit });
        let result = call(catalog, disk, "list_skills", &arguments);
        if result.content.starts_with("There is no skill") {
            return pages;
        }
        pages.push(entries(&result));
        match result.next_offset() {
            Some(next) => offset = next,
            None => return pages,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn pages_of_skills_have_each_that_the_model_may_load_once(
        disk in shelf(0..7),
        limit in prop::option::of(1..5_usize),
        page in 1..120_u32,
    ) {
        let limits = Limits { page, ..Limits::default() };
        let catalog = load_with(&disk, LoadOptions { limits, ..LoadOptions::default() });
        let expected: BTreeMap<String, String> = skills(&catalog, "modelInvocable")
            .iter()
            .map(|skill| (line(text(skill, "name")), line(text(skill, "description"))))
            .collect();
        // What else is listed is another version of a name.
        let is_version = |name: &str| ["@1", "@2", "@3"].iter().any(|end| name.ends_with(end));
        let mut names = Vec::new();
        for entries in pages(&catalog, &disk, limit) {
            prop_assert!(entries.len() <= limit.unwrap_or(50));
            let mut size = 0;
            for entry in &entries {
                prop_assert!(!entry.contains(breaks_line) && !entry.contains(BODY_LETTERS));
                let (name, description) = name_and_text(entry);
                let is_skill = expected.get(&name).is_some_and(|known| known == description);
                prop_assert!(is_skill || is_version(&name), "{} is no skill", entry);
                let result = call(&catalog, &disk, "load_skill", &json!({ "name": name }));
                prop_assert!(!result.is_error(), "{} is listed: {}", name, result.content);
                size += description.len();
                names.push(name);
            }
            prop_assert!(entries.len() == 1 || size <= page as usize, "{:?}", entries);
        }
        prop_assert!(names.is_sorted(), "{:?}", names);
        let unique: BTreeSet<&String> = names.iter().collect();
        prop_assert_eq!(unique.len(), names.len());
        prop_assert!(expected.keys().all(|name| unique.contains(name)));
    }

    #[test]
    fn a_filter_leaves_of_the_list_what_it_says(disk in shelf(1..7), filter in hostile::text()) {
        let catalog = load(&disk);
        let all: Vec<String> = pages(&catalog, &disk, None).concat();
        let result = call(&catalog, &disk, "list_skills", &json!({ "filter": filter }));
        prop_assert!(!result.content.contains(BODY_LETTERS));
        if !result.content.contains(":\n\n- ") {
            return Ok(());
        }
        let found = entries(&result);
        let is_part = found.iter().all(|entry| all.contains(entry));
        prop_assert!(is_part, "{:?} of {:?}", found, all);
    }

    #[test]
    fn every_file_that_is_listed_can_be_read_by_its_name(
        files in prop::collection::btree_map(
            prop::collection::vec(hostile::file_name(), 1..3).prop_map(|names| names.join("/")),
            "[ΞΨΩ]{1,9}",
            0..6,
        ),
    ) {
        let mut disk = support::disk_of(&["demo"]);
        let mut directories = BTreeSet::new();
        for (path, content) in &files {
            // A file is no directory of another one.
            let (directory, _) = path.split_once('/').unwrap_or((path, ""));
            if directories.insert(directory) {
                disk.write(&format!("s/demo/{path}"), content);
            }
        }
        let catalog = load(&disk);
        let result = call(&catalog, &disk, "list_skill_resources", &json!({ "skill": "demo" }));
        prop_assert!(!result.is_error() && !result.content.contains(BODY_LETTERS));
        if result.content.contains("has no files") {
            return Ok(());
        }
        let listed = entries(&result);
        let count = if listed.len() == 1 { "1 file;".to_owned() } else { format!("{} files;", listed.len()) };
        prop_assert!(result.content.contains(&count), "{}", result.content);
        for path in listed {
            prop_assert!(!path.contains(breaks_line));
            let read = read_file(&catalog, &disk, "demo", &path);
            prop_assert_eq!(Some(&read.content), files.get(&path), "{:?}", path);
        }
    }
}

/// Commands of a host, as it passes them.
fn commands() -> impl Strategy<Value = Json> {
    let name = prop_oneof![hostile::text(), "[ab]( [ab]){0,2}", "/[ab]"];
    let named = name.prop_filter("a name", |name| {
        !name.strip_prefix('/').unwrap_or(name).trim().is_empty()
    });
    let command = (named, prop::option::of(hostile::text()));
    let commands = prop::collection::vec(command, 0..4);
    commands.prop_map(|commands| {
        let command = |(name, description)| json!({ "name": name, "description": description });
        commands.into_iter().map(command).collect()
    })
}

fn complete(catalog: &Catalog, disk: &Disk, prefix: &str, commands: &Json) -> Vec<Completion> {
    let options = json!({ "commands": commands }).to_string();
    let options = CompleteOptions::from_json(&options).expect("they have names");
    run(catalog.complete(prefix.to_owned(), options), disk)
}

/// What a completion puts into the line.
fn insert(completion: &Completion) -> String {
    text(&as_json(completion), "insert").to_owned()
}

/// An expansion, but for what it says of files.
fn without_resources(mut expansion: Expansion) -> Expansion {
    if let Expansion::Skill { resources, .. } = &mut expansion {
        *resources = None;
    }
    expansion
}

fn expanded(catalog: &Catalog, disk: &Disk, input: &str, commands: &Json) -> Expansion {
    let options = json!({ "commands": commands }).to_string();
    let options = ExpandOptions::from_json(&options).expect("they have names");
    run(catalog.expand(input.to_owned(), options), disk).expect("its file is there")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_completed_expands_to_just_that(disk in shelf(1..6), commands in commands(), typed in "[ab ]{0,2}") {
        let catalog = load(&disk);
        for completion in complete(&catalog, &disk, &format!("/{typed}"), &commands) {
            let input = insert(&completion) + " ≡";
            let found = without_resources(expanded(&catalog, &disk, &input, &commands));
            let extra = "≡".to_owned();
            let expected = if completion.kind == CompletionKind::Command {
                Expansion::Command { name: completion.name.clone(), extra }
            } else {
                let text = body(&catalog, &disk, &completion.name).expect("it is there") + "\n\n≡";
                Expansion::Skill { skill: completion.name.clone(), text, extra, resources: None }
            };
            prop_assert_eq!(found, expected);
            let description = completion.description.unwrap_or_default();
            prop_assert!(!description.contains(breaks_line) && !description.contains(BODY_LETTERS));
        }
    }

    #[test]
    fn a_slash_offers_all_that_the_user_may_have_and_what_is_typed_some_of_it(
        disk in shelf(1..6),
        commands in commands(),
        typed in prop_oneof![hostile::text(), "[a-z]{0,3}"],
        seed in any::<u64>(),
    ) {
        let catalog = load(&disk);
        let all = complete(&catalog, &disk, "/", &commands);
        let offered = |kind: CompletionKind| {
            let offered = all.iter().filter(move |completion| completion.kind == kind);
            offered.map(|completion| completion.name.clone()).collect::<Vec<_>>()
        };
        prop_assert_eq!(offered(CompletionKind::Command).len(), commands.as_array().unwrap().len());
        let taken = offered(CompletionKind::Command);
        let words = |name: &str| format!("{name} ");
        let is_taken = |name: &str| taken.iter().any(|taken| words(name).starts_with(&words(taken)));
        let expected: Vec<String> = skills(&catalog, "userInvocable")
            .iter()
            .map(|skill| text(skill, "name").to_owned())
            .filter(|name| !is_taken(name))
            .collect();
        prop_assert_eq!(offered(CompletionKind::Skill), expected);
        let some = complete(&catalog, &disk, &format!("/{typed}"), &commands);
        prop_assert!(some.iter().all(|completion| all.contains(completion)));
        // The order is that of the likeness, not that of the files or the commands.
        let mut disk = disk;
        disk.order = Some(seed);
        let catalog = load(&disk);
        let mut backwards = commands.clone();
        backwards.as_array_mut().unwrap().reverse();
        let again = complete(&catalog, &disk, &format!("/{typed}"), &backwards);
        let names = |found: &[Completion]| found.iter().map(insert).collect::<Vec<_>>();
        prop_assert_eq!(names(&again), names(&some));
        let without_slash = typed.trim_start_matches('/');
        prop_assert_eq!(complete(&catalog, &disk, without_slash, &commands).len(), 0, "no slash, no completion");
    }
}

/// A piece of a body: as it is written, and what it becomes.
#[derive(Clone, Debug)]
enum Piece {
    Literal(&'static str),
    Arguments,
    Number(usize),
    Escaped(&'static str),
}

fn piece() -> impl Strategy<Value = Piece> {
    let literal = vec![
        "plain",
        "$",
        "$$ ",
        "\\",
        "\\\\ ",
        "$0",
        "$10",
        "$1.50",
        "$ARGUMENTS_",
        "é",
        "\n",
        "{}",
    ];
    prop_oneof![
        2 => prop::sample::select(literal).prop_map(Piece::Literal),
        1 => Just(Piece::Arguments),
        2 => (1..10_usize).prop_map(Piece::Number),
        1 => prop::sample::select(vec!["$ARGUMENTS", "$1", "$9"]).prop_map(Piece::Escaped),
    ]
}

/// An argument, as a user writes it and as it is meant.
fn argument() -> impl Strategy<Value = (String, String)> {
    let word = prop::sample::select(vec![
        "a",
        "$1",
        "$2",
        "$ARGUMENTS",
        "\\",
        "\\$1",
        "\\\\",
        "$",
        "é",
        "$0",
        "&",
        "\\n",
    ]);
    let words = prop::collection::vec(word, 1..4);
    (words, 0..3_usize).prop_map(|(words, quotes)| match quotes {
        0 => (words.concat(), words.concat()),
        1 => (format!("\"{}\"", words.join(" ")), words.join(" ")),
        _ => (format!("'{}'", words.join(" ")), words.join(" ")),
    })
}

proptest! {
    #[test]
    fn what_follows_a_name_is_put_in_once_and_as_it_is(
        pieces in prop::collection::vec(piece(), 0..8),
        arguments in prop::collection::vec(argument(), 0..5),
    ) {
        let (given, meant): (Vec<String>, Vec<String>) = arguments.into_iter().unzip();
        let extra = given.join(" ");
        let (mut template, mut filled) = ("[".to_owned(), "[".to_owned());
        let mut is_used = false;
        for piece in &pieces {
            match piece {
                Piece::Literal(text) => {
                    template.push_str(text);
                    filled.push_str(text);
                }
                Piece::Arguments => {
                    template.push_str("$ARGUMENTS");
                    filled.push_str(&extra);
                    is_used = true;
                }
                Piece::Number(number) => {
                    template.push_str(&format!("${number}"));
                    filled.push_str(meant.get(number - 1).map_or("", String::as_str));
                    is_used = true;
                }
                Piece::Escaped(text) => {
                    template.push('\\');
                    template.push_str(text);
                    filled.push_str(text);
                }
            }
            // So that no piece goes on with the next.
            template.push('|');
            filled.push('|');
        }
        let below = |text: &str| if extra.is_empty() { text.to_owned() } else { format!("{text}\n\n{extra}") };
        let mut disk = Disk::default();
        disk.write("s/a/SKILL.md", support::skill_with("a", "", &template));
        let catalog = load(&disk);
        for (arguments, expected) in [
            (false, below(&template)),
            (true, if is_used { filled } else { below(&filled) }),
        ] {
            let options = ExpandOptions { arguments, ..ExpandOptions::default() };
            let found = run(catalog.expand(format!("/a {extra}"), options), &disk).map(without_resources);
            let expected = Expansion::Skill { skill: "a".to_owned(), text: expected, extra: extra.clone(), resources: None };
            prop_assert_eq!(found, Ok(expected));
        }
    }

    #[test]
    fn any_line_is_a_skill_a_command_unknown_or_itself(
        disk in shelf(1..4),
        line in prop_oneof![hostile::text(), hostile::text().prop_map(|text| format!("/{text}")), "/[ab]( [ab]){0,3}"],
        commands in commands(),
    ) {
        let catalog = load(&disk);
        let users: Vec<String> = skills(&catalog, "userInvocable").iter().map(|skill| text(skill, "name").to_owned()).collect();
        match expanded(&catalog, &disk, &line, &commands) {
            Expansion::Text { text } => prop_assert_eq!(text, line),
            Expansion::Command { extra, .. } => prop_assert!(line.trim_end().ends_with(&extra)),
            Expansion::Skill { skill, text, extra, .. } => {
                prop_assert!(users.contains(&skill));
                let body = body(&catalog, &disk, &skill).unwrap();
                prop_assert!(text.starts_with(&body) && line.trim_end().ends_with(&extra));
            }
            Expansion::Unknown { name, near, message } => {
                prop_assert!(!message.contains(breaks_line) && !name.contains(breaks_line));
                prop_assert!(!message.contains(BODY_LETTERS));
                let commands = commands.as_array().unwrap().len();
                prop_assert!(near.len() <= users.len() + commands);
            }
        }
    }
}

/// The sections that have a place of their own: first and last.
const FIRST: [&str; 2] = ["Role", "Rules"];
const LAST: [&str; 5] = ["Tools", "Agents", "Skills", "Participants", "Task"];

/// Sections of a document: some of those that are known, and others, in any order.
fn sections() -> impl Strategy<Value = Vec<&'static str>> {
    let known = [FIRST.as_slice(), &LAST, &["Voice", "My notes", "Zebra"]].concat();
    let count = known.len();
    prop::sample::subsequence(known, 0..=count).prop_shuffle()
}

/// A text of a section that opens nothing.
fn section_text() -> impl Strategy<Value = String> {
    "[a-z #-]{1,12}".prop_map(|text| format!("x{text}"))
}

/// What a prompt is made of, and which of its sections have a list.
#[derive(Clone, Debug)]
struct Parts {
    document: Vec<(&'static str, String)>,
    extended: Vec<&'static str>,
    listed: [bool; 5],
    tools: Vec<Json>,
    agents: Vec<Json>,
    index: String,
}

fn parts() -> impl Strategy<Value = Parts> {
    let extended = prop::sample::subsequence(vec!["Rules", "Role", "Agents", "Task"], 0..4);
    let texts = prop::collection::vec(section_text(), 10);
    let parts = (sections(), texts, extended, any::<[bool; 5]>(), shelf(1..4));
    parts.prop_map(|(sections, texts, extended, mut listed, disk)| {
        let index = report(&load(&disk), IndexOptions::default()).text;
        listed[2] &= !index.is_empty();
        Parts {
            extended,
            listed,
            tools: vec![
                json!({ "name": "b", "description": texts[0] }),
                json!({ "name": "a" }),
                json!({ "name": "c" }),
            ],
            agents: vec![json!({ "id": "b", "card": texts[1] }), json!({ "id": "a" })],
            index,
            document: sections.into_iter().zip(texts).collect(),
        }
    })
}

impl Parts {
    fn options(&self) -> Json {
        let section = |(name, text): &(&str, String)| format!("## {name}\n\n{text}\n\n");
        let file = |name: &&str| {
            let text = format!("---\nextends: {name}\n---\ny");
            (format!("{name}.md"), Json::from(text))
        };
        let files: serde_json::Map<String, Json> = self.extended.iter().map(file).collect();
        let mut options = json!({
            "base": self.document.iter().map(section).collect::<String>(),
            "plugins": [{ "namespace": "p", "files": files }],
        });
        let lists = [
            ("tools", json!(self.tools)),
            ("agents", json!(self.agents)),
            ("catalog", json!({ "index": self.index })),
            ("participants", json!([{ "name": "Ada", "role": "owner" }])),
            ("task", json!("Ship it.")),
        ];
        for ((key, list), is_listed) in lists.into_iter().zip(self.listed) {
            if is_listed {
                options[key] = list;
            }
        }
        options
    }

    /// First what has its place there, last what has its place there, between them the others.
    fn headings(&self) -> Vec<&'static str> {
        let has_list = |name: &str| {
            LAST.iter()
                .zip(self.listed)
                .any(|last| last == (&name, true))
        };
        let own = || self.document.iter().map(|(name, _)| *name);
        let is_there = |name: &&str| {
            own().any(|own| own == *name) || self.extended.contains(name) || has_list(name)
        };
        let others = own().filter(|name| !FIRST.contains(name) && !LAST.contains(name));
        let first = FIRST.into_iter().filter(is_there);
        first
            .chain(others)
            .chain(LAST.into_iter().filter(is_there))
            .collect()
    }

    fn prompt(&self) -> String {
        let prompt =
            SystemPrompt::from_json(&self.options().to_string()).expect("they can be used");
        let rendered = prompt.render().expect("it can be read");
        assert_eq!(rendered.diagnostics, []);
        rendered.text
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn sections_of_a_prompt_have_their_order_and_lists_theirs(parts in parts(), seed in any::<u64>()) {
        let prompt = parts.prompt();
        let headings: Vec<&str> = prompt.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        prop_assert_eq!(headings, parts.headings(), "{}", prompt);
        prop_assert!(!prompt.contains(BODY_LETTERS));
        // Tools and agents stand in the order of their names, however they are given.
        let mut other = parts;
        let mut numbers = support::shuffle::Numbers::new(seed);
        numbers.shuffle(&mut other.tools);
        numbers.shuffle(&mut other.agents);
        prop_assert_eq!(other.prompt(), prompt);
    }
}
