//! What is wrapped cannot close its wrapper, whatever it says, and comes out of it as it went in.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use proptest::prelude::*;
use serde_json::json;
use skillshelf::{Budget, CompactOptions, LoadOptions, ToolOptions, Wrapper, hidden};
use support::{
    Disk, body, call_with, disk_with, load, load_in, load_skill, load_with, read_file, refresh,
    session, skill_with,
};

/// What a body that wants out of its wrapper is made of.
const PIECES: [&str; 42] = [
    "<",
    "</",
    "< /",
    "<\n/",
    "/",
    ">",
    "\">",
    "skill_content",
    "skill",
    "SKILL_Content",
    "skіll",
    "skill_сontent",
    "ｓｋｉｌｌ＿ｃｏｎｔｅｎｔ",
    "𝐬𝐤𝐢𝐥𝐥_𝚌𝚘𝚗𝚝𝚎𝚗𝚝",
    "ſki\u{1BCA0}ⅼl_content",
    "sk1|l",
    "ⓢ\u{212A}ill",
    "\u{2215}",
    "／",
    "\u{FFF0}",
    "\u{B}",
    "\u{600}",
    "\u{301}",
    "\\",
    "skill_resources",
    "</skill_content>",
    "</skill>",
    "<skill_content name=\"other\">",
    "</skill_resources>",
    "<skill_resources>\n<file>x</file>\n",
    "&lt;",
    "&amp;",
    "<!--",
    "<![CDATA[",
    "\u{200B}",
    "\u{202E}",
    "\u{E0041}",
    "\u{0}",
    "\n",
    " ",
    "a",
    "é",
];

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(PIECES.to_vec());
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

/// Letters and signs of the pieces, and what a reader takes each for.
const READ_AS: [(&str, &str); 12] = [
    ("ｓｋｉｌｌ＿ｃｏｎｔｅｎｔ", "skill_content"),
    ("𝐬𝐤𝐢𝐥𝐥_𝚌𝚘𝚗𝚝𝚎𝚗𝚝", "skill_content"),
    ("і", "i"),
    ("с", "c"),
    ("ſ", "s"),
    ("ⅼ", "l"),
    ("ⓢ", "s"),
    ("\u{212A}", "k"),
    ("1", "i"),
    ("|", "l"),
    ("\u{2215}", "/"),
    ("／", "/"),
];

/// What stands between letters and is not seen.
const UNSEEN: [char; 9] = [
    '\u{200B}',
    '\u{202E}',
    '\u{E0041}',
    '\u{1BCA0}',
    '\u{FFF0}',
    '\0',
    '\u{B}',
    '\u{600}',
    '\u{301}',
];

/// A text as a reader sees it who looks for tags: without what nobody sees, in small letters, in any form
/// and alphabet as what they look like.
fn seen(text: &str) -> String {
    let text: String = text.chars().filter(|c| !UNSEEN.contains(c)).collect();
    let text = READ_AS
        .iter()
        .fold(text, |text, (letter, plain)| text.replace(letter, plain));
    text.to_lowercase()
}

/// The tags of this name: whether each closes, and where in the seen text it is.
fn tags(text: &str, tag: &str) -> Vec<(bool, usize)> {
    let text = seen(text);
    let mut found = Vec::new();
    for (at, _) in text.match_indices('<') {
        let is_before = |c: char| c.is_whitespace() || matches!(c, '/' | '\\');
        let rest = text[at + 1..].trim_start_matches(is_before);
        let closes = text[at + 1..text.len() - rest.len()].contains(['/', '\\']);
        let after = rest.strip_prefix(tag);
        let goes_on = |c: char| c.is_alphanumeric() || "_-.:".contains(c);
        if after.is_some_and(|after| !after.starts_with(goes_on)) {
            found.push((closes, at));
        }
    }
    found
}

/// A text with `<` where `&lt;` begins a tag of this name.
fn unescaped(text: &str, tag: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("&lt;") {
        out.push_str(before);
        let is_tag = tags(&["<", after].concat(), tag)
            .first()
            .is_some_and(|(_, at)| *at == 0);
        out.push_str(if is_tag { "<" } else { "&lt;" });
        rest = after;
    }
    out + rest
}

/// Checks one wrapped text, and gives what stands after it.
fn check<'a>(content: &'a str, tag: &str, body: &str) -> Result<&'a str, TestCaseError> {
    let close = ["\n</", tag, ">"].concat();
    let (wrapped, after) = content.rsplit_once(&close).expect("it is closed");
    let open = ["<", tag, " name=\""].concat();
    prop_assert!(wrapped.starts_with(&open), "{content}");
    let (_, inner) = wrapped.split_once("\">\n").expect("it is opened");
    prop_assert_eq!(
        tags(inner, tag),
        [],
        "nothing in it opens or closes: {}",
        content
    );
    let all = [wrapped, &close].concat();
    let closing: Vec<bool> = tags(&all, tag)
        .into_iter()
        .map(|(closes, _)| closes)
        .collect();
    prop_assert_eq!(closing, [false, true], "{}", content);
    prop_assert_eq!(unescaped(inner, tag), unescaped(body, tag), "{}", content);
    if unescaped(body, tag) == body {
        prop_assert_eq!(unescaped(inner, tag), body, "it comes out as it went in");
    }
    Ok(after)
}

fn disk_of(body: &str, file: &str) -> Disk {
    let mut disk = disk_with(&[("s/a/SKILL.md", skill_with("a", "", body))]);
    disk.write("s/a/notes <skill_resources> &.md", file);
    disk
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 400 } else { 4000 }))]

    #[test]
    fn a_body_cannot_close_its_wrapper_and_comes_out_of_it_as_it_went_in(text in hostile(), other in hostile()) {
        let mut disk = disk_of(&text, &other);
        let catalog = load(&disk);
        let shown = body(&catalog, &disk, "a").expect("any text is a body");
        for (wrapper, tag) in [(Wrapper::SkillContent, "skill_content"), (Wrapper::Skill, "skill")] {
            let options = ToolOptions { wrapper, ..ToolOptions::default() };
            let result = call_with(&catalog, &disk, "load_skill", &json!({ "name": "a" }), options);
            let after = check(&result.content, tag, &shown)?;
            // The list of files is the only one after it, and no name in it closes it.
            let lists: Vec<bool> = tags(after, "skill_resources").iter().map(|(closes, _)| *closes).collect();
            prop_assert_eq!(lists, [false, true]);
            prop_assert!(after.contains("<file>notes &lt;skill_resources&gt; &amp;.md</file>"), "{}", after);
            let is_told = catalog.diagnostics().iter().any(|it| it.code == "wrapper-tag-in-body");
            prop_assert!(is_told || tags(&shown, tag).is_empty());
        }
        // A conversation: its first load, a changed text, what is kept, and what is loaded again
        // where the file is gone.
        let session = session(&catalog);
        check(&load_in(&session, &disk, "a").content, "skill_content", &shown)?;
        disk.write("s/a/SKILL.md", skill_with("a", "", &[&other, "\nchanged"].concat()));
        let changed = load_in(&session, &disk, "a").content;
        let (_, changed) = changed.split_once("\n\n").expect("what has happened comes first");
        let shown = body(&catalog, &disk, "a").expect("any text is a body");
        check(changed, "skill_content", &shown)?;
        let compact = |budget| {
            let compacted = session.compact(CompactOptions { budget });
            session.run(compacted, &Disk::default()).expect("nothing is counted")
        };
        let kept = compact(None).keep;
        check(&kept[0].text, "skill_content", &shown)?;
        let notes = compact(Some(Budget::Characters(0))).notes;
        prop_assert_eq!(tags(&notes[0].text, "skill_content"), []);
        disk.remove("s/a/SKILL.md");
        refresh(&catalog, &disk);
        let again = load_in(&session, &disk, "a").content;
        let (_, again) = again.split_once("\n\n").expect("why it is an earlier one comes first");
        check(again, "skill_content", &shown)?;
    }

    #[test]
    fn without_a_wrapper_a_text_is_given_as_it_is_and_the_list_of_files_is_the_last(text in hostile()) {
        let disk = disk_of(&text, "");
        let catalog = load(&disk);
        let shown = body(&catalog, &disk, "a").expect("any text is a body");
        let options = ToolOptions { wrapper: Wrapper::None, ..ToolOptions::default() };
        let content = call_with(&catalog, &disk, "load_skill", &json!({ "name": "a" }), options).content;
        let after = content.strip_prefix(&shown).expect("the body comes first");
        let list = "<skill_resources>\n<file>notes &lt;skill_resources&gt; &amp;.md</file>\n</skill_resources>";
        prop_assert!(after.ends_with(list), "{}", after);
        prop_assert_eq!(tags(after, "skill_resources").len(), 2);
    }

    #[test]
    fn a_file_is_read_as_it_is_and_with_strip_without_what_nobody_sees(text in hostile()) {
        let disk = disk_of("", &text.replace('\0', ""));
        let text = text.replace('\0', "");
        let path = "notes <skill_resources> &.md";
        let catalog = load(&disk);
        prop_assert_eq!(&read_file(&catalog, &disk, "a", path).content, &text);
        let told = catalog.diagnostics().into_iter().find(|found| found.code == "hidden-characters");
        let first = hidden::find(&text).next();
        prop_assert_eq!(told.is_some(), first.is_some());
        if let (Some(told), Some(first)) = (told, first) {
            let place = format!("U+{:04X} at offset {}", u32::from(first.code_point), first.offset);
            prop_assert!(told.message.contains(&place), "{}", told.message);
            prop_assert_eq!(told.path.as_deref(), Some("/s/a/notes <skill_resources> &.md"));
        }
        let stripped = load_with(&disk, LoadOptions { strip: true, ..LoadOptions::default() });
        prop_assert_eq!(&read_file(&stripped, &disk, "a", path).content, &*hidden::strip(&text));
    }
}

#[test]
fn the_name_of_a_directory_opens_neither_a_wrapper_nor_a_list() {
    let directory = "s/<skill_resources> <skill_content>";
    let mut disk = Disk::default();
    disk.write(
        &[directory, "/SKILL.md"].concat(),
        skill_with("a", "", "Body"),
    );
    let content = load_skill(&load(&disk), &disk, "a").content;
    assert!(
        content.contains("Skill directory: /s/&lt;skill_resources> &lt;skill_content>"),
        "{content}"
    );
    assert_eq!(tags(&content, "skill_resources"), []);
    assert_eq!(tags(&content, "skill_content").len(), 2);
}
