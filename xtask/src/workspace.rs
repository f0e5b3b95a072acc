//! Where things are: the tree, what is built, and what goes to users.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process::Process;

pub(crate) struct Workspace {
    /// The top of the tree.
    pub(crate) root: PathBuf,
    /// Cargo's target folder, which also takes everything else that is made on the way.
    pub(crate) target: PathBuf,
    /// The version of the crate, which the package shares.
    pub(crate) version: String,
}

impl Workspace {
    pub(crate) fn find() -> Result<Self> {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .context("this program is started by cargo: `cargo xtask …`")?;
        let root = PathBuf::from(manifest)
            .parent()
            .context("the folder of xtask has no parent")?
            .to_path_buf();
        let metadata = cargo()
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .directory(&root)
            .output()?;
        let metadata: Value = serde_json::from_str(&metadata)?;
        let target = text(&metadata["target_directory"])?;
        let version = metadata["packages"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|package| package["name"] == "skillshelf")
            .context("the workspace has no crate `skillshelf`")?;
        Ok(Self {
            root,
            target: target.into(),
            version: text(&version["version"])?.into(),
        })
    }

    /// The built package.
    pub(crate) fn package(&self) -> PathBuf {
        self.root.join("pkg")
    }

    /// The sources of the package.
    pub(crate) fn template(&self) -> PathBuf {
        self.root.join("pkg-template")
    }
}

/// The cargo that started this program.
pub(crate) fn cargo() -> Process {
    Process::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn text(value: &Value) -> Result<&str> {
    match value.as_str() {
        Some(text) => Ok(text),
        None => bail!("`cargo metadata` gave {value} where a text was expected"),
    }
}
