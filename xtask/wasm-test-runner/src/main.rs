//! What cargo starts for each test file compiled to WebAssembly: wasm-bindgen's own runner.
//!
//! It is a crate of its own because it is heavy and only `cargo xtask test` needs it.

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())
}
