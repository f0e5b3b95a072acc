//! Node, npm and the development tools that come from it, at the versions of the lock file.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::process::Process;
use crate::workspace::Workspace;

/// The oldest Node that the package and these tools run on.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// Checks that Node is there, and new enough.
pub(crate) fn ensure_node() -> Result<()> {
    let (major, minor) = OLDEST_NODE;
    let remedy = format!("Install Node {major}.{minor} or newer, with npm.");
    let version = Process::new("node")
        .arg("--version")
        .remedy(&remedy)
        .output()?;
    let mut numbers = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .map(str::parse::<u32>);
    let (Some(Ok(found_major)), Some(Ok(found_minor))) = (numbers.next(), numbers.next()) else {
        bail!("`node --version` printed {version:?}, which is no version. {remedy}");
    };
    if (found_major, found_minor) < OLDEST_NODE {
        bail!("Node {} is too old. {remedy}", version.trim());
    }
    Ok(())
}

/// npm, without what only slows it down or makes noise here.
pub(crate) fn npm(subcommand: &str, directory: &Path) -> Process {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    Process::new(program)
        .args([
            subcommand,
            "--no-audit",
            "--no-fund",
            "--no-update-notifier",
            "--loglevel=error",
        ])
        .directory(directory)
}

/// Installs what a folder's lock file names, unless that has been done.
pub(crate) fn ensure_installed(folder: &Path) -> Result<()> {
    let lock = fs::read(folder.join("package-lock.json"))
        .with_context(|| format!("{} has no package-lock.json", folder.display()))?;
    let installed = folder.join("node_modules/.installed-lock.json");
    if fs::read(&installed).is_ok_and(|done| done == lock) {
        return Ok(());
    }
    println!("Installing npm packages in {}.", folder.display());
    npm("ci", folder)
        .remedy("npm could not install the packages of the lock file.")
        .output()?;
    fs::write(installed, lock)?;
    Ok(())
}

/// One of the development tools of the root's package.json.
pub(crate) fn tool(workspace: &Workspace, name: &str) -> Result<Process> {
    ensure_installed(&workspace.root)?;
    let file = if cfg!(windows) {
        format!("{name}.cmd")
    } else {
        name.to_owned()
    };
    let program = workspace.root.join("node_modules/.bin").join(file);
    Ok(Process::new(program).directory(&workspace.root))
}
