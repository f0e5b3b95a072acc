//! The crates that the module is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::toolchain::{TARGET, WasmToolchain};
use crate::workspace::{Workspace, cargo};

/// The crate whose module it is.
const ROOT: &str = "skillshelf";

/// A crate whose code is in the module.
pub(crate) struct Crate {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Where its sources are.
    pub(crate) folder: PathBuf,
}

/// Those that the lock file names, but for the workspace's own, by name. What only runs while the module is
/// compiled is none of them.
pub(crate) fn of_module(workspace: &Workspace) -> Result<Vec<Crate>> {
    let metadata = cargo()
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(["--filter-platform", TARGET])
        .directory(&workspace.root)
        .output()?;
    in_module(&serde_json::from_str(&metadata)?).context("`cargo metadata` is not as expected")
}

/// Flags of rustc by which no path of this machine gets into the module: what would stand in messages of
/// panics is where a file is in its crate, or in the sources of Rust.
pub(crate) fn remapped(workspace: &Workspace, toolchain: WasmToolchain) -> Result<String> {
    let (sysroot, commit) = toolchain.sysroot()?;
    let sources = sysroot.join("lib/rustlib/src/rust");
    let mut folders = vec![(sources, format!("/rustc/{commit}"))];
    let crates = of_module(workspace)?;
    let parents: BTreeSet<&Path> = crates
        .iter()
        .filter_map(|one| one.folder.parent())
        .collect();
    folders.extend(
        parents
            .into_iter()
            .map(|parent| (parent.to_owned(), "crates".to_owned())),
    );
    folders.push((workspace.root.clone(), String::new()));
    let flags = folders
        .iter()
        .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
    Ok(flags.collect::<Vec<_>>().join("\u{1f}"))
}

fn in_module(metadata: &Value) -> Option<Vec<Crate>> {
    let packages = metadata["packages"].as_array()?;
    let packages: BTreeMap<&str, &Value> = packages
        .iter()
        .filter_map(|package| Some((package["id"].as_str()?, package)))
        .collect();
    let nodes = metadata["resolve"]["nodes"].as_array()?;
    let nodes: BTreeMap<&str, &Value> = nodes
        .iter()
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let is_root = |(_, package): &(&&str, &&Value)| package["name"] == ROOT;
    let (root, _) = packages.iter().find(is_root)?;
    let mut found = BTreeSet::new();
    let mut open = vec![*root];
    while let Some(id) = open.pop() {
        for dependency in nodes.get(id)?["deps"].as_array()? {
            let package = dependency["pkg"].as_str()?;
            let runs_in_compiler = runs_in_compiler(packages.get(package)?);
            if is_normal(dependency) && !runs_in_compiler && found.insert(package) {
                open.push(package);
            }
        }
    }
    let crates = found.into_iter().map(|id| crate_of(packages.get(id)?));
    let mut crates: Vec<Crate> = crates.collect::<Option<_>>()?;
    crates.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Some(crates)
}

/// Whether it is needed to run, not to build or to test.
fn is_normal(dependency: &Value) -> bool {
    let kinds = dependency["dep_kinds"].as_array();
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
}

fn runs_in_compiler(package: &Value) -> bool {
    let targets = package["targets"].as_array().into_iter().flatten();
    let mut kinds = targets
        .filter_map(|target| target["kind"].as_array())
        .flatten();
    kinds.any(|kind| kind == "proc-macro")
}

fn crate_of(package: &Value) -> Option<Crate> {
    let manifest = Path::new(package["manifest_path"].as_str()?);
    Some(Crate {
        name: package["name"].as_str()?.to_owned(),
        version: package["version"].as_str()?.to_owned(),
        folder: manifest.parent()?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::in_module;

    #[test]
    fn what_only_builds_tests_or_runs_in_the_compiler_is_not_in_the_module() {
        let package = |name: &str, kind: &str| {
            let manifest = format!("/crates/{name}-1.0.0/Cargo.toml");
            json!({"id": name, "name": name, "version": "1.0.0", "manifest_path": manifest, "targets": [{"kind": [kind]}]})
        };
        let needs =
            |name: &str, kind: Option<&str>| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [
                package("skillshelf", "lib"), package("b", "lib"), package("a", "lib"),
                package("macros", "proc-macro"), package("of-macros", "lib"),
                package("builds", "lib"), package("tests", "lib"),
            ],
            "resolve": {"nodes": [
                {"id": "skillshelf", "deps": [
                    needs("b", None), needs("macros", None), needs("builds", Some("build")),
                    needs("tests", Some("dev")),
                ]},
                {"id": "b", "deps": [needs("a", None)]},
                {"id": "a", "deps": []},
                {"id": "macros", "deps": [needs("of-macros", None)]},
            ]},
        });
        let crates = in_module(&metadata).expect("it is metadata");
        let names: Vec<&str> = crates.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(crates[0].folder.to_str(), Some("/crates/a-1.0.0"));
        assert!(in_module(&json!({})).is_none());
    }
}
