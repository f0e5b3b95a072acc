//! The targets of `fuzz/` with inputs that were kept of long runs (`fuzz/kept/`), and with random bytes: so
//! many that it takes some seconds; or with all of them, and as many random ones as `FUZZ_ITERATIONS` says.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../fuzz/src/lib.rs"]
mod fuzz;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use fuzz::shuffle::Numbers;

/// Longer inputs are rarely of another kind.
const LONGEST: usize = 600;

/// So many of the kept inputs are enough for every day, from all over the list.
const KEPT: usize = 200;

fn drive(target: &str, check: fn(&[u8]), iterations: u64) {
    let told = std::env::var("FUZZ_ITERATIONS").ok();
    let kept = kept(target);
    assert!(!kept.is_empty(), "nothing is kept for {target}");
    let step = told.as_ref().map_or(kept.len().div_ceil(KEPT), |_| 1);
    for data in kept.iter().step_by(step) {
        check_one(check, data, "kept");
    }
    let iterations = told.map_or(iterations, |told| told.parse().expect("a number"));
    for seed in 0..iterations {
        let mut numbers = Numbers::new(seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
        let length = numbers.below(LONGEST);
        let data: Vec<u8> = (0..length)
            .map(|_| u8::try_from(numbers.below(256)).unwrap_or_default())
            .collect();
        check_one(check, &data, &seed.to_string());
    }
}

fn check_one(check: fn(&[u8]), data: &[u8], name: &str) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(data))) {
        eprintln!("input {name}: {data:?}");
        resume_unwind(panic);
    }
}

/// The inputs that libFuzzer found to go different ways: one a line, in hexadecimal.
fn kept(target: &str) -> Vec<Vec<u8>> {
    let file = format!("{}/fuzz/kept/{target}.txt", env!("CARGO_MANIFEST_DIR"));
    let lines = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    lines.lines().map(bytes_of).collect()
}

fn bytes_of(line: &str) -> Vec<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16).expect("a hexadecimal digit");
    let pairs = line.as_bytes().chunks(2);
    let byte = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(digit(*high) * 16 + digit(*low)).unwrap_or_default(),
        _ => panic!("{line} has half a byte"),
    };
    pairs.map(byte).collect()
}

#[test]
fn skill_file() {
    drive("skill_file", fuzz::skill_file::check, 6000);
}

#[test]
fn validate() {
    drive("validate", fuzz::validate::check, 6000);
}

#[test]
fn catalog() {
    drive("catalog", fuzz::catalog::check, 2500);
}

#[test]
fn search() {
    drive("search", fuzz::search::check, 1000);
}

#[test]
fn session() {
    drive("session", fuzz::session::check, 800);
}

#[test]
fn skill_servers() {
    drive("skill_servers", fuzz::skill_servers::check, 800);
}

#[test]
fn slash_command() {
    drive("slash_command", fuzz::slash_command::check, 800);
}

#[test]
fn system_prompt() {
    drive("system_prompt", fuzz::system_prompt::check, 3000);
}

#[test]
fn archive_plan() {
    drive("archive_plan", fuzz::archive_plan::check, 4000);
}

#[test]
fn discovery_index() {
    drive("discovery_index", fuzz::discovery_index::check, 3000);
}

#[test]
fn http_options() {
    drive("http_options", fuzz::http_options::check, 2500);
}

#[test]
fn path() {
    drive("path", fuzz::path::check, 6000);
}

#[test]
fn tool_arguments() {
    drive("tool_arguments", fuzz::tool_arguments::check, 6000);
}

#[test]
fn stringify() {
    drive("stringify", fuzz::stringify::check, 3000);
}
