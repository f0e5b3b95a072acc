//! Packages of the Debian distribution, for what cargo and npm cannot bring.

use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::process::{Process, find_program};

const INSTALL_LIMIT: Duration = Duration::from_mins(15);

/// Installs those of the packages that are missing; needs root, or `sudo` without a password.
pub(crate) fn ensure_packages(packages: &[&str]) -> Result<()> {
    if find_program("dpkg-query").is_none() || find_program("apt-get").is_none() {
        bail!(
            "This is no Debian system, so {} cannot be installed.",
            packages.join(", ")
        );
    }
    let missing: Vec<_> = packages
        .iter()
        .copied()
        .filter(|name| !is_installed(name))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("Installing the Debian packages {}.", missing.join(", "));
    apt_get(&["install", "--yes", "--no-install-recommends"], &missing)
        .or_else(|_| {
            // The list of packages may be missing or older than the server.
            apt_get(&["update"], &[])?;
            apt_get(&["install", "--yes", "--no-install-recommends"], &missing)
        })
        .with_context(|| format!("The Debian packages {} are missing.", missing.join(", ")))
}

fn is_installed(package: &str) -> bool {
    Process::new("dpkg-query")
        .args(["--show", "--showformat", "${Status}", package])
        .output()
        .is_ok_and(|status| status.trim() == "install ok installed")
}

fn apt_get(command: &[&str], packages: &[&str]) -> Result<()> {
    let process = if is_root() {
        Process::new("apt-get")
    } else {
        Process::new("sudo").args(["--non-interactive", "apt-get"])
    };
    process
        .args(["-o", "DPkg::Lock::Timeout=120", "--quiet"])
        .args(command)
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .time_limit(INSTALL_LIMIT)
        .remedy("Install them by hand, as root, then try again.")
        .output()
        .map(drop)
}

/// Whether this runs with the rights of root, where there is such a thing.
pub(crate) fn is_root() -> bool {
    Process::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|id| id.trim() == "0")
}
