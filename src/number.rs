//! Numbers as JavaScript prints them. A number is only taken for one when printing it gives back
//! what was written; otherwise digits would be lost on the way through.

use crate::Value;

/// How far a quick reading of a long decimal can be off, in steps between neighboring numbers.
const NEIGHBORS: u64 = 16;

/// What `String(number)` gives in JavaScript (`number` is finite).
pub(crate) fn print(number: f64) -> String {
    let shortest = serde_json::to_string(&Value::Number(number.abs())).unwrap_or_default();
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i32 = exponent.trim_start_matches('+').parse().unwrap_or_default();

    let mut digits = [whole, fraction].concat();
    // The point stands after this many of the digits.
    let mut point = i32::try_from(whole.len()).unwrap_or_default() + exponent;
    let zeros = digits.bytes().take_while(|&digit| digit == b'0').count();
    digits.drain(..zeros);
    point -= i32::try_from(zeros).unwrap_or_default();
    digits.truncate(digits.trim_end_matches('0').len());
    if digits.is_empty() {
        return "0".to_owned();
    }

    let mut text = String::new();
    if number < 0.0 {
        text.push('-');
    }
    place_point(&mut text, &digits, point);
    text
}

/// Lays `digits` out with the point after the first `point` of them, which may be outside.
fn place_point(text: &mut String, digits: &str, point: i32) {
    let count = i32::try_from(digits.len()).unwrap_or_default();
    let split = usize::try_from(point).unwrap_or_default().min(digits.len());
    if !(-5..=21).contains(&point) {
        text.push_str(&digits[..1]);
        if count > 1 {
            text.push('.');
            text.push_str(&digits[1..]);
        }
        text.push_str(if point > 0 { "e+" } else { "e" });
        text.push_str(&(point - 1).to_string());
        return;
    }
    if point <= 0 {
        text.push('0');
    }
    text.push_str(&digits[..split]);
    for _ in count..point {
        text.push('0');
    }
    if point < count {
        text.push('.');
        for _ in point..0 {
            text.push('0');
        }
        text.push_str(&digits[split..]);
    }
}

/// The number that JavaScript prints as `text`.
pub(crate) fn parse(text: &str) -> Option<f64> {
    let decimal = Decimal::of(text)?;
    let near = decimal.near().to_bits();
    for step in 0..=NEIGHBORS {
        for bits in [near.saturating_add(step), near.saturating_sub(step)] {
            let number = f64::from_bits(bits);
            let number = if decimal.is_negative { -number } else { number };
            if number.is_finite() && print(number) == text {
                return Some(number);
            }
        }
    }
    None
}

/// A number as written, in a form in which JavaScript could have printed it.
struct Decimal {
    is_negative: bool,
    /// The first digits, as many as fit.
    mantissa: u64,
    /// The power of ten that goes with them.
    exponent: i32,
}

impl Decimal {
    fn of(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (digits, exponent) = match digits.split_once('e') {
            Some((digits, exponent)) if exponent.starts_with(['+', '-']) => {
                (digits, exponent.parse().ok()?)
            }
            Some(_) => return None,
            None => (digits, 0_i32),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_printed = digits.len() < 32
            && (whole == "0" || !whole.starts_with('0'))
            && !whole.is_empty()
            && (whole.len() == digits.len() || !(fraction.is_empty() || fraction.ends_with('0')));
        if !is_printed {
            return None;
        }
        let mut decimal = Self {
            is_negative: text.starts_with('-'),
            mantissa: 0,
            exponent: exponent.clamp(-400, 400),
        };
        decimal.push(whole, 0)?;
        if whole.len() < digits.len() {
            decimal.push(fraction, -1)?;
        }
        Some(decimal)
    }

    /// Appends digits; each one moves the point by `step`.
    fn push(&mut self, digits: &str, step: i32) -> Option<()> {
        for digit in digits.chars() {
            let digit = digit.to_digit(10)?;
            if self.mantissa < u64::MAX / 100 {
                self.mantissa = self.mantissa * 10 + u64::from(digit);
                self.exponent += step;
            } else {
                self.exponent += step + 1;
            }
        }
        Some(())
    }

    /// The absolute value, up to a few rounding errors.
    fn near(&self) -> f64 {
        // The largest power of ten that is exact.
        const EXACT: i32 = 22;
        #[expect(clippy::cast_precision_loss, reason = "one of the rounding errors")]
        let mut number = self.mantissa as f64;
        let mut rest = self.exponent;
        while rest != 0 {
            let step = rest.clamp(-EXACT, EXACT);
            let power = 10_f64.powi(step.abs());
            if step > 0 {
                number *= power;
            } else {
                number /= power;
            }
            rest -= step;
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_in_javascript() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-12.5, "-12.5"),
            (100.0, "100"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e20, "100000000000000000000"),
            (1.5e20, "150000000000000000000"),
            (1e21, "1e+21"),
            (1.25e30, "1.25e+30"),
            (1e-6, "0.000001"),
            (1.5e-6, "0.0000015"),
            (1e-7, "1e-7"),
            (2.5e-10, "2.5e-10"),
            (f64::MAX, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
        ] {
            assert_eq!(print(number), text);
        }
    }

    #[test]
    fn only_what_prints_back_is_a_number() {
        for text in [
            "0",
            "7",
            "-1",
            "1.5",
            "2026",
            "9007199254740992",
            "1e+21",
            "0.30000000000000004",
            "1.7976931348623157e+308",
            "5e-324",
            "123456789.12345679",
        ] {
            let number = parse(text).unwrap_or_else(|| panic!("{text} is a number"));
            let exact: f64 = text.parse().unwrap();
            assert_eq!(number.to_bits(), exact.to_bits(), "{text}");
        }
        for text in [
            "007",
            "1.10",
            "1.0",
            "-0",
            "+1",
            "1e3",
            "1E5",
            "0x1F",
            "0o17",
            ".5",
            "5.",
            "1_000",
            "",
            "-",
            "9007199254740993",
            "12345678901234567890",
            "0.1234567890123456789",
            "1e999",
            " 1",
            "1 ",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]

        #[test]
        fn every_number_is_read_as_it_is_printed(number: f64, whole: i32) {
            for number in [number, f64::from(whole), f64::from(whole) / 1024.0] {
                if number.is_finite() {
                    let read = parse(&print(number));
                    // There is no negative zero in text.
                    assert_eq!(read.map(|read| read + 0.0), Some(number + 0.0));
                }
            }
        }
    }
}
