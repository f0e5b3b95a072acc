//! The page on which skills are tried: built with the packed package, and served.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::npm::{self, npm};
use crate::package;
use crate::process::{Process, announce};
use crate::project;
use crate::toolchain::WasmToolchain;
use crate::workspace::Workspace;

/// Where its sources are.
const SOURCES: &str = "examples/playground";

pub(crate) fn run(
    workspace: &Workspace,
    toolchain: WasmToolchain,
    port: Option<u16>,
) -> Result<()> {
    npm::ensure_node()?;
    let tarball = package::build_and_pack(workspace, toolchain)?;
    let site = build(workspace, &tarball)?;
    println!(
        "The site is in {}; any static host will do.",
        site.display()
    );
    announce("playground");
    Process::new("node")
        .arg(workspace.root.join(SOURCES).join("serve.mjs"))
        .arg(site)
        .args(port.map(|port| port.to_string()))
        .run()
}

/// Compiles and bundles the page; gives the folder of the site.
pub(crate) fn build(workspace: &Workspace, tarball: &Path) -> Result<PathBuf> {
    announce("playground: tsc and vite");
    let from = workspace.root.join(SOURCES);
    let folder = project::kept_of(workspace, &from, "playground")?;
    project::install_in(&folder, tarball)?;
    npm("run", &folder)
        .arg("--silent")
        .arg("build")
        .env("PLAYGROUND_SKILLS", workspace.root.join("examples/skills"))
        .output()?;
    Ok(folder.join("dist"))
}
