//! The state of a session: the sum of its events.

use super::event::{LoadedSkill, SessionEvent};
use crate::json::{Object, ToJson};
use crate::skill::SkillKey;

/// Files that are remembered at most; the first ones are forgotten first.
const RESOURCES: usize = 1000;

/// What a conversation has loaded.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// The most recently used last.
    pub(crate) skills: Vec<Held>,
    /// Files that were read, in the order in which they were.
    resources: Vec<(SkillKey, String)>,
}

/// A skill that was loaded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Held {
    pub(crate) skill: LoadedSkill,
    /// Whether its text has left the conversation.
    pub(crate) dropped: bool,
}

impl State {
    /// Takes an event. Tells whether it changed anything.
    pub(crate) fn apply(&mut self, event: &SessionEvent) -> bool {
        match event {
            SessionEvent::SkillLoaded(skill) => self.load(skill),
            SessionEvent::SkillUnloaded(key) => self.unload(key),
            SessionEvent::SkillDropped(key) => self.drop_text(key),
            SessionEvent::ResourceLoaded { skill, path } => self.add_resource(skill, path),
        }
    }

    pub(crate) fn get(&self, key: &SkillKey) -> Option<&Held> {
        self.skills.iter().find(|held| held.skill.key == *key)
    }

    /// What was loaded under a name, the most recently used first.
    pub(crate) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Held> {
        let has_name = move |held: &&Held| held.skill.key.name == name;
        self.skills.iter().rev().filter(has_name)
    }

    /// Paths of the files of a skill that were read.
    pub(crate) fn resources_of<'a>(&'a self, key: &'a SkillKey) -> impl Iterator<Item = &'a str> {
        let of_skill = move |(skill, _): &&(SkillKey, String)| skill == key;
        self.resources
            .iter()
            .filter(of_skill)
            .map(|(_, path)| path.as_str())
    }

    fn load(&mut self, skill: &LoadedSkill) -> bool {
        let held = Held {
            skill: skill.clone(),
            dropped: false,
        };
        if self.skills.last() == Some(&held) {
            return false;
        }
        self.skills.retain(|other| other.skill.key != skill.key);
        self.skills.push(held);
        true
    }

    fn unload(&mut self, key: &SkillKey) -> bool {
        let before = (self.skills.len(), self.resources.len());
        self.skills.retain(|held| held.skill.key != *key);
        self.resources.retain(|(skill, _)| skill != key);
        before != (self.skills.len(), self.resources.len())
    }

    fn drop_text(&mut self, key: &SkillKey) -> bool {
        let mut held = self.skills.iter_mut();
        match held.find(|held| held.skill.key == *key && !held.dropped) {
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
        let place = self.skills.iter().position(|held| held.skill.key == *skill);
        let is_last_used = place.is_none_or(|place| place + 1 == self.skills.len());
        if self.resources.last() == Some(&resource) && is_last_used {
            return false;
        }
        if let Some(place) = place {
            self.skills[place..].rotate_left(1);
        }
        self.resources.retain(|other| *other != resource);
        self.resources.push(resource);
        let surplus = self.resources.len().saturating_sub(RESOURCES);
        self.resources.drain(..surplus);
        true
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
        for held in &self.skills {
            events.push(SessionEvent::SkillLoaded(held.skill.clone()));
            if held.dropped {
                events.push(SessionEvent::SkillDropped(held.skill.key.clone()));
            }
        }
        events
    }
}

/// Events in order: `{"events": […]}`.
impl ToJson for State {
    fn write_json(&self, out: &mut String) {
        Object::begin(out).field("events", &self.events()).end();
    }
}
