//! The tools of a skill's server: judged, named so that providers accept them, and stored.

use crate::digest::sha256;
use crate::hidden;
use crate::json::{Object, ToJson};
use crate::mcp_config::ServerConfig;
use crate::places::Names;
use crate::skill::SkillKey;
use crate::text::{cut, one_line, quoted};
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

/// The names that a tool may have: `<skill>__<tool>`, `<skill>__<server>__<tool>`, and the former with
/// a digest, which does not depend on what else is there.
fn names(key: &SkillKey, server: &str, tool: &str) -> [String; 3] {
    let short = [&sanitized(&key.name), "__", &sanitized(tool)].concat();
    let long = [
        &sanitized(&key.name),
        "__",
        &sanitized(server),
        "__",
        &sanitized(tool),
    ]
    .concat();
    let last = with_digest(short.clone(), key, server, tool);
    [short, long, last]
}

/// The first of its names that is free.
fn free_name(
    key: &SkillKey,
    server: &str,
    tool: &str,
    is_taken: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let fits = |name: &String| name.len() <= LONGEST_NAME && !is_taken(name);
    names(key, server, tool).into_iter().find(fits)
}

/// `name` as far as there is room, and digits that only this tool has.
fn with_digest(mut name: String, key: &SkillKey, server: &str, tool: &str) -> String {
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
    let name = with_digest(tool.name.clone(), key, &tool.server, &tool.tool);
    Some(name).filter(|name| !is_taken(name))
}

/// What the tools of one server may come to.
#[derive(Clone, Default)]
struct Allowance {
    /// Their own names.
    names: Names,
    /// Bytes of their schemas.
    schemas: usize,
}

impl Allowance {
    /// Lets a tool in, or says why not.
    fn admit(&mut self, tool: &Judged) -> Result<(), String> {
        if self.names.has(&tool.name) {
            return Err(["lists the tool ", &quoted(&tool.name), " twice"].concat());
        }
        if self.schemas + tool.size > LARGEST_SCHEMAS {
            let name = quoted(&tool.name);
            return Err(["has too large schemas; the tool ", &name, " is left out"].concat());
        }
        self.schemas += tool.size;
        self.names.add(tool.name.clone());
        Ok(())
    }
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
    let mut allowance = Allowance::default();
    for (count, listed) in listed.into_iter().enumerate() {
        if count == MOST_TOOLS {
            refused.push(format!(
                "lists more than {MOST_TOOLS} tools; the others are left out"
            ));
            break;
        }
        let judged = judged_text(&listed).and_then(|tool| {
            allowance.admit(&tool)?;
            let is_taken =
                |name: &str| is_taken(name) || tools.iter().any(|other| other.name == name);
            free_name(key, server, &tool.name, &is_taken)
                .map(|name| tool.of_server(name, server))
                .ok_or_else(|| "has a tool for which no name is free".to_owned())
        });
        match judged {
            Ok(tool) => tools.push(tool),
            Err(reason) => refused.push(reason),
        }
    }
    refused
}

/// A tool of a server that can be offered.
struct Judged {
    /// Its own name.
    name: String,
    description: String,
    input_schema: Value,
    /// Bytes of the schema.
    size: usize,
}

impl Judged {
    fn of_server(self, name: String, server: &str) -> ServerTool {
        ServerTool {
            name,
            description: self.description,
            input_schema: self.input_schema,
            server: server.to_owned(),
            tool: self.name,
        }
    }
}

/// Judges a tool, which is given as JSON text: one that cannot be read does not lose the others.
fn judged_text(listed: &Value) -> Result<Judged, String> {
    match listed.as_str().and_then(Value::from_json) {
        Some(Value::Map(fields)) => judged(fields, "name"),
        _ => Err("lists a tool that cannot be read".to_owned()),
    }
}

/// Judges a tool whose own name is in the field `name_key`.
fn judged(Map(fields): Map, name_key: &str) -> Result<Judged, String> {
    let (mut name, mut description, mut schema) = (None, None, None);
    for (key, value) in fields {
        let field = match key.as_str() {
            "description" => &mut description,
            "inputSchema" => &mut schema,
            key if key == name_key => &mut name,
            _ => continue,
        };
        field.get_or_insert(value);
    }
    let Some(Value::String(name)) = name else {
        return Err("lists a tool without a name".to_owned());
    };
    let is_name = !name.trim().is_empty()
        && name.chars().count() <= LONGEST_OWN_NAME
        && !name.chars().any(hidden::is_control);
    if !is_name {
        return Err(["has a tool whose name cannot be used: ", &quoted(&name)].concat());
    }
    let input_schema = input_schema(schema)
        .map_err(|problem| ["has a tool ", &quoted(&name), " whose schema ", problem].concat())?;
    let size = input_schema.to_json().len();
    if size > LARGEST_SCHEMA {
        return Err(["has a tool ", &quoted(&name), " whose schema is too large"].concat());
    }
    let description = match description {
        Some(Value::String(text)) => cut(&one_line(&text), LONGEST_DESCRIPTION),
        _ => String::new(),
    };
    Ok(Judged {
        name,
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

/// Reads the tools of a skill as a session has stored them: those that its servers could have listed,
/// under names that they could have been given.
pub(crate) fn stored_tools(
    stored: &[Value],
    key: &SkillKey,
    servers: &[ServerConfig],
) -> Option<Vec<ServerTool>> {
    let mut allowances = vec![Allowance::default(); servers.len()];
    let mut tools: Vec<ServerTool> = Vec::new();
    let mut seen = Names::default();
    for value in stored {
        let Value::Map(map) = value else { return None };
        let text = |key| map.get(key).and_then(Value::as_str);
        let (name, server) = (text("name")?, text("server")?);
        text("description")?;
        let place = servers.iter().position(|known| known.name == server)?;
        let allowance = allowances.get_mut(place)?;
        let tool = judged(map.clone(), "tool").ok()?;
        allowance.admit(&tool).ok()?;
        let is_name = name.len() <= LONGEST_NAME
            && names(key, server, &tool.name).iter().any(|one| one == name);
        if allowance.names.count() > MOST_TOOLS || !is_name || !seen.add(name.to_owned()) {
            return None;
        }
        tools.push(tool.of_server(name.to_owned(), server));
    }
    Some(tools)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::mcp_config::stored_server;

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
        assert_eq!(stored(&tools).as_ref(), Some(&tools));
    }

    /// Tools of a skill `a` with a server `s`, stored and read again.
    fn stored(tools: &[ServerTool]) -> Option<Vec<ServerTool>> {
        let Ok(Value::List(stored)) = json::parse(&tools.to_json()) else {
            panic!()
        };
        let server = json::parse(r#"{"name":"s","command":"node"}"#).unwrap();
        stored_tools(&stored, &key("a"), &[stored_server(&server).unwrap()])
    }

    #[test]
    fn what_is_stored_is_judged_as_what_is_listed() {
        let long = "x".repeat(100);
        let (tools, refused) = added(
            "a",
            &format!(r#"[{{"name":"q"}},{{"name":"taken"}},{{"name":"{long}"}}]"#),
        );
        assert_eq!((tools.len(), refused.len()), (3, 0));
        assert_eq!(stored(&tools), Some(tools.clone()));

        let changes: [fn(&mut ServerTool); 7] = [
            |tool| tool.name = "b__q".to_owned(),
            |tool| tool.name = "a__taken_of".to_owned(),
            |tool| tool.server = "other".to_owned(),
            |tool| tool.tool = "../q\u{7}".to_owned(),
            |tool| tool.tool = "taken".to_owned(),
            |tool| tool.input_schema = json::parse(r#"{"type":"array"}"#).unwrap(),
            |tool| {
                let title = Value::String("x".repeat(LARGEST_SCHEMA));
                tool.input_schema = Value::Map(Map(vec![("title".to_owned(), title)]));
            },
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut tools = tools.clone();
            change(&mut tools[0]);
            assert_eq!(stored(&tools), None, "{number}");
        }
        let twice = [&tools[..1], &tools[..1]].concat();
        assert_eq!(stored(&twice), None);

        let mut hidden = tools[..1].to_vec();
        hidden[0].description = "\u{200b}".repeat(200_000) + &"x".repeat(5000);
        let read = stored(&hidden).unwrap();
        assert_eq!(read[0].description, "x".repeat(LONGEST_DESCRIPTION) + "…");

        let numbered = |number: usize| {
            let mut tool = tools[0].clone();
            tool.tool = format!("q{number}");
            tool.name = format!("a__q{number}");
            tool
        };
        let many = |count| (0..count).map(numbered).collect::<Vec<_>>();
        assert!(stored(&many(MOST_TOOLS)).is_some());
        assert_eq!(stored(&many(MOST_TOOLS + 1)), None);
    }
}
