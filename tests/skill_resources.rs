//! Skills as resources and prompts, as MCP clients ask for them.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};
use skillshelf::{
    Catalog, Error, ExpandOptions, SessionOptions, SkillResource, ToJson, ToolOptions,
};
use support::{
    Abilities, Conversation, Disk, disk_of, disk_with, load, refresh, run, session, skill,
    skill_with,
};

const HOSTS: [(&str, Abilities); 5] = [
    ("full", Abilities::FULL),
    ("smallest", Abilities::SMALLEST),
    ("without open", Abilities::WITHOUT_OPEN),
    ("without stat", Abilities::WITHOUT_STAT),
    ("folding", Abilities::FOLDING),
];

fn value(json: &impl ToJson) -> Json {
    serde_json::from_str(&json.to_json()).expect("it is JSON")
}

fn entries(catalog: &Catalog, disk: &Disk, cursor: Option<&str>) -> Json {
    let cursor = cursor.map(str::to_owned);
    value(&run(catalog.skill_entries(cursor), disk).expect("the cursor is one"))
}

fn entry(catalog: &Catalog, disk: &Disk, uri: &str) -> Json {
    let entry = run(catalog.skill_entry(uri.to_owned()), disk);
    entry.map_or(Json::Null, |entry| {
        serde_json::from_str(&entry).expect("it is JSON")
    })
}

fn read(catalog: &Catalog, disk: &Disk, uri: &str) -> Result<SkillResource, Error> {
    run(catalog.skill_resource(uri.to_owned()), disk)
}

fn code(catalog: &Catalog, disk: &Disk, uri: &str) -> &'static str {
    read(catalog, disk, uri).map_or_else(|error| error.code(), |_| "read")
}

fn directory(catalog: &Catalog, disk: &Disk, uri: &str) -> Json {
    value(&run(catalog.skill_directory(uri.to_owned(), None), disk).expect("it can be listed"))
}

fn sha256(bytes: impl AsRef<[u8]>) -> String {
    let mut out = String::from("sha256:");
    for byte in Sha256::digest(bytes) {
        out.push_str(&format!("{byte:02x}"));
    }
    out
}

fn pdf() -> Disk {
    disk_with(&[
        ("s/pdf/SKILL.md", skill("pdf", "Fills forms.").as_bytes()),
        ("s/pdf/references/a b.md", b"# A\n"),
        ("s/pdf/references/deep/%2e.txt", b"x"),
        ("s/pdf/assets/p.png", b"\x89PNG\0"),
        ("s/pdf/.env", b"SECRET=1"),
        ("s/pdf/.git/config", b"x"),
        ("s/pdf/node_modules/m/index.js", b"x"),
    ])
}

#[test]
fn an_entry_has_the_front_matter_and_each_file_once_with_its_digest() {
    for (host, abilities) in HOSTS {
        let mut disk = pdf();
        disk.abilities = abilities;
        let catalog = load(&disk);
        let text = skill("pdf", "Fills forms.");
        let file = |path: &str, bytes: &[u8]| json!({"uri": format!("skill://pdf/{path}"), "digest": sha256(bytes), "size": bytes.len()});
        let expected = json!({
            "uri": "skill://pdf/SKILL.md",
            "frontmatter": {"name": "pdf", "description": "Fills forms."},
            "resources": [
                file("SKILL.md", text.as_bytes()),
                file("assets/p.png", b"\x89PNG\0"),
                file("references/a%20b.md", b"# A\n"),
                file("references/deep/%252e.txt", b"x"),
            ],
        });
        assert_eq!(
            entries(&catalog, &disk, None),
            json!({"skills": [expected]}),
            "{host}"
        );
        assert_eq!(
            entry(&catalog, &disk, "skill://pdf/SKILL.md"),
            expected,
            "{host}"
        );
        for listed in expected["resources"].as_array().expect("a list") {
            let uri = listed["uri"].as_str().expect("text");
            let resource = read(&catalog, &disk, uri).expect("what is listed can be read");
            assert_eq!(resource.uri, uri);
            assert_eq!(listed["digest"], resource.digest, "{host}: {uri}");
        }
    }
}

#[test]
fn a_file_is_read_again_once_it_has_changed() {
    for (host, abilities) in HOSTS {
        let mut disk = pdf();
        disk.abilities = abilities;
        let catalog = load(&disk);
        let digest =
            |entries: &Json, at: usize| entries["skills"][0]["resources"][at]["digest"].clone();
        let before = entries(&catalog, &disk, None);
        disk.write("s/pdf/references/a b.md", "# B\n");
        disk.write("s/pdf/SKILL.md", skill("pdf", "Other words."));
        let after = entries(&catalog, &disk, None);
        assert_eq!(digest(&after, 2), sha256("# B\n"), "{host}");
        assert_eq!(digest(&before, 1), digest(&after, 1), "{host}");
        assert_eq!(
            after["skills"][0]["frontmatter"]["description"],
            "Other words."
        );
    }
}

#[test]
fn unchanged_files_are_not_read_again() {
    let disk = pdf();
    let catalog = load(&disk);
    let reads = |catalog: &Catalog| {
        let mut count = 0;
        let listed = catalog.skill_entries(None).run(|request| {
            let is_file = matches!(request, skillshelf::Request::Read { path, .. } if !path.ends_with("SKILL.md"));
            count += usize::from(is_file);
            disk.answer(request)
        });
        assert!(listed.expect("it was not over before").is_ok());
        count
    };
    assert_eq!(reads(&catalog), 3);
    assert_eq!(reads(&catalog), 0);
}

#[test]
fn a_list_comes_in_pages_that_hold_all_of_it_once() {
    let names: Vec<String> = (0..450)
        .map(|number| format!("skill-{number:03}"))
        .collect();
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    let disk = disk_of(&borrowed);
    let catalog = load(&disk);
    let walk = |next: &dyn Fn(Option<&str>) -> Json, key: &str, name: &dyn Fn(&Json) -> String| {
        let (mut cursor, mut found, mut pages) = (None, Vec::new(), 0);
        loop {
            let page = next(cursor.as_deref());
            found.extend(page[key].as_array().expect("a list").iter().map(name));
            pages += 1;
            match page["nextCursor"].as_str() {
                Some(next) => cursor = Some(next.to_owned()),
                None => return (found, pages),
            }
        }
    };
    let of_entry = |entry: &Json| {
        entry["frontmatter"]["name"]
            .as_str()
            .expect("text")
            .to_owned()
    };
    let of_line = |line: &Json| line["name"].as_str().expect("text").to_owned();
    assert_eq!(
        walk(
            &|cursor| entries(&catalog, &disk, cursor),
            "skills",
            &of_entry
        ),
        (names.clone(), 15)
    );
    let files = |cursor: Option<&str>| value(&catalog.skill_files(cursor).expect("a cursor"));
    assert_eq!(walk(&files, "resources", &of_line), (names.clone(), 3));
    let prompts = |cursor: Option<&str>| value(&catalog.skill_prompts(cursor).expect("a cursor"));
    assert_eq!(walk(&prompts, "prompts", &of_line), (names, 3));
    for cursor in ["", "x", "skill://", "skill://a/b", "skill://%ff"] {
        let error = catalog.skill_files(Some(cursor)).expect_err(cursor);
        assert_eq!(error.code(), "TOOL_ARGUMENTS_INVALID");
        assert_eq!(
            error.to_string(),
            "The cursor is none that came with a page of the list. Leave it out for the first page."
        );
        assert!(catalog.skill_prompts(Some(cursor)).is_err());
        assert!(run(catalog.skill_entries(Some(cursor.to_owned())), &disk).is_err());
    }
    // What a cursor names may be gone.
    assert_eq!(
        files(Some("skill://skill-4485"))["resources"][0]["name"],
        "skill-449"
    );
    assert_eq!(files(Some("skill://zzz"))["resources"], json!([]));
}

#[test]
fn what_clients_would_refuse_is_left_out_with_a_finding_and_can_be_read() {
    let disk = disk_with(&[
        ("s/pdf/SKILL.md", skill("pdf", "Does pdf.")),
        ("s/Bad Name/SKILL.md", skill("Bad Name", "d")),
        ("s/colon/SKILL.md", skill("colon", "a: b")),
        (
            "s/nested/SKILL.md",
            skill_with("nested", "metadata:\n  version: 1.0\n", "b"),
        ),
        (
            "s/unnamed/SKILL.md",
            "---\ndescription: d\n---\nb\n".to_owned(),
        ),
        ("s/loose.md", skill("loose", "A file alone.")),
    ]);
    let catalog = load(&disk);
    let listed = entries(&catalog, &disk, None);
    let listed: Vec<&Json> = listed["skills"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| &it["uri"])
        .collect();
    assert_eq!(listed, ["skill://loose/SKILL.md", "skill://pdf/SKILL.md"]);
    let found = catalog.diagnostics();
    let mut of: Vec<_> = found
        .iter()
        .filter(|it| it.code == "not-published")
        .filter_map(|it| it.skill.as_deref())
        .collect();
    of.sort_unstable();
    assert_eq!(of, ["Bad Name", "colon", "nested", "unnamed"]);
    assert_eq!(entry(&catalog, &disk, "skill://colon/SKILL.md"), Json::Null);
    for uri in [
        "skill://Bad%20Name/SKILL.md",
        "skill://colon/SKILL.md",
        "skill://loose/SKILL.md",
    ] {
        assert_eq!(code(&catalog, &disk, uri), "read", "{uri}");
    }
}

#[test]
fn a_skill_of_more_than_clients_take_is_left_out() {
    let mut many = disk_of(&["many"]);
    for number in 0..512 {
        many.write(&format!("s/many/f{number}.txt"), "x");
    }
    let mut large = disk_of(&["large", "fits"]);
    let part = vec![b'x'; 8 * 1024 * 1024];
    large.write("s/large/a.txt", &part);
    large.write("s/large/b.txt", &part);
    large.write("s/fits/a.txt", &part);
    for (disk, expected) in [(many, json!([])), (large, json!(["skill://fits/SKILL.md"]))] {
        let catalog = load(&disk);
        let page = entries(&catalog, &disk, None);
        let uris: Vec<&Json> = page["skills"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|it| &it["uri"])
            .collect();
        assert_eq!(json!(uris), expected);
        let found = catalog.diagnostics();
        assert!(
            found
                .iter()
                .any(|it| it.code == "not-published" && it.message.contains("16 MiB"))
        );
    }
}

#[test]
fn what_the_model_may_not_load_is_not_there() {
    let disk = disk_with(&[
        ("s/pdf/SKILL.md", skill("pdf", "d")),
        (
            "s/secret/SKILL.md",
            skill_with("secret", "disable-model-invocation: true\n", "b"),
        ),
        ("s/secret/a.md", "x".to_owned()),
        (
            "s/tool/SKILL.md",
            skill_with("tool", "user-invocable: false\n", "b"),
        ),
    ]);
    let catalog = load(&disk);
    assert_eq!(
        entries(&catalog, &disk, None)["skills"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    assert_eq!(
        value(&catalog.skill_files(None).expect("a page"))["resources"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    assert_eq!(
        entry(&catalog, &disk, "skill://secret/SKILL.md"),
        Json::Null
    );
    assert_eq!(directory(&catalog, &disk, "skill://secret"), Json::Null);
    for uri in [
        "skill://secret/SKILL.md",
        "skill://secret/a.md",
        "skill://nobody/SKILL.md",
    ] {
        assert_eq!(code(&catalog, &disk, uri), "SKILL_NOT_FOUND", "{uri}");
    }
    let prompts = value(&catalog.skill_prompts(None).expect("a page"));
    let names: Vec<&Json> = prompts["prompts"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["pdf", "secret"]);
}

#[test]
fn a_file_that_is_disabled_since_is_not_there_either() {
    let mut disk = pdf();
    let catalog = load(&disk);
    disk.write(
        "s/pdf/SKILL.md",
        skill_with("pdf", "disable-model-invocation: true\n", "b"),
    );
    assert_eq!(
        code(&catalog, &disk, "skill://pdf/SKILL.md"),
        "SKILL_NOT_FOUND"
    );
    assert_eq!(entry(&catalog, &disk, "skill://pdf/SKILL.md"), Json::Null);
    assert_eq!(entries(&catalog, &disk, None), json!({"skills": []}));
    refresh(&catalog, &disk);
    assert_eq!(
        code(&catalog, &disk, "skill://pdf/assets/p.png"),
        "SKILL_NOT_FOUND"
    );
}

#[test]
fn paths_that_leave_are_refused_and_what_is_not_listed_is_not_read() {
    for (host, abilities) in HOSTS {
        let mut disk = pdf();
        disk.abilities = abilities;
        disk.write("s/secret.txt", "x");
        disk.write("secret.txt", "x");
        let catalog = load(&disk);
        for (uri, expected) in [
            ("skill://pdf/../secret.txt", "PATH_REFUSED"),
            ("skill://pdf/%2e%2e/secret.txt", "PATH_REFUSED"),
            (
                "skill://pdf/references/%2E%2E/%2e./secret.txt",
                "PATH_REFUSED",
            ),
            ("skill://pdf/..%2fsecret.txt", "PATH_REFUSED"),
            ("skill://pdf/..%5Csecret.txt", "PATH_REFUSED"),
            ("skill://pdf/C:/x", "PATH_REFUSED"),
            ("skill://pdf/C%3A/x", "PATH_REFUSED"),
            ("skill://pdf//etc/passwd", "PATH_REFUSED"),
            ("skill://pdf/a%00.md", "PATH_REFUSED"),
            ("skill://pdf/a%0A.md", "PATH_REFUSED"),
            ("skill://pdf/nul", "PATH_REFUSED"),
            ("skill://pdf/", "PATH_REFUSED"),
            ("skill://pdf", "PATH_REFUSED"),
            ("skill://pdf/references/", "PATH_REFUSED"),
            ("file:///s/pdf/SKILL.md", "PATH_REFUSED"),
            ("skill://../pdf/SKILL.md", "SKILL_NOT_FOUND"),
            ("skill://%2e%2e/secret.txt", "SKILL_NOT_FOUND"),
            ("skill://PDF/SKILL.md", "SKILL_NOT_FOUND"),
            ("skill://pdf/references", "FILE_NOT_FOUND"),
            ("skill://pdf/skill.md", "FILE_NOT_FOUND"),
            ("skill://pdf/References/a%20b.md", "FILE_NOT_FOUND"),
            ("skill://pdf/.env", "FILE_NOT_FOUND"),
            ("skill://pdf/.git/config", "FILE_NOT_FOUND"),
            ("skill://pdf/node_modules/m/index.js", "FILE_NOT_FOUND"),
            ("skill://pdf/references/a%2520b.md", "FILE_NOT_FOUND"),
            ("skill://pdf/references/./a%20b.md", "read"),
        ] {
            assert_eq!(code(&catalog, &disk, uri), expected, "{host}: {uri}");
        }
    }
}

#[test]
fn directories_show_what_is_directly_in_them() {
    let disk = pdf();
    let catalog = load(&disk);
    let file = |path: &str, name: &str, kind: Option<&str>| {
        let mut line = json!({"uri": format!("skill://pdf/{path}"), "name": name});
        if let Some(kind) = kind {
            line["mimeType"] = json!(kind);
        }
        line
    };
    assert_eq!(
        directory(&catalog, &disk, "skill://pdf"),
        json!({"resources": [
            file("SKILL.md", "SKILL.md", Some("text/markdown")),
            file("assets", "assets", Some("inode/directory")),
            file("references", "references", Some("inode/directory")),
        ]})
    );
    assert_eq!(
        directory(&catalog, &disk, "skill://pdf/references"),
        json!({"resources": [
            file("references/a%20b.md", "a b.md", Some("text/markdown")),
            file("references/deep", "deep", Some("inode/directory")),
        ]})
    );
    for uri in [
        "skill://pdf/SKILL.md",
        "skill://pdf/",
        "skill://pdf/..",
        "skill://pdf/reference",
        "skill://pdf/.git",
        "skill://",
        "skill://nobody",
        "file:///s/pdf",
    ] {
        assert_eq!(directory(&catalog, &disk, uri), Json::Null, "{uri}");
    }
}

#[test]
fn media_types_tell_text_from_bytes() {
    let disk = disk_with(&[
        ("s/pdf/SKILL.md", skill("pdf", "d").as_bytes()),
        ("s/pdf/a.json", b"{}"),
        ("s/pdf/LICENSE", b"MIT"),
        ("s/pdf/data", b"\0\x01"),
        ("s/pdf/latin.txt", b"\xe9"),
    ]);
    let catalog = load(&disk);
    for (path, media_type, is_text) in [
        ("SKILL.md", "text/markdown", true),
        ("a.json", "application/json", true),
        ("LICENSE", "text/plain", true),
        ("data", "application/octet-stream", false),
        ("latin.txt", "text/plain", false),
    ] {
        let resource = read(&catalog, &disk, &format!("skill://pdf/{path}")).expect(path);
        assert_eq!(resource.media_type, media_type, "{path}");
        assert_eq!(resource.text().is_some(), is_text, "{path}");
    }
}

#[test]
fn a_prompt_is_the_expansion_of_exactly_its_name() {
    let disk = disk_with(&[
        (
            "s/code/SKILL.md",
            skill_with("code", "argument-hint: \"[file]\"\n", "Do $1."),
        ),
        (
            "s/code review/SKILL.md",
            skill_with("code review", "", "Review."),
        ),
    ]);
    let catalog = load(&disk);
    let session = session(&catalog);
    let get = |name: &str, extra: &str, arguments: bool| {
        let options = ExpandOptions {
            arguments,
            ..ExpandOptions::default()
        };
        let prompt = session.skill_prompt(name.to_owned(), extra.to_owned(), options);
        match session.run(prompt, &disk) {
            Ok(text) => text,
            Err(error) => format!("{error:?}"),
        }
    };
    assert_eq!(
        get("code", " review x ", false),
        "Do $1.\n\nreview x\n\nSkill directory: /s/code"
    );
    assert_eq!(support::loaded_names(&session), ["code"]);
    assert!(get("code", "x", true).starts_with("Do x.\n\nSkill"));
    assert!(get("code review", "", false).starts_with("Review.\n\nSkill"));
    assert!(get("cod", "", false).contains("SkillNotFound"));
    let prompts = value(&catalog.skill_prompts(None).expect("a page"));
    assert_eq!(
        prompts["prompts"][0],
        json!({"name": "code", "description": "Does code.",
            "arguments": [{"name": "arguments", "description": "[file]", "required": false}]})
    );
}

#[test]
fn a_prompt_has_what_stands_beside_the_text_and_no_directory() {
    let disk = disk_with(&[
        ("s/pdf/SKILL.md", skill_with("pdf", "", "Fill.")),
        ("s/pdf/form.md", "x".to_owned()),
        (
            "s/secret/SKILL.md",
            skill_with("secret", "disable-model-invocation: true\n", "Hide."),
        ),
        ("s/secret/form.md", "x".to_owned()),
    ]);
    let catalog = load(&disk);
    let tools = ToolOptions::from_json(
        r#"{"set":"full","directory":false,"rename":{"read_skill_file":"see"}}"#,
    );
    let tools = tools.expect("nothing is wrong");
    let get = |name: &str| {
        let options = ExpandOptions::default();
        let (name, extra) = (name.to_owned(), "now".to_owned());
        run(
            catalog.skill_prompt(name, extra, options, tools.clone()),
            &disk,
        )
        .expect("a prompt")
    };
    let pdf = get("pdf");
    assert!(pdf.starts_with("Fill.\n\nnow\n\n"), "{pdf}");
    assert!(pdf.contains("form.md") && pdf.contains("see"), "{pdf}");
    assert!(!pdf.contains("s/pdf"), "{pdf}");
    // No tool reads those of a skill that the model may not load.
    let secret = get("secret");
    assert!(secret.starts_with("Hide.\n\nnow"), "{secret}");
    assert!(!secret.contains("see"), "{secret}");
    // In a conversation that has loaded it one does.
    let options = SessionOptions {
        tools,
        ..SessionOptions::default()
    };
    let session = Conversation::begin(&catalog, options).expect("nothing is stored");
    let prompt = |name: &str| {
        let work =
            session.skill_prompt(name.to_owned(), "now".to_owned(), ExpandOptions::default());
        session.run(work, &disk).expect("a prompt")
    };
    assert_eq!(prompt("pdf"), pdf);
    assert!(prompt("secret").contains("see"));
}

#[test]
fn what_a_client_is_told_unasked_has_a_bound() {
    let told = |disk: &Disk| {
        let told = load(disk).instructions(ToolOptions::default());
        run(told, disk).expect("it is told")
    };
    assert!(told(&disk_of(&["pdf"])).contains("- pdf: Does pdf."));
    let names: Vec<String> = (0..10_000)
        .map(|number| format!("skill-{number}"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let many = told(&disk_of(&names));
    assert!(many.len() <= 16 * 1024, "{}", many.len());
    assert!(many.contains("10000 skills"), "{many}");
    assert!(many.contains("`search_skills`"), "{many}");
    assert_eq!(told(&Disk::default()), "");
}
