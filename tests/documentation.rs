//! Pages name what is there: ARCHITECTURE.md and CONTRIBUTING.md show the way through the sources as they
//! are, SECURITY.md and the page of faults tests by their whole titles.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).expect("the page is there")
}

/// What stands in backquotes.
fn code_spans(page: &str) -> BTreeSet<&str> {
    spans_in_order(page).collect()
}

fn spans_in_order(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The Rust sources below `folder`, those in folders of it too.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether `source` has an item of this name: what introduces an item, then the name, whole.
fn defines(source: &str, keywords: &[&str], name: &str) -> bool {
    keywords.iter().any(|keyword| {
        let item = format!("{keyword} {name}");
        source.match_indices(&item).any(|(start, _)| {
            let before = source.get(..start).and_then(|text| text.chars().last());
            let after = source
                .get(start + item.len()..)
                .and_then(|text| text.chars().next());
            let ends = |c: char| !c.is_ascii_alphanumeric() && c != '_';
            before.is_none_or(ends) && after.is_none_or(ends)
        })
    })
}

const TYPES: [&str; 5] = ["struct", "enum", "trait", "type", "impl"];
const ITEMS: [&str; 8] = [
    "fn", "const", "static", "struct", "enum", "trait", "type", "mod",
];

/// Whether a path such as `call::result` or `Catalog::call` leads to an item of the sources.
fn leads_to_an_item(span: &str, sources: &[(PathBuf, String)]) -> bool {
    let Some((owner, item)) = span.rsplit_once("::") else {
        return false;
    };
    let owner = owner.rsplit("::").next().unwrap_or(owner);
    let is_type = owner.starts_with(|c: char| c.is_ascii_uppercase());
    sources.iter().any(|(path, source)| {
        let is_owner = if is_type {
            defines(source, &TYPES, owner)
        } else {
            path.file_stem().is_some_and(|stem| stem == owner) || path.ends_with(owner)
        };
        is_owner && defines(source, &ITEMS, item)
    })
}

#[test]
fn every_file_that_it_names_is_there() {
    let page = page("ARCHITECTURE.md");
    let roots = ["src/", "pkg-template/", "tests/", "xtask/"];
    let is_path = |span: &&str| {
        roots.iter().any(|root| span.starts_with(root)) && !span.contains(char::is_whitespace)
    };
    let mut count = 0;
    for path in code_spans(&page).into_iter().filter(is_path) {
        assert!(root().join(path).exists(), "there is no {path}");
        count += 1;
    }
    assert!(count > 40, "{count}");
}

#[test]
fn every_item_that_the_pages_name_is_there() {
    let sources: Vec<(PathBuf, String)> = sources(&root().join("src"))
        .into_iter()
        .map(|path| {
            let source = fs::read_to_string(&path).expect("a source is text");
            (path, source)
        })
        .collect();
    let mut count = 0;
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let page = page(name);
        let is_item = |span: &&str| span.contains("::") && span.split("::").all(is_identifier);
        for span in code_spans(&page).into_iter().filter(is_item) {
            assert!(
                leads_to_an_item(span, &sources),
                "{name}: there is no {span}"
            );
            count += 1;
        }
    }
    assert!(count > 4, "{count}");
    assert!(!leads_to_an_item("index::render", &sources));
    assert!(!leads_to_an_item("Catalog::render", &sources));
}

/// Checks that the files that a cell of a table names are there, and that each has the tests whose titles
/// stand after it, whole. Tells how many titles there are.
fn check_tests(cell: &str) -> usize {
    let is_file = |span: &str| {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "./_-".contains(c);
        span.contains('.') && !span.contains("::") && span.chars().all(is_word)
    };
    let mut count = 0;
    let mut source = None;
    // Titles stand in quotes, and may have backquotes in them.
    for (place, part) in cell.split(['“', '”']).enumerate() {
        if place % 2 == 0 {
            for file in spans_in_order(part).filter(|span| is_file(span)) {
                let text = fs::read_to_string(root().join(file));
                assert!(text.is_ok(), "there is no {file}");
                source = text.ok().map(|text| (file, text));
            }
            continue;
        }
        let (file, text) = source.as_ref().expect("a file stands before its titles");
        let whole = ["\"{}\"", "`{}`", "fn {}("].map(|form| form.replace("{}", part));
        let is_there = whole.iter().any(|form| text.contains(form));
        assert!(is_there, "{file} has no test “{part}”");
        count += 1;
    }
    count
}

/// The cells of one column of a page's tables.
fn column(page: &str, at: usize) -> impl Iterator<Item = &str> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    rows.filter_map(move |row| row.split('|').nth(at))
}

#[test]
fn every_test_that_the_page_of_faults_names_is_there() {
    let page = page("docs/loader-faults.md");
    let count: usize = column(&page, 3).map(check_tests).sum();
    assert!(count > 100, "{count}");
}

#[test]
fn every_test_that_holds_a_promise_is_there() {
    let page = page("SECURITY.md");
    let (_, promised) = page.split_once("## What is promised").expect("it is there");
    let (promised, _) = promised.split_once("\n## ").expect("it has an end");
    let rows = column(promised, 2).filter(|cell| cell.contains('`'));
    let mut promises = 0;
    let mut titles = 0;
    for cell in rows {
        promises += 1;
        titles += check_tests(cell);
    }
    assert!(promises > 30 && titles > 20, "{promises} {titles}");
}

#[test]
fn it_names_every_module() {
    let page = page("ARCHITECTURE.md");
    let spans = code_spans(&page);
    for path in sources(&root().join("src")) {
        let path = path.strip_prefix(root()).expect("it is below the root");
        let path = path.to_string_lossy().replace('\\', "/");
        // The root of the crate, and tests that are a file beside what they test.
        if path == "src/lib.rs" || path.ends_with("/tests.rs") {
            continue;
        }
        assert!(spans.contains(path.as_str()), "{path} is not named");
    }
}
