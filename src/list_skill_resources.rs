//! `list_skill_resources`: the paths of the files that a skill brings with it.

use crate::call::ToolResult;
use crate::catalog::Catalog;
use crate::operation::Io;
use crate::own_files::OwnFiles;
use crate::resources::{self, COUNTED, Resources, UNREAD};
use crate::snapshot::Entry;
use crate::text::quoted;
use crate::tools::Tools;

pub(crate) async fn answer(
    io: &Io,
    catalog: &Catalog,
    entry: &Entry,
    own: Option<OwnFiles<'_>>,
    tools: &Tools,
) -> ToolResult {
    let name = quoted(&entry.skill.name);
    let files = match own {
        Some(own) => resources::list(io, &own, catalog.options().links).await,
        None => Resources::default(),
    };
    let mut content = match files.files.len() {
        0 if files.unread => format!("The files of the skill {name} could not be listed."),
        0 if files.more => format!(
            "The skill {name} has too many directories to look at all; no files were found in the first ones."
        ),
        0 => format!("The skill {name} has no files beside its instructions."),
        count => {
            let how_many = match (files.more, count) {
                (true, COUNTED..) => format!("more than {COUNTED} files; these are the first ones"),
                (true, _) => {
                    "too many files and directories to look at all; these were found".to_owned()
                }
                (false, 1) => "1 file".to_owned(),
                (false, count) => format!("{count} files"),
            };
            let mut content = format!("The skill {name} has {how_many}");
            if let Some(reader) = tools.file_reader() {
                content.push_str(&format!("; read one with `{reader}`"));
            }
            content.push_str(":\n");
            for file in &files.files {
                content.push_str("\n- ");
                content.push_str(file);
            }
            content
        }
    };
    if files.unread && !files.files.is_empty() {
        content.push_str("\n\n");
        content.push_str(UNREAD);
    }
    ToolResult {
        content,
        ..ToolResult::default()
    }
}
