//! Archives with any entries: what is taken of them can stand on any disk, and is as much as may be.

use skillshelf::{ArchiveOptions, ArchivePlan, Diagnostic, ToJson};

use super::input::{Input, quoted};

/// Pieces of names that are likely to be in each other's way, or to lead elsewhere.
const PIECES: [&str; 40] = [
    "/",
    "/",
    "/",
    "a",
    "A",
    "b",
    "SKILL.md",
    "skill.md",
    "é",
    "É",
    "ß",
    "ss",
    "ſ",
    "s",
    "σ",
    "ς",
    "µ",
    "μ",
    "İ",
    "..",
    ".",
    " ",
    "\\",
    ":",
    "\0",
    "\n",
    "nul",
    "COM1.txt",
    "__MACOSX",
    "._a",
    ".DS_Store",
    "\u{fffd}",
    "\u{202e}",
    "\u{2028}",
    "\u{a0}",
    "C:",
    "%2e%2e",
    "../",
    "./",
    "//",
];

/// So many of them are in any ordinary name.
const PLAIN: usize = 20;

/// An entry, as it is told to the core.
struct Entry {
    name: String,
    kind: &'static str,
    size: u64,
    encrypted: bool,
}

/// Plans what the bytes list.
pub fn check(data: &[u8]) {
    let mut input = Input::new(data);
    let limits = Limits::of(&mut input);
    let is_strict = input.below(4) == 3;
    let options = format!(
        r#"{{"strict":{is_strict},"limits":{{"entries":{},"bytes":{},"entryBytes":{},"ratio":{}}}}}"#,
        limits.entries, limits.bytes, limits.entry_bytes, limits.ratio
    );
    let options = ArchiveOptions::from_json(&options).expect("nothing is wrong with them");
    let is_skill = input.below(4) == 3;
    let packed = input.seed() % 4096;
    let count = input.below(7);
    let entries: Vec<Entry> = (0..count).map(|_| entry(&mut input)).collect();
    let listing = listing(&entries, packed, is_skill);

    let plan = ArchivePlan::from_json(&options, &listing);
    assert_eq!(plan, ArchivePlan::from_json(&options, &listing));
    match plan {
        Err(error) => {
            assert_eq!(error.code(), "ARCHIVE_REFUSED", "{error}");
            assert!(is_one_line(&error.to_string()), "{error}");
        }
        Ok(plan) => {
            assert!(entries.iter().all(|entry| !entry.encrypted));
            assert!(entries.len() <= limits.entries);
            assert!(!is_strict || plan.diagnostics.is_empty());
            let is_at_root = plan.files.iter().any(|file| file.path == "SKILL.md");
            assert!(!is_skill || is_at_root);
            check_sizes(&plan, &entries, &limits, options.room(packed));
            check_paths(&plan, &entries);
            plan.diagnostics.iter().for_each(check_finding);
        }
    }
    check_any(&options, &mut input);
}

struct Limits {
    entries: usize,
    bytes: u64,
    entry_bytes: u64,
    ratio: u64,
}

impl Limits {
    fn of(input: &mut Input<'_>) -> Self {
        Self {
            entries: input.pick(&[10_000, 10_000, 10_000, 5]),
            bytes: input.pick(&[4_000_000, 4_000_000, 4_000_000, 1_500]),
            entry_bytes: input.pick(&[2_000_000, 2_000_000, 2_000_000, 700]),
            ratio: input.pick(&[100, 1]),
        }
    }
}

fn entry(input: &mut Input<'_>) -> Entry {
    // Most names are in order, or an archive would rarely be taken.
    let pieces = if input.below(4) == 3 {
        &PIECES[..]
    } else {
        &PIECES[..PLAIN]
    };
    let count = 1 + input.below(5);
    let name: String = (0..count).map(|_| input.pick(pieces)).collect();
    let kinds = [
        "file",
        "file",
        "file",
        "file",
        "directory",
        "link",
        "special",
    ];
    let sizes = [0, 0, 10, 10, 700, 600_000, 1_500_000, u64::MAX >> 12];
    Entry {
        name,
        kind: input.pick(&kinds),
        size: sizes[input.below(24).saturating_sub(16)],
        encrypted: input.below(128) == 127,
    }
}

fn listing(entries: &[Entry], packed: u64, is_skill: bool) -> String {
    let entries = entries.iter().map(|entry| {
        let Entry {
            name,
            kind,
            size,
            encrypted,
        } = entry;
        let folded = if name.is_ascii() {
            String::new()
        } else {
            format!(r#","folded":{}"#, quoted(&name.to_uppercase()))
        };
        let name = quoted(name);
        format!(
            r#"{{"name":{name}{folded},"kind":"{kind}","target":{name},"size":{size},"encrypted":{encrypted}}}"#
        )
    });
    let entries: Vec<String> = entries.collect();
    let entries = entries.join(",");
    format!(r#"{{"packed":{packed},"skill":{is_skill},"entries":[{entries}]}}"#)
}

fn check_sizes(plan: &ArchivePlan, entries: &[Entry], limits: &Limits, room: u64) {
    let sizes: Vec<u64> = plan
        .files
        .iter()
        .map(|file| entries[file.entry].size)
        .collect();
    assert!(sizes.iter().all(|&size| size <= limits.entry_bytes));
    let total: u64 = sizes.iter().sum();
    assert!(total <= room && total <= limits.bytes, "{total} {room}");
}

fn check_paths(plan: &ArchivePlan, entries: &[Entry]) {
    let mut taken: Vec<String> = Vec::new();
    for (index, file) in plan.files.iter().enumerate() {
        let after = plan.files.get(index + 1);
        assert!(after.is_none_or(|after| file.entry < after.entry));
        let entry = &entries[file.entry];
        assert_eq!(entry.kind, "file");
        assert!(!entry.name.ends_with('/'), "{}", entry.name);
        check_path(&file.path);
        let path = on_any_disk(&file.path);
        for other in &taken {
            let is_apart = *other != path
                && !other.starts_with(&[&path, "/"].concat())
                && !path.starts_with(&[other, "/"].concat());
            assert!(is_apart, "{other:?} {path:?}");
        }
        taken.push(path);
    }
}

/// A path that stays below wherever it is put, and means there what it says.
fn check_path(path: &str) {
    let is_odd = |c: char| c.is_control() || matches!(c, '\\' | ':' | char::REPLACEMENT_CHARACTER);
    assert!(!path.contains(is_odd), "{path:?}");
    assert!(path.len() <= 4096, "{path:?}");
    for name in path.split('/') {
        let bare = name.trim_end_matches(['.', ' ']);
        assert!(!bare.is_empty(), "{path:?}");
        // Windows overlooks blanks there, and no other white space.
        let stem = bare.split('.').next().unwrap_or_default();
        let is_device =
            ["nul", "com1"].contains(&stem.trim_end_matches(' ').to_lowercase().as_str());
        assert!(!is_device, "{path:?}");
    }
    let last = path.rsplit('/').next().unwrap_or(path);
    assert!(!last.starts_with("._") && last != ".DS_Store", "{path:?}");
}

/// The path as the least discerning disk has it.
fn on_any_disk(path: &str) -> String {
    let names = path.split('/');
    let names: Vec<&str> = names
        .map(|name| name.trim_end_matches(['.', ' ']))
        .collect();
    names.join("/").to_uppercase().to_lowercase()
}

fn check_finding(found: &Diagnostic) {
    assert!(found.hint.is_some(), "{found:?}");
    assert!(is_one_line(&found.message), "{found:?}");
}

fn is_one_line(text: &str) -> bool {
    text.len() < 2000
        && !text.contains(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{202e}'))
}

/// What is no list of entries, and what is no fault, is refused too.
fn check_any(options: &ArchiveOptions, input: &mut Input<'_>) {
    let words = [
        "name", "kind", "entries", "file", "packed", "folded", "size", "what", "reason",
    ];
    let json = input.json(&words, 4);
    if let Ok(plan) = ArchivePlan::from_json(options, &json) {
        for file in &plan.files {
            check_path(&file.path);
        }
        assert!(plan.to_json().starts_with("{\"files\":["));
    }
    let refusal = options.refusal(&json);
    assert!(
        matches!(refusal.code(), "ARCHIVE_REFUSED" | "SOURCE_UNSUPPORTED"),
        "{refusal}"
    );
    assert!(is_one_line(&refusal.to_string()), "{refusal}");
}
