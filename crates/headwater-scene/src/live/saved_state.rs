//! [`SavedState`]: the complete state of an interactive world, for undo and for snapshots.

use super::error::LiveError;
use super::journal::{JournalEdit, SerializableEdit};
use super::live::Live;
use crate::run::{GaugeSet, RunError, ScheduleProgress};
use crate::scene::Scene;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Complete state of an interactive world at one time. The saved state consists of the model's
/// state, the progress of the schedule, and all edits so far.
#[derive(Clone, Debug)]
pub struct SavedState {
    world: WorldState,
    changes: Vec<Arc<JournalEdit>>,
    edit_steps: Vec<u64>,
    scene: Arc<Scene>,
}

/// Serialized state of the model, together with the progress of the schedule and the gauges.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct WorldState {
    state: Vec<u8>,
    done: ScheduleProgress,
    stop: f64,
    settling: bool,
    gauges: GaugeSet,
}

impl SavedState {
    /// Returns the memory used by this state (bytes). Excludes data that is shared with other saved
    /// states.
    pub fn memory_bytes(&self) -> usize {
        let gauges = size_of_val(self.world.gauges.gauges());
        size_of::<Self>()
            + self.world.state.len()
            + gauges
            + self.changes.len() * (size_of::<Arc<JournalEdit>>() + size_of::<u64>())
    }
}

/// Bytes at the start of every snapshot, which identify the format and its version.
const MAGIC: &[u8] = b"headwater live 4\n";

#[derive(Serialize, Deserialize)]
struct SnapshotBody {
    /// Hash of the scene's TOML source from which the world started.
    base_hash: u64,
    world: WorldState,
    /// Edits in the order in which they were made, each serialized as TOML.
    changes: Vec<String>,
    /// Step count at which each edit was made.
    edit_steps: Vec<u64>,
}

/// TOML table that contains one edit. The edit needs its own key because TOML requires a table at
/// the top level.
#[derive(Serialize, Deserialize)]
struct ChangeEntry {
    change: SerializableEdit,
}

impl Live {
    /// Saves the current state in memory. [`restore_state`](Self::restore_state) can restore it.
    ///
    /// # Errors
    /// Returns [`LiveError::Model`] if the state cannot be serialized.
    pub fn save_state(&mut self) -> Result<SavedState, LiveError> {
        self.require_read_back()?;
        let world = WorldState {
            state: self.simulation.snapshot().map_err(LiveError::Model)?,
            done: self.schedule_progress.clone(),
            stop: self.stop,
            settling: self.settling,
            gauges: self.gauges.gauge_set().clone(),
        };
        let (changes, edit_steps) = (self.journal.changes.clone(), self.journal.edit_steps.clone());
        Ok(SavedState { world, changes, edit_steps, scene: self.scene.clone() })
    }

    /// Restores a saved state of this world, which may be earlier or later than the current one.
    /// Restores the model's state, the scene and the gauges bit for bit. Removes gauge values
    /// measured after the restored time.
    ///
    /// # Errors
    /// Returns [`LiveError`] if the saved state belongs to another world. This world is unchanged
    /// in this case.
    pub fn restore_state(&mut self, saved: &SavedState) -> Result<(), LiveError> {
        let WorldState { state, done, stop, settling, gauges } = &saved.world;
        if !self.schedule.is_valid_progress(done) {
            return Err(LiveError::Model("the snapshot is not of this scene".into()));
        }
        let (journal, _) =
            self.journal.with_changes(saved.changes.clone(), saved.edit_steps.clone())?;
        let gauge_set = self.convert_gauge_set(gauges.clone(), &saved.changes)?;
        self.require_read_back()?;
        // Set the scene first, because the state includes objects that events added to the scene.
        self.simulation.set_scene(saved.scene.as_any()).map_err(LiveError::from_model_error)?;
        if let Err(error) = self.simulation.restore(state) {
            self.simulation.set_scene(self.scene.as_any()).map_err(LiveError::from_model_error)?;
            return Err(LiveError::Model(format!("the snapshot {error}")));
        }
        self.journal = journal;
        self.scene = saved.scene.clone();
        (self.schedule_progress, self.stop) = (done.clone(), *stop);
        self.record_read_back();
        (self.settling, self.awaits_read_back) = (*settling, false);
        self.restore_gauge_set(gauge_set);
        Ok(())
    }

    /// Serializes the current state and all edits, so that they can be stored in a file.
    ///
    /// # Errors
    /// Returns a message with the reason if the state cannot be serialized.
    pub fn snapshot(&mut self) -> Result<Vec<u8>, String> {
        let line = |change: &Arc<JournalEdit>| {
            let change = change.to_serializable().into_owned();
            toml::to_string(&ChangeEntry { change }).map_err(|error| error.to_string())
        };
        let SavedState { world, changes, edit_steps, .. } =
            self.save_state().map_err(|error| error.to_string())?;
        let changes = changes.iter().map(line).collect::<Result<_, _>>()?;
        let saved = SnapshotBody {
            base_hash: xxh3_64(self.journal.base.as_bytes()),
            world,
            changes,
            edit_steps,
        };
        let mut body = postcard::to_stdvec(&saved).map_err(|error| error.to_string())?;
        // The name comes last, because older readers ignore trailing bytes.
        body.extend(postcard::to_stdvec(&self.name).map_err(|error| error.to_string())?);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(xxh3_64(&body).to_le_bytes());
        bytes.extend(body);
        Ok(bytes)
    }

    /// Restores the state that [`snapshot`](Self::snapshot) has returned as `bytes`. The saved
    /// world and this world must have started from the same TOML source.
    ///
    /// # Errors
    /// Returns an error if the bytes are damaged or belong to another scene. The text has no
    /// subject, as in "is cut off", so that the caller can put a file name before it. The world is
    /// unchanged in this case.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("is no snapshot of a live world")?;
        let (sum, body) = rest.split_first_chunk().ok_or("is cut off")?;
        if u64::from_le_bytes(*sum) != xxh3_64(body) {
            return Err("is damaged: its checksum does not fit".into());
        }
        let (saved, rest): (SnapshotBody, _) =
            postcard::take_from_bytes(body).map_err(|error| format!("is damaged: {error}"))?;
        if saved.base_hash != xxh3_64(self.journal.base.as_bytes()) {
            let name = postcard::from_bytes::<String>(rest).map_err(|_| "is of another scene")?;
            return Err(match name == self.name {
                true => format!("is of another scene with the name {name}"),
                false => format!("is of the scene {name}, not of {}", self.name),
            });
        }
        let change = |line: &String| {
            let line: ChangeEntry = toml::from_str(line).map_err(|error| error.to_string())?;
            Ok::<_, String>(Arc::new(JournalEdit::Written(line.change)))
        };
        let changes: Vec<_> = saved.changes.iter().map(change).collect::<Result<_, _>>()?;
        if changes.len() != saved.edit_steps.len() {
            return Err("is damaged: its list of changes is inconsistent".into());
        }
        let (_, scene) = self
            .journal
            .with_changes(changes.clone(), saved.edit_steps.clone())
            .map_err(|error| error.to_string())?;
        let SnapshotBody { world, edit_steps, .. } = saved;
        let saved = SavedState { world, changes, edit_steps, scene: Arc::new(scene) };
        self.restore_state(&saved).map_err(|error| error.to_string())
    }

    /// Restarts the world from the original scene, on the CPU. All edits are lost.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new).
    pub fn reset(&mut self) -> Result<(), RunError> {
        let journal = &self.journal;
        *self = Self::with_reader(&self.name, &journal.base, &[], &journal.reader)?;
        Ok(())
    }
}
