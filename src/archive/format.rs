//! Which kind of archive bytes are, by what they begin with.

/// A kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveFormat {
    /// A zip, also under the name `.skill`.
    Zip,
    /// Something in gzip.
    Gzip,
    /// A tar.
    Tar,
}

const BLOCK: usize = 512;

impl ArchiveFormat {
    /// Tells it by the first bytes; no name and no content type counts.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            _ => bytes
                .get(..BLOCK)
                .is_some_and(is_tar_header)
                .then_some(Self::Tar),
        }
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::Gzip => "gzip",
            Self::Tar => "tar",
        }
    }
}

/// Whether a block is the header of an entry, or the end of an archive without any. What every
/// kind of tar has is the sum of a header's bytes, in octal digits; its own place counts as blanks.
fn is_tar_header(block: &[u8]) -> bool {
    const SUM: std::ops::Range<usize> = 148..156;
    let mut sum = 0_u32;
    let mut stored = 0_u32;
    for (index, &byte) in block.iter().enumerate() {
        if !SUM.contains(&index) {
            sum += u32::from(byte);
            continue;
        }
        sum += u32::from(b' ');
        match byte {
            b'0'..=b'7' => stored = (stored * 8).wrapping_add(u32::from(byte - b'0')),
            b' ' | 0 => {}
            _ => return false,
        }
    }
    sum == stored || block.iter().all(|&byte| byte == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tar_header(sum: [u8; 8]) -> Vec<u8> {
        let mut block = vec![0; BLOCK];
        block[..4].copy_from_slice(b"a.md");
        block[148..156].copy_from_slice(&sum);
        block
    }

    #[test]
    fn the_first_bytes_tell_it() {
        let sum: u32 = b"a.md".iter().map(|&byte| u32::from(byte)).sum::<u32>() + 8 * 32;
        let stored: [u8; 8] = format!("{sum:06o}\0 ").into_bytes().try_into().unwrap();
        let zip = Some(ArchiveFormat::Zip);
        for (bytes, format) in [
            (b"PK\x03\x04".to_vec(), zip),
            (b"PK\x05\x06".to_vec(), zip),
            (b"PK\x01\x02".to_vec(), None),
            (vec![0x1f, 0x8b, 8], Some(ArchiveFormat::Gzip)),
            (tar_header(stored), Some(ArchiveFormat::Tar)),
            (tar_header(*b"0000000\0"), None),
            (tar_header(*b"\xff777777\0"), None),
            (tar_header(stored)[..511].to_vec(), None),
            (vec![0; 1024], Some(ArchiveFormat::Tar)),
            (b"---\nname: a\n".repeat(100), None),
            (Vec::new(), None),
            (vec![0; 100], None),
        ] {
            assert_eq!(ArchiveFormat::of(&bytes), format, "{bytes:?}");
        }
    }
}
