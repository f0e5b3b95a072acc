//! The real front matter read by a second YAML implementation, without a difference.
#![cfg(not(target_arch = "wasm32"))]

mod corpus_folder;

use std::collections::BTreeMap;

use skillshelf::front_matter::{self, Split};
use skillshelf::{Limits, Map, Mode, Value, yaml};

/// How a value differs from the second opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// No difference.
    Same,
    /// A number that would not print back as written: text here, a number there.
    NumberAsWritten,
    /// The second implementation refuses the block; here values were repaired.
    RefusedThereRepairedHere,
    /// The second implementation refuses the block; here it is fine.
    RefusedThereReadHere,
    /// Refused here, read there.
    RefusedHere,
    /// Anything else.
    Other,
}

fn number(number: &serde_yaml::Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

fn compare(ours: &Value, theirs: &serde_yaml::Value) -> Kind {
    use serde_yaml::Value as Theirs;
    match (ours, theirs) {
        (Value::Null, Theirs::Null) => Kind::Same,
        (Value::Bool(ours), Theirs::Bool(theirs)) if ours == theirs => Kind::Same,
        (Value::String(ours), Theirs::String(theirs)) if ours == theirs => Kind::Same,
        (Value::Number(ours), Theirs::Number(theirs))
            if ours.to_bits() == number(theirs).to_bits() =>
        {
            Kind::Same
        }
        (Value::String(ours), Theirs::Number(theirs)) if ours.parse() == Ok(number(theirs)) => {
            Kind::NumberAsWritten
        }
        (Value::List(ours), Theirs::Sequence(theirs)) if ours.len() == theirs.len() => ours
            .iter()
            .zip(theirs)
            .map(|(ours, theirs)| compare(ours, theirs))
            .max()
            .unwrap_or(Kind::Same),
        (Value::Map(Map(ours)), Theirs::Mapping(theirs)) if ours.len() == theirs.len() => {
            let pairs = ours.iter().zip(theirs);
            let kinds = pairs.map(|((key, ours), (their_key, theirs))| {
                let same_key = match their_key {
                    Theirs::String(text) => text == key,
                    Theirs::Number(number) => number.to_string() == *key,
                    _ => false,
                };
                if same_key {
                    compare(ours, theirs)
                } else {
                    Kind::Other
                }
            });
            kinds.max().unwrap_or(Kind::Same)
        }
        _ => Kind::Other,
    }
}

fn kind_of(block: &str) -> Kind {
    let ours = yaml::read(block, 2, Mode::Lenient, &Limits::default());
    let theirs = serde_yaml::from_str::<serde_yaml::Value>(block);
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => {
            let entries = ours
                .fields
                .into_iter()
                .map(|field| (field.key, field.value));
            compare(&Value::Map(Map(entries.collect())), &theirs)
        }
        (Ok(ours), Err(_)) => {
            let is_repaired =
                |finding: &skillshelf::Diagnostic| finding.code == yaml::REPAIRED.code;
            if ours.diagnostics.iter().any(is_repaired) {
                Kind::RefusedThereRepairedHere
            } else {
                Kind::RefusedThereReadHere
            }
        }
        (Err(_), Ok(_)) => Kind::RefusedHere,
        (Err(_), Err(_)) => Kind::Same,
    }
}

#[test]
fn every_block_reads_as_a_second_implementation_reads_it() {
    let Some(skills) = corpus_folder::skills() else {
        return;
    };
    let limits = Limits::default();
    let mut kinds: BTreeMap<Kind, Vec<&str>> = BTreeMap::new();
    for (path, bytes) in &skills {
        if let Split::Complete { block, .. } =
            front_matter::split(bytes, true, limits.front_matter, Mode::Lenient)
        {
            kinds.entry(kind_of(block)).or_default().push(path);
        }
    }
    // Not even the differences that are meant: the corpus has none of them.
    let same = kinds.remove(&Kind::Same).map_or(0, |paths| paths.len());
    assert!(kinds.is_empty(), "{kinds:#?}");
    assert_eq!(same, 3657);
}

#[test]
fn the_kinds_are_told_apart() {
    for (block, kind) in [
        ("a: 1\nb: [x, {c: true}]\n", Kind::Same),
        ("a: 1.10\n", Kind::NumberAsWritten),
        ("a: 1.0\nb: [007]\n", Kind::NumberAsWritten),
        ("a: b: c\n", Kind::RefusedThereRepairedHere),
        ("m: {\"a\": \"\\ud83e\"}\n", Kind::RefusedThereReadHere),
        ("- a\n", Kind::RefusedHere),
        ("a: &x b\n", Kind::Other),
    ] {
        assert_eq!(kind_of(block), kind, "{block:?}");
    }
}
