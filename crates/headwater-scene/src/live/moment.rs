//! A live world at a moment: to go back to, or to save.

use super::error::LiveError;
use super::journal::Change;
use super::live::Live;
use crate::run::{GaugeSet, RunError, ScheduleProgress};
use crate::scene::Scene;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// A live world as it was at a moment.
#[derive(Clone, Debug)]
pub struct Moment {
    world: Frozen,
    changes: Vec<Arc<Change>>,
    marks: Vec<u64>,
    scene: Arc<Scene>,
}

/// A world and what is due next.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Frozen {
    state: Vec<u8>,
    done: ScheduleProgress,
    stop: f64,
    settling: bool,
    gauges: GaugeSet,
}

impl Moment {
    /// How much memory it takes (bytes), but for what moments share.
    pub fn size(&self) -> usize {
        let gauges = size_of_val(self.world.gauges.all());
        size_of::<Self>()
            + self.world.state.len()
            + gauges
            + self.changes.len() * (size_of::<Arc<Change>>() + size_of::<u64>())
    }
}

/// The first bytes of every snapshot.
const MAGIC: &[u8] = b"headwater live 4\n";

#[derive(Serialize, Deserialize)]
struct Saved {
    /// Hash of the text that the world began with.
    base: u64,
    world: Frozen,
    /// What was done, each as TOML.
    changes: Vec<String>,
    /// After how many steps.
    marks: Vec<u64>,
}

/// A change as TOML.
#[derive(Serialize, Deserialize)]
struct Line {
    change: Change,
}

impl Live {
    /// The world as it is now.
    ///
    /// # Errors
    /// [`LiveError::Model`] if the state cannot be told in bytes.
    pub fn moment(&mut self) -> Result<Moment, LiveError> {
        self.be_here()?;
        let world = Frozen {
            state: self.simulation.snapshot().map_err(LiveError::Model)?,
            done: self.done.clone(),
            stop: self.stop,
            settling: self.settling,
            gauges: self.gauges.gauge_set().clone(),
        };
        let (changes, marks) = (self.journal.changes.clone(), self.journal.marks.clone());
        Ok(Moment { world, changes, marks, scene: self.scene.clone() })
    }

    /// Goes back to a moment, or forth, of this very world: the state is the same in every bit, and so are the text and the
    /// gauges; of what they measured, what came later is gone.
    ///
    /// # Errors
    /// [`LiveError`] if the moment is of another world; then the world stays as it is.
    pub fn go_back(&mut self, moment: &Moment) -> Result<(), LiveError> {
        let Frozen { state, done, stop, settling, gauges } = &moment.world;
        if !self.schedule.fits(done) {
            return Err(LiveError::Model("the snapshot is not of this scene".into()));
        }
        let (journal, _) = self.journal.with(moment.changes.clone(), moment.marks.clone())?;
        let gauge_set = self.roster_of(gauges.clone(), &moment.changes)?;
        self.be_here()?;
        // The scene first: the state has what events added to it.
        self.simulation.set_scene(moment.scene.as_any()).map_err(LiveError::model)?;
        if let Err(error) = self.simulation.restore(state) {
            self.simulation.set_scene(self.scene.as_any()).map_err(LiveError::model)?;
            return Err(LiveError::Model(format!("the snapshot {error}")));
        }
        self.journal = journal;
        self.scene = moment.scene.clone();
        (self.done, self.stop) = (done.clone(), *stop);
        self.note_read_back();
        (self.settling, self.is_late) = (*settling, false);
        self.go_to_gauge_set(gauge_set);
        Ok(())
    }

    /// The world as it is now in bytes, with what was done to it.
    ///
    /// # Errors
    /// Says in words why it cannot be told in bytes.
    pub fn snapshot(&mut self) -> Result<Vec<u8>, String> {
        let line = |change: &Arc<Change>| {
            toml::to_string(&Line { change: (**change).clone() }).map_err(|e| e.to_string())
        };
        let Moment { world, changes, marks, .. } =
            self.moment().map_err(|error| error.to_string())?;
        let changes = changes.iter().map(line).collect::<Result<_, _>>()?;
        let saved = Saved { base: xxh3_64(self.journal.base.as_bytes()), world, changes, marks };
        let mut body = postcard::to_stdvec(&saved).map_err(|error| error.to_string())?;
        // Behind the rest, where who does not know of it looks no more.
        body.extend(postcard::to_stdvec(&self.name).map_err(|error| error.to_string())?);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(xxh3_64(&body).to_le_bytes());
        bytes.extend(body);
        Ok(bytes)
    }

    /// Goes on from a snapshot of a world of the same scene's text.
    ///
    /// # Errors
    /// Says in words what is wrong with the bytes; then the world stays as it is.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("is no snapshot of a live world")?;
        let (sum, body) = rest.split_first_chunk().ok_or("is cut off")?;
        if u64::from_le_bytes(*sum) != xxh3_64(body) {
            return Err("is damaged: its checksum does not fit".into());
        }
        let (saved, rest): (Saved, _) =
            postcard::take_from_bytes(body).map_err(|error| format!("is damaged: {error}"))?;
        if saved.base != xxh3_64(self.journal.base.as_bytes()) {
            let name = postcard::from_bytes::<String>(rest).map_err(|_| "is of another scene")?;
            return Err(match name == self.name {
                true => format!("is of another scene that is called {name} too"),
                false => format!("is of the scene {name}, not of {}", self.name),
            });
        }
        let change = |line: &String| {
            let line: Line = toml::from_str(line).map_err(|error| error.to_string())?;
            Ok::<_, String>(Arc::new(line.change))
        };
        let changes: Vec<_> = saved.changes.iter().map(change).collect::<Result<_, _>>()?;
        if changes.len() != saved.marks.len() {
            return Err("is damaged: what was done does not fit".into());
        }
        let (_, scene) = self
            .journal
            .with(changes.clone(), saved.marks.clone())
            .map_err(|error| error.to_string())?;
        let Saved { world, marks, .. } = saved;
        let moment = Moment { world, changes, marks, scene: Arc::new(scene) };
        self.go_back(&moment).map_err(|error| error.to_string())
    }

    /// Begins anew, as at the start, on the CPU; what was done is undone.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn reset(&mut self) -> Result<(), RunError> {
        let journal = &self.journal;
        *self = Self::read(&self.name, &journal.base, &[], &journal.reader)?;
        Ok(())
    }
}
