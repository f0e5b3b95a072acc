//! Which tools a catalog offers, and what becomes of a call that does not fit.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use serde_json::{Value as Json, json};
use skillshelf::{
    Catalog, Error, Renamed, RenamedParts, SkillSpec, Source, ToJson, ToolName, ToolOptions,
    ToolResult, Tools, Wrapper,
};
use support::{
    Disk, as_json, call_with, disk_of, disk_with, load, load_skill, load_sources, run, session,
    skill, skill_with,
};

fn offered(catalog: &Catalog) -> Vec<String> {
    let tools = catalog.tools(ToolOptions::default()).unwrap();
    tools
        .definitions()
        .iter()
        .map(|tool| tool.name.clone())
        .collect()
}

fn call(catalog: &Catalog, disk: &Disk, tool: &str, arguments: &str) -> ToolResult {
    run(
        catalog.call(
            tool.to_owned(),
            arguments.to_owned(),
            ToolOptions::default(),
        ),
        disk,
    )
}

fn assert_error(result: &ToolResult, code: &str, parts: &[&str]) {
    assert!(result.is_error(), "{result:?}");
    assert_eq!(result.code(), Some(code), "{result:?}");
    for part in parts {
        assert!(
            result.content.contains(part),
            "{part:?} in {:?}",
            result.content
        );
    }
    assert!(
        result.bytes.is_none() && result.next_offset().is_none() && result.truncated().is_none()
    );
}

#[test]
fn a_catalog_offers_what_it_has_a_use_for() {
    let defined =
        SkillSpec::from_json(r#"{"name":"x","description":"X.","content":"Do."}"#).unwrap();
    for (disk, tools) in [
        (Disk::default(), vec![]),
        (
            disk_with(&[("s/a.md", skill("a", "A."))]),
            vec!["load_skill"],
        ),
        (disk_of(&["a"]), vec!["load_skill", "read_skill_file"]),
        (
            disk_with(&[
                ("s/a.md", skill("a", "A.")),
                ("s/b/SKILL.md", skill("b", "B.")),
            ]),
            vec!["load_skill", "read_skill_file"],
        ),
        (
            disk_with(&[(
                "s/h/SKILL.md",
                skill_with("h", "disable-model-invocation: true\n", "B"),
            )]),
            vec![],
        ),
        (
            disk_with(&[
                (
                    "s/h/SKILL.md",
                    skill_with("h", "disable-model-invocation: true\n", "B"),
                ),
                ("s/a.md", skill("a", "A.")),
            ]),
            vec!["load_skill"],
        ),
    ] {
        assert_eq!(offered(&load(&disk)), tools);
    }
    let disk = disk_of(&["a"]);
    let source = Source::defined(defined.clone(), None);
    let catalog = load_sources(&disk, vec![source], skillshelf::LoadOptions::default()).unwrap();
    assert_eq!(
        offered(&catalog),
        ["load_skill"],
        "without a directory there are no files"
    );
    let source = Source::defined(defined, Some(disk.place("s/a")));
    let catalog = load_sources(&disk, vec![source], skillshelf::LoadOptions::default()).unwrap();
    assert_eq!(offered(&catalog), ["load_skill", "read_skill_file"]);
}

#[test]
fn definitions_are_plain_closed_schemas() {
    let catalog = load(&disk_of(&["a"]));
    let tools = catalog.tools(ToolOptions::default()).unwrap();
    let definitions: Json = serde_json::from_str(&tools.definitions().to_json()).unwrap();
    for (definition, properties, nullable) in [
        (&definitions[0], vec!["name"], vec![]),
        (
            &definitions[1],
            vec!["limit", "offset", "path", "skill"],
            vec!["limit", "offset"],
        ),
    ] {
        let schema = &definition["inputSchema"];
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["additionalProperties"], false);
        let mut required: Vec<_> = schema["required"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap())
            .collect();
        required.sort_unstable();
        assert_eq!(required, properties);
        for (name, property) in schema["properties"].as_object().unwrap() {
            let has_null = property["type"] == json!(["integer", "null"]);
            assert_eq!(has_null, nullable.contains(&name.as_str()), "{property}");
            assert!(
                property["description"]
                    .as_str()
                    .is_some_and(|text| text.len() > 10)
            );
        }
        assert!(
            definition["description"]
                .as_str()
                .is_some_and(|text| text.len() > 20)
        );
        assert_eq!(definition.as_object().unwrap().len(), 3, "{definition}");
    }
}

#[test]
fn arguments_that_do_not_fit_are_answered() {
    let disk = disk_of(&["a"]);
    let catalog = load(&disk);
    for (tool, arguments, parts) in [
        ("load_skill", "", &["load_skill", "name", "missing"][..]),
        ("load_skill", "{\"name\":", &["JSON"]),
        ("load_skill", "name=a", &["JSON"]),
        ("load_skill", "\"a\"", &["an object", "text"]),
        ("load_skill", "[\"a\"]", &["an object", "a list"]),
        ("load_skill", "null", &["name", "missing"]),
        ("load_skill", "3", &["an object"]),
        ("load_skill", "{}", &["name", "missing"]),
        ("load_skill", r#"{"name":null}"#, &["name", "missing"]),
        (
            "load_skill",
            r#"{"name":["a"]}"#,
            &["name", "text", "a list"],
        ),
        ("load_skill", r#"{"skill":"a"}"#, &["skill", "name"]),
        (
            "load_skill",
            r#"{"name":"a","extra":1}"#,
            &["extra", "name"],
        ),
        ("read_skill_file", r#"{"skill":"a"}"#, &["path", "missing"]),
        (
            "read_skill_file",
            r#"{"path":"a.md"}"#,
            &["skill", "missing"],
        ),
        (
            "read_skill_file",
            r#"{"skill":"a","path":"SKILL.md","offset":-1}"#,
            &["offset"],
        ),
        (
            "read_skill_file",
            r#"{"skill":"a","path":"SKILL.md","offset":0.5}"#,
            &["offset"],
        ),
        (
            "read_skill_file",
            r#"{"skill":"a","path":"SKILL.md","offset":1e300}"#,
            &["offset"],
        ),
        (
            "read_skill_file",
            r#"{"skill":"a","path":"SKILL.md","limit":0}"#,
            &["limit"],
        ),
        (
            "read_skill_file",
            r#"{"skill":"a","path":"SKILL.md","limit":"all"}"#,
            &["limit"],
        ),
        (
            "read_skill_file",
            r#"{"skill":"a","path":"SKILL.md","limit":true}"#,
            &["limit"],
        ),
    ] {
        let result = call(&catalog, &disk, tool, arguments);
        assert_error(&result, "TOOL_ARGUMENTS_INVALID", parts);
        assert!(result.content.contains(tool), "{result:?}");
    }
    assert!(
        disk.take_log()
            .iter()
            .all(|request| !format!("{request:?}").contains("a.md")),
        "nothing was read"
    );
}

#[test]
fn null_is_the_same_as_absent() {
    let disk = disk_of(&["a"]);
    let catalog = load(&disk);
    let with = call(
        &catalog,
        &disk,
        "read_skill_file",
        r#"{"skill":"a","path":"SKILL.md","offset":null,"limit":null}"#,
    );
    let without = call(
        &catalog,
        &disk,
        "read_skill_file",
        r#"{"path":"SKILL.md","skill":"a"}"#,
    );
    assert!(!with.is_error());
    assert_eq!(with, without);
}

#[test]
fn no_arguments_are_none() {
    let disk = disk_of(&["a"]);
    let catalog = load(&disk);
    for arguments in ["", " \n", "null", "{}"] {
        let result = call(&catalog, &disk, "list_skills", arguments);
        assert!(
            result.content.contains("- a: "),
            "{arguments:?}: {result:?}"
        );
    }
}

#[test]
fn an_unknown_tool_lists_the_others() {
    let disk = disk_of(&["a"]);
    let catalog = load(&disk);
    for tool in ["", "Load_Skill", "load-skill", "bash"] {
        let result = call(&catalog, &disk, tool, r#"{"name":"a"}"#);
        assert_error(&result, "TOOL_UNKNOWN", &["load_skill", "read_skill_file"]);
    }
}

#[test]
fn an_unknown_skill_lists_near_and_valid_names() {
    let disk = disk_of(&["code-review", "pdf", "agent-builder"]);
    let catalog = load(&disk);
    for (name, near) in [
        ("code-reviw", Some("Did you mean \"code-review\"?")),
        ("PDF", Some("Did you mean \"pdf\"?")),
        ("codereview", Some("Did you mean \"code-review\"?")),
        ("builder", Some("Did you mean \"agent-builder\"?")),
        ("zzzzzzzz", None),
    ] {
        for (tool, arguments) in [
            ("load_skill", json!({ "name": name })),
            ("read_skill_file", json!({ "skill": name, "path": "a.md" })),
        ] {
            let result = call(&catalog, &disk, tool, &arguments.to_string());
            assert_error(
                &result,
                "SKILL_NOT_FOUND",
                &["agent-builder, code-review, pdf"],
            );
            assert_eq!(
                result.content.contains("Did you mean"),
                near.is_some(),
                "{result:?}"
            );
            assert!(
                result.content.contains(near.unwrap_or_default()),
                "{result:?}"
            );
        }
    }
    let none = load(&Disk::default());
    assert_error(
        &call(&none, &disk, "load_skill", r#"{"name":"a"}"#),
        "SKILL_NOT_FOUND",
        &["No skills"],
    );
}

#[test]
fn a_name_is_found_trimmed_and_in_no_other_form() {
    let disk = disk_of(&["a-b"]);
    let catalog = load(&disk);
    for (name, known) in [
        ("a-b", true),
        (" a-b\n", true),
        ("A-B", false),
        ("a-b/", false),
        ("./a-b", false),
        ("a_b", false),
        ("s/a-b", false),
        ("a-b\0", false),
    ] {
        assert_eq!(
            !load_skill(&catalog, &disk, name).is_error(),
            known,
            "{name:?}"
        );
    }
}

#[test]
fn at_most_200_characters_of_an_argument_are_repeated() {
    let disk = disk_of(&["a"]);
    let catalog = load(&disk);
    for letter in ["q", "é", "😀", "\n- evil: "] {
        let long = letter.repeat(5000);
        for (tool, arguments) in [
            (long.as_str(), json!({})),
            ("load_skill", json!({ "name": long })),
            ("load_skill", json!({ "name": "a", long.as_str(): 1 })),
            ("read_skill_file", json!({ "skill": long, "path": "x" })),
            ("read_skill_file", json!({ "skill": "a", "path": long })),
            (
                "read_skill_file",
                json!({ "skill": "a", "path": format!("../{long}") }),
            ),
        ] {
            let result = call(&catalog, &disk, tool, &arguments.to_string());
            assert!(result.is_error(), "{result:?}");
            let repeated = result.content.matches(letter.trim()).count();
            assert!(
                repeated <= 210,
                "{repeated} times {letter:?} in {}",
                result.content
            );
            assert!(!result.content.contains('\n'), "{:?}", result.content);
            assert!(result.content.chars().count() < 700, "{}", result.content);
        }
    }
}

#[test]
fn a_long_catalog_is_not_listed_whole_in_an_error() {
    let names: Vec<String> = (0..150).map(|number| format!("n{number:03}")).collect();
    let disk = disk_of(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let result = load_skill(&load(&disk), &disk, "zzzzzzzz");
    assert_error(
        &result,
        "SKILL_NOT_FOUND",
        &["n000, n001,", "n099 and 50 more."],
    );
}

fn renamed(name: &str, arguments: &[(&str, &str)]) -> Renamed {
    Renamed::Parts(RenamedParts {
        name: Some(name.to_owned()),
        description: Some("Opens a skill.".to_owned()),
        arguments: arguments
            .iter()
            .map(|(from, to)| ((*from).to_owned(), (*to).to_owned()))
            .collect(),
    })
}

#[test]
fn tools_arguments_and_descriptions_can_have_other_names() {
    let disk = disk_with(&[
        ("s/a/SKILL.md", skill("a", "A.")),
        ("s/a/long.md", "x".repeat(100)),
    ]);
    let catalog = load(&disk);
    let mut options = ToolOptions::default();
    options.rename.insert(
        ToolName::LoadSkill,
        renamed("use_skill", &[("name", "skill_name")]),
    );
    options.rename.insert(
        ToolName::ReadSkillFile,
        renamed("open", &[("offset", "from"), ("path", "file")]),
    );
    let tools = catalog.tools(options.clone()).unwrap();
    let definitions: Json = serde_json::from_str(&tools.definitions().to_json()).unwrap();
    assert_eq!(definitions[0]["name"], "use_skill");
    assert_eq!(definitions[0]["description"], "Opens a skill.");
    assert_eq!(
        definitions[0]["inputSchema"]["required"],
        json!(["skill_name"])
    );
    let ask =
        |tool: &str, arguments: Json| call_with(&catalog, &disk, tool, &arguments, options.clone());
    let result = ask("use_skill", json!({ "skill_name": "a" }));
    assert!(
        result.content.contains("`open`"),
        "it tells how to go on, by the name that is there: {result:?}"
    );
    assert_error(
        &ask("use_skill", json!({ "name": "a" })),
        "TOOL_ARGUMENTS_INVALID",
        &["use_skill", "skill_name"],
    );
    assert_error(
        &ask("load_skill", json!({ "name": "a" })),
        "TOOL_UNKNOWN",
        &["use_skill", "open"],
    );
    let page = ask(
        "open",
        json!({ "skill": "a", "file": "long.md", "limit": 10 }),
    );
    assert_eq!(page.next_offset(), Some(10));
    assert!(
        page.content.contains("from 10") && !page.content.contains("offset"),
        "{page:?}"
    );
    let past = ask(
        "open",
        json!({ "skill": "a", "file": "long.md", "from": 101 }),
    );
    assert_error(
        &past,
        "TOOL_ARGUMENTS_INVALID",
        &["open", "from 101", "100 bytes"],
    );
}

#[test]
fn a_name_that_is_taken_or_unusable_is_the_developers_mistake() {
    let catalog = load(&disk_of(&["a"]));
    for taken in ["load_skill", "read_skill_file"] {
        let options = ToolOptions {
            taken: vec!["bash".to_owned(), taken.to_owned()],
            ..ToolOptions::default()
        };
        let error = catalog.tools(options).unwrap_err();
        assert_eq!(error.code(), "TOOL_NAME_TAKEN");
        assert!(
            error.to_string().contains(taken) && error.to_string().contains("rename"),
            "{error}"
        );
    }
    for name in ["", "with space", "ünicode", "a.b", &"x".repeat(65)] {
        let mut options = ToolOptions::default();
        options
            .rename
            .insert(ToolName::LoadSkill, Renamed::Name(name.to_owned()));
        assert!(catalog.tools(options).is_err(), "{name:?}");
    }
    let mut same = ToolOptions::default();
    same.rename
        .insert(ToolName::LoadSkill, Renamed::Name("one".to_owned()));
    same.rename
        .insert(ToolName::ReadSkillFile, Renamed::Name("one".to_owned()));
    assert_eq!(catalog.tools(same).unwrap_err().code(), "TOOL_NAME_TAKEN");
    let loose = load(&disk_with(&[("s/a.md", skill("a", "A."))]));
    let options = ToolOptions {
        taken: vec!["read_skill_file".to_owned()],
        ..ToolOptions::default()
    };
    assert!(loose.tools(options).is_ok(), "it is not offered here");
}

#[test]
fn a_host_that_fails_is_an_answer_too() {
    let mut disk = disk_with(&[
        ("s/a/SKILL.md", skill("a", "A.")),
        ("s/a/x.md", "x".to_owned()),
    ]);
    let catalog = load(&disk);
    disk.failing.insert("s/a".to_owned());
    assert_error(
        &load_skill(&catalog, &disk, "a"),
        "HOST_FAILED",
        &["SKILL.md", "EACCES"],
    );
    let result = support::read_file(&catalog, &disk, "a", "x.md");
    assert_error(&result, "HOST_FAILED", &["x.md"]);
    for wrapper in [Wrapper::Skill, Wrapper::None] {
        let options = ToolOptions {
            wrapper,
            ..ToolOptions::default()
        };
        let result = call_with(
            &catalog,
            &disk,
            "load_skill",
            &json!({ "name": "a" }),
            options,
        );
        assert_error(&result, "HOST_FAILED", &[]);
    }
    assert_eq!(
        support::body(&catalog, &disk, "a").unwrap_err().code(),
        "HOST_FAILED"
    );
}

#[test]
fn messages_show_the_path_that_was_asked_for_and_not_the_hosts() {
    let mut disk = disk_with(&[
        ("s/team-x/demo/SKILL.md", skill("demo", "A.")),
        ("s/team-x/demo/x.md", "x".to_owned()),
    ]);
    let catalog = load(&disk);
    for path in ["y.md", "../x", "x.md/", "SKILL.MD", "x.md/y"] {
        let content = support::read_file(&catalog, &disk, "demo", path).content;
        assert!(!content.contains("team-x"), "{content}");
    }
    disk.write("s/team-x/demo/SKILL.md", "broken");
    let result = load_skill(&catalog, &disk, "demo");
    assert_error(&result, "SKILL_INVALID", &["SKILL.md"]);
    assert!(!result.content.contains("team-x"), "{result:?}");
    disk.remove("s/team-x/demo");
    let result = load_skill(&catalog, &disk, "demo");
    assert!(!result.content.contains("team-x"), "{result:?}");
}

/// The names of the tools of a set, given as JSON.
fn names_in(
    set: &str,
    tools_of: &dyn Fn(ToolOptions) -> Result<Tools, Error>,
) -> Result<Vec<String>, Error> {
    let options = ToolOptions::from_json(&format!(r#"{{"set":{set}}}"#))?;
    let definitions = tools_of(options)?.definitions();
    Ok(definitions.into_iter().map(|tool| tool.name).collect())
}

#[test]
fn tools_come_in_sets() {
    let catalog = load(&disk_of(&["a"]));
    let session = session(&catalog);
    let of_catalog = |set: &str| names_in(set, &|options| catalog.tools(options));
    let of_session = |set: &str| names_in(set, &|options| session.tools(options));
    let basic = ["load_skill", "read_skill_file"].map(str::to_owned);
    let full = [
        "load_skill",
        "read_skill_file",
        "list_skills",
        "unload_skill",
        "list_skill_resources",
        "load_skill_resource",
        "search_skills",
    ]
    .map(str::to_owned);
    for set in [r#""auto""#, r#""basic""#] {
        assert_eq!(of_session(set), Ok(basic.to_vec()));
        assert_eq!(of_catalog(set), Ok(basic.to_vec()));
    }
    assert_eq!(of_session(r#""full""#), Ok(full.to_vec()));
    let mut of_full = full.to_vec();
    of_full.retain(|name| name != "unload_skill");
    assert_eq!(of_catalog(r#""full""#), Ok(of_full));
    let chosen = ["load_skill", "unload_skill"].map(str::to_owned);
    assert_eq!(
        of_session(r#"["unload_skill","load_skill"]"#),
        Ok(chosen.to_vec()),
        "in the order of all"
    );
    for (set, problem) in [
        (r#"["unload_skill"]"#, "needs a conversation"),
        (r#"["lod_skill"]"#, "lod_skill"),
        (r#""some""#, "set must be"),
    ] {
        let error = of_catalog(set).unwrap_err();
        assert_eq!(error.code(), "SOURCE_UNSUPPORTED");
        assert!(error.to_string().contains(problem), "{error}");
    }
}

fn catalog_of(count: usize) -> Catalog {
    let names: Vec<String> = (0..count)
        .map(|number| format!("skill-{number:03}"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    load(&disk_of(&names))
}

#[test]
fn schemas_list_the_names_while_there_are_few() {
    for (count, is_listed) in [(1, true), (30, true), (31, false)] {
        let catalog = catalog_of(count);
        for definition in catalog.tools(ToolOptions::default()).unwrap().definitions() {
            let schema = as_json(&definition.input_schema);
            let argument = if definition.name == "load_skill" {
                "name"
            } else {
                "skill"
            };
            let names = schema["properties"][argument]["enum"].as_array();
            assert_eq!(
                names.map(Vec::len),
                is_listed.then_some(count),
                "{}",
                definition.name
            );
        }
    }
}

#[test]
fn an_unknown_name_leads_to_search_where_that_is_offered_and_skills_are_many() {
    let files: Vec<(String, String)> = (0..30)
        .map(|number| format!("makes-part-{number:02}"))
        .map(|name| (format!("s/{name}/SKILL.md"), skill(&name, "Makes a part.")))
        .collect();
    let files: Vec<(&str, String)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.clone()))
        .collect();
    let disk = disk_with(&files);
    let catalog = load(&disk);
    let with_search = |catalog: &Catalog, name: &str| {
        let mut options = ToolOptions {
            named_by_index: vec![ToolName::SearchSkills],
            ..ToolOptions::default()
        };
        let renamed = Renamed::Name("find".to_owned());
        options.rename.insert(ToolName::SearchSkills, renamed);
        call_with(
            catalog,
            &disk,
            "load_skill",
            &json!({ "name": name }),
            options,
        )
        .content
    };
    assert_eq!(
        with_search(&catalog, "makes-part-7"),
        "There is no skill named \"makes-part-7\". Did you mean \"makes-part-07\" or \"makes-part-17\" or \"makes-part-27\"? There are 30 skills: call `find` with words of the task to find those for it."
    );
    let few = run(catalog.only(vec!["makes-part-1*".to_owned()]), &disk);
    for names in [
        with_search(&few, "x"),
        load_skill(&catalog, &disk, "x").content,
    ] {
        assert!(names.contains("Available skills: makes-part-"), "{names}");
    }
}
