//! Numbers as JavaScript prints them. A number is only taken for one when printing it gives back
//! what was written; otherwise digits would be lost on the way through.

/// How far a quick reading of a long decimal can be off, in steps between neighboring numbers.
const NEIGHBORS: u64 = 16;

/// What `String(number)` gives in JavaScript (`number` is finite).
pub(crate) fn print(number: f64) -> String {
    let mut buffer = ryu::Buffer::new();
    laid_out(buffer.format_finite(number)).unwrap_or_default()
}

/// A decimal as JavaScript lays it out: its digits stay, so it may be longer than what is printed.
fn laid_out(decimal: &str) -> Option<String> {
    let unsigned = decimal.strip_prefix('-').unwrap_or(decimal);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i32 = exponent.parse().ok()?;

    let mut digits = [whole, fraction].concat();
    // The point stands after this many of the digits.
    let mut point = exponent.checked_add(i32::try_from(whole.len()).ok()?)?;
    let zeros = digits.bytes().take_while(|&digit| digit == b'0').count();
    digits.drain(..zeros);
    point = point.checked_sub(i32::try_from(zeros).ok()?)?;
    digits.truncate(digits.trim_end_matches('0').len());
    if digits.is_empty() {
        return Some("0".to_owned());
    }

    let mut text = String::new();
    if decimal.starts_with('-') {
        text.push('-');
    }
    place_point(&mut text, &digits, point);
    Some(text)
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
        text.push_str(&point.saturating_sub(1).to_string());
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
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    printed_as(text, approximate(text)?)
}

/// The number of a JSON text: the very one, unless it has more digits than are printed; then one
/// close to it. There is no negative zero: JavaScript does not write it either.
pub(crate) fn from_json(text: &str) -> Option<f64> {
    let near = approximate(text).filter(|near| near.is_finite())?;
    let exact = laid_out(text).and_then(|printed| printed_as(&printed, near));
    Some(exact.unwrap_or(near) + 0.0)
}

/// The number next to `near` that is printed as `text`.
fn printed_as(text: &str, near: f64) -> Option<f64> {
    let bits = near.to_bits();
    (0..=NEIGHBORS)
        .flat_map(|step| [bits.wrapping_add(step), bits.wrapping_sub(step)])
        .map(f64::from_bits)
        .find(|candidate| candidate.is_finite() && print(*candidate) == text)
}

/// About the number that is written: exact for up to 15 digits with the point near them.
fn approximate(text: &str) -> Option<f64> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (-1.0, unsigned),
        None => (1.0, text),
    };
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut number = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        number = number * 10.0 + f64::from(digit.to_digit(10)?);
    }
    let exponent: i32 = exponent.parse().ok()?;
    let power = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    if number > 0.0 {
        number = scaled(number, power);
    }
    Some(sign * number)
}

/// `number` with its point moved by `power` digits.
fn scaled(number: f64, power: i32) -> f64 {
    /// A power of ten that a number can hold.
    const MOST: u32 = 300;
    let ten_to = |power: u32| 10_f64.powi(power.cast_signed());
    let digits = power.unsigned_abs();
    let (first, rest) = (digits.min(MOST), digits.saturating_sub(MOST));
    if power > 0 {
        number * ten_to(first) * ten_to(rest)
    } else {
        number / ten_to(first) / ten_to(rest)
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

    #[test]
    fn numbers_of_json_are_exact_however_they_are_written() {
        for text in [
            "1e21",
            "1E+21",
            "1.0e21",
            "10e20",
            "1.797e308",
            "17.97e+307",
            "0.00001e-300",
            "1.50",
            "5e-324",
            "100000000000000000000000",
        ] {
            let exact: f64 = text.parse().unwrap();
            let read = from_json(text).unwrap();
            assert_eq!(read.to_bits(), exact.to_bits(), "{text}");
        }
        assert_eq!(from_json("-0").unwrap().to_bits(), 0);
        assert_eq!(from_json("1e99999999999"), None);
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
                    assert_eq!(from_json(&print(number)), read);
                }
            }
        }
    }
}
