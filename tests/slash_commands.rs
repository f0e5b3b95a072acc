//! What a user's line stands for, and what completes it.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use skillshelf::{
    Catalog, Command, CompleteOptions, CompletionKind, ExpandOptions, Expansion, Request,
    SessionOptions,
};
use support::{
    Conversation, Disk, disk_of, disk_with, load, loaded_names, run, session, skill, skill_with,
};

fn commands(names: &[&str]) -> Vec<Command> {
    let command = |name: &&str| Command {
        name: (*name).to_owned(),
        description: Some(format!("The host's {name}.")),
    };
    names.iter().map(command).collect()
}

fn expand(catalog: &Catalog, disk: &Disk, input: &str, names: &[&str]) -> Expansion {
    let options = ExpandOptions {
        commands: commands(names),
        ..ExpandOptions::default()
    };
    run(catalog.expand(input.to_owned(), options), disk).expect("the body is read")
}

fn of_skill(name: &str, extra: &str) -> Expansion {
    let separator = if extra.is_empty() { "" } else { "\n\n" };
    Expansion::Skill {
        skill: name.to_owned(),
        text: format!("The body of {name}.{separator}{extra}"),
        extra: extra.to_owned(),
        resources: Some(format!("Skill directory: /s/{name}")),
    }
}

fn text(input: &str) -> Expansion {
    Expansion::Text {
        text: input.to_owned(),
    }
}

fn command(name: &str, extra: &str) -> Expansion {
    Expansion::Command {
        name: name.to_owned(),
        extra: extra.to_owned(),
    }
}

fn unknown(name: &str, near: &[&str], message: &str) -> Expansion {
    Expansion::Unknown {
        name: name.to_owned(),
        near: near.iter().map(|name| (*name).to_owned()).collect(),
        message: message.to_owned(),
    }
}

#[test]
fn a_line_stands_for_a_skill_a_command_or_itself() {
    let mut disk = disk_of(&["go-refactor", "review", "help"]);
    disk.write("s/Code Review/SKILL.md", skill("Code Review", "C."));
    disk.write("s/Code/SKILL.md", skill("Code", "C."));
    let catalog = load(&disk);
    for (input, expansion) in [
        ("/go-refactor", of_skill("go-refactor", "")),
        (
            "/go-refactor clean up main.go",
            of_skill("go-refactor", "clean up main.go"),
        ),
        (
            "/go-refactor \n\n two\nlines \n",
            of_skill("go-refactor", "two\nlines"),
        ),
        ("/Code Review this", of_skill("Code Review", "this")),
        ("/Code  Review", of_skill("Code Review", "")),
        ("/Code reviews", of_skill("Code", "reviews")),
        ("/help me", command("help", "me")),
        ("/quit", command("quit", "")),
        ("/add dir /tmp", command("add dir", "/tmp")),
        ("plain /go-refactor", text("plain /go-refactor")),
        (" /go-refactor", text(" /go-refactor")),
        ("/", text("/")),
        ("/ go-refactor", text("/ go-refactor")),
        ("", text("")),
        ("/usr/bin is empty", text("/usr/bin is empty")),
        ("//comment", text("//comment")),
        (
            "/go-refactr x",
            unknown(
                "go-refactr",
                &["go-refactor"],
                "There is no command or skill named \"/go-refactr\". Did you mean \"/go-refactor\"?",
            ),
        ),
        (
            "/hel",
            unknown(
                "hel",
                &["help"],
                "There is no command or skill named \"/hel\". Did you mean \"/help\"?",
            ),
        ),
        (
            "/zzzzzzzz",
            unknown(
                "zzzzzzzz",
                &[],
                "There is no command or skill named \"/zzzzzzzz\".",
            ),
        ),
    ] {
        let host = ["help", "quit", "add dir"];
        assert_eq!(
            expand(&catalog, &disk, input, &host),
            expansion,
            "{input:?}"
        );
    }
}

#[test]
fn commands_of_the_host_win_over_any_skill() {
    let mut disk = disk_of(&["deploy"]);
    disk.write("s/deploy prod/SKILL.md", skill("deploy prod", "D."));
    let catalog = load(&disk);
    let expansion = expand(&catalog, &disk, "/deploy prod now", &["deploy"]);
    assert_eq!(expansion, command("deploy", "prod now"));
}

#[test]
fn names_of_commands_and_of_skills_are_one_in_either_form_of_unicode() {
    let mut disk = disk_of(&["help", "go"]);
    disk.write("s/ｑｕｉｔ/SKILL.md", skill("ｑｕｉｔ", "Q."));
    let catalog = load(&disk);
    for (input, names, expansion) in [
        ("/ｈｅｌｐ me", ["help", "x"], command("help", "me")),
        ("/help me", ["ｈｅｌｐ", "x"], command("ｈｅｌｐ", "me")),
        ("/help", ["ｈｅｌｐ", "help"], command("help", "")),
        ("/ｈｅｌｐ", ["help", "ｈｅｌｐ"], command("ｈｅｌｐ", "")),
        (
            "/add\u{3000}ｄｉｒ x",
            ["add dir", "x"],
            command("add dir", "x"),
        ),
        ("/ｇｏ x", ["x", "y"], of_skill("go", "x")),
        ("/quit", ["x", "y"], of_skill("ｑｕｉｔ", "")),
        ("/quit", ["ｑｕｉｔ", "y"], command("ｑｕｉｔ", "")),
        (
            "/ｈｅｌｌｐ",
            ["help", "x"],
            unknown(
                "ｈｅｌｌｐ",
                &["help"],
                "There is no command or skill named \"/ｈｅｌｌｐ\". Did you mean \"/help\"?",
            ),
        ),
    ] {
        assert_eq!(
            expand(&catalog, &disk, input, &names),
            expansion,
            "{input:?} {names:?}"
        );
    }
    let completed = |typed: &str, names: &[&str]| -> Vec<(CompletionKind, String)> {
        let options = CompleteOptions {
            commands: commands(names),
            limit: None,
        };
        let found = run(catalog.complete(typed.to_owned(), options), &disk);
        let found = found.into_iter();
        found.map(|it| (it.kind, it.name)).collect()
    };
    let help = [(CompletionKind::Command, "ｈｅｌｐ".to_owned())];
    assert_eq!(
        completed("/hel", &["ｈｅｌｐ"]),
        help,
        "the skill is hidden"
    );
    assert_eq!(completed("/ｈｅｌ", &["ｈｅｌｐ"]), help);
    assert_eq!(
        completed("/qui", &["quit"]),
        [(CompletionKind::Command, "quit".to_owned())],
        "a name of full width is hidden too"
    );
}

#[test]
fn the_user_is_offered_what_the_model_is_not_and_not_what_is_no_command() {
    let disk = disk_with(&[
        (
            "s/hidden/SKILL.md",
            skill_with(
                "hidden",
                "disable-model-invocation: true\n",
                "The body of hidden.",
            ),
        ),
        (
            "s/background/SKILL.md",
            skill_with(
                "background",
                "user-invocable: false\n",
                "The body of background.",
            ),
        ),
        ("s/left-out/SKILL.md", skill("left-out", "L.")),
    ]);
    let catalog = run(load(&disk).only(vec!["!left-out".to_owned()]), &disk);
    assert_eq!(
        expand(&catalog, &disk, "/hidden x", &[]),
        of_skill("hidden", "x")
    );
    for input in ["/background", "/left-out"] {
        let name = input.trim_start_matches('/');
        let message = format!("There is no command or skill named \"{input}\".");
        assert_eq!(
            expand(&catalog, &disk, input, &[]),
            unknown(name, &[], &message)
        );
    }
    let offered: Vec<_> = complete(&catalog, "/", &[]);
    assert_eq!(offered, ["skill hidden"]);
}

#[test]
fn a_name_is_met_in_either_form_of_unicode() {
    let disk = disk_with(&[("s/caf\u{e9}/SKILL.md", skill("caf\u{e9}", "C."))]);
    let catalog = load(&disk);
    let expansion = expand(&catalog, &disk, "/cafe\u{301} noir", &[]);
    assert_eq!(expansion, of_skill("caf\u{e9}", "noir"));
    assert_eq!(complete(&catalog, "/cafe\u{301}", &[]), ["skill caf\u{e9}"]);
}

#[test]
fn a_body_that_cannot_be_read_is_an_error() {
    let mut disk = disk_of(&["a"]);
    let catalog = load(&disk);
    disk.write("s/a/SKILL.md", b"---\nname: a\n---\nx");
    let error = run(catalog.expand("/a".into(), ExpandOptions::default()), &disk).unwrap_err();
    assert_eq!(error.code(), "SKILL_INVALID");
}

#[test]
fn placeholders_stand_for_arguments_only_when_asked() {
    let disk = disk_with(&[("s/a/SKILL.md", skill_with("a", "", "Do $1 of $ARGUMENTS."))]);
    let catalog = load(&disk);
    for (arguments, text) in [
        (false, "Do $1 of $ARGUMENTS.\n\nx y"),
        (true, "Do x of x y."),
    ] {
        let options = ExpandOptions {
            arguments,
            ..ExpandOptions::default()
        };
        let Ok(Expansion::Skill { text: found, .. }) =
            run(catalog.expand("/a x y".into(), options), &disk)
        else {
            panic!("it is a skill")
        };
        assert_eq!(found, text);
    }
}

#[test]
fn in_a_session_an_expansion_is_a_load() {
    let disk = disk_of(&["a"]);
    let session = session(&load(&disk));
    let expanded = session.run(
        session.expand("/a now".into(), ExpandOptions::default()),
        &disk,
    );
    assert_eq!(expanded, Ok(of_skill("a", "now")));
    assert_eq!(loaded_names(&session), ["a"]);
    let again = support::load_in(&session, &disk, "a");
    assert!(
        again.content.contains("already loaded"),
        "{}",
        again.content
    );
    let expanded = session.run(session.expand("/a".into(), ExpandOptions::default()), &disk);
    assert_eq!(
        expanded,
        Ok(of_skill("a", "")),
        "a user who asks again gets it again"
    );
}

/// What an expansion says of the skill's files.
fn resources(expansion: Result<Expansion, skillshelf::Error>) -> Option<String> {
    match expansion {
        Ok(Expansion::Skill { resources, .. }) => resources,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_expansion_says_where_the_files_are_and_how_the_model_reads_them() {
    let hidden = "disable-model-invocation: true\n";
    let disk = disk_with(&[
        ("s/a/SKILL.md", skill("a", "A.")),
        ("s/a/x.md", "X".to_owned()),
        ("s/b/SKILL.md", skill_with("b", hidden, "B.")),
        ("s/b/y.md", "Y".to_owned()),
        ("s/c.md", skill("c", "C.")),
    ]);
    let said = |name: &str, reader: &str, file: &str| {
        format!(
            "Skill directory: /s/{name}\nPaths in these instructions are relative to the skill's directory{reader}.\n\n<skill_resources>\n<file>{file}</file>\n</skill_resources>"
        )
    };
    let catalog = load(&disk);
    let of = |line: &str| {
        let expanded = catalog.expand(line.to_owned(), ExpandOptions::default());
        resources(run(expanded, &disk))
    };
    let reader = "; read its files with `read_skill_file`";
    assert_eq!(of("/a now"), Some(said("a", reader, "x.md")));
    assert_eq!(
        of("/b"),
        Some(said("b", "", "y.md")),
        "a catalog has no tool for the files of what is disabled"
    );
    assert_eq!(of("/c"), None);

    let loaded = support::load_skill(&catalog, &disk, "a").content;
    let after = loaded
        .split_once("</skill_content>\n\n")
        .expect("there are files");
    assert_eq!(of("/a").as_deref(), Some(after.1));

    let options = r#"{"tools":{"rename":{"read_skill_file":"open"},"directory":false}}"#;
    let options = SessionOptions::from_json(options).unwrap();
    let session = Conversation::begin(&catalog, options).unwrap();
    for (line, file) in [("/b", "y.md"), ("/a", "x.md")] {
        let expanded = session.expand(line.to_owned(), ExpandOptions::default());
        let said = resources(session.run(expanded, &disk)).expect("there are files");
        let start = "Paths in these instructions are relative to the skill's directory; read its files with `open`.";
        assert!(said.starts_with(start) && said.contains(file), "{said}");
    }
}

/// Kind and name of each completion.
fn complete(catalog: &Catalog, prefix: &str, names: &[&str]) -> Vec<String> {
    let options = CompleteOptions {
        commands: commands(names),
        ..CompleteOptions::default()
    };
    let found = run(
        catalog.complete(prefix.to_owned(), options),
        &Disk::default(),
    );
    let shown = |found: &skillshelf::Completion| format!("{} {}", found.kind.as_str(), found.name);
    found.iter().map(shown).collect()
}

#[test]
fn completions_are_ranked_and_marked() {
    let disk = disk_of(&["go-refactor", "mango", "gopher", "cargo-go", "review"]);
    let catalog = load(&disk);
    let host = ["goal", "quit"];
    for (prefix, expected) in [
        (
            "/go",
            vec![
                "skill go-refactor",
                "command goal",
                "skill gopher",
                "skill cargo-go",
                "skill mango",
            ],
        ),
        ("/GOP", vec!["skill gopher"]),
        ("/gr", vec!["skill go-refactor", "skill gopher"]),
        ("/rg", vec!["skill cargo-go"]),
        ("/re", vec!["skill review", "skill go-refactor"]),
        ("/zz", vec![]),
        ("/ go", vec![]),
        ("/\tgo", vec![]),
        ("go", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(complete(&catalog, prefix, &host), expected, "{prefix}");
    }
}

#[test]
fn a_completion_has_its_description_on_one_line_and_what_to_insert() {
    let disk = disk_with(&[("s/a/SKILL.md", skill("a", "\"one\\ntwo\""))]);
    let found = run(
        load(&disk).complete("/a".into(), CompleteOptions::default()),
        &disk,
    );
    assert_eq!(
        support::as_json(&found[0]),
        serde_json::json!({ "kind": "skill", "name": "a", "insert": "/a", "description": "one two" })
    );
}

#[test]
fn a_skill_that_a_command_hides_is_not_offered_twice() {
    let disk = disk_of(&["help"]);
    assert_eq!(complete(&load(&disk), "/", &["help"]), ["command help"]);
}

#[test]
fn a_skill_that_a_command_takes_the_beginning_of_is_not_offered() {
    let mut disk = disk_of(&["gopher"]);
    disk.write("s/go refactor/SKILL.md", skill("go refactor", "G."));
    let catalog = load(&disk);
    assert_eq!(
        complete(&catalog, "/go", &["go"]),
        ["command go", "skill gopher"]
    );
    let expansion = expand(&catalog, &disk, "/go refactor", &["go"]);
    assert_eq!(expansion, command("go", "refactor"));
}

#[test]
fn arguments_cannot_make_a_text_without_bound() {
    let body = "$ARGUMENTS ".repeat(85_000);
    let disk = disk_with(&[("s/a/SKILL.md", skill_with("a", "", &body))]);
    let options = ExpandOptions {
        arguments: true,
        ..ExpandOptions::default()
    };
    let input = format!("/a {}", "x".repeat(10_000));
    let error = run(load(&disk).expand(input, options), &disk).unwrap_err();
    assert_eq!(error.code(), "TOOL_ARGUMENTS_INVALID");
    assert_eq!(
        error.to_string(),
        "What follows /a makes more than 1058576 bytes of the placeholders in the skill. Shorten it, or expand without arguments."
    );
}

#[test]
fn arguments_that_make_too_much_are_no_fault_of_the_file() {
    let body = "$ARGUMENTS ".repeat(85_000);
    let disk = disk_with(&[("s/a/SKILL.md", skill_with("a", "", &body))]);
    let session = session(&load(&disk));
    support::load_in(&session, &disk, "a");
    let options = ExpandOptions {
        arguments: true,
        ..ExpandOptions::default()
    };
    let expand = session.expand(format!("/a {}", "x".repeat(10_000)), options);
    assert!(session.run(expand, &disk).is_err());
    assert_eq!(session.diagnostics(), []);
    assert_eq!(support::events(&session).len(), 1);
}

#[test]
fn nothing_completes_what_is_longer_than_any_name() {
    let prefix = format!("/{}", "a".repeat(300));
    assert_eq!(
        complete(&load(&disk_of(&["a"])), &prefix, &[]),
        Vec::<String>::new()
    );
}

#[test]
fn whether_the_user_is_offered_a_skill_is_what_its_file_says_now() {
    let mut disk = disk_of(&["review", "other"]);
    disk.write("s/review all/SKILL.md", skill("review all", "R."));
    let catalog = load(&disk);
    let session = session(&catalog);
    let closed = |name: &str| skill_with(name, "user-invocable: false\n", "Closed.");
    disk.write("s/review all/SKILL.md", closed("review all"));
    let expanded = |disk: &Disk, input: &str| {
        let options = ExpandOptions::default();
        session.run(session.expand(input.to_owned(), options), disk)
    };
    let shorter = of_skill("review", "all of it");
    let input = "/review all of it";
    assert_eq!(
        expand(&catalog, &disk, input, &[]),
        shorter,
        "the shorter name is offered"
    );
    assert_eq!(expanded(&disk, input), Ok(shorter));
    assert_eq!(loaded_names(&session), ["review"]);
    disk.write("s/review/SKILL.md", closed("review"));
    let message = "There is no command or skill named \"/review\".";
    let nothing = unknown("review", &[], message);
    assert_eq!(expand(&catalog, &disk, "/review all", &[]), nothing);
    assert_eq!(expanded(&disk, "/review all"), Ok(nothing));
    assert_eq!(session.diagnostics(), [], "its file is there");
    let broken = b"---\nuser-invocable: false\ndescription: [\n---\nx";
    disk.write("s/other/SKILL.md", broken);
    let message = "There is no command or skill named \"/other\".";
    assert_eq!(
        expand(&catalog, &disk, "/other", &[]),
        unknown("other", &[], message),
        "in doubt it is closed"
    );
}

#[test]
fn of_a_long_line_only_what_may_be_a_name_is_normalized() {
    let mut disk = disk_of(&["a"]);
    let words = vec!["w"; 128].join(" ");
    disk.write("s/many/SKILL.md", skill(&words, "M."));
    let catalog = load(&disk);
    disk.take_log();
    let long = "x".repeat(5_000_000);
    for input in [
        format!("/{long}"),
        format!("/a {long}"),
        format!("/{words} {long}"),
        format!("/{}", "a ".repeat(1_000_000)),
        format!("/{}", "é".repeat(2_000_000)),
    ] {
        expand(&catalog, &disk, &input, &["c"]);
        let asked: usize = disk
            .take_log()
            .iter()
            .map(|request| match request {
                Request::Normalize { text } => text.len(),
                _ => 0,
            })
            .sum();
        assert!(asked < 70_000, "{asked} bytes");
    }
    let named = format!("/{words} {long}");
    let found = expand(&catalog, &disk, &named, &[]);
    assert!(matches!(found, Expansion::Skill { extra, .. } if extra == long));
}
