//! [`TimeScrub`]: snapshots of the last minute of play. If the world continues from an earlier
//! snapshot, the later ones are discarded.

use headwater_scene::live::{GaugeHistory, Live, LiveError, SavedState};
use std::collections::VecDeque;
use web_time::Instant;

/// Length of the history (s of play).
const HISTORY_LENGTH: f64 = 60.0;

/// Smallest interval between two snapshots (s of play).
const MIN_INTERVAL: f64 = 1.0;

/// Largest amount of memory that the snapshots may use (bytes).
const MAX_BYTES: usize = if cfg!(target_arch = "wasm32") { 48 << 20 } else { 128 << 20 };

/// Smallest allowed value of the interval between snapshots divided by the time needed to take one
/// (dimensionless).
const MIN_INTERVAL_TO_COST_RATIO: f64 = 40.0;

/// Number of steps and number of edits of a world, which together identify its state.
pub(in crate::app) type StateCounts = (u64, u64);

struct Snapshot {
    state: SavedState,
    /// Play time (s) at which the snapshot was taken.
    play_time: f64,
}

#[derive(Default)]
pub(in crate::app) struct TimeScrub {
    snapshots: VecDeque<Snapshot>,
    /// Total play time of the world (s).
    play_time: f64,
    /// Required interval between snapshots (s of play), raised if snapshots are slow to take or use
    /// too much memory. Values below [`MIN_INTERVAL`] have no effect.
    interval: f64,
    /// Index of the shown snapshot, and the world's step and edit counts right after this snapshot
    /// was restored. `None` if the present is shown.
    current: Option<(usize, StateCounts)>,
    /// Gauge readings of the present. They are saved when scrubbing starts.
    present_readings: Option<GaugeHistory>,
}

impl TimeScrub {
    /// Adds a frame of `seconds` s to the play time. Takes a snapshot if one is due and if the
    /// state of the world is available on the CPU (`is_on_cpu`).
    pub(in crate::app) fn record(&mut self, live: &mut Live, seconds: f64, is_on_cpu: bool) {
        self.play_time += seconds;
        let is_due =
            |last: &Snapshot| self.play_time - last.play_time >= self.interval.max(MIN_INTERVAL);
        if is_on_cpu && self.snapshots.back().is_none_or(is_due) {
            // Worlds that cannot be saved have no snapshots.
            let _ = self.take_snapshot(live);
        }
    }

    /// Discards the snapshots that are later than the shown one if the world has continued from the
    /// shown one. `counts` contains the current step and edit counts of the world.
    pub(in crate::app) fn discard_later_snapshots(&mut self, counts: StateCounts) {
        if let Some((current, then)) = self.current
            && then != counts
        {
            self.snapshots.truncate(current + 1);
            self.play_time = self.snapshots.back().map_or(self.play_time, |last| last.play_time);
            (self.current, self.present_readings) = (None, None);
        }
    }

    fn take_snapshot(&mut self, live: &mut Live) -> Result<(), LiveError> {
        let begun = Instant::now();
        let state = live.save_state()?;
        self.interval =
            self.interval.max(MIN_INTERVAL_TO_COST_RATIO * begun.elapsed().as_secs_f64());
        self.snapshots.push_back(Snapshot { state, play_time: self.play_time });
        while self
            .snapshots
            .front()
            .is_some_and(|first| first.play_time < self.play_time - HISTORY_LENGTH)
        {
            self.snapshots.pop_front();
        }
        let size = |snapshots: &VecDeque<Snapshot>| {
            snapshots.iter().map(|one| one.state.memory_bytes()).sum::<usize>()
        };
        if size(&self.snapshots) > MAX_BYTES {
            // Drop every second snapshot and double the interval.
            let last = self.snapshots.len() - 1;
            let mut i = 0;
            self.snapshots.retain(|_| {
                i += 1;
                (last + 1 - i).is_multiple_of(2)
            });
            self.interval = 2.0 * self.interval.max(MIN_INTERVAL);
            // The world is too large for more than one snapshot.
            if self.snapshots.len() < 2 {
                self.snapshots.clear();
            }
        }
        Ok(())
    }

    /// Returns two values: the number of snapshots, and the index of the shown snapshot. The index
    /// is `None` if the present is shown.
    pub(in crate::app) fn count_and_shown_index(&self) -> (usize, Option<usize>) {
        (self.snapshots.len(), self.current.map(|(current, _)| current))
    }

    /// Returns the age (s of play) of the snapshot at the index `index`.
    pub(in crate::app) fn age(&self, index: usize) -> f64 {
        self.snapshots.get(index).map_or(0.0, |snapshot| self.play_time - snapshot.play_time)
    }

    /// Returns the total play time of the world (s).
    pub(in crate::app) fn play_time(&self) -> f64 {
        self.play_time
    }

    /// Returns the latest snapshot that is at least `min_age` s of play old, together with its play
    /// time (s). If no snapshot is that old, returns the first one. Snapshots from before the play
    /// time `since` are ignored.
    pub(in crate::app) fn snapshot_before(
        &self,
        min_age: f64,
        since: f64,
    ) -> Option<(&SavedState, f64)> {
        let all = || self.snapshots.iter().filter(|snapshot| snapshot.play_time >= since);
        let old = all()
            .rfind(|snapshot| snapshot.play_time <= self.play_time - min_age)
            .or_else(|| all().next());
        old.map(|snapshot| (&snapshot.state, snapshot.play_time))
    }

    /// Restores the world from the snapshot at the index `index`, or from the last snapshot if
    /// `index` is too large. If the present is still shown, first saves it as a snapshot.
    ///
    /// # Errors
    /// Returns [`LiveError`] if the present cannot be saved, or if the snapshot belongs to another
    /// world.
    pub(in crate::app) fn go_to(&mut self, live: &mut Live, index: usize) -> Result<(), LiveError> {
        if self.current.is_none() {
            let last = self.snapshots.len().saturating_sub(1);
            self.take_snapshot(live)?;
            self.present_readings = Some(live.gauge_history());
            // Adding the present may have dropped the oldest snapshot.
            self.current = Some((last, (0, 0)));
        }
        let index = index.min(self.snapshots.len().saturating_sub(1));
        if let Some(snapshot) = self.snapshots.get(index) {
            live.restore_state(&snapshot.state)?;
            if let Some(measured) = &self.present_readings {
                live.restore_gauge_history(measured);
            }
            self.current = Some((index, (0, 0)));
        }
        Ok(())
    }

    /// Stores the step and edit counts of the world right after a snapshot was restored. A later
    /// change of the counts shows that the world has continued from this snapshot.
    pub(in crate::app) fn set_state_counts(&mut self, counts: StateCounts) {
        if let Some((_, then)) = &mut self.current {
            *then = counts;
        }
    }

    pub(in crate::app) fn clear(&mut self) {
        *self = Self::default();
    }
}
