//! What can be said on the command line, told at once: nothing is built or installed for it.

use anyhow::Result;

use crate::arguments::{Program, USAGE};
use crate::npm;
use crate::process::Process;
use crate::workspace::Workspace;

/// Prints what `cargo xtask` takes, or what a program takes that it runs.
pub(crate) fn print(workspace: &Workspace, program: Option<Program>) -> Result<()> {
    let Some(program) = program else {
        println!("{USAGE}");
        return Ok(());
    };
    let (command, module) = match program {
        Program::Agent => (
            "demo [--skills PATH] [ARGUMENT…]",
            "examples/agent/usage.mjs",
        ),
        Program::Bench => ("bench [ARGUMENT…]", "benches/arguments.mjs"),
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
