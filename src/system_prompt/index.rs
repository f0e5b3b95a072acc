//! What the index of the skills looks like in its section, where the developer does not say.

use crate::json::{self, Object};
use crate::value::{Map, Value};

/// The options that are added to the developer's own, as JSON text. Takes both as JSON text: those
/// of the index, and those that the tools in the prompt were made with, where they are a catalog's.
pub(super) fn added_options(given: &str, tools: Option<&str>) -> String {
    let given = map(given);
    let is_absent = |key: &str| given.get(key).is_none_or(|value| *value == Value::Null);
    let tools = tools.map(map).unwrap_or_default();
    let mut out = String::new();
    let mut added = Object::begin(&mut out);
    if is_absent("heading") {
        // The section has one already.
        added.field("heading", &"");
    }
    if is_absent("rename") {
        // The model is to call the tools by the names that it is shown.
        added.optional("rename", tools.get("rename"));
    }
    added.end();
    out
}

/// Of what is no object nothing is given: it is refused with the other options of the prompt.
fn map(json: &str) -> Map {
    match json::parse(json) {
        Ok(Value::Map(map)) => map,
        _ => Map::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_is_left_alone() {
        let tools = Some(r#"{"rename":{"load_skill":"use"},"set":"full"}"#);
        for (given, tools, added) in [
            ("{}", None, r#"{"heading":""}"#),
            (r#"{"heading":"x"}"#, None, "{}"),
            (r#"{"heading":"","rename":{}}"#, tools, "{}"),
            (
                r#"{"style":"xml","heading":null}"#,
                tools,
                r#"{"heading":"","rename":{"load_skill":"use"}}"#,
            ),
            (r#"{"heading":"x"}"#, Some("{}"), "{}"),
            ("7", Some("7"), r#"{"heading":""}"#),
        ] {
            assert_eq!(added_options(given, tools), added, "{given}");
        }
    }
}
