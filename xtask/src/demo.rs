//! The main job, seen: an agent of the installed package, on a folder of skills.

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

/// What is said to the agent, whatever the skills are.
const LINES: [&str; 6] = [
    "/skills",
    "Load the agent-builder skill and follow its instructions",
    "I need to do a code review -- load the relevant skill first",
    "Build an MCP server using the mcp-builder skill",
    "/compact 5000",
    "Go on with the code review: if its skill is gone, load it again",
];
/// A skill among the examples that the model is not offered: the user alone starts it.
const OF_THE_USER: &str = "/cut-release 2.1.0";

/// What is run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Demo {
    /// The folder or archive of skills; the examples, unless there is another.
    pub(crate) skills: Option<PathBuf>,
    /// Whether the user talks, in the place of the lines above.
    pub(crate) is_talk: bool,
    /// Arguments of `skillshelf chat`.
    pub(crate) rest: Vec<String>,
}

pub(crate) fn run(workspace: &Workspace, toolchain: WasmToolchain, demo: &Demo) -> Result<()> {
    let own = workspace.root.join("examples/skills");
    let skills = Skills::find(demo.skills.as_deref().unwrap_or(&own))?;
    let tarball = package::build_and_pack(workspace, toolchain)?;
    announce("demo");
    let project = Project::of_package(&tarball)?;
    let chat = project
        .script("node_modules/skillshelf/dist/cli.js")
        .arg("chat")
        .arg(skills.path())
        .args(&demo.rest);
    if demo.is_talk {
        return chat.run();
    }
    let mut lines = LINES.to_vec();
    if demo.skills.is_none() {
        lines.push(OF_THE_USER);
    }
    chat.input(lines.join("\n")).run()
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
