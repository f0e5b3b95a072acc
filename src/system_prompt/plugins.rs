//! The files of plugins: which one replaces the document, and which ones extend a section.
//!
//! What is in them is content: a file that cannot be used is left out, and a diagnostic says so.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, Mode, Position, Rule};
use crate::front_matter::{self, BLOCK_LINE, Split};
use crate::limits::Limits;
use crate::options::Fields;
use crate::order::sort_by;
use crate::places::Names;
use crate::text::quoted;
use crate::value::Value;
use crate::yaml;

use super::lists::identifier;

/// The file that replaces the whole document.
const REPLACING: &str = "systemprompt.md";
/// The key of the front matter that names a section.
const EXTENDS: &str = "extends";

const NOT_A_PROMPT: Rule = Rule::info("prompt-file-passed-over");
const EMPTY: Rule = Rule::error("prompt-file-empty");
const REPLACED_TWICE: Rule = Rule::warning("prompt-replaced-twice");
/// `extends` says what it cannot mean.
pub(super) const EXTENDS_INVALID: Rule = Rule::error("prompt-extends-invalid");

/// What the plugins say.
#[derive(Debug, Default)]
pub(super) struct Contributions {
    /// The document that replaces the whole. The first one wins.
    pub(super) document: Option<Replacement>,
    /// In the order of the plugins, and of the paths in each.
    pub(super) extensions: Vec<Extension>,
    pub(super) found: Vec<Diagnostic>,
}

/// A text that replaces the whole document.
#[derive(Debug)]
pub(super) struct Replacement {
    path: String,
    pub(super) text: String,
}

/// A text that extends a section.
#[derive(Debug)]
pub(super) struct Extension {
    pub(super) path: String,
    pub(super) target: Target,
    pub(super) text: String,
}

/// The section that a file extends, and where the file says so.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) section: String,
    pub(super) position: Position,
}

impl Contributions {
    /// Reads the plugins: each has a namespace and files, by path.
    pub(super) fn read(fields: &Fields<'_>) -> Self {
        let mut contributions = Self::default();
        let mut namespaces = Names::default();
        fields.each("plugins", &mut |plugin| {
            let namespace = identifier(plugin, "namespace", &mut namespaces);
            let mut files = Vec::new();
            for (name, content) in plugin.object("files", "files.").entries() {
                match bytes_of(content) {
                    Some(bytes) if is_markdown(name) => files.push((name.clone(), bytes)),
                    Some(_) => {}
                    None => {
                        plugin.refuse("files", &["has no content for ", &quoted(name)].concat());
                    }
                }
            }
            sort_by(&mut files, |(a, _), (b, _)| a.cmp(b));
            for (name, bytes) in files {
                contributions.add(&namespace, &name, &bytes);
            }
        });
        contributions
    }

    /// Adds a file, or says why it is left out.
    fn add(&mut self, namespace: &str, name: &str, bytes: &[u8]) {
        let path = [namespace, "/", name].concat();
        let fault = match PromptFile::read(bytes, &path, &mut self.found) {
            Err(fault) => fault,
            Ok(file) if file.target.is_none() && name != REPLACING => fault(
                &NOT_A_PROMPT,
                "the file neither replaces the prompt nor extends a section",
                "name it systemprompt.md, or begin it with front matter such as `extends: rules`",
            ),
            Ok(file) if file.text.is_empty() => fault(
                &EMPTY,
                "the prompt file has no text",
                "write the text below the front matter, or remove the file",
            ),
            Ok(PromptFile { target, text }) => match (target, &self.document) {
                (Some(target), _) => {
                    self.extensions.push(Extension { path, target, text });
                    return;
                }
                (None, None) => {
                    self.document = Some(Replacement { path, text });
                    return;
                }
                (None, Some(earlier)) => fault(
                    &REPLACED_TWICE,
                    [
                        "the whole prompt is replaced by ",
                        &earlier.path,
                        " already",
                    ]
                    .concat(),
                    "the earlier plugin wins: put this one before it, or extend single sections",
                ),
            },
        };
        self.found.push(fault.in_file(path));
    }
}

fn fault(rule: &Rule, message: impl Into<Cow<'static, str>>, hint: &'static str) -> Diagnostic {
    Diagnostic::new(rule, Mode::Lenient, message).with_hint(hint)
}

/// The bytes of a file's content: a text, or a text with a character a byte.
fn bytes_of(content: &Value) -> Option<Cow<'_, [u8]>> {
    match content {
        Value::String(text) => Some(Cow::Borrowed(text.as_bytes())),
        Value::Map(map) => {
            let bytes = map.get("bytes")?.as_str()?.chars();
            let bytes: Option<Vec<u8>> = bytes.map(|c| u8::try_from(c).ok()).collect();
            bytes.map(Cow::Owned)
        }
        _ => None,
    }
}

fn is_markdown(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

/// A prompt file: its text, and the section it extends, if it says so.
#[derive(Debug)]
pub(super) struct PromptFile {
    pub(super) target: Option<Target>,
    pub(super) text: String,
}

impl PromptFile {
    /// Reads one. Warnings go to `found`; an error is what makes it unusable.
    pub(super) fn read(
        bytes: &[u8],
        path: &str,
        found: &mut Vec<Diagnostic>,
    ) -> Result<Self, Diagnostic> {
        let mut file = Self {
            target: None,
            text: front_matter::body(bytes, 0)?.to_owned(),
        };
        if !front_matter::is_opened(bytes) {
            return Ok(file);
        }
        let limits = Limits::default();
        match front_matter::split(bytes, true, limits.front_matter, Mode::Lenient) {
            Split::Complete { block, body_start } => {
                let document = yaml::read(block, BLOCK_LINE, Mode::Lenient, &limits)?;
                file.target = target_in(&document)?;
                for warning in document.diagnostics {
                    found.push(warning.in_file(path));
                }
                front_matter::body(bytes, body_start)?.clone_into(&mut file.text);
            }
            Split::Fault(fault) => return Err(fault),
            // Only a beginning can be incomplete, and this is the whole file.
            Split::Incomplete => {}
        }
        Ok(file)
    }
}

/// The section that `extends` names.
fn target_in(document: &yaml::Document) -> Result<Option<Target>, Diagnostic> {
    let Some(field) = document.fields.iter().find(|field| field.key == EXTENDS) else {
        return Ok(None);
    };
    let section = field.text().unwrap_or_default().trim();
    if section.is_empty() {
        let kind = field.value.kind();
        let message = ["extends must name one section; it is ", kind].concat();
        let hint = "write one name, such as `extends: rules`";
        return Err(fault(&EXTENDS_INVALID, message, hint).at(field.position));
    }
    Ok(Some(Target {
        section: section.to_owned(),
        position: field.position,
    }))
}
