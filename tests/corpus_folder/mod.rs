//! The corpus of real skills, where it is there: `SKILLSHELF_CORPUS`, or `../shared/corpus` beside
//! the crate.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::PathBuf;
use std::thread;

use flate2::read::GzDecoder;

/// What the oracle says of one file.
#[derive(serde::Deserialize)]
#[allow(dead_code, reason = "each test reads its own part")]
pub(crate) struct Expected {
    /// The path in the corpus.
    pub(crate) path: String,
    /// `ok` or `no-front-matter`
    pub(crate) status: String,
    /// The name, as written.
    pub(crate) name: Option<String>,
    /// The description; compared trimmed.
    pub(crate) description: Option<String>,
    /// The top-level keys, in order.
    #[serde(default)]
    pub(crate) keys: Vec<String>,
    /// Of the trimmed body.
    pub(crate) body_sha256: Option<String>,
}

/// The folder, or a line that says what is skipped, and where the corpus was looked for. It goes past
/// the test harness, which keeps back what a test prints that passes.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("SKILLSHELF_CORPUS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
        PathBuf::from,
    );
    if folder.join("skills.tar.gz").is_file() {
        return Some(folder);
    }
    let _ = writeln!(
        io::stderr(),
        "SKIPPED {}: there is no corpus in {} (set SKILLSHELF_CORPUS)",
        thread::current().name().unwrap_or_default(),
        folder.display()
    );
    None
}

/// All `SKILL.md` files, in whatever case, by their path in the corpus.
pub(crate) fn skills() -> Option<BTreeMap<String, Vec<u8>>> {
    let archive = File::open(folder()?.join("skills.tar.gz")).expect("the archive opens");
    let mut archive = tar::Archive::new(GzDecoder::new(archive));
    let mut skills = BTreeMap::new();
    for entry in archive.entries().expect("the archive is a tar") {
        let mut entry = entry.expect("the entry is whole");
        let path = entry
            .path()
            .expect("the path is text")
            .to_string_lossy()
            .into_owned();
        if path.to_ascii_lowercase().ends_with("/skill.md") {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).expect("the entry is whole");
            skills.insert(path.trim_start_matches("./").to_owned(), bytes);
        }
    }
    Some(skills)
}

/// What the oracle says, line by line.
#[allow(dead_code, reason = "not every test asks the oracle")]
pub(crate) fn expected() -> Option<Vec<Expected>> {
    let file = File::open(folder()?.join("expected.jsonl.gz")).expect("the oracle opens");
    let mut text = String::new();
    GzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("the oracle is text");
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).expect("a line is JSON"))
            .collect(),
    )
}
