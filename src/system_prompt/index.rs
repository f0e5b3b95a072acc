//! What the index of the skills looks like in its section, where the developer does not say.

use crate::json::{self, Object};
use crate::value::{Map, Value};

/// The options that are added to the developer's own, as JSON text. Takes both as JSON text: those
/// of the index, and a list of those that the tools in the prompt were made with.
pub(super) fn added_options(given: &str, tools: &str) -> String {
    let given = map_of(json::parse(given).ok());
    let is_absent = |key: &str| given.get(key).is_none_or(|value| *value == Value::Null);
    let mut out = String::new();
    let mut added = Object::begin(&mut out);
    if is_absent("heading") {
        // The section has one already.
        added.field("heading", &"");
    }
    if is_absent("rename") {
        // The model is to call the tools by the names that it is shown.
        added.optional("rename", first_made(tools).get("rename"));
    }
    added.end();
    out
}

/// The options of the first tools that are a catalog's. Those of others would name the same tools
/// otherwise, and a model can be told one name only.
fn first_made(tools: &str) -> Map {
    let Ok(Value::List(tools)) = json::parse(tools) else {
        return Map::default();
    };
    map_of(tools.into_iter().find(|made| matches!(made, Value::Map(_))))
}

/// Of what is no object nothing is given: it is refused with the other options of the prompt.
fn map_of(value: Option<Value>) -> Map {
    match value {
        Some(Value::Map(map)) => map,
        _ => Map::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_is_left_alone() {
        let tools = r#"[null,{"rename":{"load_skill":"use"},"set":"full"},{"rename":{}}]"#;
        for (given, tools, added) in [
            ("{}", "[]", r#"{"heading":""}"#),
            (r#"{"heading":"x"}"#, "[null]", "{}"),
            (r#"{"heading":"","rename":{}}"#, tools, "{}"),
            (
                r#"{"style":"xml","heading":null}"#,
                tools,
                r#"{"heading":"","rename":{"load_skill":"use"}}"#,
            ),
            (r#"{"heading":"x"}"#, "[{}]", "{}"),
            ("7", "7", r#"{"heading":""}"#),
        ] {
            assert_eq!(added_options(given, tools), added, "{given}");
        }
    }
}
