//! [`Command`]: the message with which the first process starts a collective operation of a
//! distributed world.

use super::rank_world::FlowRankWorld;
use crate::run;
use crate::run::CheckpointParts;
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use std::path::PathBuf;

/// Collective operation, which every process executes. Each variant is named after the method of
/// [`FlowRankWorld`] or [`DistributedFlow`](headwater::distributed::DistributedFlow) that performs
/// the operation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Command {
    Advance { stop: f64, max_steps: u64 },
    Act { event: usize },
    Measure { gauge: usize },
    Sample { step: usize, samples_max_depth: bool },
    WriteNpy { layer: String, file: PathBuf, start: u64, no_data: Option<f32> },
    WriteZarr { layer: String, store: PathBuf, time: usize },
    LayerRows { layer: String, rows: Range<usize> },
    WriteParts { folder: PathBuf, generation: String },
    RestoreParts { folder: PathBuf, contents: CheckpointParts },
    RestoreUndivided,
    IsSound,
    StateHash,
    Balance,
}

impl run::RankWorld for FlowRankWorld {
    fn execute(&mut self, command: &[u8]) -> io::Result<()> {
        let command: Command = postcard::from_bytes(command).map_err(io::Error::other)?;
        // Errors are ignored because the first process gets the same error, except for errors while
        // stepping.
        let _: Result<(), io::Error> = match command {
            Command::Advance { stop, max_steps } => return self.advance(stop, max_steps).map(drop),
            Command::Act { event } => self.apply_event(event).map_err(io::Error::other),
            Command::Measure { gauge } => self.measure_gauge(gauge).map(drop),
            Command::Sample { step, samples_max_depth } => {
                self.sample(step, samples_max_depth).map(drop)
            }
            Command::WriteNpy { layer, file, start, no_data } => {
                self.write_rows(&layer, &file, start, no_data)
            }
            #[cfg(feature = "zarr")]
            Command::WriteZarr { layer, store, time } => self.write_zarr(&layer, &store, time),
            #[cfg(feature = "zarr")]
            Command::LayerRows { layer, rows } => self.layer_rows(&layer, &rows).map(drop),
            #[cfg(not(feature = "zarr"))]
            Command::WriteZarr { .. } | Command::LayerRows { .. } => Ok(()),
            Command::WriteParts { folder, generation } => {
                self.write_parts(&folder, &generation).map(drop)
            }
            Command::RestoreParts { folder, contents } => self.restore_parts(&folder, &contents),
            Command::RestoreUndivided => self.restore_undivided(None),
            Command::IsSound => {
                self.world.is_finite();
                Ok(())
            }
            Command::StateHash => self.world.state_hash().map(drop),
            Command::Balance => self.volume_balance().map(drop),
        };
        Ok(())
    }
}
