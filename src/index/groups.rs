//! The groups of an index that cannot name all skills.

use super::IndexOptions;
use super::candidates::Candidates;
use super::listing::Group;
use super::room::Scale;
use crate::order::sort_by;
use crate::places::Places;

/// The groups that skills are in, and in which order their names are added.
pub(super) struct Grouping<'a> {
    /// The largest first; last what is in none.
    pub(super) groups: Vec<Group<'a>>,
    /// Those that are not pinned, in the order in which they are named.
    unnamed: Vec<Unnamed<'a>>,
}

/// A skill that no line names, and where its group is.
#[derive(Clone, Copy)]
struct Unnamed<'a> {
    name: &'a str,
    group: usize,
}

impl<'a> Grouping<'a> {
    /// Groups by the first `depth` parts of the skills' groups.
    pub(super) fn of(
        candidates: &'a Candidates<'a>,
        options: &'a IndexOptions,
        depth: Depth,
    ) -> Self {
        let mut groups: Vec<Group<'a>> = Vec::new();
        let mut places = Places::default();
        let mut members = Vec::with_capacity(candidates.all.len());
        for candidate in &candidates.all {
            let name = depth.of(candidate.group(options));
            let place = places.get(name).unwrap_or(groups.len());
            if let Some(group) = groups.get_mut(place) {
                group.count += 1;
            } else {
                places.add(name.to_owned(), place);
                groups.push(Group {
                    name,
                    count: 1,
                    named: Vec::new(),
                    unnamed: 0,
                });
            }
            members.push(place);
        }
        let places = put_in_order(&mut groups);
        let mut grouping = Self {
            groups,
            unnamed: Vec::new(),
        };
        let members = members.into_iter().filter_map(|place| places.get(place));
        grouping.take_turns(candidates, members.copied());
        grouping
    }

    /// Decides the order of the names: by rank, and within a rank each group in its turn.
    fn take_turns(&mut self, candidates: &'a Candidates<'a>, members: impl Iterator<Item = usize>) {
        let ranks = candidates.ranks(candidates.all.len());
        let rank_of = ranks.into_iter().enumerate();
        let mut rank_of = rank_of.flat_map(|(rank, range)| range.map(move |_| rank));
        let mut turns: Vec<(usize, usize, Unnamed<'a>)> = Vec::new();
        for (index, (candidate, group)) in candidates.all.iter().zip(members).enumerate() {
            let rank = rank_of.next().unwrap_or_default();
            if index < candidates.pinned {
                continue;
            }
            if let Some(its) = self.groups.get_mut(group) {
                let name = &*candidate.name;
                turns.push((rank, its.unnamed, Unnamed { name, group }));
                its.unnamed += 1;
            }
        }
        sort_by(&mut turns, |a, b| {
            (a.0, a.1, a.2.group).cmp(&(b.0, b.1, b.2.group))
        });
        self.unnamed = turns.into_iter().map(|(_, _, unnamed)| unnamed).collect();
    }

    /// Whether there is a group to ask for.
    pub(super) fn is_divided(&self) -> bool {
        self.groups.iter().any(|group| !group.name.is_empty())
    }

    /// Names skills as long as there is room.
    pub(super) fn name_as_many_as_fit(&mut self, mut room: usize, costs: &Costs) {
        for Unnamed { name, group } in &self.unnamed {
            if room < costs.least() {
                break;
            }
            let Some(group) = self.groups.get_mut(*group) else {
                continue;
            };
            let size = costs.of(group);
            group.named.push(name);
            group.unnamed -= 1;
            // The last one takes the place of the sign that there are more.
            let needed = costs.of(group) + costs.name(name);
            let left = (room + size).checked_sub(needed);
            if left.is_none() {
                // Shorter names may still fit.
                group.named.pop();
                group.unnamed += 1;
            }
            room = left.unwrap_or(room);
        }
    }
}

/// How many parts of a group's name count.
#[derive(Clone, Copy)]
pub(super) enum Depth {
    All,
    First,
}

impl Depth {
    fn of(self, group: &str) -> &str {
        match self {
            Self::All => group,
            Self::First => group.split_once('/').map_or(group, |(first, _)| first),
        }
    }
}

/// Brings groups into the order in which they are shown. Gives the new places of the old ones.
fn put_in_order(groups: &mut Vec<Group<'_>>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    sort_by(&mut order, |a, b| {
        let (a, b) = (&groups[*a], &groups[*b]);
        let by_kind = a.name.is_empty().cmp(&b.name.is_empty());
        by_kind
            .then(b.count.cmp(&a.count))
            .then_with(|| a.name.cmp(b.name))
    });
    let mut places = vec![0; order.len()];
    for (place, old) in order.iter().enumerate() {
        places[*old] = place;
    }
    *groups = order.iter().map(|old| groups[*old].clone()).collect();
    places
}

/// What the names of a group take beside the letters of the names.
pub(super) struct Costs {
    scale: Scale,
    write: fn(&mut String, &Group<'_>),
    /// Around a single name.
    first: usize,
    /// Around each further one.
    further: usize,
    /// That there are more.
    more: usize,
}

impl Costs {
    pub(super) fn new(scale: Scale, write: fn(&mut String, &Group<'_>)) -> Self {
        let size = |named, unnamed| size(scale, write, named, unnamed);
        let one = size(vec![LETTER], 0);
        Self {
            scale,
            write,
            first: one - size(Vec::new(), 0) - LETTER.len(),
            further: size(vec![LETTER; 2], 0) - one - LETTER.len(),
            more: size(vec![LETTER], 1) - one,
        }
    }

    /// What stands around the names of a group.
    fn of(&self, group: &Group<'_>) -> usize {
        let Some(others) = group.named.len().checked_sub(1) else {
            return 0;
        };
        let more = if group.unnamed > 0 { self.more } else { 0 };
        self.first + others * self.further + more
    }

    /// What one more name takes at least.
    fn least(&self) -> usize {
        (self.further + LETTER.len()).saturating_sub(self.more)
    }

    /// A name as it is written.
    fn name(&self, name: &str) -> usize {
        let size = |name| size(self.scale, self.write, vec![name], 0);
        size(name) - size(LETTER) + LETTER.len()
    }
}

/// A name that is written as it is.
const LETTER: &str = "a";

fn size(
    scale: Scale,
    write: fn(&mut String, &Group<'_>),
    named: Vec<&str>,
    unnamed: usize,
) -> usize {
    let mut out = String::new();
    let group = Group {
        name: "",
        count: 0,
        named,
        unnamed,
    };
    write(&mut out, &group);
    scale.of(&out)
}
