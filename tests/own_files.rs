//! What stands in the directory of another skill is that skill's own, whichever way the skill around
//! it came into a catalog.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use proptest::prelude::*;
use serde_json::json;
use skillshelf::{Catalog, Links, LoadOptions, SkillSpec, Source, ToolResult};
use support::{
    Abilities, Disk, body, disk_with, load_skill, load_sources, load_with, only, path_of,
    read_file, refresh, run, skill, skill_with,
};

const HELD_BACK: &str = "disable-model-invocation: true\n";

fn nested() -> LoadOptions {
    LoadOptions {
        nested: true,
        ..LoadOptions::default()
    }
}

fn catalog_of(disk: &Disk, sources: Vec<Source>) -> Catalog {
    load_sources(disk, sources, LoadOptions::default()).expect("the catalog loads")
}

/// The skill of a name as a source.
fn one(catalog: &Catalog, disk: &Disk, name: &str) -> Source {
    let id = run(catalog.get(name.to_owned(), None), disk).expect("it is there");
    Source::of_catalog(catalog, id, name).expect("it is a source")
}

/// A skill with one in it that is held back from the model, and a file beside each.
fn outer_and_inner() -> Disk {
    disk_with(&[
        ("s/outer/SKILL.md", skill("outer", "Outer.")),
        ("s/outer/own.md", "OWN".to_owned()),
        (
            "s/outer/deep/inner/SKILL.md",
            skill_with("inner", HELD_BACK, "SECRET"),
        ),
        ("s/outer/deep/inner/notes.md", "SECRET".to_owned()),
        ("s/outer/deep/other.md", "OWN".to_owned()),
    ])
}

fn assert_inner_is_closed(catalog: &Catalog, disk: &Disk) {
    for path in ["deep/inner/SKILL.md", "deep/inner/notes.md"] {
        let result = read_file(catalog, disk, "outer", path);
        assert_eq!(result.code(), Some("FILE_NOT_FOUND"), "{path}: {result:?}");
        assert!(!result.content.contains("SECRET"));
    }
    let content = load_skill(catalog, disk, "outer").content;
    assert!(
        content.contains("<file>deep/other.md</file>\n<file>own.md</file>\n</skill_resources>"),
        "{content}"
    );
    for path in ["own.md", "deep/other.md"] {
        assert_eq!(read_file(catalog, disk, "outer", path).content, "OWN");
    }
}

#[test]
fn a_skill_taken_out_of_a_catalog_gets_no_more_of_its_files() {
    for abilities in [
        Abilities::FULL,
        Abilities::SMALLEST,
        Abilities::WITHOUT_OPEN,
        Abilities::WITHOUT_STAT,
    ] {
        let mut disk = outer_and_inner();
        disk.abilities = abilities;
        let inner = load_with(&disk, nested());
        assert_inner_is_closed(&inner, &disk);
        let view = only(&inner, &disk, &["outer"]);
        assert_inner_is_closed(&view, &disk);
        let sources = [
            vec![Source::Catalog(inner.clone())],
            vec![Source::Catalog(view.clone())],
            vec![one(&inner, &disk, "outer")],
            vec![Source::Catalog(catalog_of(
                &disk,
                vec![one(&inner, &disk, "outer")],
            ))],
            vec![Source::Catalog(only(
                &catalog_of(&disk, vec![Source::Catalog(view)]),
                &disk,
                &["outer"],
            ))],
        ];
        for source in sources {
            let catalog = catalog_of(&disk, source);
            assert_inner_is_closed(&catalog, &disk);
            disk.write(
                "s/outer/SKILL.md",
                skill("outer", "Said anew, and longer than before."),
            );
            refresh(&catalog, &disk);
            assert_inner_is_closed(&catalog, &disk);
        }
        assert_eq!(body(&inner, &disk, "inner").unwrap(), "SECRET");
    }
}

#[test]
fn what_was_a_skill_and_is_none_by_now_is_open_after_a_refresh() {
    let mut disk = outer_and_inner();
    let inner = load_with(&disk, nested());
    let outer = catalog_of(&disk, vec![Source::Catalog(inner.clone())]);
    disk.remove("s/outer/deep/inner/SKILL.md");
    disk.write("s/outer/deep/inner/notes.md", "NOTES");
    refresh(&inner, &disk);
    refresh(&outer, &disk);
    for catalog in [&inner, &outer] {
        let result = read_file(catalog, &disk, "outer", "deep/inner/notes.md");
        assert_eq!(result.content, "NOTES");
    }
    disk.write(
        "s/outer/deep/inner/SKILL.md",
        skill_with("inner", HELD_BACK, "SECRET"),
    );
    refresh(&inner, &disk);
    refresh(&outer, &disk);
    assert_inner_is_closed(&inner, &disk);
    assert_inner_is_closed(&outer, &disk);
}

#[test]
fn what_a_link_led_to_stays_another_skills() {
    let mut disk = disk_with(&[
        ("s/outer/SKILL.md", skill("outer", "Outer.")),
        (
            "s/outer/kept/SKILL.md",
            skill_with("inner", HELD_BACK, "SECRET"),
        ),
        ("s/outer/kept/notes.md", "SECRET".to_owned()),
    ]);
    disk.link("s/inner", "outer/kept");
    let first = load_with(&disk, LoadOptions::default());
    assert_eq!(first.names(), ["inner", "outer"]);
    for source in [
        Source::Catalog(first.clone()),
        Source::Catalog(only(&first, &disk, &["outer"])),
        one(&first, &disk, "outer"),
    ] {
        let catalog = catalog_of(&disk, vec![source]);
        for path in ["kept/SKILL.md", "kept/notes.md"] {
            let result = read_file(&catalog, &disk, "outer", path);
            assert_eq!(result.code(), Some("FILE_NOT_FOUND"), "{path}: {result:?}");
        }
        let content = load_skill(&catalog, &disk, "outer").content;
        assert!(!content.contains("kept"), "{content}");
    }
}

#[test]
fn a_loose_skill_in_the_directory_of_another_is_its_own_too() {
    let mut disk = disk_with(&[
        ("s/outer/SKILL.md", skill("outer", "Outer.")),
        (
            "s/outer/more/held.md",
            skill_with("held", HELD_BACK, "SECRET"),
        ),
        (
            "s/outer/more/broken.md",
            format!("---\n{HELD_BACK}\t: [\n---\nSECRET\n"),
        ),
        ("s/outer/more/README.md", "OWN".to_owned()),
    ]);
    disk.link("s/outer/alias.md", "more/held.md");
    let both = catalog_of(&disk, vec![disk.source("s"), disk.source("s/outer/more")]);
    for catalog in [&both, &catalog_of(&disk, vec![one(&both, &disk, "outer")])] {
        for path in ["more/held.md", "more/broken.md", "alias.md"] {
            let result = read_file(catalog, &disk, "outer", path);
            assert_eq!(result.code(), Some("FILE_NOT_FOUND"), "{path}: {result:?}");
        }
        let result = read_file(catalog, &disk, "outer", "more/README.md");
        assert_eq!(result.content, "OWN", "it is no skill");
        let content = load_skill(catalog, &disk, "outer").content;
        assert!(
            !content.contains("held.md") && !content.contains("alias.md"),
            "{content}"
        );
    }
}

#[test]
fn the_directory_of_a_skill_from_code_may_hold_others() {
    let mut disk = outer_and_inner();
    disk.link("s/outer/alias", "deep/inner");
    let json = json!({ "name": "coded", "description": "From code.", "content": "Do it." });
    let spec = SkillSpec::from_json(&json.to_string()).unwrap();
    let coded = Source::defined(spec, Some(disk.place("s/outer")));
    let both = load_sources(&disk, vec![coded, disk.source("s")], nested()).unwrap();
    for catalog in [&both, &catalog_of(&disk, vec![one(&both, &disk, "coded")])] {
        for path in ["deep/inner/notes.md", "alias/notes.md"] {
            let result = read_file(catalog, &disk, "coded", path);
            assert_eq!(result.code(), Some("FILE_NOT_FOUND"), "{path}: {result:?}");
        }
    }
}

#[test]
fn a_link_to_a_directory_around_takes_no_files_away() {
    let mut disk = disk_with(&[
        ("s/a/SKILL.md", skill("a", "A.")),
        ("s/a/b/SKILL.md", skill("b", "B.")),
        ("s/a/b/own.md", "OWN".to_owned()),
    ]);
    disk.link("s/a/b/up", "/s/a");
    let options = LoadOptions {
        links: Links::All,
        ..nested()
    };
    let catalog = load_with(&disk, options);
    assert_eq!(read_file(&catalog, &disk, "b", "own.md").content, "OWN");
}

#[test]
fn a_catalog_as_a_source_keeps_its_winners() {
    let versioned = |version: u32| skill_with("x", &format!("version: {version}\n"), "X.");
    let mut disk = disk_with(&[
        ("z/x/SKILL.md", versioned(1)),
        ("a/x/SKILL.md", versioned(2)),
        ("a/y/SKILL.md", skill("y", "Y.")),
    ]);
    let first = catalog_of(&disk, vec![disk.source("z"), disk.source("a")]);
    let again = catalog_of(&disk, vec![Source::Catalog(first.clone())]);
    let view = catalog_of(
        &disk,
        vec![Source::Catalog(only(&again, &disk, &["x", "y"]))],
    );
    for catalog in [&first, &again, &view] {
        assert_eq!(
            path_of(catalog, &disk, "x").as_deref(),
            Some("/z/x/SKILL.md")
        );
        assert_eq!(
            path_of(catalog, &disk, "x@2").as_deref(),
            Some("/a/x/SKILL.md")
        );
        refresh(catalog, &disk);
        assert_eq!(
            path_of(catalog, &disk, "x").as_deref(),
            Some("/z/x/SKILL.md")
        );
    }
    // What takes another's name later wins over it nowhere.
    disk.write("a/x/SKILL.md", skill_with("y", "version: 9\n", "Not y."));
    refresh(&again, &disk);
    assert_eq!(
        path_of(&again, &disk, "y").as_deref(),
        Some("/a/y/SKILL.md")
    );
    assert_eq!(
        path_of(&again, &disk, "y@9").as_deref(),
        Some("/a/x/SKILL.md")
    );
}

#[test]
fn a_winner_from_code_stays_one() {
    let disk = disk_with(&[("s/x/SKILL.md", skill_with("x", "version: 2\n", "File."))]);
    let json = json!({ "name": "x", "description": "X.", "content": "Code.", "version": "1" });
    let spec = SkillSpec::from_json(&json.to_string()).unwrap();
    let coded = || Source::defined(spec.clone(), None);
    for (sources, expected) in [
        (vec![coded(), disk.source("s")], "Code."),
        (vec![disk.source("s"), coded()], "File."),
    ] {
        let first = catalog_of(&disk, sources);
        let again = catalog_of(&disk, vec![Source::Catalog(first.clone())]);
        assert_eq!(body(&first, &disk, "x").unwrap(), expected);
        assert_eq!(body(&again, &disk, "x").unwrap(), expected);
    }
}

/// Names of directories, each also a skill's name.
const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Skills in one another, some held back, with links between them.
fn tangled_disk() -> impl Strategy<Value = Disk> {
    let place = prop::collection::vec(prop::sample::select(NAMES.to_vec()), 1..4);
    let one = (place.clone(), any::<bool>());
    let link = (place.clone(), prop::sample::select(vec!["l", "m"]), place);
    let skills = prop::collection::vec(one, 1..6);
    let links = prop::collection::vec(link, 0..3);
    (skills, links).prop_map(|(skills, links)| {
        let mut disk = Disk::default();
        for (at, (place, is_held_back)) in skills.iter().enumerate() {
            let directory = format!("s/{}", place.join("/"));
            let name = format!("{}{at}", place.last().unwrap_or(&"a"));
            let (flag, word) = if *is_held_back {
                (HELD_BACK, "SECRET")
            } else {
                ("", "OPEN")
            };
            disk.write(
                &format!("{directory}/SKILL.md"),
                skill_with(&name, flag, word),
            );
            disk.write(&format!("{directory}/notes.md"), word);
        }
        for (place, name, target) in links {
            let path = format!("s/{}/{name}", place.join("/"));
            disk.link(&path, &format!("/s/{}", target.join("/")));
        }
        disk
    })
}

/// How a catalog is made of another one.
#[derive(Clone, Debug)]
enum Way {
    Whole,
    Only(Vec<String>),
    Each,
}

fn way() -> impl Strategy<Value = Way> {
    prop_oneof![
        Just(Way::Whole),
        prop::collection::vec("!?[a-f]\\*", 1..3).prop_map(Way::Only),
        Just(Way::Each),
    ]
}

fn derived(catalog: &Catalog, disk: &Disk, way: &Way, options: LoadOptions) -> Catalog {
    let sources = match way {
        Way::Whole => vec![Source::Catalog(catalog.clone())],
        Way::Only(patterns) => {
            let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
            vec![Source::Catalog(only(catalog, disk, &patterns))]
        }
        Way::Each => {
            let names = catalog.names();
            let names = names.iter().step_by(2);
            names.map(|name| one(catalog, disk, name)).collect()
        }
    };
    load_sources(disk, sources, options).expect("the catalog loads")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_way_out_of_a_catalog_opens_what_is_held_back(
        disk in tangled_disk(),
        ways in prop::collection::vec((way(), any::<bool>()), 0..3),
        links in prop::sample::select(vec![Links::Inside, Links::All, Links::Never]),
        host in prop::sample::select(vec![Abilities::FULL, Abilities::SMALLEST, Abilities::WITHOUT_OPEN]),
        refreshes in any::<bool>(),
    ) {
        let mut disk = disk;
        disk.abilities = host;
        let mut catalog = load_with(&disk, LoadOptions { links, ..nested() });
        for (way, nested) in &ways {
            let options = LoadOptions { links, nested: *nested, ..LoadOptions::default() };
            catalog = derived(&catalog, &disk, way, options);
            if refreshes {
                refresh(&catalog, &disk);
            }
        }
        let held_back: Vec<String> = disk
            .files()
            .filter(|(_, bytes)| bytes.windows(6).any(|window| window == b"SECRET"))
            .map(|(path, _)| path.to_owned())
            .collect();
        for name in catalog.names() {
            let is_closed = |result: &ToolResult| !result.content.contains("SECRET");
            prop_assert!(is_closed(&load_skill(&catalog, &disk, &name)));
            let Some(path) = path_of(&catalog, &disk, &name) else { continue };
            let directory = path.trim_start_matches('/').trim_end_matches("SKILL.md").to_owned();
            for file in &held_back {
                let by_name = file.strip_prefix(&directory).map(str::to_owned);
                let by_link = ["l", "m"].map(|link| {
                    let last = file.rsplit('/').next().unwrap_or_default();
                    format!("{link}/{last}")
                });
                for path in by_name.into_iter().chain(by_link) {
                    let result = read_file(&catalog, &disk, &name, &path);
                    prop_assert!(is_closed(&result), "{name} {path}: {result:?}");
                }
            }
        }
    }
}
