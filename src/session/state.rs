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
    /// How many versions there are under a name, for the same reason.
    versions: Places,
    /// How many skills came with tools of servers.
    serving: usize,
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
        let skills = self.slots.iter().flatten();
        #[cfg(test)]
        let skills = skills.inspect(|_| tests::look());
        skills
    }

    pub(crate) fn get(&self, key: &SkillKey) -> Option<&Held> {
        self.slots.get(self.places.get(&place_name(key))?)?.as_ref()
    }

    /// What was loaded under the name of `key` in other versions, the most recently used first.
    pub(crate) fn other_versions<'a>(
        &'a self,
        key: &'a SkillKey,
    ) -> impl Iterator<Item = &'a Held> {
        let own = usize::from(self.get(key).is_some());
        let others = self.versions.get(&key.name).unwrap_or_default() - own;
        // Mostly there are none, and nothing is looked through for them.
        let others = self
            .skills()
            .rev()
            .take(if others == 0 { 0 } else { usize::MAX });
        others.filter(|held| held.skill.key.name == key.name && held.skill.key != *key)
    }

    /// Whether a skill came with tools of servers.
    pub(crate) fn has_tools(&self) -> bool {
        self.serving > 0
    }

    /// Files that were read: of which skill, and their paths.
    pub(crate) fn resources(&self) -> impl Iterator<Item = (&SkillKey, &str)> {
        let resources = self.resources.iter();
        resources.map(|(skill, path)| (skill, path.as_str()))
    }

    /// Without the skills that `shows` leaves out.
    pub(crate) fn only(self, shows: impl Fn(&SkillKey) -> bool) -> Self {
        let mut shown = Self {
            resources: self.resources,
            ..Self::default()
        };
        for held in self.slots.into_iter().flatten() {
            if shows(held.key()) {
                shown.push(held);
            }
        }
        shown
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
        self.count(&held, 1);
        self.places
            .add(place_name(&held.skill.key), self.slots.len());
        self.slots.push(Some(held));
    }

    /// Takes a skill out. Gaps are closed once they are the larger part, and at the end at once.
    fn take(&mut self, key: &SkillKey) -> Option<Held> {
        let place = self.places.remove(&place_name(key))?;
        let held = self.slots.get_mut(place)?.take();
        if let Some(held) = &held {
            self.count(held, -1);
        }
        while matches!(self.slots.last(), Some(None)) {
            self.slots.pop();
        }
        if self.slots.len() > 2 * self.places.count() + 16 {
            self.slots.retain(Option::is_some);
            self.find_places();
        }
        held
    }

    /// Counts a skill in, or out.
    fn count(&mut self, held: &Held, by: isize) {
        if !held.skill.tools.is_empty() {
            self.serving = self.serving.saturating_add_signed(by);
        }
        let name = &held.skill.key.name;
        let versions = self.versions.remove(name).unwrap_or_default();
        match versions.saturating_add_signed(by) {
            0 => {}
            left => drop(self.versions.add(name.clone(), left)),
        }
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use crate::session::{Session, SessionOptions};
    use crate::{Catalog, LoadOptions, Operation, SkillSpec, Source, ToolOptions};

    thread_local! {
        static LOOKS: Cell<usize> = const { Cell::new(0) };
    }

    /// Counts that a loaded skill was looked at.
    pub(super) fn look() {
        LOOKS.set(LOOKS.get() + 1);
    }

    fn run<T>(work: Operation<T>) -> T {
        let nothing = |_: &_| panic!("what is given in code is asked of nobody");
        work.run(nothing).expect("it was not over before")
    }

    fn source(name: &str) -> Source {
        let spec = format!(r#"{{"name":"{name}","description":"d","content":"c"}}"#);
        Source::in_code(SkillSpec::from_json(&spec).expect("it fits"), None)
    }

    /// How often loaded skills are looked at while so many are loaded, one after the other.
    fn looks(count: usize, load: impl Fn(&Session, String)) -> usize {
        let names: Vec<String> = (0..count).map(|number| format!("skill-{number}")).collect();
        let sources = names.iter().map(|name| source(name)).collect();
        let catalog = run(Catalog::load(sources, LoadOptions::default())).expect("it loads");
        let session = run(Session::begin(&catalog, SessionOptions::default())).expect("it begins");
        LOOKS.set(0);
        for name in names {
            load(&session, name);
        }
        assert_eq!(session.memory.borrow().state.places.count(), count);
        LOOKS.get()
    }

    #[test]
    fn a_load_looks_at_no_more_where_much_is_loaded() {
        let by_user = |session: &Session, name: String| {
            let outcome = run(session.load(name));
            assert!(!outcome.result.is_error());
            drop(outcome.change.accept());
        };
        let by_model = |session: &Session, name: String| {
            let arguments = format!(r#"{{"name":"{name}"}}"#);
            let call = session.call("load_skill".into(), arguments, ToolOptions::default());
            let outcome = run(call);
            assert!(!outcome.result.is_error());
            drop(outcome.change.accept());
        };
        for (few, many) in [
            (looks(10, by_user), looks(400, by_user)),
            (looks(10, by_model), looks(400, by_model)),
        ] {
            assert!(
                few > 0 && many <= few * 400 / 10 + 400,
                "{few}, then {many}"
            );
        }
    }

    #[test]
    fn other_versions_are_found_and_counted() {
        use super::{SkillKey, State};
        use crate::session::LoadedSkill;

        let key = |version: Option<&str>| SkillKey {
            name: "a".to_owned(),
            version: version.map(str::to_owned),
        };
        let found = |state: &State, of: Option<&str>| -> Vec<Option<String>> {
            let key = key(of);
            let others = state.other_versions(&key);
            others.map(|held| held.key().version.clone()).collect()
        };
        let mut state = State::default();
        for version in [None, Some("1"), Some("2")] {
            state.load(&LoadedSkill {
                key: key(version),
                digest: String::new(),
                body: "".into(),
                arguments: None,
                model_invocable: true,
                allowed_tools: std::rc::Rc::default(),
                servers: [].into(),
                tools: [].into(),
            });
        }
        assert_eq!(found(&state, Some("1")), [Some("2".to_owned()), None]);
        assert_eq!(found(&state, Some("3")).len(), 3);
        state.unload(&key(Some("2")));
        assert_eq!(found(&state, Some("1")), [None]);
        let state = state.only(|key| key.version.is_some());
        assert!(found(&state, Some("1")).is_empty());
        assert_eq!(found(&state, None), [Some("1".to_owned())]);
    }
}
