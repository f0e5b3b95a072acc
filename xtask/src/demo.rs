//! The main job, seen: an agent that has installed the package, on a folder of skills.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::package;
use crate::process::{Process, announce};
use crate::project::Project;
use crate::toolchain::WasmToolchain;
use crate::workspace::Workspace;

/// The name of an archive that stands for the folder it lies in.
const ARCHIVE: &str = "skills.tar.gz";

pub(crate) fn run(
    workspace: &Workspace,
    toolchain: WasmToolchain,
    skills: Option<&Path>,
    rest: &[String],
) -> Result<()> {
    let own = workspace.root.join("examples/skills");
    let skills = Skills::find(skills.unwrap_or(&own))?;
    let tarball = package::build_and_pack(workspace, toolchain)?;
    announce("demo");
    let project = Project::create(&workspace.root.join("examples/agent"), &tarball)?;
    project
        .script("agent.mjs")
        .arg("--skills")
        .arg(skills.path())
        .args(rest)
        .run()
}

/// The folder of skills to run on.
enum Skills {
    Folder(PathBuf),
    /// Taken out of an archive; removed when dropped.
    Unpacked(TempDir),
}

impl Skills {
    fn find(path: &Path) -> Result<Self> {
        let path = path
            .canonicalize()
            .with_context(|| format!("there are no skills at {}", path.display()))?;
        let packed = path.join(ARCHIVE);
        if path.is_dir() && !packed.is_file() {
            return Ok(Self::Folder(path));
        }
        let path = if packed.is_file() { packed } else { path };
        if !matches!(path.extension().and_then(OsStr::to_str), Some("gz" | "tgz")) {
            bail!("{} is neither a folder nor a .tar.gz", path.display());
        }
        let folder = tempfile::Builder::new()
            .prefix("skillshelf-skills-")
            .tempdir()?;
        println!("Unpacking {}.", path.display());
        let into = folder.path();
        Process::new("tar")
            .arg("-xzf")
            .arg(&path)
            .arg("-C")
            .arg(into)
            .output()?;
        Ok(Self::Unpacked(folder))
    }

    fn path(&self) -> &Path {
        match self {
            Self::Folder(path) => path,
            Self::Unpacked(folder) => folder.path(),
        }
    }
}
