//! The package in every runtime and through every bundler.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use crate::browser;
use crate::process::{Process, announce};
use crate::project;
use crate::workspace::Workspace;

const LIMIT: Duration = Duration::from_mins(15);

/// Runs `js-tests/runtimes/` with the tarball.
pub(crate) fn test(workspace: &Workspace, tarball: &Path) -> Result<()> {
    announce("js-tests: every runtime, and every bundler");
    let browsers = browser::programs()?;
    // The runtimes are some hundred megabytes.
    let folder = project::kept(workspace, "runtimes", tarball)?;
    Process::new("node")
        .arg("run.mjs")
        .directory(&folder)
        .env("CHROMIUM", &browsers.chromium)
        .env("FIREFOX", &browsers.firefox)
        .env("SKILLSHELF_REPOSITORY", &workspace.root)
        .time_limit(LIMIT)
        .run()
}
