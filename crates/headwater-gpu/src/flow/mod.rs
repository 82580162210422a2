//! `flow` on the GPU: a [`headwater::flow::Flow`] with all that was set up on it is handed over, stepped there, and
//! brought back when it is asked for.
//!
//! ```no_run
//! use headwater::flow::{Flow, Params};
//! use headwater::{Field, Square};
//! use headwater_gpu::{Gpu, flow::{GpuFlow, Options}};
//!
//! let gpu = Gpu::new()?;
//! let lattice = Square::new(1024, 1024, 1.0, 1.0).unwrap();
//! let flow = Flow::new(lattice, Params::default(), Field::new(1024, 1024, 0.0), Field::new(1024, 1024, 1.0))?;
//! let mut flow = GpuFlow::new(&gpu, flow, Options::default())?;
//! flow.advance(10.0)?;
//! println!("{} m³", flow.sync()?.volume());
//! # Ok::<(), headwater_gpu::GpuError>(())
//! ```
//!
//! A step is one dispatch: a workgroup loads a tile with two cells around it and does all five stages in its own
//! memory (tile.wgsl). Many steps go into one submission, and nothing is read back but, for physics whose step
//! depends on the water, a few numbers for each batch.
//!
//! Structures, floating bodies, banks within cells and what is kept of a flood are refused: they are not done here.

mod batch;
mod buffers;
mod draw;
mod edit;
mod exchange;
mod fields;
mod gpu_flow;
mod ledger;
mod lent;
mod limit;
mod on_device;
mod options;
mod query;
mod records;
mod run;
mod schedule;
mod shaders;
mod tile;
mod tracers;
mod variant;

pub use gpu_flow::GpuFlow;
pub use lent::LentFlow;
pub use options::{Options, Sweep, Tile};
pub use query::{Answers, Asked, Reading};
#[cfg(test)]
pub(crate) use records::ALL as RECORDS;
pub(crate) use shaders::all as shaders;
