//! What was off, where, and how to mend it.
//!
//! Every rule is a [`Rule`]: one stable code with two severities, one for loading (lenient) and
//! one for validating (strict). That is the whole difference between the two modes: the rules
//! themselves are never written twice.

use std::borrow::Cow;
use std::rc::Rc;

use crate::json::{Object, ToJson};
use crate::order::sort_by;
use crate::text::counted;

/// How strictly rules are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Keep every skill that can be understood.
    #[default]
    Lenient,
    /// Report every departure from the specification as what it is.
    Strict,
}

impl Mode {
    pub(crate) const NAMES: [(&str, Self); 2] =
        [("lenient", Self::Lenient), ("strict", Self::Strict)];
}

/// How bad a finding is. Only an error keeps a skill from loading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The skill cannot be used.
    Error,
    /// The skill is used, but something is off.
    Warning,
    /// Worth knowing; nothing is wrong.
    Info,
}

impl Severity {
    /// As the public interface names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A place in a file: line and column count from 1, the column in code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in code points, from 1.
    pub column: u32,
}

impl Position {
    /// The place of the byte at `offset` in `text` (clamped to its end and to a character). Lines
    /// end as in YAML and in editors: a carriage return alone ends one too (YAML 1.2.2, 5.4).
    pub fn in_text(text: &str, offset: usize) -> Self {
        let (before, after) = text.split_at(text.floor_char_boundary(offset));
        // Between the two halves of a line end the line is not over.
        let ended = match before.strip_suffix('\r') {
            Some(ended) if after.starts_with('\n') => ended,
            _ => before,
        };
        let line_start = ended.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        Self {
            line: saturating_u32(line_ends(ended) + 1),
            column: saturating_u32(before[line_start..].chars().count() + 1),
        }
    }
}

/// How many lines end in a text.
pub(crate) fn line_ends(text: &str) -> usize {
    let both = text.matches("\r\n").count();
    text.matches(['\n', '\r']).count() - both
}

/// A count that fits the public interface, which has no larger numbers.
pub(crate) fn saturating_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// One rule: a stable code, and how bad a breach is in each mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable, kebab-case.
    pub code: &'static str,
    /// Severity when loading.
    pub lenient: Severity,
    /// Severity when validating.
    pub strict: Severity,
}

impl Rule {
    /// A breach is an error in both modes.
    pub const fn error(code: &'static str) -> Self {
        Self {
            code,
            lenient: Severity::Error,
            strict: Severity::Error,
        }
    }

    /// A breach is a warning when loading and an error when validating.
    pub const fn tolerated(code: &'static str) -> Self {
        Self {
            code,
            lenient: Severity::Warning,
            strict: Severity::Error,
        }
    }

    /// A breach is a warning in both modes.
    pub const fn warning(code: &'static str) -> Self {
        Self {
            code,
            lenient: Severity::Warning,
            strict: Severity::Warning,
        }
    }

    /// Worth a note when loading; a breach is a warning when validating.
    pub const fn noted(code: &'static str) -> Self {
        Self {
            code,
            lenient: Severity::Info,
            strict: Severity::Warning,
        }
    }

    /// Worth a note in both modes.
    pub const fn info(code: &'static str) -> Self {
        Self {
            code,
            lenient: Severity::Info,
            strict: Severity::Info,
        }
    }

    /// How bad a breach is in `mode`.
    pub const fn severity(&self, mode: Mode) -> Severity {
        match mode {
            Mode::Lenient => self.lenient,
            Mode::Strict => self.strict,
        }
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's stable code.
    pub code: &'static str,
    /// How bad it is, in the mode in which it was found.
    pub severity: Severity,
    /// What is wrong, in one sentence that names the field or the file.
    pub message: Cow<'static, str>,
    /// How to mend it.
    pub hint: Option<Cow<'static, str>>,
    /// The file or directory, as the host names it. Shared by all findings of a file, of which
    /// many have some.
    pub path: Option<Rc<str>>,
    /// Where in the file.
    pub position: Option<Position>,
    /// The skill it is about.
    pub skill: Option<Rc<str>>,
}

impl ToJson for Diagnostic {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("code", &self.code)
            .field("severity", &self.severity.as_str())
            .field("message", &self.message.as_ref())
            .optional("hint", self.hint.as_deref().as_ref())
            .optional("path", self.path.as_deref().as_ref())
            .optional("line", self.position.map(|position| position.line).as_ref())
            .optional(
                "column",
                self.position.map(|position| position.column).as_ref(),
            )
            .optional("skill", self.skill.as_deref().as_ref())
            .end();
    }
}

impl Diagnostic {
    /// A breach of `rule`, as bad as `mode` says.
    pub fn new(rule: &Rule, mode: Mode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code: rule.code,
            severity: rule.severity(mode),
            message: message.into(),
            hint: None,
            path: None,
            position: None,
            skill: None,
        }
    }

    /// Adds the remedy.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the place in the file.
    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        self.position = Some(position);
        self
    }

    /// Adds the file or directory.
    #[must_use]
    pub fn in_file(mut self, path: impl Into<Rc<str>>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Adds the skill it is about.
    #[must_use]
    pub fn about(mut self, skill: impl Into<Rc<str>>) -> Self {
        self.skill = Some(skill.into());
        self
    }

    /// Whether this keeps the skill from loading.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// There are more findings than are worth telling.
const MORE: Rule = Rule::warning("more-findings");

/// More findings of one file than this only count.
pub(crate) const MOST_FINDINGS: usize = 100;

/// Keeps what a hostile file can say about itself short. Errors stay before anything else.
pub(crate) fn bound(findings: &mut Vec<Diagnostic>, mode: Mode) {
    if findings.len() <= MOST_FINDINGS {
        return;
    }
    let others = counted(findings.len() - MOST_FINDINGS, "more finding");
    sort_by(findings, |a, b| a.severity.cmp(&b.severity));
    findings.truncate(MOST_FINDINGS);
    sort_by(findings, |a, b| a.position.cmp(&b.position));
    let message = ["left out: ", &others].concat();
    findings.push(Diagnostic::new(&MORE, mode, message).with_hint("mend the first ones"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_counts_code_points_from_one() {
        let text = "a\nböc";
        assert_eq!(Position::in_text(text, 0), Position { line: 1, column: 1 });
        assert_eq!(Position::in_text(text, 5), Position { line: 2, column: 3 });
        assert_eq!(Position::in_text(text, 99), Position { line: 2, column: 4 });
    }

    #[test]
    fn each_kind_of_line_end_ends_one_line() {
        for (text, offset, (line, column)) in [
            ("a\r\nb", 3, (2, 1)),
            ("a\r\nb", 2, (1, 3)),
            ("a\r\r\nb", 4, (3, 1)),
            ("a\rb", 3, (2, 2)),
            ("a\n\r", 3, (3, 1)),
        ] {
            let place = Position::in_text(text, offset);
            assert_eq!(place, Position { line, column }, "{text:?} {offset}");
        }
    }
}
