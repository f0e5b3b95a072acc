//! The state of a session: the sum of its events.

use super::event::{LoadedSkill, SessionEvent};
use crate::json::{Object, ToJson};
use crate::places::Places;
use crate::skill::SkillKey;

/// Files that are remembered at most; the first ones are forgotten first.
const RESOURCES: usize = 1000;

/// What a conversation has loaded.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// The most recently used last; what was used again since has left a gap.
    slots: Vec<Option<Held>>,
    /// Where in `slots` a skill is. A session that goes on from many events would take a time that
    /// grows with their square without it.
    places: Places,
    /// Files that were read, in the order in which they were.
    resources: Vec<(SkillKey, String)>,
}

/// A skill that was loaded.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) skill: LoadedSkill,
    /// Whether its text has left the conversation.
    pub(crate) dropped: bool,
    /// Whether an event with its text was taken: who took it needs it no second time.
    is_told: bool,
}

impl Held {
    pub(crate) fn key(&self) -> &SkillKey {
        &self.skill.key
    }
}

impl State {
    /// The sum of `events`.
    pub(crate) fn of<'a>(events: impl IntoIterator<Item = &'a SessionEvent>) -> Self {
        let mut state = Self::default();
        for event in events {
            state.apply(event);
        }
        state
    }

    /// Takes an event. Tells whether it changed anything.
    pub(crate) fn apply(&mut self, event: &SessionEvent) -> bool {
        match event {
            SessionEvent::SkillLoaded(skill) | SessionEvent::SkillReloaded(skill) => {
                self.load(skill)
            }
            SessionEvent::SkillUnloaded(key) => self.unload(key),
            SessionEvent::SkillDropped(key) => self.drop_text(key),
            SessionEvent::ResourceLoaded { skill, path } => self.add_resource(skill, path),
        }
    }

    /// What was loaded, the most recently used last.
    pub(crate) fn skills(&self) -> impl DoubleEndedIterator<Item = &Held> {
        self.slots.iter().flatten()
    }

    pub(crate) fn get(&self, key: &SkillKey) -> Option<&Held> {
        self.slots.get(self.places.get(&place_name(key))?)?.as_ref()
    }

    /// What was loaded under a name, the most recently used first.
    pub(crate) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Held> {
        let has_name = move |held: &&Held| held.skill.key.name == name;
        self.skills().rev().filter(has_name)
    }

    /// Files that were read: of which skill, and their paths.
    pub(crate) fn resources(&self) -> impl Iterator<Item = (&SkillKey, &str)> {
        let resources = self.resources.iter();
        resources.map(|(skill, path)| (skill, path.as_str()))
    }

    /// Without the skills that `shows` leaves out.
    pub(crate) fn only(mut self, shows: impl Fn(&SkillKey) -> bool) -> Self {
        self.slots
            .retain(|slot| slot.as_ref().is_some_and(|held| shows(&held.skill.key)));
        self.find_places();
        self
    }

    fn load(&mut self, skill: &LoadedSkill) -> bool {
        let last = self.skills().next_back();
        if last.is_some_and(|last| last.skill == *skill && !last.dropped) {
            return false;
        }
        let is_told = self.is_told(skill);
        self.take(&skill.key);
        self.push(Held {
            skill: skill.clone(),
            dropped: false,
            is_told,
        });
        true
    }

    /// Whether an event with this text of a loaded skill was taken.
    pub(crate) fn is_told(&self, skill: &LoadedSkill) -> bool {
        let held = self.get(&skill.key);
        held.is_some_and(|held| held.is_told && held.skill.digest == skill.digest)
    }

    /// Notes that an event with this text was taken.
    pub(crate) fn set_told(&mut self, skill: &LoadedSkill) {
        let place = self.places.get(&place_name(&skill.key));
        let held = place.and_then(|place| self.slots.get_mut(place)?.as_mut());
        if let Some(held) = held
            && held.skill.digest == skill.digest
        {
            held.is_told = true;
        }
    }

    fn unload(&mut self, key: &SkillKey) -> bool {
        let before = self.resources.len();
        self.resources.retain(|(skill, _)| skill != key);
        self.take(key).is_some() || before != self.resources.len()
    }

    fn drop_text(&mut self, key: &SkillKey) -> bool {
        let place = self.places.get(&place_name(key));
        let slot = place.and_then(|place| self.slots.get_mut(place)?.as_mut());
        match slot.filter(|held| !held.dropped) {
            Some(held) => {
                held.dropped = true;
                true
            }
            None => false,
        }
    }

    /// The file is the last one read, and its skill the last one used.
    fn add_resource(&mut self, skill: &SkillKey, path: &str) -> bool {
        let resource = (skill.clone(), path.to_owned());
        let last_used = self.skills().next_back();
        let is_last_used = last_used.is_some_and(|held| held.skill.key == *skill);
        if self.resources.last() == Some(&resource) && (is_last_used || self.get(skill).is_none()) {
            return false;
        }
        if let Some(held) = self.take(skill) {
            self.push(held);
        }
        self.resources.retain(|other| *other != resource);
        self.resources.push(resource);
        let surplus = self.resources.len().saturating_sub(RESOURCES);
        self.resources.drain(..surplus);
        true
    }

    fn push(&mut self, held: Held) {
        self.places
            .add(place_name(&held.skill.key), self.slots.len());
        self.slots.push(Some(held));
    }

    /// Takes a skill out. Gaps are closed once they are the larger part, and at the end at once.
    fn take(&mut self, key: &SkillKey) -> Option<Held> {
        let place = self.places.remove(&place_name(key))?;
        let held = self.slots.get_mut(place)?.take();
        while matches!(self.slots.last(), Some(None)) {
            self.slots.pop();
        }
        if self.slots.len() > 2 * self.places.count() + 16 {
            self.slots.retain(Option::is_some);
            self.find_places();
        }
        held
    }

    fn find_places(&mut self) {
        self.places = Places::default();
        for (place, held) in self.slots.iter().enumerate() {
            if let Some(held) = held {
                self.places.add(place_name(&held.skill.key), place);
            }
        }
    }

    /// The fewest events that lead here.
    pub(crate) fn events(&self) -> Vec<SessionEvent> {
        let mut events = Vec::new();
        // Files first: they would move their skills to the end.
        for (skill, path) in &self.resources {
            events.push(SessionEvent::ResourceLoaded {
                skill: skill.clone(),
                path: path.clone(),
            });
        }
        for held in self.skills() {
            events.push(SessionEvent::SkillLoaded(held.skill.clone()));
            if held.dropped {
                events.push(SessionEvent::SkillDropped(held.skill.key.clone()));
            }
        }
        events
    }
}

/// A skill in one version, as a name among others.
pub(super) fn place_name(key: &SkillKey) -> String {
    match &key.version {
        Some(version) => [&key.name, "\0", version].concat(),
        None => key.name.clone(),
    }
}

/// Events in order: `{"events": […]}`.
impl ToJson for State {
    fn write_json(&self, out: &mut String) {
        Object::begin(out).field("events", &self.events()).end();
    }
}
