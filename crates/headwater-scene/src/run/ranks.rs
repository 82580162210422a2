//! [`Ranks`]: the processes of a distributed run.
//!
//! Every process builds and owns some rows of the world. The first process runs the scene; before
//! each collective operation it sends a command, which the others [execute](super::serve) as well.

use super::summary::Input;
#[cfg(not(target_family = "wasm"))]
use headwater::distributed::SingleProcess;
use headwater::distributed::{Communicator, RebalancePolicy};
use serde::{Deserialize, Serialize};
use std::io;
use std::sync::Arc;

/// Processes that share a world. The settings of the first process apply to all; they do not change
/// the results.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ranks {
    /// Communication between them.
    pub comm: Arc<dyn Communicator>,
    /// Name for the summary, such as `mpi: 4 ranks`.
    pub name: String,
    /// Policy for moving row blocks between processes; `None` to keep them fixed.
    pub rebalance: Option<RebalancePolicy>,
    /// Maximum number of rows of a block; `None` for the default.
    pub block_rows: Option<usize>,
}

impl Ranks {
    /// Creates ranks with default settings.
    pub fn new(comm: Arc<dyn Communicator>, name: impl Into<String>) -> Self {
        let rebalance = Some(RebalancePolicy::default());
        Self { comm, name: name.into(), rebalance, block_rows: None }
    }

    /// Creates the ranks of a single process.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn single() -> Self {
        Self::new(Arc::new(SingleProcess), "cpu")
    }

    /// Has the other processes build their rows of a scene.
    ///
    /// # Errors
    /// The reason why one of them cannot read the same scene.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn start(&self, fingerprint: u64, inputs: &[Input]) -> io::Result<()> {
        let (rebalance, block_rows) = (self.rebalance, self.block_rows);
        let inputs = inputs.to_vec();
        self.broadcast(&Message::Build { fingerprint, inputs, rebalance, block_rows })?;
        self.comm.allgather_values(Ok(())).map(drop)
    }

    /// Has the other processes execute a command, which this process executes next.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn send(&self, command: &impl Serialize) -> io::Result<()> {
        if self.comm.size() == 1 {
            return Ok(());
        }
        self.broadcast(&Message::Command(postcard::to_stdvec(command).map_err(io::Error::other)?))
    }

    /// Ends [`serve`](super::serve) on the other processes.
    ///
    /// # Errors
    /// The reason why they cannot be reached.
    pub fn end(&self) -> io::Result<()> {
        self.broadcast(&Message::RunOutcome)
    }

    fn broadcast(&self, message: &Message) -> io::Result<()> {
        self.comm.broadcast_value(0, || Ok(message.clone())).map(drop)
    }
}

/// Message of the first process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Message {
    /// Builds rows of the scene with a fingerprint, whose files have these hashes.
    Build {
        fingerprint: u64,
        inputs: Vec<Input>,
        rebalance: Option<RebalancePolicy>,
        block_rows: Option<usize>,
    },
    /// Executes a command.
    Command(Vec<u8>),
    /// Ends.
    RunOutcome,
}

/// Rows of a world in one process. A model's scene creates it.
pub trait RankWorld: Send {
    /// Executes a command of the first process. Errors that all processes have are ignored, because
    /// the first one reports them.
    ///
    /// # Errors
    /// An error that the others may not have, so that they would wait for this process forever.
    fn execute(&mut self, command: &[u8]) -> io::Result<()>;
}
