//! The package measured against others, as users have them: installed from npm.

use anyhow::Result;

use crate::browser;
use crate::package;
use crate::playground;
use crate::process::announce;
use crate::project::Project;
use crate::toolchain::WasmToolchain;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, toolchain: WasmToolchain, rest: &[String]) -> Result<()> {
    let tarball = package::build_and_pack(workspace, toolchain)?;
    let page = if wants_playground(rest) {
        let chromium = browser::chromium()?;
        Some((playground::build(workspace, &tarball)?, chromium))
    } else {
        None
    };
    announce("bench");
    let project = Project::create(&workspace.root.join("benches"), &tarball)?;
    let mut bench = project.script("run.mjs").args(rest);
    if let Some((site, chromium)) = page {
        bench = bench.env("PLAYGROUND_SITE", site).env("CHROMIUM", chromium);
    }
    bench.run()
}

/// Whether the page has to be built: its section is asked for, or none is.
fn wants_playground(rest: &[String]) -> bool {
    let some = rest.first().is_some_and(|word| !word.starts_with('-'))
        || rest.iter().any(|word| word.starts_with("--only"));
    let names = rest.iter().flat_map(|word| word.split(['=', ',']));
    !some || names.into_iter().any(|name| name == "playground")
}

#[cfg(test)]
mod tests {
    use super::wants_playground;

    #[test]
    fn the_page_is_built_only_for_its_section() {
        for (words, wanted) in [
            ("", true),
            ("--quick", true),
            ("playground --rounds 2", true),
            ("--only scan,playground", true),
            ("--only=scan,playground", true),
            ("scan --json playground.json", false),
            ("scan --quick", false),
            ("--only scan", false),
        ] {
            let rest: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            assert_eq!(wants_playground(&rest), wanted, "{words}");
        }
    }
}
