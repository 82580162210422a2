//! The `waves` model on the GPU: the time step of [`headwater::waves`] in WGSL, with one dispatch
//! per step and double-buffered state. Heights and fluxes match those of the CPU bit for bit,
//! because heights are integers (multiples of a fixed unit) and floating-point operations are
//! performed in the same order as on the CPU.
//!
//! Each cell computes the fluxes across its four faces, so every flux is computed twice. In return,
//! no cell waits for another and memory is read only once. The forcing (drops, pressure of bodies)
//! does not depend on the surface, so the CPU computes it and uploads it as lists of cells.

mod detached;
mod draw;
mod fields;
mod gpu_waves;
mod on_device;
mod params;
mod query;
mod shader;

pub use detached::DetachedWaves;
pub use gpu_waves::GpuWaves;
#[cfg(test)]
pub(crate) use params::RECORDS;
pub use query::{PendingQuery, QueryResult};
pub(crate) use shader::all_kernels as shaders;
