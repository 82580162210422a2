//! [`Comparison`]: a second world that differs in one value. Both receive the same edits, advance
//! to the same time and share the camera.

use super::canvas::Canvas;
use super::numbers;
use super::stage::Stage;
use headwater_scene::live::{Parameter, ParameterKind};
use toml::Value;

/// The flow scheme: a choice that is not among the parameters with sliders.
pub(super) const PHYSICS: &str = "physics.level";

pub(super) const LEVELS: [&str; 3] = ["pipes", "inertial", "shallow-water"];

/// Keys with the most visible effect, in order of preference.
pub(super) const TELLING: [&str; 5] =
    [PHYSICS, "physics.speed", "physics.gravity", "physics.flow", "hydrology.rock"];

pub(super) struct Beside {
    pub(super) stage: Stage,
    pub(super) canvas: Canvas,
    /// The scene key whose value differs.
    pub(super) key: String,
    pub(super) value: Value,
    /// Number of strokes that the shown world could undo when the comparison started.
    pub(super) older: usize,
}

impl Beside {
    pub(super) fn of(stage: &mut Stage, key: &str, value: Value) -> Result<Self, String> {
        let mut twin = stage.fork()?;
        twin.live.set(key, value.clone()).map_err(|error| error.to_string())?;
        let (canvas, older) = (Canvas::beside(), stage.history.undo_count());
        Ok(Self { stage: twin, canvas, key: key.into(), value, older })
    }

    /// Restores the compared value after both were changed together.
    pub(super) fn keep_differing(&mut self) {
        let now = self.stage.live.parameters();
        let at = now.iter().find(|one| one.key == self.key);
        if at.is_some_and(|one| one.write(one.value) != self.value) {
            self.stage.set(&self.key, self.value.clone());
        }
    }

    /// Returns true if the last stroke of the shown world was applied here too.
    pub(super) fn shares_undo(&self, stage: &Stage) -> bool {
        let here = self.stage.history.undo_count();
        here > 0 && here + self.older == stage.history.undo_count()
    }

    /// Returns true if the last undone stroke was undone here too.
    pub(super) fn shares_redo(&self, stage: &Stage) -> bool {
        let here = self.stage.history.redo_count();
        here > 0 && here == stage.history.redo_count()
    }
}

/// Returns the keys and labels of the values that can differ.
pub(super) fn differences(stage: &Stage) -> Vec<(String, String)> {
    let physics = stage.live.scene().flow().map(|_| (PHYSICS.into(), "physics".into()));
    let parameters = stage.live.parameters().into_iter();
    let parameters = parameters.map(|one| (one.key, one.label));
    physics.into_iter().chain(parameters).collect()
}

/// Returns the value of a key as text.
pub(super) fn value_words(stage: &Stage, key: &str) -> String {
    if key == PHYSICS {
        return level_words(level(stage));
    }
    let parameters = stage.live.parameters();
    let Some(Parameter { label, unit, kind, value, .. }) =
        parameters.into_iter().find(|one| one.key == key)
    else {
        return String::new();
    };
    match (kind, unit) {
        (ParameterKind::Switch, _) => format!("{label}: {}", numbers::switch(value != 0.0)),
        (_, "256ths") => format!("{label} {:.1} % of a cell", value / 2.56),
        (_, "" | "1") => format!("{label} {}", numbers::short(value)),
        (_, unit) => format!("{label} {} {unit}", numbers::short(value)),
    }
}

/// Returns the flow scheme; empty for other models.
pub(super) fn level(stage: &Stage) -> &'static str {
    let scene = stage.live.scene().flow();
    scene.map_or("", |scene| scene.physics.keys.level.name())
}

pub(super) fn level_words(level: &str) -> String {
    level.replace('-', " ")
}

/// Returns a clearly different value of a key.
pub(super) fn other_value(stage: &Stage, key: &str) -> Option<Value> {
    if key == PHYSICS {
        let other = if level(stage) == LEVELS[2] { LEVELS[0] } else { LEVELS[2] };
        return Some(other.into());
    }
    let parameter = stage.live.parameters().into_iter().find(|one| one.key == key)?;
    let Parameter { soft: [low, high], logarithmic, kind, value, .. } = parameter;
    let at = |part: f64| {
        if logarithmic { low * (high / low).powf(part) } else { low + part * (high - low) }
    };
    let other = match kind {
        ParameterKind::Switch => f64::from(u8::from(value == 0.0)),
        _ if value < at(0.5) => numbers::rounded(at(0.75)),
        _ => numbers::rounded(at(0.25)),
    };
    Some(parameter.write(other))
}
