//! Where links lead: one batch of questions for all of them.

use crate::host::{HostId, Kind, Request};
use crate::operation::Io;

/// What a link leads to, as far as the host tells.
pub(crate) struct Target {
    /// Its real path.
    pub(crate) real: Option<String>,
    /// What it is. Absent where the host has no `stat`, too.
    pub(crate) kind: Option<Kind>,
}

/// The targets of the links at `paths` of a host, in their order.
pub(crate) async fn targets(io: &Io, host: HostId, paths: &[String]) -> Vec<Target> {
    let mut requests = Vec::with_capacity(2 * paths.len());
    for path in paths {
        requests.push(Request::RealPath {
            host,
            path: path.clone(),
        });
        requests.push(Request::Stat {
            host,
            path: path.clone(),
        });
    }
    let mut replies = io.perform(requests).await.into_iter();
    let mut targets = Vec::with_capacity(paths.len());
    for _ in paths {
        let real = replies.next().and_then(|reply| reply.text().ok());
        let stat = replies.next().and_then(|reply| reply.stat().ok());
        targets.push(Target {
            real,
            kind: stat.map(|(kind, _)| kind),
        });
    }
    targets
}
