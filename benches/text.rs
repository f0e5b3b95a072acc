//! What reading front matter costs natively: `cargo bench --bench text`.
//!
//! Figures are for one run over the corpus (`SKILLSHELF_CORPUS`, or `../shared/corpus`).

use std::hint::black_box;
use std::time::{Duration, Instant};

use skillshelf::front_matter::{self, Split};
use skillshelf::{Limits, Mode, hidden, yaml};

#[path = "../tests/corpus_folder/mod.rs"]
mod corpus_folder;

/// What a scan reads of each file at first, as `src/front_reader.rs` has it.
const FRONT: usize = 1536;
const ROUNDS: u32 = 20;

fn main() {
    let Some(skills) = corpus_folder::skills() else {
        return;
    };
    let limits = Limits::default();
    let files: Vec<Vec<u8>> = skills.into_values().collect();
    let fronts: Vec<&[u8]> = files
        .iter()
        .map(|file| &file[..file.len().min(FRONT)])
        .collect();
    let blocks: Vec<&str> = fronts
        .iter()
        .filter_map(|front| {
            match front_matter::split(front, false, limits.front_matter, Mode::Lenient) {
                Split::Complete { block, .. } => Some(block),
                _ => None,
            }
        })
        .collect();
    let bodies: Vec<&str> = files
        .iter()
        .filter_map(|file| std::str::from_utf8(file).ok())
        .collect();
    let bytes: usize = blocks.iter().map(|block| block.len()).sum();
    println!(
        "{} files, {} blocks, {} bytes of front matter",
        files.len(),
        blocks.len(),
        bytes
    );

    report("split", fronts.len(), || {
        for front in &fronts {
            black_box(front_matter::split(
                front,
                false,
                limits.front_matter,
                Mode::Lenient,
            ));
        }
    });
    report("yaml::read", blocks.len(), || {
        for block in &blocks {
            black_box(yaml::read(block, 2, Mode::Lenient, &limits).is_ok());
        }
    });
    // The mark of a document's beginning says nothing, but the shortcut leaves it to the parser.
    let marked: Vec<String> = blocks
        .iter()
        .map(|block| ["---\n", block].concat())
        .collect();
    let is_read = |block: &&String| yaml::read(block, 1, Mode::Lenient, &limits).is_ok();
    assert_eq!(marked.iter().filter(is_read).count(), blocks.len());
    report("yaml::read, by the parser", marked.len(), || {
        for block in &marked {
            black_box(yaml::read(block, 1, Mode::Lenient, &limits).is_ok());
        }
    });
    report("serde_yaml, for comparison", blocks.len(), || {
        for block in &blocks {
            black_box(serde_yaml::from_str::<serde_yaml::Value>(block).is_ok());
        }
    });
    report("hidden::find, whole files", bodies.len(), || {
        for body in &bodies {
            black_box(hidden::find(body).count());
        }
    });
}

/// Prints the best of a few rounds, per file and for ten thousand.
fn report(name: &str, files: usize, mut work: impl FnMut()) {
    let best = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .min()
        .unwrap_or(Duration::ZERO);
    let count = u32::try_from(files).map_or(f64::INFINITY, f64::from);
    let each = best.as_secs_f64() * 1e6 / count;
    println!(
        "{name:<28} {each:8.2} µs a file {:8.1} ms for 10,000",
        each * 10.0
    );
}
