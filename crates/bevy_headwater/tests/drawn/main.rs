//! Tests of rendering without a window, and of water entities on a GPU. The rendered results are
//! read back from textures. The tests need a GPU; a software adapter suffices. Command: `cargo test
//! -p bevy_headwater --features test-in-window,gpu --test drawn`.
#![allow(clippy::unwrap_used, reason = "what fails in a test is to be seen")]

#[path = "../it/apps.rs"]
#[expect(dead_code, reason = "made for the other tests too")]
mod apps;
#[cfg(feature = "gpu")]
mod backends;
mod seen;
mod textures;
