//! The `flow` model on the GPU: uploads a [`headwater::flow::Flow`] with all its settings, steps
//! the world on the device and reads its state back on request.
//!
//! ```no_run
//! use headwater::flow::{Flow, Params};
//! use headwater::{Field, Square};
//! use headwater_gpu::{Gpu, flow::{GpuFlow, Options}};
//!
//! let gpu = Gpu::new()?;
//! let lattice = Square::new(1024, 1024, 1.0, 1.0).unwrap();
//! let (bed, depth) = (Field::new(1024, 1024, 0.0), Field::new(1024, 1024, 1.0));
//! let flow = Flow::new(lattice, Params::default(), bed, depth)?;
//! let mut flow = GpuFlow::new(&gpu, flow, Options::default())?;
//! flow.advance(10.0)?;
//! println!("{} m³", flow.sync()?.volume());
//! # Ok::<(), headwater_gpu::GpuError>(())
//! ```
//!
//! A step is one dispatch: each workgroup loads a tile (a block of cells) with a halo of two cells
//! and performs the whole step in workgroup memory (tile.wgsl). Many steps share one submission.
//! Nothing is read back, except with schemes whose stable time step depends on the water: for these
//! schemes, a few numbers per batch of steps are read back.
//!
//! Structures, floating bodies, sub-grid banks and flood statistics are not supported.

mod batch;
mod buffers;
mod detached;
mod draw;
mod edit;
mod exchange;
mod gpu_flow;
mod limit;
mod on_device;
mod options;
mod query;
mod run;
mod shaders;
mod tile;
mod tracers;
mod variant;

#[cfg(test)]
pub(crate) use buffers::records::ALL as RECORDS;
pub use detached::DetachedFlow;
pub use gpu_flow::GpuFlow;
pub use options::{Options, Tile, Tiling};
pub use query::{PendingQuery, QueryResult, WaterSample};
pub(crate) use shaders::all_kernels as shaders;
