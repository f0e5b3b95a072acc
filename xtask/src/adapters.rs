//! The adapters, with the SDKs that they are for.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use crate::process::{Process, announce};
use crate::project;
use crate::workspace::Workspace;

const LIMIT: Duration = Duration::from_mins(10);

/// Where npm puts the Node that newer SDKs need.
const NODE: &str = "node_modules/node-22/bin/node";

/// Runs `js-tests/adapters/` with the tarball.
pub(crate) fn test(workspace: &Workspace, tarball: &Path) -> Result<()> {
    announce("js-tests: the adapters: tsc");
    let folder = project::kept(workspace, "adapters", tarball)?;
    Process::new("node")
        .arg("node_modules/typescript/bin/tsc")
        .directory(&folder)
        .run()?;
    announce("js-tests: the adapters: node --test, in Node 22");
    Process::new(folder.join(NODE))
        .args(["--test", "--test-reporter=spec", "tests/*.js"])
        .directory(&folder)
        // The examples are tested too.
        .env("SKILLSHELF_REPOSITORY", &workspace.root)
        .time_limit(LIMIT)
        .run()
}
