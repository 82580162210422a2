//! Tools with which a user edits worlds of the model `hydrology` interactively.

use super::event::{AddSoil, Added, Clear, Flatten, Plant, Pour, Shift, Smooth};
use super::{HydrologyAction as Action, River};
use crate::scene::event::tool::{Dab, Strength, Tool, ToolKind, round_to_six_digits};
use crate::scene::{AnyAction, NonAreaAction};
use headwater::Falloff;
use headwater::hydrology::Change;

/// Falloff of all tools that have a radius.
const FALLOFF: Falloff = Falloff::Smooth;

fn ground_shift(dab: &Dab) -> Shift {
    Shift { change: Change::By(dab.amount()), falloff: FALLOFF }
}

fn flatten_action(dab: &Dab) -> AnyAction {
    let level = round_to_six_digits(dab.level.unwrap_or_default());
    AnyAction::new(Action::Flatten(dab.on_disc(Flatten { level, falloff: FALLOFF })))
}

fn plant(dab: &Dab) -> AnyAction {
    let kind = dab.plant.clone().unwrap_or_default();
    AnyAction::new(Action::Plant(dab.on_disc(Plant { kind, falloff: FALLOFF })))
}

const HEIGHT: Strength = Strength::new("rate of change of the ground", "m/s", [0.01, 100.0], 4.0);
const WATER: Strength = Strength::new("water", "m³/s", [1.0, 1e7], 10_000.0);
const CATCHMENT: Strength =
    Strength::new("catchment area outside the map", "m²", [100.0, 1e8], 1e5);
const RADIUS: [f64; 3] = [0.5, 64.0, 8.0];

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("dig", ToolKind::Dig, "Lowers the ground.", |dab| {
        AnyAction::new(Action::Lower(dab.on_disc(ground_shift(dab))))
    })
    .with_strength(HEIGHT)
    .with_radius(RADIUS),
    Tool::new("raise", ToolKind::Raise, "Raises rock.", |dab| {
        AnyAction::new(Action::Raise(dab.on_disc(ground_shift(dab))))
    })
    .with_strength(HEIGHT)
    .with_radius(RADIUS),
    Tool::new("heap", ToolKind::Raise, "Adds loose soil.", |dab| {
        let soil = AddSoil { amount: dab.amount(), falloff: FALLOFF };
        AnyAction::new(Action::AddSoil(dab.on_disc(soil)))
    })
    .with_strength(HEIGHT)
    .with_radius(RADIUS),
    Tool::new(
        "flatten",
        ToolKind::Flatten,
        "Moves the ground toward its height at the button press.",
        flatten_action,
    )
    .with_sampled_height()
    .with_radius(RADIUS),
    Tool::new("smooth", ToolKind::Smooth, "Smooths the ground.", |dab| {
        AnyAction::new(Action::Smooth(dab.on_disc(Smooth { reach: None, falloff: FALLOFF })))
    })
    .with_radius(RADIUS),
    Tool::new(
        "pour",
        ToolKind::Pour,
        "Releases water, which flows downhill into depressions.",
        |dab| {
            let pour = Pour { at: dab.position(), volume: dab.amount() };
            AnyAction::new(Action::Pour(NonAreaAction(pour)))
        },
    )
    .with_strength(WATER),
    Tool::new("river", ToolKind::Spring, "Adds a river that enters the map.", |dab| {
        let inflow = River { at: dab.position(), catchment: dab.strength() };
        AnyAction::new(Action::Add(NonAreaAction(Added { inflow })))
    })
    .with_strength(CATCHMENT)
    .once_per_press(),
    Tool::new("plant", ToolKind::Plant, "Adds plants of one kind.", plant).with_radius(RADIUS),
    Tool::new("clear", ToolKind::Clear, "Removes plants.", |dab| {
        AnyAction::new(Action::Clear(dab.on_disc(Clear { falloff: FALLOFF })))
    })
    .with_radius(RADIUS),
];

/// Tables and keys whose values can be changed while the world runs, in addition to the numeric
/// parameters of the model.
pub(crate) const LIVE_TABLES: &[&str] = &["hydrology.strata", "rain.wind", "rain.every"];
