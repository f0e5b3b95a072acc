//! A compiler for WebAssembly, and the components the checks need, set up where they are missing.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail};

use crate::debian;
use crate::process::{Process, find_program};
use crate::workspace::{Workspace, cargo};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Long enough for a slow download, short enough to fall back where nothing can be downloaded.
const DOWNLOAD_LIMIT: Duration = Duration::from_mins(3);

/// The Debian packages with a compiler and the source of the matching standard library.
const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-22"];

/// What the user asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The installed target, else rustup's, else Debian's compiler.
    Auto,
    Rustup,
    Debian,
}

impl FromStr for Choice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Self::Auto),
            "rustup" => Ok(Self::Rustup),
            "debian" => Ok(Self::Debian),
            _ => bail!("`{text}` is no WebAssembly toolchain: say auto, rustup or debian"),
        }
    }
}

/// A compiler that is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WasmToolchain {
    /// The ordinary one, with the target installed.
    Ordinary,
    /// Debian's, which builds the standard library from source.
    Debian,
}

impl fmt::Display for WasmToolchain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Ordinary => "the ordinary Rust toolchain",
            Self::Debian => "Debian's Rust (rustc-web)",
        })
    }
}

impl WasmToolchain {
    /// Finds one, installing what is missing.
    pub(crate) fn set_up(choice: Choice) -> Result<Self> {
        match choice {
            Choice::Rustup => ordinary(),
            Choice::Debian => debian(),
            Choice::Auto => ordinary().or_else(|ordinary| {
                println!("{ordinary:#}\nTrying Debian's compiler instead.");
                debian().map_err(|debian| no_toolchain(&ordinary, &debian))
            }),
        }
    }

    /// Cargo for this target: `subcommand` with what the toolchain needs.
    pub(crate) fn cargo(self, workspace: &Workspace, subcommand: &str) -> Process {
        let process = match self {
            Self::Ordinary => cargo().arg(subcommand),
            Self::Debian => Process::new("/usr/bin/cargo")
                .args([subcommand, "-Z", "build-std=std,panic_abort"])
                .env("RUSTC", "/usr/bin/rustc")
                .env("RUSTDOC", "/usr/bin/rustdoc")
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-22")
                .without_env("RUSTUP_TOOLCHAIN"),
        };
        process
            .args(["--target", TARGET, "--target-dir"])
            .arg(self.target_folder(workspace))
            .directory(&workspace.root)
    }

    /// Where the compiler is installed, and the commit that it was built from.
    pub(crate) fn sysroot(self) -> Result<(PathBuf, String)> {
        let rustc = match self {
            Self::Ordinary => "rustc",
            Self::Debian => "/usr/bin/rustc",
        };
        let sysroot = Process::new(rustc).args(["--print", "sysroot"]).output()?;
        let version = Process::new(rustc).arg("-vV").output()?;
        let mut lines = version.lines();
        let commit = lines
            .find_map(|line| line.strip_prefix("commit-hash: "))
            .with_context(|| format!("`{rustc} -vV` names no commit: {version:?}"))?;
        Ok((PathBuf::from(sysroot.trim()), commit.to_owned()))
    }

    /// Debian's has one of its own: two compilers in one folder would undo each other's work.
    pub(crate) fn target_folder(self, workspace: &Workspace) -> PathBuf {
        match self {
            Self::Ordinary => workspace.target.clone(),
            Self::Debian => workspace.target.join("debian"),
        }
    }
}

/// Makes sure that `cargo fmt` and `cargo clippy` work.
pub(crate) fn ensure_components() -> Result<()> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if cargo().args([subcommand, "--version"]).output().is_ok() {
            continue;
        }
        println!("Installing the component {component} of the Rust toolchain.");
        Process::new("rustup")
            .args(["component", "add", component])
            .time_limit(DOWNLOAD_LIMIT)
            .remedy(format!(
                "Install {component} for the toolchain in use, then try again."
            ))
            .run()?;
    }
    Ok(())
}

fn ordinary() -> Result<WasmToolchain> {
    if has_target()? {
        return Ok(WasmToolchain::Ordinary);
    }
    if find_program("rustup").is_none() {
        bail!("The Rust toolchain has no target {TARGET}, and there is no rustup to add it.");
    }
    println!("Adding the target {TARGET} to the Rust toolchain.");
    Process::new("rustup")
        .args(["target", "add", TARGET])
        .time_limit(DOWNLOAD_LIMIT)
        .run()?;
    Ok(WasmToolchain::Ordinary)
}

fn has_target() -> Result<bool> {
    let sysroot = Process::new("rustc")
        .args(["--print", "sysroot"])
        .output()?;
    Ok(Path::new(sysroot.trim())
        .join("lib/rustlib")
        .join(TARGET)
        .join("lib")
        .is_dir())
}

fn debian() -> Result<WasmToolchain> {
    debian::ensure_packages(&DEBIAN_PACKAGES)?;
    find_program("wasm-ld-22").context("the package lld-22 brought no wasm-ld-22")?;
    Ok(WasmToolchain::Debian)
}

fn no_toolchain(ordinary: &Error, debian: &Error) -> Error {
    anyhow!(
        "No compiler for {TARGET}.\n\n{ordinary:#}\n\n{debian:#}\n\n\
         One of these is enough:\n\
         - `rustup target add {TARGET}` (needs rustup and a way to its server);\n\
         - on Debian, as root: `apt-get install --no-install-recommends {}`.",
        DEBIAN_PACKAGES.join(" ")
    )
}
