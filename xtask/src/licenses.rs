//! The licenses of what is in the package, but is not of this project.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::crates::Crate;

/// What all packages from npm are below.
const INSTALLED: &str = "node_modules/";

/// How a file with the license of a crate begins.
const OF_CRATES: [&str; 3] = ["LICENSE", "COPYING", "NOTICE"];

/// The folder where a crate may have licenses of code that it took over.
const TAKEN_OVER: &str = ".licenses";

/// The licenses of all that the package has inside: of the crates in the module, and of the npm packages
/// in bundles. `reports` is what esbuild says of each bundle (`--metafile`), with paths from `root`.
/// Each text stands there once, below the names of all that it is for.
pub(crate) fn of_package(crates: &[Crate], reports: &[PathBuf], root: &Path) -> Result<String> {
    let mut licenses = Licenses::default();
    for one in crates {
        let name = format!("{} {}", one.name, one.version);
        for text in texts_of_crate(&one.folder)? {
            licenses.add(&name, &text);
        }
        if !licenses.names.contains(&name) {
            bail!("the crate {name} is in the module, and has no file with its license");
        }
    }
    let mut packages = BTreeSet::new();
    for report in reports {
        let text = fs::read_to_string(report)
            .with_context(|| format!("reading what esbuild says in {}", report.display()))?;
        let bundled =
            packages_in(&text).with_context(|| format!("{} names no files", report.display()))?;
        packages.extend(bundled);
    }
    for package in packages {
        let folder = root.join(&package);
        let manifest: Value =
            serde_json::from_str(&fs::read_to_string(folder.join("package.json"))?)?;
        let [name, version] = ["name", "version"].map(|key| manifest[key].as_str().unwrap_or("?"));
        let license = fs::read_to_string(folder.join("LICENSE"))
            .with_context(|| format!("{name} is bundled, and has no file LICENSE"))?;
        licenses.add(&format!("{name} {version}"), &license);
    }
    Ok(licenses.written())
}

/// Texts of licenses, each with what it is for.
#[derive(Default)]
struct Licenses {
    names: BTreeSet<String>,
    texts: Vec<(String, Vec<String>)>,
}

impl Licenses {
    fn add(&mut self, name: &str, text: &str) {
        self.names.insert(name.to_owned());
        let text = text.trim();
        if let Some((_, names)) = self.texts.iter_mut().find(|(known, _)| known == text) {
            names.push(name.to_owned());
        } else {
            self.texts.push((text.to_owned(), vec![name.to_owned()]));
        }
    }

    fn written(&self) -> String {
        let mut out = "The module has these crates inside, and Rust's standard library (MIT or \
            Apache-2.0, by the Rust project's contributors); the command has the packages from npm. Each \
            is under its own license.\n"
            .to_owned();
        for (text, names) in &self.texts {
            let line = "-".repeat(72);
            out.extend(["\n", &line, "\n\n", &names.join("\n"), "\n\n", text, "\n"]);
        }
        out
    }
}

/// What a crate's files say of its license, in the order of their names.
fn texts_of_crate(folder: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if name == TAKEN_OVER {
            for entry in fs::read_dir(&path)? {
                files.push(entry?.path());
            }
        } else if OF_CRATES
            .iter()
            .any(|beginning| name.starts_with(beginning))
        {
            files.push(path);
        }
    }
    files.sort();
    let texts = files.into_iter().map(|file| {
        fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))
    });
    texts.collect()
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
