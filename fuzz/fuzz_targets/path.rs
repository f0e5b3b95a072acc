#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| skillshelf_fuzz::path::check(data));
