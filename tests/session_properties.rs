//! Random conversations against a simple reference.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use proptest::prelude::*;
use serde_json::json;
use skillshelf::{Budget, CompactOptions, ExpandOptions, Session};
use support::{
    Disk, as_json, call_in, disk_of, events, load, load_in, restored, run, session, skill_with,
};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

#[derive(Clone, Debug)]
enum Action {
    Load(usize),
    Unload(usize),
    Forget(usize),
    Read(usize),
    Expand(usize),
    Edit(usize, u8),
    Compact(Option<u32>),
    Restore,
    Replay,
}

fn action() -> impl Strategy<Value = Action> {
    let name = 0..NAMES.len();
    prop_oneof![
        4 => name.clone().prop_map(Action::Load),
        1 => name.clone().prop_map(Action::Unload),
        1 => name.clone().prop_map(Action::Forget),
        1 => name.clone().prop_map(Action::Read),
        1 => name.clone().prop_map(Action::Expand),
        1 => (name, 0_u8..3).prop_map(|(name, text)| Action::Edit(name, text)),
        1 => prop::option::of(0_u32..300).prop_map(Action::Compact),
        1 => Just(Action::Restore),
        1 => Just(Action::Replay),
    ]
}

/// What a conversation is expected to hold.
#[derive(Default)]
struct Reference {
    files: [u8; NAMES.len()],
    /// Name, text and whether it was dropped; the most recently used last.
    held: Vec<(usize, u8, bool)>,
}

#[derive(Debug, PartialEq)]
enum Answer {
    Whole,
    Changed,
    Already,
}

impl Reference {
    fn put(&mut self, name: usize) {
        self.held.retain(|(other, ..)| *other != name);
        self.held.push((name, self.files[name], false));
    }

    fn load(&mut self, name: usize) -> Answer {
        let before = self.held.iter().find(|(other, ..)| *other == name).copied();
        self.put(name);
        match before {
            None => Answer::Whole,
            Some((_, text, _)) if text != self.files[name] => Answer::Changed,
            Some((_, _, dropped)) if dropped => Answer::Whole,
            Some(_) => Answer::Already,
        }
    }

    fn touch(&mut self, name: usize) {
        if let Some(place) = self.held.iter().position(|(other, ..)| *other == name) {
            let held = self.held.remove(place);
            self.held.push(held);
        }
    }

    fn drop_text(&mut self, name: usize) {
        for held in &mut self.held {
            held.2 |= held.0 == name;
        }
    }

    fn compact(&mut self, budget: Option<u32>) -> Vec<usize> {
        let mut present: Vec<_> = self.held.iter().filter(|held| !held.2).copied().collect();
        if let Some(budget) = budget {
            present.reverse();
            let mut left = budget as usize;
            present.retain(|(name, text, _)| {
                let size = wrapped(*name, *text).chars().count();
                let fits = size <= left;
                left -= if fits { size } else { 0 };
                fits
            });
        }
        let keep: Vec<usize> = present.iter().map(|(name, ..)| *name).collect();
        for name in 0..NAMES.len() {
            if !keep.contains(&name) {
                self.drop_text(name);
            }
        }
        keep
    }
}

fn text(text: u8) -> String {
    "Text. ".repeat(usize::from(text) * 9 + 1).trim().to_owned()
}

fn wrapped(name: usize, version: u8) -> String {
    let (name, text) = (NAMES[name], text(version));
    format!("<skill_content name=\"{name}\">\n{text}\n</skill_content>")
}

fn answer(content: &str) -> Answer {
    if content.starts_with("<skill_content") {
        Answer::Whole
    } else if content.contains("has changed since") {
        Answer::Changed
    } else {
        Answer::Already
    }
}

fn write(disk: &mut Disk, name: usize, version: u8) {
    let path = format!("s/{}/SKILL.md", NAMES[name]);
    disk.write(&path, skill_with(NAMES[name], "", &text(version)));
}

fn held(session: &Session) -> Vec<String> {
    support::loaded_names(session)
}

proptest! {
    #[test]
    fn a_conversation_holds_what_the_reference_holds(
        actions in prop::collection::vec(action(), 0..40),
    ) {
        let mut disk = disk_of(&NAMES);
        for (place, name) in NAMES.into_iter().enumerate() {
            write(&mut disk, place, 0);
            disk.write(&format!("s/{name}/x.md"), b"X");
        }
        let catalog = load(&disk);
        let mut session = session(&catalog);
        let mut journal = Vec::new();
        let mut reference = Reference::default();
        for action in actions {
            match action {
                Action::Load(name) => {
                    let content = load_in(&session, &disk, NAMES[name]).content;
                    prop_assert_eq!(answer(&content), reference.load(name));
                    let lines = content.lines().count();
                    prop_assert!(answer(&content) != Answer::Already || lines == 1);
                    prop_assert!(answer(&content) == Answer::Already || content.contains(&wrapped(name, reference.files[name])));
                }
                Action::Unload(name) => {
                    let was_held = reference.held.iter().any(|held| held.0 == name);
                    reference.held.retain(|held| held.0 != name);
                    let result = run(session.unload(NAMES[name].to_owned()), &disk);
                    prop_assert_eq!(result.is_error(), !was_held);
                }
                Action::Forget(name) => {
                    reference.drop_text(name);
                    run(session.forget(vec![NAMES[name].to_owned()]), &disk);
                }
                Action::Read(name) => {
                    reference.touch(name);
                    let arguments = json!({ "skill": NAMES[name], "path": "x.md" });
                    let result = call_in(&session, &disk, "read_skill_file", &arguments);
                    prop_assert!(!result.is_error());
                }
                Action::Expand(name) => {
                    reference.put(name);
                    let input = format!("/{}", NAMES[name]);
                    let expanded = run(session.expand(input, ExpandOptions::default()), &disk);
                    prop_assert!(expanded.is_ok());
                }
                Action::Edit(name, version) => {
                    reference.files[name] = version;
                    write(&mut disk, name, version);
                }
                Action::Compact(budget) => {
                    let options = CompactOptions {
                        budget: budget.map(Budget::Characters),
                        ..CompactOptions::default()
                    };
                    let compaction = run(session.compact(options), &disk).unwrap();
                    let keep: Vec<_> = compaction.keep.iter().map(|kept| kept.key.name.clone()).collect();
                    let expected: Vec<_> = reference.compact(budget).into_iter().map(|name| NAMES[name].to_owned()).collect();
                    prop_assert_eq!(&keep, &expected);
                    prop_assert_eq!(keep.len() + compaction.notes.len(), reference.held.len());
                    prop_assert!(compaction.notes.iter().all(|note| note.text.lines().count() == 1));
                }
                Action::Restore => {
                    let stored = as_json(&session);
                    journal = stored["events"].as_array().unwrap().clone();
                    events(&session);
                    session = restored(&catalog, &stored).unwrap();
                    prop_assert_eq!(as_json(&session), stored);
                }
                Action::Replay => {
                    journal.extend(events(&session));
                    let again = restored(&catalog, &json!({ "events": journal })).unwrap();
                    prop_assert_eq!(as_json(&again), as_json(&session));
                    session = again;
                }
            }
            journal.extend(events(&session));
            let expected: Vec<_> = reference.held.iter().map(|held| NAMES[held.0].to_owned()).collect();
            prop_assert_eq!(held(&session), expected);
            let dropped: Vec<bool> = reference.held.iter().map(|held| held.2).collect();
            let stored = as_json(&session);
            let drops = stored["events"].as_array().unwrap().iter().filter(|event| event["type"] == "skill_dropped").count();
            prop_assert_eq!(drops, dropped.into_iter().filter(|dropped| *dropped).count());
        }
    }
}
