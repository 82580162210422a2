//! What can be shown of a world, and a place of it under the mouse.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::app) enum View {
    #[default]
    World,
    /// Each body of water in its own colour.
    Bodies,
    Pressure,
    /// How full cells are.
    Fill,
    Temperature,
    Velocity,
    /// Polygons and joints.
    Mesh,
    Depth,
    Surface,
    /// The ground without water.
    Ground,
}

impl View {
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::World => "World",
            Self::Bodies => "Bodies",
            Self::Pressure => "Pressure",
            Self::Fill => "Fill",
            Self::Temperature => "Temperature",
            Self::Velocity => "Velocity",
            Self::Mesh => "Mesh",
            Self::Depth => "Depth",
            Self::Surface => "Surface",
            Self::Ground => "Ground",
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
