//! Tools with which a user edits worlds of the model `waves` interactively.

use crate::live::tool::{
    Dab, Strength, Tool, ToolKind, stroke_event, table_from_pairs, to_position_value,
    to_rounded_value,
};
use toml::{Table, Value};

fn drop_event(dab: &Dab, depth: f64) -> Table {
    table_from_pairs([
        ("do", "drop".into()),
        ("at", dab.position_value()),
        ("radius", to_rounded_value(dab.radius)),
        ("depth", to_rounded_value(depth)),
    ])
}

fn trough_event(dab: &Dab) -> Table {
    let points = Value::Array(vec![to_position_value(dab.from), to_position_value(dab.at)]);
    let line =
        table_from_pairs([("points", points), ("width", to_rounded_value(2.0 * dab.radius))]);
    table_from_pairs([("do", "stroke".into()), ("line", line.into()), ("depth", dab.amount())])
}

/// Returns an event that sets the wind to the direction in which the pointer moves. If the pointer
/// rests, the event sets only the strength of the wind.
fn wind_event(dab: &Dab) -> Table {
    let way = [dab.at[0] - dab.from[0], dab.at[1] - dab.from[1]];
    let length = libm::hypot(way[0], way[1]);
    let mut event =
        table_from_pairs([("do", "wind".into()), ("head", to_rounded_value(dab.strength))]);
    if length > 0.0 {
        let velocity = way.map(|part| to_rounded_value(GUST_SPEED * part / length));
        event.insert("velocity".into(), Value::Array(velocity.to_vec()));
    }
    event
}

fn maker_table(dab: &Dab) -> Table {
    let (x, y) = (dab.at[0], dab.at[1]);
    table_from_pairs([
        ("from", to_position_value([x, y - dab.radius])),
        ("to", to_position_value([x, y + dab.radius])),
        ("width", to_rounded_value(dab.radius)),
        ("head", to_rounded_value(dab.strength)),
        ("period", to_rounded_value(1.0)),
    ])
}

fn boat_table(dab: &Dab) -> Table {
    let size = Value::Array(vec![to_rounded_value(2.0 * dab.radius), to_rounded_value(dab.radius)]);
    let mut body = table_from_pairs([
        ("kind", "boat".into()),
        ("at", dab.position_value()),
        ("size", size),
        ("draft", to_rounded_value(dab.strength)),
    ]);
    // If the pointer moves, the boat sails in that direction, at a limited speed.
    let speed = |axis: usize| ((dab.at[axis] - dab.from[axis]) / dab.seconds).clamp(-3.0, 3.0);
    let velocity = [speed(0), speed(1)];
    if velocity != [0.0; 2] {
        body.insert("velocity".into(), Value::Array(velocity.map(to_rounded_value).to_vec()));
    }
    body
}

/// Speed of the gusts that the wind tool creates (m/s).
const GUST_SPEED: f64 = 4.0;

const DEPTH: Strength = Strength::new("depth", "m", [0.001, 1.0], 0.05);

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("drop", ToolKind::Drop, "Makes a drop fall.", |dab| drop_event(dab, dab.strength))
        .with_strength(DEPTH)
        .with_radius([3.0, 64.0, 8.0])
        .once_per_press(),
    Tool::new("heave", ToolKind::Raise, "Raises the surface and releases it.", |dab| {
        drop_event(dab, -dab.strength)
    })
    .with_strength(DEPTH)
    .with_radius([3.0, 64.0, 8.0])
    .once_per_press(),
    Tool::new("stroke", ToolKind::Stroke, "Draws a trough behind the pointer.", trough_event)
        .with_strength(DEPTH.with_meaning("depth per second", 0.5))
        .with_radius([2.0, 64.0, 5.0]),
    Tool::new("wall", ToolKind::Wall, "Turns water into land, which reflects waves.", |dab| {
        stroke_event("land", dab, [])
    })
    .with_radius([0.5, 64.0, 4.0]),
    Tool::new("unwall", ToolKind::Unwall, "Turns land into water.", |dab| {
        stroke_event("water", dab, [])
    })
    .with_radius([0.5, 64.0, 4.0]),
    Tool::new("wind", ToolKind::Wind, "Makes gusts in the direction of the pointer.", wind_event)
        .with_strength(DEPTH.with_meaning("pressure head of a gust", 0.02)),
    Tool::new("maker", ToolKind::Maker, "Places a wave maker.", maker_table)
        .with_strength(DEPTH.with_meaning("pressure head", 0.05))
        .with_radius([3.0, 128.0, 12.0])
        .with_list("maker"),
    Tool::new("boat", ToolKind::Body, "Places a boat.", boat_table)
        .with_strength(DEPTH.with_meaning("draft", 0.05))
        .with_radius([2.0, 64.0, 8.0])
        .with_list("body"),
];
