#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| skillshelf_fuzz::tool_arguments::check(data));
