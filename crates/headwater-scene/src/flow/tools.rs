//! Touching water over terrain.

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

const HEIGHT: Strength = Strength::new("how fast the ground moves", "m/s", [0.01, 100.0], 2.0);
const DEPTH: Strength = HEIGHT.with_meaning("how fast the water comes or goes", 2.0);
const RATE: Strength = Strength::new("water", "m³/s", [0.01, 10_000.0], 10.0);
const RAIN: Strength = Strength::new("how much falls", "mm/s", [0.01, 300.0], 30.0);
const FASTER: Strength =
    Strength::new("how much faster the water gets in a second", "m/s", [0.1, 100.0], 10.0);
const DENSITY: Strength =
    Strength::new("density: water has 1000", "kg/m³", [50.0, 3000.0], 500.0).linear();
const RADIUS: [f64; 3] = [0.5, 64.0, 6.0];

pub(crate) const TOOLS: &[Tool] = &[
    DIG.with_strength(HEIGHT).with_radius(RADIUS),
    Tool::new("raise", ToolKind::Raise, "Heaps ground up.", |dab| {
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
    Tool::new("remove", ToolKind::Drain, "Takes water away.", |dab| {
        in_smooth_disc("remove", dab, [("amount", dab.amount())])
    })
    .with_strength(DEPTH)
    .with_radius(RADIUS),
    Tool::new(
        "rain",
        ToolKind::Rain,
        "Lets a shower fall, a thousand times as hard as a cloudburst, which brings 0.03 mm in a second.",
        rain,
    )
    .with_strength(RAIN)
    .with_radius([2.0, 128.0, 24.0]),
    Tool::new("push", ToolKind::Push, "Pushes the water where the pointer goes.", push)
        .with_strength(FASTER)
        .with_radius(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds a wall that no water gets over.", |dab| {
        along_stroke("close", dab, [])
    })
    .with_radius([0.5, 32.0, 1.5]),
    Tool::new("unwall", ToolKind::Unwall, "Takes walls and buildings away.", |dab| {
        along_stroke("open", dab, [])
    })
    .with_radius([0.5, 32.0, 3.0]),
    Tool::new("spring", ToolKind::Spring, "Puts down a spring that goes on.", source)
        .with_strength(RATE)
        .with_radius([0.5, 32.0, 2.0])
        .adds_to("source"),
    Tool::new("sink", ToolKind::Sink, "Puts down a drain that goes on.", source)
        .with_strength(RATE)
        .with_radius([0.5, 32.0, 2.0])
        .adds_to("drain"),
    Tool::new("crate", ToolKind::Body, "Lets a crate down.", log)
        .with_strength(DENSITY)
        .with_radius([0.5, 8.0, 2.0])
        .adds_to("body"),
];

/// Tables of which values can be changed while the world runs, and keys of them that cannot.
pub(crate) const TABLES: &[&str] =
    &["physics", "rain", "evaporation", "infiltration", "source", "drain", "time.dt"];
pub(crate) const FIXED: &[&str] = &["physics.manning_map", "rain.map"];
