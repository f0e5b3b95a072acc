//! The system prompt as a document: sections by `## ` headings, which plugins replace or extend,
//! and in which participants, agents, tools, skills and the task have their places.
//!
//! What changes seldom comes first, what changes often last, and in each section the document's own
//! text before what is listed. So a change leaves all bytes before its place as they were, and a
//! provider's cache of the prompt's beginning holds.

mod blocks;
mod document;
mod index;
mod lists;
mod markdown;
mod plugins;

use crate::diagnostic::{Diagnostic, Mode, Rule};
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields};
use crate::source::Invalid;
use crate::text::quoted;
use crate::value::Value;

use document::{Document, Section, join, key_of};
use markdown::inside_section;
use plugins::{Contributions, EXTENDS_INVALID, Extension, PromptFile};

const SECTION_UNKNOWN: Rule = Rule::error("prompt-section-unknown");

/// What the base is called in messages.
const BASE: &str = "base";

/// The document that stands where none is given.
const DEFAULT: &str = include_str!("system_prompt/default.md");
/// All known sections: what stands in where a document has none for what is listed.
const STAND_INS: &str = include_str!("system_prompt/stand_in.md");

/// The sections with what changes least: first, in this order. Sections of other names follow.
const FIRST: [&str; 2] = ["role", "rules"];
/// The sections in which something is listed or put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Tools,
    /// The default document tells of it without a list too.
    Agents,
    Skills,
    Participants,
    Task,
}

impl Place {
    /// They come last, in this order.
    const ALL: [Self; 5] = [
        Self::Tools,
        Self::Agents,
        Self::Skills,
        Self::Participants,
        Self::Task,
    ];

    /// The place that a section is.
    fn of(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|place| place.key() == key)
    }

    /// What its section is found by.
    fn key(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Agents => "agents",
            Self::Skills => "skills",
            Self::Participants => "participants",
            Self::Task => "task",
        }
    }

    /// What is put into it.
    fn list(self, fields: &Fields<'_>) -> String {
        match self {
            Self::Tools => lists::tools(fields),
            Self::Agents => lists::agents(fields),
            Self::Skills => inside_section(&index_text(fields)),
            Self::Participants => lists::participants(fields),
            Self::Task => inside_section(&fields.text("task").unwrap_or_default()),
        }
    }
}

/// What is put below the texts of their sections.
type Listed = [(Place, String); Place::ALL.len()];

/// How many of a document's own sections a hint names.
const MOST_OWN_NAMES: usize = 20;

/// What a system prompt is made of.
#[derive(Debug)]
pub struct SystemPrompt {
    /// The document; the default one where it is absent.
    base: Option<String>,
    /// What replaces or extends it.
    contributions: Contributions,
    listed: Listed,
    /// Whether the developer says that work can be given to nobody.
    is_alone: bool,
    /// What a file of a plugin that cannot be used does.
    invalid: Invalid,
}

impl FromFields for SystemPrompt {
    fn from_fields(fields: &Fields<'_>) -> Self {
        fields.kept("index", "an object");
        fields.function("onDiagnostic");
        Self {
            base: fields.text("base"),
            contributions: Contributions::read(fields),
            listed: Place::ALL.map(|place| (place, place.list(fields))),
            is_alone: matches!(fields.get(Place::Agents.key()), Some(Value::List(agents)) if agents.is_empty()),
            invalid: fields.choice("invalid", &Invalid::NAMES),
        }
    }
}

/// The index of the catalog, which makes it itself.
fn index_text(fields: &Fields<'_>) -> String {
    let index = fields.object("catalog", "catalog.").text("index");
    if index.is_none() && fields.get("catalog").is_some() {
        fields.refuse("catalog", "must be a catalog or a session");
    }
    index.unwrap_or_default()
}

/// A system prompt, and what was off in the files of plugins.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedPrompt {
    /// The text, without a line end at its end.
    pub text: String,
    /// Everything that was off. An error is a file that was left out.
    pub diagnostics: Vec<Diagnostic>,
}

impl ToJson for RenderedPrompt {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("text", &self.text)
            .field("diagnostics", &self.diagnostics)
            .end();
    }
}

impl SystemPrompt {
    /// Reads the options of the public interface from JSON text. For the catalog stands an object
    /// whose `index` is the text of the index; for bytes stands an object whose `bytes` is a text
    /// with a character a byte.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }

    /// What is added to the developer's options of the index, as JSON text: no heading, and the
    /// names of the tools. Takes the options as JSON text, and the list of those that the tools in
    /// the prompt were made with: `null` for one that is no catalog's.
    pub fn added_index_options(index: &str, tools: &str) -> String {
        index::added_options(index, tools)
    }

    /// The prompt. The same parts give the same bytes.
    ///
    /// # Errors
    ///
    /// [`Error::PromptInvalid`] when the base cannot be read, or when a file of a plugin cannot be
    /// used and that is to be an error.
    pub fn render(self) -> Result<RenderedPrompt, Error> {
        let Contributions {
            document,
            extensions,
            found: mut diagnostics,
        } = self.contributions;
        let base = match self.base {
            Some(base) => Some(base_text(&base, &mut diagnostics)?),
            None => None,
        };
        let text = document.map(|document| document.text).or(base);
        let tells_of_agents = text.is_none() && !self.is_alone;
        let mut document = Document::read(text.as_deref().unwrap_or(DEFAULT));
        let known = Document::read(STAND_INS);
        for (place, list) in &self.listed {
            if !list.is_empty() || tells_of_agents && *place == Place::Agents {
                stand_in(&mut document, &known, place.key());
            }
        }
        for extension in extensions {
            diagnostics.extend(extend(&mut document, &known, extension));
        }
        if self.invalid == Invalid::Throw && diagnostics.iter().any(Diagnostic::is_error) {
            return Err(Error::PromptInvalid(diagnostics));
        }
        Ok(RenderedPrompt {
            text: assembled(&document, &self.listed),
            diagnostics,
        })
    }
}

/// The base without its front matter.
fn base_text(base: &str, found: &mut Vec<Diagnostic>) -> Result<String, Error> {
    let fault = match PromptFile::read(base.as_bytes(), BASE, found) {
        Ok(PromptFile { target: None, text }) => return Ok(text),
        Ok(PromptFile {
            target: Some(target),
            ..
        }) => {
            let message = ["the base extends ", &quoted(&target.section)].concat();
            Diagnostic::new(&EXTENDS_INVALID, Mode::Lenient, message)
                .with_hint("pass it as a file of a plugin, or remove `extends`")
                .at(target.position)
        }
        Err(fault) => fault,
    };
    Err(Error::PromptInvalid(vec![fault.in_file(BASE)]))
}

/// Gives a document a known section, where it has none of its own.
fn stand_in(document: &mut Document, known: &Document, key: &str) {
    if let Some(Section { name, text, .. }) = known.section(key)
        && document.section(key).is_none()
    {
        document.extend(name, text);
    }
}

/// Extends a section that the document has or that is known; gives the finding where it is neither.
fn extend(document: &mut Document, known: &Document, extension: Extension) -> Option<Diagnostic> {
    let Extension { path, target, text } = extension;
    let key = key_of(&target.section);
    if let Some(section) = document.section(&key).or_else(|| known.section(&key)) {
        let name = section.name.clone();
        document.extend(&name, &text);
        return None;
    }
    let own = document
        .sections
        .iter()
        .filter(|own| known.section(&own.key).is_none());
    let all = known.sections.iter().chain(own.take(MOST_OWN_NAMES));
    let names: Vec<&str> = all.map(|section| section.key.as_str()).collect();
    let names = ["extend one of ", &names.join(", ")].concat();
    let section = quoted(&target.section);
    let message = ["there is no section ", &section, " to extend"].concat();
    let found = Diagnostic::new(&SECTION_UNKNOWN, Mode::Lenient, message);
    Some(found.with_hint(names).in_file(path).at(target.position))
}

/// The sections in the order of the prompt.
fn assembled(document: &Document, listed: &Listed) -> String {
    let mut out = document.preamble.clone();
    for key in FIRST {
        push_section(&mut out, document.section(key), "");
    }
    for section in &document.sections {
        let key = section.key.as_str();
        if !FIRST.contains(&key) && Place::of(key).is_none() {
            push_section(&mut out, Some(section), "");
        }
    }
    for (place, list) in listed {
        push_section(&mut out, document.section(place.key()), list);
    }
    out
}

/// Heading, text and list; nothing where there is neither text nor list.
fn push_section(out: &mut String, section: Option<&Section>, list: &str) {
    let Some(Section { name, text, .. }) = section else {
        return;
    };
    if text.is_empty() && list.is_empty() {
        return;
    }
    join(out, "## ");
    out.push_str(name);
    join(out, text);
    join(out, list);
}

#[cfg(test)]
mod tests;
