//! What can be said on the command line, told at once: nothing is built or installed for it.

use anyhow::Result;

use crate::arguments::{Topic, USAGE};
use crate::npm;
use crate::process::Process;
use crate::workspace::Workspace;

/// Prints what `cargo xtask` takes, or one command of it, or the program that measures.
pub(crate) fn print(workspace: &Workspace, topic: Topic) -> Result<()> {
    match topic {
        Topic::Everything => println!("{USAGE}"),
        Topic::Command(usage) => println!("{usage}"),
        Topic::Bench => return bench(workspace),
    }
    Ok(())
}

fn bench(workspace: &Workspace) -> Result<()> {
    npm::ensure_node()?;
    println!("cargo xtask bench [ARGUMENT…]\n\nThe arguments are those of a program:\n");
    Process::new("node")
        .args(["--input-type=module", "--eval"])
        .arg("import { USAGE } from './benches/arguments.mjs'; console.log(USAGE);")
        .directory(&workspace.root)
        .run()
}
