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

    /// Notes what was found of a skill's servers, as far as there is room: a server may fail often.
    pub(super) fn add_of_server(&mut self, key: &SkillKey, found: Diagnostic) {
        let finding = (key.clone(), found);
        if self.servers.len() < MOST_FINDINGS && !self.servers.contains(&finding) {
            self.servers.push(finding);
        }
    }

    /// Forgets what was found of a skill's servers.
    pub(super) fn clear_servers(&mut self, key: &SkillKey) {
        self.servers.retain(|(of, _)| of != key);
    }

    /// Forgets all that was found of a skill.
    pub(super) fn forget(&mut self, key: &SkillKey) {
        self.set_text(key, None);
        self.clear_servers(key);
    }
}
