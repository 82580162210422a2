//! Distributed worlds of the model `flow`. The rows of such a world are divided into row blocks.
//! Several processes own them, or one process that keeps only some of them in memory.
//!
//! A row block owns some rows of the grid and keeps a halo: copies of a few neighbouring rows. Each
//! block is stepped as a separate world with walls at the cut edges. The error of these walls
//! spreads through the halo by the width of the stencil per step. Halos are
//! [exchanged](Communicator::exchange_halos) before the error reaches the owned rows, so results
//! are bit-identical to an undivided world.
//!
//! A step needs only a few global values: maxima (depth, wave speed), computed by
//! [`allreduce_max`](Communicator::allreduce_max), and the depths at the mouths of structures. The
//! terms of the ledger's sums are added in row order, because floating-point sums depend on the
//! order.
//!
//! ```
//! use headwater::distributed::{DistributedFlow, MemoryStore, WorldSpec, RowFields};
//! use headwater::flow::{Flow, Params};
//! use headwater::{Field, InputError, Square};
//!
//! let lattice = Square::new(20, 300, 1.0, 1.0)?;
//! let bed = |y: usize| 0.01 * y as f32;
//! let spec = WorldSpec::new(lattice, Params::default())?;
//! // Memory for three row blocks and their halos.
//! let mut world = DistributedFlow::new(&spec, 100_000, MemoryStore::default(), |rows| {
//!     let (first, ny) = (rows.start, rows.len());
//!     let bed = Field::from_fn(20, ny, |_, y| bed(first + y));
//!     let depth = bed.map(|&z| (2.0 - z).max(0.0));
//!     Ok::<_, std::io::Error>(RowFields::new(bed, depth))
//! })?;
//! while world.steps_toward(5.0, 100)? > 0 {}
//!
//! let bed = Field::from_fn(20, 300, |_, y| bed(y));
//! let depth = bed.map(|&z| (2.0 - z).max(0.0));
//! let mut flow = Flow::new(lattice, Params::default(), bed, depth)?;
//! flow.advance(5.0)?;
//! assert_eq!(world.state_hash()?, flow.state_hash());
//! assert_eq!(world.ledger(), flow.ledger());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advance;
mod block;
mod communicator;
mod local;
mod migrate;
mod partition;
mod rebalance;
mod storage;
mod threads;
mod world;

pub use communicator::{Communicator, SingleProcess};
pub use local::{LocalBlocks, MemoryBudget};
pub use rebalance::RebalancePolicy;
pub use storage::store::{MemoryStore, PageStore};
pub use threads::ThreadCommunicator;
pub use world::distributed_flow::DistributedFlow;
pub use world::row_fields::{BlockView, RowFields};
pub use world::sample::PointSample;
pub use world::spec::WorldSpec;
