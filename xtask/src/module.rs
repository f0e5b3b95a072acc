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

/// Whether the functions of a module have names: for whoever looks into it, never in the package.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Kept,
    Dropped,
}

/// Builds the module and prints its size.
pub(crate) fn build(
    workspace: &Workspace,
    toolchain: WasmToolchain,
    variant: Variant,
) -> Result<Module> {
    let profile = variant.profile();
    let compiled = compile(workspace, toolchain, profile)?;
    let folder = workspace.target.join("module").join(profile);
    let small = finish(workspace, &compiled, &folder, Names::Dropped)?;

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

/// The same module with the names of its functions, which profilers show too. Gives its file.
pub(crate) fn build_with_names(
    workspace: &Workspace,
    toolchain: WasmToolchain,
    variant: Variant,
) -> Result<PathBuf> {
    let profile = variant.profile();
    let compiled = compile(workspace, toolchain, profile)?;
    let folder = workspace
        .target
        .join("module")
        .join([profile, "-named"].concat());
    finish(workspace, &compiled, &folder, Names::Kept)
}

/// Gives what Cargo makes.
fn compile(workspace: &Workspace, toolchain: WasmToolchain, profile: &str) -> Result<PathBuf> {
    println!("Compiling for {TARGET} with {toolchain}, profile {profile}.");
    toolchain
        .cargo(workspace, "build")
        .args(["--profile", profile, "--lib"])
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            crates::remapped(workspace, toolchain)?,
        )
        .run()?;
    let folder = toolchain.target_folder(workspace).join(TARGET);
    Ok(folder.join(profile).join("skillshelf.wasm"))
}

/// Gives the module that goes into the package, which has its glue beside it.
fn finish(workspace: &Workspace, compiled: &Path, folder: &Path, names: Names) -> Result<PathBuf> {
    bind(compiled, folder, names)?;
    let small = folder.join("skillshelf.wasm");
    optimize(workspace, &folder.join("skillshelf_bg.wasm"), &small, names)?;
    Ok(small)
}

/// Writes the glue, its types and the module it belongs to.
fn bind(compiled: &Path, folder: &Path, names: Names) -> Result<()> {
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
        .remove_name_section(names == Names::Dropped)
        .remove_producers_section(true)
        .generate(folder)
        .with_context(|| format!("making the glue for {}", compiled.display()))?;
    if folder.join("snippets").exists() {
        bail!("The crate brings JavaScript of its own, which the package has no place for.");
    }
    Ok(())
}

fn optimize(workspace: &Workspace, from: &Path, to: &Path, names: Names) -> Result<()> {
    let tool = npm::tool(workspace, "wasm-opt")?.arg("-Os");
    let tool = match names {
        Names::Kept => tool.arg("--debuginfo"),
        Names::Dropped => tool,
    };
    tool.args(FEATURES)
        // Many small functions are alike, one large one is like no other: they compress better.
        .arg("--one-caller-inline-max-function-size=0")
        .arg(from)
        .arg("-o")
        .arg(to)
        .run()
}

/// As servers send it: zlib's best.
pub(crate) fn gzip_size(file: &Path) -> Result<usize> {
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
