//! What hosts of skills over HTTP ask.

use wasm_bindgen::prelude::wasm_bindgen;

use super::answer;

use crate::digest;
use crate::discovery_index::{self, IndexPlan};
use crate::http_finding;
use crate::http_options::{HttpOptions, MemoryCacheOptions};
use crate::json::ToJson;
use crate::media_type;

/// How to fetch skills, with the defaults: an answer.
#[wasm_bindgen(js_name = httpOptions)]
pub fn http_options(options: &str) -> String {
    answer(HttpOptions::from_json(options))
}

/// How much a cache in memory keeps: an answer.
#[wasm_bindgen(js_name = memoryCacheOptions)]
pub fn memory_cache_options(options: &str) -> String {
    answer(MemoryCacheOptions::from_json(options))
}

/// The paths at which an index may be, as JSON text: a list, empty where the path is that of one.
#[wasm_bindgen(js_name = indexPaths)]
pub fn index_paths(path: &str) -> String {
    discovery_index::index_paths(path).to_json()
}

/// What an index of skills lists, as an answer. Takes how it is read as JSON text.
#[wasm_bindgen(js_name = indexPlan)]
pub fn index_plan(index: &[u8], reading: &str) -> String {
    answer(IndexPlan::of_index_json(index, reading))
}

/// The findings of a host's troubles, as an answer.
#[wasm_bindgen(js_name = httpFindings)]
pub fn http_findings(troubles: &str) -> String {
    answer(http_finding::http_findings(troubles))
}

/// Whether a `Content-Type` is that of a page for people.
#[wasm_bindgen(js_name = isPage)]
pub fn is_page(content_type: &str) -> bool {
    media_type::is_page(content_type)
}

/// Whether a file may be a page for people.
#[wasm_bindgen(js_name = mayBePage)]
pub fn may_be_page(path: &str) -> bool {
    media_type::may_be_page(path)
}

/// `sha256:` and the digest of bytes.
#[wasm_bindgen]
pub fn sha256(bytes: &[u8]) -> String {
    digest::sha256(bytes)
}
