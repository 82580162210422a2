//! Tools with which a user edits worlds of the model `columns` interactively.

use crate::live::tool::{
    Dab, Strength, Tool, ToolKind, disc_entry, disc_event, stroke_event, table_from_pairs,
    to_rounded_value,
};
use toml::{Table, Value};

fn push_event(dab: &Dab) -> Table {
    disc_event("push", dab, [("velocity", Value::Float(dab.push_vector()[0]))])
}

fn outlet_table(dab: &Dab) -> Table {
    disc_entry(dab, "rate", to_rounded_value(dab.strength))
}

fn body_table(dab: &Dab, kind: &str) -> Table {
    table_from_pairs([
        ("kind", kind.into()),
        ("at", dab.position_value()),
        ("radius", to_rounded_value(dab.radius)),
        ("density", to_rounded_value(dab.strength)),
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
.with_linear_slider();
const HEAT: Strength = Strength::new("heat", "W", [100.0, 1e8], 1e5);
const DENSITY: Strength = Strength::new("density (water: 1000)", "kg/m³", [50.0, 8000.0], 500.0);
const RADIUS: [f64; 3] = [0.5, 24.0, 1.5];

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("dig", ToolKind::Dig, "Removes walls.", |dab| stroke_event("dig", dab, []))
        .with_radius(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds walls and displaces water where possible.", |dab| {
        stroke_event("build", dab, [])
    })
    .with_radius(RADIUS),
    Tool::new("pour", ToolKind::Pour, "Adds water.", |dab| {
        disc_event("pour", dab, [("volume", dab.amount())])
    })
    .with_strength(RATE)
    .with_radius(RADIUS),
    Tool::new("remove", ToolKind::Drain, "Removes water.", |dab| {
        disc_event("remove", dab, [("volume", dab.amount())])
    })
    .with_strength(RATE)
    .with_radius(RADIUS),
    Tool::new("splash", ToolKind::Drop, "Depresses the surface as a falling object does.", |dab| {
        disc_event("splash", dab, [("height", to_rounded_value(dab.strength))])
    })
    .with_strength(DEPRESSION)
    .with_radius([0.5, 32.0, 3.0])
    .once_per_press(),
    Tool::new(
        "push",
        ToolKind::Push,
        "Pushes the water in the direction of the pointer.",
        push_event,
    )
    .with_strength(ACCELERATION)
    .with_radius([0.5, 32.0, 3.0]),
    Tool::new(
        "anchor",
        ToolKind::Anchor,
        "Sets the water level of all connected water to the pointer's height.",
        |dab| table_from_pairs([("do", "stand".into()), ("at", dab.position_value())]),
    )
    .once_per_press(),
    Tool::new("wind", ToolKind::Wind, "Sets the wind.", |dab| {
        table_from_pairs([("do", "wind".into()), ("acceleration", to_rounded_value(dab.strength))])
    })
    .with_strength(WIND)
    .once_per_press(),
    Tool::new("spring", ToolKind::Spring, "Places a permanent spring.", outlet_table)
        .with_strength(RATE)
        .with_radius(RADIUS)
        .with_list("source"),
    Tool::new("sink", ToolKind::Sink, "Places a permanent drain.", outlet_table)
        .with_strength(RATE)
        .with_radius(RADIUS)
        .with_list("drain"),
    Tool::new(
        "hearth",
        ToolKind::Heat,
        "Places a heater under water, in a world with heat.",
        |dab| disc_entry(dab, "power", to_rounded_value(dab.strength)),
    )
    .with_strength(HEAT)
    .with_radius(RADIUS)
    .with_list("heater"),
    Tool::new("barrel", ToolKind::Body, "Drops a barrel.", |dab| body_table(dab, "barrel"))
        .with_strength(DENSITY)
        .with_radius([0.5, 8.0, 1.0])
        .with_list("body"),
    Tool::new("stone", ToolKind::Body, "Drops a stone.", |dab| body_table(dab, "stone"))
        .with_strength(DENSITY.with_meaning(DENSITY.meaning, 2500.0))
        .with_radius([0.5, 8.0, 1.0])
        .with_list("body"),
];
