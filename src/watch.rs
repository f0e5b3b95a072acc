//! What is said about how a catalog is watched, and how changes look on a line. Watching itself is
//! the runtime's.

use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields};
use crate::text::one_line;

/// Names of one kind in a line.
const MOST_NAMES: usize = 10;

/// Milliseconds from one refresh to the next where the system cannot watch.
const POLL_INSTEAD: u32 = 1000;

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
        fields.function("onChange");
        fields.function("onError");
        fields.signal("signal");
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
            .field("pollInstead", &POLL_INSTEAD)
            .field("persistent", &self.persistent)
            .end();
    }
}

/// Names of skills that were added, changed and removed.
struct ChangedNames([(&'static str, Vec<String>); 3]);

impl FromFields for ChangedNames {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self([
            ("+", fields.texts("added")),
            ("~", fields.texts("changed")),
            ("\u{2212}", fields.texts("removed")),
        ])
    }
}

/// Changes as a line for a terminal, such as `+ pdf  ~ docx  − old`; of many names only the first.
/// Takes the three lists of names as JSON text. Nothing where nothing has changed.
///
/// # Errors
///
/// [`Error::SourceUnsupported`], which says what is no list of names.
pub fn summary_of_changes(names: &str) -> Result<Option<String>, Error> {
    let ChangedNames(all) = options::read(names)?;
    let mut parts = Vec::new();
    for (sign, names) in all {
        let shown = names.iter().take(MOST_NAMES);
        parts.extend(shown.map(|name| [sign, " ", &one_line(name)].concat()));
        if let more @ 1.. = names.len().saturating_sub(MOST_NAMES) {
            parts.push(format!("{sign} … {more} more"));
        }
    }
    Ok((!parts.is_empty()).then(|| parts.join("  ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_has_its_default() {
        let options = WatchOptions::from_json("{}").expect("nothing is wrong with them");
        assert_eq!(
            options.to_json(),
            r#"{"debounce":100,"poll":0,"pollInstead":1000,"persistent":true}"#
        );
        let said = r#"{"debounce":5,"poll":2000,"persistent":false}"#;
        let options = WatchOptions::from_json(said).expect("nothing is wrong with them");
        assert_eq!(
            options.to_json(),
            r#"{"debounce":5,"poll":2000,"pollInstead":1000,"persistent":false}"#
        );
    }

    #[test]
    fn changes_are_a_line() {
        let many = |count: usize| {
            let names: Vec<String> = (0..count).map(|number| format!("\"n{number}\"")).collect();
            format!(r#"{{"removed":[{}]}}"#, names.join(","))
        };
        let ten = "− n0  − n1  − n2  − n3  − n4  − n5  − n6  − n7  − n8  − n9";
        for (names, line) in [
            (r#"{"added":[],"changed":[],"removed":[]}"#, None),
            (
                r#"{"added":["a","b"],"changed":["c"],"removed":["d"]}"#,
                Some("+ a  + b  ~ c  − d".to_owned()),
            ),
            (r#"{"added":["a\n\u001b[2J"]}"#, Some("+ a [2J".to_owned())),
            (&many(10), Some(ten.to_owned())),
            (&many(11), Some([ten, "  − … 1 more"].concat())),
        ] {
            assert_eq!(summary_of_changes(names), Ok(line), "{names}");
        }
        assert!(summary_of_changes(r#"{"added":"a"}"#).is_err());
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
