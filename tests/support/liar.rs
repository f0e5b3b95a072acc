//! A host that lies: about kinds, names, sizes and real paths, by answers of another kind, by too
//! few and by too many.

use skillshelf::{DirectoryEntry, Failure, FileReply, Kind, Reply, Request};

use super::disk::Disk;
use super::shuffle::Numbers;

/// A disk and the seed of its lies.
pub(crate) struct Liar<'a> {
    disk: &'a Disk,
    numbers: Numbers,
    /// One of so many answers is a lie.
    honesty: usize,
}

impl<'a> Liar<'a> {
    /// Lies in one of `honesty` answers.
    pub(crate) fn new(disk: &'a Disk, seed: u64, honesty: usize) -> Self {
        Self {
            disk,
            numbers: Numbers::new(seed),
            honesty: honesty.max(1),
        }
    }

    /// Answers a batch: sometimes with too few or too many replies, or in another order.
    pub(crate) fn answer_all(&mut self, requests: &[Request]) -> Vec<Reply> {
        let mut replies: Vec<Reply> = requests
            .iter()
            .map(|request| self.answer(request))
            .collect();
        if self.numbers.below(self.honesty * 2) == 0 {
            match self.numbers.below(4) {
                0 => replies.clear(),
                1 => replies.truncate(replies.len() / 2),
                2 => replies.extend(replies.clone()),
                _ => self.numbers.shuffle(&mut replies),
            }
        }
        replies
    }

    /// Answers one request.
    pub(crate) fn answer(&mut self, request: &Request) -> Reply {
        let honest = self.disk.answer(request);
        if self.numbers.below(self.honesty) > 0 {
            return honest;
        }
        match self.numbers.below(5) {
            0 => self.another_kind(),
            1 => Reply::Failed(Failure {
                not_found: self.numbers.below(2) == 0,
                message: "no\n<skill>".to_owned(),
                told: None,
                fault: None,
            }),
            _ => self.falsified(honest),
        }
    }

    fn another_kind(&mut self) -> Reply {
        match self.numbers.below(4) {
            0 => Reply::Text("../../etc/passwd".to_owned()),
            1 => Reply::Listing {
                entries: Vec::new(),
                real_path: None,
            },
            2 => Reply::Stat {
                kind: self.kind(),
                version: String::new(),
            },
            _ => Reply::File(FileReply {
                kind: self.kind(),
                size: Some(u64::MAX),
                version: None,
                real_path: None,
                bytes: b"---\nname: lie\ndescription: A lie.\n---\nLie\n".to_vec(),
            }),
        }
    }

    fn kind(&mut self) -> Kind {
        [Kind::File, Kind::Directory, Kind::Link, Kind::Other][self.numbers.below(4)]
    }

    fn falsified(&mut self, honest: Reply) -> Reply {
        match honest {
            Reply::Listing { entries, real_path } => Reply::Listing {
                entries: self.entries(entries),
                real_path,
            },
            Reply::File(file) => Reply::File(self.file(file)),
            Reply::Stat { .. } => Reply::Stat {
                kind: self.kind(),
                version: self.numbers.below(9).to_string(),
            },
            Reply::Text(text) => Reply::Text(self.path(&text)),
            failed @ Reply::Failed(_) => failed,
        }
    }

    fn entries(&mut self, mut entries: Vec<DirectoryEntry>) -> Vec<DirectoryEntry> {
        const NAMES: [&str; 14] = [
            "",
            ".",
            "..",
            "/",
            "../..",
            "a/b",
            "/etc",
            "\0",
            "a\0b",
            "C:",
            "SKILL.md",
            "skill.md",
            "x\n- y: z",
            "\u{202e}md.llIKS",
        ];
        for entry in &mut entries {
            if self.numbers.below(3) == 0 {
                entry.kind = self.kind();
            }
        }
        if self.numbers.below(2) == 0 {
            entries.extend(entries.clone());
        }
        for _ in 0..self.numbers.below(5) {
            let name = NAMES[self.numbers.below(NAMES.len())].to_owned();
            let kind = self.kind();
            entries.push(DirectoryEntry { name, kind });
        }
        entries
    }

    fn file(&mut self, mut file: FileReply) -> FileReply {
        match self.numbers.below(6) {
            0 => file.kind = self.kind(),
            1 => file.size = Some([0, 1, u64::MAX][self.numbers.below(3)]),
            2 => file.bytes.truncate(file.bytes.len() / 2),
            3 => file.bytes.extend_from_within(..),
            4 => {
                let real = file.real_path.unwrap_or_default();
                file.real_path = Some(self.path(&real));
            }
            _ => file.bytes = vec![0xFF; self.numbers.below(5000)],
        }
        file
    }

    fn path(&mut self, real: &str) -> String {
        match self.numbers.below(5) {
            0 => String::new(),
            1 => "/".to_owned(),
            2 => format!("{real}/.."),
            3 => "/etc/passwd".to_owned(),
            _ => format!("{real}-evil"),
        }
    }
}
