//! The commands of this repository: `cargo xtask build | pack | docs | test | demo | playground | bench | size |
//! differential`.

mod adapters;
mod arguments;
mod bench;
mod browser;
mod crates;
mod debian;
mod demo;
mod differential;
mod help;
mod licenses;
mod module;
mod npm;
mod package;
mod parts;
mod playground;
mod process;
mod project;
mod reference;
mod runtimes;
mod supply;
mod test;
mod toolchain;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;

use crate::arguments::{Arguments, Command};
use crate::toolchain::WasmToolchain;
use crate::workspace::Workspace;

fn main() -> ExitCode {
    match Arguments::parse(std::env::args().skip(1)).and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<()> {
    let workspace = Workspace::find()?;
    let toolchain = || WasmToolchain::set_up(arguments.toolchain);
    match arguments.command {
        Command::Help(topic) => help::print(&workspace, topic)?,
        Command::Build => drop(package::build(&workspace, toolchain()?)?),
        Command::Pack => drop(package::build_and_pack(&workspace, toolchain()?)?),
        Command::Docs => reference::build(&workspace, toolchain()?)?,
        Command::Test(parts) => test::run(&workspace, &parts, arguments.toolchain)?,
        Command::Demo(demo) => demo::run(&workspace, toolchain()?, &demo)?,
        Command::Playground { port } => playground::run(&workspace, toolchain()?, port)?,
        Command::Differential(asked) => differential::run(&workspace, &asked)?,
        Command::Size => parts::print(&workspace, toolchain()?)?,
        Command::Bench(rest) => bench::run(&workspace, toolchain()?, &rest)?,
    }
    Ok(())
}
