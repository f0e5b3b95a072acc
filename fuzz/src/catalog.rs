//! A catalog over any files, links and answers of a host, and any calls of its tools.

use skillshelf::{
    Catalog, Form, IndexOptions, Invalid, Limits, Links, LoadOptions, Mode, Source, Style,
    ToolName, ToolOptions, ToolResult, Value,
};

use super::disk::{Abilities, Disk};
use super::host::Host;
use super::input::{Input, OF_A_BODY, OUTSIDE, quoted};

const SOURCE: &str = "s";

const HOSTS: [Abilities; 5] = [
    Abilities::FULL,
    Abilities::SMALLEST,
    Abilities::WITHOUT_OPEN,
    Abilities::WITHOUT_STAT,
    Abilities::FOLDING,
];
const DIRECTORIES: [&str; 8] = ["a", "b", "a/b", "a/b/c", "demo", "demo/inner", "B", ""];
const NAMES: [&str; 6] = [
    "SKILL.md", "skill.md", "a.md", "b/c.md", ".hidden", "x\n- y",
];
const TARGETS: [&str; 6] = ["/s/a", "/s", "/secret", "..", "../b", "nowhere"];
const STYLES: [Style; 4] = [Style::Markdown, Style::Plain, Style::Xml, Style::Json];

/// Loads what is made of the bytes, and asks for what they say.
pub fn check(data: &[u8]) {
    let mut input = Input::new(data);
    let mut disk = disk(&mut input);
    let options = options(&mut input);
    let sources = vec![disk.source(SOURCE), disk.source("s/a")];
    let sources = sources.into_iter().take(1 + input.below(2)).collect();
    let is_honest = input.flag();
    let seed = input.seed();
    let mut host = Host::new(&disk, seed, is_honest);
    let Ok(mut catalog) = host.run(Catalog::load(sources, options)) else {
        return;
    };
    check_catalog(&catalog, &mut host, &mut input);
    for _ in 0..input.below(3) {
        catalog = derived(&catalog, &mut host, &mut input);
        check_catalog(&catalog, &mut host, &mut input);
    }
    let changed = file(&mut input);
    disk.write("s/a/SKILL.md", changed);
    let mut host = Host::new(&disk, seed, is_honest);
    let _ = host.run(catalog.refresh());
    check_catalog(&catalog, &mut host, &mut input);
}

/// A skill file. Its body has a character of its own.
pub(crate) fn file(input: &mut Input<'_>) -> Vec<u8> {
    let front = input.text();
    let body = input.text();
    let name = input.pick(&["name: a\n", "name: demo\n", "name: inner\n", ""]);
    let description = input.pick(&["description: Fine.\n", "description: <b>\n", ""]);
    format!("---\n{name}{description}{front}\n---\n{OF_A_BODY}{body}").into_bytes()
}

fn disk(input: &mut Input<'_>) -> Disk {
    let mut disk = Disk::default();
    disk.abilities = input.pick(&HOSTS);
    disk.write("secret", OUTSIDE.to_string());
    for _ in 0..=input.below(5) {
        let directory = input.pick(&DIRECTORIES);
        let name = if input.flag() {
            "SKILL.md"
        } else {
            input.pick(&NAMES)
        };
        disk.write(&path(directory, name), file(input));
    }
    if disk.abilities.capabilities.real_path {
        for _ in 0..input.below(4) {
            let directory = input.pick(&DIRECTORIES);
            let name = input.pick(&["l", "SKILL.md", "m.md"]);
            disk.link(&path(directory, name), input.pick(&TARGETS));
        }
    }
    disk
}

fn path(directory: &str, name: &str) -> String {
    let parts = [SOURCE, directory, name];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("/")
}

fn options(input: &mut Input<'_>) -> LoadOptions {
    let mut limits = Limits::default();
    if input.flag() {
        limits.front_matter = 64;
        limits.body = 128;
        limits.depth = 2;
        limits.directories = 4;
        limits.page = 5;
        limits.bytes = 16;
        limits.listed_files = 2;
    }
    LoadOptions {
        mode: input.pick(&[Mode::Lenient, Mode::Strict]),
        invalid: input.pick(&[Invalid::Skip, Invalid::Skip, Invalid::Throw]),
        nested: input.flag(),
        links: input.pick(&[Links::Inside, Links::All, Links::Never]),
        strip: input.flag(),
        limits,
        ..LoadOptions::default()
    }
}

/// A view, or a catalog of what a view shows.
fn derived(catalog: &Catalog, host: &mut Host<'_>, input: &mut Input<'_>) -> Catalog {
    let patterns = input.pick(&["*", "a", "!a", "de*", "!inner"]);
    let view = host.run(catalog.only(vec![patterns.to_owned(), input.text()]));
    if input.flag() {
        return view;
    }
    let options = options(input);
    match host.run(Catalog::load(vec![Source::Catalog(view.clone())], options)) {
        Ok(catalog) => catalog,
        Err(_) => view,
    }
}

fn check_catalog(catalog: &Catalog, host: &mut Host<'_>, input: &mut Input<'_>) {
    let is_honest = host.is_honest();
    assert_eq!(catalog.names().len(), catalog.count());
    for style in STYLES {
        check_index(catalog, style, is_honest);
    }
    let tools = options_of_tools(input);
    for _ in 0..=input.below(3) {
        let tool = tool(input);
        let arguments = arguments(input);
        let result = host.run(catalog.call(tool, arguments, tools.clone()));
        check_result(&result, is_honest);
    }
    let name = input.text();
    let _ = host.run(catalog.body(name));
}

/// The model's mistake is one line; nothing outside of the source is told by a host that is honest.
pub(crate) fn check_result(result: &ToolResult, is_honest: bool) {
    assert_eq!(result.is_error(), result.code().is_some());
    assert_eq!(result.truncated().is_some(), result.next_offset().is_some());
    assert!(
        !is_honest || !result.content.contains(OUTSIDE),
        "{result:?}"
    );
    if result.is_error() {
        assert!(
            !result.content.contains(['\n', '\r', '\u{2028}']),
            "{result:?}"
        );
    }
}

/// The index has no part of a body, and one line or element for each skill.
fn check_index(catalog: &Catalog, style: Style, is_honest: bool) {
    let options = IndexOptions {
        style,
        location: false,
        ..IndexOptions::default()
    };
    let nothing = |_: &skillshelf::Request| skillshelf::Reply::Text(String::new());
    let report = catalog.index(options.clone()).run(nothing);
    let report = report.expect("it is over").expect("nothing is counted");
    let text = &report.text;
    let prompt = catalog.prompt(options).run(nothing);
    assert_eq!(Some(Ok(text)), prompt.as_ref().map(Result::as_ref));
    assert!(!is_honest || !text.contains(OF_A_BODY), "{text}");
    if report.form == Form::None {
        assert!(text.is_empty());
        return;
    }
    let shown = match style {
        Style::Markdown => text.split('\n').skip(4).count(),
        Style::Plain => text.split('\n').skip(2).count(),
        Style::Xml => text.matches("<skill>\n").count(),
        Style::Json => match Value::from_json(text) {
            Some(Value::Map(index)) => match index.get("skills") {
                Some(Value::List(skills)) => skills.len(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        },
    };
    assert_eq!(shown, report.listed, "{text}");
    assert_eq!(report.listed, report.total);
}

fn options_of_tools(input: &mut Input<'_>) -> ToolOptions {
    let json = input.pick(&[
        "{}",
        r#"{"wrapper":"skill"}"#,
        r#"{"wrapper":"none","directory":false}"#,
        r#"{"rename":{"load_skill":"use_skill"}}"#,
    ]);
    ToolOptions::from_json(json).expect("they can be used")
}

/// The name of a tool, or any text.
pub(crate) fn tool(input: &mut Input<'_>) -> String {
    if input.below(8) == 0 {
        return input.text();
    }
    input.pick(&ToolName::ALL).as_str().to_owned()
}

/// Arguments that fit, or nearly, or not at all.
pub(crate) fn arguments(input: &mut Input<'_>) -> String {
    let name = input.pick(&["a", "demo", "inner", "b", "a@1.10"]);
    let path = match input.below(3) {
        0 => input.pick(&NAMES).to_owned(),
        1 => input
            .pick(&[
                "../../secret",
                "l",
                "l/SKILL.md",
                "inner/SKILL.md",
                "b/../SKILL.md",
            ])
            .to_owned(),
        _ => input.text(),
    };
    let number = input.pick(&["null", "0", "1", "7", "1e9", "-1", "\"2\"", "1.5"]);
    let path = quoted(&path);
    match input.below(6) {
        0 => format!("{{\"name\":\"{name}\"}}"),
        1 => format!("{{\"skill\":\"{name}\",\"path\":{path}}}"),
        2 => format!(
            "{{\"skill\":\"{name}\",\"path\":{path},\"offset\":{number},\"limit\":{number}}}"
        ),
        3 => format!("{{\"skill\":\"{name}\"}}"),
        4 => format!("{{\"filter\":{path},\"group\":null,\"offset\":{number},\"limit\":{number}}}"),
        _ => input.text(),
    }
}
