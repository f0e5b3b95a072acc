//! The tools of a skill's server: judged, named so that providers accept them, and stored.

use crate::digest::sha256;
use crate::hidden;
use crate::json::{Object, ToJson};
use crate::skill::SkillKey;
use crate::text::{one_line, quoted};
use crate::tool::{LONGEST_NAME, is_in_name};
use crate::value::{Map, Value};

/// Tools of one server that are offered at most.
pub(crate) const MOST_TOOLS: usize = 100;
/// Bytes of the schemas of one server.
const LARGEST_SCHEMAS: usize = 256 * 1024;
/// Bytes of one schema.
const LARGEST_SCHEMA: usize = 32 * 1024;
/// Levels of one tool's schema. A session's state holds it some levels deep, and has to be read again.
const DEEPEST_SCHEMA: usize = 64;
/// Code points of a description.
const LONGEST_DESCRIPTION: usize = 2048;
/// Code points of a tool's own name.
const LONGEST_OWN_NAME: usize = 256;

/// A tool that a skill's server brings.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerTool {
    /// Its name for the model: the skill's name, `__`, and its own.
    pub name: String,
    /// On one line.
    pub description: String,
    /// As the server gave it: a schema of an object.
    pub input_schema: Value,
    /// The name of its server.
    pub server: String,
    /// Its own name.
    pub tool: String,
}

impl ToJson for ServerTool {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("name", &self.name)
            .field("description", &self.description)
            .field("inputSchema", &self.input_schema)
            .field("server", &self.server)
            .field("tool", &self.tool)
            .end();
    }
}

/// Letters, digits, `_` and `-` as they are, and `_` for anything else.
pub(crate) fn sanitized(name: &str) -> String {
    let shown = |c: char| if is_in_name(c) { c } else { '_' };
    name.chars().map(shown).collect()
}

/// The first free one of `<skill>__<tool>`, `<skill>__<server>__<tool>`, and the former with a
/// digest, which does not depend on what else is there.
fn free_name(
    key: &SkillKey,
    server: &str,
    tool: &str,
    is_taken: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let short = [&sanitized(&key.name), "__", &sanitized(tool)].concat();
    let long = [
        &sanitized(&key.name),
        "__",
        &sanitized(server),
        "__",
        &sanitized(tool),
    ]
    .concat();
    let fits = |name: &String| name.len() <= LONGEST_NAME && !is_taken(name);
    let named = [short.clone(), long].into_iter().find(fits);
    named.or_else(|| Some(numbered(short, key, server, tool)).filter(fits))
}

/// `name` as far as there is room, and digits that only this tool has.
fn numbered(mut name: String, key: &SkillKey, server: &str, tool: &str) -> String {
    const DIGITS: usize = 8;
    let parts = [key.address().to_json(), server.to_json(), tool.to_json()];
    let digest = sha256(parts.concat().as_bytes());
    let digits = digest.strip_prefix("sha256:").unwrap_or_default();
    name.truncate(LONGEST_NAME - DIGITS - 1);
    name.push('_');
    name.push_str(digits.get(..DIGITS).unwrap_or_default());
    name
}

/// A tool's name where another tool may have its own: that, or one with a digest.
pub(crate) fn shown_name(
    key: &SkillKey,
    tool: &ServerTool,
    is_taken: &dyn Fn(&str) -> bool,
) -> Option<String> {
    if !is_taken(&tool.name) {
        return Some(tool.name.clone());
    }
    let name = numbered(tool.name.clone(), key, &tool.server, &tool.tool);
    Some(name).filter(|name| !is_taken(name))
}

/// Judges what a server lists, and adds what can be offered. Gives the reasons of what cannot.
pub(crate) fn add_tools(
    tools: &mut Vec<ServerTool>,
    key: &SkillKey,
    server: &str,
    listed: Vec<Value>,
    is_taken: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let mut refused = Vec::new();
    let mut size = 0;
    let first = tools.len();
    for (count, listed) in listed.into_iter().enumerate() {
        if count == MOST_TOOLS {
            refused.push(format!(
                "lists more than {MOST_TOOLS} tools; the others are left out"
            ));
            break;
        }
        let judged = judged(&listed).and_then(|listed| {
            let of_server = tools.get(first..).unwrap_or_default();
            if of_server.iter().any(|other| other.tool == listed.tool) {
                return Err(["lists the tool ", &quoted(&listed.tool), " twice"].concat());
            }
            if size + listed.size > LARGEST_SCHEMAS {
                let tool = quoted(&listed.tool);
                return Err(["has too large schemas; the tool ", &tool, " is left out"].concat());
            }
            size += listed.size;
            let is_taken =
                |name: &str| is_taken(name) || tools.iter().any(|other| other.name == name);
            free_name(key, server, &listed.tool, &is_taken)
                .map(|name| (name, listed))
                .ok_or_else(|| "has a tool for which no name is free".to_owned())
        });
        match judged {
            Ok((name, listed)) => tools.push(ServerTool {
                name,
                description: listed.description,
                input_schema: listed.input_schema,
                server: server.to_owned(),
                tool: listed.tool,
            }),
            Err(reason) => refused.push(reason),
        }
    }
    refused
}

/// A tool as a server lists it, once it is judged.
struct Listed {
    tool: String,
    description: String,
    input_schema: Value,
    size: usize,
}

/// Judges a tool, which is given as JSON text: one that cannot be read does not lose the others.
fn judged(listed: &Value) -> Result<Listed, String> {
    let parsed = listed.as_str().and_then(Value::from_json);
    let Some(Value::Map(Map(fields))) = parsed else {
        return Err("lists a tool that cannot be read".to_owned());
    };
    let (mut tool, mut description, mut schema) = (None, None, None);
    for (key, value) in fields {
        let field = match key.as_str() {
            "name" => &mut tool,
            "description" => &mut description,
            "inputSchema" => &mut schema,
            _ => continue,
        };
        field.get_or_insert(value);
    }
    let Some(Value::String(tool)) = tool else {
        return Err("lists a tool without a name".to_owned());
    };
    let is_name = !tool.trim().is_empty()
        && tool.chars().count() <= LONGEST_OWN_NAME
        && !tool.chars().any(hidden::is_control);
    if !is_name {
        return Err(["has a tool whose name cannot be used: ", &quoted(&tool)].concat());
    }
    let input_schema = input_schema(schema)
        .map_err(|problem| ["has a tool ", &quoted(&tool), " whose schema ", problem].concat())?;
    let size = input_schema.to_json().len();
    if size > LARGEST_SCHEMA {
        return Err(["has a tool ", &quoted(&tool), " whose schema is too large"].concat());
    }
    let description = match description {
        Some(Value::String(text)) => shortened(&one_line(&text)),
        _ => String::new(),
    };
    Ok(Listed {
        tool,
        description,
        input_schema,
        size,
    })
}

/// A schema of an object, with the parts that providers ask for.
fn input_schema(given: Option<Value>) -> Result<Value, &'static str> {
    let mut fields = match given {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Map(Map(fields))) => fields,
        Some(_) => return Err("is no object"),
    };
    if fields
        .iter()
        .any(|(_, value)| !is_within(value, DEEPEST_SCHEMA))
    {
        return Err("is nested too deeply");
    }
    // What this package adds to a schema must not be there already.
    fields.retain(|(key, _)| key != "~standard");
    let text = |text: &str| Value::String(text.to_owned());
    for (key, default) in [
        ("type", text("object")),
        ("properties", Value::Map(Map::default())),
        ("required", Value::List(Vec::new())),
    ] {
        let found = fields.iter().find(|(name, _)| name == key);
        match found {
            None => fields.push((key.to_owned(), default)),
            Some((_, value)) if key == "type" && *value != default => {
                return Err("is not of an object");
            }
            Some((_, value)) if value.kind() != default.kind() => return Err("cannot be read"),
            Some(_) => {}
        }
    }
    Ok(Value::Map(Map(fields)))
}

/// Whether a value has at most so many levels.
fn is_within(value: &Value, levels: usize) -> bool {
    match (value, levels.checked_sub(1)) {
        (Value::List(values), Some(left)) => values.iter().all(|value| is_within(value, left)),
        (Value::Map(Map(fields)), Some(left)) => {
            fields.iter().all(|(_, value)| is_within(value, left))
        }
        (Value::List(_) | Value::Map(_), None) => false,
        _ => true,
    }
}

fn shortened(description: &str) -> String {
    match description.char_indices().nth(LONGEST_DESCRIPTION) {
        Some((end, _)) => [description.get(..end).unwrap_or_default(), "…"].concat(),
        None => description.to_owned(),
    }
}

/// Reads a tool as a session has stored it.
pub(crate) fn stored_tool(value: &Value) -> Option<ServerTool> {
    let Value::Map(map) = value else {
        return None;
    };
    let text = |key| map.get(key).and_then(Value::as_str).map(str::to_owned);
    let name = text("name")?;
    let is_name = !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_in_name);
    let schema = map.get("inputSchema").cloned();
    Some(ServerTool {
        name: Some(name).filter(|_| is_name)?,
        description: text("description")?,
        input_schema: input_schema(schema).ok()?,
        server: text("server")?,
        tool: text("tool")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn key(name: &str) -> SkillKey {
        SkillKey {
            name: name.to_owned(),
            version: None,
        }
    }

    fn added(skill: &str, listed: &str) -> (Vec<ServerTool>, Vec<String>) {
        let Ok(Value::List(listed)) = json::parse(listed) else {
            panic!("{listed}")
        };
        let listed = listed
            .iter()
            .map(|tool| Value::String(tool.to_json()))
            .collect();
        let mut tools = Vec::new();
        let refused = add_tools(&mut tools, &key(skill), "s", listed, &|name| {
            name == "a__taken"
        });
        (tools, refused)
    }

    #[test]
    fn names_are_of_the_skill_and_accepted_by_providers() {
        let long = "x".repeat(100);
        let (tools, refused) = added(
            "a",
            &format!(
                r#"[{{"name":"q"}},{{"name":"é y/z"}},{{"name":"é y.z"}},{{"name":"taken"}},{{"name":"{long}"}}]"#
            ),
        );
        assert!(refused.is_empty(), "{refused:?}");
        let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(
            names[..4],
            ["a__q", "a____y_z", "a__s____y_z", "a__s__taken"]
        );
        assert_eq!(names[4].len(), LONGEST_NAME);
        assert!(names[4].starts_with("a__xxx"));
        assert!(names.iter().all(|name| name.chars().all(is_in_name)));
        let again = added("a", &format!(r#"[{{"name":"{long}"}}]"#));
        assert_eq!(again.0[0].name, names[4]);
    }

    #[test]
    fn what_cannot_be_offered_is_left_out_and_named() {
        let large = "x".repeat(LARGEST_SCHEMA);
        let deep = [
            r#"{"properties":"#.repeat(DEEPEST_SCHEMA + 2),
            "{}".to_owned(),
            "}".repeat(DEEPEST_SCHEMA + 2),
        ]
        .concat();
        for (listed, expected) in [
            ("1", "lists a tool that cannot be read"),
            ("{}", "lists a tool without a name"),
            (
                r#"{"name":" "}"#,
                "has a tool whose name cannot be used: \"\"",
            ),
            (
                r#"{"name":"a\nb"}"#,
                "has a tool whose name cannot be used: \"a b\"",
            ),
            (
                r#"{"name":"t","inputSchema":[]}"#,
                "has a tool \"t\" whose schema is no object",
            ),
            (
                r#"{"name":"t","inputSchema":{"type":"string"}}"#,
                "has a tool \"t\" whose schema is not of an object",
            ),
            (
                r#"{"name":"t","inputSchema":{"properties":1}}"#,
                "has a tool \"t\" whose schema cannot be read",
            ),
            (
                &format!(r#"{{"name":"t","inputSchema":{deep}}}"#),
                "has a tool \"t\" whose schema is nested too deeply",
            ),
            (
                &format!(r#"{{"name":"t","inputSchema":{{"title":"{large}"}}}}"#),
                "has a tool \"t\" whose schema is too large",
            ),
        ] {
            let (tools, refused) = added("a", &format!(r#"[{listed},{{"name":"good"}}]"#));
            assert_eq!(refused, [expected]);
            assert_eq!(tools.len(), 1);
        }
        let (tools, refused) = added("a", r#"[{"name":"t"},{"name":"t"}]"#);
        assert_eq!(
            (tools.len(), refused.as_slice()),
            (1, ["lists the tool \"t\" twice".to_owned()].as_slice())
        );
        let many: Vec<_> = (0..1000)
            .map(|number| format!(r#"{{"name":"t{number}"}}"#))
            .collect();
        let (tools, refused) = added("a", &format!("[{}]", many.join(",")));
        assert_eq!((tools.len(), refused.len()), (MOST_TOOLS, 1));
    }

    #[test]
    fn descriptions_and_schemas_are_bounded_and_whole() {
        let text = "x ".repeat(5000);
        let (tools, _) = added(
            "a",
            &format!(
                r#"[{{"name":"t","description":"a\n\u200b- b {text}","inputSchema":{{"~standard":1,"title":"é","__proto__":{{}}}}}}]"#
            ),
        );
        let tool = &tools[0];
        assert!(tool.description.starts_with("a - b x x"));
        assert_eq!(tool.description.chars().count(), LONGEST_DESCRIPTION + 1);
        assert_eq!(
            tool.input_schema.to_json(),
            r#"{"title":"é","__proto__":{},"type":"object","properties":{},"required":[]}"#
        );
        assert_eq!(
            stored_tool(&json::parse(&tool.to_json()).unwrap()).as_ref(),
            Some(tool)
        );
    }
}
