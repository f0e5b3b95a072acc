//! The licenses of what is bundled into the package.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

/// What all packages from npm are below.
const INSTALLED: &str = "node_modules/";

/// The licenses of the packages that bundles have inside. `reports` is what esbuild says of each
/// bundle (`--metafile`), with paths from `root`.
pub(crate) fn of_bundles(reports: &[PathBuf], root: &Path) -> Result<String> {
    let mut packages = BTreeSet::new();
    for report in reports {
        let text = fs::read_to_string(report)
            .with_context(|| format!("reading what esbuild says in {}", report.display()))?;
        let bundled =
            packages_in(&text).with_context(|| format!("{} names no files", report.display()))?;
        packages.extend(bundled);
    }
    let mut text =
        "The command has these packages inside; each is under its own license.\n".to_owned();
    for package in packages {
        let folder = root.join(&package);
        let manifest: Value =
            serde_json::from_str(&fs::read_to_string(folder.join("package.json"))?)?;
        let [name, version] = ["name", "version"].map(|key| manifest[key].as_str().unwrap_or("?"));
        let license = fs::read_to_string(folder.join("LICENSE"))
            .with_context(|| format!("{name} is bundled, and has no file LICENSE"))?;
        write!(
            text,
            "\n{}\n\n{name} {version}\n\n{}\n",
            "-".repeat(72),
            license.trim()
        )?;
    }
    Ok(text)
}

/// The folders of the packages whose files are in a bundle, by what esbuild says of it.
fn packages_in(report: &str) -> Option<Vec<String>> {
    let report: Value = serde_json::from_str(report).ok()?;
    let inputs = report["inputs"].as_object()?;
    Some(
        inputs
            .keys()
            .filter_map(|input| package_of(input))
            .collect(),
    )
}

/// The folder of the package that a bundled file is from, if it is from npm.
fn package_of(input: &str) -> Option<String> {
    let (before, after) = input.rsplit_once(INSTALLED)?;
    let names = if after.starts_with('@') { 2 } else { 1 };
    let name: Vec<&str> = after.split('/').take(names).collect();
    Some(format!("{before}{INSTALLED}{}", name.join("/")))
}

#[cfg(test)]
mod tests {
    use super::{package_of, packages_in};

    #[test]
    fn a_report_without_files_is_none() {
        let report = r#"{"inputs":{"node_modules/a/b.js":{},"src/c.js":{}}}"#;
        assert_eq!(packages_in(report), Some(vec!["node_modules/a".to_owned()]));
        for report in ["", "{}", r#"{"outputs":{}}"#] {
            assert_eq!(packages_in(report), None, "{report}");
        }
    }

    #[test]
    fn a_file_is_of_the_innermost_package_around_it() {
        for (input, package) in [
            ("node_modules/zod/v4/core/core.js", Some("node_modules/zod")),
            (
                "node_modules/@a/b/dist/index.mjs",
                Some("node_modules/@a/b"),
            ),
            (
                "node_modules/a/node_modules/b/c.js",
                Some("node_modules/a/node_modules/b"),
            ),
            ("target/typescript/cli/main.js", None),
        ] {
            assert_eq!(package_of(input).as_deref(), package, "{input}");
        }
    }
}
