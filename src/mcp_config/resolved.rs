//! A server with what its references stand for: what is started, and never shown.

use super::entry::check_url;
use super::reference::{Environment, Unresolved};
use super::{ServerConfig, Transport};
use crate::text::quoted;

impl ServerConfig {
    /// The same with what its references stand for. Nothing of it may be shown.
    pub(crate) fn resolved(&self, environment: &Environment) -> Result<Transport, Unresolved> {
        match &self.transport {
            Transport::Stdio {
                command,
                args,
                env,
                cwd,
            } => Ok(Transport::Stdio {
                command: environment.expanded(command)?,
                args: args
                    .iter()
                    .map(|argument| environment.expanded(argument))
                    .collect::<Result<_, _>>()?,
                env: values(env, environment)?,
                cwd: cwd.clone(),
            }),
            Transport::Http { url, headers } => {
                let url = environment.expanded(url)?;
                check_url(&url).map_err(|fault| Unresolved::Unusable(fault.problem))?;
                let headers = values(headers, environment)?;
                check_headers(&headers)?;
                Ok(Transport::Http { url, headers })
            }
        }
    }
}

fn values(
    texts: &[(String, String)],
    environment: &Environment,
) -> Result<Vec<(String, String)>, Unresolved> {
    let value = |(name, text): &(String, String)| Ok((name.clone(), environment.expanded(text)?));
    texts.iter().map(value).collect()
}

/// Headers are bytes, and some are no part of one.
fn check_headers(headers: &[(String, String)]) -> Result<(), Unresolved> {
    let is_sent = |c: char| c == '\t' || (c >= ' ' && c != '\u{7f}' && c <= 'ÿ');
    let mut headers = headers.iter();
    match headers.find(|(_, value)| !value.chars().all(is_sent)) {
        Some((name, _)) => {
            let problem = [
                "has a header ",
                &quoted(name),
                " whose value cannot be sent",
            ];
            Err(Unresolved::Unusable(problem.concat()))
        }
        None => Ok(()),
    }
}
