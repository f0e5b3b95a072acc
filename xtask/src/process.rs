//! Running other programs, with errors that say what ran, what it printed and what to do.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Says on a line of its own what happens next.
pub(crate) fn announce(text: &str) {
    println!("\n== {text}");
}

/// One run of a program.
pub(crate) struct Process {
    command: Command,
    remedy: Option<String>,
    limit: Option<Duration>,
    input: Option<String>,
}

impl Process {
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            command: Command::new(program),
            remedy: None,
            limit: None,
            input: None,
        }
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.args(args);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(crate) fn directory(mut self, directory: impl AsRef<Path>) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// What the reader of a failure should do about it.
    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// After this long the program is stopped and counts as failed.
    pub(crate) fn time_limit(mut self, limit: Duration) -> Self {
        self.limit = Some(limit);
        self
    }

    /// What it reads on its standard input, in the place of what the user types: short enough for a pipe.
    pub(crate) fn input(mut self, text: String) -> Self {
        self.command.stdin(Stdio::piped());
        self.input = Some(text);
        self
    }

    /// Runs it in the open: what it prints goes to the terminal.
    pub(crate) fn run(mut self) -> Result<()> {
        let mut child = self.spawn()?;
        if let (Some(mut pipe), Some(text)) = (child.stdin.take(), &self.input) {
            pipe.write_all(text.as_bytes())?;
        }
        let status = self.wait(child)?;
        self.check(status, "")
    }

    /// Runs it silently and returns its standard output; all it printed is in the error.
    pub(crate) fn output(mut self) -> Result<String> {
        self.command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = self.spawn()?;
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        let status = self.wait(child)?;
        let (stdout, stderr) = (join(stdout)?, join(stderr)?);
        self.check(status, &format!("{stdout}{stderr}"))?;
        Ok(stdout)
    }

    fn spawn(&mut self) -> Result<Child> {
        self.command
            .spawn()
            .with_context(|| self.failure("could not be started"))
    }

    fn wait(&self, mut child: Child) -> Result<ExitStatus> {
        let Some(limit) = self.limit else {
            return child.wait().with_context(|| self.failure("was lost"));
        };
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if start.elapsed() > limit {
                child.kill()?;
                child.wait()?;
                bail!(self.failure(&format!("took more than {} seconds", limit.as_secs())));
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn check(&self, status: ExitStatus, printed: &str) -> Result<()> {
        if status.success() {
            return Ok(());
        }
        let mut what = format!("failed ({status})");
        if !printed.trim().is_empty() {
            let _ = write!(what, "; it printed:\n{}\n", printed.trim_end());
        }
        bail!(self.failure(&what))
    }

    fn failure(&self, what: &str) -> String {
        let mut words = vec![self.command.get_program()];
        words.extend(self.command.get_args());
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        let remedy = self
            .remedy
            .as_ref()
            .map_or(String::new(), |text| format!("\n{text}"));
        format!("`{}` {what}{remedy}", words.join(" "))
    }
}

/// Where a program of this name is, if it can be started.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

/// Reads a pipe to its end beside the program, so that a full pipe never stops it.
fn collect(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<io::Result<String>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes)?;
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    })
}

fn join(reader: thread::JoinHandle<io::Result<String>>) -> Result<String> {
    match reader.join() {
        Ok(text) => Ok(text?),
        Err(_) => bail!("reading a program's output failed"),
    }
}
