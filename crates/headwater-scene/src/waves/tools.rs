//! Touching a rippling surface.

use crate::live::tool::{Dab, Strength, Tool, ToolKind, along_stroke, place, short, table};
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

const DEPTH: Strength = Strength::new("how deep", "m", [0.001, 1.0], 0.05);

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("drop", ToolKind::Drop, "Lets a drop fall.", |dab| drop(dab, dab.strength))
        .with_strength(DEPTH)
        .with_radius([3.0, 64.0, 8.0])
        .once_per_press(),
    Tool::new("heave", ToolKind::Raise, "Pulls the surface up and lets it go.", |dab| {
        drop(dab, -dab.strength)
    })
    .with_strength(DEPTH)
    .with_radius([3.0, 64.0, 8.0])
    .once_per_press(),
    Tool::new("stroke", ToolKind::Stroke, "Draws a furrow behind the pointer.", stroke)
        .with_strength(DEPTH.with_meaning("how deep in a second", 0.5))
        .with_radius([2.0, 64.0, 5.0]),
    Tool::new("wall", ToolKind::Wall, "Makes land of water: waves come back from there.", |dab| {
        along_stroke("land", dab, [])
    })
    .with_radius([0.5, 64.0, 4.0]),
    Tool::new("unwall", ToolKind::Unwall, "Makes water of land.", |dab| {
        along_stroke("water", dab, [])
    })
    .with_radius([0.5, 64.0, 4.0]),
    Tool::new("wind", ToolKind::Wind, "Lets gusts go where the pointer goes.", wind)
        .with_strength(DEPTH.with_meaning("how hard a gust presses", 0.02)),
    Tool::new("maker", ToolKind::Maker, "Puts down a paddle that makes swell.", maker)
        .with_strength(DEPTH.with_meaning("how hard it presses", 0.05))
        .with_radius([3.0, 128.0, 12.0])
        .adds_to("maker"),
    Tool::new("boat", ToolKind::Body, "Lets a boat down.", boat)
        .with_strength(DEPTH.with_meaning("draft", 0.05))
        .with_radius([2.0, 64.0, 8.0])
        .adds_to("body"),
];
