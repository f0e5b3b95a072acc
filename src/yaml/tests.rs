//! What blocks of front matter read as, by kind of trouble.

use super::*;
use crate::diagnostic::MOST_FINDINGS;
use crate::{Map, Severity, ToJson};

/// The fields as JSON text, and the findings as `code line:column`.
fn told(document: &Document) -> (String, Vec<String>) {
    let entries = document.fields.iter();
    let map = Map(entries
        .map(|field| (field.key.clone(), field.value.clone()))
        .collect());
    let findings = document.diagnostics.iter().map(place).collect();
    (map.to_json(), findings)
}

fn place(diagnostic: &Diagnostic) -> String {
    let position = diagnostic.position.expect("a finding has a place");
    format!("{} {}:{}", diagnostic.code, position.line, position.column)
}

fn lenient(block: &str) -> Result<Document, Diagnostic> {
    read(block, 2, Mode::Lenient, &Limits::default())
}

fn strict(block: &str) -> Result<Document, Diagnostic> {
    read(block, 2, Mode::Strict, &Limits::default())
}

/// Both modes read the block as this JSON and find nothing.
fn assert_clean(block: &str, json: &str) {
    for document in [lenient(block), strict(block)] {
        let document = document.unwrap_or_else(|fault| panic!("{block:?}: {}", fault.message));
        assert_eq!(told(&document), (json.to_owned(), Vec::new()), "{block:?}");
    }
}

/// Both modes read the block as this JSON; what they find is an error only when strict.
fn assert_tolerated(block: &str, json: &str, findings: &[&str]) {
    for (document, severity) in [
        (lenient(block), Severity::Warning),
        (strict(block), Severity::Error),
    ] {
        let document = document.unwrap_or_else(|fault| panic!("{block:?}: {}", fault.message));
        let findings = findings.iter().map(ToString::to_string).collect();
        assert_eq!(told(&document), (json.to_owned(), findings), "{block:?}");
        let severities = document.diagnostics.iter().map(|found| found.severity);
        assert!(
            severities.into_iter().all(|found| found == severity),
            "{block:?}"
        );
    }
}

/// Loading takes values as text; validating is an error at `fault`.
fn assert_repaired(block: &str, json: &str, repairs: &[&str], fault: &str) {
    let document = lenient(block).unwrap_or_else(|fault| panic!("{block:?}: {}", fault.message));
    let repairs = repairs
        .iter()
        .map(|place| format!("yaml-repaired {place}"))
        .collect();
    assert_eq!(told(&document), (json.to_owned(), repairs), "{block:?}");
    let error = strict(block).expect_err(block);
    assert_eq!(place(&error), format!("yaml-invalid {fault}"), "{block:?}");
    assert!(error.hint.is_some(), "{block:?}");
}

/// Neither mode can read the block.
fn assert_refused(block: &str, fault: &str) {
    for (mode, result) in [("lenient", lenient(block)), ("strict", strict(block))] {
        let error = result.expect_err(block);
        assert_eq!(place(&error), fault, "{mode}: {block:?}");
        assert_eq!(error.severity, Severity::Error);
        assert!(error.message.chars().count() < 400, "{}", error.message);
    }
}

#[test]
fn scalars_mean_what_the_core_schema_says_unless_digits_would_be_lost() {
    for (source, json) in [
        ("yes", "\"yes\""),
        ("on", "\"on\""),
        ("True", "true"),
        ("false", "false"),
        ("~", "null"),
        ("Null", "null"),
        ("", "null"),
        ("12", "12"),
        ("-1.5", "-1.5"),
        ("007", "\"007\""),
        ("1.10", "\"1.10\""),
        ("1e3", "\"1e3\""),
        ("0x1F", "\"0x1F\""),
        (".inf", "\".inf\""),
        ("9007199254740993", "\"9007199254740993\""),
        ("2026-01-31", "\"2026-01-31\""),
        ("12:30:45", "\"12:30:45\""),
        ("\"12\"", "\"12\""),
        ("'true'", "\"true\""),
        ("\"\"", "\"\""),
        ("a --- b", "\"a --- b\""),
        ("Bash(git add:*), Read", "\"Bash(git add:*), Read\""),
        (
            "'the user''s notes, \"quoted\"'",
            "\"the user's notes, \\\"quoted\\\"\"",
        ),
        ("\"a\\tb\\u0041\\x42\\U0001F600\"", "\"a\\tbAB😀\""),
    ] {
        assert_clean(&format!("key: {source}\n"), &format!("{{\"key\":{json}}}"));
    }
}

#[test]
fn a_field_keeps_the_text_that_was_written() {
    for (source, text) in [
        ("1.10", Some("1.10")),
        ("1", Some("1")),
        ("True", Some("True")),
        ("no", Some("no")),
        ("\"quoted\"", Some("quoted")),
        ("|\n  a\n  b", Some("a\nb\n")),
        ("''", Some("")),
        ("~", None),
        ("", None),
        ("[a]", None),
        ("{a: b}", None),
    ] {
        // With and without the parser.
        for rest in ["", "other: { }\n"] {
            let document = lenient(&format!("key: {source}\n{rest}")).unwrap();
            assert_eq!(document.fields[0].text(), text, "{source:?}");
        }
    }
}

#[test]
fn blocks_and_wrapped_text_are_folded_and_chomped() {
    for (block, json) in [
        (
            "d: >-\n  First half of the text,\n  second half: with a colon.\nlicense: MIT\n",
            r#"{"d":"First half of the text, second half: with a colon.","license":"MIT"}"#,
        ),
        (
            "d: |2-\n    indented two\n  base\n",
            r#"{"d":"  indented two\nbase"}"#,
        ),
        (
            "d: |\n  before\n  ----\n  after\nn: 1\n",
            r#"{"d":"before\n----\nafter\n","n":1}"#,
        ),
        (
            "d: |\n  Line one.\n\n  - bullet: two\n",
            r#"{"d":"Line one.\n\n- bullet: two\n"}"#,
        ),
        ("d: |+\n  a\n\n\nn: 1\n", r#"{"d":"a\n\n\n","n":1}"#),
        (
            "d: >\n  a\n  b\n\n  c\n\n\n  d\nn: 1\n",
            r#"{"d":"a b\nc\n\nd\n","n":1}"#,
        ),
        ("d: >\n  a\n    more\n  b\n", r#"{"d":"a\n  more\nb\n"}"#),
        (
            "d: |\n  # not a comment\n# a comment\nn: 1\n",
            "{\"d\":\"# not a comment\\n\",\"n\":1}",
        ),
        (
            "d: |\n  a  \n\n    b\nn: 1\n",
            r#"{"d":"a  \n\n  b\n","n":1}"#,
        ),
        (
            "d:\n  Long text that a formatter\n  moved to the next lines.\n",
            r#"{"d":"Long text that a formatter moved to the next lines."}"#,
        ),
        (
            "d: Starts here and\n  goes on here.\n",
            r#"{"d":"Starts here and goes on here."}"#,
        ),
        (
            "d: \"Starts here and\n  goes on \\\n  here.\"\n",
            r#"{"d":"Starts here and goes on here."}"#,
        ),
    ] {
        assert_clean(block, json);
        // The same with the line ends of Windows.
        assert_clean(&block.replace('\n', "\r\n"), json);
    }
}

/// Deep maps around `count` entries, the last of which is broken.
fn broken_in_the_deep(count: usize) -> String {
    const DEPTH: usize = 40;
    let mut block = String::new();
    for depth in 0..DEPTH {
        block.push_str(&" ".repeat(depth));
        block.push_str("k:\n");
    }
    for number in 0..count {
        block.push_str(&" ".repeat(DEPTH));
        block.push_str(&format!("key-{number}: value\n"));
    }
    block.push_str(&" ".repeat(DEPTH));
    block.push_str("x: a: b\n");
    block
}

/// Each level of nesting is parsed again to repair what is in it, and each bracket that is not
/// closed is followed to the end: for seconds, in a block made for it.
#[test]
fn a_block_is_not_looked_at_forever() {
    let repaired = lenient(&broken_in_the_deep(10)).expect("it is small");
    assert_eq!(repaired.diagnostics[0].code, REPAIRED.code);
    let fault = lenient(&broken_in_the_deep(1000)).expect_err("it is large");
    assert_eq!(fault.code, INVALID.code);
    for line in ["k{}: [\n", "- [\n", "k{}: 'x\n", "k{}: { a\n"] {
        let line = |number: usize| line.replace("{}", &number.to_string());
        let block: String = (0..65_536 / 10).map(line).collect();
        for read in [lenient(&block), strict(&block)] {
            let found = read.map_or_else(|fault| vec![fault], |document| document.diagnostics);
            assert!(!found.is_empty());
        }
    }
}

#[test]
fn keys_keep_their_order_and_their_names() {
    for (block, json) in [
        ("b: 1\na: 2\n\"c d\": 3\n", r#"{"b":1,"a":2,"c d":3}"#),
        (
            "__proto__: 1\nm: {__proto__: x, constructor: y}\n",
            r#"{"__proto__":1,"m":{"__proto__":"x","constructor":"y"}}"#,
        ),
        (
            "10: a\n9: b\ntrue: c\n~: d\n",
            r#"{"10":"a","9":"b","true":"c","~":"d"}"#,
        ),
        ("? |\n  long key\n: v\n", r#"{"long key\n":"v"}"#),
        (
            "argument-hint: [file name]\n",
            r#"{"argument-hint":["file name"]}"#,
        ),
        (
            "tools:\n- Read\n- Grep\nn: 1\n",
            r#"{"tools":["Read","Grep"],"n":1}"#,
        ),
        (
            "tools:\n  - Read\n  - a: b\n    c: d\n",
            r#"{"tools":["Read",{"a":"b","c":"d"}]}"#,
        ),
        (
            "m: {\"pack\":{\"requires\":{\"bins\":[\"node\"]}},\"n\":1,\"ok\":true,\"z\":null}\n",
            r#"{"m":{"pack":{"requires":{"bins":["node"]}},"n":1,"ok":true,"z":null}}"#,
        ),
        (
            "m:\n  a:\n    b: [x, 'y', \"z\", 1]\n  c:\nn: []\n",
            r#"{"m":{"a":{"b":["x","y","z",1]},"c":null},"n":[]}"#,
        ),
        (
            "## name: mangled\nversion: 1.0.0\n\n# Title\n\nText with: colon.\n",
            r#"{"version":"1.0.0","Text with":"colon."}"#,
        ),
        (
            "{name: x, description: y}\n",
            r#"{"name":"x","description":"y"}"#,
        ),
        ("", "{}"),
        ("# nothing but a comment\n", "{}"),
        ("a: 1\n...\n", r#"{"a":1}"#),
    ] {
        assert_clean(block, json);
    }
}

#[test]
fn nothing_is_resolved() {
    assert_tolerated(
        "a: &x [1, 2]\nb: [*x, *x]\nc: *x\nd: &y text\n",
        r#"{"a":[1,2],"b":["*x","*x"],"c":"*x","d":"&y text"}"#,
        &[
            "yaml-anchor 2:4",
            "yaml-alias 3:5",
            "yaml-alias 3:9",
            "yaml-alias 4:4",
            "yaml-anchor 5:4",
        ],
    );
    assert_tolerated(
        "a: !!str 12\nb: !local {c: d}\n!t k: v\n",
        r#"{"a":"!!str 12","b":{"c":"d"},"!t k":"v"}"#,
        &["yaml-tag 2:4", "yaml-tag 3:4", "yaml-tag 4:1"],
    );
    assert_tolerated(
        "base: &b {x: 1}\nm:\n  <<: *b\n",
        r#"{"base":{"x":1},"m":{"<<":"*b"}}"#,
        &["yaml-anchor 2:7", "yaml-merge-key 4:3", "yaml-alias 4:7"],
    );
    // A quoted `<<` never was a merge key.
    assert_clean("\"<<\": 1\n", r#"{"<<":1}"#);
}

#[test]
fn an_alias_bomb_stays_small() {
    let mut block = "a: &a [1,1,1,1,1,1,1,1,1]\n".to_owned();
    for (name, before) in ["b", "c", "d", "e", "f", "g"]
        .into_iter()
        .zip(["a", "b", "c", "d", "e", "f"])
    {
        let aliases = vec![["*", before].concat(); 9].join(",");
        block.push_str(&[name, ": &", name, " [", &aliases, "]\n"].concat());
    }
    let document = lenient(&block).unwrap();
    assert_eq!(document.fields.len(), 7);
    assert_eq!(
        document.fields[6].value,
        Value::List(vec![Value::String("*f".into()); 9])
    );
    assert!(
        strict(&block)
            .unwrap()
            .diagnostics
            .iter()
            .all(Diagnostic::is_error)
    );
}

#[test]
fn the_first_of_two_keys_counts_at_any_depth() {
    for (block, json, findings) in [
        (
            "a: first\na: second\n",
            r#"{"a":"first"}"#,
            &["yaml-duplicate-key 3:1"][..],
        ),
        (
            "m:\n  v: \"1\"\n  v: \"2\"\n",
            r#"{"m":{"v":"1"}}"#,
            &["yaml-duplicate-key 4:3"],
        ),
        (
            "m: {v: 1, v: 2, w: 3}\n",
            r#"{"m":{"v":1,"w":3}}"#,
            &["yaml-duplicate-key 2:11"],
        ),
        (
            "a: 1\n\"a\": {b: [c]}\nd: 2\n",
            r#"{"a":1,"d":2}"#,
            &["yaml-duplicate-key 3:1"],
        ),
        (
            "l:\n  - a: 1\n    a: 2\n",
            r#"{"l":[{"a":1}]}"#,
            &["yaml-duplicate-key 4:5"],
        ),
    ] {
        assert_tolerated(block, json, findings);
    }
}

#[test]
fn a_key_that_is_a_collection_is_its_source() {
    assert_tolerated(
        "? [a, b]\n: c\n",
        r#"{"[a, b]":"c"}"#,
        &["yaml-complex-key 2:3"],
    );
    assert_tolerated(
        "name: {{name}}\n",
        r#"{"name":{"{name}":null}}"#,
        &["yaml-complex-key 2:8"],
    );
}

#[test]
fn a_comment_after_prose_is_pointed_out() {
    for mode in [Mode::Lenient, Mode::Strict] {
        let block =
            "name: é\ndescription: Notes for the #releases channel.\nversion: 1 # the first\n";
        let document = read(block, 2, mode, &Limits::default()).unwrap();
        let (json, findings) = told(&document);
        assert_eq!(
            json,
            r#"{"name":"é","description":"Notes for the","version":1}"#
        );
        assert_eq!(findings, ["yaml-comment-after-text 3:28"]);
        assert_eq!(document.diagnostics[0].severity, Severity::Warning);
    }
    assert_clean(
        "description: \"a #b\" # c\nname: a#b\n",
        "{\"description\":\"a #b\",\"name\":\"a#b\"}",
    );
}

#[test]
fn what_other_parsers_accept_is_no_fault() {
    for (block, json) in [
        (
            r#"m: {"pack":{"emoji":"\ud83e\uddec"}}"#,
            r#"{"m":{"pack":{"emoji":"🧬"}}}"#,
        ),
        (
            "a: \"\\uD83E\\uDDEC and \\ud83e\\uddec\" # c\nb: '\\ud83e'\n",
            "{\"a\":\"🧬 and 🧬\",\"b\":\"\\\\ud83e\"}",
        ),
        (
            "a: |\n  \\ud83e\nb: \"\\\\ud83e \\ud83e\\uddec\"\n",
            "{\"a\":\"\\\\ud83e\\n\",\"b\":\"\\\\ud83e 🧬\"}",
        ),
        ("- \"\\ud83e\\uddec\"", ""),
        ("\"\\ud83e\\uddec\": x\n", r#"{"🧬":"x"}"#),
        ("m: {\n  \"a\": 1\n}\nn: 1\n", r#"{"m":{"a":1},"n":1}"#),
        (
            "m: {\n \"a\": [1,\n  2\n], # c\n# d\n \"b\": 'it''s'\n}\nn: 1\n",
            r#"{"m":{"a":[1,2],"b":"it's"},"n":1}"#,
        ),
        (
            "m:\n  k: [\n    a\n  ]\n  l: [\n]\n",
            r#"{"m":{"k":["a"],"l":[]}}"#,
        ),
        (
            "a:\tx\nb:\t-y\nm:\n  c: \t z\nd: |\n  e:\tf\n",
            r#"{"a":"x","b":"-y","m":{"c":"z"},"d":"e:\tf\n"}"#,
        ),
        ("m: {a:\tb}\n", r#"{"m":{"a":"b"}}"#),
        ("?\ta\n: \tb\n? \tc\n", r#"{"a":"b","c":null}"#),
        (
            "a: x\u{FEFF}y\nb: |\n  \u{FEFF}\n# \u{FEFF}\n",
            "{\"a\":\"x\u{FEFF}y\",\"b\":\"\u{FEFF}\\n\"}",
        ),
        (
            "a: x\u{FEFF}y\nb\tc: [d\te]\n",
            "{\"a\":\"x\u{FEFF}y\",\"b\\tc\":[\"d\\te\"]}",
        ),
        (
            "\u{FEFF}a: {b:\tx\u{FEFF}y}\n",
            "{\"a\":{\"b\":\"x\u{FEFF}y\"}}",
        ),
    ] {
        if json.is_empty() {
            assert_refused(block, "yaml-not-a-map 2:1");
        } else {
            assert_clean(block, json);
        }
    }
}

#[test]
fn places_are_those_of_the_file_after_tolerance() {
    let block = "m: {\"é\": \"\\ud83e\\uddec\", \"a\": 1, \"a\": 2,\n\"b\": 1,\n\"b\": 2}\n";
    assert_tolerated(
        block,
        r#"{"m":{"é":"🧬","a":1,"b":1}}"#,
        &[
            "yaml-indentation 3:1",
            "yaml-duplicate-key 2:34",
            "yaml-duplicate-key 4:1",
        ],
    );
    assert_tolerated(
        "m:\n\t é: 1\n\t é: 2\n\t b: [x,\ny]\n",
        r#"{"m":{"é":1,"b":["x","y"]}}"#,
        &["yaml-indentation 3:1", "yaml-duplicate-key 4:3"],
    );
}

#[test]
fn indentation_that_other_parsers_refuse_is_understood_and_said_once() {
    for (block, json, place) in [
        ("m:\n\ta: b\n", r#"{"m":{"a":"b"}}"#, "3:1"),
        ("m:\n  \ta: \"b\"\n", r#"{"m":{"a":"b"}}"#, "3:3"),
        ("m:\n  a:\n  \tb: 1\n", r#"{"m":{"a":{"b":1}}}"#, "4:3"),
        ("m:\n\ta: 1\n  b: 2\n", r#"{"m":{"a":1,"b":2}}"#, "3:1"),
        ("m:\n    a: 1\n\tb: 2\n", r#"{"m":{"a":1,"b":2}}"#, "4:1"),
        (
            "m:\n\ta:\n\t\t- b\n\t\t- c\n\td: e\n",
            r#"{"m":{"a":["b","c"],"d":"e"}}"#,
            "3:1",
        ),
        ("a:\n\t- b\n\t- c\n", r#"{"a":["b","c"]}"#, "3:1"),
        ("a:\n  \t- b\n", r#"{"a":["b"]}"#, "3:3"),
        ("a:\n -\tb: 1\n", r#"{"a":[{"b":1}]}"#, "3:3"),
        (":\t  a: b\n", r#"{"":{"a":"b"}}"#, "2:2"),
        ("\t? a\n", r#"{"a":null}"#, "2:1"),
        ("\t?\n", r#"{"":null}"#, "2:1"),
        ("\u{FEFF}\t? a\n", r#"{"a":null}"#, "2:2"),
        ("? a\n:\tb: 1\n", r#"{"a":{"b":1}}"#, "3:2"),
        ("? a\n: \t- b\n", r#"{"a":["b"]}"#, "3:3"),
        ("a: |\n  b\n\t\nc: 1\n", "{\"a\":\"b\\n\",\"c\":1}", "4:1"),
        (
            "m:\n  a: >\n    b\n  \t# c\n",
            "{\"m\":{\"a\":\"b\\n\"}}",
            "5:3",
        ),
        ("a:\n\tb\n", r#"{"a":"b"}"#, "3:1"),
        ("a: b\n\tc\n", r#"{"a":"b c"}"#, "3:1"),
        ("a: |\n\tb\n", "{\"a\":\"b\\n\"}", "3:1"),
        ("a: |\n  b\n\t\tc\n", "{\"a\":\"b\\n  c\\n\"}", "4:1"),
        ("a: {b: 1,\n\tc: 2}\n", r#"{"a":{"b":1,"c":2}}"#, "3:1"),
        ("a:\n\t{b: 1}\n", r#"{"a":{"b":1}}"#, "3:1"),
        ("m: {a: 1,\nb: 2}\n", r#"{"m":{"a":1,"b":2}}"#, "3:1"),
        ("m: {a: [\n  1,\n2]}\n", r#"{"m":{"a":[1,2]}}"#, "4:1"),
        ("m:\n  a: [b,\n  c]\n", r#"{"m":{"a":["b","c"]}}"#, "4:3"),
        ("d: \"a\nb\"\nn: 1\n", r#"{"d":"a b","n":1}"#, "3:1"),
        ("d: 'a\n\n}b'\n", r#"{"d":"a\n}b"}"#, "4:1"),
    ] {
        assert_tolerated(block, json, &[&format!("yaml-indentation {place}")]);
    }
    // These tabs are no indentation.
    for (block, json) in [
        ("a: b\n \tc\n", r#"{"a":"b c"}"#),
        ("a: 1\n\t\n\t# c\nb: 2\n", r#"{"a":1,"b":2}"#),
        ("a: {b: 1,\n \tc: 2}\n", r#"{"a":{"b":1,"c":2}}"#),
        ("a: |\n  b\n  \tc\n", "{\"a\":\"b\\n\\tc\\n\"}"),
        ("a: |\n  b\n  \t\nc: 1\n", "{\"a\":\"b\\n\\t\\n\",\"c\":1}"),
        (":\tb\n", r#"{"":"b"}"#),
        ("?  a\n: \tb\n", r#"{"a":"b"}"#),
        ("a: b\n\t# c\n", r#"{"a":"b"}"#),
        ("a: 'b\tc\n \td'\n", "{\"a\":\"b\\tc d\"}"),
    ] {
        assert_clean(block, json);
    }
}

#[test]
fn half_a_surrogate_pair_is_kept_as_its_escape() {
    for (block, json, place) in [
        (
            "a: \"x \\ud83e y\"\n",
            r#"{"a":"x \\ud83e y"}"#,
            "yaml-lone-surrogate 2:7",
        ),
        ("a: [\"\\ud83e\\uddec\", \"\\uddec\\ud83e\"]\n", "", ""),
        (
            "a: \"\\ud83e\\u0041\"\n",
            r#"{"a":"\\ud83eA"}"#,
            "yaml-lone-surrogate 2:5",
        ),
    ] {
        if json.is_empty() {
            assert_tolerated(
                block,
                r#"{"a":["🧬","\\uddec\\ud83e"]}"#,
                &["yaml-lone-surrogate 2:22", "yaml-lone-surrogate 2:28"],
            );
        } else {
            assert_tolerated(block, json, &[place]);
        }
    }
}

#[test]
fn values_that_cannot_be_yaml_are_taken_as_text() {
    for (value, text, fault) in [
        (
            "Two axes: style. Triggers: review",
            "Two axes: style. Triggers: review",
            "3:12",
        ),
        ("@handle and more", "@handle and more", "3:4"),
        ("`code` first", "`code` first", "3:4"),
        ("%percent", "%percent", "3:4"),
        ("*emphasis* here", "*emphasis* here", "3:4"),
        ("\"Quoted\" and more", "\"Quoted\" and more", "3:13"),
        ("'it's'", "'it's'", "3:8"),
        ("[target] [--fast]", "[target] [--fast]", "3:13"),
        ("{a} {b}", "{a} {b}", "3:8"),
        ("- dash", "- dash", "3:4"),
        ("> quoted like mail", "> quoted like mail", "3:4"),
        ("ends with a colon:", "ends with a colon:", "3:21"),
        ("\"bad \\q escape\"", "\"bad \\q escape\"", "3:4"),
        ("a: b # kept", "a: b # kept", "3:5"),
        ("[never closed", "[never closed", "4:2"),
    ] {
        let block = format!("n: 1\nk: {value}\nl: Read\n");
        let json = format!(
            "{{\"n\":1,\"k\":{},\"l\":\"Read\"}}",
            serde_json::to_string(text).unwrap()
        );
        let (repairs, fault) = (["3:4"], fault);
        let document =
            lenient(&block).unwrap_or_else(|fault| panic!("{block:?}: {}", fault.message));
        assert_eq!(
            told(&document),
            (
                json,
                repairs.map(|at| format!("yaml-repaired {at}")).to_vec()
            ),
            "{block:?}"
        );
        let error = strict(&block).expect_err(&block);
        assert_eq!(place(&error), format!("yaml-invalid {fault}"), "{block:?}");
    }
}

#[test]
fn repair_reaches_values_at_any_nesting_with_all_their_lines() {
    assert_repaired(
        "m:\n  note: a: b\n  l:\n    - x: y: z\n      w: v\n    - @foo\n    - ok\n  n: 1\n",
        r#"{"m":{"note":"a: b","l":[{"x":"y: z","w":"v"},"@foo","ok"],"n":1}}"#,
        &["3:9", "5:10", "7:7"],
        "3:10",
    );
    assert_repaired(
        "d: Use: this\n  and: that\n\n  too # all\n# no\nn: 1\n",
        "{\"d\":\"Use: this and: that\\ntoo # all\",\"n\":1}",
        &["2:4"],
        "2:7",
    );
    assert_repaired(
        "d:\n  Long text: that a formatter\n  moved to the next lines.\nn: 1\n",
        r#"{"d":"Long text: that a formatter moved to the next lines.","n":1}"#,
        &["3:3"],
        "5:1",
    );
    assert_repaired(
        "l:\n- a: b: c\n- - d: @\nn: 1\n",
        r#"{"l":[{"a":"b: c"},[{"d":"@"}]],"n":1}"#,
        &["3:6", "4:8"],
        "3:7",
    );
    assert_repaired(
        "d: a: b\r\n  c\r\nn: 1\r\n",
        r#"{"d":"a: b c","n":1}"#,
        &["2:4"],
        "2:5",
    );
}

#[test]
fn repair_keeps_what_other_parsers_accept() {
    assert_repaired(
        "d: a: b\nm: {\n \"x\": \"\\ud83e\\uddec\"\n}\nn:\ty\n",
        r#"{"d":"a: b","m":{"x":"🧬"},"n":"y"}"#,
        &["2:4"],
        "2:5",
    );
    // What is opened and not closed does not swallow the fields below it.
    assert_repaired(
        "d: \"not closed\nallowed-tools: Read\ne: \"\n",
        r#"{"d":"\"not closed","allowed-tools":"Read","e":"\""}"#,
        &["2:4", "4:4"],
        "2:4",
    );
    assert_repaired(
        "d: {not closed\nn: a: b\ne: }\n",
        r#"{"d":"{not closed","n":"a: b","e":"}"}"#,
        &["2:4", "3:4", "4:4"],
        "3:5",
    );
}

#[test]
fn repair_leaves_alone_what_parses() {
    // All of these look odd and are YAML.
    for (block, json) in [
        ("d: a:b, c::d\n", r#"{"d":"a:b, c::d"}"#),
        ("d: a [b] {c}\n", r#"{"d":"a [b] {c}"}"#),
        ("d: it's \"fine\"\n", r#"{"d":"it's \"fine\""}"#),
        ("d: -1 to 1\n", r#"{"d":"-1 to 1"}"#),
        ("d: ?x :y\n", r#"{"d":"?x :y"}"#),
    ] {
        assert_clean(block, json);
    }
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place() {
    for (block, fault) in [
        ("- a\n- b\n", "yaml-not-a-map 2:1"),
        ("just text\n", "yaml-not-a-map 2:1"),
        ("null\n", "yaml-not-a-map 2:1"),
        ("a: 1\n...\nb: 2\n", "yaml-many-documents 4:1"),
        ("a: 1\n--- b\n", "yaml-many-documents 3:1"),
        ("%YAML 1.2\n", "yaml-invalid 3:1"),
        ("a: 1\nb\n", "yaml-invalid 4:1"),
        ("  a: 1\n b: 2\n", "yaml-invalid 3:2"),
    ] {
        assert_refused(block, fault);
    }
}

#[test]
fn nesting_is_bounded() {
    let flow = |depth: usize| format!("a: {}{}\n", "[".repeat(depth), "]".repeat(depth));
    let maps = |depth: usize| stairs("a:\n", depth + 1);
    assert_clean(&flow(3), r#"{"a":[[[]]]}"#);
    assert!(lenient(&flow(64)).is_ok());
    assert!(lenient(&maps(64)).is_ok());
    assert_refused(&flow(65), "yaml-too-deep 2:68");
    assert_refused(&flow(1000), "yaml-too-deep 2:259");
    assert_refused(&maps(65), "yaml-too-deep 67:66");
    let limits = Limits {
        yaml_depth: 1,
        ..Limits::default()
    };
    assert!(read("a: [b]\n", 2, Mode::Lenient, &limits).is_ok());
    for block in [
        "a: [[b]]\n",
        "a:\n  b:\n    c: d\n",
        "a:\n  b: [c]\n",
        "a:\n  b:\n    - c\n",
    ] {
        let error = read(block, 2, Mode::Lenient, &limits).expect_err(block);
        assert_eq!(error.code, TOO_DEEP.code, "{block:?}");
    }
}

#[test]
fn keys_and_values_are_counted() {
    // The outermost map, the key and its list are three.
    let flow = |items: usize| format!("a: [{}]\n", "b, ".repeat(items));
    assert!(lenient(&flow(MOST_VALUES - 3)).is_ok());
    assert_refused(&flow(MOST_VALUES - 2), "yaml-too-many-values 2:12284");
    let keys = |count: usize| {
        let lines: Vec<_> = (0..count).map(|key| format!("k{key}:\n")).collect();
        lines.concat()
    };
    assert!(lenient(&keys((MOST_VALUES - 1) / 2)).is_ok());
    assert_refused(&keys(MOST_VALUES / 2), "yaml-too-many-values 2049:6");
    let nested = "a:\n".to_owned() + &" - b\n".repeat(MOST_VALUES);
    assert_refused(&nested, "yaml-too-many-values 4096:4");
    let lists = (0..32).map(|key| format!("a{key}:\n{}", " - b\n".repeat(64)));
    let simple = lists.collect::<Vec<_>>().concat();
    assert!(lenient(&simple).is_ok());
}

/// Blocks as large as is allowed, of what once took a time that grew with the square of the size.
#[test]
fn a_hostile_block_is_read_in_a_moment() {
    let began = std::time::Instant::now();
    for (start, unit) in [
        ("description: d\n", "- "),
        ("description: d\n", "- a: "),
        ("description: d\n", "? "),
        ("description: @x\n", "- "),
        ("description: @x\nb:\n", "  - - "),
        ("x: [\n", "- "),
        ("x: [\n", "!t ,"),
    ] {
        let block = [start, &unit.repeat(65_000 / unit.len()), "\n"].concat();
        for mode in [Mode::Lenient, Mode::Strict] {
            drop(read(&block, 2, mode, &Limits::default()));
        }
    }
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}

#[test]
fn messages_name_the_field_and_stay_short() {
    let error = strict("name: x\ndescription: @all\n").unwrap_err();
    assert_eq!(
        error.message,
        "invalid YAML in \"description\": unexpected character: `@'"
    );
    let error = strict("name: x\ndescription: a: b\n").unwrap_err();
    assert_eq!(
        error.hint.as_deref(),
        Some("put the value in quotes: it contains a colon followed by a blank")
    );
    let long = format!("{}: [\n", "k".repeat(1000));
    assert!(strict(&long).unwrap_err().message.chars().count() < 400);
}

#[test]
fn findings_are_counted_when_there_are_too_many() {
    let block = "a: 1\n".repeat(1000);
    let document = lenient(&block).unwrap();
    assert_eq!(document.diagnostics.len(), MOST_FINDINGS + 1);
    assert_eq!(
        document.diagnostics[MOST_FINDINGS].message,
        "left out: 899 more findings"
    );
}

/// `line` as often as `count`, each time indented one more.
fn stairs(line: &str, count: usize) -> String {
    let lines = (0..count).map(|level| " ".repeat(level) + line);
    lines.collect()
}

/// Hostile blocks of the largest size cost no more than a moment and never panic. The bound is
/// hundreds of times what they take; it is there to notice quadratic work.
#[test]
fn hostile_blocks_are_read_in_a_moment() {
    const SIZE: usize = 64 * 1024;
    let repeated = |part: &str| part.repeat(SIZE / part.len());
    let numbered = |line: &dyn Fn(usize) -> String| (0..SIZE / 12).map(line).collect::<String>();
    let mut blocks: Vec<String> = [
        "[",
        "{",
        "- ",
        "? ",
        "a: ",
        "a: [",
        "a: {",
        "&a ",
        "*a ",
        "!a ",
        "'",
        "\"",
        "#",
        "\u{FEFF}",
        "\n",
        " ",
        "\t",
        ":\n",
        "-\n",
        "a:\n",
        "? a\n",
        "\0",
        "| ",
        "> ",
        "a: @\n",
        "\"a\": \"\\ud800\"\n",
        "é: ",
    ]
    .into_iter()
    .map(repeated)
    .collect();
    blocks.push(numbered(&|index| format!("k{index}: @\n")));
    blocks.push(numbered(&|index| format!("k{index}: &a{index} x\n")));
    blocks.push(numbered(&|index| format!("k{index}: a: b\n")));
    blocks.push(numbered(&|index| format!("[k{index}]: b\n")));
    blocks.push(format!("a: [\n{}]\n", repeated("x,\n")));
    blocks.push(format!("a: [{}]\n", repeated("\"\\ud83e\\uddec\", ")));
    blocks.push(format!("a: &x é\nb: [{}]\n", repeated("*x, ")));
    blocks.push(stairs("a:\n", 360) + &" ".repeat(360) + "b: c: d\n");
    blocks.push(stairs("- @\n", 360));
    let start = std::time::Instant::now();
    for block in &blocks {
        for mode in [Mode::Lenient, Mode::Strict] {
            let _ = read(block, 2, mode, &Limits::default());
        }
    }
    let elapsed = start.elapsed();
    assert!(elapsed.as_secs() < 60, "{elapsed:?}");
}

mod shortcut {
    //! The one-pass reading gives what the parser would have given, or declines.

    use super::*;
    use proptest::prelude::*;

    /// Whether the shortcut read the block; if so, the parser was of the same opinion.
    fn agrees(block: &str) -> bool {
        let Some(fields) = simple::read(block, 2, 64) else {
            return false;
        };
        let reading = Reading {
            block_line: 2,
            mode: Mode::Strict,
            max_depth: 64,
            numbers: Numbers::AsWritten,
        };
        let parsed = reading.load(&Tolerated::unchanged(block));
        let expected = Document {
            fields,
            diagnostics: Vec::new(),
        };
        assert_eq!(parsed, Ok(expected), "{block:?}");
        true
    }

    #[test]
    fn most_front_matter_takes_it() {
        for block in [
            "name: a\ndescription: Does things, well (and fast).\n",
            "name: a\n\n# comment\nmetadata:\n  author: b\n  # comment\n  version: \"1.0\"\n\nlicense: MIT\n",
            "tools:\n  - Read\n  - 'Grep'\nother:\n- x\n- 1\nlast: ~\n",
            "tools: [Read, \"Grep\", 'x', 1]\nempty: []\n",
            "d: |\n  a\n    b\n\n  c\ne: >-\n  f\n  g\n\n  h\ni: |-\n  j\n",
            "a: \"x: y # z\"\nb: 'it''s'\nc:\nd: é — ü\n",
            "a: x\r\nb:\r\n  c: |\r\n    d\r\n\r\n    e\r\nf: 1\r\n",
            "m:\n  a:\n    b:\n      - c\n  d: e\n",
            "d: Words, and\n  more - of\n   them\n\n# comment\nm:\n  a: 1\n    2\n\nn: null\n # c\n",
            "a: x\r\n  y\r\nb: é\n  é\nc: d\n  \"e\" f\n  'g'\n",
            "a: \"\\\"b\\\" c\\\\\"\nd: [\"\\\"\", \"e\"]\n",
            "",
            "# c\n",
        ] {
            assert!(agrees(block), "{block:?}");
        }
    }

    #[test]
    fn it_declines_what_may_mean_something_else() {
        for block in [
            "a: b: c\n",
            "a: b #c\n",
            "a: &x b\n",
            "a: *x\n",
            "a: !t b\n",
            "a: @\n",
            "a: b\n\n  c\n",
            "a: b\n  # c\n  d\n",
            "a: b\n  c #d\n",
            "a: b\n  - c\n",
            "a: b\n  c: d\n",
            "a: b\n  c:\n",
            "a: 'b'\n  c\n",
            "a: \"b\n  c\"\n",
            "a: 1\na: 2\n",
            "a:\n  b: 1\n  b: 2\n",
            "a: \"b\\n\"\n",
            "a: \"b\\\"\n",
            "a: \"\"b\\\\\"\n",
            "a: 'b' c\n",
            "a: |+\n  b\n",
            "a: |2\n  b\n",
            "a: >\n  b\n   c\n",
            "a:\tb\n",
            "a: \u{FEFF}\n",
            "- a\n",
            "a: {b: c}\n",
            "a: [b: c]\n",
            "a: [b, ]\n",
            "a: [b,c\n",
            "a: b",
            "a: b\n c: d\n",
            "a:\n  b: c\n d: e\n",
            "a:\n  - b: c\n",
            "a:\n  - b\n  c: d\n",
            "a: |\n\n  b\n",
            "<<: x\n",
            "a:\n  - b\n- c\n",
            "a: 1\n...\n",
            "a: x\rb: y\n",
            "a :\n",
            "? a\n",
        ] {
            assert!(!agrees(block), "{block:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn it_agrees_with_the_parser(
            parts in proptest::collection::vec(proptest::sample::select(PARTS.as_slice()), 0..14)
        ) {
            let mut block: String = parts.concat();
            block.push('\n');
            agrees(&block);
        }
    }

    const PARTS: [&str; 60] = [
        "a: ", "b: ", "c:", "d:\n", "e: x\n", "f: |\n", "g: >-\n", "h: >\n", "i: |-\n", "\n", "\n",
        "\r\n", " ", "  ", "  ", "    ", "- ", "-", "x", "é", "1", "1.0", "true", "null", "~",
        "\"", "\"q\"", "'", "'s'", "''", "[", "]", "[x, y]", "[]", "{", "}", ",", ":", ": ", "#",
        " #", "\\", "*", "&", "!", "|", ">", "%", "@", "`", "?", "---", "...", "\t", "=", "_",
        ".5", "0x1", "\u{85}", "\u{2028}",
    ];
}

mod as_others {
    //! What other readers of YAML 1.2 see.

    use crate::{Limits, ToJson, yaml::read_as_others};

    #[test]
    fn every_number_of_the_core_schema_is_one() {
        let block = "a: 1.10\nb: 007\nc: 0x1F\nd: 0o17\ne: +1\nf: .5\ng: 5.\nh: 1e3\ni: -1.5E-2\n\
            j: 1_000\nk: \"1.0\"\nl: yes\nm: 1.2.3\nn: [2.0, '2.0']\no: 0x\np: +\nq: 1e\n";
        let read = read_as_others(block, &Limits::default()).unwrap();
        assert_eq!(
            read.to_json(),
            r#"{"a":1.1,"b":7,"c":31,"d":15,"e":1,"f":0.5,"g":5,"h":1000,"i":-0.015,"j":"1_000","k":"1.0","l":"yes","m":"1.2.3","n":[2,"2.0"],"o":"0x","p":"+","q":"1e"}"#
        );
    }

    #[test]
    fn what_does_not_mean_the_same_to_all_is_none() {
        for block in [
            "a: b: c\n",
            "a: 1\na: 2\n",
            "a: &x 1\nb: *x\n",
            "a: !t 1\n",
            "a: .inf\n",
            "a: [-.Inf]\n",
            "a: {b: .NaN}\n",
            "a: 1e999\n",
            "- a\n",
            "a: \u{1}\n",
        ] {
            assert!(
                read_as_others(block, &Limits::default()).is_none(),
                "{block:?}"
            );
        }
    }
}

#[test]
fn a_list_below_its_key_has_entries_in_brackets() {
    for block in [
        "a:\n- {k: v}\n- {k: v}\n",
        "a:\n- \tx\n- y\n",
        "a:\n- [x]\n- [y]\n",
        "a:\n  b:\n  - {k: v}\n  - [x]\n",
        "a:\n- \"quoted\n  text\"\n- b\n",
        "a:\n-\n  \"quoted\n  text\"\n- b\n",
        "a:\n- {k:\n  v}\n- b\n",
    ] {
        let document = read(block, 1, Mode::Strict, &Limits::default()).expect("it is YAML");
        assert_eq!(document.diagnostics, [], "{block:?}");
    }
    let block = "a:\n- \"quoted\ntext\"\n";
    let document = read(block, 1, Mode::Strict, &Limits::default()).expect("it is tolerated");
    assert_eq!(document.diagnostics.len(), 1);
    let block = "a:\n- - b\n-\t- c\n";
    let document = read(block, 1, Mode::Strict, &Limits::default()).expect("it is tolerated");
    assert_eq!(document.diagnostics[0].code, INDENTATION.code);
}

#[test]
fn in_brackets_a_colon_may_stand_at_a_bracket_and_text_may_not_begin_a_block_or_a_key() {
    let block = "a: {b:[c], d:{e: f}}\n";
    let document = read(block, 1, Mode::Strict, &Limits::default()).expect("it is YAML");
    assert_eq!(document.diagnostics, []);
    let Value::Map(map) = &document.fields[0].value else {
        panic!("it is a map");
    };
    assert_eq!(map.0[0].1, Value::List(vec![Value::String("c".into())]));
    for block in ["a: [b, |c]\n", "a: {b: >c}\n", "a: [?, b]\n", "a: {?}\n"] {
        let refused = read(block, 1, Mode::Strict, &Limits::default()).expect_err("it is not YAML");
        assert_eq!(refused.code, INVALID.code);
        assert!(read(block, 1, Mode::Lenient, &Limits::default()).is_ok());
    }
}

#[test]
fn a_comment_within_plain_text_is_refused_when_strict() {
    for block in [
        "a: b\n\t# c\n  d\n",
        "a: [b\n\t# c\n  d]\n",
        "a:\n  b\n\n\t#\n  c\n",
    ] {
        let refused = read(block, 1, Mode::Strict, &Limits::default()).expect_err("it is not YAML");
        assert_eq!(refused.code, INVALID.code, "{block:?}");
        assert!(read(block, 1, Mode::Lenient, &Limits::default()).is_ok());
    }
}

#[test]
fn what_stands_after_a_byte_order_mark_or_a_carriage_return_is_indented_like_all_else() {
    for block in ["\u{FEFF}   a: b\nc: d\n", "a:\n\r\tb: [c]\n"] {
        let refused = read(block, 1, Mode::Strict, &Limits::default()).expect_err("it is not YAML");
        assert_eq!(refused.code, INVALID.code, "{block:?}");
    }
}

#[test]
fn what_the_parser_takes_for_the_end_is_called_a_character_that_yaml_refuses() {
    for block in ["a: \"b\0c\"\n", "a: [b, \0c]\n", "a: b:\0c\n"] {
        let refused = read(block, 1, Mode::Strict, &Limits::default()).expect_err("it is not YAML");
        assert_eq!(refused.code, UNPRINTABLE.code, "{block:?}");
    }
}
