//! One buffer for a batch of requests, one for its replies. Little-endian; what may be absent is
//! preceded by 0 or 1. In replies text is its length in bytes and UTF-8. In requests it is its
//! length in UTF-16 units, and the UTF-8 of all texts comes after all requests: JavaScript decodes
//! it at once and cuts it, since decoding each path by itself takes longer than reading its file.
//! The other side is `wire.ts`.

use crate::host::{DirectoryEntry, Failure, FileReply, Kind, Reply, Request};

/// What begins a request.
mod request {
    pub(super) const LIST: u8 = 0;
    pub(super) const READ: u8 = 1;
    pub(super) const STAT: u8 = 2;
    pub(super) const REAL_PATH: u8 = 3;
    pub(super) const NORMALIZE: u8 = 4;
    pub(super) const COUNT: u8 = 5;
    pub(super) const CONNECT: u8 = 6;
    pub(super) const CALL_SERVER: u8 = 7;
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

/// Writes a batch: where its texts begin, its count, each request behind its tag, the texts.
pub(super) fn requests(batch: &[Request]) -> Vec<u8> {
    let mut writer = Writer {
        out: vec![0; 4],
        texts: String::new(),
    };
    push_length(&mut writer.out, batch.len());
    for asked in batch {
        writer.request(asked);
    }
    let Writer { mut out, texts } = writer;
    let begin = length(out.len());
    if let Some(first) = out.first_chunk_mut() {
        *first = begin;
    }
    out.extend_from_slice(texts.as_bytes());
    out
}

struct Writer {
    out: Vec<u8>,
    texts: String,
}

impl Writer {
    fn request(&mut self, asked: &Request) {
        match asked {
            Request::List { host, path } => self.path(request::LIST, *host, path),
            Request::Read {
                host,
                path,
                offset,
                length,
                follow,
            } => {
                self.path(request::READ, *host, path);
                // Offsets come from JavaScript's numbers, so they are exact in one.
                #[expect(clippy::cast_precision_loss)]
                self.out.extend_from_slice(&(*offset as f64).to_le_bytes());
                self.out.extend_from_slice(&length.to_le_bytes());
                self.out.push(u8::from(*follow));
            }
            Request::Stat { host, path } => self.path(request::STAT, *host, path),
            Request::RealPath { host, path } => self.path(request::REAL_PATH, *host, path),
            Request::Normalize { text } => self.tagged(request::NORMALIZE, text),
            Request::Count { text } => self.tagged(request::COUNT, text),
            Request::Connect { text } => self.tagged(request::CONNECT, text),
            Request::CallServer { text } => self.tagged(request::CALL_SERVER, text),
        }
    }

    fn path(&mut self, tag: u8, host: u32, path: &str) {
        self.out.push(tag);
        self.out.extend_from_slice(&host.to_le_bytes());
        self.text(path);
    }

    fn tagged(&mut self, tag: u8, text: &str) {
        self.out.push(tag);
        self.text(text);
    }

    fn text(&mut self, text: &str) {
        push_length(&mut self.out, utf16_length(text));
        self.texts.push_str(text);
    }
}

/// A unit for each byte that begins a character, and another for those of four bytes.
fn utf16_length(text: &str) -> usize {
    let units = |byte: u8| usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0);
    text.bytes().map(units).sum()
}

fn push_length(out: &mut Vec<u8>, count: usize) {
    out.extend_from_slice(&length(count));
}

fn length(count: usize) -> [u8; 4] {
    u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes()
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
                Reply::Listing {
                    entries,
                    real_path: self.optional_text()?,
                }
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
