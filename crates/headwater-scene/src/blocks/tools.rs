//! Touching liquids in side view.

use crate::live::tool::{Dab, Strength, Tool, ToolKind, along_stroke, disc_entry};
use headwater::blocks::FULL;
use toml::{Table, Value};

/// 256ths of a cell for a strength in cells.
fn units(strength: f64) -> Value {
    let full = f64::from(FULL);
    Value::Integer((strength * full).round().clamp(1.0, full) as i64)
}

fn pour(dab: &Dab, liquid: &str) -> Table {
    along_stroke("pour", dab, [("liquid", liquid.into()), ("amount", units(dab.strength))])
}

fn rate(dab: &Dab) -> Table {
    disc_entry(dab, "rate", units(dab.strength))
}

const PART: Strength = Strength::new(
    "how full each cell gets, or how much it loses",
    "cells",
    [1.0 / 256.0, 1.0],
    1.0,
);
const RADIUS: [f64; 3] = [0.5, 24.0, 1.5];

const fn liquid(name: &'static str, doc: &'static str, make: fn(&Dab) -> Table) -> Tool {
    Tool::new(name, ToolKind::Pour, doc, make).with_strength(PART).with_radius(RADIUS)
}

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("dig", ToolKind::Dig, "Digs walls away.", |dab| along_stroke("dig", dab, []))
        .with_radius(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds walls where air is.", |dab| {
        along_stroke("build", dab, [])
    })
    .with_radius(RADIUS),
    liquid("water", "Pours water.", |dab| pour(dab, "water")),
    liquid("oil", "Pours oil, which floats on water.", |dab| pour(dab, "oil")),
    liquid("lava", "Pours lava, which sets where it meets water.", |dab| pour(dab, "lava")),
    Tool::new("remove", ToolKind::Drain, "Takes liquids away.", |dab| {
        along_stroke("remove", dab, [("amount", units(dab.strength))])
    })
    .with_strength(PART)
    .with_radius(RADIUS),
    Tool::new("spring", ToolKind::Spring, "Puts down a spring that goes on.", rate)
        .with_strength(PART.with_meaning("what each cell gets in a step", 0.1))
        .with_radius(RADIUS)
        .adds_to("source"),
    Tool::new("sink", ToolKind::Sink, "Puts down a drain that goes on.", rate)
        .with_strength(PART.with_meaning("what each cell loses in a step", 1.0))
        .with_radius(RADIUS)
        .adds_to("drain"),
];
