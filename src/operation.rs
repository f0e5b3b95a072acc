//! Operations: work that needs answers from a host, without doing I/O.
//!
//! An operation is written once, as an `async` function over [`Io`]. Nothing here waits: the
//! future is polled by hand, and when it is pending it has left a batch of requests in its
//! mailbox. The wrapper performs the batch, in parallel if it can, and hands the replies to the
//! next [`Operation::step`]. Synchronous and asynchronous wrappers drive the same future.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use crate::diagnostic::saturating_u32;
use crate::host::{Failure, Reply, Request};
use crate::text::folded;

/// Where an operation leaves its requests and finds its replies.
#[derive(Clone, Default)]
pub(crate) struct Io {
    mailbox: Rc<RefCell<Mailbox>>,
    progress: Rc<Cell<Progress>>,
}

/// How far an operation is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Directories looked into.
    pub directories: u32,
    /// Skill files read.
    pub files: u32,
}

#[derive(Default)]
enum Mailbox {
    #[default]
    Empty,
    Asked(Vec<Request>),
    Answered(Vec<Reply>),
}

impl Io {
    /// Counts directories that were looked into.
    pub(crate) fn count_directories(&self, count: usize) {
        let mut progress = self.progress.get();
        progress.directories = progress.directories.saturating_add(saturating_u32(count));
        self.progress.set(progress);
    }

    /// Counts skill files that were read.
    pub(crate) fn count_files(&self, count: usize) {
        let mut progress = self.progress.get();
        progress.files = progress.files.saturating_add(saturating_u32(count));
        self.progress.set(progress);
    }

    /// Asks for all of `requests` at once; the replies come in their order, one for each.
    pub(crate) async fn perform(&self, requests: Vec<Request>) -> Vec<Reply> {
        let count = requests.len();
        if count == 0 {
            return Vec::new();
        }
        *self.mailbox.borrow_mut() = Mailbox::Asked(requests);
        let mut replies = poll_fn(|_| {
            let mut mailbox = self.mailbox.borrow_mut();
            match std::mem::take(&mut *mailbox) {
                Mailbox::Answered(replies) => Poll::Ready(replies),
                waiting => {
                    *mailbox = waiting;
                    Poll::Pending
                }
            }
        })
        .await;
        replies.resize_with(count, || {
            Reply::Failed(Failure::because("the host gave no answer"))
        });
        replies
    }

    /// A mailbox of its own for work beside other work; what is counted is counted here.
    fn branch(&self) -> Self {
        Self {
            mailbox: Rc::default(),
            progress: Rc::clone(&self.progress),
        }
    }

    /// Does several works side by side: what they ask for goes out as one batch, so that none waits
    /// for the end of another. The results come in the order of the works.
    pub(crate) async fn side_by_side<'a, T>(
        &self,
        works: Vec<impl FnOnce(Self) -> Branch<'a, T>>,
    ) -> Vec<T> {
        let mut branches: Vec<_> = works
            .into_iter()
            .map(|work| {
                let io = self.branch();
                (io.clone(), Progressing::Running(work(io)))
            })
            .collect();
        loop {
            let mut requests = Vec::new();
            let mut asked = Vec::with_capacity(branches.len());
            for (io, state) in &mut branches {
                let wanted = state.go_on(io);
                asked.push(wanted.len());
                requests.extend(wanted);
            }
            if requests.is_empty() {
                return branches
                    .into_iter()
                    .filter_map(|(_, state)| state.result())
                    .collect();
            }
            let mut replies = self.perform(requests).await.into_iter();
            for ((io, _), count) in branches.iter().zip(asked) {
                let answered = replies.by_ref().take(count).collect();
                *io.mailbox.borrow_mut() = Mailbox::Answered(answered);
            }
        }
    }

    /// Asks for one thing.
    pub(crate) async fn ask(&self, request: Request) -> Reply {
        let mut replies = self.perform(vec![request]).await;
        replies.pop().unwrap_or(Reply::Failed(Failure::because("")))
    }

    /// What a skill of this name is looked up by: white space folded, as it is shown, in NFKC.
    pub(crate) async fn look_up_key(&self, name: &str) -> String {
        let names = vec![folded(name).into_owned()];
        self.normalize(names).await.pop().unwrap_or_default()
    }

    /// The same of several names.
    pub(crate) async fn look_up_keys(&self, names: &[String]) -> Vec<String> {
        let folded = names.iter().map(|name| folded(name).into_owned());
        self.normalize(folded.collect()).await
    }

    /// The NFKC forms of `texts`; what is ASCII is its own and costs no request. So is what is longer
    /// than any name: that form may be many times as long.
    pub(crate) async fn normalize(&self, texts: Vec<String>) -> Vec<String> {
        let requests = texts
            .iter()
            .filter(|text| has_other_form(text))
            .map(|text| Request::Normalize { text: text.clone() })
            .collect();
        let mut replies = self.perform(requests).await.into_iter();
        texts
            .into_iter()
            .map(|text| {
                if !has_other_form(&text) {
                    return text;
                }
                replies
                    .next()
                    .and_then(|reply| reply.text().ok())
                    .unwrap_or(text)
            })
            .collect()
    }
}

/// Whether the NFKC form of `text` is asked for.
pub(crate) fn has_other_form(text: &str) -> bool {
    /// In bytes: the longest name and a version.
    const LONGEST: usize = 4096;
    text.len() <= LONGEST && !text.is_ascii()
}

/// Work that is done beside other work.
pub(crate) type Branch<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// How far a [`Branch`] is.
enum Progressing<'a, T> {
    Running(Branch<'a, T>),
    Over(T),
}

impl<T> Progressing<'_, T> {
    /// Goes on as far as it comes; gives what it asks for, which is nothing once it is over.
    fn go_on(&mut self, io: &Io) -> Vec<Request> {
        if let Self::Running(work) = self {
            match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(result) => *self = Self::Over(result),
                Poll::Pending => {
                    if let Mailbox::Asked(requests) = io.mailbox.take() {
                        return requests;
                    }
                }
            }
        }
        Vec::new()
    }

    fn result(self) -> Option<T> {
        match self {
            Self::Over(result) => Some(result),
            Self::Running(_) => None,
        }
    }
}

/// What a step of an [`Operation`] came to.
#[derive(Debug)]
pub enum Step<T> {
    /// Perform these and step again with one reply for each, in their order.
    Requests(Vec<Request>),
    /// The operation is over.
    Done(T),
}

/// Work that needs answers from a host.
pub struct Operation<T> {
    /// Gone once it is over: a future must not be polled again.
    future: Option<Pin<Box<dyn Future<Output = T>>>>,
    io: Io,
}

impl<T> fmt::Debug for Operation<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Operation")
    }
}

impl<T> Operation<T> {
    pub(crate) fn new<F: Future<Output = T> + 'static>(work: impl FnOnce(Io) -> F) -> Self {
        let io = Io::default();
        Self {
            future: Some(Box::pin(work(io.clone()))),
            io,
        }
    }

    /// Goes on with the replies to the last batch; the first step takes none. `None` when the
    /// operation was over before.
    pub fn step(&mut self, replies: Vec<Reply>) -> Option<Step<T>> {
        let future = self.future.as_mut()?;
        *self.io.mailbox.borrow_mut() = Mailbox::Answered(replies);
        match future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(result) => {
                self.future = None;
                Some(Step::Done(result))
            }
            Poll::Pending => match std::mem::take(&mut *self.io.mailbox.borrow_mut()) {
                Mailbox::Asked(requests) => Some(Step::Requests(requests)),
                Mailbox::Empty | Mailbox::Answered(_) => Some(Step::Requests(Vec::new())),
            },
        }
    }

    /// Work that is over as soon as it begins.
    pub fn done(result: T) -> Self
    where
        T: 'static,
    {
        Self::new(|_| std::future::ready(result))
    }

    /// The same work, with something done to its result.
    pub fn map<U: 'static>(self, change: fn(T) -> U) -> Operation<U>
    where
        T: 'static,
    {
        let io = self.io;
        match self.future {
            Some(future) => Operation {
                future: Some(Box::pin(Changed { future, change })),
                io,
            },
            None => Operation { future: None, io },
        }
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.io.progress.get()
    }

    /// Runs to the end with a host that answers at once. `None` when it was over before.
    pub fn run(mut self, mut answer: impl FnMut(&Request) -> Reply) -> Option<T> {
        let mut replies = Vec::new();
        loop {
            match self.step(replies)? {
                Step::Done(result) => return Some(result),
                Step::Requests(requests) => replies = requests.iter().map(&mut answer).collect(),
            }
        }
    }
}

/// The future of [`Operation::map`]: smaller than an `async` block, of which there would be one
/// for each result.
struct Changed<T, U> {
    future: Pin<Box<dyn Future<Output = T>>>,
    change: fn(T) -> U,
}

impl<T, U> Future for Changed<T, U> {
    type Output = U;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<U> {
        self.future.as_mut().poll(context).map(self.change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_come_in_batches_and_replies_in_their_order() {
        let mut operation = Operation::new(|io| async move {
            let texts = io
                .normalize(vec!["é1".into(), "plain".into(), "é2".into()])
                .await;
            texts.join(",")
        });
        let Some(Step::Requests(requests)) = operation.step(Vec::new()) else {
            panic!("done too early")
        };
        assert_eq!(requests.len(), 2);
        let replies = vec![Reply::Text("one".into()), Reply::Text("two".into())];
        let Some(Step::Done(result)) = operation.step(replies) else {
            panic!("not done")
        };
        assert_eq!(result, "one,plain,two");
        assert!(operation.step(Vec::new()).is_none(), "it is over");
    }

    #[test]
    fn works_side_by_side_ask_with_one_batch_and_each_gets_its_own_replies() {
        let mut operation = Operation::new(|io| async move {
            let works = ["é1", "plain", "é2 é3"].map(|texts| {
                move |io: Io| -> Branch<'static, String> {
                    Box::pin(async move {
                        let mut found = Vec::new();
                        for text in texts.split(' ') {
                            found.extend(io.normalize(vec![text.to_owned()]).await);
                        }
                        found.join("+")
                    })
                }
            });
            io.side_by_side(works.into_iter().collect()).await.join(",")
        });
        let mut batches = Vec::new();
        let mut replies = Vec::new();
        loop {
            match operation.step(replies) {
                Some(Step::Requests(requests)) => {
                    batches.push(requests.len());
                    replies = requests
                        .iter()
                        .map(|request| match request {
                            Request::Normalize { text } => Reply::Text(text.replace('é', "e")),
                            _ => panic!("asked for something else"),
                        })
                        .collect();
                }
                Some(Step::Done(result)) => {
                    assert_eq!(result, "e1,plain,e2+e3");
                    break;
                }
                None => panic!("no result"),
            }
        }
        assert_eq!(batches, [2, 1]);
    }

    #[test]
    fn missing_replies_are_failures_and_not_a_hang() {
        let mut operation = Operation::new(|io| async move {
            io.perform(vec![Request::Normalize { text: "é".into() }])
                .await
        });
        operation.step(Vec::new());
        let Some(Step::Done(replies)) = operation.step(Vec::new()) else {
            panic!("not done")
        };
        assert!(matches!(replies.as_slice(), [Reply::Failed(_)]));
    }
}
