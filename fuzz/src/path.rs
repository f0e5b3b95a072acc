//! Any text as the path of a file that a model asks for: what is read lies in the skill.

use std::cell::OnceCell;

use skillshelf::{Catalog, LoadOptions, ToolOptions};

use super::catalog::check_result;
use super::disk::{Abilities, Disk};
use super::host::Host;
use super::input::{OUTSIDE, quoted, without_marks};

const HOSTS: [Abilities; 4] = [
    Abilities::FULL,
    Abilities::SMALLEST,
    Abilities::WITHOUT_OPEN,
    Abilities::FOLDING,
];

/// What each file of the skill begins with.
const INSIDE: &str = "inside";

/// Bytes of a refusal at most, whatever is asked.
const LONGEST_REFUSAL: usize = 8192;

/// A skill with files, and links that leave it, beside what must not be read.
struct Place {
    disk: Disk,
    catalog: Catalog,
}

thread_local! {
    static PLACES: [OnceCell<Place>; HOSTS.len()] = const { [const { OnceCell::new() }; HOSTS.len()] };
}

impl Place {
    fn new(abilities: Abilities) -> Self {
        let mut disk = Disk::default();
        disk.abilities = abilities;
        disk.write("secret", OUTSIDE.to_string());
        disk.write(
            "s/other/SKILL.md",
            "---\nname: other\ndescription: d\n---\nΨ",
        );
        disk.write(
            "s/demo/SKILL.md",
            "---\nname: demo\ndescription: d\n---\ninside",
        );
        for file in ["a.md", "b/c.md", "b/ä.txt", "%2e%2e", "...md", " d "] {
            disk.write(&["s/demo/", file].concat(), INSIDE);
        }
        if abilities.capabilities.real_path {
            disk.link("s/demo/out", "/secret");
            disk.link("s/demo/up", "..");
            disk.link("s/demo/loop", "loop");
            disk.link("s/demo/in", "b");
        }
        let sources = vec![disk.source("s")];
        let load = Catalog::load(sources, LoadOptions::default());
        let catalog = Host::new(&disk, 0, true).run(load).expect("it loads");
        Self { disk, catalog }
    }

    /// Asks twice, since nothing that was asked before may change the answer.
    fn check(&self, path: &str) {
        let arguments = ["{\"skill\":\"demo\",\"path\":", &quoted(path), "}"].concat();
        let [result, again] = ["read_skill_file", "read_skill_file"].map(|tool| {
            let call =
                self.catalog
                    .call(tool.to_owned(), arguments.clone(), ToolOptions::default());
            Host::new(&self.disk, 0, true).run(call)
        });
        assert_eq!(result, again);
        check_result(&result, true);
        if result.is_error() {
            assert!(result.content.len() < LONGEST_REFUSAL, "{result:?}");
        } else {
            assert!(result.content.contains(INSIDE), "{path:?} {result:?}");
        }
    }
}

/// Asks for the bytes as a path.
pub fn check(data: &[u8]) {
    let Some((first, path)) = data.split_first() else {
        return;
    };
    let which = usize::from(*first) % HOSTS.len();
    // A refusal may repeat the path.
    let path = without_marks(&String::from_utf8_lossy(path));
    PLACES.with(|places| {
        let place = places[which].get_or_init(|| Place::new(HOSTS[which]));
        place.check(&path);
    });
}
