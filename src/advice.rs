//! Hints that make a skill better. The specification asks for none of them, so none is an error;
//! each can be turned off.

use std::rc::Rc;

use crate::diagnostic::{Diagnostic, MOST_FINDINGS, Mode, Position, Rule};
use crate::front_matter::{self, BLOCK_LINE, Split};
use crate::mcp_config;
use crate::options::Fields;
use crate::skill::Skill;
use crate::skill_file::{self, Place, ReadOptions};
use crate::text::{lowercase, quoted};
use crate::validate::{LINK_MISSING, LINK_OUTSIDE, SkillFileContent};
use crate::value::Value;
use crate::yaml::{self, COMMENT_AFTER_TEXT};

mod mentions;
mod similar;

pub use similar::similar_descriptions;

const WITHOUT_WHEN: Rule = Rule::info("description-without-when");
const TEMPLATE_LEFT: Rule = Rule::info("template-left");
const BODY_LONG: Rule = Rule::info("body-long");
const LINE_ENDS: Rule = Rule::info("line-ends");
const NOT_MENTIONED: Rule = Rule::info("file-not-mentioned");
const SIMILAR: Rule = Rule::info("description-similar");

/// What can be turned off: the hints, and what is told without them too but may be meant so.
const CAN_BE_OFF: [&Rule; 9] = [
    &WITHOUT_WHEN,
    &TEMPLATE_LEFT,
    &BODY_LONG,
    &LINE_ENDS,
    &NOT_MENTIONED,
    &SIMILAR,
    &COMMENT_AFTER_TEXT,
    &LINK_OUTSIDE,
    &LINK_MISSING,
];

/// Lines of a body that a model should have to read at once, at most: the specification's advice.
const MOST_LINES: usize = 500;

/// Which hints are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Whether any are.
    pub given: bool,
    /// The codes that are turned off.
    pub off: Vec<&'static str>,
}

impl Hints {
    /// Reads `true`, `false`, or an object that says so for single codes.
    pub(crate) fn of(fields: &Fields<'_>) -> Self {
        const KEY: &str = "hints";
        match fields.get(KEY) {
            None => Self::default(),
            Some(Value::Bool(given)) => Self {
                given: *given,
                off: Vec::new(),
            },
            Some(_) => {
                let codes = fields.object(KEY, "hints.");
                let is_off = |code: &&'static str| !codes.flag(code, true);
                let off = CAN_BE_OFF.iter().map(|rule| rule.code).filter(is_off);
                let off = off.collect();
                codes.finish();
                Self { given: true, off }
            }
        }
    }

    /// Whether a finding is told.
    pub(crate) fn keep(&self, found: &Diagnostic) -> bool {
        !self.off.contains(&found.code)
    }

    fn wants(&self, rule: &Rule) -> bool {
        self.given && !self.off.contains(&rule.code)
    }
}

/// A skill that hints are looked for in.
pub(crate) struct Advised<'a> {
    bytes: &'a [u8],
    /// There where the file can be loaded, whatever departs from the specification.
    skill: Option<Skill>,
    files: &'a [SkillFileContent],
    options: ReadOptions,
}

impl<'a> Advised<'a> {
    pub(crate) fn new(bytes: &'a [u8], place: Place<'_>, files: &'a [SkillFileContent]) -> Self {
        let options = ReadOptions::default();
        Self {
            bytes,
            skill: skill_file::parse(bytes, place, &options).skill,
            files,
            options,
        }
    }

    /// The hints, of which `path` is that of the skill file.
    pub(crate) fn hints(&self, path: &str, hints: &Hints) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = self.of_text(hints);
        for hint in &mut found {
            hint.path = Some(path.into());
        }
        if hints.wants(&NOT_MENTIONED) {
            let files = mentions::not_mentioned(path, self.files);
            found.extend(files.take(MOST_FINDINGS).map(not_mentioned));
        }
        let name: Option<Rc<str>> = self.skill.as_ref().map(|skill| skill.name.as_str().into());
        for hint in &mut found {
            hint.skill.clone_from(&name);
        }
        found
    }

    /// Those for the skill file itself.
    fn of_text(&self, hints: &Hints) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let Ok(text) = std::str::from_utf8(self.bytes) else {
            return found;
        };
        if hints.wants(&LINE_ENDS) {
            found.extend(line_ends(text));
        }
        let limit = self.options.limits.front_matter;
        let split = front_matter::split(self.bytes, true, limit, Mode::Lenient);
        if let Split::Complete { block, body_start } = split {
            if hints.wants(&WITHOUT_WHEN)
                && let Some(skill) = &self.skill
            {
                found.extend(without_when(skill, block, &self.options));
            }
            if hints.wants(&TEMPLATE_LEFT) {
                found.extend(template_left(text, block, body_start));
            }
            if hints.wants(&BODY_LONG) {
                found.extend(body_long(text, body_start));
            }
        }
        found
    }
}

fn hint(rule: &Rule, message: String, remedy: &'static str) -> Diagnostic {
    Diagnostic::new(rule, Mode::Strict, message).with_hint(remedy)
}

fn line_ends(text: &str) -> Option<Diagnostic> {
    let count = text.matches("\r\n").count();
    let offset = text.find("\r\n")?;
    let which = if count == text.matches('\n').count() {
        "all lines"
    } else {
        "some lines"
    };
    let message = [
        which,
        " end in CR LF: other loaders may not find the fences, and the digest is not that of the same text elsewhere",
    ];
    let remedy = "save the file with LF at the ends of lines";
    Some(hint(&LINE_ENDS, message.concat(), remedy).at(Position::in_text(text, offset)))
}

/// What templates say where nobody has written yet, in front matter and in bodies: those of
/// `skillshelf new`, and others that are in use.
const PLACEHOLDERS: [(&[&str], Part); 2] = [
    (
        &[
            "Use it when …",
            "description: [TODO",
            "Replace with description of the skill",
        ],
        Part::FrontMatter,
    ),
    (
        &[
            "Write here what a model should know to do it",
            "# Insert instructions below",
        ],
        Part::Body,
    ),
];

#[derive(Clone, Copy)]
enum Part {
    FrontMatter,
    Body,
}

/// Text of a template that still waits for its author; in front matter and body once each.
fn template_left(text: &str, block: &str, body_start: usize) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (placeholders, part) in PLACEHOLDERS {
        let (start, part) = match part {
            Part::FrontMatter => (text.find(block).unwrap_or_default(), block),
            Part::Body => (body_start, text.get(body_start..).unwrap_or_default()),
        };
        let left = placeholders
            .iter()
            .find_map(|left| Some((left, part.find(left)?)));
        if let Some((left, offset)) = left {
            let message = ["a template left its words here: ", &quoted(left)].concat();
            let remedy = "write what is meant in their place: what the skill does and when, or what a model should know";
            let position = Position::in_text(text, start + offset);
            found.push(hint(&TEMPLATE_LEFT, message, remedy).at(position));
        }
    }
    found
}

fn body_long(text: &str, body_start: usize) -> Option<Diagnostic> {
    let body = text.get(body_start..)?;
    let lines = body.trim().lines().count();
    if lines <= MOST_LINES {
        return None;
    }
    let message = format!(
        "the body has {lines} lines; a model reads all of them at once, and {MOST_LINES} should do"
    );
    let remedy = "move what is not always needed into files beside it, and name them in the body";
    Some(hint(&BODY_LONG, message, remedy).at(Position::in_text(text, body_start)))
}

/// Words by which a description says when its skill is wanted.
const WHEN: [&str; 36] = [
    "when",
    "whenever",
    "use",
    "used",
    "useful",
    "using",
    "if",
    "before",
    "after",
    "while",
    "during",
    "upon",
    "once",
    "trigger",
    "triggers",
    "triggered",
    "ask",
    "asks",
    "asked",
    "asking",
    "mention",
    "mentions",
    "mentioned",
    "want",
    "wants",
    "need",
    "needs",
    "request",
    "requests",
    "invoke",
    "cuando",
    "quando",
    "quand",
    "lorsque",
    "wenn",
    "sobald",
];

/// A description that tells what a skill does gives a model no reason to choose it now.
fn without_when(skill: &Skill, block: &str, options: &ReadOptions) -> Option<Diagnostic> {
    let description = lowercase(&skill.description);
    let is_word = |word: &str| WHEN.contains(&word);
    // In what words other scripts say it is not known here.
    let is_known = description
        .chars()
        .filter(|c| c.is_alphabetic())
        .all(|letter| letter < '\u{250}');
    let says_when = description.split(|c: char| !c.is_alphabetic()).any(is_word);
    if says_when || !is_known || skill.trigger.is_some() || !skill.model_invocable {
        return None;
    }
    let document = yaml::read(block, BLOCK_LINE, Mode::Lenient, &options.limits).ok()?;
    let message = "the description says what the skill does, but not when to use it".to_owned();
    let remedy = "add a sentence such as `Use it when …`: by the description alone a model chooses";
    let found = hint(&WITHOUT_WHEN, message, remedy);
    Some(match document.position_of("description") {
        Some(position) => found.at(position),
        None => found,
    })
}

fn not_mentioned(path: &str) -> Diagnostic {
    let message = "nothing in the skill mentions this file, so no model will read it".to_owned();
    let remedy = "say in the body what it is for, or remove it";
    hint(&NOT_MENTIONED, message, remedy).in_file(path)
}

/// Whether a file of a skill has its place by convention, and needs no mention.
fn is_expected(path: &str) -> bool {
    const NAMES: [&str; 7] = [
        "license",
        "licence",
        "copying",
        "notice",
        "readme",
        "changelog",
        "__init__.",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = lowercase(name);
    NAMES.iter().any(|expected| name.starts_with(expected))
        || path == mcp_config::FILE
        || path == "agents/openai.yaml"
}

#[cfg(test)]
mod tests {
    use crate::{ValidateOptions, validate_skill};

    /// `code path line:column` of what hints alone add.
    fn added(files: &[(&str, &str)], hints: &str) -> Vec<String> {
        let found = |options: &str| {
            let options = ValidateOptions::from_json(options).expect("they can be used");
            let files = files
                .iter()
                .map(|(path, text)| ((*path).to_owned(), Some(text.as_bytes().to_vec())))
                .collect();
            let found = validate_skill(files, options).run(|_| unreachable!("nothing is asked"));
            found.expect("it was not over before")
        };
        let without = found("{}");
        found(&format!("{{\"hints\":{hints}}}"))
            .into_iter()
            .filter(|found| !without.contains(found))
            .map(|found| {
                assert!(!found.is_error() && found.hint.is_some());
                let place = found
                    .position
                    .map_or_else(String::new, |at| format!(" {}:{}", at.line, at.column));
                let path = found.path.as_deref().unwrap_or_default().to_owned();
                format!("{} {path}{place}", found.code)
            })
            .collect()
    }

    fn skill(description: &str, body: &str) -> String {
        format!("---\nname: s\ndescription: {description}\n---\n{body}\n")
    }

    #[test]
    fn a_description_should_say_when() {
        for (description, is_found) in [
            ("Fills in PDF forms.", true),
            ("Rellena formularios.", true),
            ("Fills in PDF forms. Use it for every form.", false),
            ("Fills in PDF forms WHENEVER one is there.", false),
            ("PDFフォームに記入します。", false),
            ("Fills in forms.\ntrigger: a form", false),
            ("Fills in forms.\ndisable-model-invocation: true", false),
        ] {
            let found = added(&[("SKILL.md", &skill(description, "B"))], "true");
            let expected: &[&str] = if is_found {
                &["description-without-when SKILL.md 3:14"]
            } else {
                &[]
            };
            assert_eq!(found, expected, "{description}");
        }
    }

    #[test]
    fn words_of_a_template_are_to_be_replaced() {
        for (description, body, expected) in [
            (
                "What it does. Use it when …",
                "Write here what a model should know to do it, as you would.",
                &["template-left SKILL.md 3:28", "template-left SKILL.md 5:1"][..],
            ),
            (
                "Replace with description of the skill and when",
                "# Insert instructions below",
                &["template-left SKILL.md 3:14", "template-left SKILL.md 5:1"],
            ),
            ("\"[TODO: what it does, and when]\"", "Use it.", &[]),
            (
                "Use it when asked.",
                "Mark what is unknown as [TODO]. Use it when …",
                &[],
            ),
        ] {
            let found = added(&[("SKILL.md", &skill(description, body))], "true");
            assert_eq!(found, expected, "{description}");
        }
    }

    #[test]
    fn a_body_should_be_short_and_lines_end_in_one_way() {
        let long = skill("Use it.", &"line\n".repeat(501));
        assert_eq!(
            added(&[("SKILL.md", &long)], "true"),
            ["body-long SKILL.md 5:1"]
        );
        let short = skill("Use it.", &"line\n".repeat(500));
        assert_eq!(added(&[("SKILL.md", &short)], "true"), [""; 0]);
        let windows = skill("Use it.", "B").replace('\n', "\r\n");
        assert_eq!(
            added(&[("SKILL.md", &windows)], "true"),
            ["line-ends SKILL.md 1:4"]
        );
    }

    #[test]
    fn hints_are_turned_off_one_by_one() {
        let text = skill("Fills in forms.", &"line\n".repeat(501));
        let files = [("SKILL.md", text.as_str()), ("a.md", "A")];
        assert_eq!(added(&files, "false"), [""; 0]);
        assert_eq!(
            added(&files, r#"{"body-long":false,"file-not-mentioned":false}"#),
            ["description-without-when SKILL.md 3:14"]
        );
        let unknown = ValidateOptions::from_json(r#"{"hints":{"body-lon":false}}"#);
        let message = unknown.expect_err("there is no such hint").to_string();
        assert!(
            message.contains("hints.body-lon is not known; body-long is"),
            "{message}"
        );
    }

    #[test]
    fn what_is_told_anyway_can_be_turned_off_but_no_error() {
        let found = |hints: &str| {
            let options = ValidateOptions::from_json(hints).expect("they can be used");
            let text = "---\nname: S\ndescription: a # b\n---\n[x](y.md) [z](../z.md)\n";
            let files = vec![("SKILL.md".to_owned(), Some(text.as_bytes().to_vec()))];
            let found = validate_skill(files, options).run(|_| unreachable!("nothing is asked"));
            let found = found.expect("it was not over before");
            found
                .into_iter()
                .map(|found| found.code)
                .collect::<Vec<_>>()
        };
        let all = [
            "name-invalid",
            "yaml-comment-after-text",
            "link-target-missing",
            "link-target-outside",
        ];
        assert_eq!(found("{}"), all);
        let off = r#"{"hints":{"yaml-comment-after-text":false,"link-target-missing":false,
            "link-target-outside":false,"description-without-when":false}}"#;
        assert_eq!(found(off), ["name-invalid"]);
    }
}
