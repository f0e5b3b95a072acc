//! How a skill file becomes a skill: its fences, its YAML, its fields, its body.

use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Mode, Position, Rule, bound};
use crate::fields::{self, Profile};
use crate::front_matter::{self, BLOCK_LINE, OPENING_FENCE, Split};
use crate::hidden;
use crate::invocation::Invocation;
use crate::limits::Limits;
use crate::order::sort_by;
use crate::skill::Skill;
use crate::source::Links;
use crate::yaml;

/// The body is larger than its limit.
pub(crate) const BODY_TOO_LARGE: Rule = Rule::error("body-too-large");
/// Characters in the description or the body that cannot be seen.
const HIDDEN_CHARACTERS: Rule = Rule::warning("hidden-characters");

/// How a skill file is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// How strictly.
    pub mode: Mode,
    /// Whose extra rules apply.
    pub profile: Profile,
    /// Bounds.
    pub limits: Limits,
    /// Whether hidden characters are left out of what is kept.
    pub strip: bool,
    /// Which links lead to the file.
    pub links: Links,
}

/// Where a skill file stands, as far as its rules ask.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place<'a> {
    /// The path for messages.
    pub path: Option<&'a Rc<str>>,
    /// The name of the directory that a skill's name must be equal to.
    pub directory: Option<&'a str>,
    /// The name of a loose file without its ending: stands in for a missing name.
    pub file_stem: Option<&'a str>,
}

/// The name that a file gives its skill, whether or not the skill can be used.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    /// Where it is written, or would be.
    pub(crate) position: Position,
}

/// What became of the beginning of a skill file.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "nearly all are read")]
pub(crate) enum Front {
    /// The closing fence is not yet in sight.
    Incomplete,
    /// The front matter was judged.
    Read {
        /// There exactly when no diagnostic is an error.
        skill: Option<Skill>,
        /// Its name, to be compared with the directory's.
        name: Option<Name>,
        /// Who may call on it, as far as a broken file tells.
        invocation: Invocation,
        /// Everything that was off, in the order of the file.
        diagnostics: Vec<Diagnostic>,
        /// Where the body begins, where the fences were found.
        body_start: Option<usize>,
    },
}

/// Judges the front matter of `bytes`; `whole` says whether they are the whole file.
pub(crate) fn read_front(
    bytes: &[u8],
    whole: bool,
    place: Place<'_>,
    options: &ReadOptions,
) -> Front {
    let (block, body_start) =
        match front_matter::split(bytes, whole, options.limits.front_matter, options.mode) {
            Split::Incomplete => return Front::Incomplete,
            // What it says of who may call on it may come further below.
            Split::Fault(_) if !whole => return Front::Incomplete,
            Split::Fault(fault) => return refused(fault, place, bytes, None, &options.limits),
            Split::Complete { block, body_start } => (block, body_start),
        };
    let document = match yaml::read(block, BLOCK_LINE, options.mode, &options.limits) {
        Ok(document) => document,
        Err(fault) => {
            let block = block.as_bytes();
            return refused(fault, place, block, Some(body_start), &options.limits);
        }
    };
    let name_position = document.position_of("name").unwrap_or(OPENING_FENCE);
    let fields::SkillFields {
        name,
        skill,
        mut invocation,
        mut diagnostics,
    } = fields::read(document, place, options);
    let name = name.map(|text| Name {
        text,
        position: name_position,
    });
    sort_by(&mut diagnostics, |a, b| a.position.cmp(&b.position));
    bound(&mut diagnostics, options.mode);
    placed(&mut diagnostics, place, skill.as_ref());
    let skill = skill.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    if skill.is_none() {
        let broken = Invocation::in_broken(block.as_bytes(), &options.limits);
        invocation = invocation.and(broken);
    }
    Front::Read {
        skill,
        name,
        invocation,
        diagnostics,
        body_start: Some(body_start),
    }
}

fn refused(
    fault: Diagnostic,
    place: Place<'_>,
    broken: &[u8],
    body_start: Option<usize>,
    limits: &Limits,
) -> Front {
    let mut diagnostics = vec![fault];
    placed(&mut diagnostics, place, None);
    Front::Read {
        skill: None,
        name: None,
        invocation: Invocation::in_broken(broken, limits),
        diagnostics,
        body_start,
    }
}

/// Adds the file and the skill to findings that do not name them yet.
pub(crate) fn placed(diagnostics: &mut [Diagnostic], place: Place<'_>, skill: Option<&Skill>) {
    // Most files have none, and most findings both.
    let is_placed = |found: &Diagnostic| found.path.is_some() && found.skill.is_some();
    if diagnostics.iter().all(is_placed) {
        return;
    }
    let name: Option<Rc<str>> = skill.map(|skill| skill.name.as_str().into());
    for diagnostic in diagnostics {
        if diagnostic.path.is_none() {
            diagnostic.path = place.path.map(Rc::clone);
        }
        if diagnostic.skill.is_none() {
            diagnostic.skill.clone_from(&name);
        }
    }
}

/// The offset of what follows the front matter, where both fences are there.
pub(crate) fn body_start(bytes: &[u8], options: &ReadOptions) -> Option<usize> {
    match front_matter::split(bytes, true, options.limits.front_matter, options.mode) {
        Split::Complete { body_start, .. } => Some(body_start),
        Split::Incomplete | Split::Fault(_) => None,
    }
}

/// A whole skill file.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// There exactly when no diagnostic is an error.
    pub(crate) skill: Option<Skill>,
    /// Its name, to be compared with the directory's.
    pub(crate) name: Option<Name>,
    /// Who may call on it, as far as a broken file tells.
    pub(crate) invocation: Invocation,
    /// The trimmed body, where there is a skill.
    pub(crate) body: Option<String>,
    /// Bytes of the trimmed body, also where it is too large.
    pub(crate) body_size: usize,
    /// Everything that was off.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Judges a whole skill file: its front matter and its body.
pub(crate) fn parse(bytes: &[u8], place: Place<'_>, options: &ReadOptions) -> Parsed {
    let Front::Read {
        mut skill,
        name,
        invocation,
        mut diagnostics,
        body_start,
    } = read_front(bytes, true, place, options)
    else {
        return Parsed {
            skill: None,
            name: None,
            invocation: Invocation::in_broken(bytes, &options.limits),
            body: None,
            body_size: 0,
            diagnostics: Vec::new(),
        };
    };
    let mut body = None;
    let mut body_size = 0;
    let text = body_start.map(|start| front_matter::body(bytes, start));
    if let Some(Ok(text)) = text {
        body_size = text.len();
        body = Some(kept_body(text, options));
    }
    match text.map(|text| text.and_then(|text| judge_body(text, options))) {
        Some(Ok(found)) => diagnostics.extend(found),
        Some(Err(fault)) => {
            diagnostics.push(fault);
            skill = None;
        }
        None => {}
    }
    placed(&mut diagnostics, place, skill.as_ref());
    Parsed {
        body: body.filter(|_| skill.is_some()),
        skill,
        name,
        invocation,
        body_size,
        diagnostics,
    }
}

/// A body as it is kept: trimmed at both ends.
pub(crate) fn kept_body(text: &str, options: &ReadOptions) -> String {
    if options.strip {
        return hidden::strip(text).trim().to_owned();
    }
    text.trim().to_owned()
}

/// What is off in a body. An error when it is too large.
fn judge_body(body: &str, options: &ReadOptions) -> Result<Option<Diagnostic>, Diagnostic> {
    let limit = options.limits.body;
    if body.len() > limit as usize {
        let message = format!(
            "the body has {} bytes; at most {limit} are loaded",
            body.len()
        );
        return Err(Diagnostic::new(&BODY_TOO_LARGE, options.mode, message)
            .with_hint("move parts of it into files beside it, which are read when needed"));
    }
    Ok(hidden_in("the body", body, options.mode))
}

/// The finding for hidden characters in `text`, if there are any.
pub(crate) fn hidden_in(what: &str, text: &str, mode: Mode) -> Option<Diagnostic> {
    let mut found = hidden::find(text);
    let first = found.next()?;
    let others = found.count();
    let code_point = u32::from(first.code_point);
    let mut message = format!(
        "{what} has a hidden character, U+{code_point:04X} at offset {}",
        first.offset
    );
    if others > 0 {
        message.push_str(&format!(", and {others} more"));
    }
    Some(
        Diagnostic::new(&HIDDEN_CHARACTERS, mode, message)
            .with_hint("remove what cannot be seen, or load with strip"),
    )
}
