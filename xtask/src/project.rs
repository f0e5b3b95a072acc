//! A project outside the tree that has installed the tarball, as a user's has.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::npm::npm;
use crate::process::Process;

/// Removed when dropped.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    /// Copies `from` to a fresh folder, installs what its lock file names, and the tarball.
    pub(crate) fn create(from: &Path, tarball: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("skillshelf-").tempdir()?;
        let project = Self { folder };
        copy_tree(from, project.path()).with_context(|| {
            format!("copying {} to {}", from.display(), project.path().display())
        })?;
        project.install(tarball)?;
        Ok(project)
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// One of its scripts, run where the user is: paths among its arguments are the user's.
    pub(crate) fn script(&self, name: &str) -> Process {
        Process::new("node").arg(self.path().join(name))
    }

    fn install(&self, tarball: &Path) -> Result<()> {
        println!(
            "Installing {} in {}.",
            tarball.display(),
            self.path().display()
        );
        let manifest = self.path().join("package.json");
        if !manifest.exists() {
            fs::write(manifest, "{ \"private\": true, \"type\": \"module\" }\n")?;
        }
        if self.path().join("package-lock.json").exists() {
            npm("ci", self.path()).output()?;
        }
        // Not saved: the lock file names no tarball, since each build makes another.
        npm("install", self.path())
            .args(["--no-save", "--no-package-lock"])
            .arg(tarball)
            .output()?;
        Ok(())
    }
}

/// Copies files and folders, but not what npm or a compiler put among them.
pub(crate) fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, copy) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "node_modules" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy_tree(&source, &copy)?;
        } else {
            fs::copy(&source, &copy)?;
        }
    }
    Ok(())
}
