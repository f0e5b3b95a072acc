//! What a host of skills over HTTP has to tell of, beside what is wrong with an index.

use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::discovery_index::ENTRY_INVALID;
use crate::error::Error;
use crate::options::{self, Fields, FromFields};

const INDEX_WITHDRAWN: Rule = Rule::error("index-withdrawn");
const CONTENT_STALE: Rule = Rule::warning("content-stale");
const CACHE_UNUSABLE: Rule = Rule::warning("cache-unusable");

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Trouble {
    kind: Kind,
    /// The URL that messages name.
    url: String,
    /// The skill it is about.
    skill: Option<String>,
    /// What went wrong, in words.
    problem: String,
    /// Of how many further URLs the same is to be said.
    others: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// What was fetched before is used, since it cannot be asked whether it is still so.
    #[default]
    Stale,
    /// What was fetched cannot be kept, or what was kept cannot be read.
    Cache,
    /// The URL of an entry is not fetched.
    Entry,
    /// The server says that it has no index any more.
    Withdrawn,
}

impl Kind {
    const NAMES: [(&str, Self); 4] = [
        ("stale", Self::Stale),
        ("cache", Self::Cache),
        ("entry", Self::Entry),
        ("withdrawn", Self::Withdrawn),
    ];

    /// So many are told of one by one. Entries differ in their reasons; a network fails as a whole.
    fn most(self) -> usize {
        match self {
            Self::Entry => 20,
            _ => 1,
        }
    }
}

impl Trouble {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            kind: fields.choice("kind", &Kind::NAMES),
            url: fields.required_text("url"),
            skill: fields.text("skill"),
            problem: fields.required_text("problem"),
            others: fields.number("others", 0),
        }
    }

    fn finding(&self) -> Diagnostic {
        let others = match self.others {
            0 => String::new(),
            others => format!(" (and {others} more)"),
        };
        let (rule, start, hint) = match self.kind {
            Kind::Stale => (
                &CONTENT_STALE,
                "what was fetched earlier is used, since it could not be fetched again",
                "refresh once the server answers as it should",
            ),
            Kind::Cache => (
                &CACHE_UNUSABLE,
                "the cache could not be used, so this was fetched without it",
                "mend the store that is passed as cache",
            ),
            Kind::Entry => (
                &ENTRY_INVALID,
                "the url of the entry is not fetched, so it is skipped",
                "add its origin to origins if you trust it; otherwise the index must be mended",
            ),
            Kind::Withdrawn => (
                &INDEX_WITHDRAWN,
                "there is no index any more, so none of its skills is offered",
                "publish it again, or take the source away",
            ),
        };
        let message = [start, &others, ": ", &self.problem].concat();
        let mut finding = Diagnostic::new(rule, Mode::Lenient, message)
            .with_hint(hint)
            .in_file(self.url.as_str());
        finding.skill = self.skill.as_deref().map(Into::into);
        finding
    }
}

/// All that a host has to tell of.
struct Troubles(Vec<Trouble>);

impl FromFields for Troubles {
    const SUBJECT: &'static str = "troubles of a host";

    /// Of each kind no more than are told of one by one; the last one knows how many others there are.
    fn from_fields(fields: &Fields<'_>) -> Self {
        let mut told: Vec<Trouble> = Vec::new();
        fields.each("troubles", &mut |fields| {
            let trouble = Trouble::from_fields(fields);
            let mut same = told.iter_mut().filter(|other| other.kind == trouble.kind);
            match same.nth(trouble.kind.most() - 1) {
                Some(last) => last.others += 1 + trouble.others,
                None => told.push(trouble),
            }
        });
        Self(told)
    }
}

/// The findings of troubles given as JSON text: `{ troubles: [{ kind, url, skill?, problem, others? }] }`.
///
/// # Errors
///
/// [`Error::SourceUnsupported`] where they are none.
pub fn http_findings(troubles: &str) -> Result<Vec<Diagnostic>, Error> {
    let Troubles(told) = options::read(troubles)?;
    Ok(told.iter().map(Trouble::finding).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(troubles: &[&str]) -> Vec<(&'static str, String)> {
        let troubles = format!(r#"{{"troubles":[{}]}}"#, troubles.join(","));
        let findings = http_findings(&troubles).expect("they are troubles");
        let messages = findings.into_iter().map(|finding| {
            assert_eq!(finding.path.as_deref(), Some("u"));
            assert!(finding.hint.is_some());
            (finding.code, finding.message.into_owned())
        });
        messages.collect()
    }

    #[test]
    fn troubles_are_findings() {
        for (trouble, code, message) in [
            (
                r#"{"kind":"stale","url":"u","problem":"p","others":2}"#,
                "content-stale",
                "what was fetched earlier is used, since it could not be fetched again (and 2 more): p",
            ),
            (
                r#"{"kind":"cache","url":"u","problem":"p"}"#,
                "cache-unusable",
                "the cache could not be used, so this was fetched without it: p",
            ),
            (
                r#"{"kind":"entry","url":"u","skill":"s","problem":"p"}"#,
                "index-entry-invalid",
                "the url of the entry is not fetched, so it is skipped: p",
            ),
            (
                r#"{"kind":"withdrawn","url":"u","problem":"p"}"#,
                "index-withdrawn",
                "there is no index any more, so none of its skills is offered: p",
            ),
        ] {
            assert_eq!(messages(&[trouble]), [(code, message.to_owned())]);
        }
        let unknown = r#"{"troubles":[{"kind":"else","url":"u","problem":"p"}]}"#;
        assert!(http_findings(unknown).is_err());
    }

    #[test]
    fn what_is_said_of_many_is_said_of_some_and_counted() {
        let stale = r#"{"kind":"stale","url":"u","problem":"p"}"#;
        let entry = r#"{"kind":"entry","url":"u","skill":"s","problem":"p"}"#;
        let entry_of_two = r#"{"kind":"entry","url":"u","problem":"p","others":1}"#;
        let mut troubles = vec![stale];
        troubles.extend([entry; 24]);
        troubles.extend([stale, stale, entry_of_two]);
        let messages = messages(&troubles);
        let others: Vec<(usize, &str)> = messages
            .iter()
            .enumerate()
            .filter_map(|(place, (_, message))| Some((place, message.split_once(" (")?.1)))
            .collect();
        assert_eq!(messages.len(), 21);
        assert_eq!(others, [(0, "and 2 more): p"), (20, "and 6 more): p")]);
    }
}
