//! Tools with which a user edits worlds of the model `blocks` interactively.

use super::event::{Added, Pour, Remove};
use super::{BlocksAction as Action, BlocksDrain, BlocksSource};
use crate::scene::event::tool::{Dab, Strength, Tool, ToolKind};
use crate::scene::{AnyAction, NoKeys, NonAreaAction};
use headwater::blocks::{FULL, Liquid};

/// Converts a tool's strength (cells) to an amount of liquid in a scene (256ths of a cell).
fn to_units(strength: f64) -> u16 {
    let full = f64::from(FULL);
    (strength * full).round().clamp(1.0, full) as u16
}

fn pour_action(dab: &Dab, liquid: Liquid) -> AnyAction {
    let pour = Pour { liquid, amount: to_units(dab.strength) };
    AnyAction::new(Action::Pour(dab.on_line(pour)))
}

fn add_action(added: Added) -> AnyAction {
    AnyAction::new(Action::Add(NonAreaAction(added)))
}

const CELL_FILL: Strength =
    Strength::new("change of fill per cell", "cells", [1.0 / 256.0, 1.0], 1.0);
const RADIUS: [f64; 3] = [0.5, 24.0, 1.5];

const fn liquid_tool(
    name: &'static str,
    doc: &'static str,
    make_action: fn(&Dab) -> AnyAction,
) -> Tool {
    Tool::new(name, ToolKind::Pour, doc, make_action).with_strength(CELL_FILL).with_radius(RADIUS)
}

pub(crate) const TOOLS: &[Tool] = &[
    Tool::new("dig", ToolKind::Dig, "Removes walls.", |dab| {
        AnyAction::new(Action::Dig(dab.on_line(NoKeys {})))
    })
    .with_radius(RADIUS),
    Tool::new("wall", ToolKind::Wall, "Builds walls in air.", |dab| {
        AnyAction::new(Action::Build(dab.on_line(NoKeys {})))
    })
    .with_radius(RADIUS),
    liquid_tool("water", "Adds water.", |dab| pour_action(dab, Liquid::Water)),
    liquid_tool("oil", "Adds oil, which floats on water.", |dab| pour_action(dab, Liquid::Oil)),
    liquid_tool("lava", "Adds lava, which solidifies in contact with water.", |dab| {
        pour_action(dab, Liquid::Lava)
    }),
    Tool::new("remove", ToolKind::Drain, "Removes liquids.", |dab| {
        let remove = Remove { amount: to_units(dab.strength) };
        AnyAction::new(Action::Remove(dab.on_line(remove)))
    })
    .with_strength(CELL_FILL)
    .with_radius(RADIUS),
    Tool::new("spring", ToolKind::Spring, "Places a permanent spring.", |dab| {
        let source = BlocksSource { liquid: Liquid::Water, rate: to_units(dab.strength) };
        add_action(Added::Source(dab.on_disc(source)))
    })
    .with_strength(CELL_FILL.with_label("inflow per cell and step", 0.1))
    .with_radius(RADIUS)
    .once_per_press(),
    Tool::new("sink", ToolKind::Sink, "Places a permanent drain.", |dab| {
        add_action(Added::Drain(dab.on_disc(BlocksDrain { rate: to_units(dab.strength) })))
    })
    .with_strength(CELL_FILL.with_label("outflow per cell and step", 1.0))
    .with_radius(RADIUS)
    .once_per_press(),
];
