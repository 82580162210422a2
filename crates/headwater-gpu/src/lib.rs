//! Headwater's models on the GPU, by wgpu compute shaders: the same steps as on the CPU, in files of the same
//! names, in WGSL instead of Rust.
//!
//! - [`Gpu`] is the device: the fastest there is, or one by name. Without a driver it says what is missing.
//! - [`Buffer`] holds numbers on it; [`Pending`] are numbers on their way back.
//! - [`Kernel`] is a shader put together from parts ([`compose`]), with the buffers that it reads and writes.
//! - [`flow::GpuFlow`] steps a [`headwater::flow::Flow`] there, and brings it back.
//! - [`waves::GpuWaves`] steps a [`headwater::waves::Waves`] there, and brings it back.
//! - [`Gpu::of`] shares a device with a window; both worlds can be drawn there into a texture ([`CANVAS`]).
//! - [`DeviceCopy`] is a plain copy: the bandwidth that everything else is held against.
//!
//! Nothing here waits unless its name says so or its docs do: what is submitted runs by itself, and faults come
//! to light where something is brought back ([`Gpu::check`]). Functions that wait do not exist in browsers.
//!
//! How a model is brought here: keep its fields in buffers whose rows begin at multiples of a pitch; write its
//! formulas as small WGSL functions in a file named as the CPU's; a kernel loads what its tile needs into
//! workgroup memory. What must come out the same in two places (a face that two tiles share) has to come from
//! the same function with the same inputs, and sums that compilers might rearrange go through `opaque`.
//! `docs/gpu.md` has the rest.

mod buffer;
mod canvas;
mod copy;
mod device;
mod error;
pub mod flow;
mod kernel;
pub mod waves;

pub use buffer::{Buffer, Pending};
pub use canvas::CANVAS;
pub use copy::DeviceCopy;
pub use device::{Adapter, Gpu};
pub use error::GpuError;
pub use kernel::{Binding, Bound, Kernel, WINDOW, compose};
/// The crate that devices and textures are of, for whoever hands them over.
pub use wgpu;

/// The part of WGSL that all models share: `opaque`.
pub const COMMON: &str = include_str!("common.wgsl");

/// The part of WGSL that reckons in numbers of 64 bits, as the CPU does: `sum`, `product`, `quotient` and what goes with
/// them.
pub const DOUBLE: &str = include_str!("double.wgsl");

/// The text of every shader there is, by name: each can be checked without a device.
pub fn shaders() -> Vec<(String, String)> {
    let mut all = vec![("copy".to_owned(), copy::shader())];
    all.extend(flow::shaders());
    all.extend(waves::shaders());
    all
}
