//! What is said about how the servers of a session's skills are connected. Connecting them is the
//! runtime's.

use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields};
use crate::server_tool::MOST_TOOLS;
use crate::value::Value;

/// How servers are connected. Times are milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerOptions {
    /// Variables of the host's own environment that references may stand for, by their names; absent
    /// where the values are given.
    pub variables: Option<Vec<String>>,
    /// How long a server may take until it has listed its tools.
    pub start_timeout: u32,
    /// How long a tool may take until it has answered.
    pub call_timeout: u32,
    /// What becomes of what programs write to their standard error.
    pub stderr: Stderr,
}

/// What becomes of what programs write to their standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stderr {
    /// Nobody reads it.
    #[default]
    Ignore,
    /// It is the host's own.
    Inherit,
}

impl Stderr {
    const NAMES: [(&str, Self); 2] = [("ignore", Self::Ignore), ("inherit", Self::Inherit)];
}

/// What the timers of runtimes can keep, with room for what is added to it.
const LONGEST: u32 = i32::MAX as u32 - 10_000;

/// How much is read of what a server sends, by the names that the wrapper has for it: it stops reading
/// where a server does not stop sending. What comes of it is judged here.
const BOUNDS: [(&str, usize); 6] = [
    // Bytes of one message, and of one answer over HTTP.
    ("message", 8 * 1024 * 1024),
    // Messages that are no answers, one after the other.
    ("messages", 2000),
    // Levels of an answer: fewer than JSON may have here.
    ("levels", 100),
    // Bytes of the definitions of tools.
    ("list", 1024 * 1024),
    ("pages", 50),
    // One more than are offered, so that it is seen that there are more.
    ("tools", MOST_TOOLS + 1),
];

struct Bounds;

impl ToJson for Bounds {
    fn write_json(&self, out: &mut String) {
        let mut object = Object::begin(out);
        for (name, bound) in BOUNDS {
            object.field(name, &bound);
        }
        object.end();
    }
}

impl ServerOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for ServerOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        fields.function("approve");
        if fields.get("approve").is_none() {
            fields.refuse("approve", "is missing; it must be a function");
        }
        Self {
            variables: variables(fields),
            start_timeout: fields.number_from("startTimeout", 1, 30_000).min(LONGEST),
            call_timeout: fields.number_from("callTimeout", 1, 60_000).min(LONGEST),
            stderr: fields.choice("stderr", &Stderr::NAMES),
        }
    }
}

/// Names of variables, or none where values are given by name.
fn variables(fields: &Fields<'_>) -> Option<Vec<String>> {
    const KEY: &str = "environment";
    match fields.get(KEY) {
        Some(Value::List(_)) => return Some(fields.texts(KEY)),
        None | Some(Value::Map(_)) => {
            fields.texts_by_key(KEY);
        }
        Some(_) => fields.refuse(KEY, "must be a list of names, or an object of text"),
    }
    None
}

impl ToJson for ServerOptions {
    fn write_json(&self, out: &mut String) {
        let stderr = Stderr::NAMES
            .iter()
            .find(|(_, stderr)| *stderr == self.stderr);
        Object::begin(out)
            .optional("variables", self.variables.as_ref())
            .field("startTimeout", &self.start_timeout)
            .field("callTimeout", &self.call_timeout)
            .field("stderr", &stderr.map_or("", |(name, _)| name))
            .field("bounds", &Bounds)
            .end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_has_its_default() {
        let options = ServerOptions::from_json(r#"{"approve":{"~function":true}}"#)
            .expect("nothing is wrong");
        assert_eq!(
            options.to_json(),
            r#"{"startTimeout":30000,"callTimeout":60000,"stderr":"ignore","bounds":{"message":8388608,"messages":2000,"levels":100,"list":1048576,"pages":50,"tools":101}}"#
        );
        let said = r#"{"approve":{"~function":true},"environment":["A"],"startTimeout":4294967295,"callTimeout":1,"stderr":"inherit"}"#;
        let options = ServerOptions::from_json(said).expect("nothing is wrong");
        assert_eq!(
            options.to_json(),
            r#"{"variables":["A"],"startTimeout":2147473647,"callTimeout":1,"stderr":"inherit","bounds":{"message":8388608,"messages":2000,"levels":100,"list":1048576,"pages":50,"tools":101}}"#
        );
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (json, problem) in [
            ("{}", "approve is missing; it must be a function"),
            (
                r#"{"approve":true}"#,
                "approve must be a function; it is true",
            ),
            (
                r#"{"approve":{"~function":true},"aprove":{}}"#,
                "aprove is not known; approve is",
            ),
            (
                r#"{"approve":{"~function":true},"enviroment":[]}"#,
                "enviroment is not known; environment is",
            ),
            (
                r#"{"approve":{"~function":true},"environment":"A"}"#,
                "environment must be a list of names, or an object of text",
            ),
            (
                r#"{"approve":{"~function":true},"environment":[1]}"#,
                "environment must be a list of text; one item is 1",
            ),
            (
                r#"{"approve":{"~function":true},"environment":{"A":1}}"#,
                "environment must be an object of text; one value is 1",
            ),
            (
                r#"{"approve":{"~function":true},"startTimeout":0}"#,
                "startTimeout must be a whole number from 1 to 4294967295; it is 0",
            ),
            (
                r#"{"approve":{"~function":true},"callTimeout":"Infinity"}"#,
                "callTimeout must be a whole number from 1 to 4294967295; it is \"Infinity\"",
            ),
            (
                r#"{"approve":{"~function":true},"stderr":"pipe"}"#,
                "stderr must be \"ignore\" or \"inherit\"; it is \"pipe\"",
            ),
        ] {
            let error = ServerOptions::from_json(json).expect_err(json);
            let message = format!("The options cannot be used: {problem}.");
            assert_eq!(error.to_string(), message);
        }
    }
}
