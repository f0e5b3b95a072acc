//! Archives of skills: what may be in one, and how much of it is unpacked.
//!
//! An archive is what others say about names, kinds and sizes, so nothing of it is believed: names
//! are judged before anything is unpacked, and what is unpacked is counted as it comes. Unpacking
//! itself is the wrapper's; it asks here what to take, and with which words to refuse.

mod format;
mod names;
mod plan;

use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields};
use crate::text::{quoted, shortened};

pub use format::ArchiveFormat;
pub use plan::{ArchivePlan, Unpacked};

/// So much may always be unpacked: what is small is no bomb, however well it was packed.
const ALWAYS: u64 = 1024 * 1024;
/// Bytes of all names in an archive together, with what else is said of entries in words.
const NAMES: u32 = 8 * 1024 * 1024;
/// Attributes of all entries together, those that all have counted for each.
const ATTRIBUTES: u32 = 200_000;

const DAMAGED: &str = "It may be cut off or damaged: fetch it, or make it, again.";

/// How archives are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArchiveOptions {
    /// Whether an entry that would be left out refuses the archive.
    pub strict: bool,
    /// Its bounds.
    pub limits: ArchiveLimits,
}

/// Bounds of one archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// Entries, those that are left out too.
    pub entries: u32,
    /// Bytes of the archive, and bytes of all that is unpacked.
    pub bytes: u32,
    /// Bytes of one file.
    pub entry_bytes: u32,
    /// How many times as large as the archive what is unpacked may be.
    pub ratio: u32,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self {
            entries: 10_000,
            bytes: 64 * 1024 * 1024,
            entry_bytes: 16 * 1024 * 1024,
            ratio: 100,
        }
    }
}

impl FromFields for ArchiveLimits {
    fn from_fields(fields: &Fields<'_>) -> Self {
        let default = Self::default();
        Self {
            entries: fields.number("entries", default.entries),
            bytes: fields.number("bytes", default.bytes),
            entry_bytes: fields.number("entryBytes", default.entry_bytes),
            ratio: fields.number_from("ratio", 1, default.ratio),
        }
    }
}

impl FromFields for ArchiveOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            strict: fields.flag("strict", false),
            limits: fields.object("limits", "limits.").read(),
        }
    }
}

/// As what a wrapper stops at while it reads an archive and lists what is in it.
impl ToJson for ArchiveOptions {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("bytes", &self.limits.bytes)
            .field("entries", &self.limits.entries)
            .field("attributes", &ATTRIBUTES)
            .field("names", &NAMES)
            .end();
    }
}

impl ArchiveOptions {
    /// Reads them from JSON text.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }

    /// How many bytes may come out of an archive of `packed` bytes.
    pub fn room(&self, packed: u64) -> u64 {
        let by_ratio = packed.saturating_mul(u64::from(self.limits.ratio));
        u64::from(self.limits.bytes).min(by_ratio.max(ALWAYS))
    }

    /// The refusal of an archive for a fault that the wrapper met, given as JSON text.
    pub fn refusal(&self, fault: &str) -> Error {
        options::read(fault).map_or_else(|error| error, |fault: Fault| self.refused(&fault))
    }

    fn refused(&self, fault: &Fault) -> Error {
        let ArchiveLimits {
            entries,
            bytes,
            entry_bytes,
            ratio,
        } = self.limits;
        let entry = quoted(fault.entry.as_deref().unwrap_or_default());
        let (problem, remedy) = match fault.what {
            What::Unreadable => {
                let what = fault.entry.as_ref().map_or("it", |_| &entry);
                let reason = shortened(&fault.reason);
                let reason = reason.trim_end_matches('.');
                (format!("{what} cannot be unpacked: {reason}"), DAMAGED)
            }
            What::Content => (
                format!("the content of {entry} is not what the archive says of it"),
                DAMAGED,
            ),
            What::Packing => (
                format!("{entry} is packed in a way that is not known in here"),
                "Make it as an ordinary zip: stored or deflated.",
            ),
            What::Format => (
                "it is neither a zip nor a tar, nor a tar in gzip".to_owned(),
                "Pass a .zip, .skill, .tar, .tar.gz or .tgz file; a .tar.xz, for one, is not read.",
            ),
            What::Members => (
                "it is several gzip files in a row, of which not every runtime reads more than one"
                    .to_owned(),
                "Make it one: gzip -dc OLD | gzip > NEW.",
            ),
            What::Packed => (
                format!("it has more than {bytes} bytes"),
                "Raise limits.bytes, if it is to be trusted.",
            ),
            What::Unpacked if self.room(fault.packed) < u64::from(bytes) => (
                format!("what is in it is more than {ratio} times as large as the archive"),
                "Raise limits.ratio, if it is to be trusted.",
            ),
            What::Unpacked => (
                format!("what is in it has more than {bytes} bytes"),
                "Raise limits.bytes, if it is to be trusted.",
            ),
            What::EntryBytes => (
                format!("{entry} has more than {entry_bytes} bytes"),
                "Raise limits.entryBytes, or leave it out of the archive.",
            ),
            What::Entries => (
                format!("it has more than {entries} entries"),
                "Raise limits.entries, or make an archive of the skills alone.",
            ),
            What::Attributes => (
                format!("its entries have more than {ATTRIBUTES} attributes"),
                "Make it without what is kept beside names, times and owners.",
            ),
            What::Names => (
                format!("the names and attributes in it have more than {NAMES} bytes"),
                "Make it with shorter ones.",
            ),
        };
        Error::ArchiveRefused {
            entry: fault.entry.as_deref().map(shortened),
            problem,
            remedy,
        }
    }
}

/// What is wrong with an archive as a whole, or with the content of an entry.
#[derive(Clone, Copy, Debug, Default)]
enum What {
    #[default]
    Unreadable,
    Content,
    Packing,
    Format,
    Members,
    Packed,
    Unpacked,
    EntryBytes,
    Entries,
    Attributes,
    Names,
}

impl What {
    const NAMES: [(&str, Self); 11] = [
        ("unreadable", Self::Unreadable),
        ("content", Self::Content),
        ("packing", Self::Packing),
        ("format", Self::Format),
        ("members", Self::Members),
        ("packed", Self::Packed),
        ("unpacked", Self::Unpacked),
        ("entryBytes", Self::EntryBytes),
        ("entries", Self::Entries),
        ("attributes", Self::Attributes),
        ("names", Self::Names),
    ];
}

/// A fault that is met while an archive is read.
#[derive(Debug, Default)]
struct Fault {
    what: What,
    /// The entry it is about.
    entry: Option<String>,
    /// The words of whoever could not read it.
    reason: String,
    /// Bytes of the archive.
    packed: u64,
}

impl Fault {
    fn of(what: What, entry: &str) -> Self {
        Self {
            what,
            entry: Some(entry.to_owned()),
            ..Self::default()
        }
    }
}

impl FromFields for Fault {
    const SUBJECT: &'static str = "fault of an archive";

    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            what: fields.choice("what", &What::NAMES),
            entry: fields.text("entry"),
            reason: fields.text("reason").unwrap_or_default(),
            packed: whole_number(fields, "packed"),
        }
    }
}

/// A size, which may be larger than any limit.
fn whole_number(fields: &Fields<'_>, key: &'static str) -> u64 {
    let number = fields.get(key).map(crate::value::Value::as_whole_number);
    number.map_or(0, |number| number.unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_wrapper_stops_at_has_defaults() {
        let options = ArchiveOptions::from_json("{}").expect("nothing is wrong with them");
        assert_eq!(options, ArchiveOptions::default());
        assert_eq!(
            options.to_json(),
            r#"{"bytes":67108864,"entries":10000,"attributes":200000,"names":8388608}"#
        );
    }

    #[test]
    fn options_that_cannot_be_used_are_named() {
        for (json, problem) in [
            (r#"{"strikt":true}"#, "strikt is not known; strict is"),
            (r#"{"strict":1}"#, "strict must be true or false; it is 1"),
            (
                r#"{"limits":{"entrybytes":1}}"#,
                "limits.entrybytes is not known; entryBytes is",
            ),
            (
                r#"{"limits":{"ratio":0}}"#,
                "limits.ratio must be a whole number from 1 to 4294967295; it is 0",
            ),
        ] {
            let error = ArchiveOptions::from_json(json).expect_err(json);
            let message = format!("The options cannot be used: {problem}.");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn the_room_is_bounded_by_size_and_by_ratio() {
        let json = r#"{"limits":{"bytes":3000000,"ratio":10}}"#;
        let options = ArchiveOptions::from_json(json).expect("nothing is wrong with them");
        for (packed, room) in [
            (0, 1024 * 1024),
            (100_000, 1024 * 1024),
            (200_000, 2_000_000),
            (400_000, 3_000_000),
            (u64::MAX, 3_000_000),
        ] {
            assert_eq!(options.room(packed), room, "{packed}");
        }
        let small = ArchiveOptions::from_json(r#"{"limits":{"bytes":1000}}"#);
        assert_eq!(small.map(|options| options.room(u64::MAX)), Ok(1000));
    }

    #[test]
    fn every_fault_has_a_problem_and_a_remedy() {
        let json = r#"{"limits":{"entries":7,"bytes":2000000,"entryBytes":5,"ratio":3}}"#;
        let options = ArchiveOptions::from_json(json).expect("nothing is wrong with them");
        for (fault, entry, message) in [
            (
                r#"{"what":"unreadable","reason":"no end."}"#,
                None,
                "it cannot be unpacked: no end. It may be cut off",
            ),
            (
                r#"{"what":"unreadable","entry":"a/b","reason":"bad\nblock"}"#,
                Some("a/b"),
                "\"a/b\" cannot be unpacked: bad block. It may be cut off",
            ),
            (
                r#"{"what":"content","entry":"a"}"#,
                Some("a"),
                "the content of \"a\" is not what the archive says of it. It may",
            ),
            (
                r#"{"what":"packing","entry":"a"}"#,
                Some("a"),
                "\"a\" is packed in a way that is not known in here. Make it",
            ),
            (
                r#"{"what":"format"}"#,
                None,
                "it is neither a zip nor a tar, nor a tar in gzip. Pass a .zip",
            ),
            (
                r#"{"what":"members"}"#,
                None,
                "it is several gzip files in a row, of which not every runtime reads more than one. Make it one",
            ),
            (
                r#"{"what":"packed"}"#,
                None,
                "it has more than 2000000 bytes. Raise limits.bytes",
            ),
            (
                r#"{"what":"unpacked","packed":1000000}"#,
                None,
                "what is in it has more than 2000000 bytes. Raise limits.bytes",
            ),
            (
                r#"{"what":"unpacked","packed":500000}"#,
                None,
                "what is in it is more than 3 times as large as the archive. Raise limits.ratio",
            ),
            (
                r#"{"what":"entryBytes","entry":"a"}"#,
                Some("a"),
                "\"a\" has more than 5 bytes. Raise limits.entryBytes",
            ),
            (
                r#"{"what":"entries"}"#,
                None,
                "it has more than 7 entries. Raise limits.entries",
            ),
            (
                r#"{"what":"attributes"}"#,
                None,
                "its entries have more than 200000 attributes. Make it without",
            ),
            (
                r#"{"what":"names"}"#,
                None,
                "the names and attributes in it have more than 8388608 bytes. Make it",
            ),
        ] {
            let error = options.refusal(fault);
            assert_eq!(error.code(), "ARCHIVE_REFUSED", "{fault}");
            assert_eq!(error.path(), entry, "{fault}");
            let said = error.to_string();
            let expected = ["The archive is refused: ", message].concat();
            assert!(said.starts_with(&expected), "{said}");
            assert!(said.ends_with('.'), "{said}");
        }
        let misspelled = options.refusal(r#"{"what":"bytes"}"#);
        assert_eq!(misspelled.code(), "SOURCE_UNSUPPORTED");
    }
}
