//! [`Comparison`]: a second world that differs from the displayed world in one value. Both worlds
//! receive the same edits, advance to the same time and share the camera.

pub(super) mod actions;
pub(super) mod panel;

use super::canvas::Canvas;
use super::panels::numbers;
use super::world::world_view::WorldView;
use headwater_scene::live::{Parameter, ParameterKind};
use toml::Value;

/// Scene key of the flow scheme. A comparison can vary its value, although it is not one of the
/// parameters with sliders.
pub(super) const PHYSICS: &str = "physics.level";

pub(super) const LEVELS: [&str; 3] = ["pipes", "inertial", "shallow-water"];

/// Scene keys with the most visible effect, in order of preference for a new comparison.
pub(super) const PREFERRED_KEYS: [&str; 5] =
    [PHYSICS, "physics.speed", "physics.gravity", "physics.flow", "hydrology.rock"];

pub(super) struct Comparison {
    pub(super) world_view: WorldView,
    pub(super) canvas: Canvas,
    /// Scene key whose value differs between the worlds.
    pub(super) key: String,
    pub(super) value: Value,
    /// Length of the displayed world's undo history, in strokes, when the comparison started.
    /// Strokes after that were applied to both worlds.
    pub(super) undo_offset: usize,
}

impl Comparison {
    pub(super) fn create(
        world_view: &mut WorldView,
        key: &str,
        value: Value,
    ) -> Result<Self, String> {
        let mut twin = world_view.fork()?;
        twin.live.set(key, value.clone()).map_err(|error| error.to_string())?;
        let (canvas, undo_offset) = (Canvas::for_comparison(), world_view.history.undo_count());
        Ok(Self { world_view: twin, canvas, key: key.into(), value, undo_offset })
    }

    /// Restores the compared value in the comparison world. Needed after an action that has set
    /// this value in both worlds.
    pub(super) fn restore_compared_value(&mut self) {
        let now = self.world_view.live.parameters();
        let at = now.iter().find(|one| one.key == self.key);
        if at.is_some_and(|one| one.to_toml_value(one.value) != self.value) {
            self.world_view.set_parameter(&self.key, self.value.clone());
        }
    }

    /// Returns true if the last stroke of the displayed world was applied to the comparison world
    /// too.
    pub(super) fn shares_undo(&self, world_view: &WorldView) -> bool {
        let here = self.world_view.history.undo_count();
        here > 0 && here + self.undo_offset == world_view.history.undo_count()
    }

    /// Returns true if the last undone stroke of the displayed world was undone in the comparison
    /// world too.
    pub(super) fn shares_redo(&self, world_view: &WorldView) -> bool {
        let here = self.world_view.history.redo_count();
        here > 0 && here == world_view.history.redo_count()
    }
}

/// Returns the scene values that a comparison can vary. Each item consists of a scene key and its
/// label.
pub(super) fn comparable_keys(world_view: &WorldView) -> Vec<(String, String)> {
    let physics = world_view.live.scene().flow().map(|_| (PHYSICS.into(), "physics".into()));
    let parameters = world_view.live.parameters().into_iter();
    let parameters = parameters.map(|one| (one.key, one.label));
    physics.into_iter().chain(parameters).collect()
}

/// Returns the label and the current value of a scene key as one string, for display.
pub(super) fn value_label(world_view: &WorldView, key: &str) -> String {
    if key == PHYSICS {
        return flow_scheme_label(flow_scheme_name(world_view));
    }
    let parameters = world_view.live.parameters();
    let Some(Parameter { label, unit, kind, value, .. }) =
        parameters.into_iter().find(|one| one.key == key)
    else {
        return String::new();
    };
    match (kind, unit) {
        (ParameterKind::Boolean, _) => format!("{label}: {}", numbers::on_off_word(value != 0.0)),
        (_, "256ths") => format!("{label} {:.1} % of a cell", value / 2.56),
        (_, "" | "1") => format!("{label} {}", numbers::format_short(value)),
        (_, unit) => format!("{label} {} {unit}", numbers::format_short(value)),
    }
}

/// Returns the name of the numerical scheme of a `flow` world (such as `pipes`); empty for other
/// models.
pub(super) fn flow_scheme_name(world_view: &WorldView) -> &'static str {
    let scene = world_view.live.scene().flow();
    scene.map_or("", |scene| scene.physics.keys.level.name())
}

pub(super) fn flow_scheme_label(level: &str) -> String {
    level.replace('-', " ")
}

/// Returns a value for a scene key that differs clearly from its current value. Returns `None` if
/// values of this key cannot be compared.
pub(super) fn contrasting_value(world_view: &WorldView, key: &str) -> Option<Value> {
    if key == PHYSICS {
        let other = if flow_scheme_name(world_view) == LEVELS[2] { LEVELS[0] } else { LEVELS[2] };
        return Some(other.into());
    }
    let parameter = world_view.live.parameters().into_iter().find(|one| one.key == key)?;
    let Parameter { slider_range: [low, high], logarithmic, kind, value, .. } = parameter;
    let at = |part: f64| {
        if logarithmic { low * (high / low).powf(part) } else { low + part * (high - low) }
    };
    let other = match kind {
        ParameterKind::Boolean => f64::from(u8::from(value == 0.0)),
        _ if value < at(0.5) => numbers::round_to_two_digits(at(0.75)),
        _ => numbers::round_to_two_digits(at(0.25)),
    };
    Some(parameter.to_toml_value(other))
}
