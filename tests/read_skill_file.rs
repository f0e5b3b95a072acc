//! What a model gets when it reads a file of a skill.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use skillshelf::{Catalog, Limits, LoadOptions, ToolResult};
use support::{Abilities, Disk, disk_of, disk_with, load, load_with, read_file, read_page, skill};

const HOSTS: [(&str, Abilities); 6] = [
    ("full", Abilities::FULL),
    ("smallest", Abilities::SMALLEST),
    ("without open", Abilities::WITHOUT_OPEN),
    ("without stat", Abilities::WITHOUT_STAT),
    ("folding", Abilities::FOLDING),
    ("windows", Abilities::WINDOWS),
];

fn with_file(path: &str, content: impl AsRef<[u8]>) -> Disk {
    let mut disk = disk_of(&["demo"]);
    disk.write(&format!("s/demo/{path}"), content);
    disk
}

fn paged(page: u32) -> LoadOptions {
    let limits = Limits {
        page,
        ..Limits::default()
    };
    LoadOptions {
        limits,
        ..LoadOptions::default()
    }
}

/// The text of a page without the line that tells how to go on.
fn text_of(result: &ToolResult) -> &str {
    let Some(next) = result.next_offset() else {
        return &result.content;
    };
    let (text, note) = result
        .content
        .rsplit_once("\n\n[")
        .expect("the text tells it too");
    assert!(note.contains(&next.to_string()), "{note}");
    text
}

/// Reads on and on from `offset`.
fn read_all(catalog: &Catalog, disk: &Disk, offset: u64, limit: Option<u64>) -> String {
    let mut whole = String::new();
    let mut next = offset;
    loop {
        let result = read_page(catalog, disk, "demo", "a.md", Some(next), limit);
        assert!(!result.is_error(), "{next}: {result:?}");
        whole.push_str(text_of(&result));
        assert_eq!(result.truncated().is_some(), result.next_offset().is_some());
        match result.next_offset() {
            Some(offset) => {
                assert!(offset > next, "it goes on: {next}, {offset}");
                next = offset;
            }
            None => return whole,
        }
    }
}

const MANY_WIDTHS: &str = "aé日😀\r\nb\u{FEFF}c👩‍💻é\u{301}\n\nd";

#[test]
fn pages_put_together_are_the_file_whatever_their_size() {
    for (host, abilities) in HOSTS {
        let mut disk = with_file("a.md", MANY_WIDTHS);
        disk.abilities = abilities;
        for page in 1..=u32::try_from(MANY_WIDTHS.len()).unwrap() + 1 {
            let catalog = load_with(&disk, paged(page));
            assert_eq!(
                read_all(&catalog, &disk, 0, None),
                MANY_WIDTHS,
                "{host} {page}"
            );
        }
        let catalog = load(&disk);
        for limit in 1..40 {
            assert_eq!(
                read_all(&catalog, &disk, 0, Some(limit)),
                MANY_WIDTHS,
                "{host} {limit}"
            );
        }
    }
}

#[test]
fn every_offset_is_moved_back_to_the_start_of_its_character() {
    for (host, abilities) in HOSTS {
        let mut disk = with_file("a.md", MANY_WIDTHS);
        disk.abilities = abilities;
        let catalog = load(&disk);
        for offset in 0..=MANY_WIDTHS.len() {
            let start = MANY_WIDTHS.floor_char_boundary(offset);
            for limit in [None, Some(1), Some(2), Some(3), Some(4), Some(7)] {
                let at = offset as u64;
                let first = read_page(&catalog, &disk, "demo", "a.md", Some(at), limit);
                assert!(
                    MANY_WIDTHS[start..].starts_with(text_of(&first)),
                    "{host} {offset} {limit:?}"
                );
                if let Some(next) = first.next_offset() {
                    assert!(next > at, "{host}: always on: {offset} {limit:?} {next}");
                    assert!(MANY_WIDTHS.is_char_boundary(usize::try_from(next).unwrap()));
                }
                assert_eq!(
                    read_all(&catalog, &disk, at, limit),
                    MANY_WIDTHS[start..],
                    "{host} {offset} {limit:?}"
                );
            }
        }
        for offset in [
            MANY_WIDTHS.len() + 1,
            MANY_WIDTHS.len() + 3,
            MANY_WIDTHS.len() + 1000,
            9_007_199_254_740_992,
        ] {
            let result = read_page(&catalog, &disk, "demo", "a.md", Some(offset as u64), None);
            assert_eq!(
                result.code(),
                Some("TOOL_ARGUMENTS_INVALID"),
                "{host} {offset}: {result:?}"
            );
            assert!(
                result.content.contains(&MANY_WIDTHS.len().to_string()) || host == "without stat",
                "the size: {result:?}"
            );
        }
    }
}

#[test]
fn an_empty_file_is_an_empty_text() {
    for (host, abilities) in HOSTS {
        let mut disk = with_file("a.md", "");
        disk.abilities = abilities;
        let catalog = load(&disk);
        let result = read_file(&catalog, &disk, "demo", "a.md");
        assert_eq!(
            (result.content.as_str(), result.is_error()),
            ("", false),
            "{host}"
        );
        let past = read_page(&catalog, &disk, "demo", "a.md", Some(1), None);
        assert_eq!(past.code(), Some("TOOL_ARGUMENTS_INVALID"), "{host}");
    }
}

#[test]
fn a_call_gives_at_most_262144_bytes_and_says_how_to_go_on() {
    for (host, abilities) in HOSTS {
        for (unit, length) in [
            ("x", 262_144),
            ("é", 262_144),
            ("日", 262_143),
            ("x", 262_145),
            ("日", 786_432),
        ] {
            let text = unit.repeat(length / unit.len());
            let mut disk = with_file("a.md", &text);
            disk.abilities = abilities;
            let catalog = load(&disk);
            let result = read_file(&catalog, &disk, "demo", "a.md");
            let fits = text.len() <= 262_144;
            assert_eq!(result.next_offset().is_none(), fits, "{host} {length}");
            assert_eq!(
                result.truncated(),
                (!fits).then_some(true),
                "{host} {length}"
            );
            assert!(
                text_of(&result).len() <= 262_144 && text_of(&result).len() > 262_140,
                "{host} {length}"
            );
            assert_eq!(read_all(&catalog, &disk, 0, None), text, "{host} {length}");
            let more = read_page(&catalog, &disk, "demo", "a.md", None, Some(10_000_000));
            assert!(more.content.len() < 262_300, "a limit can only be smaller");
        }
    }
}

#[test]
fn text_is_given_as_it_is() {
    for text in [
        "\u{FEFF}bom",
        "crlf\r\n",
        "  blanks  ",
        "<skill_content>&amp;</skill_content>",
        "\u{1b}[31m\u{200b}\u{7}",
    ] {
        let disk = with_file("a.md", text);
        assert_eq!(read_file(&load(&disk), &disk, "demo", "a.md").content, text);
    }
}

#[test]
fn what_is_not_text_is_given_as_bytes_and_never_altered() {
    for (host, abilities) in HOSTS {
        for (name, bytes, media_type) in [
            ("a.png", &b"\x89PNG\r\n\x1a\n\0\0"[..], "image/png"),
            (
                "b.bin",
                &[0xFF, 0xFE, 0x41, 0x00],
                "application/octet-stream",
            ),
            ("c.md", b"text with a \0 in it", "application/octet-stream"),
            ("d.txt", b"caf\xe9", "application/octet-stream"),
            ("e.md", b"cut \xe2\x82", "application/octet-stream"),
            (
                "f.md",
                b"\xed\xa0\x80 a surrogate",
                "application/octet-stream",
            ),
            ("g.PDF", b"%PDF-1.7\n\xff", "application/pdf"),
        ] {
            let mut disk = with_file(name, bytes);
            disk.abilities = abilities;
            let result = read_file(&load(&disk), &disk, "demo", name);
            assert!(!result.is_error(), "{host} {name}: {result:?}");
            let found = result.bytes.map(|found| (found.content, found.media_type));
            assert_eq!(
                found,
                Some((bytes.to_vec(), media_type.into())),
                "{host} {name}"
            );
            assert_eq!(
                result.content.lines().count(),
                1,
                "{host}: {}",
                result.content
            );
            assert!(result.content.contains(name), "{host}: {}", result.content);
            assert!(
                result.content.contains(&format!("{} bytes", bytes.len())),
                "{}",
                result.content
            );
        }
    }
}

#[test]
fn bytes_have_a_limit_of_their_own() {
    for (host, abilities) in HOSTS {
        for (length, fits) in [(5_000_000, true), (5_000_001, false)] {
            let mut bytes = vec![0x80_u8; length];
            bytes[0] = 0xFF;
            let mut disk = with_file("a.bin", &bytes);
            disk.abilities = abilities;
            let result = read_file(&load(&disk), &disk, "demo", "a.bin");
            assert_eq!(
                result.bytes.as_ref().map(|bytes| bytes.content.len()),
                fits.then_some(length),
                "{host}"
            );
            if !fits {
                assert_eq!(result.code(), Some("FILE_TOO_LARGE"), "{host}");
                assert!(
                    result.content.contains("5000001") && result.content.contains("5000000"),
                    "{}",
                    result.content
                );
            }
        }
    }
}

#[test]
fn a_file_whose_later_part_is_not_text() {
    let mut bytes = vec![b'x'; 300_000];
    bytes.push(0xFF);
    let disk = with_file("a.md", &bytes);
    let catalog = load(&disk);
    let first = read_file(&catalog, &disk, "demo", "a.md");
    assert_eq!(first.next_offset(), Some(262_144));
    let second = read_page(&catalog, &disk, "demo", "a.md", first.next_offset(), None);
    assert_eq!(
        second.bytes.map(|found| found.content),
        Some(bytes),
        "the whole file, not a mangled part"
    );
}

#[test]
fn paths_are_judged_alike_on_every_host() {
    for (host, abilities) in HOSTS {
        let mut disk = with_file("references/a.md", "A");
        disk.write("s/demo/%2e%2e/x.md", "percent");
        disk.write("s/demo/..b/x.md", "dots");
        disk.write("s/victim/SKILL.md", skill("victim", "V."));
        disk.write("s/demo-evil/secret", "SECRET");
        disk.write("secret", "SECRET");
        disk.abilities = abilities;
        let catalog = load(&disk);
        for (path, expected) in [
            ("references/a.md", Ok("A")),
            ("./references/./a.md", Ok("A")),
            ("references//../references/a.md", Ok("A")),
            ("references\\a.md", Ok("A")),
            ("%2e%2e/x.md", Ok("percent")),
            ("..b/x.md", Ok("dots")),
            ("%2e%2e/secret", Err("FILE_NOT_FOUND")),
            ("/etc/passwd", Err("PATH_REFUSED")),
            ("/s/demo/references/a.md", Err("PATH_REFUSED")),
            ("../../secret", Err("PATH_REFUSED")),
            ("../victim/SKILL.md", Err("PATH_REFUSED")),
            ("../demo-evil/secret", Err("PATH_REFUSED")),
            ("../demo/references/a.md", Err("PATH_REFUSED")),
            ("references/../../../secret", Err("PATH_REFUSED")),
            ("a//../..//secret", Err("PATH_REFUSED")),
            ("..\\..\\secret", Err("PATH_REFUSED")),
            ("C:\\secret", Err("PATH_REFUSED")),
            ("C:secret", Err("PATH_REFUSED")),
            ("\\\\server\\share", Err("PATH_REFUSED")),
            ("references/a.md:stream", Err("PATH_REFUSED")),
            ("references/a.md::$DATA", Err("PATH_REFUSED")),
            ("NUL", Err("PATH_REFUSED")),
            ("references/con.md", Err("PATH_REFUSED")),
            ("references/a.md\0", Err("PATH_REFUSED")),
            ("references/a.md\n", Err("PATH_REFUSED")),
            ("references/", Err("PATH_REFUSED")),
            ("references/a.md/", Err("PATH_REFUSED")),
            (".", Err("PATH_REFUSED")),
            ("..", Err("PATH_REFUSED")),
            ("references/..", Err("PATH_REFUSED")),
            ("references/a.md/b", Err("FILE_NOT_FOUND")),
            ("references/b.md", Err("FILE_NOT_FOUND")),
            ("~/x", Err("FILE_NOT_FOUND")),
        ] {
            disk.take_log();
            let result = read_file(&catalog, &disk, "demo", path);
            match expected {
                Ok(content) => assert_eq!(result.content, content, "{host} {path:?}"),
                Err(code) => assert_eq!(result.code(), Some(code), "{host} {path:?}: {result:?}"),
            }
            if expected == Err("PATH_REFUSED") {
                assert!(
                    disk.take_log().is_empty(),
                    "{host} {path:?}: the host is not even asked"
                );
            }
            assert!(!result.content.contains("SECRET"), "{host} {path:?}");
        }
        assert_eq!(
            read_file(&catalog, &disk, "demo", "").code(),
            Some("TOOL_ARGUMENTS_INVALID")
        );
    }
}

#[test]
fn a_directory_is_no_file() {
    for (host, abilities) in HOSTS {
        let mut disk = with_file("references/a.md", "A");
        disk.abilities = abilities;
        let result = read_file(&load(&disk), &disk, "demo", "references");
        assert!(result.is_error(), "{host}");
        if !matches!(host, "smallest") {
            assert_eq!(result.code(), Some("PATH_REFUSED"), "{host}: {result:?}");
        }
    }
}

#[test]
fn case_is_exact_on_every_host_and_a_near_match_is_suggested() {
    for (host, abilities) in HOSTS {
        let mut disk = with_file("references/Forms.md", "FORMS");
        disk.write("s/demo/references/schema.md", "S");
        disk.abilities = abilities;
        let catalog = load(&disk);
        for (path, near) in [
            ("references/forms.md", "references/Forms.md"),
            ("References/Forms.md", "references/Forms.md"),
            ("REFERENCES/FORMS.MD", "references/Forms.md"),
            ("forms.md", "references/Forms.md"),
            ("references/schema", "references/schema.md"),
            ("refrences/schema.md", "references/schema.md"),
        ] {
            let result = read_file(&catalog, &disk, "demo", path);
            assert_eq!(
                result.code(),
                Some("FILE_NOT_FOUND"),
                "{host} {path}: {result:?}"
            );
            assert!(
                result.content.contains(&format!("Did you mean \"{near}\"")),
                "{host} {path}: {result:?}"
            );
            assert!(!result.content.contains("FORMS\n"), "{host}");
        }
        assert_eq!(
            read_file(&catalog, &disk, "demo", "references/Forms.md").content,
            "FORMS",
            "{host}"
        );
    }
}

#[test]
fn the_skill_file_itself_can_be_read() {
    let disk = disk_of(&["demo"]);
    let text = skill("demo", "Does demo.");
    assert_eq!(
        read_file(&load(&disk), &disk, "demo", "SKILL.md").content,
        text
    );
}

#[test]
fn a_root_skill_reads_its_own_files_only() {
    let mut disk = disk_with(&[
        ("s/SKILL.md", skill("s", "S.")),
        ("s/a/b.md", "B".to_owned()),
        ("x", "SECRET".to_owned()),
    ]);
    disk.write("SKILL.md", skill("top", "Top."));
    for abilities in [Abilities::FULL, Abilities::SMALLEST] {
        disk.abilities = abilities;
        let catalog = load(&disk);
        assert_eq!(read_file(&catalog, &disk, "s", "a/b.md").content, "B");
        assert_eq!(
            read_file(&catalog, &disk, "s", "../x").code(),
            Some("PATH_REFUSED")
        );
    }
}

#[test]
fn the_top_of_a_host_is_a_jail_too() {
    let mut disk = disk_with(&[
        ("SKILL.md", skill("top", "Top.")),
        ("a/b.md", "B".to_owned()),
    ]);
    for (host, abilities) in HOSTS {
        disk.abilities = abilities;
        let catalog =
            support::load_sources(&disk, vec![disk.source("")], LoadOptions::default()).unwrap();
        assert_eq!(
            read_file(&catalog, &disk, "top", "a/b.md").content,
            "B",
            "{host}"
        );
        assert_eq!(
            read_file(&catalog, &disk, "top", "a/B.md").code(),
            Some("FILE_NOT_FOUND"),
            "{host}"
        );
        assert_eq!(
            read_file(&catalog, &disk, "top", "../a/b.md").code(),
            Some("PATH_REFUSED"),
            "{host}"
        );
    }
}

#[test]
fn the_real_path_of_what_was_opened_decides() {
    let disk = with_file("a.md", "A");
    let catalog = load(&disk);
    for (real, fine) in [
        (Some("/s/demo/a.md"), true),
        (Some("/s/demo/other/b.md"), true),
        (Some("/s/demo-evil/a.md"), false),
        (Some("/s/demo"), false),
        (Some("/s/demo/"), false),
        (Some("/etc/passwd"), false),
        (Some("s/demo/a.md"), false),
        (Some(""), false),
        (None, false),
    ] {
        let call = catalog.call(
            "read_skill_file".to_owned(),
            r#"{"skill":"demo","path":"a.md"}"#.to_owned(),
            skillshelf::ToolOptions::default(),
        );
        let result = call.run(|request| match disk.answer(request) {
            skillshelf::Reply::File(mut file) => {
                file.real_path = real.map(str::to_owned);
                skillshelf::Reply::File(file)
            }
            other => other,
        });
        let result = result.unwrap();
        assert_eq!(!result.is_error(), fine, "{real:?}: {result:?}");
        assert!(fine || result.content != "A");
    }
}

#[test]
fn a_short_read_is_no_end() {
    let text = "0123456789".repeat(100);
    let mut disk = with_file("a.md", &text);
    let catalog = load(&disk);
    disk.abilities.reads_at_most = Some(64);
    let result = read_file(&catalog, &disk, "demo", "a.md");
    let is_whole = result.content == text;
    assert!(
        is_whole || result.truncated() == Some(true) || result.is_error(),
        "cut without a word: {} of 1000",
        result.content.len()
    );
    let mut bytes = vec![0xFF_u8; 1000];
    bytes[999] = 0;
    disk.write("s/demo/a.bin", &bytes);
    let result = read_file(&catalog, &disk, "demo", "a.bin");
    assert!(
        result.is_error() || result.bytes.is_some_and(|found| found.content == bytes),
        "bytes are whole or not there"
    );
}

#[test]
fn a_file_that_grows_or_shrinks_between_pages_does_no_harm() {
    let mut disk = with_file("a.md", "x".repeat(100));
    let catalog = load_with(&disk, paged(40));
    let first = read_file(&catalog, &disk, "demo", "a.md");
    assert_eq!(first.next_offset(), Some(40));
    disk.write("s/demo/a.md", "short");
    let second = read_page(&catalog, &disk, "demo", "a.md", first.next_offset(), None);
    assert_eq!(second.code(), Some("TOOL_ARGUMENTS_INVALID"));
    disk.write("s/demo/a.md", "é".repeat(50));
    let second = read_page(&catalog, &disk, "demo", "a.md", Some(41), None);
    assert_eq!(text_of(&second), "é".repeat(20));
    assert_eq!(second.next_offset(), Some(80));
}

/// A skill around another one, which the model may not have.
fn around_a_disabled_one(abilities: Abilities) -> Disk {
    let mut disk = disk_of(&["outer"]);
    disk.abilities = abilities;
    disk.write("s/outer/own.md", "OWN");
    let lines = "disable-model-invocation: true\n";
    disk.write(
        "s/outer/inner/SKILL.md",
        support::skill_with("inner", lines, "SECRET"),
    );
    disk.write("s/outer/inner/more/secret.md", "SECRET");
    disk.write("s/outer/inner-notes/a.md", "NOTES");
    disk
}

fn assert_is_not_read(catalog: &skillshelf::Catalog, disk: &Disk, paths: &[&str]) {
    for path in paths {
        let result = read_file(catalog, disk, "outer", path);
        assert_eq!(result.code(), Some("FILE_NOT_FOUND"), "{path} {result:?}");
        assert!(!result.content.contains("SECRET"), "{path}");
        assert!(!result.content.contains("secret.md?"), "{path} {result:?}");
    }
    let listed = support::load_skill(catalog, disk, "outer").content;
    assert!(!listed.contains("inner/"), "{listed}");
    assert!(listed.contains("<file>own.md</file>"), "{listed}");
    assert!(listed.contains("<file>inner-notes/a.md</file>"), "{listed}");
}

#[test]
fn a_skill_in_a_skill_has_its_files_for_itself() {
    let nested = LoadOptions {
        nested: true,
        ..LoadOptions::default()
    };
    for abilities in [Abilities::FULL, Abilities::SMALLEST, Abilities::FOLDING] {
        let mut disk = around_a_disabled_one(abilities);
        let mut paths = vec![
            "inner/SKILL.md",
            "inner/more/secret.md",
            "inner/none.md",
            "inner/./more/../SKILL.md",
            "inner\\SKILL.md",
            "INNER/SKILL.md",
        ];
        if abilities.capabilities.real_path {
            disk.link("s/outer/alias.md", "inner/SKILL.md");
            disk.link("s/outer/aliases", "inner");
            paths.extend(["alias.md", "aliases/SKILL.md", "aliases/more/secret.md"]);
        }
        let catalog = support::load_with(&disk, nested.clone());
        assert_eq!(catalog.names(), ["inner", "outer"]);
        assert_is_not_read(&catalog, &disk, &paths);
        let view = support::only(&catalog, &disk, &["outer"]);
        assert_is_not_read(&view, &disk, &paths);
        assert_eq!(read_file(&catalog, &disk, "outer", "own.md").content, "OWN");
        // Where it is no skill, it is a part of the one around it.
        let flat = load(&disk);
        let result = read_file(&flat, &disk, "outer", "inner/more/secret.md");
        assert_eq!(result.content, "SECRET");
    }
}

#[test]
fn a_skill_in_a_skill_of_another_source_or_behind_a_link_does_too() {
    let mut disk = around_a_disabled_one(Abilities::FULL);
    let sources = vec![disk.source("s"), disk.source("s/outer/inner")];
    let catalog = support::load_sources(&disk, sources, LoadOptions::default()).unwrap();
    assert_eq!(catalog.names(), ["inner", "outer"]);
    let paths = ["inner/SKILL.md", "inner/more/secret.md"];
    assert_is_not_read(&catalog, &disk, &paths);
    disk.link("s/linked", "outer/inner");
    let catalog = load(&disk);
    assert_eq!(catalog.names(), ["inner", "outer"]);
    assert_is_not_read(&catalog, &disk, &paths);
}

#[test]
fn a_skill_that_was_disabled_is_not_read_through_a_link_to_its_skill_file() {
    let mut disk = disk_of(&["d"]);
    disk.link("s/d/alias.md", "SKILL.md");
    let catalog = load(&disk);
    assert!(!read_file(&catalog, &disk, "d", "alias.md").is_error());
    let lines = "disable-model-invocation: true\n";
    disk.write("s/d/SKILL.md", support::skill_with("d", lines, "SECRET"));
    let result = read_file(&catalog, &disk, "d", "alias.md");
    assert_eq!(result.code(), Some("SKILL_NOT_FOUND"));
}
