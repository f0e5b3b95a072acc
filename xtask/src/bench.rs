//! The package measured against others, as users have them: installed from npm.

use anyhow::Result;

use crate::browser;
use crate::package;
use crate::playground;
use crate::process::announce;
use crate::project::Project;
use crate::toolchain::WasmToolchain;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, toolchain: WasmToolchain, rest: &[String]) -> Result<()> {
    let tarball = package::build_and_pack(workspace, toolchain)?;
    let page = if wants_playground(rest) {
        let chromium = browser::programs()?.chromium;
        Some((playground::build(workspace, &tarball)?, chromium))
    } else {
        None
    };
    announce("bench");
    let project = Project::create(&workspace.root.join("benches"), &tarball)?;
    let mut bench = project.script("run.mjs").args(rest);
    if let Some((site, chromium)) = page {
        bench = bench.env("PLAYGROUND_SITE", site).env("CHROMIUM", chromium);
    }
    bench.run()
}

/// Whether the page has to be built: it is asked for, or no section is.
fn wants_playground(rest: &[String]) -> bool {
    let sections = rest.iter().take_while(|word| !word.starts_with('-'));
    sections.clone().next().is_none() || rest.iter().any(|word| word.contains("playground"))
}
