//! Choice of the processor that steps a water entity: [`WaterBackend`]. Without the feature `gpu`
//! only the CPU is available.

#[cfg(feature = "gpu")]
pub(crate) mod device;
#[cfg(feature = "gpu")]
pub(crate) mod draw;
#[cfg(feature = "gpu")]
pub(crate) mod moves;
#[cfg(feature = "gpu")]
mod queries;

use bevy::ecs::prelude::*;
use bevy::prelude::{Reflect, ReflectComponent, ReflectDefault};

#[cfg(all(feature = "gpu", target_arch = "wasm32"))]
compile_error!("the feature `gpu` waits for the device now and then, which browsers do not allow");

/// Processor that steps a [`Water`](crate::Water) or [`Pond`](crate::Pond). The CPU steps all
/// entities without this component, all other models, and all worlds in apps without a renderer or
/// without the feature `gpu`.
///
/// On the GPU, the kernels write depths directly to the drawn texture, without read-back. Other
/// results are delayed:
///
/// - [`WaterQuery`](crate::WaterQuery) and [`FloodSensor`](crate::FloodSensor) of a `Water` use
///   queries submitted in earlier steps, one to three frames ago. A new point uses the state of the
///   last read-back until its first result arrives. A `Pond` always uses the last read-back.
/// - [`WaterState`](crate::WaterState) never reports rest, and its spilled volume is that of the
///   last read-back.
/// - With `Inertial` and `ShallowWater`, whose step lengths depend on the water, the world may be a
///   frame behind its clock.
///
/// The `Water` or `Pond` component contains the water of the last read-back; its ground is always
/// current. [`AnyWater::model_mut`] reads the world back and uploads it again, which blocks. Any
/// other change of the component replaces the world on the GPU.
///
/// A world with unsupported features (bodies, culverts and others, see `docs/gpu.md`) is stepped by
/// the CPU until this component is set again; with `Gpu`, a [`WaterRefused`](crate::WaterRefused)
/// gives the reason. Results of different devices differ in the last bits, so lockstep requires
/// `Cpu`.
///
/// [`AnyWater::model_mut`]: crate::AnyWaterItem::model_mut
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
#[cfg_attr(feature = "gpu", require(device::GpuWorldSlot))]
pub enum WaterBackend {
    /// The GPU if it is a hardware device and the world is a `Water` of at least
    /// [`AUTO_GPU_MIN_CELLS`](Self::AUTO_GPU_MIN_CELLS) cells; otherwise the CPU.
    #[default]
    Auto,
    /// The world runs on the CPU.
    Cpu,
    /// The GPU, including software adapters.
    Gpu,
}

impl WaterBackend {
    /// Smallest number of cells for which `Auto` chooses the GPU: 512². The CPU steps a smaller
    /// world in less than half a millisecond, and its results are not delayed.
    pub const AUTO_GPU_MIN_CELLS: usize = 512 * 512;
}

#[cfg(feature = "gpu")]
pub(crate) type DeviceData = Option<&'static mut device::GpuWorldSlot>;
