//! An event that its listener refused: it is as if it had not happened.

use super::Session;
use super::event::{SessionEvent, StoredEvents};
use super::state::State;
use crate::call::ToolResult;
use crate::error::Error;
use crate::json::{Object, ToJson};
use crate::options::{self, Fields, FromFields};

/// What a listener refused.
#[derive(Debug)]
pub struct Refusal {
    /// What happened all the same.
    pub events: Vec<SessionEvent>,
    /// Which event it was: its type.
    pub event: String,
    /// The skill that it was about.
    pub skill: String,
    /// The listener's own words.
    pub message: String,
}

impl Refusal {
    /// Reads it from JSON text: `{"state": […], "event", "skill", "message"}`.
    ///
    /// # Errors
    ///
    /// [`Error::SourceUnsupported`]: it is none.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        options::read(json)
    }
}

impl FromFields for Refusal {
    fn from_fields(fields: &Fields<'_>) -> Self {
        let StoredEvents(events) = StoredEvents::from_state(fields);
        Self {
            events,
            event: fields.required_text("event"),
            skill: fields.required_text("skill"),
            message: fields.required_text("message"),
        }
    }
}

/// What a call comes to whose event was refused: an error, or a result.
#[derive(Debug)]
pub struct Refused {
    error: Error,
    result: ToolResult,
}

impl ToJson for Refused {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("error", &self.error)
            .field("content", &self.result.content)
            .field("result", &self.result)
            .end();
    }
}

impl Session {
    /// Takes back what a listener refused: the state is the sum of what happened all the same, and of
    /// what was not told yet.
    pub fn take_back(&self, refusal: Refusal) -> Refused {
        let mut memory = self.memory.borrow_mut();
        memory.state = State::of(refusal.events.iter().chain(&memory.untold));
        let error = Error::EventRefused {
            event: refusal.event,
            skill: refusal.skill.clone(),
            message: refusal.message,
        };
        let result = ToolResult::error(&error, Some(refusal.skill));
        Refused { error, result }
    }
}
