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

    /// The same where every number of the core schema is one, however it is written.
    pub(super) fn of_the_core_schema(text: String) -> Self {
        match core_number(&text) {
            Some(number) => Self {
                value: Value::Number(number),
                source: Some(text),
            },
            None => Self::plain(text),
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

/// The number that a plain scalar is in the core schema (YAML 1.2.2, clause 10.3.2); what is too
/// large for one is infinite.
fn core_number(text: &str) -> Option<f64> {
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let mut number = (!digits.is_empty()).then_some(0.0);
            for digit in digits.chars() {
                number = Some(number? * f64::from(radix) + f64::from(digit.to_digit(radix)?));
            }
            return number;
        }
    }
    let (sign, unsigned) = match text.as_bytes().first()? {
        b'-' => ("-", text.get(1..)?),
        b'+' => ("", text.get(1..)?),
        _ => ("", text),
    };
    if let ".inf" | ".Inf" | ".INF" = unsigned {
        return Some(f64::INFINITY);
    }
    if let ".nan" | ".NaN" | ".NAN" = text {
        return Some(f64::NAN);
    }
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        None => (unsigned, "0"),
        Some((mantissa, exponent)) => (mantissa, exponent),
    };
    let power = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_number = are_digits(whole) && are_digits(fraction) && are_digits(power);
    if !is_number || power.is_empty() || whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let written = [sign, whole, ".", fraction, "e", exponent].concat();
    Some(number::from_json(&written).unwrap_or(f64::INFINITY))
}
