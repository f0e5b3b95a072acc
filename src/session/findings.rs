//! What was found of the skills of a conversation, until they are unloaded or loaded anew; and of names
//! that nothing has.

use crate::diagnostic::{Diagnostic, MOST_FINDINGS};
use crate::skill::SkillKey;

#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Of their texts, when they were looked at last: one for each skill at most.
    texts: Vec<(SkillKey, Diagnostic)>,
    servers: Vec<(SkillKey, ServerFinding)>,
    /// Of the names that were forgotten last.
    unknown_names: Option<Diagnostic>,
}

/// What was found of a skill's servers.
#[derive(Debug)]
pub(super) struct ServerFinding {
    finding: Diagnostic,
    /// The server that cannot be used, if it is about that: once it can be, it is over.
    failed: Option<String>,
}

impl ServerFinding {
    /// What stays until the file is read anew.
    pub(super) fn of_file(finding: Diagnostic) -> Self {
        Self {
            finding,
            failed: None,
        }
    }

    /// Why a server cannot be used.
    pub(super) fn of_failure(server: &str, finding: Diagnostic) -> Self {
        Self {
            finding,
            failed: Some(server.to_owned()),
        }
    }
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

    /// What was found of the names that were forgotten last.
    pub(super) fn of_names(&self) -> Option<&Diagnostic> {
        self.unknown_names.as_ref()
    }

    /// Notes what was found of names that were forgotten, in place of what was found before.
    pub(super) fn set_names(&mut self, found: Option<Diagnostic>) {
        self.unknown_names = found;
    }

    /// What was found of the servers of all skills.
    pub(super) fn of_servers(&self) -> impl Iterator<Item = &Diagnostic> {
        self.servers.iter().map(|(_, found)| &found.finding)
    }

    /// Adds what was found of a skill's server, as far as there is room: a server may fail often.
    pub(super) fn add_of_server(&mut self, key: &SkillKey, found: ServerFinding) {
        // Where the file of it is no longer there, it is the same finding without a path.
        let is_same = |known: &Diagnostic| {
            known.code == found.finding.code && known.message == found.finding.message
        };
        let mut servers = self.servers.iter();
        let is_known = servers.any(|(of, known)| of == key && is_same(&known.finding));
        if self.servers.len() < MOST_FINDINGS && !is_known {
            self.servers.push((key.clone(), found));
        }
    }

    /// Notes that a server of a skill can be used.
    pub(super) fn works(&mut self, key: &SkillKey, server: &str) {
        let is_over = |of: &SkillKey, found: &ServerFinding| {
            of == key
                && found
                    .failed
                    .as_deref()
                    .is_some_and(|failed| failed == server)
        };
        self.servers.retain(|(of, found)| !is_over(of, found));
    }

    /// Notes what was found of a skill's servers, in place of what was found before.
    pub(super) fn set_servers(&mut self, key: &SkillKey, found: Vec<ServerFinding>) {
        self.servers.retain(|(of, _)| of != key);
        for finding in found {
            self.add_of_server(key, finding);
        }
    }
}
