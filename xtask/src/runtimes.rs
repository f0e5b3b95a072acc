//! The package in every runtime and through every bundler.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use crate::browser;
use crate::npm::{self, npm};
use crate::process::{Process, announce};
use crate::project::copy_tree;
use crate::workspace::Workspace;

const LIMIT: Duration = Duration::from_mins(15);

/// Runs `js-tests/runtimes/` with the tarball.
pub(crate) fn test(workspace: &Workspace, tarball: &Path) -> Result<()> {
    announce("js-tests: every runtime, and every bundler");
    let browsers = browser::programs()?;
    let folder = workspace.target.join("runtimes");
    fs::create_dir_all(&folder)?;
    renew(&workspace.root.join("js-tests/runtimes"), &folder)?;
    // The runtimes are some hundred megabytes, so they are kept between runs.
    npm::ensure_installed(&folder)?;
    npm("install", &folder)
        .args(["--no-save", "--no-package-lock"])
        .arg(tarball)
        .output()?;
    Process::new("node")
        .arg("run.mjs")
        .directory(&folder)
        .env("CHROMIUM", &browsers.chromium)
        .env("FIREFOX", &browsers.firefox)
        .env("SKILLSHELF_REPOSITORY", &workspace.root)
        .time_limit(LIMIT)
        .run()
}

/// Replaces all but what npm has put there.
fn renew(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if entry.file_name() == "node_modules" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    copy_tree(from, to)
}
