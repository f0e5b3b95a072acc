//! What a conversation has loaded: events, state, repeated and changed loads, compaction.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use serde_json::{Value as Json, json};
use skillshelf::{
    Budget, Catalog, CompactOptions, Compaction, Error, ExpandOptions, IndexOptions, IndexReport,
    LoadOptions, Operation, RefusedEvent, SessionOptions, Step, Stored, ToolOptions, ToolSet,
};
use support::{
    Conversation, Disk, as_json, call_in, disk_of, disk_with, events, found, load, load_in,
    load_sources, loaded_names, refresh, restored, run, session, skill, skill_with,
};

fn body_of(name: &str) -> String {
    format!("<skill_content name=\"{name}\">\nThe body of {name}.\n</skill_content>")
}

fn already(name: &str) -> String {
    format!(
        "The skill \"{name}\" is already loaded: its instructions are in this conversation and have not changed."
    )
}

fn changed(name: &str) -> String {
    format!(
        "The skill \"{name}\" has changed since it was loaded; this replaces its earlier instructions.\n\n"
    )
}

fn compact(session: &Conversation, budget: Option<Budget>) -> Compaction {
    session
        .run(session.compact(CompactOptions { budget }), &Disk::default())
        .expect("tokens are counted")
}

fn kept(compaction: &Compaction) -> Vec<&str> {
    let keep = compaction.keep.iter();
    keep.map(|kept| kept.key.name.as_str()).collect()
}

fn noted(compaction: &Compaction) -> Vec<&str> {
    let notes = compaction.notes.iter();
    notes.map(|note| note.name.as_str()).collect()
}

/// Code and message of each finding.
fn findings(session: &Conversation) -> Vec<String> {
    let findings = session.diagnostics();
    let shown = |found: &skillshelf::Diagnostic| {
        let hint = found.hint.as_deref().unwrap_or_default();
        format!("{}: {}; {hint}", found.code, found.message)
    };
    findings.iter().map(shown).collect()
}

fn forget(session: &Conversation, names: &[&str]) {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    session.run(session.forget(names), &Disk::default());
}

fn unload(session: &Conversation, name: &str) -> skillshelf::ToolResult {
    session.run(session.unload(name.to_owned()), &Disk::default())
}

/// A session that begins with these options, given as JSON text.
fn session_with(catalog: &Catalog, options: &str) -> Result<Conversation, skillshelf::Error> {
    let options = SessionOptions::from_json(options)?;
    Conversation::begin(catalog, options)
}

fn state(session: &Conversation) -> Json {
    as_json(session)
}

#[test]
fn a_repeated_load_of_the_same_content_is_one_line() {
    let disk = disk_of(&["a"]);
    let session = session(&load(&disk));
    assert!(
        load_in(&session, &disk, "a")
            .content
            .starts_with(&body_of("a"))
    );
    let again = load_in(&session, &disk, "a");
    assert_eq!(again.content, already("a"));
    assert!(!again.is_error());
    assert_eq!(again.skill.as_deref(), Some("a"));
}

#[test]
fn changed_content_is_the_new_text_with_a_word_on_it() {
    let mut disk = disk_of(&["a"]);
    let session = session(&load(&disk));
    load_in(&session, &disk, "a");
    disk.write("s/a/SKILL.md", skill_with("a", "", "New."));
    let content = load_in(&session, &disk, "a").content;
    let expected = changed("a") + "<skill_content name=\"a\">\nNew.\n</skill_content>";
    assert!(content.starts_with(&expected), "{content}");
    assert_eq!(loaded_names(&session), ["a"]);
    assert_eq!(load_in(&session, &disk, "a").content, already("a"));
}

#[test]
fn a_new_version_replaces_the_one_that_is_gone() {
    let mut disk = disk_with(&[("s/a/SKILL.md", skill_with("a", "version: 1.0\n", "One."))]);
    let catalog = load(&disk);
    let session = session(&catalog);
    load_in(&session, &disk, "a");
    disk.write("s/a/SKILL.md", skill_with("a", "version: 1.1\n", "Two."));
    refresh(&catalog, &disk);
    let content = load_in(&session, &disk, "a").content;
    assert!(content.starts_with(&changed("a")), "{content}");
    let loaded = session.loaded();
    assert_eq!(loaded.len(), 1);
    assert_eq!(loaded[0].key.version.as_deref(), Some("1.1"));
}

#[test]
fn versions_that_are_both_to_be_had_are_loaded_side_by_side() {
    let disk = disk_with(&[
        ("one/a/SKILL.md", skill_with("a", "version: '2'\n", "Two.")),
        (
            "two/a/SKILL.md",
            skill_with("a", "metadata:\n  version: '1'\n", "One."),
        ),
    ]);
    let sources = vec![disk.source("one"), disk.source("two")];
    let catalog = load_sources(&disk, sources, LoadOptions::default()).unwrap();
    let session = session(&catalog);
    assert!(load_in(&session, &disk, "a").content.contains("Two."));
    let old = load_in(&session, &disk, "a@1").content;
    assert!(old.contains("One.") && !old.contains("changed"), "{old}");
    let versions: Vec<_> = session
        .loaded()
        .into_iter()
        .map(|loaded| loaded.key.version.unwrap())
        .collect();
    assert_eq!(versions, ["2", "1"]);
    assert!(!unload(&session, "a@2").is_error());
    assert_eq!(session.loaded().len(), 1);
}

#[test]
fn what_is_loaded_has_a_digest_and_sizes() {
    let disk = disk_with(&[("s/a/SKILL.md", skill_with("a", "version: 1.0\n", "é é\n"))]);
    let session = session(&load(&disk));
    load_in(&session, &disk, "a");
    assert_eq!(
        session
            .loaded()
            .iter()
            .map(|loaded| as_json(loaded))
            .collect::<Vec<_>>(),
        [json!({
            "name": "a",
            "version": "1.0",
            "digest": "sha256:6279fe2f6375a76b75eb7575dcff56db8bdf5d375ead766ea4b377537eba9681",
            "characters": 3,
            "tokens": 3,
        })]
    );
}

#[test]
fn events_are_plain_commands_with_the_text_that_was_given() {
    let disk = disk_with(&[
        ("s/a/SKILL.md", skill("a", "A.")),
        ("s/a/references/x.md", "X".to_owned()),
    ]);
    let session = session(&load(&disk));
    load_in(&session, &disk, "a");
    load_in(&session, &disk, "a");
    for tool in ["read_skill_file", "load_skill_resource"] {
        let arguments = json!({ "skill": "a", "path": "references//x.md" });
        assert_eq!(call_in(&session, &disk, tool, &arguments).content, "X");
    }
    unload(&session, "a");
    let told = events(&session);
    let digest = told[0]["digest"].clone();
    assert!(digest.as_str().unwrap().starts_with("sha256:"));
    assert_eq!(
        told,
        [
            json!({ "type": "skill_loaded", "name": "a", "digest": digest, "body": "The body of a.", "tools": [] }),
            json!({ "type": "resource_loaded", "name": "a", "path": "references/x.md" }),
            json!({ "type": "skill_unloaded", "name": "a" }),
        ],
        "what changes nothing is no event"
    );
    assert_eq!(events(&session), Vec::<Json>::new(), "each is told once");
}

#[test]
fn the_same_text_is_told_once_while_it_is_loaded() {
    let mut disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    let session = session(&catalog);
    let mut journal: Vec<Json> = Vec::new();
    let mut tells = |work: &dyn Fn(&Conversation)| -> Vec<(String, bool)> {
        work(&session);
        let told = events(&session);
        let shown = told.iter().map(|event| {
            let name = event["name"].as_str().unwrap().to_owned();
            (name, event.get("body").is_some())
        });
        let shown = shown.collect();
        journal.extend(told.clone());
        let replayed = restored(&catalog, &json!(journal)).unwrap();
        assert_eq!(state(&replayed), state(&session));
        shown
    };
    let told = |name: &str, has_body: bool| vec![(name.to_owned(), has_body)];
    assert_eq!(tells(&|it| drop(load_in(it, &disk, "a"))), told("a", true));
    assert_eq!(tells(&|it| drop(load_in(it, &disk, "b"))), told("b", true));
    assert_eq!(tells(&|it| drop(load_in(it, &disk, "a"))), told("a", false));
    // A text that comes whole again is the one that was told.
    forget(&session, &["a"]);
    assert_eq!(
        tells(&|it| drop(load_in(it, &disk, "a"))),
        [told("a", false), told("a", false)].concat()
    );
    disk.write("s/a/SKILL.md", skill_with("a", "", "Another."));
    assert_eq!(tells(&|it| drop(load_in(it, &disk, "a"))), told("a", true));
    unload(&session, "b");
    assert_eq!(
        tells(&|it| drop(load_in(it, &disk, "b"))),
        [told("b", false), told("b", true)].concat()
    );
    let again = restored(&catalog, &state(&session)).unwrap();
    load_in(&again, &disk, "a");
    assert!(
        events(&again)[0].get("body").is_some(),
        "whoever listens to a restored session may have been told nothing before"
    );
}

#[test]
fn what_was_refused_is_told_whole() {
    let disk = disk_of(&["a", "b"]);
    let session = session(&load(&disk));
    let outcome = run(session.load("a".to_owned()), &disk);
    assert!(session.refuse(outcome, 0, &[]).is_err());
    load_in(&session, &disk, "a");
    load_in(&session, &disk, "b");
    let told = events(&session);
    assert!(told.iter().all(|event| event.get("body").is_some()));
    // A call that ends before what another one loaded was taken.
    let first = run(session.load("a".to_owned()), &disk);
    assert_eq!(as_json(&first.change.events()[0]).get("body"), None);
    session.take(first);
    unload(&session, "a");
    let first = run(session.load("a".to_owned()), &disk);
    let between = run(session.load("b".to_owned()), &disk);
    let second = run(session.load("a".to_owned()), &disk);
    assert!(as_json(&second.change.events()[0]).get("body").is_some());
    for outcome in [first, between, second] {
        session.take(outcome);
    }
}

#[test]
fn a_file_that_could_not_be_read_is_no_event() {
    let disk = disk_of(&["a"]);
    let session = session(&load(&disk));
    for path in ["missing.md", "../b/SKILL.md", ""] {
        let arguments = json!({ "skill": "a", "path": path });
        assert!(call_in(&session, &disk, "read_skill_file", &arguments).is_error());
    }
    assert_eq!(events(&session), Vec::<Json>::new());
}

#[test]
fn events_and_state_replay_to_the_same_state_whatever_the_files_say_now() {
    let mut disk = disk_of(&["a", "b", "c"]);
    disk.write("s/b/x.md", b"X");
    let catalog = load(&disk);
    let session = session(&catalog);
    for name in ["a", "b", "c", "a"] {
        load_in(&session, &disk, name);
    }
    call_in(
        &session,
        &disk,
        "read_skill_file",
        &json!({ "skill": "b", "path": "x.md" }),
    );
    forget(&session, &["c"]);
    disk.write("s/a/SKILL.md", skill_with("a", "", "Edited."));
    disk.remove("s/b/SKILL.md");
    refresh(&catalog, &disk);
    let stored = state(&session);
    let journal = json!({ "events": events(&session) });
    for state_before in [&stored, &journal] {
        let again = restored(&catalog, state_before).unwrap();
        assert_eq!(state(&again), stored);
        assert_eq!(again.loaded(), session.loaded());
        assert_eq!(compact(&again, None), compact(&session, None));
        assert_eq!(events(&again), Vec::<Json>::new(), "a replay tells nothing");
    }
}

#[test]
fn a_restored_session_says_what_has_changed_or_vanished() {
    let mut disk = disk_of(&["same", "edited", "removed"]);
    let catalog = load(&disk);
    let before = session(&catalog);
    for name in ["same", "edited", "removed"] {
        load_in(&before, &disk, name);
    }
    disk.write("s/edited/SKILL.md", skill_with("edited", "", "New."));
    disk.remove("s/removed/SKILL.md");
    let later = load(&disk);
    let again = restored(&later, &state(&before)).unwrap();
    let expected = [finding("session-skill-vanished", "removed")];
    assert_eq!(said(&again), expected, "what can be told at once");
    assert_eq!(found(&later), [], "it is not the catalog's");
    let findings: Vec<_> = run(again.check(), &disk)
        .iter()
        .map(|found| {
            (
                found.code.to_string(),
                found.skill.as_deref().unwrap_or_default().to_owned(),
            )
        })
        .collect();
    let expected = [
        ("session-skill-changed", "edited"),
        ("session-skill-vanished", "removed"),
    ];
    assert_eq!(
        findings,
        expected.map(|(code, name)| (code.to_owned(), name.to_owned()))
    );
    assert!(
        load_in(&again, &disk, "edited")
            .content
            .starts_with(&changed("edited"))
    );
    assert_eq!(
        load_in(&again, &disk, "removed").content,
        "The skill \"removed\" is already loaded (its file is no longer there): its instructions are in this conversation."
    );
    assert_eq!(load_in(&again, &disk, "same").content, already("same"));
}

#[test]
fn a_later_edit_takes_nothing_away() {
    let mut disk = disk_of(&["gone", "broken"]);
    let catalog = load(&disk);
    let session = session(&catalog);
    load_in(&session, &disk, "gone");
    load_in(&session, &disk, "broken");
    disk.remove("s/gone/SKILL.md");
    disk.write("s/broken/SKILL.md", b"---\nname: broken\n---\n");
    forget(&session, &["gone", "broken"]);
    for (name, reason) in [
        ("gone", "its file cannot be read now"),
        ("broken", "its file cannot be read now"),
    ] {
        let content = load_in(&session, &disk, name).content;
        let expected = format!("The skill \"{name}\" as it was loaded earlier ({reason}):\n\n")
            + &body_of(name);
        assert_eq!(content, expected);
    }
    refresh(&catalog, &disk);
    forget(&session, &["gone"]);
    let content = load_in(&session, &disk, "gone").content;
    assert!(
        content.contains("(its file is no longer there)") && content.ends_with(&body_of("gone"))
    );
}

#[test]
fn what_is_disabled_since_is_unknown_even_where_it_was_loaded() {
    let mut disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    let session = session(&catalog);
    load_in(&session, &disk, "a");
    disk.write(
        "s/a/SKILL.md",
        skill_with("a", "disable-model-invocation: true\n", "Secret."),
    );
    for _ in 0..2 {
        let result = load_in(&session, &disk, "a");
        assert_eq!(result.code(), Some("SKILL_NOT_FOUND"));
        assert!(
            result.content.ends_with("Available skills: b."),
            "{}",
            result.content
        );
        refresh(&catalog, &disk);
    }
    let by_user = session.run(session.load("a".to_owned()), &disk);
    assert!(by_user.content.contains("Secret."), "{}", by_user.content);
}

#[test]
fn a_load_by_the_user_says_how_files_are_read_that_the_model_was_not_offered() {
    let mut disk = disk_with(&[(
        "s/a/SKILL.md",
        skill_with("a", "disable-model-invocation: true\n", "Body."),
    )]);
    disk.write("s/a/x.md", "x");
    let catalog = load(&disk);
    let session = session(&catalog);
    let text = session.run(session.load("a".to_owned()), &disk).content;
    assert!(text.contains("`read_skill_file`"), "{text}");
}

#[test]
fn the_files_of_what_the_user_has_loaded_can_be_read() {
    let hidden = "disable-model-invocation: true\n";
    let disk = disk_with(&[
        ("s/a/SKILL.md", skill_with("a", hidden, "See x.md.")),
        ("s/a/x.md", "X".to_owned()),
        ("s/b/SKILL.md", skill_with("b", hidden, "B.")),
        ("s/b/x.md", "X".to_owned()),
        ("s/c.md", skill("c", "C.")),
    ]);
    let session = session(&load(&disk));
    let read = |name: &str, path: &str| {
        let arguments = json!({ "skill": name, "path": path });
        call_in(&session, &disk, "read_skill_file", &arguments)
    };
    assert_eq!(read("a", "x.md").code(), Some("SKILL_NOT_FOUND"));
    assert_eq!(tool_names(&session, ToolSet::Auto), ["load_skill"]);
    session.run(session.load("a".to_owned()), &disk);
    assert_eq!(read("a", "x.md").content, "X");
    assert_eq!(read("b", "x.md").code(), Some("SKILL_NOT_FOUND"));
    assert_eq!(
        read("a", "SKILL.md").code(),
        Some("SKILL_NOT_FOUND"),
        "the model may not have it by itself"
    );
    let tools = session.tools(ToolOptions::default()).unwrap().definitions();
    let enums = tools.iter().map(|tool| {
        let properties = &as_json(&tool.input_schema)["properties"];
        [&properties["name"]["enum"], &properties["skill"]["enum"]].map(Clone::clone)
    });
    assert_eq!(
        enums.collect::<Vec<_>>(),
        [[json!(["c"]), json!(null)], [json!(null), json!(["a"])]]
    );
    forget(&session, &["a"]);
    assert_eq!(
        compact(&session, None).notes[0].text,
        "The skill \"a\" was loaded earlier, and of its files \"x.md\"; its instructions are no longer in this conversation. Only the user can load it again."
    );
    unload(&session, "a");
    assert_eq!(read("a", "x.md").code(), Some("SKILL_NOT_FOUND"));
}

#[test]
fn the_files_of_a_version_that_the_user_has_loaded_can_be_read() {
    let hidden = "version: '1'\ndisable-model-invocation: true\n";
    let disk = disk_with(&[
        ("s/a/SKILL.md", skill_with("a", hidden, "A.")),
        ("s/old/SKILL.md", skill_with("a", "version: '2'\n", "Old.")),
        ("s/old/x.md", "X".to_owned()),
        ("s/c.md", skill("c", "C.")),
    ]);
    let session = session(&load(&disk));
    assert_eq!(tool_names(&session, ToolSet::Auto), ["load_skill"]);
    session.run(session.load("a@2".to_owned()), &disk);
    assert_eq!(
        tool_names(&session, ToolSet::Auto),
        ["load_skill", "read_skill_file"]
    );
    let tools = session.tools(ToolOptions::default()).unwrap().definitions();
    let schema = as_json(&tools[1].input_schema);
    let name = &schema["properties"]["skill"]["enum"][0];
    assert_eq!(name, "a@2");
    let arguments = json!({ "skill": name, "path": "x.md" });
    assert_eq!(
        call_in(&session, &disk, "read_skill_file", &arguments).content,
        "X"
    );
}

#[test]
fn a_tampered_state_is_refused() {
    let disk = disk_of(&["a"]);
    let catalog = load(&disk);
    let session = session(&catalog);
    load_in(&session, &disk, "a");
    let mut stored = state(&session);
    stored["events"][0]["body"] = json!("Something else.");
    let error = restored(&catalog, &stored).err().unwrap();
    assert_eq!(error.code(), "DIGEST_MISMATCH");
    for (stored, problem) in [
        (json!({}), "state.events must be a list"),
        (
            json!({ "events": [{ "type": "other", "name": "a" }] }),
            "state.events[0].type is not one of",
        ),
        (
            json!({ "events": [{ "type": "skill_loaded", "name": "a" }] }),
            "state.events[0].digest is missing",
        ),
        (
            json!({ "events": [{ "type": "skill_loaded", "name": "a", "digest": "sha256:00" }] }),
            "state.events[0].body is missing, and no event before it has it",
        ),
        (
            json!({ "events": [{ "type": "skill_unloaded", "name": "a\u{0}b" }] }),
            "state.events[0].name is no skill's: it has a control character",
        ),
        (
            json!({ "events": [{ "type": "skill_dropped", "name": "x".repeat(257) }] }),
            "state.events[0].name is no skill's: it has more than 256",
        ),
        (
            json!({ "events": [{ "type": "resource_loaded", "name": "a", "path": "../../etc" }] }),
            "state.events[0].path cannot be used: it leaves",
        ),
        (
            json!({ "events": [7] }),
            "state.events[0] must be an object; it is 7",
        ),
    ] {
        let error = restored(&catalog, &stored).err().unwrap();
        assert_eq!(error.code(), "SOURCE_UNSUPPORTED");
        assert!(error.to_string().contains(problem), "{error}");
    }
}

#[test]
fn an_unloaded_skill_is_loaded_whole_again() {
    let disk = disk_of(&["a"]);
    let session = session(&load(&disk));
    load_in(&session, &disk, "a");
    let result = call_in(&session, &disk, "unload_skill", &json!({ "name": "a" }));
    assert_eq!(
        result.content,
        "The skill \"a\" is unloaded: its instructions no longer apply."
    );
    assert_eq!(loaded_names(&session), Vec::<String>::new());
    assert!(
        load_in(&session, &disk, "a")
            .content
            .starts_with(&body_of("a"))
    );
}

#[test]
fn unloading_what_is_not_loaded_names_the_first_and_those_like_it() {
    let names: Vec<String> = (0..150).map(|number| format!("n{number:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let disk = disk_of(&names);
    let session = session(&load(&disk));
    for name in &names {
        load_in(&session, &disk, name);
    }
    let content = unload(&session, "n007x").content;
    let beginning = "The skill \"n007x\" is not loaded. Did you mean \"n007\"";
    assert!(content.starts_with(beginning), "{content}");
    assert!(content.contains(" Loaded: n000, n001, "), "{content}");
    assert!(content.ends_with(" n099 and 50 more."), "{content}");
}

#[test]
fn nobody_is_told_to_call_a_tool_that_is_not_offered() {
    let mut disk = disk_of(&["a"]);
    disk.write("s/a/x.md", b"X");
    let catalog = load(&disk);
    for (set, file_reader, loader) in [
        (r#""basic""#, Some("read_skill_file"), true),
        (
            r#"["load_skill_resource"]"#,
            Some("load_skill_resource"),
            false,
        ),
        (r#"["load_skill"]"#, None, true),
        (r#"["list_skills"]"#, None, false),
    ] {
        let options = format!(r#"{{"tools":{{"set":{set}}}}}"#);
        let session = session_with(&catalog, &options).unwrap();
        let loaded = session.run(session.load("a".to_owned()), &disk).content;
        let call = |tool: &str, arguments: Json| {
            let options = session.tool_options();
            let called = session.call(tool.to_owned(), arguments.to_string(), options);
            session.run(called, &disk)
        };
        let listed = call("list_skill_resources", json!({ "skill": "a" })).content;
        let read = call("read_skill_file", json!({ "skill": "a", "path": "x.md" }));
        assert_eq!(read.content, "X", "it is answered all the same");
        let kept = compact(&session, None).keep.remove(0).text;
        assert!(
            loaded.contains("relative to the skill's directory"),
            "{loaded}"
        );
        assert!(listed.contains("1 file"), "{listed}");
        assert!(kept.contains("read earlier: \"x.md\"."), "{kept}");
        for text in [loaded, listed, kept] {
            let named = file_reader.map(|reader| format!("`{reader}`"));
            assert_eq!(text.contains('`'), named.is_some(), "{set}: {text}");
            assert!(text.contains(&named.unwrap_or_default()), "{set}: {text}");
        }
        forget(&session, &["a"]);
        let note = compact(&session, None).notes.remove(0).text;
        assert_eq!(note.contains("Call `load_skill`"), loader, "{set}: {note}");
        assert_eq!(note.contains('`'), loader, "{set}: {note}");
    }
}

#[test]
fn unloading_what_is_not_loaded_names_what_is() {
    let disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    let session = session(&catalog);
    load_in(&session, &disk, "b");
    let result = unload(&session, "a");
    assert_eq!(result.code(), Some("SKILL_NOT_FOUND"));
    assert_eq!(
        result.content,
        "The skill \"a\" is not loaded. Did you mean \"b\"? Loaded: b."
    );
    let without = support::call_with(
        &catalog,
        &disk,
        "unload_skill",
        &json!({ "name": "b" }),
        ToolOptions::default(),
    );
    assert_eq!(
        without.content,
        "The skill \"b\" is not loaded. No skills are loaded."
    );
}

#[test]
fn compaction_keeps_everything_without_a_budget() {
    let disk = disk_of(&["a", "b"]);
    let session = session(&load(&disk));
    load_in(&session, &disk, "a");
    load_in(&session, &disk, "b");
    let compaction = compact(&session, None);
    let texts: Vec<_> = compaction
        .keep
        .iter()
        .map(|kept| kept.text.clone())
        .collect();
    assert_eq!(texts, [body_of("a"), body_of("b")]);
    assert!(compaction.notes.is_empty());
    assert_eq!(load_in(&session, &disk, "a").content, already("a"));
}

#[test]
fn compaction_within_a_budget_keeps_what_was_used_last() {
    let disk = disk_of(&["a", "b", "c"]);
    let size = u32::try_from(body_of("a").chars().count()).unwrap();
    for (used_last, budget, keep, notes) in [
        (
            None,
            Budget::Characters(3 * size),
            vec!["c", "b", "a"],
            vec![],
        ),
        (
            None,
            Budget::Characters(2 * size),
            vec!["c", "b"],
            vec!["a"],
        ),
        (
            Some("a"),
            Budget::Characters(2 * size),
            vec!["a", "c"],
            vec!["b"],
        ),
        (None, Budget::Characters(0), vec![], vec!["a", "b", "c"]),
        (
            None,
            Budget::Tokens(size.div_ceil(4)),
            vec!["c"],
            vec!["a", "b"],
        ),
        // Seven words each, counted by the host.
        (None, Budget::CountedTokens(14), vec!["c", "b"], vec!["a"]),
    ] {
        let session = session(&load(&disk));
        for name in ["a", "b", "c"].into_iter().chain(used_last) {
            load_in(&session, &disk, name);
        }
        let compaction = compact(&session, Some(budget));
        assert_eq!(kept(&compaction), keep, "{budget:?}");
        let mut noted = noted(&compaction);
        noted.sort_unstable();
        assert_eq!(noted, notes, "{budget:?}");
    }
}

#[test]
fn what_was_dropped_comes_back_whole_and_has_a_note_until_then() {
    let disk = disk_with(&[
        ("s/a/SKILL.md", skill("a", "A.")),
        ("s/a/x.md", "X".to_owned()),
        ("s/b/SKILL.md", skill("b", "B.")),
    ]);
    let session = session(&load(&disk));
    load_in(&session, &disk, "a");
    call_in(
        &session,
        &disk,
        "read_skill_file",
        &json!({ "skill": "a", "path": "x.md" }),
    );
    load_in(&session, &disk, "b");
    forget(&session, &["a", "unknown"]);
    let compaction = compact(&session, None);
    assert_eq!(kept(&compaction), ["b"]);
    assert_eq!(
        compaction.notes[0].text,
        "The skill \"a\" was loaded earlier, and of its files \"x.md\"; its instructions are no longer in this conversation. Call `load_skill` to read them again."
    );
    let dropped: Vec<_> = session
        .loaded()
        .iter()
        .map(|loaded| as_json(loaded)["dropped"].clone())
        .collect();
    assert_eq!(dropped, [json!(true), json!(null)]);
    assert_eq!(
        loaded_names(&session),
        ["a", "b"],
        "a dropped skill stays here"
    );
    assert!(
        load_in(&session, &disk, "a")
            .content
            .starts_with(&body_of("a"))
    );
    assert_eq!(kept(&compact(&session, None)), ["b", "a"]);
}

#[test]
fn names_to_forget_that_nothing_has_are_found_until_the_next_ones() {
    let disk = disk_of(&["pdf", "tea", "review"]);
    let catalog = load(&disk);
    let before = session(&catalog);
    load_in(&before, &disk, "tea");
    let view = run(catalog.only(vec!["!tea".to_owned()]), &disk);
    let session = restored(&view, &state(&before)).unwrap();
    load_in(&session, &disk, "pdf");
    let left_out = findings(&session);
    let said = |text: &str| [left_out.clone(), vec![text.to_owned()]].concat();
    forget(&session, &["pfd", "", "pdf@7"]);
    assert_eq!(
        findings(&session),
        said(
            "session-name-unknown: forget was given \"pfd\" and 2 more names: nothing of this name is loaded, nor in the catalog; Did you mean \"pdf\"?"
        )
    );
    assert_eq!(
        kept(&compact(&session, None)),
        ["pdf"],
        "nothing has changed"
    );
    forget(&session, &["spreadsheets"]);
    assert_eq!(
        findings(&session),
        said(
            "session-name-unknown: forget was given \"spreadsheets\": nothing of this name is loaded, nor in the catalog; name what session.loaded has"
        )
    );
    // Not loaded, left out by the view, and loaded.
    forget(&session, &["review", "tea", "pdf"]);
    assert_eq!(findings(&session), left_out);
    assert_eq!(noted(&compact(&session, None)), ["pdf"]);
}

#[test]
fn index_and_prompt_are_the_catalogs_byte_for_byte() {
    let disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    let session = session(&catalog);
    load_in(&session, &disk, "a");
    let options = IndexOptions::default();
    assert_eq!(
        run(session.prompt(options.clone()), &disk),
        run(catalog.prompt(options.clone()), &disk)
    );
    let index = |index: Operation<Result<IndexReport, Error>>| as_json(&run(index, &disk).unwrap());
    assert_eq!(
        index(session.index(options.clone())),
        index(catalog.index(options))
    );
}

#[test]
fn the_index_names_tools_as_the_session_does_where_nothing_else_is_said() {
    let catalog = load(&disk_of(&["a"]));
    let session = session_with(
        &catalog,
        r#"{"tools":{"rename":{"load_skill":"use_skill"}}}"#,
    )
    .unwrap();
    for (given, of_catalog, named) in [
        (
            "{}",
            r#"{"rename":{"load_skill":"use_skill"}}"#,
            "`use_skill`",
        ),
        (
            r#"{"style":"plain","rename":null}"#,
            r#"{"style":"plain","rename":{"load_skill":"use_skill"}}"#,
            "`use_skill`",
        ),
        (r#"{"rename":{}}"#, "{}", "`load_skill`"),
        (
            r#"{"rename":{"load_skill":"other"}}"#,
            r#"{"rename":{"load_skill":"other"}}"#,
            "`other`",
        ),
    ] {
        let [given, of_catalog] =
            [given, of_catalog].map(|options| IndexOptions::from_json(options).unwrap());
        let nothing = Disk::default();
        let text = run(session.prompt(given.clone()), &nothing).unwrap();
        assert!(text.contains(named), "{text}");
        assert_eq!(Ok(text), run(catalog.prompt(of_catalog.clone()), &nothing));
        assert_eq!(
            as_json(&run(session.index(given), &nothing).unwrap()),
            as_json(&run(catalog.index(of_catalog), &nothing).unwrap())
        );
    }
}

#[test]
fn a_session_sees_only_what_its_patterns_let_through() {
    let disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    let before = session(&catalog);
    load_in(&before, &disk, "b");
    let only_a = run(catalog.only(vec!["a".to_owned()]), &disk);
    let narrow = restored(&only_a, &state(&before)).unwrap();
    assert_eq!(load_in(&narrow, &disk, "b").code(), Some("SKILL_NOT_FOUND"));
    let prompt = run(narrow.prompt(IndexOptions::default()), &disk).unwrap();
    assert!(!prompt.contains("- b"));
}

fn tool_names(session: &Conversation, set: ToolSet) -> Vec<String> {
    let options = ToolOptions {
        set,
        ..ToolOptions::default()
    };
    let tools = session.tools(options).unwrap();
    tools
        .definitions()
        .into_iter()
        .map(|tool| tool.name)
        .collect()
}

#[test]
fn a_session_of_nothing_has_no_tools() {
    let catalog = load(&Disk::default());
    assert_eq!(
        tool_names(&session(&catalog), ToolSet::Full),
        Vec::<String>::new()
    );
}

#[test]
fn results_use_the_names_that_the_tools_were_given() {
    let mut disk = disk_of(&["a"]);
    disk.write("s/a/x.md", b"X");
    let session = session_with(
        &load(&disk),
        r#"{"tools":{"rename":{"load_skill":"use_skill","read_skill_file":"open"},"wrapper":"skill","directory":false,"taken":["mine"]}}"#,
    )
    .unwrap();
    let by_user = session.run(session.load("a".to_owned()), &disk).content;
    assert!(
        by_user.starts_with("<skill name=\"a\">\nThe body of a.\n</skill>\n\nPaths in"),
        "{by_user}"
    );
    assert!(by_user.contains("with `open`."), "{by_user}");
    let arguments = json!({ "skill": "a", "path": "x.md" }).to_string();
    let read = session.call("open".to_owned(), arguments, session.tool_options());
    assert_eq!(session.run(read, &disk).content, "X");
    assert_eq!(
        compact(&session, None).keep[0].text,
        "<skill name=\"a\">\nThe body of a.\n</skill>\n\nFiles of the skill \"a\" that were read earlier: \"x.md\". Call `open` to read them again."
    );
    forget(&session, &["a"]);
    let note = compact(&session, None).notes.remove(0).text;
    assert!(note.contains("`use_skill`"), "{note}");
}

#[test]
fn without_a_wrapper_what_is_kept_has_a_tag_all_the_same() {
    let disk = disk_of(&["a"]);
    let session = session_with(&load(&disk), r#"{"tools":{"wrapper":"none"}}"#).unwrap();
    let by_user = session.run(session.load("a".to_owned()), &disk).content;
    assert!(by_user.starts_with("The body of a.\n"), "{by_user}");
    assert_eq!(compact(&session, None).keep[0].text, body_of("a"));
}

#[test]
fn tools_that_cannot_be_named_so_are_refused_when_the_session_begins() {
    let catalog = load(&disk_of(&["a"]));
    for (options, code) in [
        (r#"{"tools":{"taken":["load_skill"]}}"#, "TOOL_NAME_TAKEN"),
        (
            r#"{"tools":{"rename":{"load_skill":"a b"}}}"#,
            "SOURCE_UNSUPPORTED",
        ),
        (r#"{"tools":{"wraper":"none"}}"#, "SOURCE_UNSUPPORTED"),
    ] {
        let error = session_with(&catalog, options).err().unwrap();
        assert_eq!(error.code(), code, "{error}");
    }
}

#[test]
fn a_body_with_arguments_is_kept_as_the_conversation_has_it() {
    let body = "Read $1, then $ARGUMENTS; \\$1.";
    let mut disk = disk_with(&[("s/a/SKILL.md", skill_with("a", "", body))]);
    let catalog = load(&disk);
    let session = session(&catalog);
    let expand = |arguments| {
        let options = ExpandOptions {
            arguments,
            ..ExpandOptions::default()
        };
        let expanded = session.expand("/a one \"two three\"".to_owned(), options);
        session.run(expanded, &disk).unwrap()
    };
    let wrapped = |body: &str| format!("<skill_content name=\"a\">\n{body}\n</skill_content>");
    expand(false);
    assert_eq!(compact(&session, None).keep[0].text, wrapped(body));
    expand(true);
    let filled = "Read one, then one \"two three\"; $1.";
    let stored = state(&session);
    let told = events(&session);
    assert_eq!(told[1]["arguments"], json!("one \"two three\""));
    assert_eq!(told[0]["body"], json!(body));
    assert_eq!(told[1]["digest"], told[0]["digest"], "of the body itself");
    assert_eq!(told[0].get("arguments"), None);
    let again = restored(&catalog, &stored).unwrap();
    assert_eq!(state(&again), stored);
    for session in [&session, &again] {
        assert_eq!(load_in(session, &disk, "a").content, already("a"));
        assert_eq!(compact(session, None).keep[0].text, wrapped(filled));
    }
    forget(&session, &["a"]);
    disk.remove("s/a/SKILL.md");
    refresh(&catalog, &disk);
    let content = load_in(&session, &disk, "a").content;
    assert!(content.ends_with(&wrapped(filled)), "{content}");
}

#[test]
fn arguments_are_filled_into_whatever_is_loaded_of_the_skill_later() {
    let file =
        |version: &str, body: &str| skill_with("a", &format!("version: '{version}'\n"), body);
    let mut disk = disk_with(&[("s/a/SKILL.md", file("1", "Read $1."))]);
    let catalog = load(&disk);
    let session = session(&catalog);
    let options = ExpandOptions {
        arguments: true,
        ..ExpandOptions::default()
    };
    session
        .run(session.expand("/a one".to_owned(), options), &disk)
        .unwrap();
    let wrapped = |body: &str| format!("<skill_content name=\"a\">\n{body}\n</skill_content>");
    forget(&session, &["a"]);
    let dropped = load_in(&session, &disk, "a").content;
    assert!(dropped.starts_with(&wrapped("Read one.")), "{dropped}");
    disk.write("s/a/SKILL.md", file("1", "Write $ARGUMENTS."));
    let edited = load_in(&session, &disk, "a").content;
    assert!(
        edited.starts_with(&(changed("a") + &wrapped("Write one."))),
        "{edited}"
    );
    disk.write("s/a/SKILL.md", file("2", "Burn $1."));
    refresh(&catalog, &disk);
    let replaced = load_in(&session, &disk, "a").content;
    assert!(
        replaced.starts_with(&(changed("a") + &wrapped("Burn one."))),
        "{replaced}"
    );
    assert_eq!(compact(&session, None).keep[0].text, wrapped("Burn one."));
    let again = restored(&catalog, &state(&session)).unwrap();
    assert_eq!(compact(&again, None).keep[0].text, wrapped("Burn one."));
    unload(&session, "a");
    let anew = load_in(&session, &disk, "a").content;
    assert!(anew.starts_with(&wrapped("Burn $1.")), "{anew}");
}

#[test]
fn where_nothing_was_filled_in_no_arguments_are_recorded() {
    let disk = disk_of(&["a"]);
    let session = session(&load(&disk));
    let options = ExpandOptions {
        arguments: true,
        ..ExpandOptions::default()
    };
    session
        .run(session.expand("/a extra".to_owned(), options), &disk)
        .unwrap();
    assert_eq!(events(&session)[0].get("arguments"), None);
    assert_eq!(compact(&session, None).keep[0].text, body_of("a"));
}

#[test]
fn arguments_of_a_stored_state_cannot_fill_the_memory() {
    let body = "$ARGUMENTS".repeat(1000);
    let disk = disk_with(&[("s/a/SKILL.md", skill_with("a", "", &body))]);
    let catalog = load(&disk);
    let before = session(&catalog);
    load_in(&before, &disk, "a");
    let mut stored = state(&before);
    stored["events"][0]["arguments"] = json!("x".repeat(100_000));
    let again = restored(&catalog, &stored).unwrap();
    let kept = compact(&again, None).keep.remove(0).text;
    assert!(kept.contains(&body), "as it is in its file");
}

/// What a session says of its skills: codes and names.
fn said(session: &Conversation) -> Vec<(String, String)> {
    let found = session.diagnostics();
    found
        .iter()
        .map(|found| {
            let name = found.skill.as_deref().unwrap_or_default();
            (found.code.to_string(), name.to_owned())
        })
        .collect()
}

fn finding(code: &str, name: &str) -> (String, String) {
    (code.to_owned(), name.to_owned())
}

#[test]
fn what_is_found_of_a_skill_is_so_until_it_is_unloaded_or_loaded_anew() {
    let mut disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    let session = session(&catalog);
    for name in ["a", "b"] {
        load_in(&session, &disk, name);
    }
    assert_eq!(said(&session), []);
    disk.write("s/a/SKILL.md", skill_with("a", "", "New."));
    disk.remove("s/b/SKILL.md");
    assert_eq!(said(&session), [], "nothing was read since");
    run(session.check(), &disk);
    let expected = [
        finding("session-skill-changed", "a"),
        finding("session-skill-vanished", "b"),
    ];
    assert_eq!(said(&session), expected);
    assert_eq!(found(&catalog), [], "which is not the catalog's");
    load_in(&session, &disk, "a");
    assert_eq!(said(&session), [finding("session-skill-vanished", "b")]);
    load_in(&session, &disk, "b");
    let expected = [finding("session-skill-vanished", "b")];
    assert_eq!(said(&session), expected, "its text is the recorded one");
    unload(&session, "b");
    assert_eq!(said(&session), []);
}

#[test]
fn a_load_and_an_expansion_that_cannot_read_a_file_say_so() {
    let mut disk = disk_of(&["a"]);
    let catalog = load(&disk);
    let by_load = session(&catalog);
    let by_expansion = session(&catalog);
    for session in [&by_load, &by_expansion] {
        load_in(session, &disk, "a");
    }
    disk.write("s/a/SKILL.md", b"---\nname: a\n---\n");
    load_in(&by_load, &disk, "a");
    let options = ExpandOptions::default();
    assert!(
        by_expansion
            .run(by_expansion.expand("/a".to_owned(), options), &disk)
            .is_err()
    );
    for session in [&by_load, &by_expansion] {
        assert_eq!(said(session), [finding("session-skill-unreadable", "a")]);
        assert_eq!(
            session.diagnostics()[0].message,
            "the skill \"a\" was loaded in this session and cannot be read now: /s/a/SKILL.md:1:1: description is missing; say what the skill does and when to use it"
        );
    }
    disk.write("s/a/SKILL.md", skill("a", "The body of a."));
    for session in [&by_load, &by_expansion] {
        assert_eq!(run(session.check(), &disk), []);
        assert_eq!(said(session), [], "all is well again");
    }
}

#[test]
fn a_refresh_that_misses_a_loaded_skill_says_so_without_a_check() {
    let mut disk = disk_of(&["a"]);
    let catalog = load(&disk);
    let session = session(&catalog);
    load_in(&session, &disk, "a");
    let file = skill("a", "The body of a.");
    disk.remove("s/a/SKILL.md");
    refresh(&catalog, &disk);
    assert_eq!(said(&session), [finding("session-skill-vanished", "a")]);
    disk.write("s/a/SKILL.md", file);
    refresh(&catalog, &disk);
    assert_eq!(said(&session), []);
}

#[test]
fn what_only_leaves_out_is_nowhere_and_is_not_lost() {
    let mut disk = disk_of(&["a", "b", "c"]);
    disk.write("s/b/x.md", b"X");
    let catalog = load(&disk);
    let before = session(&catalog);
    for name in ["a", "b", "c"] {
        load_in(&before, &disk, name);
    }
    let arguments = json!({ "skill": "b", "path": "x.md" });
    call_in(&before, &disk, "read_skill_file", &arguments);
    forget(&before, &["a"]);
    let stored = state(&before);
    let view = run(catalog.only(vec!["!b".to_owned()]), &disk);
    let session = restored(&view, &stored).unwrap();
    assert_eq!(loaded_names(&session), ["a", "c"]);
    assert_eq!(session.left_out(), ["b"]);
    assert_eq!(said(&session), [finding("session-skill-left-out", "")]);
    assert_eq!(run(session.check(), &disk), []);
    let compaction = compact(&session, Some(Budget::Characters(0)));
    assert!(compaction.keep.is_empty());
    assert_eq!(noted(&compaction), ["a", "c"]);
    assert!(unload(&session, "b").content.ends_with("Loaded: a, c."));
    forget(&session, &["b"]);
    let options = ToolOptions {
        set: ToolSet::Full,
        ..ToolOptions::default()
    };
    for tool in session.tools(options).unwrap().definitions() {
        let schema = as_json(&tool.input_schema).to_string();
        assert!(!schema.contains("\"b\""), "{schema}");
    }
    disk.remove("s/b/SKILL.md");
    refresh(&catalog, &disk);
    assert_eq!(
        load_in(&session, &disk, "b").code(),
        Some("SKILL_NOT_FOUND")
    );
    let idle = finding("only-pattern-idle", "");
    assert_eq!(
        said(&session),
        [finding("session-skill-left-out", ""), idle]
    );
    let again = restored(&catalog, &state(&session)).unwrap();
    assert_eq!(loaded_names(&again), ["a", "c", "b"]);
    let noted: Vec<_> = compact(&again, None).notes;
    assert_eq!(noted.len(), 2, "b was never dropped");
}

#[test]
fn the_schema_names_what_vanished_and_can_be_had_all_the_same() {
    let mut disk = disk_of(&["a", "b", "c"]);
    disk.write(
        "s/c/SKILL.md",
        skill_with("c", "disable-model-invocation: true\n", "C."),
    );
    let catalog = load(&disk);
    let session = session(&catalog);
    load_in(&session, &disk, "b");
    session.run(session.load("c".to_owned()), &disk);
    for name in ["b", "c"] {
        disk.remove(&format!("s/{name}/SKILL.md"));
    }
    refresh(&catalog, &disk);
    let names_in = |tools: skillshelf::Tools| {
        let load_skill = &tools.definitions()[0];
        as_json(&load_skill.input_schema)["properties"]["name"]["enum"].clone()
    };
    let options = ToolOptions::default;
    assert_eq!(
        names_in(session.tools(options()).unwrap()),
        json!(["a", "b"])
    );
    assert_eq!(names_in(catalog.tools(options()).unwrap()), json!(["a"]));
    assert_eq!(load_in(&session, &disk, "b").code(), None);
    unload(&session, "b");
    assert_eq!(names_in(session.tools(options()).unwrap()), json!(["a"]));
}

#[test]
fn what_a_listener_refuses_has_not_happened() {
    let disk = disk_of(&["a", "b"]);
    let session = session(&load(&disk));
    load_in(&session, &disk, "a");
    let journal = session.told.take();
    let load = || run(session.load("b".to_owned()), &disk);
    let outcome = load();
    let whole = outcome.result.content.clone();
    assert!(session.refuse(outcome, 0, &journal).is_err());
    assert_eq!(loaded_names(&session), ["a"]);
    assert_eq!(events(&session), Vec::<Json>::new());
    assert_eq!(session.take(load()).content, whole);
    assert_eq!(session.take(load()).content, already("b"));
}

#[test]
fn what_a_call_comes_to_whose_event_was_refused() {
    let [event, skill, message] = ["skill_loaded", "b", "the disk is full"].map(str::to_owned);
    let answer = as_json(&RefusedEvent::new(event, skill, message));
    assert_eq!(
        answer["error"]["message"],
        "onEvent failed for the event skill_loaded of the skill \"b\": the disk is full. It is as if it had not happened: mend onEvent, and do it again."
    );
    assert_eq!(answer["error"]["code"], "HOST_FAILED");
    assert_eq!(
        answer["content"],
        "The application did not take the event skill_loaded of the skill \"b\": the disk is full. Nothing has changed: call again; if that fails too, go on without it and tell the user."
    );
    assert_eq!(
        answer["result"],
        json!({ "isError": true, "code": "HOST_FAILED", "skill": "b" })
    );
}

#[test]
fn what_was_found_stays_where_what_would_end_it_is_refused_or_aborted() {
    let mut disk = disk_of(&["a"]);
    let session = session(&load(&disk));
    load_in(&session, &disk, "a");
    let journal = session.told.take();
    disk.write("s/a/SKILL.md", skill_with("a", "", "New."));
    run(session.check(), &disk);
    let expected = [finding("session-skill-changed", "a")];
    assert_eq!(said(&session), expected);
    for taken in [0, 1] {
        let loaded = run(session.load("a".to_owned()), &disk);
        assert_eq!(session.refuse(loaded, taken, &journal).is_err(), taken == 0);
        assert_eq!(said(&session), &expected[taken..]);
    }
    run(session.check(), &disk);
    let found = said(&session);
    disk.write("s/a/SKILL.md", skill_with("a", "", "Newer."));
    let mut aborted = session.load("a".to_owned());
    assert!(matches!(aborted.step(Vec::new()), Some(Step::Requests(_))));
    drop(aborted);
    assert_eq!((said(&session), events(&session).len()), (found, 1));
}

#[test]
fn a_state_is_understood_without_its_catalog() {
    let disk = disk_of(&["a", "b"]);
    let session = session(&load(&disk));
    for name in ["a", "b", "a"] {
        load_in(&session, &disk, name);
    }
    let stored = json!({ "state": events(&session), "leftOut": ["b"] }).to_string();
    let stored = as_json(&Stored::from_json(&stored).unwrap());
    assert_eq!(stored["state"], state(&session));
    assert_eq!(stored["loaded"], json!([as_json(&session.loaded()[1])]));
}

#[test]
fn an_edit_of_the_version_is_a_change_before_a_refresh_too() {
    let mut disk = disk_with(&[("s/a/SKILL.md", skill_with("a", "version: 1.0\n", "One."))]);
    let session = session(&load(&disk));
    load_in(&session, &disk, "a");
    disk.write("s/a/SKILL.md", skill_with("a", "version: 2.0\n", "Two."));
    let content = load_in(&session, &disk, "a").content;
    assert!(content.starts_with(&changed("a")), "{content}");
    let loaded = session.loaded();
    assert_eq!(loaded.len(), 1);
    assert_eq!(loaded[0].key.version.as_deref(), Some("2.0"));
    assert_eq!(run(session.check(), &disk), [], "it is as it was loaded");
}

#[test]
fn versions_side_by_side_are_told_apart_when_they_are_compacted_and_forgotten() {
    let disk = disk_with(&[
        ("one/a/SKILL.md", skill_with("a", "version: '2'\n", "Two.")),
        ("two/a/SKILL.md", skill_with("a", "version: '1'\n", "One.")),
    ]);
    let sources = vec![disk.source("one"), disk.source("two")];
    let catalog = load_sources(&disk, sources, LoadOptions::default()).unwrap();
    let session = session(&catalog);
    load_in(&session, &disk, "a");
    load_in(&session, &disk, "a@1");
    let texts: Vec<_> = compact(&session, None)
        .keep
        .into_iter()
        .map(|kept| kept.text.lines().next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(
        texts,
        [
            "<skill_content name=\"a@2\">",
            "<skill_content name=\"a@1\">"
        ]
    );
    forget(&session, &["a"]);
    let notes: Vec<_> = compact(&session, None)
        .notes
        .into_iter()
        .map(|note| note.text)
        .collect();
    assert_eq!(notes.len(), 2, "all of a name is forgotten");
    assert!(notes[0].contains("\"a@2\"") && notes[1].contains("\"a@1\""));
    for name in ["a", "a@1"] {
        let content = load_in(&session, &disk, name).content;
        assert!(content.starts_with("<skill_content"), "{content}");
    }
}

#[test]
fn what_only_the_user_may_load_is_not_given_to_the_model_when_its_file_is_gone() {
    let disabled = skill_with("a", "disable-model-invocation: true\n", "Secret.");
    let mut disk = disk_with(&[
        ("s/a/SKILL.md", disabled),
        ("s/b/SKILL.md", skill("b", "B.")),
    ]);
    let catalog = load(&disk);
    let first = session(&catalog);
    assert!(
        first
            .run(first.load("a".to_owned()), &disk)
            .content
            .contains("Secret.")
    );
    disk.remove("s/a/SKILL.md");
    refresh(&catalog, &disk);
    let stored = state(&first);
    for session in [first, restored(&catalog, &stored).unwrap()] {
        forget(&session, &["a"]);
        assert_eq!(
            load_in(&session, &disk, "a").code(),
            Some("SKILL_NOT_FOUND")
        );
        let note = compact(&session, None).notes.remove(0).text;
        assert!(note.contains("Only the user"), "{note}");
        let by_user = session.run(session.load("a".to_owned()), &disk);
        assert!(by_user.content.contains("Secret."), "{}", by_user.content);
    }
}

#[test]
fn a_loaded_version_opens_no_other_version_to_the_model() {
    let hidden = skill_with(
        "a",
        "version: '2'\ndisable-model-invocation: true\n",
        "Two.",
    );
    let disk = disk_with(&[
        ("one/a/SKILL.md", hidden),
        ("one/a/secret.md", "Secret.".to_owned()),
        ("two/a/SKILL.md", skill_with("a", "version: '1'\n", "One.")),
        ("two/a/x.md", "X.".to_owned()),
    ]);
    let sources = vec![disk.source("one"), disk.source("two")];
    let catalog = load_sources(&disk, sources, LoadOptions::default()).unwrap();
    let session = session(&catalog);
    assert!(
        session
            .run(session.load("a@1".to_owned()), &disk)
            .content
            .contains("One.")
    );
    let arguments = json!({ "skill": "a", "path": "secret.md" });
    let result = call_in(&session, &disk, "read_skill_file", &arguments);
    assert_eq!(result.code(), Some("SKILL_NOT_FOUND"));
    let arguments = json!({ "skill": "a@1", "path": "x.md" });
    assert_eq!(
        call_in(&session, &disk, "read_skill_file", &arguments).content,
        "X."
    );
}

#[test]
fn what_was_disabled_since_is_the_users_once_a_command_has_brought_it() {
    let mut disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    let session = session(&catalog);
    let disabled = skill_with("a", "disable-model-invocation: true\n", "Secret.");
    disk.write("s/a/SKILL.md", disabled);
    let expanded = session.run(
        session.expand("/a".to_owned(), ExpandOptions::default()),
        &disk,
    );
    assert!(expanded.is_ok());
    disk.remove("s/a/SKILL.md");
    refresh(&catalog, &disk);
    forget(&session, &["a"]);
    assert_eq!(
        load_in(&session, &disk, "a").code(),
        Some("SKILL_NOT_FOUND")
    );
}
