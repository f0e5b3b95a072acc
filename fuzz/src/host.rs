//! Whoever answers what operations ask for.

use skillshelf::{Operation, Outcome, Reply, Request, Step};

use super::disk::Disk;
use super::liar::Liar;

/// Steps after which an operation goes on for ever.
const MOST_STEPS: usize = 3000;

/// A disk, and whether it tells the truth.
pub(crate) struct Host<'a> {
    disk: &'a Disk,
    liar: Option<Liar<'a>>,
    /// What it says when it is asked for a server or one of its tools.
    pub(crate) server_says: String,
    /// All that was asked of servers.
    pub(crate) asked_of_servers: Vec<String>,
}

impl<'a> Host<'a> {
    pub(crate) fn new(disk: &'a Disk, seed: u64, is_honest: bool) -> Self {
        Self {
            disk,
            liar: (!is_honest).then(|| Liar::new(disk, seed, 6)),
            server_says: String::new(),
            asked_of_servers: Vec::new(),
        }
    }

    pub(crate) fn is_honest(&self) -> bool {
        self.liar.is_none()
    }

    fn answer(&mut self, requests: &[Request]) -> Vec<Reply> {
        let of_servers = requests.iter().filter_map(|request| match request {
            Request::Connect { text } | Request::CallServer { text } => Some(text.clone()),
            _ => None,
        });
        let of_servers: Vec<String> = of_servers.collect();
        // Servers are not asked together with files.
        if !of_servers.is_empty() {
            let says = Reply::Text(self.server_says.clone());
            let replies = vec![says; of_servers.len()];
            self.asked_of_servers.extend(of_servers);
            return replies;
        }
        match &mut self.liar {
            Some(liar) => liar.answer_all(requests),
            None => requests
                .iter()
                .map(|asked| self.disk.answer(asked))
                .collect(),
        }
    }

    /// A call of a session, all of whose events are taken.
    pub(crate) fn call<T>(&mut self, call: Operation<Outcome<T>>) -> T {
        let Outcome { result, change } = self.run(call);
        let _ = change.accept();
        result
    }

    pub(crate) fn run<T>(&mut self, mut operation: Operation<T>) -> T {
        let mut replies = Vec::new();
        // A disk that is there for all runs would keep what each of them asked.
        self.disk.take_log();
        for _ in 0..MOST_STEPS {
            match operation.step(replies).expect("it is not over") {
                Step::Done(result) => return result,
                Step::Requests(requests) => replies = self.answer(&requests),
            }
        }
        panic!("it does not end");
    }
}
