//! `Catalog::search` and `search_skills`.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use proptest::prelude::*;
use serde_json::json;
use skillshelf::{
    Catalog, LoadOptions, Request, SearchHit, SearchOptions, Step, ToolOptions, ToolResult,
};
use support::{
    Abilities, Disk, call_with, disk_of, disk_with, hostile, load, load_with, only, refresh, run,
    skill, skill_with,
};

fn hits(catalog: &Catalog, disk: &Disk, query: &str, bodies: bool) -> Vec<SearchHit> {
    let options = SearchOptions {
        bodies,
        ..SearchOptions::default()
    };
    run(catalog.search(query.to_owned(), options), disk)
}

fn names(catalog: &Catalog, disk: &Disk, query: &str) -> Vec<String> {
    let hits = hits(catalog, disk, query, false).into_iter();
    hits.map(|hit| hit.name).collect()
}

fn names_with_bodies(catalog: &Catalog, disk: &Disk, query: &str) -> Vec<String> {
    let hits = hits(catalog, disk, query, true).into_iter();
    hits.map(|hit| hit.name).collect()
}

fn search_skills(catalog: &Catalog, disk: &Disk, arguments: &serde_json::Value) -> ToolResult {
    let options = ToolOptions::default();
    call_with(catalog, disk, "search_skills", arguments, options)
}

/// Skills of every field.
fn shelf() -> Disk {
    disk_with(&[
        (
            "s/pdf/SKILL.md",
            skill("pdf", "Fills in forms and merges documents."),
        ),
        (
            "s/type-script/SKILL.md",
            skill("type-script", "Writes typed programs."),
        ),
        (
            "s/charts/SKILL.md",
            skill_with("charts", "tags: [plotting, graphs]\n", "# Drawing bars"),
        ),
        (
            "s/mail/SKILL.md",
            skill_with(
                "mail",
                "when_to_use: Someone wants a newsletter.\n",
                "Sends letters by carrier pigeon.\n\n## Envelopes",
            ),
        ),
        (
            "s/zh/SKILL.md",
            skill("zh", "根据说明生成流程图和思维导图。"),
        ),
    ])
}

#[test]
fn each_field_is_looked_at() {
    let disk = shelf();
    let catalog = load(&disk);
    for (query, expected) in [
        ("pdf", &["pdf"][..]),
        ("merging a document", &["pdf"]),
        ("typescript", &["type-script"]),
        ("TypeScript", &["type-script"]),
        ("type script", &["type-script"]),
        ("plots", &["charts"]),
        ("newsletters", &["mail"]),
        ("流程图", &["zh"]),
        ("图", &["zh"]),
        ("merg", &["pdf"]),
        ("pigeon", &[]),
        ("envelope", &[]),
        ("nothing of this", &[]),
    ] {
        assert_eq!(names(&catalog, &disk, query), expected, "{query}");
    }
}

#[test]
fn with_bodies_their_headings_and_beginnings_are_looked_at() {
    let disk = shelf();
    let catalog = load(&disk);
    for (query, expected) in [
        ("pigeons", &["mail"][..]),
        ("envelope", &["mail"]),
        ("draw a bar", &["charts"]),
    ] {
        assert_eq!(names_with_bodies(&catalog, &disk, query), expected);
        assert_eq!(
            names(&catalog, &disk, query),
            [""; 0],
            "and forgotten for {query} without"
        );
    }
}

#[test]
fn of_a_long_body_the_headings_are_looked_at_to_its_end() {
    let body = format!(
        "first\n{}\nmiddle\n## Last resort\nlast\n",
        "filler words\n".repeat(400)
    );
    let disk = disk_with(&[("s/a/SKILL.md", skill_with("a", "", &body))]);
    let catalog = load(&disk);
    for (query, is_found) in [("first", true), ("resort", true), ("middle", false)] {
        let found = names_with_bodies(&catalog, &disk, query);
        assert_eq!(!found.is_empty(), is_found, "{query}");
    }
}

#[test]
fn a_hit_tells_the_words_of_the_query() {
    let disk = shelf();
    let catalog = load(&disk);
    for (query, expected) in [
        ("Merge some Documents", vec!["Merge", "Documents"]),
        ("a form: FORM", vec!["form"]),
        ("生成流程图", vec!["生成流程图"]),
        ("生成大图", vec!["生成"]),
        ("Type-Script?", vec!["Type-Script"]),
    ] {
        let hits = hits(&catalog, &disk, query, false);
        let matched = hits.first().map(|hit| hit.matched.clone());
        assert_eq!(matched.unwrap_or_default(), expected, "{query}");
    }
}

#[test]
fn names_and_rare_words_come_first() {
    let disk = disk_with(&[
        ("s/a/SKILL.md", skill("a", "Reviews pull requests.")),
        ("s/b/SKILL.md", skill("b", "Reviews novels.")),
        ("s/c/SKILL.md", skill("c", "Reviews plays.")),
        ("s/novels/SKILL.md", skill("novels", "Writes prose.")),
    ]);
    let catalog = load(&disk);
    assert_eq!(names(&catalog, &disk, "a novel"), ["novels", "b"]);
    assert_eq!(
        names(&catalog, &disk, "review novels"),
        ["novels", "b", "c", "a"]
    );
    let scores: Vec<f32> = hits(&catalog, &disk, "review novels", false)
        .iter()
        .map(|hit| hit.score)
        .collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[test]
fn words_that_say_nothing_count_only_alone() {
    let disk = disk_with(&[
        ("s/it/SKILL.md", skill("it", "Helps with the computer.")),
        ("s/b/SKILL.md", skill("b", "Brews it and the tea.")),
    ]);
    let catalog = load(&disk);
    assert_eq!(names(&catalog, &disk, "it"), ["it"]);
    assert_eq!(names(&catalog, &disk, "it is the tea"), ["b"]);
}

#[test]
fn any_query_is_answered() {
    let disk = shelf();
    let catalog = load(&disk);
    let long = "documents and forms ".repeat(500);
    assert_eq!(names(&catalog, &disk, &long), ["pdf"]);
    let different: Vec<String> = (0..2500).map(|number| format!("w{number}")).collect();
    let different = different.join(" ");
    let before_pdf = format!("{different} pdf");
    for query in ["", " \n", "?!", "\u{200b}", &different, &before_pdf] {
        assert_eq!(names(&catalog, &disk, query), [""; 0]);
    }
}

#[test]
fn the_limit_is_ten_unless_it_is_told() {
    let names: Vec<String> = (0..20).map(|number| format!("tea-{number:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let disk = disk_of(&names);
    let catalog = load(&disk);
    let count = |limit: &str| {
        let options = SearchOptions::from_json(limit).unwrap();
        run(catalog.search("tea".to_owned(), options), &disk).len()
    };
    for (options, expected) in [
        ("{}", 10),
        (r#"{"limit":3}"#, 3),
        (r#"{"limit":0}"#, 0),
        (r#"{"limit":4294967295}"#, 20),
    ] {
        assert_eq!(count(options), expected, "{options}");
    }
    let equal = hits(&catalog, &disk, "tea", false);
    let found: Vec<&str> = equal.iter().map(|hit| hit.name.as_str()).collect();
    assert_eq!(found, names[..10], "equal ones by name");
    assert!(SearchOptions::from_json(r#"{"limit":-1}"#).is_err());
    assert!(SearchOptions::from_json(r#"{"body":true}"#).is_err());
}

#[test]
fn only_what_is_shown_counts() {
    let mut disk = shelf();
    disk.write(
        "s/secret/SKILL.md",
        skill_with("secret", "disable-model-invocation: true\n", "Pigeons."),
    );
    let catalog = load(&disk);
    assert_eq!(names(&catalog, &disk, "secret"), ["secret"]);
    let answer = search_skills(&catalog, &disk, &json!({ "query": "secret" }));
    assert!(answer.content.starts_with("There is no skill that fits"));
    let view = only(&catalog, &disk, &["pdf", "charts"]);
    assert_eq!(names(&view, &disk, "newsletter documents"), ["pdf"]);
    assert_eq!(names_with_bodies(&view, &disk, "pigeon"), [""; 0]);
    let alone = load(&disk_with(&[
        (
            "s/pdf/SKILL.md",
            skill("pdf", "Fills in forms and merges documents."),
        ),
        (
            "s/charts/SKILL.md",
            skill_with("charts", "tags: [plotting, graphs]\n", "# Drawing bars"),
        ),
    ]));
    let scores = |catalog: &Catalog| -> Vec<f32> {
        let hits = hits(catalog, &disk, "documents", false);
        hits.iter().map(|hit| hit.score).collect()
    };
    assert_eq!(
        scores(&view),
        scores(&alone),
        "as if the others were not there"
    );
}

#[test]
fn words_of_what_is_not_shown_do_not_keep_longer_ones_from_being_found() {
    let mut disk = disk_with(&[("s/open/SKILL.md", skill("open", "Of acquisitionplans."))]);
    let query = "acquisition zebra";
    assert_eq!(names(&load(&disk), &disk, query), ["open"]);
    let hidden = "disable-model-invocation: true\n";
    disk.write(
        "s/secret/SKILL.md",
        skill_with("secret", hidden, "An acquisition."),
    );
    disk.write("s/body/SKILL.md", skill_with("body", "", "An acquisition."));
    let catalog = load(&disk);
    assert_eq!(
        names_with_bodies(&catalog, &disk, query),
        ["body", "secret"]
    );
    assert_eq!(names(&catalog, &disk, query), ["open"], "without bodies");
    let view = only(&catalog, &disk, &["open"]);
    assert_eq!(names_with_bodies(&view, &disk, query), ["open"]);
    disk.write("s/body/SKILL.md", skill("body", "Of nothing."));
    refresh(&catalog, &disk);
    let answer = search_skills(&catalog, &disk, &json!({ "query": query }));
    assert!(answer.content.contains("- open: "), "{}", answer.content);
}

#[test]
fn one_form_is_compared_on_both_sides() {
    let disk = disk_with(&[
        ("s/a/SKILL.md", skill("a", "The \u{fb01}ling of tax forms.")),
        ("s/b/SKILL.md", skill("b", "Größe — “so”.")),
        ("s/c/SKILL.md", skill_with("c", "", "A \u{fb01}gure.")),
    ]);
    let catalog = load(&disk);
    for query in ["filing", "\u{fb01}ling", "ｆｉｌｉｎｇ"] {
        assert_eq!(names(&catalog, &disk, query), ["a"], "{query}");
    }
    let long = format!("{} \u{fb01}ling", "é".repeat(5000));
    assert_eq!(names(&catalog, &disk, &long), ["a"], "however long");
    assert_eq!(names_with_bodies(&catalog, &disk, "figure"), ["c"]);
    disk.take_counts();
    assert_eq!(names_with_bodies(&catalog, &disk, "größe"), ["b"]);
    let counts = disk.take_counts();
    assert_eq!(counts.normalized, 0, "once, and only where it may matter");
}

#[test]
fn a_refresh_is_seen_and_only_what_changed_is_read_again() {
    let mut disk = shelf();
    let catalog = load(&disk);
    assert_eq!(names_with_bodies(&catalog, &disk, "pigeon"), ["mail"]);
    disk.write("s/new/SKILL.md", skill_with("new", "", "Feeds pigeons."));
    disk.write("s/pdf/SKILL.md", skill("pdf", "Prints newspapers."));
    disk.remove("s/charts");
    assert_eq!(names(&catalog, &disk, "newspaper"), [""; 0]);
    refresh(&catalog, &disk);
    assert_eq!(names(&catalog, &disk, "newspaper"), ["pdf"]);
    assert_eq!(names(&catalog, &disk, "document"), [""; 0]);
    assert_eq!(names(&catalog, &disk, "plot"), [""; 0]);
    let options = SearchOptions {
        bodies: true,
        ..SearchOptions::default()
    };
    let mut search = catalog.search("pigeon".to_owned(), options);
    let mut read = Vec::new();
    let mut replies = Vec::new();
    let found = loop {
        match search.step(replies).unwrap() {
            Step::Done(hits) => break hits,
            Step::Requests(requests) => {
                for request in &requests {
                    if let Request::Read { path, .. } = request {
                        read.push(path.clone());
                    }
                }
                replies = requests
                    .iter()
                    .map(|request| disk.answer(request))
                    .collect();
            }
        }
    };
    assert_eq!(read, ["s/new/SKILL.md", "s/pdf/SKILL.md"]);
    assert_eq!(found.len(), 2);
}

#[test]
fn a_body_is_read_again_once_it_is_another() {
    let filler = "filler\n".repeat(600);
    let mut disk = disk_with(&[(
        "s/a/SKILL.md",
        skill_with("a", "", &format!("{filler}# Old")),
    )]);
    let catalog = load(&disk);
    assert_eq!(names_with_bodies(&catalog, &disk, "old"), ["a"]);
    disk.write(
        "s/a/SKILL.md",
        skill_with("a", "", &format!("{filler}# New")),
    );
    refresh(&catalog, &disk);
    assert_eq!(names_with_bodies(&catalog, &disk, "new"), ["a"]);
    assert_eq!(names_with_bodies(&catalog, &disk, "old"), [""; 0]);
}

#[test]
fn what_is_refreshed_again_and_again_leaves_nothing_behind() {
    let mut disk = disk_of(&["a", "b"]);
    let catalog = load(&disk);
    for round in 0..20 {
        disk.write("s/a/SKILL.md", skill("a", &format!("Turns number{round}.")));
        refresh(&catalog, &disk);
        assert_eq!(
            names_with_bodies(&catalog, &disk, &format!("number{round}")),
            ["a"]
        );
        assert_eq!(names_with_bodies(&catalog, &disk, "body"), ["a", "b"]);
        if round > 0 {
            let before = format!("number{}", round - 1);
            assert_eq!(names_with_bodies(&catalog, &disk, &before), [""; 0]);
        }
    }
}

#[test]
fn a_body_that_cannot_be_read_is_done_without_until_a_refresh() {
    let mut disk = shelf();
    let catalog = load(&disk);
    let mail = "s/mail/SKILL.md";
    let gone = disk.clone();
    disk.remove(mail);
    assert_eq!(names_with_bodies(&catalog, &disk, "newsletter"), ["mail"]);
    assert_eq!(names_with_bodies(&catalog, &disk, "pigeon"), [""; 0]);
    assert_eq!(names_with_bodies(&catalog, &gone, "pigeon"), [""; 0]);
    refresh(&catalog, &gone);
    assert_eq!(names_with_bodies(&catalog, &gone, "pigeon"), ["mail"]);
}

#[test]
fn a_body_outside_of_its_directory_is_not_read() {
    let mut disk = shelf();
    disk.write("outside/SKILL.md", skill_with("mail", "", "Albatrosses."));
    let catalog = load(&disk);
    disk.remove("s/mail/SKILL.md");
    disk.link("s/mail/SKILL.md", "/outside/SKILL.md");
    assert_eq!(names_with_bodies(&catalog, &disk, "albatross"), [""; 0]);
}

#[test]
fn search_skills_reads_bodies_where_that_costs_little() {
    for (abilities, is_found) in [(Abilities::FULL, true), (Abilities::SMALLEST, false)] {
        let mut disk = shelf();
        disk.abilities = abilities;
        let catalog = load(&disk);
        let answer = search_skills(&catalog, &disk, &json!({ "query": "pigeons" }));
        assert_eq!(answer.content.contains("- mail: "), is_found);
        assert!(!answer.content.contains("carrier"), "no text of a body");
        assert_eq!(
            names_with_bodies(&catalog, &disk, "pigeons"),
            ["mail"],
            "where it is asked for"
        );
        let again = search_skills(&catalog, &disk, &json!({ "query": "pigeons" }));
        assert_eq!(
            again.content, answer.content,
            "whoever has searched meanwhile"
        );
    }
}

#[test]
fn search_skills_answers_with_lines_and_says_what_to_do_without_any() {
    let disk = shelf();
    let catalog = load(&disk);
    let content = |arguments| search_skills(&catalog, &disk, &arguments).content;
    assert_eq!(
        content(json!({ "query": "forms, newsletters", "limit": null })),
        "2 of 5 skills, those that fit \"forms, newsletters\" best first:\n\n\
         - pdf: Fills in forms and merges documents.\n- mail: Does mail."
    );
    assert_eq!(
        content(json!({ "query": "forms, newsletters", "limit": 1 })),
        "1 of 5 skills, those that fit \"forms, newsletters\" best first:\n\n- pdf: Fills in forms and merges documents."
    );
    assert_eq!(
        content(json!({ "query": "xyzzy" })),
        "There is no skill that fits \"xyzzy\", of 5 in all. Try other words for the task."
    );
    let options = ToolOptions::from_json(r#"{"set":["search_skills","list_skills"]}"#).unwrap();
    let arguments = json!({ "query": " " });
    assert_eq!(
        call_with(&catalog, &disk, "search_skills", &arguments, options).content,
        "There is no skill that fits \"\", of 5 in all. Try other words for the task, or list them with list_skills."
    );
    let missing = search_skills(&catalog, &disk, &json!({ "query": "" }));
    assert_eq!(missing.code(), Some("TOOL_ARGUMENTS_INVALID"));
    let long = json!({ "query": "forms ".repeat(2000) });
    assert!(content(long).len() < 1000, "a query is repeated in part");
}

#[test]
fn an_answer_fills_a_page_at_most() {
    let description = "tea ".repeat(200);
    let mut disk = Disk::default();
    for name in ["a", "b", "c"] {
        disk.write(&format!("s/{name}/SKILL.md"), skill(name, &description));
    }
    let json = r#"{"limits":{"page":2000}}"#;
    let catalog = load_with(&disk, LoadOptions::from_json(json).unwrap());
    let answer = search_skills(&catalog, &disk, &json!({ "query": "tea" }));
    assert!(
        answer.content.starts_with("2 of 3 skills, "),
        "{}",
        answer.content
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_panics_and_results_are_of_what_is_shown(
        texts in prop::collection::vec((hostile::text(), hostile::text()), 1..6),
        query in prop_oneof![hostile::text(), Just("does the a1".to_owned())],
        limit in 0_u32..4,
        bodies: bool,
    ) {
        let mut disk = Disk::default();
        for (at, (description, body)) in texts.iter().enumerate() {
            let description = serde_json::to_string(description).unwrap();
            let text = format!("---\nname: a{at}\ndescription: {description}\n---\n{body}");
            disk.write(&format!("s/a{at}/SKILL.md"), text);
        }
        let catalog = only(&load(&disk), &disk, &["!a0"]);
        let search = || run(catalog.search(query.clone(), SearchOptions { limit, bodies }), &disk);
        let found = search();
        prop_assert!(found.len() <= limit as usize);
        prop_assert_eq!(&search(), &found, "the same again");
        let shown = catalog.names();
        let normal = run(catalog.search(String::new(), SearchOptions::default()), &disk);
        prop_assert!(normal.is_empty());
        for hit in &found {
            prop_assert!(shown.contains(&hit.name));
            prop_assert!(hit.score > 0.0);
            prop_assert!(!hit.matched.is_empty());
        }
        prop_assert!(found.is_sorted_by(|a, b| a.score >= b.score));
    }
}
