//! [`Beside`]: a second world beside the one on show, the same but for one value. Both go through the same from then on, at the same
//! time, and are seen from the same place.

use super::canvas::Canvas;
use super::numbers;
use super::stage::Stage;
use headwater_scene::live::{Parameter, ParameterKind};
use toml::Value;

/// What moves the water of a flow: a choice, which is not among the parameters that sliders change.
pub(super) const PHYSICS: &str = "physics.level";

pub(super) const LEVELS: [&str; 3] = ["pipes", "inertial", "shallow-water"];

/// Values that show most, of models that have them.
pub(super) const TELLING: [&str; 5] =
    [PHYSICS, "physics.speed", "physics.gravity", "physics.flow", "hydrology.rock"];

pub(super) struct Beside {
    pub(super) stage: Stage,
    pub(super) canvas: Canvas,
    /// The key of the scene that has another value in it.
    pub(super) key: String,
    pub(super) value: Value,
    /// Strokes that the world on show could take back when this one came to be.
    pub(super) older: usize,
}

impl Beside {
    pub(super) fn of(stage: &mut Stage, key: &str, value: Value) -> Result<Self, String> {
        let mut twin = stage.fork()?;
        twin.live.set(key, value.clone()).map_err(|error| error.to_string())?;
        let (canvas, older) = (Canvas::beside(), stage.history.undo_count());
        Ok(Self { stage: twin, canvas, key: key.into(), value, older })
    }

    /// Something has changed values of both: the one in which they differ is what it was.
    pub(super) fn keep_differing(&mut self) {
        let now = self.stage.live.parameters();
        let at = now.iter().find(|one| one.key == self.key);
        if at.is_some_and(|one| one.write(one.value) != self.value) {
            self.stage.set(&self.key, self.value.clone());
        }
    }

    /// Whether the last stroke of the world on show was done here too.
    pub(super) fn shares_undo(&self, stage: &Stage) -> bool {
        let here = self.stage.history.undo_count();
        here > 0 && here + self.older == stage.history.undo_count()
    }

    /// Whether what was undone last was undone here too.
    pub(super) fn shares_redo(&self, stage: &Stage) -> bool {
        let here = self.stage.history.redo_count();
        here > 0 && here == stage.history.redo_count()
    }
}

/// What can differ between two worlds: keys, and what they are called.
pub(super) fn differences(stage: &Stage) -> Vec<(String, String)> {
    let physics = stage.live.scene().flow().map(|_| (PHYSICS.into(), "physics".into()));
    let parameters = stage.live.parameters().into_iter();
    let parameters = parameters.map(|one| (one.key, one.label));
    physics.into_iter().chain(parameters).collect()
}

/// What a world has of a key, as people read it.
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

/// What moves the water of a flow; nothing of other models.
pub(super) fn level(stage: &Stage) -> &'static str {
    let scene = stage.live.scene().flow();
    scene.map_or("", |scene| scene.physics.keys.level.name())
}

pub(super) fn level_words(level: &str) -> String {
    level.replace('-', " ")
}

/// Another value of a key than a world has, which shows.
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
