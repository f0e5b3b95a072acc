//! What each part of the library takes of the module, by the names of its functions.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use wasmparser::{KnownCustom, Name, Parser, Payload, TypeRef};

use crate::module::{self, Variant};
use crate::toolchain::WasmToolchain;
use crate::workspace::Workspace;

/// A part of the library, and its modules: those of `src/lib.rs`, or other crates.
struct Part {
    name: &'static str,
    modules: &'static [&'static str],
}

const PARTS: [Part; 13] = [
    Part {
        name: "skill files and their rules",
        modules: &[
            "body",
            "digest",
            "directory_name",
            "fields",
            "front_matter",
            "front_reader",
            "hmac_sha256",
            "media_type",
            "parse",
            "public_skill",
            "skill",
            "skill_file",
            "value",
        ],
    },
    Part {
        name: "YAML",
        modules: &["saphyr_parser", "yaml"],
    },
    Part {
        name: "catalogs: sources, scan, refresh, jail, views",
        modules: &[
            "catalog",
            "discovery",
            "gather",
            "host",
            "jail",
            "limits",
            "link_target",
            "look_alike",
            "moved",
            "near",
            "operation",
            "order",
            "own_files",
            "path",
            "places",
            "record",
            "relative_path",
            "snapshot",
            "source",
            "standard_places",
            "view",
            "watch",
        ],
    },
    Part {
        name: "index and system prompt",
        modules: &["budget", "index", "skill_prompt", "system_prompt"],
    },
    Part {
        name: "search",
        modules: &["search", "search_skills"],
    },
    Part {
        name: "tools and their dispatch",
        modules: &[
            "call",
            "list_skill_resources",
            "list_skills",
            "load_skill",
            "read_skill_file",
            "resources",
            "tool",
            "tool_call",
            "tool_options",
            "tools",
            "wrapper",
        ],
    },
    Part {
        name: "sessions and slash commands",
        modules: &["invocation", "session", "slash_command"],
    },
    Part {
        name: "servers of skills (MCP)",
        modules: &[
            "mcp_config",
            "server_options",
            "server_result",
            "server_tool",
        ],
    },
    Part {
        name: "skills as a server (MCP)",
        modules: &["skill_resource", "skill_server", "skill_uri"],
    },
    Part {
        name: "archives and skills over HTTP",
        modules: &["archive", "discovery_index", "http_finding", "http_options"],
    },
    Part {
        name: "writing, checking and mending skills",
        modules: &[
            "advice",
            "body_paths",
            "define",
            "markdown_line",
            "mend",
            "planned_skill",
            "stringify",
            "validate",
        ],
    },
    Part {
        name: "options, JSON, findings, errors, text",
        modules: &[
            "diagnostic",
            "eight_bytes",
            "error",
            "hidden",
            "json",
            "number",
            "options",
            "ryu",
            "text",
            "warnings",
        ],
    },
    Part {
        name: "the border to JavaScript",
        modules: &["bindings", "js_sys", "wasm_bindgen"],
    },
];

/// What the module has beside functions and texts: types, imports, exports.
const REST: &str = "what holds the module together";

/// Everything that no part has: what the compiler makes of the standard library for several.
const LIBRARY: &str = "the standard library, and what is generic";

/// What is no function.
const DATA: &str = "texts and tables";

/// Builds the module with names and prints what each part of it takes.
pub(crate) fn print(workspace: &Workspace, toolchain: WasmToolchain) -> Result<()> {
    let file = module::build_with_names(workspace, toolchain, Variant::Small)?;
    let bytes = fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
    let parts = divided(&bytes)?;
    let folder = tempfile::tempdir().context("making a temporary folder")?;
    let mut rows = parts
        .into_iter()
        .map(|(name, bytes)| {
            Ok((
                name,
                bytes.len(),
                gzip(&folder.path().join("part"), &bytes)?,
            ))
        })
        .collect::<Result<Vec<_>>>()?;
    rows.sort_by_key(|(.., gzip)| std::cmp::Reverse(*gzip));

    println!("\n{:46}  {:>8}  {:>8}", "part", "as it is", "gzip -9");
    for (name, raw, gzip) in rows {
        println!("{name:46}  {raw:>8}  {gzip:>8}");
    }
    println!("  each compressed by itself.");
    Ok(())
}

fn gzip(file: &Path, bytes: &[u8]) -> Result<usize> {
    fs::write(file, bytes).with_context(|| format!("writing {}", file.display()))?;
    module::gzip_size(file)
}

/// The bytes of each part.
fn divided(module: &[u8]) -> Result<BTreeMap<&'static str, Vec<u8>>> {
    let mut imported = 0;
    let mut bodies = Vec::new();
    let mut names = BTreeMap::new();
    let mut parts: BTreeMap<&'static str, Vec<u8>> = BTreeMap::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        if let Some(range) = rest_range(&payload) {
            let rest = parts.entry(REST).or_default();
            rest.extend(module.get(range).unwrap_or_default());
        }
        match payload {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.range()),
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(sections) = section.as_known() {
                    for section in sections {
                        if let Name::Function(functions) = section? {
                            for naming in functions {
                                let naming = naming?;
                                names.insert(naming.index, naming.name);
                            }
                        }
                    }
                }
            }
            Payload::DataSection(data) => {
                let data = module.get(data.range()).unwrap_or_default();
                parts.insert(DATA, data.to_vec());
            }
            _ => {}
        }
    }
    for (index, range) in (imported..).zip(bodies) {
        let name = names.get(&index).copied().unwrap_or_default();
        let part = parts.entry(part_of(name)).or_default();
        part.extend(module.get(range).unwrap_or_default());
    }
    Ok(parts)
}

/// Where a section stands that holds neither functions, texts nor names.
fn rest_range(payload: &Payload<'_>) -> Option<Range<usize>> {
    if let Payload::CodeSectionStart { .. } | Payload::DataSection(_) | Payload::CustomSection(_) =
        payload
    {
        return None;
    }
    payload.as_section().map(|(_, range)| range)
}

/// The part that a function is of, by its name: `<skillshelf::yaml::Node as core::fmt::Debug>::fmt`.
fn part_of(function: &str) -> &'static str {
    // What wasm-bindgen makes for each export has no path.
    if !function.contains("::") && !function.starts_with("mem") {
        return "the border to JavaScript";
    }
    let path = function
        .find("skillshelf::")
        .map_or(function, |at| &function[at + "skillshelf::".len()..]);
    let mut words = path.split(|c: char| c != '_' && !c.is_ascii_alphanumeric());
    let first = words.find(|word| !word.is_empty()).unwrap_or_default();
    let of_part = |part: &&Part| part.modules.contains(&first);
    PARTS.iter().find(of_part).map_or(LIBRARY, |part| part.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_module_is_in_one_part() {
        let root = include_str!("../../src/lib.rs");
        let modules = root.lines().filter_map(|line| {
            let (_, module) = line.split_once("mod ")?;
            module.strip_suffix(';')
        });
        for module in modules {
            let count = PARTS
                .iter()
                .filter(|part| part.modules.contains(&module))
                .count();
            assert_eq!(count, 1, "parts with the module {module}");
        }
    }

    #[test]
    fn a_function_is_of_the_part_that_its_path_names() {
        for (function, part) in [
            ("skillshelf::yaml::simple::read", "YAML"),
            ("<skillshelf::yaml::Node as core::fmt::Debug>::fmt", "YAML"),
            ("core::ptr::drop_in_place<skillshelf::yaml::Node>", "YAML"),
            ("saphyr_parser::scanner::Scanner::next", "YAML"),
            ("catalog_prompt", "the border to JavaScript"),
            ("memcpy", LIBRARY),
            ("alloc::vec::Vec<T>::push", LIBRARY),
        ] {
            assert_eq!(part_of(function), part, "{function}");
        }
    }
}
