//! Touching pools in side view.

use crate::live::tool::{Dab, Strength, Tool, ToolKind, along, in_disc, short, table};
use toml::{Table, Value};

fn push(dab: &Dab) -> Table {
    in_disc("push", dab, [("velocity", Value::Float(dab.push()[0]))])
}

fn spread(dab: &Dab, key: &str) -> Table {
    let disc = table([("center", dab.place()), ("radius", short(dab.radius))]);
    table([("disc", disc.into()), (key, short(dab.strength))])
}

fn body(dab: &Dab, kind: &str) -> Table {
    table([
        ("kind", kind.into()),
        ("at", dab.place()),
        ("radius", short(dab.radius)),
        ("density", short(dab.strength)),
    ])
}

const RATE: Strength = Strength {
    meaning: "water",
    unit: "m³/s",
    range: [0.001, 1000.0],
    default: 1.0,
    logarithmic: true,
};
const DENSITY: Strength = Strength {
    meaning: "density: water has 1000",
    unit: "kg/m³",
    range: [50.0, 8000.0],
    default: 500.0,
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
        doc: "Builds walls; water makes way as far as it can.",
        make: |dab| along("build", dab, []),
        ..BRUSH
    },
    Tool {
        name: "pour",
        kind: ToolKind::Pour,
        doc: "Pours water.",
        strength: Some(RATE),
        make: |dab| in_disc("pour", dab, [("volume", dab.amount())]),
        ..BRUSH
    },
    Tool {
        name: "remove",
        kind: ToolKind::Drain,
        doc: "Takes water away.",
        strength: Some(RATE),
        make: |dab| in_disc("remove", dab, [("volume", dab.amount())]),
        ..BRUSH
    },
    Tool {
        name: "splash",
        kind: ToolKind::Drop,
        doc: "Presses the surface down, as if something fell in.",
        strength: Some(Strength {
            meaning: "how far down",
            unit: "m",
            range: [0.01, 10.0],
            default: 0.5,
            logarithmic: true,
        }),
        radius: Some([0.5, 32.0, 3.0]),
        lasts: false,
        make: |dab| in_disc("splash", dab, [("height", short(dab.strength))]),
        ..BRUSH
    },
    Tool {
        name: "push",
        kind: ToolKind::Push,
        doc: "Pushes the water where the mouse goes.",
        strength: Some(Strength {
            meaning: "how much faster the water gets in a second",
            unit: "m/s",
            range: [0.1, 50.0],
            default: 5.0,
            logarithmic: true,
        }),
        radius: Some([0.5, 32.0, 3.0]),
        make: push,
        ..BRUSH
    },
    Tool {
        name: "anchor",
        kind: ToolKind::Anchor,
        doc: "Water stands at the height of the mouse, everywhere it can reach from there.",
        radius: None,
        lasts: false,
        make: |dab| table([("do", "stand".into()), ("at", dab.place())]),
        ..BRUSH
    },
    Tool {
        name: "wind",
        kind: ToolKind::Wind,
        doc: "Lets the wind blow from now on.",
        strength: Some(Strength {
            meaning: "how much faster the water gets in a second, to the east; below 0 to the west",
            unit: "m/s²",
            range: [-0.2, 0.2],
            default: 0.05,
            logarithmic: false,
        }),
        radius: None,
        lasts: false,
        make: |dab| table([("do", "wind".into()), ("acceleration", short(dab.strength))]),
        ..BRUSH
    },
    Tool {
        name: "spring",
        kind: ToolKind::Spring,
        doc: "Puts down a spring that goes on.",
        strength: Some(RATE),
        lasts: false,
        list: "source",
        make: |dab| spread(dab, "rate"),
        ..BRUSH
    },
    Tool {
        name: "sink",
        kind: ToolKind::Sink,
        doc: "Puts down a drain that goes on.",
        strength: Some(RATE),
        lasts: false,
        list: "drain",
        make: |dab| spread(dab, "rate"),
        ..BRUSH
    },
    Tool {
        name: "hearth",
        kind: ToolKind::Heat,
        doc: "Puts down a hearth under the water, where the world has heat.",
        strength: Some(Strength {
            meaning: "heat",
            unit: "W",
            range: [100.0, 1e8],
            default: 1e5,
            logarithmic: true,
        }),
        lasts: false,
        list: "heater",
        make: |dab| spread(dab, "power"),
        ..BRUSH
    },
    Tool {
        name: "barrel",
        kind: ToolKind::Body,
        doc: "Lets a barrel fall.",
        strength: Some(DENSITY),
        radius: Some([0.5, 8.0, 1.0]),
        lasts: false,
        list: "body",
        make: |dab| body(dab, "barrel"),
        ..BRUSH
    },
    Tool {
        name: "stone",
        kind: ToolKind::Body,
        doc: "Lets a stone fall.",
        strength: Some(Strength { default: 2500.0, ..DENSITY }),
        radius: Some([0.5, 8.0, 1.0]),
        lasts: false,
        list: "body",
        make: |dab| body(dab, "stone"),
        ..BRUSH
    },
];
