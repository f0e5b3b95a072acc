//! The index under a budget: what is shown, what is cut, and what the report says of it.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use proptest::prelude::*;
use skillshelf::{
    Budget, Catalog, Form, IndexOptions, IndexReport, Reply, Request, Style, ToolName,
};
use support::{Disk, SOURCE, STYLES, disk_with, load, report, skill, skill_with};

/// A catalog of skills at these places, with these descriptions.
fn catalog_of(skills: &[(&str, &str)]) -> Catalog {
    let files: Vec<(String, String)> = skills
        .iter()
        .map(|(place, description)| {
            let name = place.rsplit('/').next().unwrap();
            (
                format!("{SOURCE}/{place}/SKILL.md"),
                skill(name, description),
            )
        })
        .collect();
    let files: Vec<(&str, String)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.clone()))
        .collect();
    load(&disk_with(&files))
}

fn characters(limit: u32) -> IndexOptions {
    IndexOptions {
        budget: Some(Budget::Characters(limit)),
        heading: Some("Skills".to_owned()),
        instruction: Some(String::new()),
        ..IndexOptions::default()
    }
}

/// The lines below the heading.
fn list(report: &IndexReport) -> Vec<&str> {
    report.text.lines().skip(2).collect()
}

const COLORS: [(&str, &str); 3] = [
    ("blue", "Paints walls blue and doors too"),
    ("green", "Green it is"),
    ("red", "Reddens whatever is given to it"),
];

#[test]
fn what_fits_is_shown_whole() {
    let catalog = catalog_of(&COLORS);
    let whole = report(&catalog, IndexOptions::default());
    let limit = u32::try_from(whole.characters).unwrap();
    for budget in [
        Budget::Characters(limit),
        Budget::Characters(u32::MAX),
        Budget::Tokens(u32::try_from(whole.tokens).unwrap()),
        Budget::Tokens(u32::MAX),
    ] {
        let options = IndexOptions {
            budget: Some(budget),
            ..IndexOptions::default()
        };
        let fitted = report(&catalog, options);
        assert_eq!((fitted.form, fitted.text), (Form::Full, whole.text.clone()));
    }
}

#[test]
fn room_is_shared_evenly_and_short_descriptions_give_back_what_they_do_not_need() {
    let catalog = catalog_of(&COLORS);
    for (limit, expected) in [
        (
            108,
            [
                "- blue: Paints walls blue and doors too",
                "- green: Green it is",
                "- red: Reddens whatever is given to it",
            ],
        ),
        (
            91,
            [
                "- blue: Paints walls blue and…",
                "- green: Green it is",
                "- red: Reddens whatever is…",
            ],
        ),
        (
            67,
            [
                "- blue: Paints wal…",
                "- green: Green it is",
                "- red: Reddens wh…",
            ],
        ),
        (40, ["- blue", "- green", "- red"]),
        (28, ["- blue", "- green", "- red"]),
    ] {
        let report = report(&catalog, characters(limit));
        assert_eq!(list(&report), expected, "{limit}");
        assert!(report.characters <= limit as usize, "{limit}");
        assert_eq!(report.listed, 3);
        assert_eq!(report.tools, [ToolName::LoadSkill]);
    }
}

#[test]
fn where_descriptions_are_missing_the_text_names_search_as_soon_as_it_fits_beside_the_names() {
    let catalog = catalog_of(&COLORS);
    for (limit, advice) in [
        (56, None),
        (57, Some("`search_skills` finds more.")),
        (65, Some("`search_skills` finds more.")),
        // All have some of theirs.
        (67, None),
    ] {
        let report = report(&catalog, characters(limit));
        assert_eq!(report.form, Form::Shortened);
        let said = list(&report)
            .into_iter()
            .next()
            .filter(|line| !line.starts_with("- "));
        assert_eq!(said, advice, "{limit}");
        let named: &[ToolName] = match advice {
            Some(_) => &[ToolName::LoadSkill, ToolName::SearchSkills],
            None => &[ToolName::LoadSkill],
        };
        assert_eq!(report.tools, named, "{limit}");
    }
    // In the place of the usual sentence it needs no room of its own.
    let usual = IndexOptions {
        instruction: None,
        ..characters(140)
    };
    assert_eq!(
        report(&catalog, usual).text,
        "Skills\n\nBefore a task, call `load_skill` with the name of a skill for it, or find one with `search_skills`.\n\n- blue\n- green\n- red"
    );
    let many = report(&many(), characters(750));
    assert_eq!(
        list(&many)[..3],
        [
            "Not all skills are described here: call `search_skills` with words of the task to find those for it.",
            "",
            "- does-another-thing-of-kind-03"
        ]
    );
    assert_eq!((many.form, many.listed), (Form::Shortened, 20));
}

#[test]
fn the_report_tells_what_was_shortened() {
    let report = report(&catalog_of(&COLORS), characters(67));
    assert_eq!(report.form, Form::Shortened);
    assert_eq!(report.shortened, ["blue", "red"]);
    assert_eq!(report.omitted, Vec::<String>::new());
}

#[test]
fn what_is_pinned_comes_first_and_has_its_room_first() {
    let catalog = catalog_of(&COLORS);
    let options = IndexOptions {
        pinned: vec!["red".to_owned(), "nobody".to_owned()],
        ..characters(90)
    };
    let report = report(&catalog, options);
    assert_eq!(
        list(&report),
        [
            "- red: Reddens whatever is given to it",
            "- blue: Paints walls…",
            "- green: Green it is"
        ]
    );
}

#[test]
fn a_higher_priority_comes_first_and_has_its_room_first() {
    let catalog = catalog_of(&COLORS);
    let ids = catalog.ids();
    let options = IndexOptions {
        priority: vec![(ids[0], -1.0), (ids[1], 2.5), (ids[2], 0.0)],
        ..characters(92)
    };
    let report = report(&catalog, options);
    assert_eq!(
        list(&report),
        [
            "- green: Green it is",
            "- red: Reddens whatever is given to it",
            "- blue: Paints walls…"
        ]
    );
}

#[test]
fn locations_give_way_before_names_do() {
    let catalog = catalog_of(&COLORS);
    let options = |limit| IndexOptions {
        location: true,
        ..characters(limit)
    };
    let located = report(&catalog, options(118));
    assert_eq!(list(&located)[2], "- blue (/s/blue/SKILL.md)");
    let named = report(&catalog, options(38));
    assert_eq!((named.form, list(&named)[2]), (Form::Shortened, "- red"));
}

fn many() -> Catalog {
    let places: Vec<String> = (0..20)
        .map(|number| match number % 4 {
            0 => format!("office/sheets/makes-a-table-of-kind-{number:02}"),
            1 | 2 => format!("office/words/writes-a-letter-of-kind-{number:02}"),
            _ => format!("does-another-thing-of-kind-{number:02}"),
        })
        .collect();
    let skills: Vec<(&str, &str)> = places
        .iter()
        .map(|place| {
            (
                place.as_str(),
                "Does something that takes many words to say",
            )
        })
        .collect();
    catalog_of(&skills)
}

#[test]
fn groups_come_where_not_all_names_fit_with_as_many_as_do() {
    let report = report(&many(), characters(400));
    assert_eq!(report.form, Form::Grouped);
    assert_eq!(
        report.text,
        "Skills\n\nThere are 20 skills, not all of which are named here: call `search_skills` with words of the task to find those for it, or `list_skills` to list those of a group, with its name as `group`.\n\n- \"office/words\" (10 skills): writes-a-letter-of-kind-01, writes-a-letter-of-kind-02, …\n- \"office/sheets\" (5 skills): makes-a-table-of-kind-00, …\n- 5 skills: does-another-thing-of-kind-03, …"
    );
    assert_eq!((report.listed, report.shortened.len()), (4, 4));
    assert_eq!(report.omitted.len(), 16);
    assert_eq!(
        report.tools,
        [
            ToolName::LoadSkill,
            ToolName::ListSkills,
            ToolName::SearchSkills
        ]
    );
}

#[test]
fn groups_are_the_upper_ones_where_the_lower_ones_do_not_fit() {
    let report = report(&many(), characters(240));
    assert_eq!(
        list(&report)[2..],
        ["- \"office\" (15 skills)", "- 5 skills"]
    );
}

#[test]
fn groups_give_way_to_names_where_they_would_take_most_of_the_room() {
    let places: Vec<String> = (0..180)
        .map(|number| {
            format!(
                "team/the-{:02}/a-thing-that-is-made-of-{number:03}",
                number % 60
            )
        })
        .collect();
    let skills: Vec<(&str, &str)> = places.iter().map(|at| (at.as_str(), "Does it")).collect();
    let catalog = catalog_of(&skills);
    // All sixty groups fit from some 1,900 characters on, with hardly a name.
    let listed = [400, 900, 1400, 2000].map(|limit| {
        let report = report(&catalog, characters(limit));
        assert_eq!(report.form, Form::Grouped, "{limit}");
        report.listed
    });
    assert!(listed.is_sorted(), "{listed:?}");
}

#[test]
fn how_to_search_is_all_that_is_said_where_no_groups_fit() {
    let report = report(&many(), characters(150));
    assert_eq!(report.form, Form::Search);
    assert_eq!(
        report.text,
        "Skills\n\nThere are 20 skills, too many to list here: call `search_skills` with words of the task to find those for it."
    );
    assert_eq!((report.listed, report.omitted.len()), (0, 20));
    assert_eq!(report.tools, [ToolName::LoadSkill, ToolName::SearchSkills]);
}

#[test]
fn what_does_not_fit_at_all_is_said_and_nothing_is_shown() {
    for limit in [0, 1, 100] {
        let report = report(&many(), characters(limit));
        assert_eq!((report.form, report.text.as_str()), (Form::None, ""));
        assert_eq!((report.total, report.listed), (20, 0));
        assert_eq!((report.omitted.len(), report.tools.len()), (20, 0));
    }
}

#[test]
fn pinned_skills_are_lines_of_their_own_in_every_form() {
    for (limit, form) in [(400, Form::Grouped), (200, Form::Search)] {
        let options = IndexOptions {
            pinned: vec!["writes-a-letter-of-kind-01".to_owned()],
            ..characters(limit)
        };
        let report = report(&many(), options);
        assert_eq!(report.form, form, "{}", report.text);
        let line = report.text.lines().nth(4).unwrap();
        assert!(
            line.starts_with("- writes-a-letter-of-kind-01: Does "),
            "{line}"
        );
        assert_eq!(report.text.matches("kind-01").count(), 1, "{}", report.text);
    }
}

#[test]
fn a_name_that_is_too_long_keeps_no_other_from_being_named() {
    let long = "a".repeat(64);
    let places: Vec<String> = (0..40)
        .map(|number| format!("does-a-thing-of-kind-{number:02}"))
        .chain([long.clone()])
        .collect();
    let skills: Vec<(&str, &str)> = places.iter().map(|place| (place.as_str(), "It")).collect();
    let report = report(&catalog_of(&skills), characters(245));
    assert_eq!(report.form, Form::Grouped);
    assert!(!report.text.contains(&long), "{}", report.text);
    assert!(report.listed >= 2, "{}", report.text);
}

#[test]
fn as_many_pinned_skills_as_fit_have_their_lines_where_there_is_no_room_for_groups() {
    let catalog = many();
    let pinned: Vec<String> = catalog.names().into_iter().take(9).collect();
    for limit in [130, 160, 190, 220] {
        let options = IndexOptions {
            pinned: pinned.clone(),
            ..characters(limit)
        };
        let report = report(&catalog, options);
        assert_eq!(report.form, Form::Search);
        // A further one would take a line of this length.
        assert!(report.characters + 33 > limit as usize, "{}", report.text);
    }
}

#[test]
fn a_group_is_the_category_of_a_skill_that_is_in_no_directory() {
    let mut files = Vec::new();
    for number in 0..12 {
        let category = if number < 8 { "paper" } else { "stone" };
        let name = format!("a-thing-that-is-made-of-something-{number:02}");
        let front = format!("metadata:\n  category: {category}\n");
        files.push((
            format!("{SOURCE}/{name}/SKILL.md"),
            skill_with(&name, &front, "Body"),
        ));
    }
    let files: Vec<(&str, String)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.clone()))
        .collect();
    let catalog = load(&disk_with(&files));
    let grouped = report(&catalog, characters(320));
    assert!(
        list(&grouped).contains(&"- \"stone\" (4 skills)"),
        "{}",
        grouped.text
    );
    let ids = catalog.ids();
    let given = IndexOptions {
        groups: ids.iter().map(|id| (*id, format!("g{}", id % 2))).collect(),
        ..characters(320)
    };
    let text = report(&catalog, given).text;
    assert!(text.contains("- \"g1\" (6 skills)"), "{text}");
}

#[test]
fn every_style_shows_groups_in_its_own_way() {
    for (style, limit, expected) in [
        (
            Style::Plain,
            360,
            "  - \"office/sheets\" (5 skills): makes-a-table-of-kind-00, …\n",
        ),
        (
            Style::Xml,
            700,
            "<skill_group>\n<name>\noffice/sheets\n</name>\n<count>\n5\n</count>\n<skills>\nmakes-a-table-of-kind-00, makes-a-table-of-kind-04, …\n</skills>\n</skill_group>\n",
        ),
        (
            Style::Json,
            550,
            r#"{"group":"office/sheets","count":5,"skills":["makes-a-table-of-kind-00","makes-a-table-of-kind-04"]}"#,
        ),
    ] {
        let options = IndexOptions {
            style,
            ..characters(limit)
        };
        let report = report(&many(), options);
        assert_eq!(report.form, Form::Grouped, "{}", report.text);
        assert!(report.text.contains(expected), "{style:?} {}", report.text);
    }
}

/// Makes an index with a tokenizer that counts words of at most four letters.
fn counted(catalog: &Catalog, tokens: u32, asked: &mut u32) -> IndexReport {
    let options = IndexOptions {
        budget: Some(Budget::CountedTokens(tokens)),
        ..IndexOptions::default()
    };
    let made = catalog.index(options).run(|request| match request {
        Request::Count { text } => {
            *asked += 1;
            Reply::Text(count(text).to_string())
        }
        _ => panic!("asked for something else"),
    });
    made.expect("it is over").expect("it is counted")
}

fn count(text: &str) -> usize {
    text.split_whitespace()
        .map(|word| word.len().div_ceil(4))
        .sum()
}

#[test]
fn a_callers_tokenizer_decides_and_is_asked_seldom() {
    let catalog = many();
    let whole = report(&catalog, IndexOptions::default());
    let all = u32::try_from(count(&whole.text)).unwrap();
    for tokens in [0, 1, 20, 40, 60, 80, 120, 200, 300, all - 1, all, u32::MAX] {
        let mut asked = 0;
        let report = counted(&catalog, tokens, &mut asked);
        assert!(report.tokens <= tokens as usize, "{tokens}");
        assert_eq!(report.tokens, count(&report.text), "{tokens}");
        assert!(asked <= 20, "{asked} for {tokens}");
        assert_eq!(report.form == Form::Full, tokens >= all, "{tokens}");
        // What there is is used, but for a word or two of each skill.
        if report.form == Form::Shortened {
            assert!(
                report.tokens * 10 >= tokens as usize * 9,
                "{} of {tokens}",
                report.tokens
            );
        }
    }
}

#[test]
fn a_tokenizer_that_gives_no_number_is_an_error() {
    let options = IndexOptions {
        budget: Some(Budget::CountedTokens(100)),
        ..IndexOptions::default()
    };
    let made = many().index(options).run(|_| Reply::Text("NaN".to_owned()));
    assert_eq!(made.unwrap().unwrap_err().code(), "SOURCE_UNSUPPORTED");
}

#[test]
fn what_functions_say_of_each_skill_is_judged() {
    for (json, problem) in [
        (
            r#"{"priority":{"2:pdf":1,"3:a:b":"high"}}"#,
            "priority must give a number for each skill; for \"a:b\" it gave \"high\"",
        ),
        (
            r#"{"group":{"3:pdf":null}}"#,
            "group must give text for each skill; for \"pdf\" it gave null",
        ),
        (r#"{"priority":7}"#, "priority must be a function; it is 7"),
        (
            r#"{"pinned":"a"}"#,
            "pinned must be a list of text; it is \"a\"",
        ),
        (
            r#"{"budget":{"characters":-1}}"#,
            "budget.characters must be a whole number from 0 to 4294967295; it is -1",
        ),
    ] {
        let error = IndexOptions::from_json(json).unwrap_err().to_string();
        assert_eq!(error, format!("The options cannot be used: {problem}."));
    }
}

fn a_skill() -> impl Strategy<Value = (String, String)> {
    let description = prop_oneof![
        "[a-z ]{1,120}",
        "[&<>\"\\\\a é日👩\u{301}-]{1,60}",
        "\\PC{1,40}"
    ];
    let group = prop_oneof![Just(String::new()), "[a-c]/", "[a-c]/[de]/"];
    (
        group,
        prop_oneof![9 => "[a-z]{1,12}", 1 => "[a-z]{40,64}"],
        description,
    )
        .prop_map(|(group, name, description)| (group + &name, description))
}

/// What an index takes in its budget's own measure, and how much it may.
fn used(budget: Budget, report: &IndexReport) -> (usize, usize) {
    match budget {
        Budget::Characters(limit) => (report.characters, limit as usize),
        Budget::Tokens(limit) => (report.tokens, limit as usize),
        Budget::CountedTokens(limit) => (count(&report.text), limit as usize),
    }
}

/// Whether an index that names all its skills describes each.
fn are_described(report: &IndexReport, style: Style) -> bool {
    let (entry, description) = match style {
        Style::Markdown => ("\n- ", ": "),
        Style::Plain => ("\n  - ", ": "),
        Style::Xml => ("<skill>", "<description>"),
        Style::Json => ("\"name\":", "\"description\":"),
    };
    let entries = report.text.split(entry).skip(1);
    entries
        .take(report.total)
        .all(|entry| entry.contains(description))
}

/// An index, with the tokenizer of these tests.
fn made(catalog: &Catalog, options: IndexOptions) -> IndexReport {
    let made = catalog.index(options).run(|request| match request {
        Request::Count { text } => Reply::Text(count(text).to_string()),
        _ => panic!("asked for something else"),
    });
    made.expect("it is over").expect("it is counted")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_index_is_longer_than_its_budget(
        skills in prop::collection::vec(a_skill(), 0..25),
        limit in 0u32..1500,
        options in an_index(),
        pins in 0usize..4,
        priorities in prop::collection::vec(-2i8..3, 0..25),
    ) {
        let skills: Vec<(&str, &str)> = skills
            .iter()
            .map(|(place, description)| (place.as_str(), description.as_str()))
            .collect();
        let catalog = catalog_of(&skills);
        let names = catalog.names();
        let priority = catalog.ids().into_iter().zip(priorities.into_iter().map(f64::from));
        let options = IndexOptions {
            pinned: names.iter().rev().take(pins).cloned().collect(),
            priority: priority.collect(),
            ..options
        };
        let budgets = [Budget::Characters(limit), Budget::Tokens(limit / 4), Budget::CountedTokens(limit / 4)];
        for budget in budgets {
            let within = IndexOptions { budget: Some(budget), ..options.clone() };
            let fitted = made(&catalog, within.clone());
            let (used, most) = used(budget, &fitted);
            prop_assert!(used <= most, "{used} of {most}: {}", fitted.text);
            prop_assert_eq!(fitted.listed + fitted.omitted.len(), fitted.total);
            prop_assert_eq!(fitted.total, names.len());
            prop_assert_eq!(fitted.text.is_empty(), fitted.form == Form::None);
            let whole = fitted.listed - fitted.shortened.len();
            match fitted.form {
                Form::Full => prop_assert_eq!(whole, names.len()),
                Form::Shortened => {
                    prop_assert!(fitted.omitted.is_empty() && whole < names.len());
                    let searches = fitted.text.contains("search_skills");
                    prop_assert_eq!(searches, fitted.tools.contains(&ToolName::SearchSkills));
                    // The usual sentence gives way to one that names the tool too.
                    let is_tight = options.instruction.is_some() && most - used < 120;
                    prop_assert!(searches || is_tight || are_described(&fitted, options.style), "{}", fitted.text);
                }
                Form::Grouped | Form::Search => prop_assert!(!fitted.omitted.is_empty() || whole < names.len()),
                Form::None => prop_assert_eq!(fitted.listed, 0),
            }
            // The same options give the same text, and JSON stays JSON.
            prop_assert_eq!(&made(&catalog, within).text, &fitted.text);
            if options.style == Style::Json && !fitted.text.is_empty() {
                let parsed: serde_json::Value = serde_json::from_str(&fitted.text).expect("it is JSON");
                prop_assert!(parsed.is_object());
            }
        }
    }

    #[test]
    fn more_room_is_never_a_lesser_form(
        skills in prop::collection::vec(a_skill(), 0..25),
        limit in 0u32..1500,
        more in 0u32..200,
        options in an_index(),
    ) {
        let skills: Vec<(&str, &str)> = skills
            .iter()
            .map(|(place, description)| (place.as_str(), description.as_str()))
            .collect();
        let catalog = catalog_of(&skills);
        let forms = [Form::None, Form::Search, Form::Grouped, Form::Shortened, Form::Full];
        let rank = |limit| {
            let budget = Some(Budget::Characters(limit));
            let report = report(&catalog, IndexOptions { budget, ..options.clone() });
            forms.iter().position(|form| *form == report.form)
        };
        prop_assert!(rank(limit + more) >= rank(limit));
    }
}

/// How an index looks, without its budget.
fn an_index() -> impl Strategy<Value = IndexOptions> {
    let heading = prop::option::of("\\PC{0,30}");
    let instruction = prop::option::of("\\PC{0,60}");
    let style = prop::sample::select(STYLES.to_vec());
    (style, any::<bool>(), heading, instruction).prop_map(
        |(style, location, heading, instruction)| IndexOptions {
            style,
            location,
            heading,
            instruction,
            ..IndexOptions::default()
        },
    )
}

#[test]
fn a_budget_counts_for_an_empty_catalog_too() {
    let report = report(&load(&Disk::default()), characters(0));
    assert_eq!((report.form, report.total), (Form::None, 0));
}
