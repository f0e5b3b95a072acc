//! JSON values as front matter needs them: keys in their order, numbers as written.

use crate::json;

/// A JSON value. Maps keep the order of their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number that JavaScript prints back exactly as it was written.
    Number(f64),
    /// Text.
    String(String),
    /// A list.
    List(Vec<Value>),
    /// Keys and values, in the order of the source.
    Map(Map),
}

/// Keys and values, in the order of the source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map(pub Vec<(String, Value)>);

impl Map {
    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// The same, to be changed.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.0
            .iter_mut()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }
}

impl Value {
    /// Reads JSON text. `None` where it is not well-formed.
    pub fn from_json(text: &str) -> Option<Self> {
        json::parse(text).ok()
    }

    /// The text, where this is text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number, where this is a whole one that is not negative and that JavaScript has exactly.
    pub(crate) fn as_whole_number(&self) -> Option<u64> {
        const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;
        match self {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "whole, and between 0 and 2^53"
            )]
            Self::Number(number)
                if number.fract() == 0.0 && (0.0..=LARGEST_EXACT).contains(number) =>
            {
                Some(*number as u64)
            }
            _ => None,
        }
    }

    /// What kind of value this is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }
}
