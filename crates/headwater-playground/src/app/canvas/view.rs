//! What can be shown of a world, and a place of it under the mouse.

use crate::app::words::words;

/// What is shown of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::app) enum View {
    /// As it looks.
    #[default]
    World,
    /// Each body of water in its own colour.
    Bodies,
    /// Pressure.
    Pressure,
    /// How full cells are.
    Fill,
    /// Temperature.
    Temperature,
    /// Velocity.
    Velocity,
    /// Polygons and joints.
    Mesh,
    /// Depth of the water.
    Depth,
    /// Height of the water's surface.
    Surface,
    /// The ground without water.
    Ground,
}

impl View {
    /// What it is called.
    pub(super) fn label(self) -> &'static str {
        let words = &words().view;
        match self {
            Self::World => words.world,
            Self::Bodies => words.bodies,
            Self::Pressure => words.pressure,
            Self::Fill => words.fill,
            Self::Temperature => words.temperature,
            Self::Velocity => words.velocity,
            Self::Mesh => words.mesh,
            Self::Depth => words.depth,
            Self::Surface => words.surface,
            Self::Ground => words.ground,
        }
    }

    /// What it is called for tests.
    pub(super) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// A place of the world under the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pointed {
    /// East and south of the top left corner, in the scene's unit of length.
    pub(super) position: [f64; 2],
    /// Points of the screen for a unit of length there.
    pub(super) scale: f64,
}
