//! Where the files of a skill from code are.

use super::FIELD;
use super::checker::{Checker, must_be};
use crate::discovery::SKILL_FILE;
use crate::path;
use crate::places::Names;
use crate::relative_path::RelativePath;
use crate::source::{remedy_for_url, shown_prefix};
use crate::text::quoted;
use crate::value::{Map, Value};

/// Where the files of a skill from code are on their host.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    pub(super) path: String,
    /// What stands before the host's paths wherever they are shown.
    pub(super) prefix: String,
}

impl Checker<'_> {
    /// Where its files are, if it has any.
    pub(super) fn files(&mut self, name: &str) -> Option<Files> {
        let has_host = match self.spec.get("host") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(true)) => true,
            Some(_) => {
                let hint = "pass a host, such as memoryHost(files)";
                self.report(&FIELD, "host has no list and read", hint);
                return None;
            }
        };
        let directory = match self.spec.get("directory") {
            Some(Value::String(directory)) => Some(directory.as_str()),
            _ => self.text("directory").map(|_| ""),
        };
        let in_code = match self.spec.get("files") {
            None | Some(Value::Null) => None,
            Some(Value::Map(files)) => Some(files),
            Some(other) => {
                let message = must_be("files", "an object", other);
                self.report(&FIELD, &message, "pass paths with text or bytes");
                return None;
            }
        };
        match (in_code, directory) {
            (Some(files), None) if !has_host => {
                self.check_files(files);
                Some(Files {
                    path: String::new(),
                    prefix: name.to_owned(),
                })
            }
            (Some(_), _) => {
                let hint = "pass either files, or a directory on a host";
                self.report(&FIELD, "files are given twice", hint);
                None
            }
            (None, directory) if has_host => {
                let path = path::trimmed(directory.unwrap_or_default()).to_owned();
                let prefix = if path.is_empty() { name } else { "" };
                Some(Files {
                    prefix: prefix.to_owned(),
                    path,
                })
            }
            (None, directory) => self.on_disk(directory?),
        }
    }

    fn on_disk(&mut self, directory: &str) -> Option<Files> {
        if directory.is_empty() {
            let hint = "leave it out; the current directory is \".\"";
            self.report(&FIELD, "directory is empty", hint);
            return None;
        }
        if remedy_for_url(directory).is_some() {
            let hint = "pass the path of a directory, such as fileURLToPath(url), or a host";
            self.report(&FIELD, "directory is a URL, not a path", hint);
            return None;
        }
        Some(Files {
            path: String::new(),
            prefix: shown_prefix(directory).to_owned(),
        })
    }

    /// Files that could not be read, or never would be.
    fn check_files(&mut self, files: &Map) {
        let hint =
            "mend the paths of files: they are relative to the skill, such as references/a.md";
        let mut paths = Names::default();
        for (path, _) in &files.0 {
            paths.add(path.clone());
        }
        for (path, content) in &files.0 {
            let shown = quoted(path);
            let problem = match RelativePath::parse(path) {
                Err(reason) => Some(reason),
                Ok(relative) if relative.as_str() != path => {
                    Some("names are separated by one \"/\", and none is \".\" or \"..\"")
                }
                Ok(_) => path
                    .match_indices('/')
                    .filter_map(|(at, _)| path.get(..at))
                    .any(|above| paths.has(above))
                    .then_some("a file above it is not a directory"),
            };
            if let Some(problem) = problem {
                let message = ["the path ", &shown, " in files cannot be used: ", problem].concat();
                self.report(&FIELD, &message, hint);
            } else if path.eq_ignore_ascii_case(SKILL_FILE) {
                let message = ["files has ", &shown, ", which is the skill itself"].concat();
                self.report(&FIELD, &message, "leave it out: its text is content");
            } else if *content != Value::Bool(true) {
                let message = [
                    "the content of ",
                    &shown,
                    " in files is neither text nor bytes",
                ]
                .concat();
                self.report(&FIELD, &message, "pass a string or a Uint8Array");
            }
        }
    }
}
