//! Eight bytes of a text, told about together: what a loop asks of each of them takes as long as one.
//!
//! They are one number. A sum or a difference of two such numbers is one of each byte, as long as nothing
//! carries over to the next byte; where something may, it does so only beside a byte that is told of anyway.

/// Eight bytes, the first one lowest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightBytes(u64);

/// The highest bit of some bytes.
pub(crate) type Marks = u64;

const EACH: u64 = 0x0101_0101_0101_0101;
const HIGHEST: Marks = EACH * 0x80;

impl EightBytes {
    pub(crate) const COUNT: usize = size_of::<u64>();

    /// The first bytes of a text; none where it is shorter.
    pub(crate) fn first_of(text: &[u8]) -> Option<Self> {
        let first = text.first_chunk()?;
        Some(Self(u64::from_le_bytes(*first)))
    }

    /// Whether all of them are printable ASCII, from the blank to the tilde.
    pub(crate) fn are_printable(self) -> bool {
        let below_blank = self.0.wrapping_sub(EACH * u64::from(b' '));
        let above_tilde = self.0.wrapping_add(EACH);
        (below_blank | above_tilde | self.0) & HIGHEST == 0
    }

    /// Whether one of them is below `bound`, which is ASCII, or is one of `bytes`.
    pub(crate) fn have<const N: usize>(self, bound: u8, bytes: [u8; N]) -> bool {
        let marks = bytes.map(|byte| Self(self.0 ^ (EACH * u64::from(byte))).below(1));
        let found = marks
            .iter()
            .fold(self.below(bound), |all, marks| all | marks);
        found != 0
    }

    /// Marks at least the lowest byte that is below `bound`, and none where there is no such byte.
    fn below(self, bound: u8) -> Marks {
        self.0.wrapping_sub(EACH * u64::from(bound)) & !self.0 & HIGHEST
    }

    /// Marks each blank; all bytes are ASCII.
    pub(crate) fn blanks(self) -> Marks {
        let others = (self.0 ^ (EACH * u64::from(b' '))) + EACH * 0x7f;
        !others & HIGHEST
    }
}

/// Whether two marks are on neighbors, or one is on the first byte and `before` says that the byte before
/// it had one too.
pub(crate) fn are_beside(marks: Marks, before: bool) -> bool {
    marks & (marks << 8 | u64::from(before) << 7) != 0
}

/// Whether the last of the bytes is marked.
pub(crate) fn is_last(marks: Marks) -> bool {
    marks >> 63 != 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What stands at the edges of what is asked.
    fn bytes() -> impl Strategy<Value = [u8; EightBytes::COUNT]> {
        let edges =
            prop::sample::select(b"\0\x01\x1f !\"#[\\]}~\x7f\x80\x81\xa0\xdc\xfe\xff".as_slice());
        prop::array::uniform8(edges)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn eight_bytes_are_told_of_as_each_of_them_is(bytes in bytes()) {
            let eight = EightBytes::first_of(&bytes).unwrap();
            let printable = bytes.iter().all(|byte| matches!(byte, b' '..=b'~'));
            prop_assert_eq!(eight.are_printable(), printable);
            let escaped = bytes.iter().any(|byte| matches!(byte, 0..b' ' | b'"' | b'\\'));
            prop_assert_eq!(eight.have(b' ', *b"\"\\"), escaped);
            if bytes.is_ascii() {
                let blanks = eight.blanks();
                for (place, byte) in bytes.iter().enumerate() {
                    prop_assert_eq!(blanks >> (8 * place + 7) & 1 == 1, *byte == b' ');
                }
                prop_assert_eq!(blanks & !HIGHEST, 0);
                prop_assert_eq!(is_last(blanks), bytes[7] == b' ');
                for before in [false, true] {
                    let beside = bytes.windows(2).any(|pair| pair == b"  ") || before && bytes[0] == b' ';
                    prop_assert_eq!(are_beside(blanks, before), beside);
                }
            }
        }
    }

    #[test]
    fn fewer_are_none() {
        assert!(EightBytes::first_of(b"1234567").is_none());
        assert!(EightBytes::first_of(b"123456789").is_some());
    }
}
