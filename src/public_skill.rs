//! A skill and where it is from, as the public interface shows it.

use std::rc::Rc;

use crate::define::SkillSpec;
use crate::discovery::SKILL_FILE;
use crate::host::HostFacts;
use crate::json::{Object, ToJson};
use crate::path;
use crate::record::{Origin, Record};
use crate::skill::Skill;

/// A skill and where it is from, as the public interface shows it.
#[derive(Clone, Debug)]
pub struct PublicSkill {
    skill: Rc<Skill>,
    source: Option<SkillSource>,
    content: Option<String>,
}

#[derive(Clone, Debug)]
struct SkillSource {
    label: String,
    path: String,
    directory: Option<String>,
}

impl ToJson for PublicSkill {
    fn write_json(&self, out: &mut String) {
        let mut object = Object::begin(out);
        self.skill.write_fields(&mut object);
        object
            .optional("source", self.source.as_ref())
            .optional("content", self.content.as_ref())
            .end();
    }
}

impl ToJson for SkillSource {
    fn write_json(&self, out: &mut String) {
        Object::begin(out)
            .field("label", &self.label)
            .field("path", &self.path)
            .optional("directory", self.directory.as_ref())
            .end();
    }
}

impl PublicSkill {
    /// Of a skill that is given in code, whatever the host of its files is.
    pub fn defined(spec: SkillSpec) -> Self {
        let files = spec.files_on(HostFacts::default());
        let skill = Rc::new(spec.skill().clone());
        Self::of(&spec.into_record(files), skill)
    }

    pub(crate) fn of(record: &Record, skill: Rc<Skill>) -> Self {
        let directory = record.shown_directory().map(str::to_owned);
        let (source, content) = match &record.origin {
            Origin::File(file) => {
                let (label, path) = (file.label.to_string(), file.shown.to_string());
                (
                    Some(SkillSource {
                        label,
                        path,
                        directory,
                    }),
                    None,
                )
            }
            Origin::Defined(definition) => {
                let source = directory.map(|directory| SkillSource {
                    label: "code".to_owned(),
                    path: path::join(&directory, SKILL_FILE),
                    directory: Some(directory),
                });
                (source, Some(definition.content.clone()))
            }
        };
        Self {
            skill,
            source,
            content,
        }
    }
}
