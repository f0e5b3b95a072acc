//! The WebAssembly module: compiled, given its JavaScript glue, made small and measured.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::crates;
use crate::npm;
use crate::process::Process;
use crate::toolchain::{TARGET, WasmToolchain};
use crate::workspace::Workspace;

/// The features that Node 20 and the browsers of its time all have, named one by one:
/// `--all-features` makes a module that they refuse.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// What goes into the package.
pub(crate) struct Module {
    /// The glue, and its types.
    pub(crate) glue: PathBuf,
    pub(crate) types: PathBuf,
    pub(crate) bytes: Vec<u8>,
    pub(crate) size: Size,
}

/// How many bytes users download, and how many travel.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) raw: usize,
    pub(crate) gzip: usize,
}

/// The module is built twice, with the same behavior.
#[derive(Clone, Copy)]
pub(crate) enum Variant {
    /// For whoever downloads it.
    Small,
    /// For Node, which has it on its disk.
    Fast,
}

impl Variant {
    /// The profile of Cargo.toml.
    fn profile(self) -> &'static str {
        match self {
            Self::Small => "release",
            Self::Fast => "fast",
        }
    }
}

/// Builds the module and prints its size.
pub(crate) fn build(
    workspace: &Workspace,
    toolchain: WasmToolchain,
    variant: Variant,
) -> Result<Module> {
    let profile = variant.profile();
    println!("Compiling for {TARGET} with {toolchain}, profile {profile}.");
    toolchain
        .cargo(workspace, "build")
        .args(["--profile", profile, "--lib"])
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            crates::remapped(workspace, toolchain)?,
        )
        .run()?;
    let compiled = toolchain
        .target_folder(workspace)
        .join(TARGET)
        .join(profile)
        .join("skillshelf.wasm");

    let folder = workspace.target.join("module").join(profile);
    bind(&compiled, &folder)?;
    let small = folder.join("skillshelf.wasm");
    optimize(workspace, &folder.join("skillshelf_bg.wasm"), &small)?;

    let bytes = fs::read(&small).with_context(|| format!("reading {}", small.display()))?;
    let size = Size {
        raw: bytes.len(),
        gzip: gzip_size(&small)?,
    };
    println!(
        "Module, {profile}: {} bytes, {} with gzip.",
        size.raw, size.gzip
    );
    let (glue, types) = (folder.join("skillshelf.js"), folder.join("skillshelf.d.ts"));
    Ok(Module {
        glue,
        types,
        bytes,
        size,
    })
}

/// Writes the glue, its types and the module it belongs to.
fn bind(compiled: &Path, folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Bindgen::new()
        .input_path(compiled)
        .web(true)?
        .typescript(true)
        // Bundlers stumble over the `new URL(…)` of a file that the package does not have.
        .omit_default_module_path(true)
        // The wrapper starts the module anew after a trap.
        .reset_state_function(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
        .with_context(|| format!("making the glue for {}", compiled.display()))?;
    if folder.join("snippets").exists() {
        bail!("The crate brings JavaScript of its own, which the package has no place for.");
    }
    Ok(())
}

fn optimize(workspace: &Workspace, from: &Path, to: &Path) -> Result<()> {
    npm::tool(workspace, "wasm-opt")?
        .arg("-Os")
        .args(FEATURES)
        // Many small functions are alike, one large one is like no other: they compress better.
        .arg("--one-caller-inline-max-function-size=0")
        .arg(from)
        .arg("-o")
        .arg(to)
        .run()
}

/// As servers send it: zlib's best.
fn gzip_size(file: &Path) -> Result<usize> {
    let script = "const [file] = process.argv.slice(1);\
        const bytes = require('node:fs').readFileSync(file);\
        console.log(require('node:zlib').gzipSync(bytes, { level: 9 }).length);";
    let printed = Process::new("node")
        .args(["--eval", script])
        .arg(file)
        .output()?;
    printed
        .trim()
        .parse()
        .with_context(|| format!("a size was expected, not {printed:?}"))
}
