//! Tools with which a user edits worlds of the model `blocks` interactively.

use crate::live::tool::{Dab, Strength, Tool, ToolKind, disc_entry, stroke_event};
use headwater::blocks::FULL;
use toml::{Table, Value};

/// Converts a tool's strength (cells) to an amount of liquid in a scene (256ths of a cell).
fn to_units(strength: f64) -> Value {
    let full = f64::from(FULL);
    Value::Integer((strength * full).round().clamp(1.0, full) as i64)
}

fn pour_event(dab: &Dab, liquid: &str) -> Table {
    stroke_event("pour", dab, [("liquid", liquid.into()), ("amount", to_units(dab.strength))])
}

fn outlet_table(dab: &Dab) -> Table {
    disc_entry(dab, "rate", to_units(dab.strength))
}

const CELL_FILL: Strength =
    Strength::new("change of fill per cell", "cells", [1.0 / 256.0, 1.0], 1.0);
const RADIUS: [f64; 3] = [0.5, 24.0, 1.5];

const fn liquid_tool(name: &'static str, doc: &'static str, make: fn(&Dab) -> Table) -> Tool {
    Tool::new(name, ToolKind::Pour, doc, make).with_strength(CELL_FILL).with_radius(RADIUS)
}

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("dig", ToolKind::Dig, "Removes walls.", |dab| stroke_event("dig", dab, []))
        .with_radius(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds walls in air.", |dab| stroke_event("build", dab, []))
        .with_radius(RADIUS),
    liquid_tool("water", "Adds water.", |dab| pour_event(dab, "water")),
    liquid_tool("oil", "Adds oil, which floats on water.", |dab| pour_event(dab, "oil")),
    liquid_tool("lava", "Adds lava, which solidifies in contact with water.", |dab| {
        pour_event(dab, "lava")
    }),
    Tool::new("remove", ToolKind::Drain, "Removes liquids.", |dab| {
        stroke_event("remove", dab, [("amount", to_units(dab.strength))])
    })
    .with_strength(CELL_FILL)
    .with_radius(RADIUS),
    Tool::new("spring", ToolKind::Spring, "Places a permanent spring.", outlet_table)
        .with_strength(CELL_FILL.with_meaning("inflow per cell and step", 0.1))
        .with_radius(RADIUS)
        .with_list("source"),
    Tool::new("sink", ToolKind::Sink, "Places a permanent drain.", outlet_table)
        .with_strength(CELL_FILL.with_meaning("outflow per cell and step", 1.0))
        .with_radius(RADIUS)
        .with_list("drain"),
];
