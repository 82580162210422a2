//! What a canvas shows of a world, from where, and what hands do on it.

use super::side_camera::SideCamera;
use crate::land::Camera;
use serde::{Deserialize, Serialize};

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

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::app) enum Eye {
    Side(SideCamera),
    Land(LandEye),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::app) struct LandEye {
    pub(in crate::app) camera: Camera,
    /// The other one, as it was left.
    pub(super) other: Option<Camera>,
    pub(in crate::app) is_map: bool,
}

/// A way of the camera that the program flies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub(super) from: Camera,
    pub(super) to: Camera,
    pub(super) part: f32,
}

#[derive(Clone, Debug, Default)]
pub(in crate::app) struct Hands {
    /// Places that the tool in hand works at, in their order.
    pub(in crate::app) path: Vec<[f64; 2]>,
    /// Whether the pointer draws, on the world or beside it.
    pub(in crate::app) draws: bool,
    pub(in crate::app) ends: bool,
    pub(in crate::app) cancels: bool,
    pub(in crate::app) seconds: f64,
    /// The place that was clicked with nothing in hand.
    pub(in crate::app) clicked: Option<[f64; 2]>,
    pub(super) pointed: Option<Pointed>,
    /// Whether the view was moved, or flies.
    pub(in crate::app) leads: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::app) struct Marks {
    /// Where the brush is, and its radius (m, or cells).
    pub(super) ring: Option<(Pointed, f64)>,
    /// The place whose values are told.
    pub(in crate::app) pinned: Option<[f64; 2]>,
}

impl Hands {
    pub(in crate::app) fn drawing(path: Vec<[f64; 2]>, ends: bool, seconds: f64) -> Self {
        Self { path, draws: true, ends, seconds, ..Self::default() }
    }

    /// What hands do on either of two canvases: there is one pointer.
    pub(in crate::app) fn or(self, other: Self) -> Self {
        let is_there = other.draws || other.ends || other.cancels;
        let (clicked, pointed) = (self.clicked.or(other.clicked), self.pointed.or(other.pointed));
        Self { clicked, pointed, ..if is_there { other } else { self } }
    }

    /// The brush where the pointer is, of so many metres (or cells).
    pub(in crate::app) fn marks(&self, radius: Option<f64>, pinned: Option<[f64; 2]>) -> Marks {
        Marks { ring: self.pointed.zip(radius), pinned }
    }
}
