//! JSON Schema of scene files, for completion and validation in editors, and the Markdown reference
//! of all keys.

mod json;
mod reference;

pub use json::schema;
pub use reference::reference;
