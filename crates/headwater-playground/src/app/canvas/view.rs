//! View modes of a canvas, saved cameras, and the input that a canvas returns.

use super::side_camera::SideCamera;
use crate::land::Camera;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::app) enum View {
    #[default]
    World,
    /// Connected bodies of water, in different colours.
    Bodies,
    Pressure,
    /// Fraction of each cell that is filled with water.
    Fill,
    Temperature,
    Velocity,
    /// Meshes of the pools, with their openings (connections between pools) and anchors (points
    /// that define the initial water).
    Mesh,
    Depth,
    Surface,
    /// Only the ground, without water.
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

    /// Returns the name of the view mode for tests.
    pub(super) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// World position under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PointerPosition {
    /// Distances from the top-left corner of the world, in the scene's unit of length: eastward and
    /// southward; in side views, to the right and downward.
    pub(super) position: [f64; 2],
    /// Screen points per unit of length at this position.
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
    /// Camera of the display mode (map or 3-D) that is not active.
    #[serde(rename = "other")]
    pub(super) inactive_camera: Option<Camera>,
    pub(in crate::app) is_map: bool,
}

/// Camera animation in progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct CameraPath {
    pub(super) from: Camera,
    pub(super) to: Camera,
    pub(super) part: f32,
}

#[derive(Clone, Debug, Default)]
pub(in crate::app) struct CanvasInput {
    /// World positions where the tool is used in this frame, in order (m; in a world of blocks,
    /// cells).
    pub(in crate::app) path: Vec<[f64; 2]>,
    /// Whether the tool is in use, inside or outside the world.
    pub(in crate::app) is_tool_in_use: bool,
    pub(in crate::app) ends: bool,
    pub(in crate::app) cancels: bool,
    pub(in crate::app) seconds: f64,
    /// World position that was clicked without a tool, if any (m; in a world of blocks, cells).
    pub(in crate::app) clicked: Option<[f64; 2]>,
    pub(super) pointed: Option<PointerPosition>,
    /// Whether the user or an animation moves the view.
    pub(in crate::app) moves_view: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::app) struct CanvasMarkers {
    /// World position and radius of the brush (m; in a world of blocks, cells).
    pub(super) ring: Option<(PointerPosition, f64)>,
    /// World position that the user has selected, for which the inspector shows values (m; in a
    /// world of blocks, cells).
    pub(in crate::app) pinned: Option<[f64; 2]>,
}

impl CanvasInput {
    pub(in crate::app) fn from_tool_path(path: Vec<[f64; 2]>, ends: bool, seconds: f64) -> Self {
        Self { path, is_tool_in_use: true, ends, seconds, ..Self::default() }
    }

    /// Returns the combined input of two canvases that share one pointer.
    pub(in crate::app) fn merge(self, other: Self) -> Self {
        let is_there = other.is_tool_in_use || other.ends || other.cancels;
        let (clicked, pointed) = (self.clicked.or(other.clicked), self.pointed.or(other.pointed));
        Self { clicked, pointed, ..if is_there { other } else { self } }
    }

    /// Returns the overlays to draw: the brush with the given radius (m; in a world of blocks,
    /// cells), and the selected position.
    pub(in crate::app) fn markers(
        &self,
        radius: Option<f64>,
        pinned: Option<[f64; 2]>,
    ) -> CanvasMarkers {
        CanvasMarkers { ring: self.pointed.zip(radius), pinned }
    }
}
