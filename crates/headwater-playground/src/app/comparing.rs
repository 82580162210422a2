//! Actions of comparisons ([`Comparison`]).

use super::App;
use super::beside::{Beside, TELLING, differences, other_value};
use super::canvas::Canvas;
use toml::Value;
use web_time::Instant;

impl App {
    /// Starts a comparison that differs in the most visible value, or ends it.
    pub(super) fn compare(&mut self, on: bool) {
        if !on {
            return self.end_comparison();
        }
        let all = differences(&self.stage);
        let known = |key: &&str| all.iter().any(|(one, _)| one == key);
        let telling = TELLING.iter().find(|key| known(key)).map(|key| (*key).to_owned());
        match telling.or_else(|| all.first().map(|(key, _)| key.clone())) {
            Some(key) => self.compare_by(key),
            None => {
                let problem = "This world has no value to compare.";
                self.stage.refusal = Some(problem.into());
            }
        }
    }

    /// Starts a comparison with another value of this key.
    pub(super) fn compare_by(&mut self, key: String) {
        self.when_here(move |app| {
            let Some(value) = other_value(&app.stage, &key) else { return };
            app.fork(&key, value);
        });
    }

    pub(super) fn differ(&mut self, value: Value) {
        self.when_here(move |app| {
            let Some(beside) = &mut app.beside else { return };
            let done = beside.stage.live.set(&beside.key, value.clone());
            beside.stage.edits += 1;
            match done {
                Ok(()) => beside.value = value,
                Err(error) => app.stage.refusal = Some(error.to_string()),
            }
        });
    }

    /// Creates the comparison world from the shown one.
    fn fork(&mut self, key: &str, value: Value) {
        let mut canvas = self.beside.take().map_or_else(Canvas::beside, |beside| beside.canvas);
        canvas.refresh();
        match Beside::of(&mut self.stage, key, value) {
            Ok(twin) => self.beside = Some(Beside { canvas, ..twin }),
            Err(problem) => {
                canvas.close();
                self.stage.refusal = Some(problem);
            }
        }
    }

    /// Recreates the comparison world after the shown one jumped to another time or state.
    pub(super) fn follow_beside(&mut self) {
        if let Some(Beside { key, value, .. }) = &self.beside {
            let (key, value) = (key.clone(), value.clone());
            self.fork(&key, value);
        }
    }

    pub(super) fn end_comparison(&mut self) {
        if let Some(mut beside) = self.beside.take() {
            beside.canvas.close();
        }
    }

    /// Advances the comparison world to the time of the shown one, which waits for it if that takes
    /// longer than a frame.
    pub(super) fn go_beside(&mut self) {
        let stage = &mut self.stage;
        (stage.waits, stage.pace.sharers) = (false, 1);
        let Some(beside) = &mut self.beside else { return };
        let (begun, patience) = (Instant::now(), stage.pace.patience());
        let enough = &mut || begun.elapsed().as_secs_f64() > patience;
        stage.waits = beside.stage.follow_to(stage.live.clock(), enough);
        stage.pace.sharers = 2;
        stage.pace.note_sharer(begun.elapsed().as_secs_f64());
        beside.stage.passed = stage.passed;
        if let Some(fault) = beside.stage.fault.take() {
            self.end_comparison();
            self.warn(fault);
        }
    }

    /// Sets a parameter of the shown world, and of the comparison world unless it is the compared
    /// one.
    pub(super) fn set(&mut self, key: &str, value: &Value) {
        self.stage.set(key, value.clone());
        if let Some(beside) = &mut self.beside
            && beside.key != key
        {
            beside.stage.set(key, value.clone());
        }
    }

    pub(super) fn undo_stroke(&mut self) {
        let both = self.beside.as_ref().is_some_and(|beside| beside.shares_undo(&self.stage));
        self.stage.undo();
        match &mut self.beside {
            Some(beside) if both => beside.stage.undo(),
            _ => self.follow_beside(),
        }
    }

    pub(super) fn redo_stroke(&mut self) {
        let both = self.beside.as_ref().is_some_and(|beside| beside.shares_redo(&self.stage));
        self.stage.redo();
        match &mut self.beside {
            Some(beside) if both => beside.stage.redo(),
            _ => self.follow_beside(),
        }
    }

    /// Returns true if the worlds are available on the CPU.
    pub(super) fn are_here(&mut self) -> bool {
        let beside = self.beside.as_mut().is_none_or(|beside| beside.stage.live.read_back());
        self.stage.live.read_back() && beside
    }
}
