//! What a conversation is expected to answer and to hold: the rules of sessions, without files,
//! JSON, events or a core that asks for anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A skill's name, and where its file is; an earlier file wins a name. A skill in a directory of
/// another name is a second one of its name, and there as `name@version`.
pub(crate) const PLACES: [(&str, &str); 4] = [("a", "a"), ("a", "a-old"), ("b", "b"), ("c", "c")];

/// Whether a skill has an `mcp.json`.
pub(crate) fn brings_server(place: usize) -> bool {
    PLACES[place].0 == "a"
}

/// What a skill file says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct File {
    pub(crate) version: Option<u8>,
    /// Which text it has.
    pub(crate) text: u8,
    /// Whether the model may load it.
    pub(crate) for_model: bool,
}

/// A skill in one version; or what is asked for, where without a version any will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) version: Option<u8>,
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.version {
            Some(version) => write!(formatter, "{}@{version}", self.name),
            None => formatter.write_str(self.name),
        }
    }
}

/// A skill that was loaded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Held {
    pub(crate) key: Key,
    pub(crate) text: u8,
    /// Whether the model might have loaded it.
    pub(crate) for_model: bool,
    /// Whether [`EXTRA`] is filled into its text.
    pub(crate) has_arguments: bool,
    /// Whether its text has left the conversation.
    pub(crate) dropped: bool,
    /// The names of its server's tools.
    pub(crate) tools: Vec<String>,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Audience {
    Model,
    User,
}

/// What a load comes to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Load {
    /// The text of the file, as the conversation has it.
    Text(String),
    /// The same, in place of an earlier one.
    Changed(String),
    /// One line, since the conversation has the text.
    Already,
    /// The text as it was loaded, since the file cannot be read.
    Recorded(String),
    /// One line, since the conversation has the text, though the file cannot be read.
    AlreadyRecorded,
    /// No such skill, or none for who asks.
    NotFound,
    /// Its file is gone since the catalog was refreshed.
    FileGone,
}

/// What a load tells of the tools that came with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ToldTools {
    pub(crate) names: Vec<String>,
    /// That the server could not be had.
    pub(crate) problem: bool,
}

/// What has become of a skill since it was loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Since {
    /// Its file has another text.
    Changed,
    /// It has no file.
    Vanished,
}

impl Since {
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Changed => "session-skill-changed",
            Self::Vanished => "session-skill-vanished",
        }
    }
}

/// What the server of a skill does when it is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Server {
    /// No `mcp.json` speaks of it.
    Absent,
    /// The developer does not approve it.
    Refused,
    /// It lists so many of [`SERVER_TOOLS`].
    Lists(usize),
}

/// The tools that a server has.
pub(crate) const SERVER_TOOLS: [&str; 2] = ["t", "u"];

/// What is left of a conversation when it becomes too long.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Size {
    Characters,
    /// Four characters a token.
    EstimatedTokens,
    /// Words, as the caller of these tests counts.
    CountedTokens,
}

/// How a session speaks where a call says nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Speech {
    /// The tag around a text.
    pub(crate) tag: &'static str,
    /// The name of `load_skill`.
    pub(crate) load_skill: &'static str,
    /// The name of `read_skill_file`.
    pub(crate) read_skill_file: &'static str,
}

/// What a conversation holds, and what else follows from its events.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Holdings {
    /// The most recently used last.
    pub(crate) held: Vec<Held>,
    /// Of which skills the file was read, the last one last.
    pub(crate) read: Vec<Key>,
    /// Whose server runs.
    pub(crate) running: BTreeSet<Key>,
    /// What was found of the texts of skills.
    pub(crate) of_texts: BTreeMap<Key, Since>,
    /// What was found of their servers, by its code.
    pub(crate) of_servers: BTreeMap<Key, BTreeSet<&'static str>>,
    /// Whether nothing has the name that was forgotten last.
    pub(crate) has_unknown_name: bool,
}

/// Files, a catalog, and a conversation.
pub(crate) struct Reference {
    pub(crate) speech: Speech,
    /// What the files say now.
    pub(crate) files: [Option<File>; PLACES.len()],
    /// What they said when the catalog was refreshed.
    pub(crate) catalog: [Option<File>; PLACES.len()],
    pub(crate) server: Server,
    /// Whether servers are connected at all.
    pub(crate) connects: bool,
    pub(crate) now: Holdings,
    /// What it held before each event of the last call.
    pub(crate) before: Vec<Holdings>,
}

/// What the catalog has.
impl Reference {
    /// The skill in the catalog that has a file.
    fn key_at(&self, place: usize) -> Option<Key> {
        let file = self.catalog[place]?;
        let name = PLACES[place].0;
        let version = file.version;
        Some(Key { name, version })
    }

    /// The file that has a name.
    fn winner(&self, name: &str) -> Option<usize> {
        let mut places = 0..PLACES.len();
        places.find(|&place| PLACES[place].0 == name && self.catalog[place].is_some())
    }

    /// Whether a file is in the catalog: it has its name, or a version of its own.
    fn is_in_catalog(&self, place: usize) -> bool {
        let winner = self.winner(PLACES[place].0);
        let Some(key) = self.key_at(place) else {
            return false;
        };
        winner == Some(place)
            || (key.version.is_some() && winner.and_then(|winner| self.key_at(winner)) != Some(key))
    }

    fn in_catalog(&self) -> impl Iterator<Item = usize> {
        (0..PLACES.len()).filter(|&place| self.is_in_catalog(place))
    }

    /// The file of a skill in one version.
    fn place_of(&self, key: Key) -> Option<usize> {
        self.in_catalog()
            .find(|&place| self.key_at(place) == Some(key))
    }

    /// The file that is meant by what is asked for.
    fn asked_for(&self, asked: Key) -> Option<usize> {
        match asked.version {
            None => self.winner(asked.name),
            Some(_) => self.place_of(asked),
        }
    }

    /// Whether the model may load a file: where the one that has its name is disabled, so is it.
    fn is_for_model(&self, place: usize) -> bool {
        let is_for_model = |place: usize| self.catalog[place].is_some_and(|file| file.for_model);
        is_for_model(place) && self.winner(PLACES[place].0).is_some_and(is_for_model)
    }

    fn found(&self, asked: Key, audience: Audience) -> Option<usize> {
        self.asked_for(asked)
            .filter(|&place| audience == Audience::User || self.is_for_model(place))
    }

    pub(crate) fn refresh(&mut self) {
        self.catalog = self.files;
    }
}

/// What the conversation holds.
impl Reference {
    fn get(&self, key: Key) -> Option<&Held> {
        self.now.held.iter().find(|held| held.key == key)
    }

    /// What was loaded of what is asked for, the last used one first.
    fn held_as(&self, asked: Key) -> Vec<Key> {
        let keys = self.now.held.iter().rev().map(|held| held.key);
        keys.filter(|key| key.name == asked.name)
            .filter(|key| asked.version.is_none() || key.version == asked.version)
            .collect()
    }

    /// Something happens; it is told where what is held has changed.
    fn happen(&mut self, change: impl FnOnce(&mut Holdings)) {
        let before = self.now.clone();
        change(&mut self.now);
        if (&before.held, &before.read) != (&self.now.held, &self.now.read) {
            self.before.push(before);
        }
    }

    /// Another call begins.
    pub(crate) fn begin(&mut self) {
        self.before.clear();
    }

    /// Of the last call so many events are taken, and the next one is refused. Tells whether there was
    /// one.
    pub(crate) fn refuse(&mut self, taken: usize) -> bool {
        let before = self.before.get(taken).cloned();
        before.map(|before| self.now = before).is_some()
    }

    fn remove(&mut self, key: Key) {
        self.happen(|now| {
            now.held.retain(|held| held.key != key);
            now.read.retain(|read| *read != key);
            now.running.remove(&key);
            now.of_texts.remove(&key);
            now.of_servers.remove(&key);
        });
    }

    fn drop_text(&mut self, key: Key) {
        self.happen(|now| {
            for held in &mut now.held {
                held.dropped |= held.key == key;
            }
        });
    }

    /// From now on servers are connected, or not.
    pub(crate) fn connect(&mut self, connects: bool) {
        self.connects = connects;
        if !connects {
            self.now.running.clear();
        }
    }

    /// The tools of servers that are offered: none while nobody connects them.
    pub(crate) fn offered(&self) -> Vec<String> {
        if self.connects {
            self.tools()
        } else {
            Vec::new()
        }
    }

    /// Every tool of a server.
    pub(crate) fn tools(&self) -> Vec<String> {
        let mut tools: Vec<String> = self
            .now
            .held
            .iter()
            .flat_map(|held| held.tools.clone())
            .collect();
        tools.sort();
        tools
    }

    /// What is loaded of the same name and is no longer to be had, once the file at `place` says
    /// that it is `key`.
    fn superseded(&self, place: usize, key: Key) -> Vec<Key> {
        let others = self.now.held.iter().rev().map(|held| held.key);
        others
            .filter(|other| other.name == key.name && *other != key)
            .filter(|other| self.key_at(place) == Some(*other) || self.place_of(*other).is_none())
            .collect()
    }

    /// Whether a skill has a server, as far as is known: of what is loaded, what was recorded.
    fn brings(&self, place: usize, before: Option<&Held>) -> bool {
        match before {
            Some(held) => !held.tools.is_empty(),
            None => brings_server(place) && self.server != Server::Absent,
        }
    }

    /// The names of the tools that a skill's server has, now that it is loaded; and whether the
    /// server could not be had.
    fn serve(&self, place: usize, key: Key) -> (Vec<String>, bool) {
        if !self.connects {
            let before = self.get(key).map(|held| held.tools.clone());
            return (before.unwrap_or_default(), false);
        }
        let listed = match self.server {
            Server::Lists(count) if brings_server(place) => &SERVER_TOOLS[..count],
            server => {
                return (
                    Vec::new(),
                    brings_server(place) && server == Server::Refused,
                );
            }
        };
        let superseded = self.superseded(place, key);
        let stay = self.now.held.iter().filter(|held| held.key != key);
        let stay = stay.filter(|held| !superseded.contains(&held.key));
        let taken: Vec<&String> = stay.flat_map(|held| &held.tools).collect();
        let name = |tool: &&str| {
            let short = format!("{}__{tool}", key.name);
            let is_taken = taken.contains(&&short);
            if is_taken {
                format!("{}__x__{tool}", key.name)
            } else {
                short
            }
        };
        (listed.iter().map(name).collect(), false)
    }
}

/// What is asked of a conversation.
impl Reference {
    pub(crate) fn load(&mut self, asked: Key, audience: Audience) -> (Load, ToldTools) {
        let Some(place) = self.found(asked, audience) else {
            return (self.load_vanished(asked, audience), ToldTools::default());
        };
        match self.files[place] {
            None => (self.load_unreadable(place), ToldTools::default()),
            Some(file) if audience == Audience::Model && !file.for_model => {
                (Load::NotFound, ToldTools::default())
            }
            Some(file) => self.load_file(place, file, None),
        }
    }

    /// The text of a file comes into the conversation, if it is not there; an expansion puts it there
    /// anew, with its arguments filled in or not.
    fn load_file(&mut self, place: usize, file: File, expanded: Option<bool>) -> (Load, ToldTools) {
        let name = PLACES[place].0;
        let version = file.version;
        let key = Key { name, version };
        let (tools, problem) = self.serve(place, key);
        let superseded = self.superseded(place, key);
        let before = self.get(key);
        // What was filled in before is filled in again.
        let replaced = superseded.first().copied().and_then(|key| self.get(key));
        let was_filled = before.or(replaced).is_some_and(|held| held.has_arguments);
        let has_arguments = expanded.unwrap_or(was_filled);
        let text = filled(file.text, has_arguments);
        let load = match before {
            Some(held) if held.text == file.text && !held.dropped => Load::Already,
            Some(held) if held.text != file.text => Load::Changed(text),
            _ if !superseded.is_empty() => Load::Changed(text),
            _ => Load::Text(text),
        };
        let has_tools = before.is_some_and(|held| held.tools == tools);
        let is_known = load == Load::Already && has_tools && !problem;
        let is_silent = is_known || !self.connects;
        let is_missed = !self.connects && self.brings(place, before);
        let mut told = if is_silent { Vec::new() } else { tools.clone() };
        told.sort();
        for other in superseded {
            self.remove(other);
        }
        let serves = self.connects && !tools.is_empty();
        let is_refused = problem.then_some("mcp-server-refused");
        let (connects, held) = (
            self.connects,
            Held {
                key,
                text: file.text,
                for_model: file.for_model,
                has_arguments,
                dropped: false,
                tools,
            },
        );
        self.happen(|now| {
            now.held.retain(|other| other.key != key);
            now.held.push(held);
            now.of_texts.remove(&key);
            if is_missed {
                let found = BTreeSet::from(["mcp-servers-not-connected"]);
                now.of_servers.insert(key, found);
            }
            if connects {
                now.of_servers.insert(key, is_refused.into_iter().collect());
                now.running.remove(&key);
                now.running.extend(serves.then_some(key));
            }
        });
        (
            load,
            ToldTools {
                names: told,
                problem,
            },
        )
    }

    /// The catalog no longer has any skill of the name: what was loaded counts.
    fn load_vanished(&mut self, asked: Key, audience: Audience) -> Load {
        if self.winner(asked.name).is_some() {
            return Load::NotFound;
        }
        let held = self.held_as(asked).first().and_then(|key| self.get(*key));
        match held.cloned() {
            Some(held) if audience == Audience::User || held.for_model => self.load_again(held),
            _ => Load::NotFound,
        }
    }

    /// The catalog has the skill, but its file is gone.
    fn load_unreadable(&mut self, place: usize) -> Load {
        let held = self.key_at(place).and_then(|key| self.get(key));
        match held.cloned() {
            Some(held) => self.load_again(held),
            None => Load::FileGone,
        }
    }

    fn load_again(&mut self, held: Held) -> Load {
        let load = if held.dropped {
            Load::Recorded(filled(held.text, held.has_arguments))
        } else {
            Load::AlreadyRecorded
        };
        self.happen(|now| {
            now.of_texts.insert(held.key, Since::Vanished);
            now.held.retain(|other| other.key != held.key);
            now.held.push(Held {
                dropped: false,
                ..held
            });
        });
        load
    }

    /// A user's slash command: always the text of the file.
    pub(crate) fn expand(&mut self, asked: Key, arguments: bool) -> Result<String, Load> {
        let place = self.found(asked, Audience::User).ok_or(Load::NotFound)?;
        let Some(file) = self.files[place] else {
            // What is found out by the way is so, whatever comes of the call.
            let key = self.key_at(place).filter(|key| self.get(*key).is_some());
            self.now
                .of_texts
                .extend(key.map(|key| (key, Since::Vanished)));
            return Err(Load::FileGone);
        };
        let fills = arguments && text(file.text).contains(PLACEHOLDER);
        self.load_file(place, file, Some(fills));
        Ok(if fills {
            text(file.text).replace(PLACEHOLDER, EXTRA)
        } else {
            format!("{}\n\n{EXTRA}", text(file.text))
        })
    }

    /// A tool of a server is called. Tells the code of the failure.
    pub(crate) fn call_tool(&mut self, name: &str) -> Option<&'static str> {
        let has_tool = |held: &&Held| held.tools.iter().any(|tool| tool == name);
        // One that is not offered any more is told so.
        let Some(key) = self.now.held.iter().find(has_tool).map(|held| held.key) else {
            return Some("TOOL_UNKNOWN");
        };
        if self.connects {
            self.now.running.insert(key);
            if let Some(found) = self.now.of_servers.get_mut(&key) {
                found.remove("mcp-server-failed");
            }
            return None;
        }
        let found = self.now.of_servers.entry(key).or_default();
        found.insert("mcp-server-failed");
        Some("SERVER_FAILED")
    }

    /// Tells whether there was anything to unload.
    pub(crate) fn unload(&mut self, asked: Key) -> bool {
        let key = self.held_as(asked).first().copied();
        key.inspect(|key| self.remove(*key)).is_some()
    }

    pub(crate) fn forget(&mut self, asked: Key) {
        let held = self.held_as(asked);
        let is_unknown = held.is_empty() && self.asked_for(asked).is_none();
        for key in held {
            self.drop_text(key);
        }
        self.now.has_unknown_name = is_unknown;
    }

    /// The model reads a file beside a skill: of what the user has loaded, too. Tells whether it may.
    pub(crate) fn read(&mut self, asked: Key) -> bool {
        let Some(place) = self.asked_for(asked) else {
            return false;
        };
        let Some(key) = self.key_at(place) else {
            return false;
        };
        let held = self.now.held.iter().position(|held| held.key == key);
        if held.is_none() && !self.is_for_model(place) {
            return false;
        }
        self.happen(|now| {
            if let Some(held) = held {
                let held = now.held.remove(held);
                now.held.push(held);
            }
            now.read.retain(|read| *read != key);
            now.read.push(key);
        });
        true
    }

    /// What has become of the skills that were loaded, as far as something has.
    pub(crate) fn check(&mut self) -> Vec<Since> {
        let since = |held: &Held| match self.file_of(held.key).and_then(|place| self.files[place]) {
            None => Some(Since::Vanished),
            Some(file) if file.text != held.text => Some(Since::Changed),
            Some(_) => None,
        };
        let held = self.now.held.iter();
        let found: Vec<_> = held.map(|held| (held.key, since(held))).collect();
        for (key, since) in &found {
            self.now.of_texts.remove(key);
            self.now.of_texts.extend(since.map(|since| (*key, since)));
        }
        found.into_iter().filter_map(|(_, since)| since).collect()
    }

    /// The file of a skill that is held, by what the catalog says.
    fn file_of(&self, key: Key) -> Option<usize> {
        self.place_of(key).or_else(|| self.winner(key.name))
    }

    /// What is to be said of the skills that are held, and of their servers.
    pub(crate) fn diagnostics(&self) -> Vec<&'static str> {
        let of_text = |held: &Held| match self.file_of(held.key) {
            None => Some(Since::Vanished),
            Some(_) => self.now.of_texts.get(&held.key).copied(),
        };
        let of_texts = self.now.held.iter().filter_map(of_text);
        let of_servers = self.now.of_servers.values().flatten().copied();
        let of_names = self.now.has_unknown_name.then_some("session-name-unknown");
        let codes = of_texts.map(Since::code).chain(of_servers);
        let mut codes: Vec<_> = codes.chain(of_names).collect();
        codes.sort_unstable();
        codes
    }
}

/// What a compactor keeps, in order, and what it says of the rest.
#[derive(Debug, PartialEq)]
pub(crate) struct Compacted {
    pub(crate) keep: Vec<String>,
    pub(crate) notes: Vec<String>,
}

impl Reference {
    pub(crate) fn compact(&mut self, budget: Option<(Size, usize)>) -> Compacted {
        let present = self.now.held.iter().filter(|held| !held.dropped);
        let mut keep: Vec<(Key, String)> =
            present.map(|held| (held.key, self.kept(held))).collect();
        if let Some((size, limit)) = budget {
            let mut left = limit;
            keep.reverse();
            keep.retain(|(_, text)| {
                let rest = left.checked_sub(size_of(text, size));
                left = rest.unwrap_or(left);
                rest.is_some()
            });
        }
        let keys = self.now.held.iter().map(|held| held.key);
        let gone: Vec<Key> = keys
            .filter(|key| keep.iter().all(|(kept, _)| kept != key))
            .collect();
        let notes = gone.iter().map(|key| self.note(*key)).collect();
        for key in gone {
            self.drop_text(key);
        }
        let keep = keep.into_iter().map(|(_, text)| text).collect();
        Compacted { keep, notes }
    }

    fn kept(&self, held: &Held) -> String {
        let name = self.called(held.key);
        let mut text = self.wrapped(&name, &filled(held.text, held.has_arguments));
        if self.now.read.contains(&held.key) && self.place_of(held.key).is_some() {
            let reader = self.speech.read_skill_file;
            text.push_str(&format!(
                "\n\nFiles of the skill \"{name}\" that were read earlier: \"x.md\". Call `{reader}` to read them again."
            ));
        }
        text
    }

    /// By its version too, where more than one is loaded.
    fn called(&self, key: Key) -> String {
        let others = self
            .now
            .held
            .iter()
            .filter(|held| held.key.name == key.name);
        if others.count() > 1 {
            key.to_string()
        } else {
            key.name.to_owned()
        }
    }

    fn note(&self, key: Key) -> String {
        let can_be_loaded = match self.place_of(key) {
            Some(place) => self.is_for_model(place),
            None => self.get(key).is_some_and(|held| held.for_model),
        };
        let remedy = if can_be_loaded {
            format!("Call `{}` to read them again.", self.speech.load_skill)
        } else {
            "Only the user can load it again.".to_owned()
        };
        let is_read = self.now.read.contains(&key);
        let files = if is_read {
            ", and of its files \"x.md\""
        } else {
            ""
        };
        let name = self.called(key);
        format!(
            "The skill \"{name}\" was loaded earlier{files}; its instructions are no longer in this conversation. {remedy}"
        )
    }

    /// A text as the model gets it.
    pub(crate) fn wrapped(&self, name: &str, text: &str) -> String {
        let tag = self.speech.tag;
        format!("<{tag} name=\"{name}\">\n{text}\n</{tag}>")
    }
}

/// A text as the conversation has it.
fn filled(of: u8, has_arguments: bool) -> String {
    let text = text(of);
    if has_arguments {
        text.replace(PLACEHOLDER, EXTRA)
    } else {
        text
    }
}

/// What follows the name in a slash command.
pub(crate) const EXTRA: &str = "x";
/// What stands for it in a text.
const PLACEHOLDER: &str = "$1";

/// The text of a skill file; the second one has a placeholder.
pub(crate) fn text(text: u8) -> String {
    let all = "Text. ".repeat(usize::from(text) * 9 + 1);
    let end = if text == 1 { PLACEHOLDER } else { "" };
    (all + end).trim().to_owned()
}

fn size_of(text: &str, size: Size) -> usize {
    match size {
        Size::Characters => text.chars().count(),
        Size::EstimatedTokens => text.len().div_ceil(4),
        Size::CountedTokens => text.split_whitespace().count(),
    }
}
