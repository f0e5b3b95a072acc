//! What the command and tools beside it ask.

use wasm_bindgen::prelude::wasm_bindgen;

use super::answer;
use crate::json::ToJson;
use crate::text::estimated_tokens;
use crate::{advice, hidden, mend, near};

/// Text that may be shown in a terminal.
#[wasm_bindgen]
pub fn escaped(text: &str) -> String {
    hidden::escaped(text)
}

/// The name, of those on the lines of a text, that looks most like one that is not there.
#[wasm_bindgen(js_name = nearName)]
pub fn near_name(wanted: &str, names: &str) -> Option<String> {
    near::near(wanted, names.split('\n')).into_iter().next()
}

/// A skill file with what can safely be mended, as JSON text; nothing where there is nothing.
#[wasm_bindgen(js_name = mendSkill)]
pub fn mend_skill(file: &[u8]) -> Option<String> {
    mend::mend(file).map(|mended| mended.to_json())
}

/// About how many tokens a text is.
#[wasm_bindgen(js_name = estimateTokens)]
pub fn estimate_tokens(text: &str) -> usize {
    estimated_tokens(text)
}

/// The hints for the skills of one catalog: an answer.
#[wasm_bindgen(js_name = similarDescriptions)]
pub fn similar_descriptions(shelf: &str) -> String {
    answer(advice::similar_descriptions(shelf))
}
