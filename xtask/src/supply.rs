//! Where the package comes from: licenses and sources of what it is made of, and that who builds it again
//! gets the same bytes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::package;
use crate::process::{Process, announce, find_program};
use crate::toolchain::WasmToolchain;
use crate::workspace::{Workspace, cargo};

const CARGO_DENY: &str = "cargo-deny";

/// The version that is installed where there is none.
const CARGO_DENY_VERSION: &str = "0.20.2";

/// What is checked without asking anyone. Advisories are too, by `cargo deny check`, which downloads them.
const CHECKS: [&str; 3] = ["bans", "licenses", "sources"];

/// The manifests with a lock file of their own.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "fuzz/Cargo.toml"];

/// Checks all of it. The tarball is what was built here.
pub(crate) fn check(workspace: &Workspace, toolchain: WasmToolchain, tarball: &Path) -> Result<()> {
    let program = cargo_deny(workspace)?;
    for manifest in MANIFESTS {
        announce(&format!("{CARGO_DENY}: {manifest}"));
        Process::new(&program)
            .args(["--manifest-path", manifest, "--locked"])
            .args(["--config", "deny.toml", "check"])
            .args(CHECKS)
            .directory(&workspace.root)
            .remedy("What may be depended on, and under which license, is in deny.toml.")
            .run()?;
    }
    same_bytes(workspace, toolchain, tarball)
}

/// The program, which is compiled once and kept in `target/` where it is not installed.
fn cargo_deny(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(program) = find_program(CARGO_DENY) {
        return Ok(program);
    }
    let tools = workspace.target.join("tools");
    let program = tools.join("bin").join(CARGO_DENY);
    if !program.exists() {
        println!(
            "Installing {CARGO_DENY} in {}: some minutes.",
            tools.display()
        );
        cargo()
            .args(["install", CARGO_DENY, "--version", CARGO_DENY_VERSION])
            // It judges in a second either way; a release takes minutes more to compile.
            .args(["--debug", "--locked", "--quiet", "--root"])
            .arg(&tools)
            .remedy(format!("Install {CARGO_DENY}, then try again."))
            .run()?;
    }
    Ok(program)
}

/// Builds the package a second time, elsewhere and from nothing, and compares.
fn same_bytes(workspace: &Workspace, toolchain: WasmToolchain, tarball: &Path) -> Result<()> {
    announce("two builds have the same bytes");
    let folder = tempfile::Builder::new()
        .prefix("skillshelf again ")
        .tempdir()?;
    let root = folder.path().join("tree");
    copy_tracked(&workspace.root, &root)?;
    let elsewhere = Workspace {
        target: root.join("target"),
        root,
        version: workspace.version.clone(),
    };
    let again = package::build_and_pack(&elsewhere, toolchain)?;
    if fs::read(tarball)? != fs::read(&again)? {
        let kept = workspace.target.join("again.tgz");
        fs::copy(&again, &kept)?;
        bail!(
            "{} and {} are of the same sources and differ: unpack both, and look for paths, times and orders.",
            tarball.display(),
            kept.display()
        );
    }
    println!("They have.");
    Ok(())
}

/// Copies what git knows of, as it is now.
fn copy_tracked(from: &Path, to: &Path) -> Result<()> {
    let listed = Process::new("git")
        .args(["ls-files", "-z"])
        .directory(from)
        .remedy("The second build is made of what git lists.")
        .output()?;
    for name in listed.split('\0').filter(|name| !name.is_empty()) {
        let (source, copy) = (from.join(name), to.join(name));
        if source.symlink_metadata().is_err() {
            continue;
        }
        fs::create_dir_all(copy.parent().unwrap_or(to))?;
        fs::copy(&source, &copy).with_context(|| format!("copying {name}"))?;
    }
    Ok(())
}
