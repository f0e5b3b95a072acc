//! What has become of the skills of a conversation since they were loaded.

use super::Session;
use super::state::Held;
use crate::body;
use crate::diagnostic::{Diagnostic, Rule};
use crate::digest::sha256;
use crate::error::Error;
use crate::near::{near, near_names};
use crate::operation::{Branch, Io, Operation};
use crate::skill::SkillKey;
use crate::snapshot::{Entry, Snapshot};
use crate::text::{counted, quoted};

const SKILL_CHANGED: Rule = Rule::info("session-skill-changed");
const NAME_UNKNOWN: Rule = Rule::warning("session-name-unknown");
const SKILL_LEFT_OUT: Rule = Rule::info("session-skill-left-out");
const SKILL_UNREADABLE: Rule = Rule::warning("session-skill-unreadable");
const SKILL_VANISHED: Rule = Rule::warning("session-skill-vanished");
const KEPT: &str =
    "the session keeps the text that was loaded; unload the skill if it no longer applies";

impl Session {
    /// What is to be said of the skills of this conversation: what the catalog tells now, and what was
    /// found when they and their servers were last looked at. No file is read for it.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let snapshot = self.catalog.snapshot();
        let memory = self.memory.borrow();
        let mut found = Vec::new();
        let mut is_left_out = false;
        for held in memory.state.skills() {
            let key = held.key();
            if memory.shows(key) {
                found.extend(match self.file_of(&snapshot, key) {
                    Some(_) => memory.findings.text_of(key).cloned(),
                    None => Some(self.vanished(key)),
                });
            } else {
                is_left_out = true;
            }
        }
        if is_left_out {
            found.push(self.left_out_finding());
        }
        found.extend(self.catalog.pattern_findings());
        found.extend(memory.findings.of_servers().cloned());
        found.extend(memory.findings.of_names().cloned());
        found
    }

    /// Which of the loaded skills have changed since, can no longer be read, or are no longer there.
    pub fn check(&self) -> Operation<Vec<Diagnostic>> {
        let session = self.clone();
        Operation::new(|io| async move {
            let state = session.memory.borrow().shown();
            let session = &session;
            let checks = state.skills().map(|held| {
                move |io: Io| -> Branch<'_, Option<Diagnostic>> {
                    Box::pin(async move { session.check_skill(&io, held).await })
                }
            });
            let found = io.side_by_side(checks.collect()).await;
            for (held, found) in state.skills().zip(&found) {
                session.note_text(held, found.clone());
            }
            found.into_iter().flatten().collect()
        })
    }

    async fn check_skill(&self, io: &Io, held: &Held) -> Option<Diagnostic> {
        let key = held.key();
        let snapshot = self.catalog.snapshot();
        let Some(entry) = self.file_of(&snapshot, key) else {
            return Some(self.vanished(key));
        };
        let body = body::read(io, &self.catalog, entry).await;
        match body.and_then(|body| body.text) {
            Ok(body) if sha256(body.as_bytes()) == held.skill.digest => None,
            Ok(_) => Some(self.changed(key)),
            Err(error) => Some(self.unread(key, &error)),
        }
    }

    /// The entry of a loaded skill. Its file may say another version by now, before the catalog does
    /// or after.
    pub(super) fn file_of<'a>(&self, snapshot: &'a Snapshot, key: &SkillKey) -> Option<&'a Entry> {
        self.entry_of(snapshot, key).or_else(|| {
            let named = snapshot.named(&key.name);
            named.filter(|entry| self.catalog.shows(entry))
        })
    }

    /// Notes what was found of a skill's text, if it is still the one that is loaded.
    pub(super) fn note_text(&self, held: &Held, found: Option<Diagnostic>) {
        let mut memory = self.memory.borrow_mut();
        let now = memory.state.get(held.key());
        if now.is_some_and(|now| now.skill.digest == held.skill.digest) {
            memory.findings.set_text(held.key(), found);
        }
    }

    /// That names were to be forgotten that nothing has.
    pub(super) fn unknown_names(&self, names: &[String]) -> Option<Diagnostic> {
        let first = names.first()?;
        let mut message = ["forget was given ", &quoted(first)].concat();
        let more = names.len() - 1;
        if more > 0 {
            message.push_str(&format!(" and {}", counted(more, "more name")));
        }
        message.push_str(": nothing of this name is loaded, nor in the catalog");
        let snapshot = self.catalog.snapshot();
        let memory = self.memory.borrow();
        let loaded = memory.skills().map(|held| held.key().name.as_str());
        let entries = self.catalog.entries(&snapshot);
        let near = near(
            first,
            loaded.chain(entries.map(|entry| entry.skill.name.as_str())),
        );
        let near = near_names(&near);
        let hint = if near.is_empty() {
            "name what session.loaded has".to_owned()
        } else {
            near.trim_start().to_owned()
        };
        let found = Diagnostic::new(&NAME_UNKNOWN, self.catalog.options().mode, message);
        Some(found.with_hint(hint))
    }

    fn changed(&self, key: &SkillKey) -> Diagnostic {
        let problem = "has changed since it was loaded in this session";
        let hint = "load it again to have the new text";
        self.finding(&SKILL_CHANGED, key, problem, hint)
    }

    pub(super) fn vanished(&self, key: &SkillKey) -> Diagnostic {
        let problem = "was loaded in this session and is no longer there";
        self.finding(&SKILL_VANISHED, key, problem, KEPT)
    }

    /// Why the file of a loaded skill could not be read.
    pub(super) fn unread(&self, key: &SkillKey, error: &Error) -> Diagnostic {
        if matches!(error, Error::FileNotFound { .. }) {
            return self.vanished(key);
        }
        let reason = error.to_string();
        let problem = [
            "was loaded in this session and cannot be read now: ",
            reason.trim_end_matches('.'),
        ];
        self.finding(&SKILL_UNREADABLE, key, &problem.concat(), KEPT)
    }

    /// It names none of them: what is left out is nowhere.
    fn left_out_finding(&self) -> Diagnostic {
        let message = "this conversation had loaded what is left out by only now";
        let hint = "let it through, if the conversation is to go on with it; the state keeps it";
        Diagnostic::new(&SKILL_LEFT_OUT, self.catalog.options().mode, message).with_hint(hint)
    }

    fn finding(
        &self,
        rule: &Rule,
        key: &SkillKey,
        problem: &str,
        hint: &'static str,
    ) -> Diagnostic {
        let message = ["the skill ", &quoted(&key.address()), " ", problem].concat();
        Diagnostic::new(rule, self.catalog.options().mode, message)
            .with_hint(hint)
            .about(key.name.clone())
    }
}
