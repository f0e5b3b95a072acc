//! The index: what a system prompt says of each skill. Never any part of a body.
//!
//! Whatever a skill says of itself becomes one line: it can neither open, close nor add an entry.

mod candidates;
mod counted;
mod fit;
mod groups;
mod listing;
mod room;

use crate::budget::Budget;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::operation::Io;
use crate::options::{self, Fields, FromFields};
use crate::order::sort_by;
use crate::record::RecordId;
use crate::snapshot::Entry;
use crate::text::{estimated_tokens, quoted};
use crate::tool::ToolName;
use crate::tool_options::{Rename, rename_from};
use crate::value::Value;
use candidates::Candidates;
pub(crate) use candidates::group_of;
use fit::{Fitted, Fitting, Limit};
use room::Scale;

/// The form of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// A heading, a sentence, and `- name: description`.
    #[default]
    Markdown,
    /// The same, indented by two blanks, without Markdown.
    Plain,
    /// The specification's `<available_skills>`.
    Xml,
    /// One JSON object.
    Json,
}

impl Style {
    const NAMES: [(&str, Self); 4] = [
        ("markdown", Self::Markdown),
        ("plain", Self::Plain),
        ("xml", Self::Xml),
        ("json", Self::Json),
    ];
}

/// What an index looks like.
#[derive(Clone, Debug, Default)]
pub struct IndexOptions {
    /// The form of the list.
    pub style: Style,
    /// The line above it.
    pub heading: Option<String>,
    /// The sentence that tells what to do with it.
    pub instruction: Option<String>,
    /// Names that the tools have for the model; their own where nothing is said.
    pub rename: Option<Rename>,
    /// Whether entries name their file.
    pub location: bool,
    /// How long the text may be; as long as it is without one.
    pub budget: Option<Budget>,
    /// Names of skills that come first, in this order.
    pub pinned: Vec<String>,
    /// Those with a higher one come before the others, which have 0; in the order of the ids.
    pub priority: Vec<(RecordId, f64)>,
    /// The groups of skills, where they are not those of their directories; in the order of the ids.
    pub groups: Vec<(RecordId, String)>,
}

impl IndexOptions {
    /// Reads them from JSON text. What the caller's functions say of each skill is an object whose keys
    /// are ids and names, `3:pdf`.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`], which names the option that cannot be used.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }

    /// What a tool is called for the model.
    fn shown_name(&self, tool: ToolName) -> &str {
        let rename = self.rename.as_ref();
        rename.map_or(tool.as_str(), |rename| rename.shown_name(tool))
    }
}

impl FromFields for IndexOptions {
    fn from_fields(fields: &Fields<'_>) -> Self {
        Self {
            style: fields.choice("style", &Style::NAMES),
            heading: fields.text("heading"),
            instruction: fields.text("instruction"),
            rename: fields.get("rename").map(|_| rename_from(fields)),
            location: fields.flag("location", false),
            budget: Budget::from_fields(fields),
            pinned: fields.texts("pinned"),
            priority: of_each(fields, "priority", "a number", |value| match value {
                Value::Number(number) => Some(*number),
                _ => None,
            }),
            groups: of_each(fields, "group", "text", |value| match value {
                Value::String(text) => Some(text.clone()),
                _ => None,
            }),
        }
    }
}

/// What a function of the developer's said of each skill, in the order of the ids.
fn of_each<T>(
    fields: &Fields<'_>,
    key: &'static str,
    expected: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Vec<(RecordId, T)> {
    let mut found = Vec::new();
    fields.kept(key, "a function");
    let Some(Value::Map(said)) = fields.get(key) else {
        return found;
    };
    for (skill, value) in &said.0 {
        let (id, name) = skill.split_once(':').unwrap_or((skill, ""));
        match (id.parse(), read(value)) {
            (Ok(id), Some(value)) => found.push((id, value)),
            _ => {
                let (name, given) = (quoted(name), options::shown(value));
                let expected = ["must give ", expected, " for each skill"].concat();
                fields.refuse(
                    key,
                    &[&expected, "; for ", &name, " it gave ", &given].concat(),
                );
                break;
            }
        }
    }
    sort_by(&mut found, |(a, _), (b, _)| a.cmp(b));
    found
}

/// How much of the skills an index shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// All of every entry.
    Full,
    /// Every name, and as much of the descriptions as there was room for; how to search where some have
    /// none.
    Shortened,
    /// Groups, with as many names as there was room for.
    Grouped,
    /// How skills are found.
    Search,
    /// Nothing: there are no skills, or nothing fits.
    None,
}

impl Form {
    /// As the public interface names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Shortened => "shortened",
            Self::Grouped => "grouped",
            Self::Search => "search",
            Self::None => "none",
        }
    }
}

/// An index, and what is to be known about it.
#[derive(Clone, Debug)]
pub struct IndexReport {
    /// The text for the system prompt.
    pub text: String,
    /// How much it shows.
    pub form: Form,
    /// Skills that the model may load.
    pub total: usize,
    /// Skills that are named in the text.
    pub listed: usize,
    /// Names of those that are named without all of their description.
    pub shortened: Vec<String>,
    /// Names of those that are not in the text.
    pub omitted: Vec<String>,
    /// Code points of the text.
    pub characters: usize,
    /// Its tokens: as the caller counts them, or an estimate.
    pub tokens: usize,
    /// The tools that it tells the model to call.
    pub tools: Vec<ToolName>,
}

impl ToJson for IndexReport {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("text", &self.text)
            .field("form", &self.form.as_str())
            .field("total", &self.total)
            .field("listed", &self.listed)
            .field("shortened", &self.shortened)
            .field("omitted", &self.omitted)
            .field("characters", &self.characters)
            .field("tokens", &self.tokens)
            .field("tools", &self.tools)
            .end();
    }
}

/// The text of the index of `entries`, which the model may load.
pub(crate) async fn prompt(
    io: &Io,
    entries: &[&Entry],
    options: &IndexOptions,
) -> Result<String, Error> {
    let candidates = Candidates::of(entries, options);
    Ok(made(io, &candidates, options).await?.0.text)
}

/// The index of `entries`, which the model may load.
pub(crate) async fn report(
    io: &Io,
    entries: &[&Entry],
    options: &IndexOptions,
) -> Result<IndexReport, Error> {
    let candidates = Candidates::of(entries, options);
    let (fitted, counted) = made(io, &candidates, options).await?;
    let shown = Shown::of(&fitted, &candidates);
    let tools = fit::tools(&fitted).to_vec();
    let Fitted { text, form, .. } = fitted;
    Ok(IndexReport {
        form,
        total: entries.len(),
        listed: entries.len() - shown.omitted.len(),
        shortened: shown.shortened,
        omitted: shown.omitted,
        characters: text.chars().count(),
        tokens: counted.unwrap_or_else(|| estimated_tokens(&text)),
        tools,
        text,
    })
}

/// The index, and how many tokens the caller counts in it.
async fn made<'a>(
    io: &Io,
    candidates: &'a Candidates<'a>,
    options: &'a IndexOptions,
) -> Result<(Fitted<'a>, Option<usize>), Error> {
    let fitting = Fitting {
        candidates,
        options,
    };
    let Some(budget) = options.budget.filter(|_| !candidates.all.is_empty()) else {
        let is_empty = candidates.all.is_empty();
        let fitted = if is_empty {
            Fitted::nothing()
        } else {
            fitting.full()
        };
        return Ok((fitted, None));
    };
    let scale = match budget {
        Budget::Characters(_) => Scale::Characters,
        Budget::Tokens(_) => Scale::QuarterTokens,
        Budget::CountedTokens(_) => {
            let (fitted, count) = counted::within(io, &fitting, budget).await?;
            return Ok((fitted, Some(count)));
        }
    };
    let room = scale.limit(budget.limit());
    Ok((fitting.within(Limit { scale, room }), None))
}

/// Which skills an index shows, and which of them not whole.
struct Shown {
    shortened: Vec<String>,
    omitted: Vec<String>,
}

impl Shown {
    fn of(fitted: &Fitted<'_>, candidates: &Candidates<'_>) -> Self {
        let listing = &fitted.listing;
        let mut shown = Self {
            shortened: Vec::new(),
            omitted: Vec::new(),
        };
        let mut lines = listing.lines.iter();
        let mut named: Vec<&str> = listing
            .groups
            .iter()
            .flat_map(|group| &group.named)
            .copied()
            .collect();
        sort_by(&mut named, Ord::cmp);
        for candidate in &candidates.all {
            let name = candidate.name.to_string();
            match lines.next() {
                Some(line) if candidate.is_whole_in(line) => {}
                Some(_) => shown.shortened.push(name),
                None if named.binary_search(&name.as_str()).is_ok() => shown.shortened.push(name),
                None => shown.omitted.push(name),
            }
        }
        shown
    }
}
