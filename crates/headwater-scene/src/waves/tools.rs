//! Tools with which a user edits worlds of the model `waves` interactively.

use crate::live::tool::{Dab, Strength, Tool, ToolKind, along_stroke, place, rounded_value, table};
use toml::{Table, Value};

fn drop(dab: &Dab, depth: f64) -> Table {
    table([
        ("do", "drop".into()),
        ("at", dab.place()),
        ("radius", rounded_value(dab.radius)),
        ("depth", rounded_value(depth)),
    ])
}

fn stroke(dab: &Dab) -> Table {
    let points = Value::Array(vec![place(dab.from), place(dab.at)]);
    let line = table([("points", points), ("width", rounded_value(2.0 * dab.radius))]);
    table([("do", "stroke".into()), ("line", line.into()), ("depth", dab.amount())])
}

/// Returns an event that sets the wind to the direction in which the pointer moves. If the pointer
/// rests, the event sets only the strength of the wind.
fn wind(dab: &Dab) -> Table {
    let way = [dab.at[0] - dab.from[0], dab.at[1] - dab.from[1]];
    let length = libm::hypot(way[0], way[1]);
    let mut event = table([("do", "wind".into()), ("head", rounded_value(dab.strength))]);
    if length > 0.0 {
        let velocity = way.map(|part| rounded_value(GUST_SPEED * part / length));
        event.insert("velocity".into(), Value::Array(velocity.to_vec()));
    }
    event
}

fn maker(dab: &Dab) -> Table {
    let (x, y) = (dab.at[0], dab.at[1]);
    table([
        ("from", place([x, y - dab.radius])),
        ("to", place([x, y + dab.radius])),
        ("width", rounded_value(dab.radius)),
        ("head", rounded_value(dab.strength)),
        ("period", rounded_value(1.0)),
    ])
}

fn boat(dab: &Dab) -> Table {
    let size = Value::Array(vec![rounded_value(2.0 * dab.radius), rounded_value(dab.radius)]);
    let mut body = table([
        ("kind", "boat".into()),
        ("at", dab.place()),
        ("size", size),
        ("draft", rounded_value(dab.strength)),
    ]);
    // If the pointer moves, the boat sails in that direction, at a limited speed.
    let speed = |axis: usize| ((dab.at[axis] - dab.from[axis]) / dab.seconds).clamp(-3.0, 3.0);
    let velocity = [speed(0), speed(1)];
    if velocity != [0.0; 2] {
        body.insert("velocity".into(), Value::Array(velocity.map(rounded_value).to_vec()));
    }
    body
}

/// Speed of the gusts that the wind tool creates (m/s).
const GUST_SPEED: f64 = 4.0;

const DEPTH: Strength = Strength::new("depth", "m", [0.001, 1.0], 0.05);

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("drop", ToolKind::Drop, "Makes a drop fall.", |dab| drop(dab, dab.strength))
        .with_strength(DEPTH)
        .with_radius([3.0, 64.0, 8.0])
        .once_per_press(),
    Tool::new("heave", ToolKind::Raise, "Raises the surface and releases it.", |dab| {
        drop(dab, -dab.strength)
    })
    .with_strength(DEPTH)
    .with_radius([3.0, 64.0, 8.0])
    .once_per_press(),
    Tool::new("stroke", ToolKind::Stroke, "Draws a trough behind the pointer.", stroke)
        .with_strength(DEPTH.with_meaning("depth per second", 0.5))
        .with_radius([2.0, 64.0, 5.0]),
    Tool::new("wall", ToolKind::Wall, "Turns water into land, which reflects waves.", |dab| {
        along_stroke("land", dab, [])
    })
    .with_radius([0.5, 64.0, 4.0]),
    Tool::new("unwall", ToolKind::Unwall, "Turns land into water.", |dab| {
        along_stroke("water", dab, [])
    })
    .with_radius([0.5, 64.0, 4.0]),
    Tool::new("wind", ToolKind::Wind, "Makes gusts in the direction of the pointer.", wind)
        .with_strength(DEPTH.with_meaning("pressure head of a gust", 0.02)),
    Tool::new("maker", ToolKind::Maker, "Places a wave maker.", maker)
        .with_strength(DEPTH.with_meaning("pressure head", 0.05))
        .with_radius([3.0, 128.0, 12.0])
        .adds_to("maker"),
    Tool::new("boat", ToolKind::Body, "Places a boat.", boat)
        .with_strength(DEPTH.with_meaning("draft", 0.05))
        .with_radius([2.0, 64.0, 8.0])
        .adds_to("body"),
];
