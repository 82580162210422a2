//! Tools with which a user edits worlds of the model `blocks` interactively.

use crate::live::tool::{Dab, Strength, Tool, ToolKind, along_stroke, disc_entry};
use headwater::blocks::FULL;
use toml::{Table, Value};

/// Converts a tool's strength (cells) to an amount of liquid in a scene (256ths of a cell).
fn to_units(strength: f64) -> Value {
    let full = f64::from(FULL);
    Value::Integer((strength * full).round().clamp(1.0, full) as i64)
}

fn pour(dab: &Dab, liquid: &str) -> Table {
    along_stroke("pour", dab, [("liquid", liquid.into()), ("amount", to_units(dab.strength))])
}

fn rate(dab: &Dab) -> Table {
    disc_entry(dab, "rate", to_units(dab.strength))
}

const CELL_FILL: Strength =
    Strength::new("change of fill per cell", "cells", [1.0 / 256.0, 1.0], 1.0);
const RADIUS: [f64; 3] = [0.5, 24.0, 1.5];

const fn liquid(name: &'static str, doc: &'static str, make: fn(&Dab) -> Table) -> Tool {
    Tool::new(name, ToolKind::Pour, doc, make).with_strength(CELL_FILL).with_radius(RADIUS)
}

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("dig", ToolKind::Dig, "Removes walls.", |dab| along_stroke("dig", dab, []))
        .with_radius(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds walls in air.", |dab| along_stroke("build", dab, []))
        .with_radius(RADIUS),
    liquid("water", "Adds water.", |dab| pour(dab, "water")),
    liquid("oil", "Adds oil, which floats on water.", |dab| pour(dab, "oil")),
    liquid("lava", "Adds lava, which solidifies in contact with water.", |dab| pour(dab, "lava")),
    Tool::new("remove", ToolKind::Drain, "Removes liquids.", |dab| {
        along_stroke("remove", dab, [("amount", to_units(dab.strength))])
    })
    .with_strength(CELL_FILL)
    .with_radius(RADIUS),
    Tool::new("spring", ToolKind::Spring, "Places a permanent spring.", rate)
        .with_strength(CELL_FILL.with_meaning("inflow per cell and step", 0.1))
        .with_radius(RADIUS)
        .adds_to("source"),
    Tool::new("sink", ToolKind::Sink, "Places a permanent drain.", rate)
        .with_strength(CELL_FILL.with_meaning("outflow per cell and step", 1.0))
        .with_radius(RADIUS)
        .adds_to("drain"),
];
