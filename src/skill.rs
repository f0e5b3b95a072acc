//! A skill, as its front matter says.

use crate::json::{Object, ToJson};
use crate::value::{Map, Value};

const METADATA: &str = "metadata";
const DESCRIPTION: &str = "description";

/// A skill in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillKey {
    /// Its name, as the catalog lists it.
    pub name: String,
    /// From its front matter, or from its metadata.
    pub version: Option<String>,
}

impl SkillKey {
    /// `name`, or `name@version`: what addresses it.
    pub(crate) fn address(&self) -> String {
        match &self.version {
            Some(version) => [&self.name, "@", version].concat(),
            None => self.name.clone(),
        }
    }
}

/// A skill as the index knows it. Never holds a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Skill {
    /// The name, as it is shown and asked for.
    pub name: String,
    /// The description, trimmed.
    pub description: String,
    /// From the front matter, or from its metadata.
    pub version: Option<String>,
    /// As written.
    pub license: Option<String>,
    /// As written.
    pub compatibility: Option<String>,
    /// One item a tool; empty differs from absent.
    pub allowed_tools: Option<Vec<String>>,
    /// All keys, as written; where the description is written as it is above, there is null in its
    /// place, since it is most of what a catalog keeps of a skill.
    pub(crate) written: Map,
    /// As written.
    pub trigger: Option<String>,
    /// Whether the model sees and loads it.
    pub model_invocable: bool,
    /// Whether it is offered to the user.
    pub user_invocable: bool,
}

static NO_METADATA: Map = Map(Vec::new());

impl Skill {
    /// The `metadata` map.
    pub fn metadata(&self) -> &Map {
        match self.written.get(METADATA) {
            Some(Value::Map(map)) => map,
            _ => &NO_METADATA,
        }
    }

    /// All keys, as written.
    pub fn front_matter(&self) -> Map {
        let mut front_matter = self.written.clone();
        if let Some(value @ Value::Null) = front_matter.get_mut(DESCRIPTION) {
            *value = Value::String(self.description.clone());
        }
        front_matter
    }

    /// Takes the description out of what was written, where it is the same.
    #[must_use]
    pub(crate) fn with_written(mut self, mut written: Map) -> Self {
        if let Some(value) = written.get_mut(DESCRIPTION)
            && value.as_str() == Some(self.description.as_str())
        {
            *value = Value::Null;
        }
        self.written = written;
        self
    }

    /// Which skill in which version it is.
    pub(crate) fn key(&self) -> SkillKey {
        SkillKey {
            name: self.name.clone(),
            version: self.version.clone(),
        }
    }

    pub(crate) fn write_fields(&self, object: &mut Object<'_>) {
        object
            .field("name", &self.name)
            .field("description", &self.description)
            .optional("version", self.version.as_ref())
            .optional("license", self.license.as_ref())
            .optional("compatibility", self.compatibility.as_ref())
            .optional("allowedTools", self.allowed_tools.as_ref())
            .field("metadata", self.metadata())
            .field("frontMatter", &self.front_matter())
            .optional("trigger", self.trigger.as_ref())
            .field("modelInvocable", &self.model_invocable)
            .field("userInvocable", &self.user_invocable);
    }
}

impl ToJson for Skill {
    fn write_json(&self, out: &mut String) {
        let mut object = Object::begin(out);
        self.write_fields(&mut object);
        object.end();
    }
}
