//! Our reading of YAML against two other implementations, over front matter with deterministic
//! mutations: each kind of difference is one that `docs/yaml.md` explains.
//!
//! A few thousand mutations of front matter written for this run with every test;
//! `cargo xtask differential` runs more, with that of real skills where they are.
#![cfg(not(target_arch = "wasm32"))]

mod corpus_folder;
#[path = "yaml_peers/difference.rs"]
mod difference;
#[path = "yaml_peers/mutation.rs"]
mod mutation;
#[path = "yaml_peers/peers.rs"]
mod peers;
#[path = "support/shuffle.rs"]
#[allow(dead_code, reason = "nothing is put in another order here")]
mod shuffle;

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;

use serde_json::json;
use skillshelf::front_matter::{self, Split};
use skillshelf::{Limits, Mode};

use difference::{kinds_of, of_composed};
use mutation::{WRITTEN, composed, mutated};
use peers::Peers;
use shuffle::Numbers;

/// Mutations where nobody says how many.
const USUAL: usize = 4000;
/// One mutation of so many is a text of its own.
const COMPOSED: usize = 8;
/// Texts that are read at once.
const BATCH: usize = 500;
/// Examples that are kept of each kind.
const EXAMPLES: usize = 3;

/// A kind of difference: how often it was seen, and in what.
#[derive(Default)]
struct Seen {
    count: usize,
    examples: Vec<String>,
}

/// The front matter of real skills, where it is asked for.
fn corpus() -> Vec<String> {
    if std::env::var_os("DIFFERENTIAL_CORPUS").is_none() {
        return Vec::new();
    }
    let limits = Limits::default();
    let skills = corpus_folder::skills().unwrap_or_default();
    let block = |bytes: &Vec<u8>| match front_matter::split(
        bytes,
        true,
        limits.front_matter,
        Mode::Lenient,
    ) {
        Split::Complete { block, .. } => Some(block.to_owned()),
        _ => None,
    };
    skills.values().filter_map(block).collect()
}

/// The kinds that `docs/yaml.md` explains: the first cell of each row of its last table.
fn explained() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/yaml.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let kinds = rows.filter_map(|row| Some(row.split_once("` |")?.0.to_owned()));
    kinds.collect()
}

fn is_explained(kind: &str, explained: &[String]) -> bool {
    explained.iter().any(|known| match known.strip_suffix('…') {
        Some(beginning) => kind.starts_with(beginning),
        None => kind == known,
    })
}

#[test]
fn every_difference_to_other_implementations_is_explained() {
    let Some(mut peers) = Peers::start() else {
        return;
    };
    let mutations = std::env::var("DIFFERENTIAL_MUTATIONS").ok();
    let mutations = mutations.map_or(USUAL, |given| given.parse().expect("a number"));
    let seed = std::env::var("DIFFERENTIAL_SEED").ok();
    let seed: u64 = seed.map_or(0, |given| given.parse().expect("a number"));
    let is_told = std::env::var_os("DIFFERENTIAL_PROGRESS").is_some();
    let mut blocks: Vec<String> = WRITTEN.iter().map(|&block| block.to_owned()).collect();
    blocks.append(&mut corpus());
    let as_they_are = blocks.len();

    let mut kinds: BTreeMap<String, Seen> = BTreeMap::new();
    let all = as_they_are + mutations;
    let is_composed = |at: usize| at >= as_they_are && (at - as_they_are).is_multiple_of(COMPOSED);
    let text_of = |at: usize| match blocks.get(at) {
        Some(block) => block.clone(),
        None => {
            let number = (at - as_they_are) as u64;
            let of_seed = number.wrapping_add(seed << 32);
            let mut numbers = Numbers::new(of_seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
            if is_composed(at) {
                return composed(&mut numbers);
            }
            let block = numbers.below(blocks.len());
            mutated(&blocks[block], &mut numbers)
        }
    };
    let (mut at, mut same, mut read) = (0, 0, 0);
    while at < all {
        let end = (at + BATCH).min(all);
        let texts: Vec<String> = (at..end).map(text_of).collect();
        peers.ask(&texts);
        // Ours is read while the others read theirs.
        let ours: Vec<_> = texts
            .iter()
            .map(|text| difference::Ours::read(text))
            .collect();
        let theirs = peers.answers();
        for (index, ((text, ours), theirs)) in texts.iter().zip(&ours).zip(theirs).enumerate() {
            let mut found = kinds_of(text, ours, &theirs);
            if is_composed(at + index) {
                found = of_composed(found);
            }
            if found.is_empty() {
                same += 1;
                read += usize::from(ours.is_read());
            }
            for kind in found {
                let seen = kinds.entry(kind).or_default();
                seen.count += 1;
                if seen.examples.len() < EXAMPLES {
                    seen.examples.push(text.clone());
                }
            }
        }
        at = end;
        if is_told && (at % 20_000 < BATCH || at == all) {
            let _ = writeln!(io::stderr(), "{at} of {all} texts, {} kinds", kinds.len());
        }
    }
    let explained = explained();
    if std::env::var_os("DIFFERENTIAL_JSON").is_some() {
        let told: BTreeMap<&String, usize> = kinds
            .iter()
            .map(|(kind, seen)| (kind, seen.count))
            .collect();
        println!(
            "{}",
            json!({ "texts": all, "mutations": mutations, "seed": seed, "same": same, "read": read, "kinds": told })
        );
    } else {
        println!(
            "{all} texts, {mutations} of them mutations; {same} come to the same, {read} of these to a value"
        );
        for (kind, seen) in &kinds {
            println!("{:>8} {kind}", seen.count);
        }
    }
    kinds.retain(|kind, _| !is_explained(kind, &explained));
    for (kind, seen) in &kinds {
        let _ = writeln!(io::stderr(), "UNEXPLAINED {kind} ({})", seen.count);
        for example in &seen.examples {
            let _ = writeln!(io::stderr(), "    {example:?}");
        }
    }
    assert!(
        kinds.is_empty(),
        "{} kinds that docs/yaml.md does not explain",
        kinds.len()
    );
}
