//! Options as JavaScript passes them: JSON text, read field by field. What cannot be used is named.

use crate::error::Error;
use crate::json;
use crate::value::{Map, Value};

/// What can be read from an object.
pub(crate) trait FromFields: Sized {
    /// Fields that are absent have their defaults, unknown ones are passed over.
    fn from_fields(fields: &Fields<'_>) -> Result<Self, Error>;
}

/// Reads options from JSON text.
pub(crate) fn read<T: FromFields>(json: &str) -> Result<T, Error> {
    match json::parse(json) {
        Ok(Value::Map(map)) => T::from_fields(&Fields {
            map: Some(&map),
            within: "",
        }),
        _ => Err(unusable("", "they", "are not an object")),
    }
}

/// The error for options that cannot be used.
fn unusable(within: &str, key: &str, problem: &str) -> Error {
    let message = [
        "The options cannot be used: ",
        within,
        key,
        " ",
        problem,
        ".",
    ];
    Error::SourceUnsupported(message.concat())
}

/// The fields of an object; of an absent one all are absent.
pub(crate) struct Fields<'a> {
    map: Option<&'a Map>,
    /// What stands before a key in messages: the object's own key and a point, or nothing.
    within: &'a str,
}

impl<'a> Fields<'a> {
    /// A field that is there and not null.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Value> {
        self.map?.get(key).filter(|value| **value != Value::Null)
    }

    /// That the field is of another kind than `expected`.
    fn other_kind<T>(&self, key: &str, expected: &str, value: &Value) -> Result<T, Error> {
        let problem = ["must be ", expected, "; it is ", value.kind()].concat();
        Err(unusable(self.within, key, &problem))
    }

    pub(crate) fn text(&self, key: &str) -> Result<Option<String>, Error> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => self.other_kind(key, "text", other),
        }
    }

    pub(crate) fn texts(&self, key: &str) -> Result<Vec<String>, Error> {
        const EXPECTED: &str = "a list of text";
        let items = match self.get(key) {
            None => return Ok(Vec::new()),
            Some(Value::List(items)) => items,
            Some(other) => return self.other_kind(key, EXPECTED, other),
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Value::String(text) => texts.push(text.clone()),
                other => return self.other_kind(key, EXPECTED, other),
            }
        }
        Ok(texts)
    }

    pub(crate) fn flag(&self, key: &str, default: bool) -> Result<bool, Error> {
        match self.get(key) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => self.other_kind(key, "true or false", other),
        }
    }

    pub(crate) fn number(&self, key: &str, default: u32) -> Result<u32, Error> {
        let Some(value) = self.get(key) else {
            return Ok(default);
        };
        match value
            .as_whole_number()
            .and_then(|number| u32::try_from(number).ok())
        {
            Some(number) => Ok(number),
            None => self.other_kind(key, "a whole number below 4294967296", value),
        }
    }

    /// One of a few words.
    pub(crate) fn choice<T: Copy + Default>(
        &self,
        key: &str,
        choices: &[(&str, T)],
    ) -> Result<T, Error> {
        let Some(value) = self.get(key) else {
            return Ok(T::default());
        };
        let word = value.as_str().unwrap_or_default();
        if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == word) {
            return Ok(*choice);
        }
        let mut problem = String::from("must be one of");
        for (name, _) in choices {
            problem.push(' ');
            problem.push_str(name);
        }
        Err(unusable(self.within, key, &problem))
    }

    /// The fields of an object; `within` is its key with a point.
    pub(crate) fn object<'b>(&'b self, key: &str, within: &'b str) -> Result<Fields<'b>, Error> {
        let map = match self.get(key) {
            None => None,
            Some(Value::Map(map)) => Some(map),
            Some(other) => return self.other_kind(key, "an object", other),
        };
        Ok(Fields { map, within })
    }

    /// The entries of an object that has only text.
    pub(crate) fn texts_by_key(&self, key: &str) -> Result<Vec<(String, String)>, Error> {
        let mut texts = Vec::new();
        for (name, value) in self.object(key, "")?.map.map_or(&[][..], |map| &map.0) {
            match value {
                Value::String(text) => texts.push((name.clone(), text.clone())),
                other => return self.other_kind(key, "an object of text", other),
            }
        }
        Ok(texts)
    }

    /// That this has no other keys than `known`.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), Error> {
        let entries = self.map.map_or(&[][..], |map| &map.0);
        match entries
            .iter()
            .find(|(key, _)| !known.contains(&key.as_str()))
        {
            Some((key, _)) => Err(unusable(self.within, key, "is not known")),
            None => Ok(()),
        }
    }
}
