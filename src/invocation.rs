//! Who may call on a skill. Where its file is broken, what looks like a restriction is one: a
//! mistake elsewhere in the file must not open what its author has closed.

use std::rc::Rc;

use crate::limits::Limits;
use crate::skill::Skill;

/// Says that the model may not have the skill.
pub(crate) const DISABLE_MODEL: &str = "disable-model-invocation";
/// Says whether the user is offered the skill.
pub(crate) const USER: &str = "user-invocable";

/// Who may call on a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Invocation {
    /// The model sees and loads it.
    pub(crate) model: bool,
    /// It is offered to the user.
    pub(crate) user: bool,
}

impl Invocation {
    /// Everyone may.
    pub(crate) const OPEN: Self = Self {
        model: true,
        user: true,
    };

    /// No one may.
    const CLOSED: Self = Self {
        model: false,
        user: false,
    };

    /// What a file says that cannot be used as a whole: wherever an entry may begin with one of the
    /// two keys, any value but the one that opens closes. Of a longer file than is read for its front
    /// matter nobody knows: how much of it was read differs from host to host.
    pub(crate) fn in_broken(file: &[u8], limits: &Limits) -> Self {
        if file.len() >= limits.front() as usize {
            return Self::CLOSED;
        }
        let may_begin_entry = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'{' | b',');
        let mut found = Self::OPEN;
        for entry in file.split(may_begin_entry) {
            if let Some(value) = value_of(entry, DISABLE_MODEL) {
                found.model &= value.eq_ignore_ascii_case(b"false");
            }
            if let Some(value) = value_of(entry, USER) {
                found.user &= value.eq_ignore_ascii_case(b"true");
            }
        }
        found
    }

    /// Only those who may by both.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            model: self.model && other.model,
            user: self.user && other.user,
        }
    }

    /// The skill itself, or the same one with fewer who may call on it.
    pub(crate) fn restrict(self, skill: &Rc<Skill>) -> Rc<Skill> {
        let before = Self {
            model: skill.model_invocable,
            user: skill.user_invocable,
        };
        let Self { model, user } = self.and(before);
        if before == (Self { model, user }) {
            return Rc::clone(skill);
        }
        Rc::new(Skill {
            model_invocable: model,
            user_invocable: user,
            ..(**skill).clone()
        })
    }
}

/// The first word of the value, where `entry` begins with `key`, quoted or not.
fn value_of<'a>(entry: &'a [u8], key: &str) -> Option<&'a [u8]> {
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
    let is_no_key = |byte: &u8| byte.is_ascii_whitespace() || is_quote(byte);
    let start = entry.iter().position(|byte| !is_no_key(byte))?;
    let rest = entry.get(start..)?.strip_prefix(key.as_bytes())?;
    let colon = rest.iter().position(|byte| !is_no_key(byte))?;
    let value = rest.get(colon..)?.strip_prefix(b":")?.trim_ascii();
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'}' | b'#');
    value.split(is_end).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_restriction_is_one() {
        for (file, model, user) in [
            ("", true, true),
            ("---\nname: a\n", true, true),
            ("disable-model-invocation: true", false, true),
            ("disable-model-invocation: True # x", false, true),
            ("disable-model-invocation: false", true, true),
            ("disable-model-invocation: FALSE # x", true, true),
            ("disable-model-invocation: falsehood", false, true),
            ("disable-model-invocation:", false, true),
            ("disable-model-invocation:true", false, true),
            ("disable-model-invocation:\ttru", false, true),
            ("disable-model-invocation", true, true),
            ("a\r  \"disable-model-invocation\" : yes\r", false, true),
            ("{name: a, disable-model-invocation: true}", false, true),
            ("{'disable-model-invocation': false}", true, true),
            (
                "disable-model-invocation: false\ndisable-model-invocation: true",
                false,
                true,
            ),
            ("a disable-model-invocation: true", true, true),
            ("disable-model-invocations: true", true, true),
            ("user-invocable: false", true, false),
            ("user-invocable: no\n", true, false),
            ("user-invocable: true\n", true, true),
        ] {
            let expected = Invocation { model, user };
            let found = Invocation::in_broken(file.as_bytes(), &Limits::default());
            assert_eq!(found, expected, "{file:?}");
        }
    }
}
