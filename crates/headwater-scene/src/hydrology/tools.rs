//! Touching land that rivers carve.

use super::{HydrologyScene, HydrologyWorld};
use crate::live::LiveError;
use crate::live::parameter::{Known, ParameterKind};
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

/// The tables whose values can be changed while the world runs, and keys of them that cannot.
pub(crate) const TABLES: &[&str] = &["hydrology", "rain.wind", "rain.every"];
pub(crate) const FIXED: &[&str] =
    &["hydrology.seed", "hydrology.edges", "hydrology.soil", "hydrology.plants"];

const NUMBER: ParameterKind = ParameterKind::Number;

/// A number of `[hydrology]`.
macro_rules! number {
    ($name:ident, $label:literal, $unit:literal, $soft:expr, $hard:expr, $doc:literal) => {
        Known {
            key: concat!("hydrology.", stringify!($name)),
            label: $label,
            unit: $unit,
            soft: $soft,
            hard: $hard,
            kind: NUMBER,
            doc: $doc,
            get: |scene| Some(scene.hydrology.$name),
        }
    };
}

pub(crate) const PARAMETERS: &[Known<HydrologyScene>] = &[
    number!(capacity, "load", "cells", [0.0, 1.0], [0.0, 10.0], "What a drop can carry."),
    number!(exchange, "exchange", "", [0.0, 0.5], [0.0, 1.0], "How fast drops take and leave."),
    number!(friction, "friction", "", [0.01, 0.5], [0.01, 1.0], "What slows a drop in a step."),
    number!(momentum, "drift", "", [0.0, 1.0], [0.0, 1.0], "How streams draw drops along."),
    number!(drop, "water of a drop", "cells", [0.01, 4.0], [0.001, 64.0], "How soon lakes fill."),
    number!(
        drying,
        "drying on the way",
        "",
        [0.0, 0.01],
        [0.0, 0.1],
        "What drops lose to the air."
    ),
    number!(evaporation, "drying of lakes", "", [0.0, 3.0], [0.0, 100.0], "As a part of the rain."),
    number!(
        memory,
        "memory",
        "drops per cell",
        [0.05, 5.0],
        [0.01, 100.0],
        "What streams average."
    ),
    number!(rock, "softness of rock", "", [0.0, 1.0], [0.0, 1.0], "Erodibility; soil has 1."),
    number!(repose, "slope of soil", "", [0.1, 2.0], [0.0, 10.0], "The steepest that soil bears."),
    number!(creep, "creep", "", [0.0, 1.0], [0.0, 10.0], "How soil evens out by itself."),
    number!(weathering, "weathering", "cells", [0.0, 0.2], [0.0, 1.0], "Rock that turns to soil."),
    number!(roots, "roots", "", [0.0, 1.0], [0.0, 1.0], "What plants hold back of erosion."),
    number!(
        sea,
        "height of the sea",
        "m",
        [-200.0, 200.0],
        [-32768.0, 32768.0],
        "The sea's level."
    ),
];

/// Has a world take on the values of another version of its scene.
pub(crate) fn tune(
    world: &mut HydrologyWorld,
    old: &HydrologyScene,
    new: &HydrologyScene,
) -> Result<(), LiveError> {
    world.tune(old, new).map_err(LiveError::model)
}
