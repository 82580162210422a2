//! Tests of the playground without a window. Tests that draw on a device need an adapter and the
//! feature `test-on-device`.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod compare;
mod desk;
mod drive;
mod fingers;
mod import;
mod keeping;
mod land_shaders;
mod layout;
mod pad;
mod record;
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
