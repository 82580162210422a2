//! Tests of the plugin without rendering; `tests/drawn` and `tests/pictures.rs` test rendering.
#![allow(clippy::unwrap_used, reason = "what fails in a test is to be seen")]

mod apps;
mod edits;
mod floats;
mod harbour;
mod hello;
mod messages;
mod queries;
mod save;
#[cfg(feature = "scenes")]
mod scenes;
mod steps;
