//! One buffer for a batch of requests, one for its replies. Little-endian; text is its length in
//! bytes and UTF-8; what may be absent is preceded by 0 or 1. The other side is `wire.ts`.

use crate::host::{DirectoryEntry, Failure, FileReply, Kind, Reply, Request};

/// What begins a request.
mod request {
    pub(super) const LIST: u8 = 0;
    pub(super) const READ: u8 = 1;
    pub(super) const STAT: u8 = 2;
    pub(super) const REAL_PATH: u8 = 3;
    pub(super) const NORMALIZE: u8 = 4;
}

/// What begins a reply.
mod reply {
    pub(super) const FAILED: u8 = 0;
    pub(super) const LISTING: u8 = 1;
    pub(super) const FILE: u8 = 2;
    pub(super) const STAT: u8 = 3;
    pub(super) const TEXT: u8 = 4;
    pub(super) const NOTHING: u8 = 5;
}

/// What stands at a path; any other number is something that is never read.
mod kind {
    pub(super) const FILE: u8 = 0;
    pub(super) const DIRECTORY: u8 = 1;
    pub(super) const LINK: u8 = 2;
}

/// Writes a batch: its count, then each request behind its tag.
pub(super) fn requests(batch: &[Request]) -> Vec<u8> {
    let mut out = Vec::with_capacity(8 + batch.len() * 64);
    push_length(&mut out, batch.len());
    for asked in batch {
        match asked {
            Request::List { host, path } => push_path(&mut out, request::LIST, *host, path),
            Request::Read {
                host,
                path,
                offset,
                length,
                follow,
            } => {
                push_path(&mut out, request::READ, *host, path);
                // Offsets come from JavaScript's numbers, so they are exact in one.
                #[expect(clippy::cast_precision_loss)]
                out.extend_from_slice(&(*offset as f64).to_le_bytes());
                out.extend_from_slice(&length.to_le_bytes());
                out.push(u8::from(*follow));
            }
            Request::Stat { host, path } => push_path(&mut out, request::STAT, *host, path),
            Request::RealPath { host, path } => {
                push_path(&mut out, request::REAL_PATH, *host, path);
            }
            Request::Normalize { text } => {
                out.push(request::NORMALIZE);
                push_text(&mut out, text);
            }
        }
    }
    out
}

fn push_path(out: &mut Vec<u8>, tag: u8, host: u32, path: &str) {
    out.push(tag);
    out.extend_from_slice(&host.to_le_bytes());
    push_text(out, path);
}

fn push_text(out: &mut Vec<u8>, text: &str) {
    push_length(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

fn push_length(out: &mut Vec<u8>, length: usize) {
    out.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
}

/// Reads replies until the buffer ends or makes no sense.
pub(super) fn replies(buffer: &[u8]) -> Vec<Reply> {
    let mut reader = Reader { rest: buffer };
    std::iter::from_fn(|| reader.reply()).collect()
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn reply(&mut self) -> Option<Reply> {
        Some(match self.byte()? {
            reply::FAILED => {
                let (code, name) = (self.optional_text()?, self.optional_text()?);
                let message = self.optional_text()?;
                Reply::Failed(Failure::thrown(
                    code.as_deref(),
                    name.as_deref(),
                    message.as_deref(),
                ))
            }
            reply::NOTHING => Reply::Failed(Failure::nothing()),
            reply::LISTING => {
                let count = self.length()?;
                let mut entries = Vec::with_capacity(count.min(self.rest.len()));
                for _ in 0..count {
                    entries.push(DirectoryEntry {
                        kind: self.kind()?,
                        name: self.text()?,
                    });
                }
                Reply::Listing(entries)
            }
            reply::FILE => Reply::File(FileReply {
                kind: self.kind()?,
                size: self.size()?,
                version: self.optional_text()?,
                real_path: self.optional_text()?,
                bytes: {
                    let length = self.length()?;
                    self.take(length)?.to_vec()
                },
            }),
            reply::STAT => Reply::Stat {
                kind: self.kind()?,
                version: self.text()?,
            },
            reply::TEXT => Reply::Text(self.text()?),
            _ => return None,
        })
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn length(&mut self) -> Option<usize> {
        let bytes = self.take(4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    }

    /// A size in bytes; negative when it is not known.
    #[expect(clippy::option_option, reason = "the outer one ends the reading")]
    fn size(&mut self) -> Option<Option<u64>> {
        let size = f64::from_le_bytes(self.take(8)?.try_into().ok()?);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Some((size >= 0.0).then_some(size as u64))
    }

    fn text(&mut self) -> Option<String> {
        let length = self.length()?;
        Some(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    #[expect(clippy::option_option, reason = "the outer one ends the reading")]
    fn optional_text(&mut self) -> Option<Option<String>> {
        match self.byte()? {
            0 => Some(None),
            _ => self.text().map(Some),
        }
    }

    fn kind(&mut self) -> Option<Kind> {
        Some(match self.byte()? {
            kind::FILE => Kind::File,
            kind::DIRECTORY => Kind::Directory,
            kind::LINK => Kind::Link,
            _ => Kind::Other,
        })
    }
}
