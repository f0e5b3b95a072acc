//! What a scalar means: the core schema of YAML 1.2.

use crate::{Value, number};

/// A scalar as its reader sees it.
pub(super) struct Scalar {
    pub(super) value: Value,
    /// The source of what is not text: a boolean, a number, null.
    pub(super) source: Option<String>,
}

impl Scalar {
    /// Text that is text, however it looks.
    pub(super) fn text(text: String) -> Self {
        Self {
            value: Value::String(text),
            source: None,
        }
    }

    /// A plain scalar: null, a boolean, a number or text.
    pub(super) fn plain(text: String) -> Self {
        let value = match text.as_str() {
            "" | "~" | "null" | "Null" | "NULL" => Value::Null,
            "true" | "True" | "TRUE" => Value::Bool(true),
            "false" | "False" | "FALSE" => Value::Bool(false),
            _ => match number::parse(&text) {
                Some(number) => Value::Number(number),
                None => return Self::text(text),
            },
        };
        Self {
            value,
            source: Some(text),
        }
    }

    /// Whether nothing was written at all.
    pub(super) fn is_missing(&self) -> bool {
        self.source.as_deref() == Some("")
    }

    /// The source, as the name of a key.
    pub(super) fn into_key(self) -> String {
        match (self.source, self.value) {
            (Some(source), _) => source,
            (None, Value::String(text)) => text,
            (None, _) => String::new(),
        }
    }
}
