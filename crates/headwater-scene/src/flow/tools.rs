//! Tools with which a user edits worlds of the model `flow` interactively.

use crate::live::tool::{
    DIG, Dab, FLATTEN, SMOOTH, Strength, Tool, ToolKind, smooth_disc_event, stroke_event,
    table_from_pairs, to_rounded_value,
};
use toml::{Table, Value};

fn push_event(dab: &Dab) -> Table {
    let velocity = Value::Array(dab.push_vector().map(Value::Float).to_vec());
    smooth_disc_event("push", dab, [("velocity", velocity)])
}

fn source_table(dab: &Dab) -> Table {
    table_from_pairs([
        ("at", dab.position_value()),
        ("radius", to_rounded_value(dab.radius)),
        ("rate", to_rounded_value(dab.strength)),
    ])
}

fn crate_table(dab: &Dab) -> Table {
    let side = 2.0 * dab.radius;
    table_from_pairs([
        ("kind", "crate".into()),
        ("at", dab.position_value()),
        ("size", Value::Array(vec![to_rounded_value(side), to_rounded_value(side)])),
        ("density", to_rounded_value(dab.strength)),
        ("height", to_rounded_value(0.8 * side)),
    ])
}

fn rain_event(dab: &Dab) -> Table {
    let depth = dab.strength * dab.seconds * 1e-3;
    smooth_disc_event("pour", dab, [("amount", to_rounded_value(depth))])
}

const HEIGHT: Strength = Strength::new("speed of the ground", "m/s", [0.01, 100.0], 2.0);
const DEPTH: Strength = HEIGHT.with_meaning("rate of depth change", 2.0);
const RATE: Strength = Strength::new("discharge", "m³/s", [0.01, 10_000.0], 10.0);
const RAIN: Strength = Strength::new("rain intensity", "mm/s", [0.01, 300.0], 30.0);
const VELOCITY_CHANGE: Strength =
    Strength::new("velocity change per second", "m/s", [0.1, 100.0], 10.0);
const DENSITY: Strength =
    Strength::new("density (water: 1000)", "kg/m³", [50.0, 3000.0], 500.0).with_linear_slider();
const RADIUS: [f64; 3] = [0.5, 64.0, 6.0];

pub(crate) const TOOLS: &[Tool] = &[
    DIG.with_strength(HEIGHT).with_radius(RADIUS),
    Tool::new("raise", ToolKind::Raise, "Raises the ground.", |dab| {
        smooth_disc_event("raise", dab, [("amount", dab.amount())])
    })
    .with_strength(HEIGHT)
    .with_radius(RADIUS),
    FLATTEN.with_radius(RADIUS),
    SMOOTH.with_radius(RADIUS),
    Tool::new("pour", ToolKind::Pour, "Pours water.", |dab| {
        smooth_disc_event("pour", dab, [("amount", dab.amount())])
    })
    .with_strength(DEPTH)
    .with_radius(RADIUS),
    Tool::new("remove", ToolKind::Drain, "Removes water.", |dab| {
        smooth_disc_event("remove", dab, [("amount", dab.amount())])
    })
    .with_strength(DEPTH)
    .with_radius(RADIUS),
    Tool::new(
        "rain",
        ToolKind::Rain,
        "Rains, about 1000 times as hard as a cloudburst of 0.03 mm/s.",
        rain_event,
    )
    .with_strength(RAIN)
    .with_radius([2.0, 128.0, 24.0]),
    Tool::new("push", ToolKind::Push, "Pushes water along the pointer's movement.", push_event)
        .with_strength(VELOCITY_CHANGE)
        .with_radius(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds a wall that is closed to water.", |dab| {
        stroke_event("close", dab, [])
    })
    .with_radius([0.5, 32.0, 1.5]),
    Tool::new("unwall", ToolKind::Unwall, "Removes walls and buildings.", |dab| {
        stroke_event("open", dab, [])
    })
    .with_radius([0.5, 32.0, 3.0]),
    Tool::new("spring", ToolKind::Spring, "Adds a permanent spring.", source_table)
        .with_strength(RATE)
        .with_radius([0.5, 32.0, 2.0])
        .with_list("source"),
    Tool::new("sink", ToolKind::Sink, "Adds a permanent drain.", source_table)
        .with_strength(RATE)
        .with_radius([0.5, 32.0, 2.0])
        .with_list("drain"),
    Tool::new("crate", ToolKind::Body, "Adds a floating crate.", crate_table)
        .with_strength(DENSITY)
        .with_radius([0.5, 8.0, 2.0])
        .with_list("body"),
];

/// Scene tables, and single keys, whose values can be changed while the world runs.
pub(crate) const TABLES: &[&str] =
    &["physics", "rain", "evaporation", "infiltration", "source", "drain", "time.dt"];
/// Keys in the tables of [`TABLES`] whose values cannot be changed while the world runs.
pub(crate) const FIXED: &[&str] = &["physics.manning_map", "rain.map"];
