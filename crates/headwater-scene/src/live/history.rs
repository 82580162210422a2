//! [`History`]: undo and redo of interactive edits.

use super::error::LiveError;
use super::gauges::GaugeHistory;
use super::live::Live;
use super::saved_state::SavedState;
use std::collections::VecDeque;

/// Undo history of an interactive world. One state of the world is saved before each mouse stroke,
/// in which a tool may be applied many times.
#[derive(Debug)]
pub struct History {
    /// Limit on the memory used by all saved states (bytes).
    memory_limit_bytes: usize,
    undo_states: VecDeque<SavedState>,
    /// Saved states for redo, each with the gauge values that the undo removed.
    redo_states: Vec<(SavedState, GaugeHistory)>,
}

impl Default for History {
    fn default() -> Self {
        Self::new(256 << 20)
    }
}

impl History {
    /// Creates an empty history with a memory limit (bytes). When the saved states exceed the
    /// limit, the oldest ones are removed.
    pub fn new(memory_limit_bytes: usize) -> Self {
        Self { memory_limit_bytes, undo_states: VecDeque::new(), redo_states: Vec::new() }
    }

    /// Saves the state of the world, and removes all states for redo. The caller must call this
    /// before each stroke of the mouse.
    ///
    /// # Errors
    /// Returns [`LiveError`] if the state cannot be saved.
    pub fn record(&mut self, live: &mut Live) -> Result<(), LiveError> {
        let state = live.save_state()?;
        self.redo_states.clear();
        self.undo_states.push_back(state);
        while self.memory_bytes() > self.memory_limit_bytes
            && self.undo_states.pop_front().is_some()
        {}
        Ok(())
    }

    /// Restores the state before the last stroke of the mouse. Returns false if there is no stroke
    /// to undo.
    ///
    /// # Errors
    /// Returns [`LiveError`] if the history belongs to another world.
    pub fn undo(&mut self, live: &mut Live) -> Result<bool, LiveError> {
        let Some(state) = self.undo_states.back() else { return Ok(false) };
        let now = (live.save_state()?, live.gauge_history());
        live.restore_state(state)?;
        self.undo_states.pop_back();
        self.redo_states.push(now);
        Ok(true)
    }

    /// Restores the state before the last stroke of the mouse, like [`undo`](Self::undo), but the
    /// stroke cannot be redone. Returns false if there is no stroke to undo.
    ///
    /// # Errors
    /// Returns [`LiveError`] if the history belongs to another world.
    pub fn cancel_last(&mut self, live: &mut Live) -> Result<bool, LiveError> {
        let Some(state) = self.undo_states.back() else { return Ok(false) };
        live.restore_state(state)?;
        self.undo_states.pop_back();
        Ok(true)
    }

    /// Reverts the last undo. Returns false if there is nothing to redo.
    ///
    /// # Errors
    /// Returns [`LiveError`] if the history belongs to another world.
    pub fn redo(&mut self, live: &mut Live) -> Result<bool, LiveError> {
        let Some((state, measured)) = self.redo_states.last() else { return Ok(false) };
        let now = live.save_state()?;
        live.restore_state(state)?;
        live.restore_gauge_history(measured);
        self.redo_states.pop();
        self.undo_states.push_back(now);
        Ok(true)
    }

    /// Returns the number of mouse strokes that can be undone.
    pub fn undo_count(&self) -> usize {
        self.undo_states.len()
    }

    /// Returns the number of mouse strokes that can be redone.
    pub fn redo_count(&self) -> usize {
        self.redo_states.len()
    }

    /// Returns whether there is nothing to undo or redo.
    pub fn is_empty(&self) -> bool {
        self.undo_states.is_empty() && self.redo_states.is_empty()
    }

    /// Returns the memory used by all saved states (bytes).
    pub fn memory_bytes(&self) -> usize {
        let future = self.redo_states.iter().map(|(state, _)| state);
        self.undo_states.iter().chain(future).map(SavedState::memory_bytes).sum()
    }

    /// Removes saved states until the remaining states use at most `memory_limit_bytes` bytes.
    /// Removes the oldest undo states first, then all redo states. This reduces the memory use of a
    /// world that is currently not shown.
    pub fn shrink_to(&mut self, memory_limit_bytes: usize) {
        while self.memory_bytes() > memory_limit_bytes {
            if self.undo_states.pop_front().is_none() && self.redo_states.is_empty() {
                return;
            }
            if self.undo_states.is_empty() {
                self.redo_states.clear();
            }
        }
    }

    /// Removes all saved states for undo and redo.
    pub fn clear(&mut self) {
        self.undo_states.clear();
        self.redo_states.clear();
    }
}
