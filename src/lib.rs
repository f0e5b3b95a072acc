//! Agent Skills without I/O: front matter, rules, discovery and the jail; index, tools and what a
//! conversation has loaded; slash commands, the servers that skills bring, system prompts, and what
//! may be in an archive or on a server of skills.
//!
//! The crate reads no file and calls no host. An operation is an [`Operation`]: it gives back
//! batches of [`Request`]s and goes on with the [`Reply`]s, until it is done. ARCHITECTURE.md has
//! the reading order.
//!
//! ```
//! use skillshelf::{ParseOptions, parse_skill};
//!
//! let file = b"---\nname: pdf\ndescription: Fills in PDF forms.\n---\nUse the form.\n".to_vec();
//! let parsed = parse_skill(file, ParseOptions::default())
//!     .run(|_request| unreachable!("an ASCII name needs nothing of a host"))
//!     .expect("it was not over before");
//! assert_eq!(parsed.skill.unwrap().name, "pdf");
//! assert_eq!(parsed.body.as_deref(), Some("Use the form."));
//! ```

#![forbid(unsafe_code)]

mod advice;
mod archive;
mod body;
mod body_paths;
mod budget;
mod call;
mod catalog;
mod define;
mod diagnostic;
mod digest;
mod directory_name;
mod discovery;
mod discovery_index;
mod eight_bytes;
mod error;
mod fields;
pub mod front_matter;
mod front_reader;
mod gather;
pub mod hidden;
mod host;
mod http_finding;
mod http_options;
mod index;
mod invocation;
mod jail;
mod json;
mod limits;
mod link_target;
mod list_skill_resources;
mod list_skills;
mod load_skill;
mod look_alike;
mod markdown_line;
mod mcp_config;
mod media_type;
mod mend;
mod moved;
mod near;
mod number;
mod operation;
mod options;
mod order;
mod own_files;
mod parse;
mod path;
mod places;
mod planned_skill;
mod public_skill;
mod read_skill_file;
mod record;
mod relative_path;
mod resources;
mod search;
mod search_skills;
mod server_options;
mod server_result;
mod server_tool;
mod session;
mod skill;
mod skill_file;
mod skill_prompt;
mod skill_resource;
mod skill_server;
mod skill_uri;
mod slash_command;
mod snapshot;
mod source;
mod standard_places;
mod stringify;
mod system_prompt;
mod text;
mod tool;
mod tool_call;
mod tool_options;
mod tools;
mod validate;
mod value;
mod view;
mod warnings;
mod watch;
mod wrapper;
pub mod yaml;

#[cfg(target_arch = "wasm32")]
mod bindings;

pub use advice::{Hints, similar_descriptions};
pub use archive::{ArchiveFormat, ArchiveLimits, ArchiveOptions, ArchivePlan, Unpacked};
pub use budget::Budget;
pub use call::{Bytes, CallOptions, Rest, ToolResult, Verdict};
pub use catalog::{Catalog, Changes, Mark, RefreshOptions};
pub use define::SkillSpec;
pub use diagnostic::{Diagnostic, Mode, Position, Rule, Severity};
pub use discovery_index::{IndexPlan, IndexReading, index_paths};
pub use error::Error;
pub use fields::Profile;
pub use host::{
    Capabilities, DirectoryEntry, Failure, FileReply, HostFacts, HostId, Kind, Reply, Request,
};
pub use http_finding::http_findings;
pub use http_options::{HttpOptions, MemoryCacheOptions};
pub use index::{Form, IndexOptions, IndexReport, Style};
pub use json::ToJson;
pub use limits::Limits;
pub use mcp_config::{Environment, ServerConfig, Transport};
pub use media_type::{is_page, may_be_page};
pub use mend::{Mended, mend};
pub use operation::{Operation, Progress, Step};
pub use parse::{ParseOptions, ParsedSkill, parse_skill, parse_skill_json};
pub use planned_skill::{PlannedContent, PlannedSkill};
pub use public_skill::PublicSkill;
pub use record::{Record, RecordId};
pub use resources::Resources;
pub use search::{SearchHit, SearchOptions};
pub use server_options::{ServerOptions, Stderr};
pub use server_tool::ServerTool;
pub use session::{
    Change, CompactOptions, Compaction, Forgotten, Kept, Loaded, LoadedSkill, Note, Outcome,
    RefusedEvent, Session, SessionEvent, SessionOptions, Settlement, Stored,
};
pub use skill::{Skill, SkillKey};
pub use skill_file::{Place, ReadOptions};
pub use skill_resource::{Page, SkillResource};
pub use skill_server::{Hosts, ListenOptions, SkillServerOptions};
pub use slash_command::{
    Command, CompleteOptions, Completion, CompletionKind, ExpandOptions, Expansion,
};
pub use source::{Directory, Invalid, Links, LoadOptions, Source};
pub use standard_places::StandardPlaces;
pub use stringify::stringify;
pub use system_prompt::{RenderedPrompt, SystemPrompt};
pub use tool::{ToolDefinition, ToolName};
pub use tool_options::{Rename, Renamed, RenamedParts, ToolOptions, ToolSet, Wrapper};
pub use tools::Tools;
pub use validate::{SkillFileContent, ValidateOptions, validate_skill, validate_skill_json};
pub use value::{Map, Value};
pub use view::Patterns;
pub use warnings::warnings;
pub use watch::{WatchOptions, summary_of_changes};
