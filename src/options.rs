//! Options as JavaScript passes them: JSON text, read field by field.
//!
//! A field that cannot be used has its default, and the first such field becomes the error of the
//! whole: one check instead of one for each field.

use std::cell::RefCell;

use crate::error::Error;
use crate::json;
use crate::value::{Map, Value};

/// What can be read from an object.
pub(crate) trait FromFields: Sized {
    /// Fields that are absent have their defaults, unknown ones are passed over.
    fn from_fields(fields: &Fields<'_>) -> Self;
}

/// Reads options from JSON text.
pub(crate) fn read<T: FromFields>(json: &str) -> Result<T, Error> {
    let Ok(Value::Map(map)) = json::parse(json) else {
        return Err(unusable("they are not an object"));
    };
    let fault = RefCell::new(None);
    let options = T::from_fields(&Fields {
        map: Some(&map),
        within: "",
        fault: &fault,
    });
    match fault.take() {
        Some(problem) => Err(unusable(&problem)),
        None => Ok(options),
    }
}

fn unusable(problem: &str) -> Error {
    Error::SourceUnsupported(["The options cannot be used: ", problem, "."].concat())
}

/// The fields of an object; of an absent one all are absent.
pub(crate) struct Fields<'a> {
    map: Option<&'a Map>,
    /// What stands before a key in messages.
    within: &'a str,
    /// What is wrong with the first field that cannot be used.
    fault: &'a RefCell<Option<String>>,
}

impl<'a> Fields<'a> {
    /// A field that is there and not null.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Value> {
        self.map?.get(key).filter(|value| **value != Value::Null)
    }

    /// Notes that a field cannot be used.
    pub(crate) fn refuse(&self, key: &str, problem: &str) {
        let problem = [self.within, key, " ", problem].concat();
        self.fault.borrow_mut().get_or_insert(problem);
    }

    /// Notes that a field is of another kind than `expected`.
    fn refuse_kind(&self, key: &str, expected: &str, value: &Value) {
        self.refuse(
            key,
            &["must be ", expected, "; it is ", value.kind()].concat(),
        );
    }

    pub(crate) fn text(&self, key: &str) -> Option<String> {
        match self.get(key)? {
            Value::String(text) => return Some(text.clone()),
            other => self.refuse_kind(key, "text", other),
        }
        None
    }

    pub(crate) fn texts(&self, key: &str) -> Vec<String> {
        let mut texts = Vec::new();
        match self.get(key) {
            None => {}
            Some(Value::List(items)) => {
                for item in items {
                    match item {
                        Value::String(text) => texts.push(text.clone()),
                        other => self.refuse_kind(key, "a list of text", other),
                    }
                }
            }
            Some(other) => self.refuse_kind(key, "a list of text", other),
        }
        texts
    }

    pub(crate) fn flag(&self, key: &str, default: bool) -> bool {
        match self.get(key) {
            None => {}
            Some(Value::Bool(flag)) => return *flag,
            Some(other) => self.refuse_kind(key, "true or false", other),
        }
        default
    }

    pub(crate) fn number(&self, key: &str, default: u32) -> u32 {
        let Some(value) = self.get(key) else {
            return default;
        };
        let number = value.as_whole_number().map(u32::try_from);
        let Some(Ok(number)) = number else {
            self.refuse_kind(key, "a whole number below 4294967296", value);
            return default;
        };
        number
    }

    /// One of a few words.
    pub(crate) fn choice<T: Copy + Default>(&self, key: &str, choices: &[(&str, T)]) -> T {
        let Some(value) = self.get(key) else {
            return T::default();
        };
        let mut problem = String::from("must be one of");
        for (name, choice) in choices {
            if value.as_str() == Some(*name) {
                return *choice;
            }
            problem.push(' ');
            problem.push_str(name);
        }
        self.refuse(key, &problem);
        T::default()
    }

    /// The fields of an object; `within` is what stands before their keys in messages.
    pub(crate) fn object<'b>(&'b self, key: &str, within: &'b str) -> Fields<'b> {
        let map = match self.get(key) {
            Some(Value::Map(map)) => Some(map),
            Some(other) => {
                self.refuse_kind(key, "an object", other);
                None
            }
            None => None,
        };
        Fields {
            map,
            within,
            fault: self.fault,
        }
    }

    /// The entries of an object that has only text.
    pub(crate) fn texts_by_key(&self, key: &str) -> Vec<(String, String)> {
        let mut texts = Vec::new();
        for (name, value) in self.object(key, "").entries() {
            match value {
                Value::String(text) => texts.push((name.clone(), text.clone())),
                other => self.refuse_kind(key, "an object of text", other),
            }
        }
        texts
    }

    /// Notes it where there are other keys than `known`.
    pub(crate) fn only(&self, known: &[&str]) {
        for (key, _) in self.entries() {
            if !known.contains(&key.as_str()) {
                self.refuse(key, "is not known");
            }
        }
    }

    fn entries(&self) -> &'a [(String, Value)] {
        self.map.map_or(&[], |map| &map.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::{IndexOptions, LoadOptions, ParseOptions, ToolOptions};

    #[test]
    fn what_cannot_be_used_is_named() {
        for (problem, error) in [
            ("they are not an object", LoadOptions::from_json("[]").err()),
            ("they are not an object", LoadOptions::from_json("{").err()),
            (
                "mode must be one of lenient strict",
                ParseOptions::from_json(r#"{"mode":"loose"}"#).err(),
            ),
            (
                "mode must be one of lenient strict",
                ParseOptions::from_json(r#"{"mode":1}"#).err(),
            ),
            (
                "limits.depth must be a whole number below 4294967296; it is a number",
                LoadOptions::from_json(r#"{"limits":{"depth":-1,"body":"x"}}"#).err(),
            ),
            (
                "ignore must be a list of text; it is a number",
                LoadOptions::from_json(r#"{"ignore":["a",1]}"#).err(),
            ),
            (
                "nested must be true or false; it is text",
                LoadOptions::from_json(r#"{"nested":"yes"}"#).err(),
            ),
            (
                "rename.lod_skill is not known",
                ToolOptions::from_json(r#"{"rename":{"lod_skill":"x"}}"#).err(),
            ),
            (
                "rename: titel is not known",
                IndexOptions::from_json(r#"{"rename":{"load_skill":{"titel":"x"}}}"#).err(),
            ),
            (
                "rename: arguments must be an object of text; it is null",
                ToolOptions::from_json(r#"{"rename":{"load_skill":{"arguments":{"name":null}}}}"#)
                    .err(),
            ),
        ] {
            let error = error.expect("it cannot be used");
            assert_eq!(error.code(), "SOURCE_UNSUPPORTED");
            let message = format!("The options cannot be used: {problem}.");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn what_is_absent_null_or_unknown_leaves_the_defaults() {
        let options = LoadOptions::from_json(r#"{"mode":null,"limits":{"depth":3},"other":[]}"#);
        let mut expected = LoadOptions::default();
        expected.limits.depth = 3;
        assert_eq!(options, Ok(expected));
    }
}
