//! View modes, cameras and input of a canvas.

use super::side_camera::SideCamera;
use crate::land::Camera;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::app) enum View {
    #[default]
    World,
    /// Bodies of water in different colours.
    Bodies,
    Pressure,
    /// Fill fraction of cells.
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

    /// Returns its name for tests.
    pub(super) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// A place of the world under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pointed {
    /// Position from the top left corner to the east and south, in the scene's unit of length.
    pub(super) position: [f64; 2],
    /// Screen points per unit of length there.
    pub(super) scale: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::app) enum CameraState {
    Side(SideCamera),
    Land(LandCameraState),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::app) struct LandCameraState {
    pub(in crate::app) camera: Camera,
    /// The inactive camera (map or orbit).
    pub(super) other: Option<Camera>,
    pub(in crate::app) is_map: bool,
}

/// An animated camera motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct CameraPath {
    pub(super) from: Camera,
    pub(super) to: Camera,
    pub(super) part: f32,
}

#[derive(Clone, Debug, Default)]
pub(in crate::app) struct CanvasInput {
    /// Positions where the tool is used, in order.
    pub(in crate::app) path: Vec<[f64; 2]>,
    /// True while the tool is used, on or outside the world.
    pub(in crate::app) draws: bool,
    pub(in crate::app) ends: bool,
    pub(in crate::app) cancels: bool,
    pub(in crate::app) seconds: f64,
    /// The place that was clicked without a tool.
    pub(in crate::app) clicked: Option<[f64; 2]>,
    pub(super) pointed: Option<Pointed>,
    /// True if the user or an animation moves the view.
    pub(in crate::app) moves_view: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::app) struct Marks {
    /// Position and radius (m, or cells) of the brush.
    pub(super) ring: Option<(Pointed, f64)>,
    /// The place whose values are shown.
    pub(in crate::app) pinned: Option<[f64; 2]>,
}

impl CanvasInput {
    pub(in crate::app) fn drawing(path: Vec<[f64; 2]>, ends: bool, seconds: f64) -> Self {
        Self { path, draws: true, ends, seconds, ..Self::default() }
    }

    /// Combines the input on two canvases, which share one pointer.
    pub(in crate::app) fn or(self, other: Self) -> Self {
        let is_there = other.draws || other.ends || other.cancels;
        let (clicked, pointed) = (self.clicked.or(other.clicked), self.pointed.or(other.pointed));
        Self { clicked, pointed, ..if is_there { other } else { self } }
    }

    /// Returns the marks for a brush of the given radius (m, or cells) and the pinned place.
    pub(in crate::app) fn marks(&self, radius: Option<f64>, pinned: Option<[f64; 2]>) -> Marks {
        Marks { ring: self.pointed.zip(radius), pinned }
    }
}
