//! Agent Skills without I/O: front matter, rules, discovery, index, tools and the jail.

mod diagnostic;
mod limits;
mod value;

pub use diagnostic::{Diagnostic, Mode, Position, Rule, Severity};
pub use limits::Limits;
pub use value::{Map, Value};
