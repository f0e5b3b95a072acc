//! What JavaScript asks about archives.

use wasm_bindgen::prelude::wasm_bindgen;

use super::answer;
use crate::archive::{ArchiveFormat, ArchiveOptions, ArchivePlan};

/// What to stop at while an archive is read: an answer.
#[wasm_bindgen(js_name = archiveBounds)]
pub fn archive_bounds(options: &str) -> String {
    answer(ArchiveOptions::from_json(options))
}

/// Which kind of archive bytes are: `zip`, `gzip` or `tar`.
#[wasm_bindgen(js_name = archiveFormat)]
pub fn archive_format(beginning: &[u8]) -> Option<String> {
    ArchiveFormat::of(beginning).map(|format| format.as_str().to_owned())
}

/// How many bytes may come out of an archive of `packed` bytes: an answer.
#[wasm_bindgen(js_name = archiveRoom)]
pub fn archive_room(options: &str, packed: u32) -> String {
    answer(ArchiveOptions::from_json(options).map(|options| options.room(packed.into())))
}

/// What is unpacked of a list of entries: an answer.
#[wasm_bindgen(js_name = archivePlan)]
pub fn archive_plan(options: &str, listing: &str) -> String {
    answer(
        ArchiveOptions::from_json(options)
            .and_then(|options| ArchivePlan::from_json(&options, listing)),
    )
}

/// The refusal of an archive for a fault: an answer without a value.
#[wasm_bindgen(js_name = archiveRefusal)]
pub fn archive_refusal(options: &str, fault: &str) -> String {
    let options = ArchiveOptions::from_json(options);
    answer(options.and_then(|options| Err::<(), _>(options.refusal(fault))))
}
