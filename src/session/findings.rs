//! What was found of the skills of a conversation, until they are unloaded or loaded anew.

use crate::diagnostic::{Diagnostic, MOST_FINDINGS};
use crate::skill::SkillKey;

#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Of their texts, when they were looked at last: one for each skill at most.
    texts: Vec<(SkillKey, Diagnostic)>,
    servers: Vec<(SkillKey, Diagnostic)>,
}

impl Findings {
    /// What was found of a skill's text.
    pub(super) fn text_of(&self, key: &SkillKey) -> Option<&Diagnostic> {
        let mut texts = self.texts.iter();
        texts.find(|(of, _)| of == key).map(|(_, found)| found)
    }

    /// Notes what was found of a skill's text, or that all is well with it.
    pub(super) fn set_text(&mut self, key: &SkillKey, found: Option<Diagnostic>) {
        self.texts.retain(|(of, _)| of != key);
        self.texts.extend(found.map(|found| (key.clone(), found)));
    }

    /// What was found of the servers of all skills.
    pub(super) fn of_servers(&self) -> impl Iterator<Item = &Diagnostic> {
        self.servers.iter().map(|(_, found)| found)
    }

    /// Adds what was found of a skill's server, as far as there is room: a server may fail often.
    pub(super) fn add_of_server(&mut self, key: &SkillKey, found: Diagnostic) {
        // Where the file of it is no longer there, it is the same finding without a path.
        let is_known = self.servers.iter().any(|(of, known)| {
            of == key && known.code == found.code && known.message == found.message
        });
        if self.servers.len() < MOST_FINDINGS && !is_known {
            self.servers.push((key.clone(), found));
        }
    }

    /// Notes what was found of a skill's servers, in place of what was found before.
    pub(super) fn set_servers(&mut self, key: &SkillKey, found: Vec<Diagnostic>) {
        self.servers.retain(|(of, _)| of != key);
        for finding in found {
            self.add_of_server(key, finding);
        }
    }
}
