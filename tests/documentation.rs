//! ARCHITECTURE.md shows the way through the sources as they are.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md");
    fs::read_to_string(path).expect("the page is there")
}

/// What stands in backquotes.
fn code_spans(page: &str) -> BTreeSet<&str> {
    page.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_file_that_it_names_is_there() {
    let page = page();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let roots = ["src/", "pkg-template/", "tests/", "xtask/"];
    let is_path = |span: &&str| {
        roots.iter().any(|root| span.starts_with(root)) && !span.contains(char::is_whitespace)
    };
    let mut count = 0;
    for path in code_spans(&page).into_iter().filter(is_path) {
        assert!(root.join(path).exists(), "there is no {path}");
        count += 1;
    }
    assert!(count > 40, "{count}");
}

#[test]
fn it_names_every_module() {
    let page = page();
    let spans = code_spans(&page);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(sources).expect("the sources are there") {
        let name = entry.expect("an entry can be read").file_name();
        let name = name.to_string_lossy();
        if name.ends_with(".rs") && name != "lib.rs" {
            let path = format!("src/{name}");
            assert!(spans.contains(path.as_str()), "{path} is not named");
        }
    }
}
