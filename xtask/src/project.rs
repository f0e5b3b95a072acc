//! A project outside the tree that has installed the tarball, as a user's has.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::npm::{self, npm};
use crate::process::Process;
use crate::workspace::Workspace;

/// Removed when dropped.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    /// Copies `from` to a fresh folder, installs what its lock file names, and the tarball.
    pub(crate) fn create(from: &Path, tarball: &Path) -> Result<Self> {
        let project = Self::empty()?;
        copy_tree(from, project.path()).with_context(|| {
            format!("copying {} to {}", from.display(), project.path().display())
        })?;
        project.install(tarball)?;
        Ok(project)
    }

    /// Installs the tarball alone in a fresh folder.
    pub(crate) fn of_package(tarball: &Path) -> Result<Self> {
        let project = Self::empty()?;
        project.install(tarball)?;
        Ok(project)
    }

    fn empty() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("skillshelf-").tempdir()?;
        Ok(Self { folder })
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
        install_in(self.path(), tarball)
    }
}

/// Such a project in `target/`, of the folder of that name in `js-tests/`: what its lock file names
/// is kept there between runs.
pub(crate) fn kept(workspace: &Workspace, name: &str, tarball: &Path) -> Result<PathBuf> {
    let from = workspace.root.join("js-tests").join(name);
    let folder = kept_of(workspace, &from, name)?;
    install_in(&folder, tarball)?;
    Ok(folder)
}

/// The same of any folder, without the tarball.
pub(crate) fn kept_of(workspace: &Workspace, from: &Path, name: &str) -> Result<PathBuf> {
    let folder = workspace.target.join(name);
    fs::create_dir_all(&folder)?;
    renew(from, &folder)?;
    npm::ensure_installed(&folder)?;
    Ok(folder)
}

/// Installs the tarball in a project. Not saved: the lock file names no tarball, since each build
/// makes another.
pub(crate) fn install_in(folder: &Path, tarball: &Path) -> Result<()> {
    npm("install", folder)
        .args(["--no-save", "--no-package-lock"])
        .arg(tarball)
        .output()?;
    Ok(())
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
