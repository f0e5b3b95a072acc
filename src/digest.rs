//! Digests: how content is named, so that a change of it can be told.

use hmac_sha256::Hash;

/// `sha256:` and the digest of `content` in hexadecimal digits.
pub(crate) fn sha256(content: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::from("sha256:");
    for byte in Hash::hash(content) {
        for digit in [byte >> 4, byte & 0xf] {
            out.push(char::from(DIGITS[usize::from(digit)]));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of FIPS 180-4.
    #[test]
    fn digests_are_those_of_the_standard() {
        for (content, digest) in [
            (
                "abc",
                "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                "",
                "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
        ] {
            assert_eq!(sha256(content.as_bytes()), digest);
        }
    }
}
