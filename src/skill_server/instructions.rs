//! What a client is told of the skills when it connects.

use crate::budget::Budget;
use crate::catalog::Catalog;
use crate::error::Error;
use crate::index::IndexOptions;
use crate::operation::Operation;
use crate::tool_options::{ToolOptions, ToolSet};

/// Characters of the index, where nobody says otherwise.
const LONGEST_INDEX: u32 = 16 * 1024;

impl Catalog {
    /// What a client is told of the skills when it connects: the index, as much of it as is good to
    /// be told unasked. Empty where there is nothing to tell. An error where tools cannot be named so.
    pub fn instructions(&self, options: ToolOptions) -> Operation<Result<String, Error>> {
        // Whichever of them are offered: one of a conversation is none of the catalog's.
        let named = ToolOptions {
            set: ToolSet::Full,
            ..options.clone()
        };
        if let Err(error) = self.tools_to_call(named, None) {
            return Operation::done(Err(error));
        }
        let ToolOptions { index, rename, .. } = options;
        let budget = index.budget.unwrap_or(Budget::Characters(LONGEST_INDEX));
        self.prompt(IndexOptions {
            rename: Some(rename),
            budget: Some(budget),
            ..index
        })
    }
}
