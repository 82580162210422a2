//! What runs on the device is what runs on the CPU. All but `shaders` needs an adapter and is behind the feature
//! `test-on-device`; the software adapter of mesa-vulkan-drivers does.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod shaders;

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
#[cfg(feature = "test-on-device")]
mod support;
#[cfg(feature = "test-on-device")]
mod tracers;
#[cfg(feature = "test-on-device")]
mod waves;
