//! Tools with which a user edits worlds of the model `columns` interactively.

use crate::live::tool::{
    Dab, Strength, Tool, ToolKind, along_stroke, disc_entry, in_disc, rounded_value, table,
};
use toml::{Table, Value};

fn push(dab: &Dab) -> Table {
    in_disc("push", dab, [("velocity", Value::Float(dab.push()[0]))])
}

fn rate(dab: &Dab) -> Table {
    disc_entry(dab, "rate", rounded_value(dab.strength))
}

fn body(dab: &Dab, kind: &str) -> Table {
    table([
        ("kind", kind.into()),
        ("at", dab.place()),
        ("radius", rounded_value(dab.radius)),
        ("density", rounded_value(dab.strength)),
    ])
}

const RATE: Strength = Strength::new("water", "m³/s", [0.001, 1000.0], 1.0);
const DEPRESSION: Strength = Strength::new("depth of the depression", "m", [0.01, 10.0], 0.5);
const ACCELERATION: Strength =
    Strength::new("acceleration of the water per second", "m/s", [0.1, 50.0], 5.0);
const WIND: Strength = Strength::new(
    "acceleration of the water by the wind; positive to the east",
    "m/s²",
    [-0.2, 0.2],
    0.05,
)
.linear();
const HEAT: Strength = Strength::new("heat", "W", [100.0, 1e8], 1e5);
const DENSITY: Strength = Strength::new("density (water: 1000)", "kg/m³", [50.0, 8000.0], 500.0);
const RADIUS: [f64; 3] = [0.5, 24.0, 1.5];

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("dig", ToolKind::Dig, "Removes walls.", |dab| along_stroke("dig", dab, []))
        .with_radius(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds walls and displaces water where possible.", |dab| {
        along_stroke("build", dab, [])
    })
    .with_radius(RADIUS),
    Tool::new("pour", ToolKind::Pour, "Adds water.", |dab| {
        in_disc("pour", dab, [("volume", dab.amount())])
    })
    .with_strength(RATE)
    .with_radius(RADIUS),
    Tool::new("remove", ToolKind::Drain, "Removes water.", |dab| {
        in_disc("remove", dab, [("volume", dab.amount())])
    })
    .with_strength(RATE)
    .with_radius(RADIUS),
    Tool::new("splash", ToolKind::Drop, "Depresses the surface as a falling object does.", |dab| {
        in_disc("splash", dab, [("height", rounded_value(dab.strength))])
    })
    .with_strength(DEPRESSION)
    .with_radius([0.5, 32.0, 3.0])
    .once_per_press(),
    Tool::new("push", ToolKind::Push, "Pushes the water in the direction of the pointer.", push)
        .with_strength(ACCELERATION)
        .with_radius([0.5, 32.0, 3.0]),
    Tool::new(
        "anchor",
        ToolKind::Anchor,
        "Sets the water level of all connected water to the pointer's height.",
        |dab| table([("do", "stand".into()), ("at", dab.place())]),
    )
    .once_per_press(),
    Tool::new("wind", ToolKind::Wind, "Sets the wind.", |dab| {
        table([("do", "wind".into()), ("acceleration", rounded_value(dab.strength))])
    })
    .with_strength(WIND)
    .once_per_press(),
    Tool::new("spring", ToolKind::Spring, "Places a permanent spring.", rate)
        .with_strength(RATE)
        .with_radius(RADIUS)
        .adds_to("source"),
    Tool::new("sink", ToolKind::Sink, "Places a permanent drain.", rate)
        .with_strength(RATE)
        .with_radius(RADIUS)
        .adds_to("drain"),
    Tool::new(
        "hearth",
        ToolKind::Heat,
        "Places a heater under water, in a world with heat.",
        |dab| disc_entry(dab, "power", rounded_value(dab.strength)),
    )
    .with_strength(HEAT)
    .with_radius(RADIUS)
    .adds_to("heater"),
    Tool::new("barrel", ToolKind::Body, "Drops a barrel.", |dab| body(dab, "barrel"))
        .with_strength(DENSITY)
        .with_radius([0.5, 8.0, 1.0])
        .adds_to("body"),
    Tool::new("stone", ToolKind::Body, "Drops a stone.", |dab| body(dab, "stone"))
        .with_strength(DENSITY.with_meaning(DENSITY.meaning, 2500.0))
        .with_radius([0.5, 8.0, 1.0])
        .adds_to("body"),
];
