//! Tools with which a user edits worlds of the model `columns` interactively.

use super::event::{Added, Push, Splash, Volume, WaterLevel, WindChange};
use super::{BodyShape, ColumnsAction as Action, ColumnsBody, ColumnsSource};
use crate::picture::PoolBodyKind;
use crate::scene::event::tool::{Dab, Strength, Tool, ToolKind};
use crate::scene::{AnyAction, ExtendedKeys, Keys, NoKeys, NonAreaAction};
use headwater::parameter::Value;

fn push(dab: &Dab) -> AnyAction {
    AnyAction::new(Action::Push(dab.on_disc(Push { velocity: dab.push_vector()[0] })))
}

fn add_action(added: Added) -> AnyAction {
    AnyAction::new(Action::Add(NonAreaAction(added)))
}

fn source_at_dab(dab: &Dab) -> ColumnsSource {
    let keys = Keys::from_values([("rate", Value::Number(dab.strength()))]);
    ExtendedKeys { keys, extra: dab.disc() }
}

fn heater_action(dab: &Dab) -> AnyAction {
    let keys = Keys::from_values([("power", Value::Number(dab.strength()))]);
    add_action(Added::Heater(ExtendedKeys { keys, extra: dab.disc() }))
}

fn body_action(dab: &Dab, kind: PoolBodyKind) -> AnyAction {
    let (at, extents) = (dab.position(), BodyShape::Radius(dab.radius()));
    let (density, velocity, drag) = (dab.strength(), [0.0; 2], 1.0);
    add_action(Added::Body(ColumnsBody { kind, at, extents, density, velocity, drag }))
}

const RATE: Strength = Strength::new("water", "m³/s", [0.001, 1000.0], 1.0);
const DEPRESSION: Strength = Strength::new("depth of the depression", "m", [0.01, 10.0], 0.5);
const ACCELERATION: Strength =
    Strength::new("acceleration of the water per second", "m/s", [0.1, 50.0], 5.0);
const WIND: Strength = Strength::new(
    "acceleration of the water by the wind; positive to the east",
    "m/s²",
    [-0.2, 0.2],
    0.05,
)
.with_linear_slider();
const HEAT: Strength = Strength::new("heat", "W", [100.0, 1e8], 1e5);
const DENSITY: Strength = Strength::new("density (water: 1000)", "kg/m³", [50.0, 8000.0], 500.0);
const RADIUS: [f64; 3] = [0.5, 24.0, 1.5];

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("dig", ToolKind::Dig, "Removes walls.", |dab| {
        AnyAction::new(Action::Dig(dab.on_line(NoKeys {})))
    })
    .with_radius(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds walls and displaces water where possible.", |dab| {
        AnyAction::new(Action::Build(dab.on_line(NoKeys {})))
    })
    .with_radius(RADIUS),
    Tool::new("pour", ToolKind::Pour, "Adds water.", |dab| {
        AnyAction::new(Action::Pour(dab.on_disc(Volume { volume: dab.amount() })))
    })
    .with_strength(RATE)
    .with_radius(RADIUS),
    Tool::new("remove", ToolKind::Drain, "Removes water.", |dab| {
        AnyAction::new(Action::Remove(dab.on_disc(Volume { volume: dab.amount() })))
    })
    .with_strength(RATE)
    .with_radius(RADIUS),
    Tool::new("splash", ToolKind::Drop, "Depresses the surface as a falling object does.", |dab| {
        AnyAction::new(Action::Splash(dab.on_disc(Splash { height: dab.strength() })))
    })
    .with_strength(DEPRESSION)
    .with_radius([0.5, 32.0, 3.0])
    .once_per_press(),
    Tool::new("push", ToolKind::Push, "Pushes the water in the direction of the pointer.", push)
        .with_strength(ACCELERATION)
        .with_radius([0.5, 32.0, 3.0]),
    Tool::new(
        "anchor",
        ToolKind::Anchor,
        "Sets the water level of all connected water to the pointer's height.",
        |dab| AnyAction::new(Action::Stand(NonAreaAction(WaterLevel { at: dab.position() }))),
    )
    .once_per_press(),
    Tool::new("wind", ToolKind::Wind, "Sets the wind.", |dab| {
        let wind = WindChange { acceleration: dab.strength() };
        AnyAction::new(Action::Wind(NonAreaAction(wind)))
    })
    .with_strength(WIND)
    .once_per_press(),
    Tool::new("spring", ToolKind::Spring, "Places a permanent spring.", |dab| {
        add_action(Added::Source(source_at_dab(dab)))
    })
    .with_strength(RATE)
    .with_radius(RADIUS)
    .once_per_press(),
    Tool::new("sink", ToolKind::Sink, "Places a permanent drain.", |dab| {
        add_action(Added::Drain(source_at_dab(dab)))
    })
    .with_strength(RATE)
    .with_radius(RADIUS)
    .once_per_press(),
    Tool::new(
        "hearth",
        ToolKind::Heat,
        "Places a heater under water, in a world with heat.",
        heater_action,
    )
    .with_strength(HEAT)
    .with_radius(RADIUS)
    .once_per_press(),
    Tool::new("barrel", ToolKind::Body, "Drops a barrel.", |dab| {
        body_action(dab, PoolBodyKind::Barrel)
    })
    .with_strength(DENSITY)
    .with_radius([0.5, 8.0, 1.0])
    .once_per_press(),
    Tool::new("stone", ToolKind::Body, "Drops a stone.", |dab| {
        body_action(dab, PoolBodyKind::Stone)
    })
    .with_strength(DENSITY.with_label(DENSITY.label, 2500.0))
    .with_radius([0.5, 8.0, 1.0])
    .once_per_press(),
];
