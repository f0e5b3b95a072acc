//! Every real skill is read as the oracle says.
#![cfg(not(target_arch = "wasm32"))]

mod corpus_folder;

use corpus_folder::Expected;
use sha2::{Digest, Sha256};
use skillshelf::front_matter::{self, BLOCK_LINE, Split};
use skillshelf::{Limits, Mode, yaml};

/// What is different from the oracle, in words.
fn differences(expected: &Expected, bytes: &[u8]) -> Vec<String> {
    let limits = Limits::default();
    let (block, body_start) =
        match front_matter::split(bytes, true, limits.front_matter, Mode::Lenient) {
            Split::Complete { block, body_start } => (block, body_start),
            Split::Fault(fault) if expected.status == "no-front-matter" => {
                assert_eq!(fault.code, front_matter::MISSING.code);
                return Vec::new();
            }
            Split::Fault(fault) => return vec![format!("fault: {} {}", fault.code, fault.message)],
            Split::Incomplete => return vec!["incomplete, though whole".to_owned()],
        };
    if expected.status != "ok" {
        return vec!["loads, though it should not".to_owned()];
    }
    let document = match yaml::read(block, BLOCK_LINE, Mode::Lenient, &limits) {
        Ok(document) => document,
        Err(fault) => return vec![format!("{} {:?}", fault.message, fault.position)],
    };
    let text = |key: &str| {
        document
            .fields
            .iter()
            .find(|field| field.key == key)
            .and_then(|field| field.text())
    };
    let mut differences = Vec::new();
    for (key, wanted) in [
        ("name", &expected.name),
        ("description", &expected.description),
    ] {
        let (found, wanted) = (text(key).map(str::trim), wanted.as_deref().map(str::trim));
        if found != wanted {
            differences.push(format!(
                "{key}:\n    found  {found:?}\n    wanted {wanted:?}"
            ));
        }
    }
    let keys: Vec<_> = document.fields.iter().map(|field| &field.key).collect();
    if keys != expected.keys.iter().collect::<Vec<_>>() {
        differences.push(format!(
            "keys:\n    found  {keys:?}\n    wanted {:?}",
            expected.keys
        ));
    }
    match front_matter::body(bytes, body_start) {
        Ok(body) => {
            let digest = hex(&Sha256::digest(body));
            if Some(&digest) != expected.body_sha256.as_ref() {
                differences.push("body".to_owned());
            }
        }
        Err(fault) => differences.push(fault.message.into_owned()),
    }
    differences
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

#[test]
fn every_file_is_read_as_the_oracle_says() {
    let Some(skills) = corpus_folder::skills() else {
        return;
    };
    let expected = corpus_folder::expected().expect("the oracle is beside the skills");
    assert_eq!(expected.len(), 3660);
    let mut report = Vec::new();
    for expected in &expected {
        for difference in differences(expected, &skills[&expected.path]) {
            report.push(format!("{}: {difference}", expected.path));
        }
    }
    assert!(
        report.is_empty(),
        "{} differences\n{}",
        report.len(),
        report.join("\n")
    );
}
