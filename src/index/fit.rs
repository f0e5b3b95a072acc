//! How much of the skills an index shows within a limit: all; else every name, and as much of the
//! descriptions as there is room for, with how to search where some have none; else groups with some names; else how to search; else nothing.

use std::borrow::Cow;

use super::candidates::{Candidate, Candidates};
use super::groups::{Costs, Depth, Grouping};
use super::listing::{Line, Listing, text, writer};
use super::room::{Measure, Scale, Wanted};
use super::{Form, IndexOptions};
use crate::tool::ToolName;

/// Groups have their full names where they take at most one part in so many of the room; otherwise
/// the first part of these counts. What groups take, names of skills cannot have.
const SHARE_OF_GROUPS: usize = 2;

/// How long an index may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) scale: Scale,
    /// In that scale.
    pub(super) room: usize,
}

/// An index that fits.
#[derive(Clone, Debug)]
pub(super) struct Fitted<'a> {
    pub(super) text: String,
    pub(super) form: Form,
    pub(super) listing: Listing<'a>,
}

impl Fitted<'_> {
    /// Not a word.
    pub(super) fn nothing() -> Self {
        Self {
            text: String::new(),
            form: Form::None,
            listing: Listing::default(),
        }
    }
}

/// Decides what is shown.
pub(super) struct Fitting<'a> {
    pub(super) candidates: &'a Candidates<'a>,
    pub(super) options: &'a IndexOptions,
}

impl<'a> Fitting<'a> {
    /// All of every skill.
    pub(super) fn full(&self) -> Fitted<'a> {
        let lines = self.candidates.all.iter();
        let lines = lines.map(|candidate| whole_line(candidate)).collect();
        let listing = Listing {
            lines,
            ..Listing::default()
        };
        self.written(listing, Form::Full)
    }

    /// As much as fits.
    pub(super) fn within(&self, limit: Limit) -> Fitted<'a> {
        let forms = [Self::with_all_names, Self::grouped, Self::search];
        let fitted = forms.into_iter().filter_map(|form| form(self, limit));
        let mut fitting = fitted.filter(|fitted| limit.scale.of(&fitted.text) <= limit.room);
        fitting.next().unwrap_or_else(Fitted::nothing)
    }

    fn written(&self, listing: Listing<'a>, form: Form) -> Fitted<'a> {
        Fitted {
            text: text(&listing, self.options),
            form,
            listing,
        }
    }

    /// Every name, and descriptions as far as there is room. Where some have none, also how to find what
    /// a name does not tell, as long as that fits beside the names.
    fn with_all_names(&self, limit: Limit) -> Option<Fitted<'a>> {
        let mut best = self.described(Listing::default(), limit)?;
        if best.lines.iter().any(|line| line.description.is_none()) {
            let mut advised = self.advice_to_search().into_iter();
            let advised = advised.find_map(|advised| self.described(advised, limit));
            best = advised.unwrap_or(best);
        }
        let mut pairs = best.lines.iter().zip(&self.candidates.all);
        let form = if pairs.all(|(line, candidate)| candidate.is_whole_in(line)) {
            Form::Full
        } else {
            Form::Shortened
        };
        Some(self.written(best, form))
    }

    /// How to find what is not described: in a sentence more; or in fewer words, which take the place of
    /// the usual sentence and no more room than that.
    fn advice_to_search(&self) -> [Listing<'a>; 2] {
        let search = self.shown(ToolName::SearchSkills);
        let long = format!(
            "Not all skills are described here: call `{search}` with words of the task to find those for it."
        );
        let is_usual = self.options.instruction.is_none();
        let brief = if is_usual {
            let load = self.shown(ToolName::LoadSkill);
            format!(
                "Before a task, call `{load}` with the name of a skill for it, or find one with `{search}`."
            )
        } else {
            format!("`{search}` finds more.")
        };
        [(long, false), (brief, is_usual)].map(|(advice, is_advice_all)| Listing {
            advice,
            is_advice_all,
            ..Listing::default()
        })
    }

    /// Every name below an advice, and descriptions as far as there is room.
    fn described(&self, advised: Listing<'a>, limit: Limit) -> Option<Listing<'a>> {
        let count = self.candidates.all.len();
        let (mut listing, room) = self.names(count, advised, limit)?;
        self.describe(&mut listing.lines, room, limit.scale);
        Some(listing)
    }

    /// The first names with their locations, or without them, below an advice; and the room that is left.
    fn names(
        &self,
        count: usize,
        mut listing: Listing<'a>,
        limit: Limit,
    ) -> Option<(Listing<'a>, usize)> {
        let first = self.candidates.all.get(..count)?;
        let mut bare = 0;
        for candidate in first {
            bare += limit.scale.of(&candidate.name);
            if bare > limit.room {
                return None;
            }
        }
        listing.lines = first
            .iter()
            .map(|candidate| named_line(candidate))
            .collect();
        let room = |listing: &Listing<'_>| self.room_beside(listing, limit);
        let left = room(&listing).or_else(|| {
            for line in &mut listing.lines {
                line.location = None;
            }
            room(&listing)
        })?;
        Some((listing, left))
    }

    /// The room that a listing leaves; none where it does not fit.
    fn room_beside(&self, listing: &Listing<'_>, limit: Limit) -> Option<usize> {
        let size = limit.scale.of(&text(listing, self.options));
        limit.room.checked_sub(size)
    }

    /// Adds descriptions to the lines of the first skills. Gives the room that is left.
    fn describe(&self, lines: &mut [Line<'a>], mut room: usize, scale: Scale) -> usize {
        let measure = self.measure(scale);
        for rank in self.candidates.ranks(lines.len()) {
            let candidates = self.candidates.all.get(rank.clone()).unwrap_or_default();
            let wanted: Vec<Wanted<'a>> = candidates
                .iter()
                .map(|candidate| measure.wanted(&candidate.description))
                .collect();
            let (shown, left) = measure.shared(&wanted, room);
            room = left;
            let lines = lines.get_mut(rank).unwrap_or_default();
            for (line, description) in lines.iter_mut().zip(shown) {
                line.description = description;
            }
        }
        room
    }

    fn measure(&self, scale: Scale) -> Measure {
        let writer = writer(self.options.style);
        let size = |description| {
            let mut out = String::new();
            let sample = Line {
                name: "",
                description,
                location: None,
            };
            (writer.line)(&mut out, &sample);
            scale.of(&out)
        };
        Measure {
            scale,
            writer,
            around: size(Some(Cow::Borrowed(""))) - size(None),
        }
    }

    /// What is pinned, then groups with as many names as fit.
    fn grouped(&self, limit: Limit) -> Option<Fitted<'a>> {
        let candidates = self.candidates;
        [Depth::All, Depth::First].into_iter().find_map(|depth| {
            let mut grouping = Grouping::of(candidates, self.options, depth);
            if grouping.groups.len() > limit.room {
                return None;
            }
            let advised = Listing {
                advice: self.advice(&grouping),
                ..Listing::default()
            };
            let (mut listing, without_groups) = self.names(candidates.pinned, advised, limit)?;
            listing.groups.clone_from(&grouping.groups);
            let room = self.room_beside(&listing, limit)?;
            let taken = without_groups.saturating_sub(room);
            if matches!(depth, Depth::All) && taken > without_groups / SHARE_OF_GROUPS {
                return None;
            }
            let room = self.describe(&mut listing.lines, room, limit.scale);
            let costs = Costs::new(limit.scale, writer(self.options.style).group);
            grouping.name_as_many_as_fit(room, &costs);
            listing.groups = grouping.groups;
            Some(self.written(listing, Form::Grouped))
        })
    }

    /// What is pinned, as far as it fits, and how to find the rest.
    fn search(&self, limit: Limit) -> Option<Fitted<'a>> {
        let total = self.candidates.all.len();
        let search = self.shown(ToolName::SearchSkills);
        let advice = format!(
            "There are {total} skills, too many to list here: call `{search}` with words of the task to find those for it."
        );
        let advised = Listing {
            advice,
            ..Listing::default()
        };
        let mut fitting = self.names(0, advised.clone(), limit)?;
        // As many pinned ones as fit: between how many do, and how many do not.
        let (mut fit, mut do_not) = (0, self.candidates.pinned + 1);
        while do_not - fit > 1 {
            let count = usize::midpoint(fit, do_not);
            match self.names(count, advised.clone(), limit) {
                Some(more) => (fit, fitting) = (count, more),
                None => do_not = count,
            }
        }
        let (mut listing, room) = fitting;
        self.describe(&mut listing.lines, room, limit.scale);
        Some(self.written(listing, Form::Search))
    }

    fn advice(&self, grouping: &Grouping<'_>) -> String {
        let total = self.candidates.all.len();
        let search = self.shown(ToolName::SearchSkills);
        let list = self.shown(ToolName::ListSkills);
        let rename = self.options.rename.as_ref();
        let group = rename.map_or("group", |rename| {
            rename.shown_argument(ToolName::ListSkills, "group")
        });
        let which = if grouping.is_divided() {
            format!("those of a group, with its name as `{group}`")
        } else {
            "all of them".to_owned()
        };
        format!(
            "There are {total} skills, not all of which are named here: call `{search}` with words of the task to find those for it, or `{list}` to list {which}."
        )
    }

    fn shown(&self, tool: ToolName) -> &str {
        self.options.shown_name(tool)
    }
}

fn named_line<'a>(candidate: &'a Candidate<'a>) -> Line<'a> {
    Line {
        name: &candidate.name,
        description: None,
        location: candidate.location.as_deref(),
    }
}

fn whole_line<'a>(candidate: &'a Candidate<'a>) -> Line<'a> {
    Line {
        description: Some(Cow::Borrowed(&candidate.description)),
        ..named_line(candidate)
    }
}

/// The tools that an index tells the model to call.
pub(super) fn tools(fitted: &Fitted<'_>) -> &'static [ToolName] {
    const LOAD: ToolName = ToolName::LoadSkill;
    match fitted.form {
        Form::Grouped => &[LOAD, ToolName::ListSkills, ToolName::SearchSkills],
        Form::None => &[],
        _ if fitted.listing.advice.is_empty() => &[LOAD],
        _ => &[LOAD, ToolName::SearchSkills],
    }
}
