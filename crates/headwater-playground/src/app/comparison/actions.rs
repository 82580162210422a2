//! Actions that start, change and end a [`Comparison`].

use super::{Comparison, PREFERRED_KEYS, comparable_keys, contrasting_value};
use crate::app::App;
use crate::app::canvas::Canvas;
use toml::Value;
use web_time::Instant;

impl App {
    /// Starts a comparison if `on` is true; otherwise ends the comparison. The worlds of a new
    /// comparison differ in the value with the most visible effect.
    pub(in crate::app) fn set_comparing(&mut self, on: bool) {
        if !on {
            return self.end_comparison();
        }
        let all = comparable_keys(&self.world_view);
        let known = |key: &&str| all.iter().any(|(one, _)| one == key);
        let preferred = PREFERRED_KEYS.iter().find(|key| known(key)).map(|key| (*key).to_owned());
        match preferred.or_else(|| all.first().map(|(key, _)| key.clone())) {
            Some(key) => self.compare_key(key),
            None => {
                let problem = "This world has no value to compare.";
                self.world_view.refusal = Some(problem.into());
            }
        }
    }

    /// Starts a comparison of two worlds that differ in the value of the scene key `key`.
    pub(in crate::app) fn compare_key(&mut self, key: String) {
        self.run_when_available(move |app| {
            let Some(value) = contrasting_value(&app.world_view, &key) else { return };
            app.create_comparison(&key, value);
        });
    }

    pub(in crate::app) fn set_compared_value(&mut self, value: Value) {
        self.run_when_available(move |app| {
            let Some(comparison) = &mut app.comparison else { return };
            let done = comparison.world_view.live.set(&comparison.key, value.clone());
            comparison.world_view.edits += 1;
            match done {
                Ok(()) => comparison.value = value,
                Err(error) => app.world_view.refusal = Some(error.to_string()),
            }
        });
    }

    /// Creates the comparison world as a copy of the displayed world, with `value` for the scene
    /// key `key`.
    fn create_comparison(&mut self, key: &str, value: Value) {
        let mut canvas = self
            .comparison
            .take()
            .map_or_else(Canvas::for_comparison, |comparison| comparison.canvas);
        canvas.refresh();
        match Comparison::create(&mut self.world_view, key, value) {
            Ok(twin) => self.comparison = Some(Comparison { canvas, ..twin }),
            Err(problem) => {
                canvas.close();
                self.world_view.refusal = Some(problem);
            }
        }
    }

    /// Recreates the comparison world after the displayed world jumped to another time or state.
    pub(in crate::app) fn rebuild_comparison(&mut self) {
        if let Some(Comparison { key, value, .. }) = &self.comparison {
            let (key, value) = (key.clone(), value.clone());
            self.create_comparison(&key, value);
        }
    }

    pub(in crate::app) fn end_comparison(&mut self) {
        if let Some(mut comparison) = self.comparison.take() {
            comparison.canvas.close();
        }
    }

    /// Advances the comparison world to the time of the displayed world. If that takes longer than
    /// a frame, the displayed world waits.
    pub(in crate::app) fn advance_comparison(&mut self) {
        let world_view = &mut self.world_view;
        (world_view.waits_for_comparison, world_view.pace.world_count) = (false, 1);
        let Some(comparison) = &mut self.comparison else { return };
        let (begun, patience) = (Instant::now(), world_view.pace.step_budget());
        let enough = &mut || begun.elapsed().as_secs_f64() > patience;
        world_view.waits_for_comparison =
            comparison.world_view.advance_to(world_view.live.clock(), enough);
        world_view.pace.world_count = 2;
        world_view.pace.record_other_world(begun.elapsed().as_secs_f64());
        comparison.world_view.play_seconds = world_view.play_seconds;
        if let Some(fault) = comparison.world_view.fault.take() {
            self.end_comparison();
            self.warn(fault);
        }
    }

    /// Sets a parameter of the displayed world, and also of the comparison world unless it is the
    /// compared parameter.
    pub(in crate::app) fn set_parameter(&mut self, key: &str, value: &Value) {
        self.world_view.set_parameter(key, value.clone());
        if let Some(comparison) = &mut self.comparison
            && comparison.key != key
        {
            comparison.world_view.set_parameter(key, value.clone());
        }
    }

    pub(in crate::app) fn undo_stroke(&mut self) {
        let both = self
            .comparison
            .as_ref()
            .is_some_and(|comparison| comparison.shares_undo(&self.world_view));
        self.world_view.undo();
        match &mut self.comparison {
            Some(comparison) if both => comparison.world_view.undo(),
            _ => self.rebuild_comparison(),
        }
    }

    pub(in crate::app) fn redo_stroke(&mut self) {
        let both = self
            .comparison
            .as_ref()
            .is_some_and(|comparison| comparison.shares_redo(&self.world_view));
        self.world_view.redo();
        match &mut self.comparison {
            Some(comparison) if both => comparison.world_view.redo(),
            _ => self.rebuild_comparison(),
        }
    }

    /// Returns true if the states of both worlds are available on the CPU.
    pub(in crate::app) fn are_worlds_on_cpu(&mut self) -> bool {
        let comparison = self
            .comparison
            .as_mut()
            .is_none_or(|comparison| comparison.world_view.live.read_back());
        self.world_view.live.read_back() && comparison
    }
}
