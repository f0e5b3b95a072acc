//! A simulated host, and short ways to load a catalog from it and to ask it something.
#![allow(dead_code, unused_imports, reason = "each test file uses its own part")]

pub(crate) mod conversation;
pub(crate) mod disk;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod hostile;
pub(crate) mod liar;
pub(crate) mod shuffle;

use serde_json::Value as Json;
use skillshelf::{
    Catalog, Changes, Diagnostic, Error, IndexOptions, IndexReport, LoadOptions, Operation, Reply,
    Request, Session, SessionOptions, Source, Step, Style, ToJson, ToolOptions, ToolResult,
};

pub(crate) use conversation::Conversation;
pub(crate) use disk::{Abilities, Disk};

/// Where the skills of most tests are.
pub(crate) const SOURCE: &str = "s";

/// A skill file.
pub(crate) fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\nThe body of {name}.\n")
}

/// A skill file with further lines in its front matter, and a body.
pub(crate) fn skill_with(name: &str, lines: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n{lines}---\n{body}\n")
}

/// A disk with `<name>/SKILL.md` for each of `names`, in [`SOURCE`].
pub(crate) fn disk_of(names: &[&str]) -> Disk {
    let mut disk = Disk::default();
    for name in names {
        let path = format!("{SOURCE}/{name}/SKILL.md");
        disk.write(&path, skill(name, &format!("Does {name}.")));
    }
    disk
}

/// A disk with these files.
pub(crate) fn disk_with<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Disk {
    let mut disk = Disk::default();
    for (path, content) in files {
        disk.write(path, content.as_ref());
    }
    disk
}

/// Runs an operation over one disk.
pub(crate) fn run<T>(operation: Operation<T>, disk: &Disk) -> T {
    operation
        .run(|request| disk.answer(request))
        .expect("it was not over before")
}

/// Runs an operation in at most `most` steps. `None` when it goes on.
pub(crate) fn run_in_steps<T>(
    mut operation: Operation<T>,
    most: usize,
    mut answer: impl FnMut(&[Request]) -> Vec<Reply>,
) -> Option<T> {
    let mut replies = Vec::new();
    for _ in 0..most {
        match operation.step(replies).expect("it is not over") {
            Step::Done(result) => return Some(result),
            Step::Requests(requests) => replies = answer(&requests),
        }
    }
    None
}

/// The catalog of [`SOURCE`].
pub(crate) fn load(disk: &Disk) -> Catalog {
    load_with(disk, LoadOptions::default())
}

/// The same with options.
pub(crate) fn load_with(disk: &Disk, options: LoadOptions) -> Catalog {
    try_load(disk, options).expect("the catalog loads")
}

/// The same, or what it fails with.
pub(crate) fn try_load(disk: &Disk, options: LoadOptions) -> Result<Catalog, Error> {
    load_sources(disk, vec![disk.source(SOURCE)], options)
}

/// The catalog of several sources.
pub(crate) fn load_sources(
    disk: &Disk,
    sources: Vec<Source>,
    options: LoadOptions,
) -> Result<Catalog, Error> {
    run(Catalog::load(sources, options), disk)
}

/// Reads again what has changed.
pub(crate) fn refresh(catalog: &Catalog, disk: &Disk) -> Changes {
    run(catalog.refresh(), disk).expect("the catalog is refreshed")
}

/// A view of what the patterns let through.
pub(crate) fn only(catalog: &Catalog, disk: &Disk, patterns: &[&str]) -> Catalog {
    let patterns = patterns.iter().map(|&pattern| pattern.to_owned());
    run(catalog.only(patterns.collect()), disk)
}

/// Code and path of each finding.
pub(crate) fn found(catalog: &Catalog) -> Vec<(String, String)> {
    pairs(&catalog.diagnostics())
}

/// Code and path of each finding.
pub(crate) fn pairs(diagnostics: &[Diagnostic]) -> Vec<(String, String)> {
    diagnostics
        .iter()
        .map(|found| {
            (
                found.code.to_string(),
                found.path.as_deref().unwrap_or_default().to_owned(),
            )
        })
        .collect()
}

/// For comparisons with [`found`].
pub(crate) fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(code, path)| ((*code).to_owned(), (*path).to_owned()))
        .collect()
}

/// What the public interface shows of a skill.
pub(crate) fn public_skill(catalog: &Catalog, disk: &Disk, name: &str) -> Option<Json> {
    let id = run(catalog.get(name.to_owned(), None), disk)?;
    let skill = catalog.skill(id).expect("what was found is shown");
    Some(serde_json::from_str(&skill.to_json()).expect("a skill is JSON"))
}

/// The path that a skill was read from.
pub(crate) fn path_of(catalog: &Catalog, disk: &Disk, name: &str) -> Option<String> {
    Some(
        public_skill(catalog, disk, name)?["source"]["path"]
            .as_str()?
            .to_owned(),
    )
}

/// The body of a skill.
pub(crate) fn body(catalog: &Catalog, disk: &Disk, name: &str) -> Result<String, Error> {
    run(catalog.body(name.to_owned()), disk)
}

/// Calls a tool with options of the developer.
pub(crate) fn call_with(
    catalog: &Catalog,
    disk: &Disk,
    tool: &str,
    arguments: &Json,
    options: ToolOptions,
) -> ToolResult {
    run(
        catalog.call(tool.to_owned(), arguments.to_string(), options),
        disk,
    )
}

/// Calls `load_skill`.
pub(crate) fn load_skill(catalog: &Catalog, disk: &Disk, name: &str) -> ToolResult {
    call_with(
        catalog,
        disk,
        "load_skill",
        &serde_json::json!({ "name": name }),
        ToolOptions::default(),
    )
}

/// Calls `read_skill_file`.
pub(crate) fn read_file(catalog: &Catalog, disk: &Disk, skill: &str, path: &str) -> ToolResult {
    read_page(catalog, disk, skill, path, None, None)
}

/// Calls `read_skill_file` for a part.
pub(crate) fn read_page(
    catalog: &Catalog,
    disk: &Disk,
    skill: &str,
    path: &str,
    offset: Option<u64>,
    limit: Option<u64>,
) -> ToolResult {
    let arguments =
        serde_json::json!({ "skill": skill, "path": path, "offset": offset, "limit": limit });
    call_with(
        catalog,
        disk,
        "read_skill_file",
        &arguments,
        ToolOptions::default(),
    )
}

/// The text of an index in a style.
pub(crate) fn index(catalog: &Catalog, style: Style) -> String {
    let options = IndexOptions {
        style,
        location: true,
        ..IndexOptions::default()
    };
    report(catalog, options).text
}

/// An index whose tokens nobody counts.
pub(crate) fn report(catalog: &Catalog, options: IndexOptions) -> IndexReport {
    let made = catalog
        .index(options)
        .run(|_| panic!("an index asks for nothing"));
    made.expect("it is over").expect("nothing is counted")
}

/// All styles.
pub(crate) const STYLES: [Style; 4] = [Style::Markdown, Style::Plain, Style::Xml, Style::Json];

/// A session of a catalog that has loaded nothing.
pub(crate) fn session(catalog: &Catalog) -> Conversation {
    let options = SessionOptions::default();
    Conversation::begin(catalog, options).expect("nothing is stored")
}

/// Calls a tool in a session.
pub(crate) fn call_in(
    session: &Conversation,
    disk: &Disk,
    tool: &str,
    arguments: &Json,
) -> ToolResult {
    let options = ToolOptions::default();
    let call = session.call(tool.to_owned(), arguments.to_string(), options);
    session.run(call, disk)
}

/// The model loads a skill in a session.
pub(crate) fn load_in(session: &Conversation, disk: &Disk, name: &str) -> ToolResult {
    call_in(
        session,
        disk,
        "load_skill",
        &serde_json::json!({ "name": name }),
    )
}

/// Names of what a session has loaded, in order.
pub(crate) fn loaded_names(session: &Session) -> Vec<String> {
    let loaded = session.loaded().into_iter();
    loaded.map(|loaded| loaded.key.name).collect()
}

/// The events of a session since the last time, as JSON.
pub(crate) fn events(session: &Conversation) -> Vec<Json> {
    let events = session.told.take();
    let events = events.iter().map(|event| serde_json::from_str(event));
    events.map(|event| event.expect("it is JSON")).collect()
}

/// What is written of a value.
pub(crate) fn as_json(value: &dyn ToJson) -> Json {
    serde_json::from_str(&value.to_json()).expect("it is JSON")
}

/// A session that goes on with a stored state.
pub(crate) fn restored(catalog: &Catalog, state: &Json) -> Result<Conversation, Error> {
    restored_from_text(catalog, &state.to_string())
}

/// The same with JSON text, in which keys have their order.
pub(crate) fn restored_from_text(catalog: &Catalog, state: &str) -> Result<Conversation, Error> {
    let options = SessionOptions::from_json(&format!("{{\"state\":{state}}}"))?;
    Conversation::begin(catalog, options)
}

/// The name and the text of an entry of a list, `name: text`: the name ends at the first colon with
/// a blank, or else it is in quotes, in which a backslash stands before each quote and backslash.
pub(crate) fn name_and_text(entry: &str) -> (String, &str) {
    let Some(quoted) = entry.strip_prefix('"') else {
        let (name, text) = entry.split_once(": ").expect("a name and a text");
        return (name.to_owned(), text);
    };
    let mut name = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => {
                let text = quoted[at + 1..].strip_prefix(": ").expect("a text");
                return (name, text);
            }
            '\\' => name.extend(characters.next().map(|(_, escaped)| escaped)),
            other => name.push(other),
        }
    }
    panic!("{entry} has an open quote")
}
