//! What a conversation has loaded, by name.

use super::Session;
use crate::operation::Io;
use crate::places::Places;
use crate::skill::SkillKey;

/// The keys of what is loaded, by the names that it is called by, each in NFKC: its own, and the one
/// that ends in `@version`.
#[derive(Default)]
pub(super) struct HeldNames {
    places: Places,
    keys: Vec<Vec<SkillKey>>,
}

impl HeldNames {
    pub(super) async fn of(session: &Session, io: &Io) -> Self {
        let keys: Vec<SkillKey> = {
            let memory = session.memory.borrow();
            let recent_first = memory.skills().rev();
            recent_first.map(|held| held.key().clone()).collect()
        };
        let names = keys
            .iter()
            .flat_map(|key| [key.name.clone(), key.address()]);
        let names = io.normalize(names.collect()).await;
        let mut held = Self::default();
        for (key, names) in keys.into_iter().zip(names.chunks(2)) {
            for name in names {
                held.add(name, &key);
            }
        }
        held
    }

    fn add(&mut self, name: &str, key: &SkillKey) {
        let place = self.places.get(name);
        match place.and_then(|place| self.keys.get_mut(place)) {
            // Without a version it has one name twice.
            Some(keys) if keys.last() == Some(key) => {}
            Some(keys) => keys.push(key.clone()),
            None => {
                self.places.add(name.to_owned(), self.keys.len());
                self.keys.push(vec![key.clone()]);
            }
        }
    }

    /// The keys of all that has a name, which is as it is looked up, the last used one first.
    pub(super) fn get(&self, name: &str) -> &[SkillKey] {
        let keys = self.places.get(name).and_then(|place| self.keys.get(place));
        keys.map_or(&[], Vec::as_slice)
    }
}
