//! Tools with which a user edits worlds of the model `flow` interactively.

use crate::live::tool::{
    DIG, Dab, FLATTEN, SMOOTH, Strength, Tool, ToolKind, along_stroke, in_smooth_disc,
    rounded_value, table,
};
use toml::{Table, Value};

fn push(dab: &Dab) -> Table {
    let velocity = Value::Array(dab.push().map(Value::Float).to_vec());
    in_smooth_disc("push", dab, [("velocity", velocity)])
}

fn source(dab: &Dab) -> Table {
    table([
        ("at", dab.place()),
        ("radius", rounded_value(dab.radius)),
        ("rate", rounded_value(dab.strength)),
    ])
}

fn log(dab: &Dab) -> Table {
    let side = 2.0 * dab.radius;
    table([
        ("kind", "crate".into()),
        ("at", dab.place()),
        ("size", Value::Array(vec![rounded_value(side), rounded_value(side)])),
        ("density", rounded_value(dab.strength)),
        ("height", rounded_value(0.8 * side)),
    ])
}

fn rain(dab: &Dab) -> Table {
    let depth = dab.strength * dab.seconds * 1e-3;
    in_smooth_disc("pour", dab, [("amount", rounded_value(depth))])
}

const HEIGHT: Strength = Strength::new("speed of the ground", "m/s", [0.01, 100.0], 2.0);
const DEPTH: Strength = HEIGHT.with_meaning("rate of depth change", 2.0);
const RATE: Strength = Strength::new("discharge", "m³/s", [0.01, 10_000.0], 10.0);
const RAIN: Strength = Strength::new("rain intensity", "mm/s", [0.01, 300.0], 30.0);
const VELOCITY_CHANGE: Strength =
    Strength::new("velocity change per second", "m/s", [0.1, 100.0], 10.0);
const DENSITY: Strength =
    Strength::new("density (water: 1000)", "kg/m³", [50.0, 3000.0], 500.0).linear();
const RADIUS: [f64; 3] = [0.5, 64.0, 6.0];

pub(crate) const TOOLS: &[Tool] = &[
    DIG.with_strength(HEIGHT).with_radius(RADIUS),
    Tool::new("raise", ToolKind::Raise, "Raises the ground.", |dab| {
        in_smooth_disc("raise", dab, [("amount", dab.amount())])
    })
    .with_strength(HEIGHT)
    .with_radius(RADIUS),
    FLATTEN.with_radius(RADIUS),
    SMOOTH.with_radius(RADIUS),
    Tool::new("pour", ToolKind::Pour, "Pours water.", |dab| {
        in_smooth_disc("pour", dab, [("amount", dab.amount())])
    })
    .with_strength(DEPTH)
    .with_radius(RADIUS),
    Tool::new("remove", ToolKind::Drain, "Removes water.", |dab| {
        in_smooth_disc("remove", dab, [("amount", dab.amount())])
    })
    .with_strength(DEPTH)
    .with_radius(RADIUS),
    Tool::new(
        "rain",
        ToolKind::Rain,
        "Rains, about 1000 times as hard as a cloudburst of 0.03 mm/s.",
        rain,
    )
    .with_strength(RAIN)
    .with_radius([2.0, 128.0, 24.0]),
    Tool::new("push", ToolKind::Push, "Pushes water along the pointer's movement.", push)
        .with_strength(VELOCITY_CHANGE)
        .with_radius(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds a wall that is closed to water.", |dab| {
        along_stroke("close", dab, [])
    })
    .with_radius([0.5, 32.0, 1.5]),
    Tool::new("unwall", ToolKind::Unwall, "Removes walls and buildings.", |dab| {
        along_stroke("open", dab, [])
    })
    .with_radius([0.5, 32.0, 3.0]),
    Tool::new("spring", ToolKind::Spring, "Adds a permanent spring.", source)
        .with_strength(RATE)
        .with_radius([0.5, 32.0, 2.0])
        .adds_to("source"),
    Tool::new("sink", ToolKind::Sink, "Adds a permanent drain.", source)
        .with_strength(RATE)
        .with_radius([0.5, 32.0, 2.0])
        .adds_to("drain"),
    Tool::new("crate", ToolKind::Body, "Adds a floating crate.", log)
        .with_strength(DENSITY)
        .with_radius([0.5, 8.0, 2.0])
        .adds_to("body"),
];

/// Scene tables, and single keys, whose values can be changed while the world runs.
pub(crate) const TABLES: &[&str] =
    &["physics", "rain", "evaporation", "infiltration", "source", "drain", "time.dt"];
/// Keys in the tables of [`TABLES`] whose values cannot be changed while the world runs.
pub(crate) const FIXED: &[&str] = &["physics.manning_map", "rain.map"];
