//! The browsers for the tests that run in one.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::json;

use crate::debian;
use crate::process::find_program;
use crate::workspace::Workspace;

/// What wasm-bindgen's test runner is told.
pub(crate) struct Browser {
    pub(crate) driver: PathBuf,
    /// The file that says how the browser is started.
    pub(crate) capabilities: PathBuf,
}

/// Finds the browser and its driver, installing them where Debian's packages can be.
pub(crate) fn set_up(workspace: &Workspace) -> Result<Browser> {
    if find_driver().is_none() {
        debian::ensure_packages(&["chromium", "chromium-driver"]).context(
            "The tests in a browser need Chromium and chromedriver: \
             install both, or name the driver in the variable CHROMEDRIVER.",
        )?;
    }
    let driver = find_driver().context("there is no chromedriver on the PATH")?;

    let capabilities = workspace.target.join("webdriver.json");
    // Headless and without a sandbox is what the runner asks for by itself; this keeps the
    // browser from talking to anyone but the tests.
    let options = json!({
        "goog:chromeOptions": {
            "args": [
                "disable-quic",
                "no-first-run",
                "disable-background-networking",
                "disable-component-update",
                "disable-sync",
            ]
        }
    });
    fs::write(&capabilities, format!("{options:#}\n"))?;
    Ok(Browser {
        driver,
        capabilities,
    })
}

/// The browsers themselves, for what starts them without a driver.
pub(crate) struct Programs {
    pub(crate) chromium: PathBuf,
    pub(crate) firefox: PathBuf,
}

/// Finds Chromium, installing it where Debian's packages can be.
pub(crate) fn chromium() -> Result<PathBuf> {
    program("CHROMIUM", "chromium")
}

/// Finds both browsers, installing what is missing where Debian's packages can be.
pub(crate) fn programs() -> Result<Programs> {
    Ok(Programs {
        chromium: chromium()?,
        firefox: program("FIREFOX", "firefox-esr")?,
    })
}

/// A browser that a variable names, or that has the name of its package.
fn program(variable: &str, package: &str) -> Result<PathBuf> {
    if let Some(named) = std::env::var_os(variable) {
        return Ok(PathBuf::from(named));
    }
    if find_program(package).is_none() {
        debian::ensure_packages(&[package]).with_context(|| {
            format!("This needs the browser `{package}`: install it, or name a program in the variable {variable}.")
        })?;
    }
    find_program(package).with_context(|| format!("there is no `{package}` on the PATH"))
}

fn find_driver() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMEDRIVER").map(PathBuf::from);
    named.or_else(|| find_program("chromedriver"))
}
