//! Tools with which a user edits worlds of the model `flow` interactively.

use super::event::{Added, Flatten, Pour, Push, Shift, Smooth};
use super::{Action, Body, SourcePlace};
use crate::picture::BodyKind;
use crate::scene::event::tool::{Dab, Strength, Tool, ToolKind, round_to_six_digits};
use crate::scene::{AnyAction, ExtendedKeys, Keys, NoKeys, NonAreaAction};
use headwater::Falloff;
use headwater::flow::{Amount, Change, PreservedQuantity, Source};
use headwater::parameter::Value;

/// Returns an edit that changes the ground height by the amount of the tool, with a smooth falloff,
/// and preserves the water depth.
fn ground_shift(dab: &Dab) -> Shift {
    let (falloff, keep) = (Falloff::Smooth, PreservedQuantity::default());
    Shift { change: Change::By(dab.amount()), falloff, keep }
}

fn flatten_action(dab: &Dab) -> AnyAction {
    let level = round_to_six_digits(dab.level.unwrap_or_default());
    let (falloff, keep) = (Falloff::Smooth, PreservedQuantity::default());
    AnyAction::new(Action::Flatten(dab.on_disc(Flatten { level, falloff, keep })))
}

fn smooth(dab: &Dab) -> AnyAction {
    let (falloff, keep) = (Falloff::Smooth, PreservedQuantity::default());
    AnyAction::new(Action::Smooth(dab.on_disc(Smooth { reach: None, falloff, keep })))
}

fn pour_of_depth(depth: f64) -> Pour {
    Pour { amount: Amount::Depth(depth), falloff: Falloff::Smooth }
}

fn rain_action(dab: &Dab) -> AnyAction {
    let depth = round_to_six_digits(dab.strength * dab.seconds * 1e-3);
    AnyAction::new(Action::Pour(dab.on_disc(pour_of_depth(depth))))
}

fn push(dab: &Dab) -> AnyAction {
    let push = Push { velocity: dab.push_vector(), falloff: Falloff::Smooth };
    AnyAction::new(Action::Push(dab.on_disc(push)))
}

fn add_action(added: Added) -> AnyAction {
    AnyAction::new(Action::Add(NonAreaAction(added)))
}

fn source_keys(dab: &Dab) -> ExtendedKeys<Source, SourcePlace> {
    let keys = Keys::from_values([("rate", Value::Number(dab.strength()))]);
    let (at, radius) = (dab.position(), Some(dab.radius()));
    ExtendedKeys { keys, extra: SourcePlace { name: None, at, radius, from: 0.0, until: None } }
}

fn add_crate_action(dab: &Dab) -> AnyAction {
    let side = round_to_six_digits(2.0 * dab.radius);
    let height = round_to_six_digits(0.8 * 2.0 * dab.radius);
    add_action(Added::Body(Body {
        kind: Some(BodyKind::Crate),
        size: Some([side; 2]),
        density: Some(dab.strength()),
        ..Body::at_rest(dab.position(), height)
    }))
}

const HEIGHT: Strength = Strength::new("speed of the ground", "m/s", [0.01, 100.0], 2.0);
const DEPTH: Strength = HEIGHT.with_label("rate of depth change", 2.0);
const RATE: Strength = Strength::new("discharge", "m³/s", [0.01, 10_000.0], 10.0);
const RAIN: Strength = Strength::new("rain intensity", "mm/s", [0.01, 300.0], 30.0);
const VELOCITY_CHANGE: Strength =
    Strength::new("velocity change per second", "m/s", [0.1, 100.0], 10.0);
const DENSITY: Strength =
    Strength::new("density (water: 1000)", "kg/m³", [50.0, 3000.0], 500.0).with_linear_slider();
const RADIUS: [f64; 3] = [0.5, 64.0, 6.0];

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("dig", ToolKind::Dig, "Lowers the ground.", |dab| {
        AnyAction::new(Action::Lower(dab.on_disc(ground_shift(dab))))
    })
    .with_strength(HEIGHT)
    .with_radius(RADIUS),
    Tool::new("raise", ToolKind::Raise, "Raises the ground.", |dab| {
        AnyAction::new(Action::Raise(dab.on_disc(ground_shift(dab))))
    })
    .with_strength(HEIGHT)
    .with_radius(RADIUS),
    Tool::new(
        "flatten",
        ToolKind::Flatten,
        "Moves the ground toward its height at the button press.",
        flatten_action,
    )
    .with_sampled_height()
    .with_radius(RADIUS),
    Tool::new("smooth", ToolKind::Smooth, "Smooths the ground.", smooth).with_radius(RADIUS),
    Tool::new("pour", ToolKind::Pour, "Pours water.", |dab| {
        AnyAction::new(Action::Pour(dab.on_disc(pour_of_depth(dab.amount()))))
    })
    .with_strength(DEPTH)
    .with_radius(RADIUS),
    Tool::new("remove", ToolKind::Drain, "Removes water.", |dab| {
        AnyAction::new(Action::Remove(dab.on_disc(pour_of_depth(dab.amount()))))
    })
    .with_strength(DEPTH)
    .with_radius(RADIUS),
    Tool::new(
        "rain",
        ToolKind::Rain,
        "Rains, about 1000 times as hard as a cloudburst of 0.03 mm/s.",
        rain_action,
    )
    .with_strength(RAIN)
    .with_radius([2.0, 128.0, 24.0]),
    Tool::new("push", ToolKind::Push, "Pushes water along the pointer's movement.", push)
        .with_strength(VELOCITY_CHANGE)
        .with_radius(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds a wall that is closed to water.", |dab| {
        AnyAction::new(Action::Close(dab.on_line(NoKeys {})))
    })
    .with_radius([0.5, 32.0, 1.5]),
    Tool::new("unwall", ToolKind::Unwall, "Removes walls and buildings.", |dab| {
        AnyAction::new(Action::Open(dab.on_line(NoKeys {})))
    })
    .with_radius([0.5, 32.0, 3.0]),
    Tool::new("spring", ToolKind::Spring, "Adds a permanent spring.", |dab| {
        add_action(Added::Source(source_keys(dab)))
    })
    .with_strength(RATE)
    .with_radius([0.5, 32.0, 2.0])
    .once_per_press(),
    Tool::new("sink", ToolKind::Sink, "Adds a permanent drain.", |dab| {
        add_action(Added::Drain(source_keys(dab)))
    })
    .with_strength(RATE)
    .with_radius([0.5, 32.0, 2.0])
    .once_per_press(),
    Tool::new("crate", ToolKind::Body, "Adds a floating crate.", add_crate_action)
        .with_strength(DENSITY)
        .with_radius([0.5, 8.0, 2.0])
        .once_per_press(),
];

/// Scene tables and single keys whose values can be changed while the world runs. `[]` stands for
/// any entry of a list.
pub(crate) const LIVE_TABLES: &[&str] =
    &["physics", "rain", "evaporation", "infiltration", "source[].rate", "drain[].rate", "time.dt"];
/// Keys in the tables of [`LIVE_TABLES`] whose values cannot be changed while the world runs.
pub(crate) const FIXED_KEYS: &[&str] = &["physics.manning_map", "rain.map", "rain.raster"];
