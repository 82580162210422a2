//! JSON Schema of scene files, with which editors can complete and validate them, and a reference
//! of all keys in Markdown.

mod json;
mod reference;

pub use json::schema;
pub use reference::reference;
