//! Each rule is declared once, and `docs/diagnostics.md` lists them all as they are.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The texts of all files of a folder that end in `ending`.
fn sources(folder: &Path, ending: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            texts.append(&mut sources(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            texts.push(fs::read_to_string(path).expect("a source is text"));
        }
    }
    texts
}

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// What stands between `before` and the next quote, wherever `before` stands.
fn quoted_after<'a>(text: &'a str, before: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(before)
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
}

/// Every declaration of a rule: its code, and its severities when loading and when validating.
fn declared() -> Vec<(String, [&'static str; 2])> {
    let kinds = [
        ("Rule::error(\"", ["error", "error"]),
        ("Rule::tolerated(\"", ["warning", "error"]),
        ("Rule::warning(\"", ["warning", "warning"]),
        ("Rule::noted(\"", ["info", "warning"]),
        ("Rule::info(\"", ["info", "info"]),
    ];
    let mut rules = Vec::new();
    for text in sources(&folder("src"), ".rs") {
        for (before, severities) in kinds {
            for code in quoted_after(&text, before) {
                rules.push((code.to_owned(), severities));
            }
        }
    }
    rules
}

/// The cells of each row that begins with a code.
fn rows(page: &str) -> impl Iterator<Item = Vec<&str>> {
    page.lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.split('|').map(str::trim).collect())
}

#[test]
fn no_code_is_declared_twice() {
    let mut seen = BTreeSet::new();
    for (code, _) in declared() {
        assert!(seen.insert(code.clone()), "{code} is declared twice");
    }
    assert!(seen.len() > 60, "{}", seen.len());
}

#[test]
fn the_page_lists_every_diagnostic_with_its_severities() {
    let page = file("docs/diagnostics.md");
    let (diagnostics, _) = page.split_once("\n## Errors\n").expect("errors come last");
    let mut listed = BTreeMap::new();
    for row in rows(diagnostics) {
        let ["", code, loading, validating, meaning, remedy, ""] = row.as_slice() else {
            panic!("{row:?}")
        };
        assert!(meaning.ends_with('.') && remedy.ends_with('.'), "{code}");
        let code = code.trim_matches('`').to_owned();
        let before = listed.insert(code.clone(), [*loading, *validating]);
        assert_eq!(before, None, "{code} is listed twice");
    }
    for (code, severities) in declared() {
        let found = listed.remove(&code);
        assert_eq!(found, Some(severities), "{code}");
    }
    assert!(listed.is_empty(), "these are no codes: {listed:?}");
}

#[test]
fn the_page_lists_every_error() {
    let page = file("docs/diagnostics.md");
    let (_, errors) = page.split_once("\n## Errors\n").expect("errors come last");
    let listed: BTreeSet<_> = rows(errors)
        .filter_map(|row| row.get(1).copied())
        .flat_map(|codes| codes.split('`').skip(1).step_by(2))
        .collect();
    let types = file("pkg-template/src/types.ts");
    let (_, union) = types.split_once("type ErrorCode =").expect("it is a type");
    let union = union.split(';').next().unwrap_or_default();
    let wanted: BTreeSet<_> = union.split('"').skip(1).step_by(2).collect();
    assert_eq!(listed, wanted);
}
