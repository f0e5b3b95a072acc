//! The npm package: `pkg/`, made from `pkg-template/` and the module, and its tarball.

use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::crates;
use crate::licenses;
use crate::module::{self, Module, Size, Variant};
use crate::npm;
use crate::process::{Process, announce};
use crate::project::copy_tree;
use crate::toolchain::WasmToolchain;
use crate::workspace::Workspace;

/// Files of the root that belong in the package too.
const SHARED_FILES: &[&str] = &[
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "docs/command.md",
    "docs/diagnostics.md",
    "docs/ai-sdk.md",
    "docs/anthropic.md",
    "docs/google.md",
    "docs/langchain.md",
    "docs/mastra.md",
    "docs/openai.md",
    "docs/openai-agents.md",
    "docs/mcp-server.md",
];

/// The page that npm shows.
const README: &str = "README.md";

/// What the package is entered by: its exports, what commands do, and what `#module` and `#disk` lead
/// to.
const ENTRIES: &[&str] = &[
    "index.js",
    "slim.js",
    "slim-prompt.js",
    "slim-http.js",
    "slim-node.js",
    "node.js",
    "http.js",
    "mcp.js",
    "fs.js",
    "unstorage.js",
    "prompt.js",
    "archive.js",
    "slim-archive.js",
    "web.js",
    "testing.js",
    "ai-sdk.js",
    "anthropic.js",
    "google.js",
    "langchain.js",
    "mastra.js",
    "openai.js",
    "openai-agents.js",
    "module/workerd.js",
    "module/edge-light.js",
    "module/inlined.js",
    "module/inlined-fast.js",
    "module/file.js",
    "disk/node.js",
    "disk/none.js",
];

/// The licenses of what the module and the command have inside.
const LICENSES: &str = "THIRD-PARTY-LICENSES.txt";

/// The module as a file, for those who bring it to `skillshelf/slim` themselves.
const MODULE_FILE: &str = "dist/skillshelf.wasm";

/// The module that Node reads.
const FAST_MODULE_FILE: &str = "dist/skillshelf-fast.wasm";

/// The skill that teaches how to use the package, and where it is in the package.
const OWN_SKILL: (&str, &str) = ("examples/skills/skillshelf", "skills/skillshelf");

/// The glue between the module and the scripts, among the generated sources.
const GLUE: &str = "skillshelf.js";

/// Where the generated sources are among the written ones; git ignores it.
const GENERATED: &str = "src/core";

/// Makes `pkg/`; gives the size of the module in it.
pub(crate) fn build(workspace: &Workspace, toolchain: WasmToolchain) -> Result<Size> {
    announce("build");
    npm::ensure_node()?;
    let small = module::build(workspace, toolchain, Variant::Small)?;
    let fast = module::build(workspace, toolchain, Variant::Fast)?;
    generate_sources(workspace, &small, &fast)?;
    assemble(workspace, &small, &fast)?;
    println!("Package: {}", workspace.package().display());
    Ok(small.size)
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

/// Puts the glue and the bytes of both modules where the TypeScript sources import them.
fn generate_sources(workspace: &Workspace, small: &Module, fast: &Module) -> Result<()> {
    if fs::read(&small.glue)? != fs::read(&fast.glue)? {
        bail!(
            "The glue of the small module is not that of the fast one, and there is one for both."
        );
    }
    let folder = workspace.template().join(GENERATED);
    fs::create_dir_all(&folder)?;
    fs::copy(&small.glue, folder.join(GLUE))?;
    fs::copy(&small.types, folder.join("skillshelf.d.ts"))?;
    for (name, module) in [("module.ts", small), ("module-fast.ts", fast)] {
        let base64 = STANDARD.encode(&module.bytes);
        fs::write(
            folder.join(name),
            format!(
                "/** The WebAssembly module. */\nexport const base64: string =\n  \"{base64}\";\n"
            ),
        )?;
    }
    Ok(())
}

fn assemble(workspace: &Workspace, small: &Module, fast: &Module) -> Result<()> {
    let (template, package) = (workspace.template(), workspace.package());
    check_version(workspace)?;
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    let compiled = workspace.target.join("typescript");
    compile(workspace, &compiled)?;
    bundle(workspace, &compiled)?;
    let reports = bundle_command(workspace, &compiled)?;
    let licenses = licenses::of_package(&crates::of_module(workspace)?, &reports, &workspace.root)?;
    fs::write(package.join(LICENSES), licenses)?;
    copy_declarations(&compiled, &package.join("dist"))?;
    let core = package.join("dist/core");
    fs::create_dir_all(&core)?;
    minify(
        workspace,
        &template.join(GENERATED).join(GLUE),
        &core.join(GLUE),
    )?;
    fs::write(package.join(MODULE_FILE), &small.bytes)?;
    fs::write(package.join(FAST_MODULE_FILE), &fast.bytes)?;
    let (from, to) = OWN_SKILL;
    copy_tree(&workspace.root.join(from), &package.join(to))?;
    fs::copy(template.join("package.json"), package.join("package.json"))?;
    for name in SHARED_FILES {
        let copy = package.join(name);
        fs::create_dir_all(copy.parent().unwrap_or(&package))?;
        fs::copy(workspace.root.join(name), copy)
            .with_context(|| format!("copying {name} into the package"))?;
    }
    let readme = fs::read_to_string(workspace.root.join(README))?;
    fs::write(package.join(README), packed_links(&readme, &package))?;
    Ok(())
}

/// A page of the repository with the links of the package: those to what is not in it become text.
fn packed_links(page: &str, package: &Path) -> String {
    let (from, to) = OWN_SKILL;
    let mut parts = page.split('[');
    let mut packed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let link = part.split_once("](").and_then(|(text, rest)| {
            let (target, after) = rest.split_once(')')?;
            Some((text, target, after))
        });
        match link {
            Some((text, target, after)) if is_relative(target) => {
                let target = target.replacen(from, to, 1);
                let is_packed = package.join(&target).exists();
                let shown = if is_packed {
                    format!("[{text}]({target})")
                } else {
                    text.to_owned()
                };
                packed.extend([&shown, after]);
            }
            _ => packed.extend(["[", part]),
        }
    }
    packed
}

fn is_relative(target: &str) -> bool {
    !target.contains("://") && !target.starts_with('#')
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

/// Makes scripts and types of the sources.
fn compile(workspace: &Workspace, into: &Path) -> Result<()> {
    if into.exists() {
        fs::remove_dir_all(into)?;
    }
    npm::tool(workspace, "tsc")?
        .arg("--project")
        .arg(workspace.template())
        .arg("--outDir")
        .arg(into)
        .run()
}

/// Puts the scripts into few files.
fn bundle(workspace: &Workspace, compiled: &Path) -> Result<()> {
    npm::ensure_installed(&workspace.root)?;
    Process::new("node")
        .arg(workspace.root.join("xtask/bundle.mjs"))
        .arg(compiled)
        .arg(workspace.package().join("dist"))
        .args(ENTRIES.iter().map(|entry| entry.trim_end_matches(".js")))
        .directory(&workspace.root)
        .run()
}

/// Takes what nobody reads out of a generated script: two thirds of the glue are comments and names.
fn minify(workspace: &Workspace, from: &Path, to: &Path) -> Result<()> {
    npm::tool(workspace, "esbuild")?
        .arg(from)
        .args([
            "--minify",
            "--format=esm",
            "--target=es2022",
            "--log-level=warning",
        ])
        .arg(format!("--outfile={}", to.display()))
        .run()
}

/// Puts the command into one file of its own, with what it needs inside: nobody has to install
/// anything else. It shares the module and its glue with the rest of the package. The official server
/// of MCP is a file of its own: other verbs than the one that serves would pay for reading it. Gives
/// what esbuild says of both.
fn bundle_command(workspace: &Workspace, compiled: &Path) -> Result<[PathBuf; 3]> {
    let command = bundle_for_node(workspace, compiled, "cli/main.js", "cli.js", |esbuild| {
        esbuild
            .args(["--external:#module", "--external:./core/*"])
            .args(["--external:#chat", "--external:#official-server"])
            .arg(alias("#disk", &compiled.join("disk/node.js")))
    })?;
    let server = "cli/official-server.js";
    let server = bundle_for_node(workspace, compiled, server, server, |esbuild| {
        esbuild.arg("--minify").arg(alias(
            "@modelcontextprotocol/server/_shims",
            &compiled.join("cli/official-server-shims.js"),
        ))
    })?;
    let chat = bundle_for_node(
        workspace,
        compiled,
        "cli/chat/chat.js",
        "cli/chat.js",
        |esbuild| esbuild.arg("--minify"),
    )?;
    Ok([command, chat, server])
}

/// Makes one file of the package of a compiled script and all that it imports.
fn bundle_for_node(
    workspace: &Workspace,
    compiled: &Path,
    script: &str,
    output: &str,
    options: impl FnOnce(Process) -> Process,
) -> Result<PathBuf> {
    let report = compiled.join(script).with_extension("bundle.json");
    let dist = workspace.package().join("dist");
    let esbuild = npm::tool(workspace, "esbuild")?
        .arg(compiled.join(script))
        .args(["--bundle", "--format=esm", "--platform=node"])
        .args(["--target=node20.19", "--log-level=warning"])
        .arg(format!("--metafile={}", report.display()))
        .arg(format!("--outfile={}", dist.join(output).display()));
    options(esbuild).run()?;
    Ok(report)
}

fn alias(import: &str, file: &Path) -> String {
    format!("--alias:{import}={}", file.display())
}

/// Copies the declarations of the exports and those that they refer to; the others are of nothing
/// that can be imported.
fn copy_declarations(compiled: &Path, into: &Path) -> Result<()> {
    let exported = ENTRIES.iter().filter(|entry| !entry.contains('/'));
    let mut waiting: Vec<PathBuf> = exported
        .map(|entry| Path::new(entry).with_extension("d.ts"))
        .collect();
    while let Some(name) = waiting.pop() {
        let copy = into.join(&name);
        if copy.exists() {
            continue;
        }
        let text = fs::read_to_string(compiled.join(&name))
            .with_context(|| format!("reading {}", name.display()))?;
        let folder = name.parent().unwrap_or(Path::new(""));
        let imported = text.split('"').filter(|part| part.starts_with('.'));
        for script in imported.filter_map(|part| part.strip_suffix(".js")) {
            waiting.push(plain_path(&folder.join(format!("{script}.d.ts"))));
        }
        fs::create_dir_all(copy.parent().unwrap_or(into))?;
        fs::write(copy, text)?;
    }
    Ok(())
}

/// The path without `.` and `..`.
fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}
