//! Waves on the GPU: the step of [`headwater::waves`] in WGSL, one dispatch each, from one set of buffers into the
//! other. Heights and fluxes are those of the CPU to the last bit: heights are whole quanta, and what is not whole is
//! reckoned in the same order.
//!
//! A cell works out the fluxes over all four of its faces, its neighbours theirs: twice the sums, but no cell waits for
//! another, and memory is read once. What stirs the surface does not depend on it, so the CPU works that out (where
//! drops fall, what bodies press on) and sends lists of cells.

mod draw;
mod fields;
mod gpu_waves;
mod lent;
mod on_device;
mod query;
mod rule;
mod shader;

pub use gpu_waves::GpuWaves;
pub use lent::LentWaves;
pub use query::{Answers, Asked};
#[cfg(test)]
pub(crate) use rule::RECORDS;
pub(crate) use shader::all as shaders;
