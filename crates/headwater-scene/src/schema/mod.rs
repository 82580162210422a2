//! The JSON Schema of scene files, for editors that complete and check them, and the reference of all keys that is printed from it.

mod json;
mod reference;

pub use json::schema;
pub use reference::reference;
