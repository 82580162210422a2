//! The playground without a window. What draws on a device needs an adapter, and is behind the feature `test-on-device`.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod desk;
mod drive;
mod land_shaders;

#[cfg(feature = "test-on-device")]
mod backend;
#[cfg(feature = "test-on-device")]
mod easel;
#[cfg(feature = "test-on-device")]
mod land_device;
#[cfg(feature = "test-on-device")]
mod live_gpu;
