//! A session without a catalog: what its events say by themselves.

use super::Loaded;
use super::event::StoredEvents;
use super::state::State;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields};

/// The sum of events, where the catalog of their session is lost.
#[derive(Debug)]
pub struct Stored {
    pub(super) state: State,
    left_out: Vec<String>,
}

impl Stored {
    /// Reads it from JSON text: `{"state": […], "leftOut": […]}`.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`]: there are no such events.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for Stored {
    fn from_fields(fields: &Fields<'_>) -> Self {
        let StoredEvents(events) = StoredEvents::from_state(fields);
        Self {
            state: State::of(&events),
            left_out: fields.texts("leftOut"),
        }
    }
}

/// `{"state": {"events": […]}, "loaded": […]}`
impl ToJson for Stored {
    fn write_json(&self, out: &mut String) {
        let loaded = self.state.skills();
        let loaded = loaded.filter(|held| !self.left_out.contains(&held.key().name));
        let loaded: Vec<Loaded> = loaded.map(Loaded::of).collect();
        Object::begin(out)
            .field("state", &self.state)
            .field("loaded", &loaded)
            .end();
    }
}
