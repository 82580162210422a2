//! Tools with which a user edits worlds of the model `hydrology` interactively.

use crate::live::tool::{
    DIG, Dab, FLATTEN, SMOOTH, Strength, Tool, ToolKind, smooth_disc_event, table_from_pairs,
    to_rounded_value,
};
use toml::Table;

fn plant_event(dab: &Dab) -> Table {
    let kind = dab.plant.clone().unwrap_or_default();
    smooth_disc_event("plant", dab, [("kind", kind.into())])
}

const HEIGHT: Strength = Strength::new("rate of change of the ground", "m/s", [0.01, 100.0], 4.0);
const WATER: Strength = Strength::new("water", "m³/s", [1.0, 1e7], 10_000.0);
const CATCHMENT: Strength =
    Strength::new("catchment area outside the map", "m²", [100.0, 1e8], 1e5);
const RADIUS: [f64; 3] = [0.5, 64.0, 8.0];

pub(crate) const TOOLS: &[Tool] = &[
    DIG.with_strength(HEIGHT).with_radius(RADIUS),
    Tool::new("raise", ToolKind::Raise, "Raises rock.", |dab| {
        smooth_disc_event("raise", dab, [("amount", dab.amount())])
    })
    .with_strength(HEIGHT)
    .with_radius(RADIUS),
    Tool::new("heap", ToolKind::Raise, "Adds loose soil.", |dab| {
        smooth_disc_event("heap", dab, [("amount", dab.amount())])
    })
    .with_strength(HEIGHT)
    .with_radius(RADIUS),
    FLATTEN.with_radius(RADIUS),
    SMOOTH.with_radius(RADIUS),
    Tool::new(
        "pour",
        ToolKind::Pour,
        "Releases water, which flows downhill into depressions.",
        |dab| {
            table_from_pairs([
                ("do", "pour".into()),
                ("at", dab.position_value()),
                ("volume", dab.amount()),
            ])
        },
    )
    .with_strength(WATER),
    Tool::new("river", ToolKind::Spring, "Adds a river that enters the map.", |dab| {
        table_from_pairs([
            ("at", dab.position_value()),
            ("catchment", to_rounded_value(dab.strength)),
        ])
    })
    .with_strength(CATCHMENT)
    .with_list("inflow"),
    Tool::new("plant", ToolKind::Plant, "Adds plants of one kind.", plant_event)
        .with_radius(RADIUS),
    Tool::new("clear", ToolKind::Clear, "Removes plants.", |dab| {
        smooth_disc_event("clear", dab, [])
    })
    .with_radius(RADIUS),
];

/// Tables and keys whose values can be changed while the world runs, in addition to the numeric
/// parameters of the model.
pub(crate) const TABLES: &[&str] = &["hydrology.strata", "rain.wind", "rain.every"];
