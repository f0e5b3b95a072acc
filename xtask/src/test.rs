//! Everything that has to hold before a change is taken, the quick and likely failures first.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, Error, Result, bail};

use crate::adapters;
use crate::browser::{self, Browser};
use crate::debian;
use crate::module::Size;
use crate::npm::{self, tool};
use crate::package;
use crate::playground;
use crate::process::{Process, announce, find_program};
use crate::project::Project;
use crate::reference;
use crate::runtimes;
use crate::supply;
use crate::toolchain::{self, Choice, TARGET, WasmToolchain};
use crate::workspace::{Workspace, cargo};

/// What the module may weigh with gzip: what it weighs, and a little slack. The last 2 KB are characters
/// that nobody sees, letters that look like those of a wrapper's tag, and what a host or a caller says
/// that is checked and cut.
const GZIP_BOUND: usize = 361_000;

/// Checked one after the other: together they would share the features of their dependencies,
/// and all would be compiled once more than `cargo xtask` did.
const PACKAGES: [&str; 2] = ["skillshelf", "xtask"];

/// A part that can be run alone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Formatters, linters, and what a package should look like.
    Lint,
    /// The core, natively.
    Rust,
    /// The package, installed.
    Js,
    /// The core, compiled to WebAssembly, in Node.
    Wasm,
    /// The same in Chromium, and what a person drops on a page or chooses there.
    Browser,
    /// The package in every runtime, and through every bundler.
    Runtimes,
    /// The adapters, with the SDKs that they are for.
    Adapters,
    /// The playground in Chromium and Firefox, as a person uses it.
    Playground,
    /// Licenses and sources of what the package is made of, and a second build.
    Supply,
}

impl FromStr for Part {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "lint" => Ok(Self::Lint),
            "rust" => Ok(Self::Rust),
            "js" => Ok(Self::Js),
            "wasm" => Ok(Self::Wasm),
            "browser" => Ok(Self::Browser),
            "runtimes" => Ok(Self::Runtimes),
            "adapters" => Ok(Self::Adapters),
            "playground" => Ok(Self::Playground),
            "supply" => Ok(Self::Supply),
            _ => bail!(
                "`{text}` is no part of the tests: say lint, rust, js, wasm, browser, runtimes, adapters, playground or supply"
            ),
        }
    }
}

/// Runs the parts that are named, or all but `supply`, which compiles a program and builds all anew.
pub(crate) fn run(workspace: &Workspace, parts: &[Part], choice: Choice) -> Result<()> {
    let wanted = |part| parts.contains(&part) || parts.is_empty() && part != Part::Supply;
    npm::ensure_node()?;
    if wanted(Part::Lint) {
        check_formats_and_rust(workspace)?;
    }
    if wanted(Part::Rust) {
        test_natively(workspace)?;
    }
    if !(parts.is_empty() || parts.iter().any(|part| *part != Part::Rust)) {
        return Ok(());
    }
    let toolchain = WasmToolchain::set_up(choice)?;
    if wanted(Part::Lint) {
        check_bindings(workspace, toolchain)?;
    }
    let browser = if wanted(Part::Browser) {
        Some(browser::set_up(workspace)?)
    } else {
        None
    };
    let packaged = [
        Part::Lint,
        Part::Js,
        Part::Browser,
        Part::Runtimes,
        Part::Adapters,
        Part::Playground,
        Part::Supply,
    ];
    if packaged.into_iter().any(wanted) {
        let size = package::build(workspace, toolchain)?;
        check_size(size)?;
        let tarball = package::pack(workspace)?;
        if wanted(Part::Lint) {
            check_package(workspace, &tarball)?;
            reference::write(workspace)?;
        }
        if wanted(Part::Js) || wanted(Part::Browser) {
            let project = Project::create(&workspace.root.join("js-tests"), &tarball)?;
            if wanted(Part::Js) {
                test_installed(workspace, &project)?;
            }
            if let Some(browser) = &browser {
                test_in_browser(&project, browser)?;
            }
        }
        if wanted(Part::Runtimes) {
            runtimes::test(workspace, &tarball)?;
        }
        if wanted(Part::Adapters) {
            adapters::test(workspace, &tarball)?;
        }
        if wanted(Part::Playground) {
            playground::test(workspace, &tarball)?;
        }
        if wanted(Part::Supply) {
            supply::check(workspace, toolchain, &tarball)?;
        }
    }
    test_core(workspace, toolchain, wanted(Part::Wasm), browser.as_ref())?;
    announce("all that was asked for has passed");
    Ok(())
}

fn check_formats_and_rust(workspace: &Workspace) -> Result<()> {
    toolchain::ensure_components()?;
    announce("cargo fmt");
    cargo()
        .args(["fmt", "--all", "--check"])
        .directory(&workspace.root)
        .remedy("`cargo fmt --all` mends it.")
        .run()?;
    announce("biome");
    let colors = if std::io::stdout().is_terminal() {
        "--colors=force"
    } else {
        "--colors=off"
    };
    tool(workspace, "biome")?
        .args([
            "ci",
            "--error-on-warnings",
            "--diagnostic-level=warn",
            colors,
        ])
        .remedy("`npx biome check --write` mends what can be mended without a decision.")
        .run()?;
    for package in PACKAGES {
        announce(&format!("cargo clippy: {package}"));
        cargo()
            .args(["clippy", "--all-targets", "--package", package])
            .args(["--", "--deny", "warnings"])
            .directory(&workspace.root)
            .run()?;
        announce(&format!("cargo doc: {package}"));
        cargo()
            .args(["doc", "--no-deps", "--document-private-items"])
            .args(["--package", package])
            .env("RUSTDOCFLAGS", "--deny warnings")
            .directory(&workspace.root)
            .run()?;
    }
    Ok(())
}

fn test_natively(workspace: &Workspace) -> Result<()> {
    // The YAML test suite is one of its packages.
    npm::ensure_installed(&workspace.root)?;
    for package in PACKAGES {
        announce(&format!("cargo test: {package}"));
        cargo()
            .args(["test", "--package", package])
            .directory(&workspace.root)
            .run()?;
    }
    Ok(())
}

fn check_bindings(workspace: &Workspace, toolchain: WasmToolchain) -> Result<()> {
    announce(&format!("cargo clippy for {TARGET}"));
    if toolchain == WasmToolchain::Debian {
        println!("Left out: Debian's compiler comes without clippy.");
        return Ok(());
    }
    toolchain
        .cargo(workspace, "clippy")
        .args(["--lib", "--", "--deny", "warnings"])
        .run()
}

fn check_size(size: Size) -> Result<()> {
    announce("size of the module");
    if size.gzip > GZIP_BOUND {
        bail!(
            "The module has {} bytes with gzip; the bound is {GZIP_BOUND}.",
            size.gzip
        );
    }
    println!(
        "{} bytes with gzip, within the bound of {GZIP_BOUND}.",
        size.gzip
    );
    Ok(())
}

fn check_package(workspace: &Workspace, tarball: &Path) -> Result<()> {
    announce("publint");
    tool(workspace, "publint")?
        .arg("--strict")
        .arg(tarball)
        .run()?;
    announce("are-the-types-wrong");
    tool(workspace, "attw")?
        .arg(tarball)
        .args(["--profile", "esm-only"])
        // A file of bytes has no types.
        .args(["--exclude-entrypoints", "skillshelf.wasm"])
        .run()
}

fn test_installed(workspace: &Workspace, project: &Project) -> Result<()> {
    if find_program("redis-server").is_none() {
        debian::ensure_packages(&["redis-server"])
            .context("The tests of shared stores need redis-server: install it.")?;
    }
    announce("js-tests: tsc");
    for config in ["tsconfig.json", "tsconfig.dom.json", "tsconfig.stores.json"] {
        project
            .script("node_modules/typescript/bin/tsc")
            .arg("--project")
            .arg(project.path().join(config))
            .run()?;
    }
    announce("js-tests: node --test");
    Process::new("node")
        .args(["--test", "--test-reporter=spec"])
        .directory(project.path())
        // The documentation and the examples are tested too.
        .env("SKILLSHELF_REPOSITORY", &workspace.root)
        .run()
}

/// The installed package on a page: no bundler, and nothing of Node.
fn test_in_browser(project: &Project, browser: &Browser) -> Result<()> {
    announce("js-tests: the package in headless Chromium");
    Process::new("node")
        .args(["--test", "--test-reporter=spec", "browser/web-chromium.mjs"])
        .directory(project.path())
        .env("CHROMEDRIVER", &browser.driver)
        .env("WEBDRIVER_CAPABILITIES", &browser.capabilities)
        .run()
}

/// The core by its Rust interface, compiled as the package has it; what JavaScript sees of it is
/// tested with the package.
fn test_core(
    workspace: &Workspace,
    toolchain: WasmToolchain,
    in_node: bool,
    browser: Option<&Browser>,
) -> Result<()> {
    if !in_node && browser.is_none() {
        return Ok(());
    }
    let runner = build_runner(workspace)?;
    let tests = || {
        toolchain
            .cargo(workspace, "test")
            .args(["--test", "wasm"])
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", &runner)
            .env("WASM_BINDGEN_TEST_TIMEOUT", "120")
    };
    if in_node {
        announce("wasm-bindgen-test in Node");
        tests().run()?;
    }
    if let Some(browser) = browser {
        announce("wasm-bindgen-test in headless Chromium");
        tests()
            .env("WASM_BINDGEN_USE_BROWSER", "1")
            .env("CHROMEDRIVER", &browser.driver)
            .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", &browser.capabilities)
            .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
            .run()?;
    }
    Ok(())
}

fn build_runner(workspace: &Workspace) -> Result<PathBuf> {
    announce("the runner of wasm-bindgen-test (minutes, the first time)");
    cargo()
        .args(["build", "--package", "wasm-test-runner", "--target-dir"])
        .arg(&workspace.target)
        .directory(&workspace.root)
        .run()?;
    let name = format!("wasm-test-runner{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.target.join("debug").join(name))
}
