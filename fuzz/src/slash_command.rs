//! Lines of a user, with commands of the host, over skills of any names.

use skillshelf::{
    Catalog, CompleteOptions, CompletionKind, ExpandOptions, Expansion, Limits, LoadOptions,
    ToJson, Value,
};

use super::catalog::file;
use super::disk::Disk;
use super::host::Host;
use super::input::{Input, quoted};

/// Bytes of a body.
const LARGEST_BODY: u32 = 400;

/// Expands and completes what the bytes say.
pub fn check(data: &[u8]) {
    let mut input = Input::new(data);
    let mut disk = Disk::default();
    for path in ["s/a/SKILL.md", "s/a b/SKILL.md", "s/demo/SKILL.md"] {
        disk.write(path, file(&mut input));
    }
    let placeholders = input.pick(&[
        "$1",
        "$ARGUMENTS$1",
        "\\$1 $2",
        "$ARGUMENTS $ARGUMENTS",
        "$",
    ]);
    let body = placeholders.repeat(input.below(60));
    let skill = format!(
        "---\nname: fill\ndescription: Fine.\n---\n{body}{}",
        input.text()
    );
    disk.write("s/fill/SKILL.md", skill);
    let limits = Limits {
        body: LARGEST_BODY,
        ..Limits::default()
    };
    let options = LoadOptions {
        limits,
        ..LoadOptions::default()
    };
    let mut host = Host::new(&disk, 0, true);
    let catalog = host.run(Catalog::load(vec![disk.source("s")], options));
    let catalog = catalog.expect("what cannot be read is skipped");
    let commands = commands(&mut input);
    for _ in 0..=input.below(3) {
        let begin = input.pick(&["/", "/fill ", "/a ", "/a b ", "", "/demo"]);
        let line = format!("{begin}{}", input.text());
        check_line(&catalog, &mut host, &line, &commands);
        check_completions(&catalog, &mut host, &line, &commands);
    }
}

/// The commands of the host, as JSON.
fn commands(input: &mut Input<'_>) -> String {
    let commands = 0..input.below(4);
    let command = commands.map(|_| {
        let name = input.word(&["a", "a b", "/help", "demo", " x ", "fi"]);
        format!(
            "{{\"name\":{name},\"description\":{}}}",
            quoted(&input.text())
        )
    });
    format!("[{}]", command.collect::<Vec<_>>().join(","))
}

fn expanded(
    catalog: &Catalog,
    host: &mut Host<'_>,
    line: &str,
    commands: &str,
    arguments: bool,
) -> Option<Expansion> {
    let options = format!("{{\"commands\":{commands},\"arguments\":{arguments}}}");
    let options = ExpandOptions::from_json(&options).ok()?;
    host.run(catalog.expand(line.to_owned(), options)).ok()
}

/// A line becomes at most so long, and nothing of it is lost.
fn check_line(catalog: &Catalog, host: &mut Host<'_>, line: &str, commands: &str) {
    for arguments in [false, true] {
        match expanded(catalog, host, line, commands, arguments) {
            Some(Expansion::Skill { text, extra, .. }) => {
                assert!(line.trim_end().ends_with(&extra));
                let most = LARGEST_BODY as usize + 2 * extra.len() + 2;
                assert!(text.len() <= most, "{} of {most}", text.len());
                assert!(arguments || text.ends_with(&extra));
            }
            Some(Expansion::Command { extra, .. }) => assert!(line.trim_end().ends_with(&extra)),
            Some(Expansion::Text { text }) => assert_eq!(text, line),
            Some(Expansion::Unknown { name, message, .. }) => {
                assert!(!name.contains('\n') && !message.contains(['\n', '\r', '\u{2028}']));
                assert!(message.len() < 4000);
            }
            None => {}
        }
    }
}

/// What is completed is what it expands to.
fn check_completions(catalog: &Catalog, host: &mut Host<'_>, line: &str, commands: &str) {
    let options = format!("{{\"commands\":{commands}}}");
    let Ok(options) = CompleteOptions::from_json(&options) else {
        return;
    };
    for completion in host.run(catalog.complete(line.to_owned(), options)) {
        assert!(
            !completion
                .description
                .as_deref()
                .unwrap_or_default()
                .contains('\n')
        );
        let Some(Value::Map(shown)) = Value::from_json(&completion.to_json()) else {
            panic!("{completion:?}");
        };
        let insert = shown.get("insert").and_then(Value::as_str).expect("text");
        let line = format!("{insert} ≡");
        match expanded(catalog, host, &line, commands, false) {
            Some(Expansion::Command { name, extra }) => {
                assert_eq!(
                    (completion.kind, name, &*extra),
                    (CompletionKind::Command, completion.name, "≡")
                );
            }
            Some(Expansion::Skill { skill, extra, .. }) => {
                assert_eq!(
                    (completion.kind, skill, &*extra),
                    (CompletionKind::Skill, completion.name, "≡")
                );
            }
            // Its body is too large.
            None => assert_eq!(completion.kind, CompletionKind::Skill),
            other => panic!("{completion:?}: {other:?}"),
        }
    }
}
