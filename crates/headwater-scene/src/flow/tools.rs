//! Touching water over terrain.

use crate::live::tool::{Dab, Strength, Tool, ToolKind, in_disc, short, table};
use toml::{Table, Value};

fn smooth<const N: usize>(op: &str, dab: &Dab, pairs: [(&str, Value); N]) -> Table {
    let mut event = in_disc(op, dab, pairs);
    event.insert("falloff".into(), "smooth".into());
    event
}

fn push(dab: &Dab) -> Table {
    let velocity = Value::Array(dab.push().map(Value::Float).to_vec());
    smooth("push", dab, [("velocity", velocity)])
}

fn flatten(dab: &Dab) -> Table {
    let level = dab.level.unwrap_or_default();
    smooth("flatten", dab, [("level", short(level))])
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

const HEIGHT: Strength = Strength {
    meaning: "how fast the ground moves",
    unit: "m/s",
    range: [0.01, 100.0],
    default: 2.0,
    logarithmic: true,
};
const DEPTH: Strength = Strength { meaning: "how fast the water comes or goes", ..HEIGHT };
const RATE: Strength = Strength {
    meaning: "water",
    unit: "m³/s",
    range: [0.01, 10_000.0],
    default: 10.0,
    logarithmic: true,
};
const RADIUS: Option<[f64; 3]> = Some([0.5, 64.0, 6.0]);

/// What every tool has unless it says otherwise.
const BRUSH: Tool = Tool {
    name: "dig",
    kind: ToolKind::Dig,
    doc: "Digs the ground away.",
    strength: Some(HEIGHT),
    radius: RADIUS,
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
        doc: "Heaps ground up.",
        make: |dab| smooth("raise", dab, [("amount", dab.amount())]),
        ..BRUSH
    },
    Tool {
        name: "flatten",
        kind: ToolKind::Flatten,
        doc: "Brings the ground to the height where the button went down.",
        strength: None,
        levels: true,
        make: flatten,
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
        doc: "Pours water.",
        strength: Some(DEPTH),
        make: |dab| smooth("pour", dab, [("amount", dab.amount())]),
        ..BRUSH
    },
    Tool {
        name: "remove",
        kind: ToolKind::Drain,
        doc: "Takes water away.",
        strength: Some(DEPTH),
        make: |dab| smooth("remove", dab, [("amount", dab.amount())]),
        ..BRUSH
    },
    Tool {
        name: "rain",
        kind: ToolKind::Rain,
        doc: "Lets a shower fall: a cloudburst has 100 mm/h, this one goes on to a thousand times that.",
        strength: Some(Strength {
            meaning: "rain",
            unit: "mm/h",
            range: [10.0, 1e6],
            default: 1e5,
            logarithmic: true,
        }),
        radius: Some([2.0, 128.0, 24.0]),
        make: |dab| {
            let depth = dab.strength * dab.seconds * headwater::flow::MM_PER_HOUR;
            smooth("pour", dab, [("amount", short(depth))])
        },
        ..BRUSH
    },
    Tool {
        name: "push",
        kind: ToolKind::Push,
        doc: "Pushes the water where the mouse goes.",
        strength: Some(Strength {
            meaning: "how much faster the water gets in a second",
            unit: "m/s",
            range: [0.1, 100.0],
            default: 10.0,
            logarithmic: true,
        }),
        make: push,
        ..BRUSH
    },
    Tool {
        name: "wall",
        kind: ToolKind::Wall,
        doc: "Builds a wall that no water gets over.",
        strength: None,
        radius: Some([0.5, 32.0, 1.5]),
        make: |dab| crate::live::tool::along("close", dab, []),
        ..BRUSH
    },
    Tool {
        name: "unwall",
        kind: ToolKind::Unwall,
        doc: "Takes walls and buildings away.",
        strength: None,
        radius: Some([0.5, 32.0, 3.0]),
        make: |dab| crate::live::tool::along("open", dab, []),
        ..BRUSH
    },
    Tool {
        name: "spring",
        kind: ToolKind::Spring,
        doc: "Puts down a spring that goes on.",
        strength: Some(RATE),
        radius: Some([0.5, 32.0, 2.0]),
        lasts: false,
        list: "source",
        make: source,
        ..BRUSH
    },
    Tool {
        name: "sink",
        kind: ToolKind::Sink,
        doc: "Puts down a drain that goes on.",
        strength: Some(RATE),
        radius: Some([0.5, 32.0, 2.0]),
        lasts: false,
        list: "drain",
        make: source,
        ..BRUSH
    },
    Tool {
        name: "crate",
        kind: ToolKind::Body,
        doc: "Lets a crate down.",
        strength: Some(Strength {
            meaning: "density: water has 1000",
            unit: "kg/m³",
            range: [50.0, 3000.0],
            default: 500.0,
            logarithmic: false,
        }),
        radius: Some([0.5, 8.0, 2.0]),
        lasts: false,
        list: "body",
        make: log,
        ..BRUSH
    },
];

/// Tables of which values can be changed while the world runs, and keys of them that cannot.
pub(crate) const TABLES: &[&str] =
    &["physics", "rain", "evaporation", "infiltration", "source", "drain", "time.dt"];
pub(crate) const FIXED: &[&str] = &["physics.manning_map", "rain.map"];
