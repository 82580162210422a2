//! Touching liquids in side view.

use crate::live::tool::{Dab, Strength, Tool, ToolKind, along, table};
use headwater::blocks::FULL;
use toml::{Table, Value};

/// 256ths of a cell for a strength in cells.
fn units(strength: f64) -> Value {
    let full = f64::from(FULL);
    Value::Integer((strength * full).round().clamp(1.0, full) as i64)
}

fn pour(dab: &Dab, liquid: &str) -> Table {
    along("pour", dab, [("liquid", liquid.into()), ("amount", units(dab.strength))])
}

fn spring(dab: &Dab) -> Table {
    let disc = table([("center", dab.place()), ("radius", crate::live::tool::short(dab.radius))]);
    table([("disc", disc.into()), ("rate", units(dab.strength))])
}

const PART: Strength = Strength {
    meaning: "how full each cell gets, or how much it loses",
    unit: "cells",
    range: [1.0 / 256.0, 1.0],
    default: 1.0,
    logarithmic: true,
};

const BRUSH: Tool = Tool {
    name: "dig",
    kind: ToolKind::Dig,
    doc: "Digs walls away.",
    strength: None,
    radius: Some([0.5, 24.0, 1.5]),
    lasts: true,
    levels: false,
    list: "event",
    make: |dab| along("dig", dab, []),
};

pub(crate) const TOOLS: &[Tool] = &[
    BRUSH,
    Tool {
        name: "wall",
        kind: ToolKind::Wall,
        doc: "Builds walls where air is.",
        make: |dab| along("build", dab, []),
        ..BRUSH
    },
    Tool {
        name: "water",
        kind: ToolKind::Pour,
        doc: "Pours water.",
        strength: Some(PART),
        make: |dab| pour(dab, "water"),
        ..BRUSH
    },
    Tool {
        name: "oil",
        kind: ToolKind::Pour,
        doc: "Pours oil, which floats on water.",
        strength: Some(PART),
        make: |dab| pour(dab, "oil"),
        ..BRUSH
    },
    Tool {
        name: "lava",
        kind: ToolKind::Pour,
        doc: "Pours lava, which sets where it meets water.",
        strength: Some(PART),
        make: |dab| pour(dab, "lava"),
        ..BRUSH
    },
    Tool {
        name: "remove",
        kind: ToolKind::Drain,
        doc: "Takes liquids away.",
        strength: Some(PART),
        make: |dab| along("remove", dab, [("amount", units(dab.strength))]),
        ..BRUSH
    },
    Tool {
        name: "spring",
        kind: ToolKind::Spring,
        doc: "Puts down a spring that goes on.",
        strength: Some(Strength { meaning: "what each cell gets in a step", default: 0.1, ..PART }),
        lasts: false,
        list: "source",
        make: spring,
        ..BRUSH
    },
    Tool {
        name: "sink",
        kind: ToolKind::Sink,
        doc: "Puts down a drain that goes on.",
        strength: Some(Strength {
            meaning: "what each cell loses in a step",
            default: 1.0,
            ..PART
        }),
        lasts: false,
        list: "drain",
        make: spring,
        ..BRUSH
    },
];
