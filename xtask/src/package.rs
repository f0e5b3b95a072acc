//! The npm package: `pkg/`, made from `pkg-template/` and the module, and its tarball.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::module::{self, Module, Size};
use crate::npm;
use crate::process::announce;
use crate::project::copy_tree;
use crate::toolchain::WasmToolchain;
use crate::workspace::Workspace;

/// Files of the root that belong in the package too.
const SHARED_FILES: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// The module as a file, for those who bring it to `skillshelf/slim` themselves.
const MODULE_FILE: &str = "dist/skillshelf.wasm";

/// The skill that teaches how to use the package, and where it is in the package.
const OWN_SKILL: (&str, &str) = ("examples/skills/skillshelf", "skills/skillshelf");

/// Where the generated sources are among the written ones; git ignores it.
const GENERATED: &str = "src/core";

/// Makes `pkg/`; gives the size of the module in it.
pub(crate) fn build(workspace: &Workspace, toolchain: WasmToolchain) -> Result<Size> {
    announce("build");
    npm::ensure_node()?;
    let module = module::build(workspace, toolchain)?;
    generate_sources(workspace, &module)?;
    assemble(workspace, &module)?;
    println!("Package: {}", workspace.package().display());
    Ok(module.size)
}

/// Makes `pkg/` and its tarball.
pub(crate) fn build_and_pack(workspace: &Workspace, toolchain: WasmToolchain) -> Result<PathBuf> {
    build(workspace, toolchain)?;
    pack(workspace)
}

/// Makes the tarball that `npm publish` would send.
pub(crate) fn pack(workspace: &Workspace) -> Result<PathBuf> {
    announce("pack");
    let folder = workspace.target.join("tarball");
    fs::create_dir_all(&folder)?;
    let printed = npm::npm("pack", &workspace.package())
        .args(["--json", "--ignore-scripts", "--pack-destination"])
        .arg(&folder)
        .output()?;
    let report: Value = serde_json::from_str(&printed)
        .with_context(|| format!("`npm pack` printed no JSON: {printed}"))?;
    let Some(name) = report.pointer("/0/filename").and_then(Value::as_str) else {
        bail!("`npm pack` names no file: {printed}");
    };
    let tarball = folder.join(name);
    println!("Tarball: {}", tarball.display());
    Ok(tarball)
}

/// Puts the glue and the module's bytes where the TypeScript sources import them.
fn generate_sources(workspace: &Workspace, module: &Module) -> Result<()> {
    let folder = workspace.template().join(GENERATED);
    fs::create_dir_all(&folder)?;
    fs::copy(&module.glue, folder.join("skillshelf.js"))?;
    fs::copy(&module.types, folder.join("skillshelf.d.ts"))?;
    let base64 = STANDARD.encode(&module.bytes);
    fs::write(
        folder.join("module.js"),
        format!("export const base64 = \"{base64}\";\n"),
    )?;
    fs::write(
        folder.join("module.d.ts"),
        "/** The WebAssembly module. */\nexport declare const base64: string;\n",
    )?;
    Ok(())
}

fn assemble(workspace: &Workspace, module: &Module) -> Result<()> {
    let (template, package) = (workspace.template(), workspace.package());
    check_version(workspace)?;
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    compile(workspace)?;
    copy_scripts(&template.join(GENERATED), &package.join("dist/core"))?;
    fs::write(package.join(MODULE_FILE), &module.bytes)?;
    let (from, to) = OWN_SKILL;
    copy_tree(&workspace.root.join(from), &package.join(to))?;
    fs::copy(template.join("package.json"), package.join("package.json"))?;
    for name in SHARED_FILES {
        fs::copy(workspace.root.join(name), package.join(name))
            .with_context(|| format!("copying {name} into the package"))?;
    }
    Ok(())
}

/// The crate and the package are released together, under one version.
fn check_version(workspace: &Workspace) -> Result<()> {
    let file = workspace.template().join("package.json");
    let manifest: Value = serde_json::from_str(&fs::read_to_string(&file)?)?;
    if manifest["version"] != workspace.version.as_str() {
        bail!(
            "{} has version {}, Cargo.toml {:?}: give both the same.",
            file.display(),
            manifest["version"],
            workspace.version
        );
    }
    Ok(())
}

fn compile(workspace: &Workspace) -> Result<()> {
    npm::tool(workspace, "tsc")?
        .arg("--project")
        .arg(workspace.template())
        .arg("--outDir")
        .arg(workspace.package().join("dist"))
        .run()
}

/// Without the types: they are for the sources, and no public type may refer to them.
fn copy_scripts(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry
            .path()
            .extension()
            .is_some_and(|extension| extension == "js")
        {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
