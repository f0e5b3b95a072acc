//! The package measured against others, as users have them: installed from npm.

use anyhow::Result;

use crate::package;
use crate::process::announce;
use crate::project::Project;
use crate::toolchain::WasmToolchain;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, toolchain: WasmToolchain, rest: &[String]) -> Result<()> {
    let tarball = package::build_and_pack(workspace, toolchain)?;
    announce("bench");
    let project = Project::create(&workspace.root.join("benches"), &tarball)?;
    project.script("run.mjs").args(rest).run()
}
