#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| skillshelf_fuzz::http_options::check(data));
