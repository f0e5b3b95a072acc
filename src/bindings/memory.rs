//! Room in the module's memory, made in large steps.
//!
//! The allocator asks for 64 KiB at a time. Each time the memory grows, the engine gives JavaScript
//! another buffer and is prompted to collect garbage: over a scan of 10,000 skills that was as long
//! as everything else together.

use core::arch::wasm32::memory_size;
use std::hint::black_box;

const PAGE: usize = 65_536;
/// In pages: room for a batch of skills.
const LEAST: usize = 16;

/// Watches whether the memory grows.
#[derive(Default)]
pub(super) struct Room {
    /// Pages, when it was last looked at.
    pages: usize,
}

impl Room {
    /// Makes room where the last was used up: a sixteenth of what there is.
    pub(super) fn make(&mut self) {
        let pages = memory_size(0);
        let is_used_up = self.pages > 0 && pages > self.pages;
        self.pages = pages;
        if is_used_up {
            // What is freed stays with the allocator, and pages that nobody touches cost nothing.
            drop(black_box(Vec::<u8>::with_capacity(
                (pages / 16).max(LEAST) * PAGE,
            )));
            self.pages = memory_size(0);
        }
    }
}
