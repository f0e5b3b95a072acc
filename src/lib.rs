//! Agent Skills without I/O: front matter, rules, discovery, index, tools and the jail.

mod diagnostic;
pub mod front_matter;
pub mod hidden;
mod limits;
mod number;
mod stringify;
mod text;
mod value;
pub mod yaml;

pub use diagnostic::{Diagnostic, Mode, Position, Rule, Severity};
pub use limits::Limits;
pub use stringify::stringify;
pub use value::{Map, Value};
