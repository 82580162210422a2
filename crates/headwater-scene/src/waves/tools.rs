//! Touching a rippling surface.

use crate::live::tool::{Dab, Strength, Tool, ToolKind, along, place, short, table};
use toml::{Table, Value};

fn drop(dab: &Dab, depth: f64) -> Table {
    table([
        ("do", "drop".into()),
        ("at", dab.place()),
        ("radius", short(dab.radius)),
        ("depth", short(depth)),
    ])
}

fn stroke(dab: &Dab) -> Table {
    let points = Value::Array(vec![place(dab.from), place(dab.at)]);
    let line = table([("points", points), ("width", short(2.0 * dab.radius))]);
    table([("do", "stroke".into()), ("line", line.into()), ("depth", dab.amount())])
}

/// The wind blows where the mouse goes; held still, it goes on as it did.
fn wind(dab: &Dab) -> Table {
    let way = [dab.at[0] - dab.from[0], dab.at[1] - dab.from[1]];
    let length = libm::hypot(way[0], way[1]);
    let mut event = table([("do", "wind".into()), ("head", short(dab.strength))]);
    if length > 0.0 {
        let velocity = way.map(|part| short(GALE * part / length));
        event.insert("velocity".into(), Value::Array(velocity.to_vec()));
    }
    event
}

fn maker(dab: &Dab) -> Table {
    let (x, y) = (dab.at[0], dab.at[1]);
    table([
        ("from", place([x, y - dab.radius])),
        ("to", place([x, y + dab.radius])),
        ("width", short(dab.radius)),
        ("head", short(dab.strength)),
        ("period", short(1.0)),
    ])
}

fn boat(dab: &Dab) -> Table {
    let size = Value::Array(vec![short(2.0 * dab.radius), short(dab.radius)]);
    let mut body = table([
        ("kind", "boat".into()),
        ("at", dab.place()),
        ("size", size),
        ("draft", short(dab.strength)),
    ]);
    // Dragged, it sails that way, as fast as a boat does.
    let speed = |axis: usize| ((dab.at[axis] - dab.from[axis]) / dab.seconds).clamp(-3.0, 3.0);
    let velocity = [speed(0), speed(1)];
    if velocity != [0.0; 2] {
        body.insert("velocity".into(), Value::Array(velocity.map(short).to_vec()));
    }
    body
}

/// How fast gusts go (m/s).
const GALE: f64 = 4.0;

const DEPTH: Strength = Strength {
    meaning: "how deep",
    unit: "m",
    range: [0.001, 1.0],
    default: 0.05,
    logarithmic: true,
};

const FINGER: Tool = Tool {
    name: "drop",
    kind: ToolKind::Drop,
    doc: "Lets a drop fall.",
    strength: Some(DEPTH),
    radius: Some([3.0, 64.0, 8.0]),
    lasts: false,
    levels: false,
    list: "event",
    make: |dab| drop(dab, dab.strength),
};

pub(crate) const TOOLS: &[Tool] = &[
    FINGER,
    Tool {
        name: "heave",
        kind: ToolKind::Raise,
        doc: "Pulls the surface up and lets it go.",
        make: |dab| drop(dab, -dab.strength),
        ..FINGER
    },
    Tool {
        name: "stroke",
        kind: ToolKind::Stroke,
        doc: "Draws a furrow behind the mouse.",
        strength: Some(Strength { meaning: "how deep in a second", default: 0.5, ..DEPTH }),
        radius: Some([2.0, 64.0, 5.0]),
        lasts: true,
        make: stroke,
        ..FINGER
    },
    Tool {
        name: "wall",
        kind: ToolKind::Wall,
        doc: "Makes land of water: waves come back from there.",
        strength: None,
        radius: Some([0.5, 64.0, 4.0]),
        lasts: true,
        make: |dab| along("land", dab, []),
        ..FINGER
    },
    Tool {
        name: "unwall",
        kind: ToolKind::Unwall,
        doc: "Makes water of land.",
        strength: None,
        radius: Some([0.5, 64.0, 4.0]),
        lasts: true,
        make: |dab| along("water", dab, []),
        ..FINGER
    },
    Tool {
        name: "wind",
        kind: ToolKind::Wind,
        doc: "Lets gusts go where the mouse goes.",
        strength: Some(Strength { meaning: "how hard a gust presses", default: 0.02, ..DEPTH }),
        radius: None,
        lasts: true,
        make: wind,
        ..FINGER
    },
    Tool {
        name: "maker",
        kind: ToolKind::Maker,
        doc: "Puts down a paddle that makes swell.",
        strength: Some(Strength { meaning: "how hard it presses", ..DEPTH }),
        radius: Some([3.0, 128.0, 12.0]),
        list: "maker",
        make: maker,
        ..FINGER
    },
    Tool {
        name: "boat",
        kind: ToolKind::Body,
        doc: "Lets a boat down.",
        strength: Some(Strength { meaning: "draft", ..DEPTH }),
        radius: Some([2.0, 64.0, 8.0]),
        list: "body",
        make: boat,
        ..FINGER
    },
];
