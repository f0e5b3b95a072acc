//! Directories of skills as resources: what is directly in them.

use crate::catalog::Catalog;
use crate::discovery::SKILL_FILE;
use crate::error::Error;
use crate::json::Object;
use crate::media_type;
use crate::operation::Operation;
use crate::order::sort_by;
use crate::path;
use crate::relative_path::RelativePath;
use crate::skill_uri::{self, SkillUri};

use super::page::{LINES, Page, window};

/// The media type of a directory.
const DIRECTORY: &str = "inode/directory";

impl Catalog {
    /// A page of what is in a directory of a skill; nothing where the URI is of none.
    pub fn skill_directory(
        &self,
        uri: String,
        cursor: Option<String>,
    ) -> Operation<Result<Option<Page>, Error>> {
        let catalog = self.clone();
        Operation::new(|io| async move {
            let snapshot = catalog.snapshot();
            let Some(parsed) = SkillUri::parse(&uri) else {
                return Ok(None);
            };
            let Ok(entry) = catalog.resource_owner(&snapshot, &parsed) else {
                return Ok(None);
            };
            let is_clean =
                |path: &String| RelativePath::parse(path).is_ok_and(|clean| clean.as_str() == path);
            let directory = parsed.path.unwrap_or_default();
            if uri.ends_with('/') || !directory.is_empty() && !is_clean(&directory) {
                return Ok(None);
            }
            let files = catalog.files_of(&io, entry).await.files;
            let Some(children) = children(&directory, &files) else {
                return Ok(None);
            };
            let names: Vec<&str> = children.iter().map(|(name, _)| *name).collect();
            let (range, next_cursor) = window(&names, LINES, cursor.as_deref())?;
            let page = children.get(range).unwrap_or_default();
            let mut items = Vec::new();
            for (name, is_directory) in page {
                items.push(child_line(
                    &entry.skill.name,
                    &directory,
                    name,
                    *is_directory,
                ));
            }
            Ok(Some(Page {
                key: "resources",
                items,
                next_cursor,
            }))
        })
    }
}

/// Something in a directory of a skill, as JSON text.
fn child_line(skill: &str, directory: &str, name: &str, is_directory: bool) -> String {
    let media_type = if is_directory {
        Some(DIRECTORY)
    } else {
        media_type::of_resource(name)
    };
    let mut line = String::new();
    Object::begin(&mut line)
        .field("uri", &skill_uri::of(skill, &path::join(directory, name)))
        .field("name", &name)
        .optional("mimeType", media_type.as_ref())
        .end();
    line
}

/// What is directly in a directory of a skill, in the order of their names, and whether it is a
/// directory itself. `None` where there is no such directory.
fn children<'a>(directory: &str, files: &'a [String]) -> Option<Vec<(&'a str, bool)>> {
    let mut children: Vec<(&str, bool)> = Vec::new();
    if directory.is_empty() {
        children.push((SKILL_FILE, false));
    }
    for file in files {
        let below = path::below(file, directory).filter(|below| !below.is_empty());
        if let Some(below) = below {
            children.push(match below.split_once('/') {
                Some((name, _)) => (name, true),
                None => (below, false),
            });
        }
    }
    sort_by(&mut children, Ord::cmp);
    children.dedup();
    (!children.is_empty()).then_some(children)
}
