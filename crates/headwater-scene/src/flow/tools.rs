//! Interactive tools of the model `flow`.

use crate::live::tool::{
    DIG, Dab, FLATTEN, SMOOTH, Strength, Tool, ToolKind, along, short, softly, table,
};
use toml::{Table, Value};

fn push(dab: &Dab) -> Table {
    let velocity = Value::Array(dab.push().map(Value::Float).to_vec());
    softly("push", dab, [("velocity", velocity)])
}

fn source(dab: &Dab) -> Table {
    table([("at", dab.place()), ("radius", short(dab.radius)), ("rate", short(dab.strength))])
}

fn log(dab: &Dab) -> Table {
    let side = 2.0 * dab.radius;
    table([
        ("kind", "crate".into()),
        ("at", dab.place()),
        ("size", Value::Array(vec![short(side), short(side)])),
        ("density", short(dab.strength)),
        ("height", short(0.8 * side)),
    ])
}

fn rain(dab: &Dab) -> Table {
    let depth = dab.strength * dab.seconds * 1e-3;
    softly("pour", dab, [("amount", short(depth))])
}

const HEIGHT: Strength = Strength::new("speed of the ground", "m/s", [0.01, 100.0], 2.0);
const DEPTH: Strength = HEIGHT.called("rate of depth change", 2.0);
const RATE: Strength = Strength::new("discharge", "m³/s", [0.01, 10_000.0], 10.0);
const RAIN: Strength = Strength::new("rain intensity", "mm/s", [0.01, 300.0], 30.0);
const VELOCITY_CHANGE: Strength =
    Strength::new("velocity change per second", "m/s", [0.1, 100.0], 10.0);
const DENSITY: Strength =
    Strength::new("density (water: 1000)", "kg/m³", [50.0, 3000.0], 500.0).linear();
const RADIUS: [f64; 3] = [0.5, 64.0, 6.0];

pub(crate) const TOOLS: &[Tool] = &[
    DIG.strong(HEIGHT).wide(RADIUS),
    Tool::new("raise", ToolKind::Raise, "Raises the ground.", |dab| {
        softly("raise", dab, [("amount", dab.amount())])
    })
    .strong(HEIGHT)
    .wide(RADIUS),
    FLATTEN.wide(RADIUS),
    SMOOTH.wide(RADIUS),
    Tool::new("pour", ToolKind::Pour, "Pours water.", |dab| {
        softly("pour", dab, [("amount", dab.amount())])
    })
    .strong(DEPTH)
    .wide(RADIUS),
    Tool::new("remove", ToolKind::Drain, "Removes water.", |dab| {
        softly("remove", dab, [("amount", dab.amount())])
    })
    .strong(DEPTH)
    .wide(RADIUS),
    Tool::new(
        "rain",
        ToolKind::Rain,
        "Rains, about 1000 times as hard as a cloudburst of 0.03 mm/s.",
        rain,
    )
    .strong(RAIN)
    .wide([2.0, 128.0, 24.0]),
    Tool::new("push", ToolKind::Push, "Pushes water along the pointer's movement.", push)
        .strong(VELOCITY_CHANGE)
        .wide(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds a wall that is closed to water.", |dab| {
        along("close", dab, [])
    })
    .wide([0.5, 32.0, 1.5]),
    Tool::new("unwall", ToolKind::Unwall, "Removes walls and buildings.", |dab| {
        along("open", dab, [])
    })
    .wide([0.5, 32.0, 3.0]),
    Tool::new("spring", ToolKind::Spring, "Adds a permanent spring.", source)
        .strong(RATE)
        .wide([0.5, 32.0, 2.0])
        .adds("source"),
    Tool::new("sink", ToolKind::Sink, "Adds a permanent drain.", source)
        .strong(RATE)
        .wide([0.5, 32.0, 2.0])
        .adds("drain"),
    Tool::new("crate", ToolKind::Body, "Adds a floating crate.", log)
        .strong(DENSITY)
        .wide([0.5, 8.0, 2.0])
        .adds("body"),
];

/// Tables whose values can be changed while the world runs, and the keys in them that cannot.
pub(crate) const TABLES: &[&str] =
    &["physics", "rain", "evaporation", "infiltration", "source", "drain", "time.dt"];
pub(crate) const FIXED: &[&str] = &["physics.manning_map", "rain.map"];
