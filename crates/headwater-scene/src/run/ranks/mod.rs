//! [`Ranks`]: the processes of a distributed run.
//!
//! Every process builds and owns some rows of the world. The first process executes the run, and
//! sends a command before each collective operation. The other processes receive and execute the
//! commands in [`serve`](super::serve).

pub(super) mod serve;

use super::output::summary::Input;
use headwater::distributed::SingleProcess;
use headwater::distributed::{Communicator, RebalancePolicy};
use serde::{Deserialize, Serialize};
use std::io;
use std::sync::Arc;

/// Processes that share the rows of a world. The settings of the first process apply to all
/// processes. These settings do not change the results.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ranks {
    /// Communicator through which the processes exchange messages.
    pub comm: Arc<dyn Communicator>,
    /// Description of the processes in the run's summary, such as `mpi: 4 ranks`.
    pub name: String,
    /// Policy for moving rows between processes to balance their load; `None` if rows stay where
    /// they are.
    pub rebalance: Option<RebalancePolicy>,
    /// Maximum number of adjacent rows that are stepped and moved between processes as one block;
    /// `None` for the default.
    pub block_rows: Option<usize>,
}

impl Ranks {
    /// Creates ranks with default settings. `name` is the name of the processes for the run's
    /// summary.
    pub fn new(comm: Arc<dyn Communicator>, name: impl Into<String>) -> Self {
        let rebalance = Some(RebalancePolicy::default());
        Self { comm, name: name.into(), rebalance, block_rows: None }
    }

    /// Creates ranks that consist of this process only.
    pub(crate) fn single() -> Self {
        Self::new(Arc::new(SingleProcess), "cpu")
    }

    /// Instructs the other processes to build their rows of a scene's world. `fingerprint` is the
    /// hash of the scene, and `inputs` contains the hashes of its files.
    ///
    /// # Errors
    /// Returns an error if another process cannot read the same scene.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn build_remote_rows(&self, fingerprint: u64, inputs: &[Input]) -> io::Result<()> {
        let (rebalance, block_rows) = (self.rebalance, self.block_rows);
        let inputs = inputs.to_vec();
        self.broadcast(&RankMessage::Build { fingerprint, inputs, rebalance, block_rows })?;
        self.comm.allgather_values(Ok(())).map(drop)
    }

    /// Sends a command to the other processes. The caller then executes the command itself.
    ///
    /// # Errors
    /// Returns an error if the other processes cannot be reached.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn send_command(&self, command: &impl Serialize) -> io::Result<()> {
        if self.comm.size() == 1 {
            return Ok(());
        }
        self.broadcast(&RankMessage::Command(
            postcard::to_stdvec(command).map_err(io::Error::other)?,
        ))
    }

    /// Ends the run in the other processes, so that their call of [`serve`](super::serve) returns.
    ///
    /// # Errors
    /// Returns an error if the other processes cannot be reached.
    pub fn end_run(&self) -> io::Result<()> {
        self.broadcast(&RankMessage::EndRun)
    }

    fn broadcast(&self, message: &RankMessage) -> io::Result<()> {
        self.comm.broadcast_value(0, || Ok(message.clone())).map(drop)
    }
}

/// Message that the first process sends to the other processes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum RankMessage {
    /// Instructs the receiving process to build its rows of a scene's world. The scene must have
    /// the hash `fingerprint`, and its files must have the hashes in `inputs`.
    Build {
        fingerprint: u64,
        inputs: Vec<Input>,
        rebalance: Option<RebalancePolicy>,
        block_rows: Option<usize>,
    },
    /// Instructs the receiving process to execute a command. Contains the serialized command.
    Command(Vec<u8>),
    /// Instructs the receiving process to leave its main loop, because the run has ended.
    EndRun,
}

/// Rows of a distributed world that one process owns. A model implements this trait to support
/// distributed worlds.
pub trait RankWorld: Send {
    /// Executes a serialized command of the first process. Ignores errors that occur in all
    /// processes, because the first process reports them.
    ///
    /// # Errors
    /// Returns an error if the command has failed in this process but may have succeeded in others.
    /// The others would then wait for this process forever, so the caller must terminate them.
    fn execute(&mut self, command: &[u8]) -> io::Result<()>;
}
