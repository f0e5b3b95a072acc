//! Any text as the arguments of a tool: the result is one that a model can act on.

use std::cell::OnceCell;

use skillshelf::{Catalog, LoadOptions, ToolName, ToolOptions};

use super::catalog::check_result;
use super::disk::{Abilities, Disk};
use super::host::Host;
use super::input::{OUTSIDE, without_marks};

/// Bytes of an error at most, whatever was sent.
const LONGEST_ERROR: usize = 8192;

/// Options of tools, among them names that exchange two tools and an argument that is renamed.
const OPTIONS: [&str; 4] = [
    "{}",
    r#"{"wrapper":"none","directory":false}"#,
    r#"{"rename":{"load_skill":"read_skill_file","read_skill_file":"load_skill"}}"#,
    r#"{"rename":{"load_skill":{"arguments":{"name":"__proto__"}}}}"#,
];

struct Place {
    disk: Disk,
    catalog: Catalog,
}

thread_local! {
    static PLACE: OnceCell<Place> = const { OnceCell::new() };
}

impl Place {
    fn new() -> Self {
        let mut disk = Disk::default();
        disk.abilities = Abilities::FULL;
        disk.write("secret", OUTSIDE.to_string());
        for name in ["demo", "constructor", "a1"] {
            let text = ["---\nname: ", name, "\ndescription: d\n---\n# Body\n"].concat();
            disk.write(&["s/", name, "/SKILL.md"].concat(), text);
            disk.write(&["s/", name, "/a.md"].concat(), "one\ntwo\nthree\n");
            disk.write(&["s/", name, "/__proto__"].concat(), [0xff, 0, 0xfe]);
        }
        let load = Catalog::load(vec![disk.source("s")], LoadOptions::default());
        let catalog = Host::new(&disk, 0, true).run(load).expect("it loads");
        Self { disk, catalog }
    }

    fn check(&self, tool: &str, arguments: &str, options: &ToolOptions) {
        let [result, again] = [(), ()].map(|()| {
            let call = self
                .catalog
                .call(tool.to_owned(), arguments.to_owned(), options.clone());
            Host::new(&self.disk, 0, true).run(call)
        });
        assert_eq!(result, again);
        check_result(&result, true);
        assert!(
            !result.is_error() || result.content.len() < LONGEST_ERROR,
            "{result:?}"
        );
    }
}

/// Calls one of the tools, or what is none, with the rest of the bytes.
pub fn check(data: &[u8]) {
    let [which, options, rest @ ..] = data else {
        return;
    };
    let text = without_marks(&String::from_utf8_lossy(rest));
    let tools = ToolName::ALL.map(ToolName::as_str);
    let (tool, arguments) = match tools.get(usize::from(*which) % (tools.len() + 1)) {
        Some(tool) => (*tool, text.as_str()),
        None => text.split_once('\n').unwrap_or((text.as_str(), "{}")),
    };
    let options = OPTIONS[usize::from(*options) % OPTIONS.len()];
    let options = ToolOptions::from_json(options).expect("they can be used");
    PLACE.with(|place| {
        place
            .get_or_init(Place::new)
            .check(tool, arguments, &options);
    });
}
