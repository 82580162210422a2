//! Undo and redo.

use super::error::LiveError;
use super::gauges::GaugeHistory;
use super::live::Live;
use super::saved_state::SavedState;
use std::collections::VecDeque;

/// Moments to go back to: one before each stroke, however many dabs it has.
#[derive(Debug)]
pub struct History {
    /// What they may take in memory (bytes).
    bound: usize,
    past: VecDeque<SavedState>,
    /// What gauges had measured by then is known there no longer.
    future: Vec<(SavedState, GaugeHistory)>,
}

impl Default for History {
    fn default() -> Self {
        Self::new(256 << 20)
    }
}

impl History {
    /// Nothing done yet. The moments may take so much memory (bytes); beyond, the oldest go.
    pub fn new(bound: usize) -> Self {
        Self { bound, past: VecDeque::new(), future: Vec::new() }
    }

    /// Notes the world as it is before a stroke begins. What was undone before cannot be redone any more.
    ///
    /// # Errors
    /// [`LiveError`] if the state cannot be told in bytes.
    pub fn record(&mut self, live: &mut Live) -> Result<(), LiveError> {
        let moment = live.save_state()?;
        self.future.clear();
        self.past.push_back(moment);
        while self.size() > self.bound && self.past.pop_front().is_some() {}
        Ok(())
    }

    /// Goes back to before the last stroke; false if there is none.
    ///
    /// # Errors
    /// [`LiveError`] if the world is not the one whose history this is.
    pub fn undo(&mut self, live: &mut Live) -> Result<bool, LiveError> {
        let Some(moment) = self.past.back() else { return Ok(false) };
        let now = (live.save_state()?, live.gauge_history());
        live.restore_state(moment)?;
        self.past.pop_back();
        self.future.push(now);
        Ok(true)
    }

    /// As [`undo`](Self::undo), of a stroke that should not have begun: it cannot be redone.
    ///
    /// # Errors
    /// As [`undo`](Self::undo).
    pub fn cancel_last(&mut self, live: &mut Live) -> Result<bool, LiveError> {
        let Some(moment) = self.past.back() else { return Ok(false) };
        live.restore_state(moment)?;
        self.past.pop_back();
        Ok(true)
    }

    /// Goes forth to before the last undo; false if there is nothing to redo.
    ///
    /// # Errors
    /// As [`undo`](Self::undo).
    pub fn redo(&mut self, live: &mut Live) -> Result<bool, LiveError> {
        let Some((moment, measured)) = self.future.last() else { return Ok(false) };
        let now = live.save_state()?;
        live.restore_state(moment)?;
        live.restore_gauge_history(measured);
        self.future.pop();
        self.past.push_back(now);
        Ok(true)
    }

    /// How many strokes can be undone.
    pub fn undo_count(&self) -> usize {
        self.past.len()
    }

    /// How many can be redone.
    pub fn redo_count(&self) -> usize {
        self.future.len()
    }

    /// Whether there is nothing to undo nor to redo.
    pub fn is_empty(&self) -> bool {
        self.past.is_empty() && self.future.is_empty()
    }

    /// What the moments take (bytes).
    pub fn size(&self) -> usize {
        let future = self.future.iter().map(|(moment, _)| moment);
        self.past.iter().chain(future).map(SavedState::size).sum()
    }

    /// Forgets the oldest moments, and what was undone last of all, until the rest takes no more memory than this (bytes): for
    /// a world that is put aside.
    pub fn shrink(&mut self, bound: usize) {
        while self.size() > bound {
            if self.past.pop_front().is_none() && self.future.is_empty() {
                return;
            }
            if self.past.is_empty() {
                self.future.clear();
            }
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.past.clear();
        self.future.clear();
    }
}
