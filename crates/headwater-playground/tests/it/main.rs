//! Tests of the playground without a window. Tests that draw on a device need an adapter and the
//! feature `test-on-device`.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod comparison;
mod controls;
mod desk;
mod gamepad;
mod import;
mod land_shaders;
mod layout;
mod recording;
mod saved_worlds;
mod touch;
// Shared with the tests of `headwater-gpu`.
#[path = "../../../headwater-gpu/tests/it/wgsl.rs"]
mod wgsl;

#[cfg(feature = "test-on-device")]
mod backend;
#[cfg(feature = "test-on-device")]
mod land_device;
#[cfg(feature = "test-on-device")]
mod live_gpu;
#[cfg(feature = "test-on-device")]
mod offscreen;
mod sandbox;
