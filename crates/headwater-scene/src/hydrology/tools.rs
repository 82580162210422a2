//! Touching land that rivers carve.

use crate::live::tool::{Dab, Strength, Tool, ToolKind, in_disc, short, table};
use toml::{Table, Value};

fn smooth<const N: usize>(op: &str, dab: &Dab, pairs: [(&str, Value); N]) -> Table {
    let mut event = in_disc(op, dab, pairs);
    event.insert("falloff".into(), "smooth".into());
    event
}

fn plant(dab: &Dab) -> Table {
    let kind = dab.plant.clone().unwrap_or_default();
    smooth("plant", dab, [("kind", kind.into())])
}

const HEIGHT: Strength = Strength {
    meaning: "how fast the ground moves",
    unit: "m/s",
    range: [0.01, 100.0],
    default: 4.0,
    logarithmic: true,
};

const BRUSH: Tool = Tool {
    name: "dig",
    kind: ToolKind::Dig,
    doc: "Digs the ground away.",
    strength: Some(HEIGHT),
    radius: Some([0.5, 64.0, 8.0]),
    lasts: true,
    levels: false,
    list: "event",
    make: |dab| smooth("lower", dab, [("amount", dab.amount())]),
};

pub(crate) const TOOLS: &[Tool] = &[
    BRUSH,
    Tool {
        name: "raise",
        kind: ToolKind::Raise,
        doc: "Raises rock.",
        make: |dab| smooth("raise", dab, [("amount", dab.amount())]),
        ..BRUSH
    },
    Tool {
        name: "heap",
        kind: ToolKind::Raise,
        doc: "Heaps up loose soil.",
        make: |dab| smooth("heap", dab, [("amount", dab.amount())]),
        ..BRUSH
    },
    Tool {
        name: "flatten",
        kind: ToolKind::Flatten,
        doc: "Brings the ground to the height where the button went down.",
        strength: None,
        levels: true,
        make: |dab| smooth("flatten", dab, [("level", short(dab.level.unwrap_or_default()))]),
        ..BRUSH
    },
    Tool {
        name: "smooth",
        kind: ToolKind::Smooth,
        doc: "Evens the ground out.",
        strength: None,
        make: |dab| smooth("smooth", dab, []),
        ..BRUSH
    },
    Tool {
        name: "pour",
        kind: ToolKind::Pour,
        doc: "Pours water out, which runs to where it will stand.",
        strength: Some(Strength {
            meaning: "water",
            unit: "m³/s",
            range: [1.0, 1e7],
            default: 10_000.0,
            logarithmic: true,
        }),
        radius: None,
        make: |dab| table([("do", "pour".into()), ("at", dab.place()), ("volume", dab.amount())]),
        ..BRUSH
    },
    Tool {
        name: "river",
        kind: ToolKind::Spring,
        doc: "Lets a river in from outside.",
        strength: Some(Strength {
            meaning: "the area it drains outside",
            unit: "m²",
            range: [100.0, 1e8],
            default: 1e5,
            logarithmic: true,
        }),
        radius: None,
        lasts: false,
        list: "inflow",
        make: |dab| table([("at", dab.place()), ("catchment", short(dab.strength))]),
        ..BRUSH
    },
    Tool {
        name: "plant",
        kind: ToolKind::Plant,
        doc: "Sets plants of a kind.",
        strength: None,
        make: plant,
        ..BRUSH
    },
    Tool {
        name: "clear",
        kind: ToolKind::Clear,
        doc: "Cuts plants down.",
        strength: None,
        make: |dab| smooth("clear", dab, []),
        ..BRUSH
    },
];

/// The keys beside the model's own parameters whose values can be changed while the world runs.
pub(crate) const TABLES: &[&str] = &["hydrology.strata", "rain.wind", "rain.every"];
