//! The other implementations, in a program of Node beside the test.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use serde_json::Value as Json;

/// What they are called, in the order of their answers.
pub(crate) const NAMES: [&str; 2] = ["yaml", "js-yaml"];

pub(crate) struct Peers {
    program: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Peers {
    /// Starts them; or nothing, and a line that says what is skipped.
    pub(crate) fn start() -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let are_there = NAMES
            .iter()
            .all(|name| root.join("node_modules").join(name).is_dir());
        if !are_there {
            let _ = writeln!(
                io::stderr(),
                "SKIPPED {}: other implementations are not installed (`npm ci` installs them)",
                thread::current().name().unwrap_or_default(),
            );
            return None;
        }
        let mut program = Command::new("node")
            .arg(root.join("tests/yaml_peers/read.mjs"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node runs");
        let to = program.stdin.take().expect("it has an input");
        let from = BufReader::new(program.stdout.take().expect("it has an output"));
        Some(Self { program, to, from })
    }

    /// Gives them texts to read.
    pub(crate) fn ask(&mut self, texts: &[String]) {
        let line = serde_json::to_string(texts).expect("texts have JSON");
        writeln!(self.to, "{line}").expect("the program reads");
        self.to.flush().expect("the program reads");
    }

    /// What each of them made of each text that was given last.
    pub(crate) fn answers(&mut self) -> Vec<[Json; 2]> {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the program answers");
        serde_json::from_str(&line).expect("the program answers with JSON")
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
