//! Tests that compare the GPU with the CPU. All tests except `shaders` need an adapter and the
//! feature `test-on-device`; the software adapter of mesa-vulkan-drivers is sufficient.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod shaders;
mod wgsl;

#[cfg(feature = "test-on-device")]
mod device;
#[cfg(feature = "test-on-device")]
mod double;
#[cfg(feature = "test-on-device")]
mod draw;
#[cfg(feature = "test-on-device")]
mod edits;
#[cfg(feature = "test-on-device")]
mod flow;
#[cfg(feature = "test-on-device")]
mod flow_world;
// Shared with the tests of `headwater`.
#[cfg(feature = "test-on-device")]
#[path = "../../../headwater/tests/it/support/pools.rs"]
mod pools;
#[cfg(feature = "test-on-device")]
mod support;
#[cfg(feature = "test-on-device")]
mod tracers;
#[cfg(feature = "test-on-device")]
mod waves;
