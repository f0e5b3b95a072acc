//! What holds for any text: written and read again it is the same; no bytes make a panic; a
//! file's beginning never says anything else than the file.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use skillshelf::front_matter::{self, BLOCK_LINE, Split};
use skillshelf::{Diagnostic, Limits, Map, Mode, Value, hidden, stringify, yaml};

/// Any text, rich in what YAML gives a meaning to.
fn text() -> impl Strategy<Value = String> {
    let parts = prop_oneof![
        4 => "[a-z]{1,6}".prop_map(String::from),
        3 => prop::sample::select(vec![
            " ", "  ", "\n", "\n\n", "\n  ", "\t", "\r\n", "\r", ": ", ":", " #", "#", "- ", "---", "\n---\n",
            "...", "\n...\n", "\"", "'", "\\", "[", "]", "{", "}", ",", "&a", "*a", "!!str ", "|", ">", "%", "@",
            "`", "? ", "<<", "=", "~", "null", "true", "yes", "1", "1.0", "1e3", "0x1F", "2026-01-01", "é", "日本",
            "😀", "\u{FEFF}", "\u{85}", "\u{A0}", "\u{2028}", "\u{200B}", "\u{FDD0}", "\u{FFFE}", "\u{E000}", "\0", "\u{7f}",
        ]).prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(parts, 0..12).prop_map(|parts| parts.concat())
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<i32>().prop_map(f64::from),
        any::<f64>().prop_filter("JSON has finite numbers", |number| number.is_finite()),
        (any::<i32>(), -30_i32..30)
            .prop_map(|(digits, exponent)| f64::from(digits) * 10_f64.powi(exponent)),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number().prop_map(Value::Number),
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            entries(inner).prop_map(|entries| Value::Map(Map(entries))),
        ]
    })
}

/// Entries with different keys, in any order.
fn entries(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Vec<(String, Value)>> {
    let keys = prop_oneof![3 => "[a-zA-Z_-]{1,12}".prop_map(String::from), 2 => text(), 1 => "[a-z :]{900,1200}"];
    prop::collection::vec((keys, value), 0..5).prop_map(|mut entries| {
        let mut seen = std::collections::BTreeSet::new();
        entries.retain(|(key, _)| seen.insert(key.clone()));
        entries
    })
}

/// A file read whole: its fields, its body, and what was found.
fn read_whole(file: &str, mode: Mode) -> (Vec<(String, Value)>, String, Vec<Diagnostic>) {
    let bytes = file.as_bytes();
    let Split::Complete { block, body_start } = front_matter::split(bytes, true, u32::MAX, mode)
    else {
        panic!("no front matter: {file}");
    };
    let document = yaml::read(block, BLOCK_LINE, mode, &Limits::default())
        .unwrap_or_else(|fault| panic!("{} in {file}", fault.message));
    let fields = document
        .fields
        .into_iter()
        .map(|field| (field.key, field.value))
        .collect();
    let body = front_matter::body(bytes, body_start).expect("text is UTF-8");
    (fields, body.to_owned(), document.diagnostics)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn what_is_written_reads_back_the_same(fields in entries(value()), body in text()) {
        let body = body.trim();
        let borrowed: Vec<_> =
            fields.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        let file = stringify(&borrowed, body);
        for mode in [Mode::Lenient, Mode::Strict] {
            let (found, found_body, diagnostics) = read_whole(&file, mode);
            prop_assert_eq!(&found, &fields, "{}", file);
            prop_assert_eq!(&found_body, body);
            prop_assert_eq!(diagnostics, Vec::new(), "{}", file);
        }
        // Windows' line ends change nothing but those of the body, and of text that has its own.
        let (found, ..) = read_whole(&file.replace("\r\n", "\n").replace('\n', "\r\n"), Mode::Strict);
        prop_assert_eq!(&found, &fields);
    }

    #[test]
    fn an_older_parser_reads_the_same_text(fields in entries(text().prop_map(Value::String))) {
        // It knows neither all of Unicode in the open nor keys of any length.
        let borrowed: Vec<_> = fields.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        let file = stringify(&borrowed, "");
        let block = file.strip_prefix("---\n").and_then(|rest| rest.strip_suffix("---\n")).unwrap();
        let map: serde_yaml::Mapping = serde_yaml::from_str(block).map_err(|error| {
            TestCaseError::fail(format!("{error} in {block}"))
        })?;
        prop_assert_eq!(map.len(), fields.len());
        for (key, value) in &fields {
            prop_assert_eq!(map.get(key.as_str()).and_then(|found| found.as_str()), value.as_str(), "{}", block);
        }
    }

    #[test]
    fn no_bytes_make_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in text()) {
        for front in [&bytes[..], text.as_bytes()] {
            let file = [b"---\n", front, b"\n---\nBody"].concat();
            for mode in [Mode::Lenient, Mode::Strict] {
                let _ = front_matter::split(front, true, 64, mode);
                if let Split::Complete { block, body_start } =
                    front_matter::split(&file, true, 4096, mode)
                {
                    let _ = yaml::read(block, BLOCK_LINE, mode, &Limits::default());
                    let _ = front_matter::body(&file, body_start);
                }
            }
        }
        let stripped = hidden::strip(&text);
        prop_assert_eq!(&hidden::strip(&stripped), &stripped, "what is left is not hidden");
        prop_assert_eq!(stripped.chars().count() + hidden::find(&text).count(), text.chars().count());
    }

    /// Blocks of YAML that is nearly right: where repair and tolerance are at work.
    #[test]
    fn loading_finds_a_value_or_a_fault_with_a_place(
        lines in prop::collection::vec((0..3_usize, prop::sample::select(vec!["a: ", "b: ", "c:", "- ", "- d: ", "", "# "]), text()), 0..8)
    ) {
        let mut block = String::new();
        for (indent, head, text) in &lines {
            block.push_str(&"  ".repeat(*indent));
            block.push_str(head);
            block.push_str(text);
            block.push('\n');
        }
        let lenient = yaml::read(&block, 2, Mode::Lenient, &Limits::default());
        let strict = yaml::read(&block, 2, Mode::Strict, &Limits::default());
        let lines = u32::try_from(block.matches(['\n', '\r']).count() + 2).unwrap();
        let findings = match &lenient {
            Ok(document) => document.diagnostics.as_slice(),
            Err(fault) => std::slice::from_ref(fault),
        };
        for finding in findings {
            let position = finding.position.expect("a finding has a place");
            prop_assert!((2..=lines).contains(&position.line) && position.column > 0, "{:?}", block);
            prop_assert!(finding.message.chars().count() < 400);
        }
        // What validates also loads, and is the same.
        if let Ok(strict) = strict {
            let lenient = lenient.expect("lenient reads all that strict reads");
            prop_assert_eq!(strict.fields, lenient.fields);
        }
    }

    #[test]
    fn a_beginning_says_what_the_file_says_or_nothing(
        head in prop::sample::select(vec!["---\n", "---\r\n", "\u{FEFF}---\n", "---", "", "\n", "<!-- ", "name: ", "```\n"]),
        text in text(),
        tail in prop::sample::select(vec!["\n---\n", "\r\n--- \r\n", "\n---", "\n----\n", "-->\n---\n"]),
        filler in prop::sample::select(vec![0_usize, 4000, 4096, 5000]),
        limit in prop::sample::select(vec![8_u32, 100, 65536]),
        cut in any::<prop::sample::Index>(),
    ) {
        let file = [head, &text, &"x".repeat(filler), tail, "Body"].concat();
        let bytes = file.as_bytes();
        let whole = front_matter::split(bytes, true, limit, Mode::Lenient);
        prop_assert_ne!(&whole, &Split::Incomplete);
        let cut = cut.index(bytes.len() + 1);
        let beginning = front_matter::split(&bytes[..cut], false, limit, Mode::Lenient);
        prop_assert!(beginning == Split::Incomplete || beginning == whole, "{:?} at {}", file, cut);
    }
}
