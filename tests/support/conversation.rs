//! A session with somebody who listens to it.

use std::cell::RefCell;
use std::ops::Deref;

use skillshelf::{
    Catalog, Error, Operation, Outcome, Session, SessionOptions, Settlement, Stored, ToJson,
};

use super::{Disk, run};

/// A session, what it has told, and which servers are to run for it.
#[derive(Debug)]
pub(crate) struct Conversation {
    pub(crate) session: Session,
    /// What was told and not looked at yet, each as JSON text.
    pub(crate) told: RefCell<Vec<String>>,
    /// What was settled and not looked at yet.
    pub(crate) settled: RefCell<Vec<Settlement>>,
}

impl Deref for Conversation {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl ToJson for Conversation {
    fn write_json(&self, out: &mut String) {
        self.session.write_json(out);
    }
}

impl Conversation {
    pub(crate) fn begin(catalog: &Catalog, options: SessionOptions) -> Result<Self, Error> {
        let session = run(Session::begin(catalog, options), &Disk::default())?;
        Ok(Self {
            session,
            told: RefCell::default(),
            settled: RefCell::default(),
        })
    }

    /// Runs a call to its end, and takes all that it tells.
    pub(crate) fn run<T>(&self, call: Operation<Outcome<T>>, disk: &Disk) -> T {
        self.take(run(call, disk))
    }

    /// Takes all that a call tells.
    pub(crate) fn take<T>(&self, Outcome { result, change }: Outcome<T>) -> T {
        let mut told = self.told.borrow_mut();
        let events = change.events();
        told.extend(events.into_iter().map(ToJson::to_json));
        self.settled.borrow_mut().extend(change.accept());
        result
    }

    /// Takes the first events of a call, if there are more, and refuses the next one: what was taken
    /// before it stays. `journal` is all that was told until now. Tells whether one was refused.
    pub(crate) fn refuse<T>(
        &self,
        Outcome { result, change }: Outcome<T>,
        taken: usize,
        journal: &[String],
    ) -> Result<T, ()> {
        let events: Vec<String> = change.events().into_iter().map(ToJson::to_json).collect();
        if events.len() <= taken {
            return Ok(self.take(Outcome { result, change }));
        }
        let told = &mut *self.told.borrow_mut();
        told.extend(events.into_iter().take(taken));
        let all: Vec<&str> = journal.iter().chain(&*told).map(String::as_str).collect();
        let happened = format!("{{\"state\":[{}]}}", all.join(","));
        let happened = Stored::from_json(&happened).expect("these are events");
        self.settled
            .borrow_mut()
            .extend(change.refuse(taken, happened));
        Err(())
    }
}
