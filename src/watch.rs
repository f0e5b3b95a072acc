//! What is said about how a catalog is watched. Watching itself is the runtime's.

use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields};

/// How a catalog is watched. Times are milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchOptions {
    /// How long nothing must have changed before a refresh.
    pub debounce: u32,
    /// How long after a refresh the next one comes unasked; 0 for never.
    pub poll: u32,
    /// Whether watching keeps the process alive.
    pub persistent: bool,
}

impl WatchOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for WatchOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        fields.kept("onChange", "a function");
        fields.kept("onError", "a function");
        fields.kept("signal", "an AbortSignal");
        Self {
            debounce: fields.number("debounce", 100),
            poll: fields.number("poll", 0),
            persistent: fields.flag("persistent", true),
        }
    }
}

impl ToJson for WatchOptions {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("debounce", &self.debounce)
            .field("poll", &self.poll)
            .field("persistent", &self.persistent)
            .end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_has_its_default() {
        let options = WatchOptions::from_json("{}").expect("nothing is wrong with them");
        assert_eq!(
            options.to_json(),
            r#"{"debounce":100,"poll":0,"persistent":true}"#
        );
        let said = r#"{"debounce":5,"poll":2000,"persistent":false}"#;
        let options = WatchOptions::from_json(said).expect("nothing is wrong with them");
        assert_eq!(options.to_json(), said);
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        let cases = [
            (
                r#"{"debounce":-1}"#,
                "debounce must be a whole number from 0 to 4294967295; it is -1",
            ),
            (
                r#"{"onChange":"log"}"#,
                "onChange must be a function; it is \"log\"",
            ),
            (
                r#"{"onError":"log"}"#,
                "onError must be a function; it is \"log\"",
            ),
            (r#"{"signal":1}"#, "signal must be an AbortSignal; it is 1"),
            (r#"{"onchange":{}}"#, "onchange is not known; onChange is"),
        ];
        for (json, problem) in cases {
            let error = WatchOptions::from_json(json).expect_err(json);
            let message = format!("The options cannot be used: {problem}.");
            assert_eq!(error.to_string(), message);
        }
    }
}
