//! Where things stand in a list, by name. The one hash table of the crate: every other type of key
//! or value would be another copy of its code.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rustc_hash::FxBuildHasher;

/// Places in a list, by name. The standard hasher takes several times as long, and protects nobody here:
/// where the core runs there is no chance that it could be seeded by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(HashMap<String, usize, FxBuildHasher>);

impl Places {
    /// The place of a name.
    pub(crate) fn get(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }

    /// Notes the place of a name that has none yet. Tells whether it had none.
    pub(crate) fn add(&mut self, name: String, place: usize) -> bool {
        match self.0.entry(name) {
            Entry::Vacant(vacant) => {
                vacant.insert(place);
                true
            }
            Entry::Occupied(_) => false,
        }
    }

    /// Forgets a name. Gives the place that it had.
    pub(crate) fn remove(&mut self, name: &str) -> Option<usize> {
        self.0.remove(name)
    }

    /// How many names have a place.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }
}

/// Names, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(Places);

impl Names {
    /// Whether a name is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.count()
    }

    /// Adds a name. Tells whether it is new.
    pub(crate) fn add(&mut self, name: String) -> bool {
        self.0.add(name, 0)
    }
}
