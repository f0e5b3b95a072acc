//! The page on which skills are tried: built with the packed package, and served.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;

use crate::browser;
use crate::npm::{self, npm};
use crate::package;
use crate::process::{Process, announce};
use crate::project;
use crate::toolchain::WasmToolchain;
use crate::workspace::Workspace;

/// Where its sources are.
const SOURCES: &str = "examples/playground";

/// With this variable set no test is run: the pictures of the README are made anew.
const UPDATE_SCREENSHOTS: &str = "UPDATE_SCREENSHOTS";

/// How long the tests may take: when it is over, a browser waits for what never comes.
const LIMIT: Duration = Duration::from_mins(15);

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

/// Builds the page and runs `js-tests/playground/`: what needs no browser, and both browsers at the
/// same time.
pub(crate) fn test(workspace: &Workspace, tarball: &Path) -> Result<()> {
    let browsers = browser::programs()?;
    let site = build(workspace, tarball)?;
    announce("js-tests: the playground in Chromium and Firefox");
    let from = workspace.root.join("js-tests/playground");
    let folder = project::kept_of(workspace, &from, "playground-tests")?;
    project::install_in(&folder, tarball)?;
    if env::var_os(UPDATE_SCREENSHOTS).is_some() {
        return Process::new("node")
            .arg("screenshots.mjs")
            .arg(workspace.root.join("docs"))
            .directory(&folder)
            .env("CHROMIUM", &browsers.chromium)
            .env("PLAYGROUND_SITE", site)
            .run();
    }
    Process::new("node")
        // A test that fails leaves servers and pages behind, for which nothing is to wait.
        .args([
            "--test",
            "--test-force-exit",
            "--test-reporter=spec",
            "--test-concurrency=2",
        ])
        .args(["alone.mjs", "page-parts.mjs", "engine.mjs"])
        .args(["chromium.mjs", "firefox.mjs"])
        .directory(&folder)
        .env("CHROMIUM", &browsers.chromium)
        .env("FIREFOX", &browsers.firefox)
        .env("PLAYGROUND_SITE", site)
        .time_limit(LIMIT)
        .run()
}
