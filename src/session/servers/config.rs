//! A skill's `mcp.json` as it is now.

use crate::diagnostic::{Diagnostic, Rule};
use crate::error::Error;
use crate::jail::{Range, Refusal};
use crate::mcp_config::{self, McpConfig};
use crate::operation::Io;
use crate::own_files::OwnFiles;
use crate::relative_path::RelativePath;
use crate::session::Session;
use crate::snapshot::Entry;

const CONFIG_UNREADABLE: Rule = Rule::warning("mcp-config-unreadable");

impl Session {
    /// What a skill's `mcp.json` says now; nothing where there is none.
    pub(super) async fn config(&self, io: &Io, entry: &Entry) -> McpConfig {
        let mode = self.catalog.options().mode;
        match self.config_bytes(io, entry).await {
            Ok(None) => McpConfig::default(),
            Ok(Some(bytes)) => mcp_config::parse(&bytes, mode),
            Err(error) => {
                let finding = Diagnostic::new(&CONFIG_UNREADABLE, mode, error.to_string());
                McpConfig {
                    servers: Vec::new(),
                    findings: vec![finding.with_hint("load the skill again once it can be read")],
                }
            }
        }
    }

    async fn config_bytes(&self, io: &Io, entry: &Entry) -> Result<Option<Vec<u8>>, Error> {
        let (Some(own), Ok(relative)) = (
            OwnFiles::of(&entry.record),
            RelativePath::parse(mcp_config::FILE),
        ) else {
            return Ok(None);
        };
        let range = Range {
            offset: 0,
            length: mcp_config::LARGEST + 1,
        };
        let opened = own
            .jail
            .open_exactly(io, &relative, range, self.follows_links());
        let opened = match opened.await {
            Ok(opened) => opened,
            Err(Refusal::NotFound) => return Ok(None),
            Err(refusal) => return Err(refusal.into_error(mcp_config::FILE, &entry.skill.name)),
        };
        let real = opened.file.real_path.as_deref();
        if real.is_some_and(|real| own.is_really_others(real)) {
            return Err(Refusal::Outside.into_error(mcp_config::FILE, &entry.skill.name));
        }
        let is_whole = opened.file.reaches_end(0, range.length);
        if is_whole || opened.file.bytes.len() >= range.length as usize {
            return Ok(Some(opened.file.bytes));
        }
        Err(Error::incomplete(mcp_config::FILE))
    }
}
