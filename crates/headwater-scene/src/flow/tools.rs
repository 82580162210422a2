//! Mouse tools of the model `flow`.

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

const HEIGHT: Strength = Strength::new("rate of change of the ground", "m/s", [0.01, 100.0], 2.0);
const DEPTH: Strength = HEIGHT.with_meaning("rate of change of the depth", 2.0);
const RATE: Strength = Strength::new("water", "m³/s", [0.01, 10_000.0], 10.0);
const RAIN: Strength = Strength::new("rain rate", "mm/s", [0.01, 300.0], 30.0);
const FASTER: Strength =
    Strength::new("acceleration of the water per second", "m/s", [0.1, 100.0], 10.0);
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
    Tool::new("pour", ToolKind::Pour, "Adds water.", |dab| {
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
        "Makes rain, a thousand times as strong as a cloudburst of 0.03 mm/s.",
        rain,
    )
    .with_strength(RAIN)
    .with_radius([2.0, 128.0, 24.0]),
    Tool::new("push", ToolKind::Push, "Pushes the water in the direction of the pointer.", push)
        .with_strength(FASTER)
        .with_radius(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds a wall that water cannot cross.", |dab| {
        along_stroke("close", dab, [])
    })
    .with_radius([0.5, 32.0, 1.5]),
    Tool::new("unwall", ToolKind::Unwall, "Removes walls and buildings.", |dab| {
        along_stroke("open", dab, [])
    })
    .with_radius([0.5, 32.0, 3.0]),
    Tool::new("spring", ToolKind::Spring, "Places a permanent spring.", source)
        .with_strength(RATE)
        .with_radius([0.5, 32.0, 2.0])
        .adds_to("source"),
    Tool::new("sink", ToolKind::Sink, "Places a permanent drain.", source)
        .with_strength(RATE)
        .with_radius([0.5, 32.0, 2.0])
        .adds_to("drain"),
    Tool::new("crate", ToolKind::Body, "Places a floating crate.", log)
        .with_strength(DENSITY)
        .with_radius([0.5, 8.0, 2.0])
        .adds_to("body"),
];

/// Tables with values that can be changed while the world runs, and their keys that cannot.
pub(crate) const TABLES: &[&str] =
    &["physics", "rain", "evaporation", "infiltration", "source", "drain", "time.dt"];
pub(crate) const FIXED: &[&str] = &["physics.manning_map", "rain.map"];
