//! What holds for any bytes. Each module has a `check` that panics where it does not: cargo-fuzz
//! calls it with what it finds interesting, `tests/fuzz.rs` with random bytes, on any compiler.
#![allow(unreachable_pub, reason = "it is a module of tests too")]

#[path = "../../tests/support/disk.rs"]
#[allow(dead_code, reason = "a part of it is enough here")]
mod disk;
mod host;
mod input;
#[path = "../../tests/support/liar.rs"]
#[allow(dead_code, reason = "a part of it is enough here")]
mod liar;
#[path = "../../tests/support/shuffle.rs"]
pub(crate) mod shuffle;

pub mod archive_plan;
pub mod catalog;
pub mod discovery_index;
pub mod http_options;
pub mod path;
pub mod search;
pub mod session;
pub mod skill_file;
pub mod skill_servers;
pub mod slash_command;
pub mod stringify;
pub mod system_prompt;
pub mod tool_arguments;
pub mod validate;
