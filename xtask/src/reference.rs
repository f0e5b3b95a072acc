//! The reference of the package's declarations, by `TypeDoc`.

use std::path::PathBuf;

use anyhow::Result;

use crate::npm;
use crate::package;
use crate::process::{Process, announce};
use crate::toolchain::WasmToolchain;
use crate::workspace::Workspace;

/// `TypeDoc` has a `package.json` of its own: it needs an older TypeScript than the package.
const FOLDER: &str = "xtask/reference";

/// Builds the package and writes its reference.
pub(crate) fn build(workspace: &Workspace, toolchain: WasmToolchain) -> Result<()> {
    package::build(workspace, toolchain)?;
    let out = write(workspace)?;
    println!("Reference: {}", out.join("index.html").display());
    Ok(())
}

/// Writes the reference of what is in `pkg/`, and says where it is. A warning is an error.
pub(crate) fn write(workspace: &Workspace) -> Result<PathBuf> {
    announce("typedoc");
    npm::ensure_installed(&workspace.root)?;
    let folder = workspace.root.join(FOLDER);
    npm::ensure_installed(&folder)?;
    let out = workspace.target.join("reference");
    Process::new("node")
        .args(["node_modules/typedoc/bin/typedoc", "--logLevel", "Warn"])
        .arg("--out")
        .arg(&out)
        .directory(&folder)
        .remedy("What is public has a comment, and is exported from the entry that mentions it.")
        .run()?;
    Ok(out)
}
