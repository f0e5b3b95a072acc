//! What can be said on the command line, told at once: nothing is built or installed for it.

use anyhow::Result;

use crate::arguments::{Program, Topic, USAGE};
use crate::npm;
use crate::process::Process;
use crate::workspace::Workspace;

/// Prints what `cargo xtask` takes, or one command of it, or a program that it runs.
pub(crate) fn print(workspace: &Workspace, topic: Topic) -> Result<()> {
    let (command, module) = match topic {
        Topic::Everything => {
            println!("{USAGE}");
            return Ok(());
        }
        Topic::Command(usage) => {
            println!("{usage}");
            return Ok(());
        }
        Topic::Program(Program::Agent) => (
            "demo [--skills PATH] [ARGUMENT…]",
            "examples/agent/usage.mjs",
        ),
        Topic::Program(Program::Bench) => ("bench [ARGUMENT…]", "benches/arguments.mjs"),
    };
    npm::ensure_node()?;
    println!("cargo xtask {command}\n\nThe arguments are those of a program:\n");
    Process::new("node")
        .args(["--input-type=module", "--eval"])
        .arg(format!(
            "import {{ USAGE }} from './{module}'; console.log(USAGE);"
        ))
        .directory(&workspace.root)
        .run()
}
