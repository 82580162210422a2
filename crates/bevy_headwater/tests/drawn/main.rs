//! Rendering without a window, read back from textures, and waters on a GPU. They need a GPU;
//! software works: `cargo test -p bevy_headwater --features test-in-window,gpu --test drawn`.
#![allow(clippy::unwrap_used, reason = "what fails in a test is to be seen")]

#[path = "../it/apps.rs"]
#[expect(dead_code, reason = "made for the other tests too")]
mod apps;
#[cfg(feature = "gpu")]
mod backends;
mod seen;
mod textures;
