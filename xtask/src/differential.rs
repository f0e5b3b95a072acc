//! Our reading of YAML against two other implementations, over as many mutations as wanted.

use anyhow::Result;

use crate::npm;
use crate::process::announce;
use crate::workspace::{Workspace, cargo};

/// What is compared, and how it is told.
pub(crate) struct Differential {
    pub(crate) mutations: u64,
    /// Other seeds make other mutations.
    pub(crate) seed: u32,
    /// Numbers as one line of JSON, in the place of a list.
    pub(crate) json: bool,
}

impl Differential {
    /// As many as nobody has to wait long for, and few kinds stay unseen in.
    pub(crate) const MUTATIONS: u64 = 1_000_000;
}

/// Runs the test that every full one runs with a few thousand, with that many, and with the front matter
/// of the corpus where it is.
pub(crate) fn run(workspace: &Workspace, differential: &Differential) -> Result<()> {
    npm::ensure_node()?;
    npm::ensure_installed(&workspace.root)?;
    announce("differential");
    let mut test = cargo()
        .args(["test", "--quiet", "--release", "--package", "skillshelf"])
        .args(["--test", "yaml_differential", "--", "--nocapture"])
        .directory(&workspace.root)
        .env("DIFFERENTIAL_MUTATIONS", differential.mutations.to_string())
        .env("DIFFERENTIAL_SEED", differential.seed.to_string())
        .env("DIFFERENTIAL_CORPUS", "1")
        .env("DIFFERENTIAL_PROGRESS", "1");
    if differential.json {
        test = test.env("DIFFERENTIAL_JSON", "1");
    }
    test.run()
}
