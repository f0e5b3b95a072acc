//! A headless Chromium for the tests that run in a browser.

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

fn find_driver() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMEDRIVER").map(PathBuf::from);
    named.or_else(|| find_program("chromedriver"))
}
