//! Tools with which a user edits worlds of the model `waves` interactively.

use super::event::{Added, Stroke, WindChange};
use super::{FallingDrop, MakerEnds, SteeredBody, WavesAction as Action};
use crate::picture::BodyKind;
use crate::scene::event::tool::{Dab, Strength, Tool, ToolKind, round_to_six_digits, to_position};
use crate::scene::{AnyAction, ExtendedKeys, Keys, NoKeys, NonAreaAction};
use headwater::parameter::Value;

fn drop_action(dab: &Dab, depth: f64) -> AnyAction {
    let (at, radius) = (dab.position(), dab.radius());
    AnyAction::new(Action::Drop(NonAreaAction(FallingDrop { at, radius, depth })))
}

fn trough(dab: &Dab) -> AnyAction {
    let stroke = Stroke { line: dab.line(), depth: dab.amount() };
    AnyAction::new(Action::Stroke(NonAreaAction(stroke)))
}

/// Returns an action that sets the wind direction to the direction in which the pointer moves, and
/// the strength of the wind to that of the tool. If the pointer rests, sets only the strength.
fn wind_action(dab: &Dab) -> AnyAction {
    let way = [dab.at[0] - dab.from[0], dab.at[1] - dab.from[1]];
    let length = libm::hypot(way[0], way[1]);
    let velocity =
        (length > 0.0).then(|| way.map(|part| round_to_six_digits(GUST_SPEED * part / length)));
    let wind = WindChange { velocity, head: Some(dab.strength()) };
    AnyAction::new(Action::Wind(NonAreaAction(wind)))
}

fn maker_action(dab: &Dab) -> AnyAction {
    let (x, y) = (dab.at[0], dab.at[1]);
    let ends = [[x, y - dab.radius], [x, y + dab.radius]].map(to_position);
    let keys = Keys::from_values([
        ("width", Value::Number(dab.radius())),
        ("head", Value::Number(dab.strength())),
        ("period", Value::Number(1.0)),
    ]);
    let extra = MakerEnds { from: ends[0], to: ends[1] };
    AnyAction::new(Action::Add(NonAreaAction(Added::Maker(ExtendedKeys { keys, extra }))))
}

fn boat_action(dab: &Dab) -> AnyAction {
    // If the pointer moves, the boat sails in that direction, at a limited speed.
    let speed = |axis: usize| ((dab.at[axis] - dab.from[axis]) / dab.seconds).clamp(-3.0, 3.0);
    let velocity = [speed(0), speed(1)].map(round_to_six_digits);
    let draft = ("draft", Value::Number(dab.strength()));
    let keys = match velocity == [0.0; 2] {
        true => Keys::from_values([draft]),
        false => Keys::from_values([draft, ("velocity", Value::Pair(velocity))]),
    };
    let extra = SteeredBody {
        kind: Some(BodyKind::Boat),
        at: dab.position(),
        radius: None,
        size: Some([2.0 * dab.radius, dab.radius].map(round_to_six_digits)),
        heading: 0.0,
        path: None,
    };
    AnyAction::new(Action::Add(NonAreaAction(Added::Body(Box::new(ExtendedKeys { keys, extra })))))
}

/// Speed of the gusts that the wind tool creates (m/s).
const GUST_SPEED: f64 = 4.0;

const DEPTH: Strength = Strength::new("depth", "m", [0.001, 1.0], 0.05);

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("drop", ToolKind::Drop, "Makes a drop fall.", |dab| drop_action(dab, dab.strength()))
        .with_strength(DEPTH)
        .with_radius([3.0, 64.0, 8.0])
        .once_per_press(),
    Tool::new("heave", ToolKind::Raise, "Raises the surface and releases it.", |dab| {
        drop_action(dab, -dab.strength())
    })
    .with_strength(DEPTH)
    .with_radius([3.0, 64.0, 8.0])
    .once_per_press(),
    Tool::new("stroke", ToolKind::Stroke, "Draws a trough behind the pointer.", trough)
        .with_strength(DEPTH.with_label("depth per second", 0.5))
        .with_radius([2.0, 64.0, 5.0]),
    Tool::new("wall", ToolKind::Wall, "Turns water into land, which reflects waves.", |dab| {
        AnyAction::new(Action::Land(dab.on_line(NoKeys {})))
    })
    .with_radius([0.5, 64.0, 4.0]),
    Tool::new("unwall", ToolKind::Unwall, "Turns land into water.", |dab| {
        AnyAction::new(Action::Water(dab.on_line(NoKeys {})))
    })
    .with_radius([0.5, 64.0, 4.0]),
    Tool::new("wind", ToolKind::Wind, "Makes gusts in the direction of the pointer.", wind_action)
        .with_strength(DEPTH.with_label("pressure head of a gust", 0.02)),
    Tool::new("maker", ToolKind::Maker, "Places a wave maker.", maker_action)
        .with_strength(DEPTH.with_label("pressure head", 0.05))
        .with_radius([3.0, 128.0, 12.0])
        .once_per_press(),
    Tool::new("boat", ToolKind::Body, "Places a boat.", boat_action)
        .with_strength(DEPTH.with_label("draft", 0.05))
        .with_radius([2.0, 64.0, 8.0])
        .once_per_press(),
];
