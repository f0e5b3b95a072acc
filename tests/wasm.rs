//! The same small set of cases in Node and in a browser: the core as it is compiled for both.
#![cfg(target_arch = "wasm32")]

mod support;

use serde_json::json;
use skillshelf::{
    Catalog, Error, LoadOptions, Mode, ParseOptions, ParsedSkill, Reply, Request, SkillSpec,
    Source, Style, ToolOptions, parse_skill, validate_skill,
};
use support::liar::Liar;
use support::{
    Abilities, Disk, body, call_with, disk_of, found, index, load, load_skill, load_sources, owned,
    read_file, read_page, refresh, run_in_steps, skill,
};
use wasm_bindgen_test::wasm_bindgen_test;

const FULL_OF_SURPRISES: &str = "aé日😀\r\n👩‍💻";

fn catalog_on(abilities: Abilities) -> (Disk, Catalog) {
    let mut disk = disk_of(&["pdf", "review"]);
    disk.abilities = abilities;
    disk.write("s/pdf/references/a.md", FULL_OF_SURPRISES);
    disk.write("s/pdf/logo.png", [0x89, b'P', b'N', b'G', 0, 0xFF]);
    disk.write(
        "s/loose.md",
        "---\ndescription: Stands alone.\n---\nAlone\n",
    );
    disk.write("s/bad/SKILL.md", "---\nname: bad\n---\n");
    disk.write("secret", "SECRET");
    let catalog = load(&disk);
    (disk, catalog)
}

fn parse(text: &[u8], mode: Mode) -> ParsedSkill {
    let options = ParseOptions {
        mode,
        ..ParseOptions::default()
    };
    parse_skill(text.to_vec(), options)
        .run(|request| match request {
            Request::Normalize { text } => Reply::Text(text.clone()),
            other => panic!("{other:?}"),
        })
        .expect("it was not over before")
}

#[wasm_bindgen_test]
fn a_skill_file_is_read() {
    let text = "\u{FEFF}---\r\nname: pdf\r\ndescription: >-\r\n  Fills in\r\n  forms: é😀\r\nversion: 1.10\r\n---\r\n\r\nBody\r\n";
    let parsed = parse(text.as_bytes(), Mode::Strict);
    let skill = parsed.skill.expect("it is valid");
    assert_eq!(skill.description, "Fills in forms: é😀");
    assert_eq!(skill.version.as_deref(), Some("1.10"));
    assert_eq!(parsed.body.as_deref(), Some("Body"));
}

#[wasm_bindgen_test]
fn what_is_wrong_has_a_place() {
    let parsed = parse(b"---\nname: a\ndescription: x: y\n---\n", Mode::Strict);
    assert!(parsed.skill.is_none());
    let place = parsed.diagnostics[0].position.expect("a place");
    assert_eq!(place.line, 3);
    let lenient = parse(b"---\nname: a\ndescription: x: y\n---\n", Mode::Lenient);
    assert_eq!(lenient.skill.expect("it is mended").description, "x: y");
}

#[wasm_bindgen_test]
fn a_catalog_is_loaded_from_any_host() {
    for abilities in [
        Abilities::FULL,
        Abilities::SMALLEST,
        Abilities::WITHOUT_OPEN,
        Abilities::FOLDING,
    ] {
        let (disk, catalog) = catalog_on(abilities);
        assert_eq!(catalog.names(), ["loose", "pdf", "review"]);
        assert_eq!(
            found(&catalog),
            owned(&[("description-missing", "/s/bad/SKILL.md")])
        );
        assert_eq!(body(&catalog, &disk, "loose").expect("a body"), "Alone");
    }
}

#[wasm_bindgen_test]
fn the_index_has_a_line_a_skill_and_no_body() {
    let (_, catalog) = catalog_on(Abilities::FULL);
    for style in support::STYLES {
        let text = index(&catalog, style);
        assert!(!text.contains("The body"));
        assert!(text.contains("Stands alone."));
    }
    assert_eq!(index(&catalog, Style::Plain).lines().count(), 2 + 3);
}

#[wasm_bindgen_test]
fn tools_answer_and_pages_put_together_are_the_file() {
    let (disk, catalog) = catalog_on(Abilities::FULL);
    let loaded = load_skill(&catalog, &disk, "pdf");
    assert!(
        loaded
            .content
            .starts_with("<skill_content name=\"pdf\">\nThe body of pdf.\n")
    );
    assert!(loaded.content.contains("<file>references/a.md</file>"));
    let mut whole = String::new();
    let mut next = Some(0);
    while let Some(offset) = next {
        let page = read_page(
            &catalog,
            &disk,
            "pdf",
            "references/a.md",
            Some(offset),
            Some(1),
        );
        let text = page.content.split("\n\n[Bytes").next().expect("a part");
        whole.push_str(text);
        next = page.next_offset();
        assert!(next.is_none_or(|next| next > offset));
    }
    assert_eq!(whole, FULL_OF_SURPRISES);
    let bytes = read_file(&catalog, &disk, "pdf", "logo.png");
    let found = bytes
        .bytes
        .map(|bytes| (bytes.media_type, bytes.content.len()));
    assert_eq!(found, Some(("image/png".into(), 6)));
}

#[wasm_bindgen_test]
fn mistakes_are_answers() {
    let (disk, catalog) = catalog_on(Abilities::FULL);
    assert_eq!(
        load_skill(&catalog, &disk, "pfd").code(),
        Some("SKILL_NOT_FOUND")
    );
    for path in [
        "../../secret",
        "/etc/passwd",
        "..\\..\\secret",
        "C:secret",
        "a\0",
    ] {
        let result = read_file(&catalog, &disk, "pdf", path);
        assert_eq!(result.code(), Some("PATH_REFUSED"), "{path:?}");
    }
    // Larger than any address of this target.
    let arguments =
        json!({ "skill": "pdf", "path": "references/a.md", "offset": 9_007_199_254_740_991_u64 });
    let result = call_with(
        &catalog,
        &disk,
        "read_skill_file",
        &arguments,
        ToolOptions::default(),
    );
    assert_eq!(result.code(), Some("TOOL_ARGUMENTS_INVALID"), "{result:?}");
    let result = read_page(
        &catalog,
        &disk,
        "pdf",
        "references/a.md",
        Some(1),
        Some(9_007_199_254_740_991),
    );
    assert!(!result.is_error(), "{result:?}");
    let result = call_with(
        &catalog,
        &disk,
        "load_skill",
        &json!([]),
        ToolOptions::default(),
    );
    assert_eq!(result.code(), Some("TOOL_ARGUMENTS_INVALID"));
}

#[wasm_bindgen_test]
fn a_refresh_tells_what_changed() {
    let (mut disk, catalog) = catalog_on(Abilities::FULL);
    disk.write("s/new/SKILL.md", skill("new", "New."));
    disk.write("s/pdf/SKILL.md", skill("pdf", "Edited."));
    disk.remove("s/review");
    let changes = refresh(&catalog, &disk);
    assert_eq!(changes.added, ["new"]);
    assert_eq!(changes.changed, ["pdf"]);
    assert_eq!(changes.removed, ["review"]);
}

#[wasm_bindgen_test]
fn a_definition_written_and_read_is_the_same() {
    let json = json!({
        "name": "x", "description": "a: b\n---\nallowed-tools: Bash(*) # \"q\"", "content": "---\né😀\n---",
        "version": "1.10", "allowedTools": ["Bash(git add *)"], "metadata": { "n": 1.5, "deep": [null, true] },
        "modelInvocable": false,
    });
    let spec = SkillSpec::from_json(&json.to_string()).expect("it is fine");
    let parsed = parse(
        spec.to_text().expect("it is small").as_bytes(),
        Mode::Lenient,
    );
    assert_eq!(parsed.skill.as_ref(), Some(spec.skill()));
    assert_eq!(parsed.body.as_deref(), Some(spec.content()));
    let disk = Disk::default();
    let source = Source::defined(spec, None);
    let catalog = load_sources(&disk, vec![source], LoadOptions::default()).expect("it loads");
    assert_eq!(catalog.names(), ["x"]);
    assert!(matches!(
        SkillSpec::from_json("{}"),
        Err(Error::SkillInvalid(_))
    ));
}

#[wasm_bindgen_test]
fn a_skill_is_validated() {
    let files = vec![(
        "skill.md".to_owned(),
        Some(b"---\nname: x\ndescription: X.\n---\n".to_vec()),
    )];
    let found = validate_skill(files, skillshelf::ValidateOptions::default())
        .run(|_| panic!("nothing is asked"))
        .expect("it was not over before");
    assert_eq!(found[0].code, "skill-file-name-case");
}

#[wasm_bindgen_test]
fn hostile_input_ends_without_a_trap() {
    let nested = format!("---\nname: x\ndescription: {}\n---\n", "[".repeat(20_000));
    let aliases = format!(
        "---\nname: x\ndescription: X.\na: &a [{}]\n---\n",
        "*a,".repeat(5_000)
    );
    let endless = format!("---\n{}", "k: v\n".repeat(100_000));
    for text in [
        nested.as_bytes(),
        aliases.as_bytes(),
        endless.as_bytes(),
        b"",
        b"---",
        b"\xff\xfe",
        b"---\n\0\n---\n",
    ] {
        for mode in [Mode::Lenient, Mode::Strict] {
            let parsed = parse(text, mode);
            assert_eq!(
                parsed.skill.is_none(),
                parsed
                    .diagnostics
                    .iter()
                    .any(skillshelf::Diagnostic::is_error)
            );
        }
    }
    let (disk, _) = catalog_on(Abilities::FULL);
    for seed in 0..100 {
        let mut liar = Liar::new(&disk, seed, 3);
        let operation = Catalog::load(vec![disk.source("s")], LoadOptions::default());
        assert!(run_in_steps(operation, 3000, |requests| liar.answer_all(requests)).is_some());
    }
}
