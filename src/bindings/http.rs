//! What hosts of skills over HTTP ask.

use wasm_bindgen::prelude::wasm_bindgen;

use super::answer;

use crate::digest;
use crate::discovery_index::{Plan, Trouble};
use crate::http_options::HttpOptions;

/// How to fetch skills, with the defaults: an answer.
#[wasm_bindgen(js_name = httpOptions)]
pub fn http_options(options: &str) -> String {
    answer(HttpOptions::from_json(options))
}

/// What an index of skills lists, as an answer. Takes what else is known of it as JSON text.
#[wasm_bindgen(js_name = discoveryPlan)]
pub fn discovery_plan(index: &[u8], facts: &str) -> String {
    answer(Plan::of_index_json(index, facts))
}

/// The finding of a host's trouble, as an answer.
#[wasm_bindgen(js_name = httpFinding)]
pub fn http_finding(trouble: &str) -> String {
    answer(Trouble::finding_json(trouble))
}

/// `sha256:` and the digest of bytes.
#[wasm_bindgen]
pub fn sha256(bytes: &[u8]) -> String {
    digest::sha256(bytes)
}
