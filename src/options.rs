//! What JavaScript passes as an object: JSON text, read field by field.
//!
//! A field that cannot be used has its default, and the first such field becomes the error of the
//! whole: one check instead of one for each field. A field that nobody asked for is unknown, most
//! likely misspelled, and an error too.

use std::cell::RefCell;

use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::error::Error;
use crate::json;
use crate::near::near;
use crate::number;
use crate::text::{quoted, shortened};
use crate::value::{Map, Value};

const OPTION: Rule = Rule::error("option-invalid");

/// What can be read from an object.
pub(crate) trait FromFields: Sized {
    /// What the object is, in messages.
    const SUBJECT: &'static str = "options";

    /// Fields that are absent have their defaults.
    fn from_fields(fields: &Fields<'_>) -> Self;
}

/// Reads an object from JSON text.
pub(crate) fn read<T: FromFields>(json: &str) -> Result<T, Error> {
    let map = object(json).map_err(|problem| unusable(T::SUBJECT, &problem))?;
    let fault = RefCell::new(None);
    let read = Fields::new(Some(&map), "", &fault).read();
    match fault.take() {
        Some(problem) => Err(unusable(T::SUBJECT, &problem)),
        None => Ok(read),
    }
}

fn object(json: &str) -> Result<Map, String> {
    match json::parse(json) {
        Ok(Value::Map(map)) => Ok(map),
        Ok(other) => Err(["an object is expected, not ", &shown(&other)].concat()),
        Err(_) => {
            Err("a text in it has half of a surrogate pair, or it is nested too deeply".to_owned())
        }
    }
}

fn unusable(subject: &str, problem: &str) -> Error {
    Error::SourceUnsupported(["The ", subject, " cannot be used: ", problem, "."].concat())
}

/// That options cannot be used, where nothing may fail.
pub(crate) fn finding(error: &Error) -> Diagnostic {
    Diagnostic::new(&OPTION, Mode::Strict, error.to_string())
        .with_hint("correct it, or leave it out")
}

/// A value as messages show it.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Number(number) => number::print(*number),
        Value::Bool(true) => "true".to_owned(),
        Value::Bool(false) => "false".to_owned(),
        Value::Map(_) if is_function(value) => "a function".to_owned(),
        Value::Map(_) => "an object".to_owned(),
        Value::Null | Value::List(_) => value.kind().to_owned(),
    }
}

/// Whether a value stands for a function, which stays with the caller's side.
fn is_function(value: &Value) -> bool {
    matches!(value, Value::Map(map) if map.get("~function").is_some())
}

/// The fields of an object; of an absent one all are absent.
pub(crate) struct Fields<'a> {
    map: Option<&'a Map>,
    /// What stands before a key in messages.
    within: &'static str,
    /// What is wrong with the first field that cannot be used.
    fault: &'a RefCell<Option<String>>,
    /// The fields that were asked for.
    known: RefCell<Vec<&'static str>>,
}

impl<'a> Fields<'a> {
    fn new(map: Option<&'a Map>, within: &'static str, fault: &'a RefCell<Option<String>>) -> Self {
        Self {
            map,
            within,
            fault,
            known: RefCell::default(),
        }
    }

    /// All of them.
    pub(crate) fn read<T: FromFields>(&self) -> T {
        let read = T::from_fields(self);
        self.finish();
        read
    }

    /// A field that is there, null too.
    pub(crate) fn given(&self, key: &'static str) -> Option<&'a Value> {
        let mut known = self.known.borrow_mut();
        if !known.contains(&key) {
            known.push(key);
        }
        self.map?.get(key)
    }

    /// A field that is there and not null.
    pub(crate) fn get(&self, key: &'static str) -> Option<&'a Value> {
        self.given(key).filter(|value| **value != Value::Null)
    }

    /// Notes that a field cannot be used.
    pub(crate) fn refuse(&self, key: &str, problem: &str) {
        let problem = [self.within, &shortened(key), " ", problem].concat();
        self.fault.borrow_mut().get_or_insert(problem);
    }

    /// Notes that a field is another value than `expected`.
    fn refuse_value(&self, key: &str, expected: &str, value: &Value) {
        self.refuse(
            key,
            &["must be ", expected, "; it is ", &shown(value)].concat(),
        );
    }

    pub(crate) fn text(&self, key: &'static str) -> Option<String> {
        match self.get(key)? {
            Value::String(text) => return Some(text.clone()),
            other => self.refuse_value(key, "text", other),
        }
        None
    }

    /// Text that must be there.
    pub(crate) fn required_text(&self, key: &'static str) -> String {
        if self.get(key).is_none() {
            self.refuse(key, "is missing");
        }
        self.text(key).unwrap_or_default()
    }

    pub(crate) fn texts(&self, key: &'static str) -> Vec<String> {
        let mut texts = Vec::new();
        match self.get(key) {
            None => {}
            Some(Value::List(items)) => {
                for item in items {
                    match item {
                        Value::String(text) => texts.push(text.clone()),
                        other => {
                            let problem = "must be a list of text; one item is ";
                            self.refuse(key, &[problem, &shown(other)].concat());
                        }
                    }
                }
            }
            Some(other) => self.refuse_value(key, "a list of text", other),
        }
        texts
    }

    pub(crate) fn flag(&self, key: &'static str, default: bool) -> bool {
        match self.get(key) {
            None => {}
            Some(Value::Bool(flag)) => return *flag,
            Some(other) => self.refuse_value(key, "true or false", other),
        }
        default
    }

    pub(crate) fn number(&self, key: &'static str, default: u32) -> u32 {
        self.number_from(key, 0, default)
    }

    /// A whole number that is not below `least`.
    pub(crate) fn number_from(&self, key: &'static str, least: u8, default: u32) -> u32 {
        let Some(value) = self.get(key) else {
            return default;
        };
        match value.as_whole_number().map(u32::try_from) {
            Some(Ok(number)) if number >= u32::from(least) => number,
            _ => {
                let expected = ["a whole number from ", &least.to_string(), " to 4294967295"];
                self.refuse_value(key, &expected.concat(), value);
                default
            }
        }
    }

    /// One of a few words.
    pub(crate) fn choice<T: Clone + Default>(&self, key: &'static str, choices: &[(&str, T)]) -> T {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let chosen = self.chosen(key, &names).and_then(|at| choices.get(at));
        chosen.map_or_else(T::default, |(_, choice)| choice.clone())
    }

    /// Which of `names` it is.
    fn chosen(&self, key: &'static str, names: &[&str]) -> Option<usize> {
        let value = self.get(key)?;
        let at = names.iter().position(|name| value.as_str() == Some(*name));
        if at.is_none() {
            let quoted: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            self.refuse_value(key, &quoted.join(" or "), value);
        }
        at
    }

    /// A function, which stays with the caller's side.
    pub(crate) fn function(&self, key: &'static str) {
        if let Some(value) = self.get(key).filter(|value| !is_function(value)) {
            self.refuse_value(key, "a function", value);
        }
    }

    /// Something that stays with the caller's side: here it is an object.
    pub(crate) fn kept(&self, key: &'static str, expected: &str) {
        match self.get(key) {
            None | Some(Value::Map(_)) => {}
            Some(other) => self.refuse_value(key, expected, other),
        }
    }

    /// A signal, of which the caller's side tells what it has.
    pub(crate) fn signal(&self, key: &'static str) {
        let Some(value) = self.get(key) else { return };
        let has = |member: &str| match value {
            Value::Map(map) => matches!(map.get(member), Some(Value::Map(_) | Value::Bool(_))),
            _ => false,
        };
        if !["aborted", "addEventListener", "removeEventListener"]
            .into_iter()
            .all(has)
        {
            self.refuse_value(key, "an AbortSignal", value);
        }
    }

    /// The fields of an object; `within` is what stands before their keys in messages.
    pub(crate) fn object(&self, key: &'static str, within: &'static str) -> Fields<'a> {
        let map = match self.get(key) {
            Some(value @ Value::Map(map)) if !is_function(value) => Some(map),
            Some(other) => {
                self.refuse_value(key, "an object", other);
                None
            }
            None => None,
        };
        Fields::new(map, within, self.fault)
    }

    /// Reads each object of a list. Tells whether the list is there. Fields that nobody asks for may
    /// stand in them: they are data of others.
    pub(crate) fn each(&self, key: &'static str, read: &mut dyn FnMut(&Fields<'_>)) -> bool {
        let items = match self.get(key) {
            None => return false,
            Some(Value::List(items)) => items,
            Some(other) => {
                self.refuse_value(key, "a list", other);
                return false;
            }
        };
        for (index, item) in items.iter().enumerate() {
            let place = format!("{key}[{index}]");
            let Value::Map(map) = item else {
                self.refuse_value(&place, "an object", item);
                continue;
            };
            let fault = RefCell::new(None);
            read(&Fields::new(Some(map), "", &fault));
            if let Some(problem) = fault.take() {
                let problem = [self.within, &place, ".", &problem].concat();
                self.fault.borrow_mut().get_or_insert(problem);
            }
        }
        true
    }

    /// The entries of an object that has only text.
    pub(crate) fn texts_by_key(&self, key: &'static str) -> Vec<(String, String)> {
        let mut texts = Vec::new();
        for (name, value) in self.object(key, "").entries() {
            match value {
                Value::String(text) => texts.push((name.clone(), text.clone())),
                other => {
                    let problem = "must be an object of text; one value is ";
                    self.refuse(key, &[problem, &shown(other)].concat());
                }
            }
        }
        texts
    }

    /// Notes the first field that nobody asked for.
    pub(crate) fn finish(&self) {
        let known = self.known.borrow();
        let unknown = |(key, _): &&(String, Value)| !known.contains(&key.as_str());
        if let Some((key, _)) = self.entries().iter().find(unknown) {
            // What the wrapper adds is no option of a developer's.
            let told = known.iter().copied().filter(|key| !key.starts_with('~'));
            let told: Vec<&str> = told.collect();
            let problem = match near(key, told.iter().copied()).first() {
                Some(near) => ["is not known; ", near, " is"].concat(),
                None => ["is not known; known are ", &told.join(", ")].concat(),
            };
            self.refuse(key, &problem);
        }
    }

    /// What the object holds, whatever its keys.
    pub(crate) fn entries(&self) -> &'a [(String, Value)] {
        self.map.map_or(&[], |map| &map.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        CallOptions, Error, IndexOptions, LoadOptions, ParseOptions, ToolOptions, ValidateOptions,
    };

    fn load(json: &str) -> Option<Error> {
        LoadOptions::from_json(json).err()
    }

    fn parse(json: &str) -> Option<Error> {
        ParseOptions::from_json(json).err()
    }

    fn tools(json: &str) -> Option<Error> {
        ToolOptions::from_json(json).err()
    }

    fn assert_problems(cases: impl IntoIterator<Item = (&'static str, Option<Error>)>) {
        for (problem, error) in cases {
            let error = error.expect("it cannot be used");
            assert_eq!(error.code(), "SOURCE_UNSUPPORTED");
            let message = format!("The options cannot be used: {problem}.");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn what_is_no_object_is_refused() {
        let malformed = "a text in it has half of a surrogate pair, or it is nested too deeply";
        assert_problems([
            ("an object is expected, not a list", load("[]")),
            ("an object is expected, not \"strict\"", load("\"strict\"")),
            ("an object is expected, not 7", load("7")),
            (malformed, load(r#"{"ignore":["\ud800"]}"#)),
        ]);
    }

    #[test]
    fn what_cannot_be_used_is_named_with_what_may_stand_there() {
        assert_problems([
            (
                "mode must be \"lenient\" or \"strict\"; it is \"strickt\"",
                parse(r#"{"mode":"strickt"}"#),
            ),
            (
                "mode must be \"lenient\" or \"strict\"; it is 1",
                parse(r#"{"mode":1}"#),
            ),
            (
                "links must be \"inside\" or \"all\" or \"never\"; it is true",
                load(r#"{"links":true}"#),
            ),
            (
                "limits.depth must be a whole number from 0 to 4294967295; it is -1",
                load(r#"{"limits":{"depth":-1,"body":"x"}}"#),
            ),
            (
                "limits.body must be a whole number from 0 to 4294967295; it is 1.5",
                load(r#"{"limits":{"body":1.5}}"#),
            ),
            (
                "limits.body must be a whole number from 0 to 4294967295; it is \"Infinity\"",
                load(r#"{"limits":{"body":"Infinity"}}"#),
            ),
            ("limits must be an object; it is 7", load(r#"{"limits":7}"#)),
            (
                "ignore must be a list of text; one item is 1",
                load(r#"{"ignore":["a",1]}"#),
            ),
            (
                "ignore must be a list of text; it is \"drafts\"",
                load(r#"{"ignore":"drafts"}"#),
            ),
            (
                "nested must be true or false; it is \"yes\"",
                load(r#"{"nested":"yes"}"#),
            ),
            (
                "onDiagnostic must be a function; it is \"log\"",
                load(r#"{"onDiagnostic":"log"}"#),
            ),
            (
                "signal must be an AbortSignal; it is an object",
                load(r#"{"signal":{"aborted":false}}"#),
            ),
            (
                "signal must be an AbortSignal; it is 7",
                CallOptions::check_json(r#"{"signal":7}"#).err(),
            ),
            (
                "path must be text; it is an object",
                parse(r#"{"path":{}}"#),
            ),
            (
                "rename: arguments must be an object of text; one value is null",
                tools(r#"{"rename":{"load_skill":{"arguments":{"name":null}}}}"#),
            ),
        ]);
    }

    #[test]
    fn what_is_unknown_is_named_with_what_is_like_it() {
        assert_problems([
            ("mod is not known; mode is", parse(r#"{"mod":"strict"}"#)),
            (
                "sginal is not known; signal is",
                CallOptions::check_json(r#"{"sginal":{}}"#).err(),
            ),
            ("Mode is not known; mode is", load(r#"{"Mode":null}"#)),
            (
                "onDiagnostics is not known; onDiagnostic is",
                load(r#"{"onDiagnostics":{}}"#),
            ),
            (
                "color is not known; known are path, mode, profile",
                parse(r#"{"color":1}"#),
            ),
            (
                "dir is not known; directory is",
                ValidateOptions::from_json(r#"{"dir":"a"}"#).err(),
            ),
            (
                "limits.dept is not known; depth is",
                load(r#"{"limits":{"dept":1}}"#),
            ),
            (
                "rename.lod_skill is not known; load_skill is",
                tools(r#"{"rename":{"lod_skill":"x"}}"#),
            ),
            (
                "rename: titel is not known; known are name, description, arguments",
                IndexOptions::from_json(r#"{"rename":{"load_skill":{"titel":"x"}}}"#).err(),
            ),
            (
                "wraper is not known; wrapper is",
                tools(r#"{"wraper":"none"}"#),
            ),
            (
                "styl is not known; style is",
                IndexOptions::from_json(r#"{"styl":"xml"}"#).err(),
            ),
        ]);
    }

    #[test]
    fn what_is_absent_or_null_leaves_the_defaults() {
        let options = LoadOptions::from_json(
            r#"{"mode":null,"limits":{"depth":3},"onDiagnostic":{"~function":true},"onProgress":null,
                "signal":{"aborted":false,"addEventListener":{},"removeEventListener":{}}}"#,
        );
        let mut expected = LoadOptions::default();
        expected.limits.depth = 3;
        assert_eq!(options, Ok(expected));
    }
}
