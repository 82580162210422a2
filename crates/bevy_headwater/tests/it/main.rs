//! What the plugin promises, in apps without a picture; pictures are in `tests/it/pictures.rs`.
#![allow(clippy::unwrap_used, reason = "what fails in a test is to be seen")]

mod apps;
mod edits;
mod floats;
mod messages;
mod queries;
mod save;
#[cfg(feature = "scenes")]
mod scenes;
mod steps;
