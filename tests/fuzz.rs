//! The targets of `fuzz/` with random bytes: so many that it takes some seconds, or as many as
//! `FUZZ_ITERATIONS` says.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../fuzz/src/lib.rs"]
mod fuzz;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use fuzz::shuffle::Numbers;

/// Longer inputs are rarely of another kind.
const LONGEST: usize = 600;

fn drive(check: fn(&[u8]), iterations: u64) {
    let told = std::env::var("FUZZ_ITERATIONS").ok();
    let iterations = told.map_or(iterations, |told| told.parse().expect("a number"));
    for seed in 0..iterations {
        let mut numbers = Numbers::new(seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
        let length = numbers.below(LONGEST);
        let data: Vec<u8> = (0..length)
            .map(|_| u8::try_from(numbers.below(256)).unwrap_or_default())
            .collect();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(&data))) {
            eprintln!("input {seed}: {data:?}");
            resume_unwind(panic);
        }
    }
}

#[test]
fn skill_file() {
    drive(fuzz::skill_file::check, 6000);
}

#[test]
fn validate() {
    drive(fuzz::validate::check, 6000);
}

#[test]
fn catalog() {
    drive(fuzz::catalog::check, 2500);
}

#[test]
fn search() {
    drive(fuzz::search::check, 1000);
}

#[test]
fn session() {
    drive(fuzz::session::check, 800);
}

#[test]
fn skill_servers() {
    drive(fuzz::skill_servers::check, 800);
}

#[test]
fn slash_command() {
    drive(fuzz::slash_command::check, 800);
}

#[test]
fn system_prompt() {
    drive(fuzz::system_prompt::check, 3000);
}

#[test]
fn archive_plan() {
    drive(fuzz::archive_plan::check, 4000);
}

#[test]
fn discovery_index() {
    drive(fuzz::discovery_index::check, 3000);
}

#[test]
fn http_options() {
    drive(fuzz::http_options::check, 2500);
}

#[test]
fn path() {
    drive(fuzz::path::check, 6000);
}

#[test]
fn tool_arguments() {
    drive(fuzz::tool_arguments::check, 6000);
}

#[test]
fn stringify() {
    drive(fuzz::stringify::check, 3000);
}
