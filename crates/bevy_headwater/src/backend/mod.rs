//! Where waters are stepped: [`WaterBackend`]. What moves them to a GPU and asks them there is left out without the feature `gpu`.

#[cfg(feature = "gpu")]
mod asks;
#[cfg(feature = "gpu")]
pub(crate) mod device;
#[cfg(feature = "gpu")]
pub(crate) mod draw;
#[cfg(feature = "gpu")]
pub(crate) mod moves;

use bevy::ecs::prelude::*;
use bevy::prelude::{Reflect, ReflectComponent, ReflectDefault};

#[cfg(all(feature = "gpu", target_arch = "wasm32"))]
compile_error!("the feature `gpu` waits for the device now and then, which browsers do not allow");

/// Where a [`Water`](crate::Water) or a [`Pond`](crate::Pond) is stepped. Without this component it is the CPU, as it always is for
/// the other models, in apps without a renderer, and without the feature `gpu`.
///
/// On the GPU, depths go from the kernels that step them to the texture that is drawn, and nothing comes back. What lags:
///
/// - [`WaterQuery`](crate::WaterQuery) and [`FloodSensor`](crate::FloodSensor) read cells of a `Water` that were asked for in earlier
///   steps, and come one to three frames later. A place that nobody has asked for near by yet is told as the world was brought back
///   last. Of a `Pond` all is told so.
/// - [`WaterState`](crate::WaterState) tells no rest, and what was spilled up to when the world was brought back last.
/// - With `Inertial` and `ShallowWater`, whose steps depend on the water, the world may be a frame behind its clock.
///
/// The component itself is the world as it was brought back last, with the ground as it is now. [`AnyWater::model_mut`] brings it back
/// and has it handed over again, which waits for the GPU. Whatever else changes the component replaces the world on the GPU.
///
/// A world with something in it that is not done there (bodies, culverts and others, see `docs/gpu.md`) goes on on the CPU, until
/// this component is set anew; with `Gpu`, a [`WaterRefused`](crate::WaterRefused) says why. Devices differ in the last bits:
/// lockstep needs `Cpu`.
///
/// [`AnyWater::model_mut`]: crate::AnyWaterItem::model_mut
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
#[cfg_attr(feature = "gpu", require(device::DeviceHalf))]
pub enum WaterBackend {
    /// On the GPU if it is a real one and the world is a `Water` of [`MANY_CELLS`](Self::MANY_CELLS) or more, else on the CPU.
    #[default]
    Auto,
    /// On the CPU.
    Cpu,
    /// On the GPU, be it a program.
    Gpu,
}

impl WaterBackend {
    /// How many cells a world has at least that `Auto` takes to the GPU: 512². Smaller ones cost the CPU less than half a
    /// millisecond a step, and there nothing lags.
    pub const MANY_CELLS: usize = 512 * 512;
}

#[cfg(feature = "gpu")]
pub(crate) type DeviceData = Option<&'static mut device::DeviceHalf>;
