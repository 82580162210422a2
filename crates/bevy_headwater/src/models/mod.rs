//! [`WaterModel`]: functions that the plugin needs in addition to [`Model`], and their
//! implementations for each model.

mod blocks;
mod columns;
mod flow;
mod hydrology;
mod waves;

use super::bodies::body::{FloatingBody, Hull, Pose};
use crate::any_edit::AnyEdit;
use crate::frame::Orientation;
use headwater::{AdvanceSummary, Brush, Id, InputError, Model, Point};

/// Pressure under one metre of water (kPa).
pub(crate) const KPA_PER_METRE: f64 = 9.81;

/// State of the water at a point, in model coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointState {
    /// Depth of the water from the surface to the ground (m); in side views, from the surface to
    /// the point. 0 at dry points.
    pub depth: f64,
    /// Elevation of the water surface (m). In side views it is measured upward from the top edge of
    /// the world, so it is negative below the edge. `None` at dry points.
    pub surface: Option<f64>,
    /// Elevation of the ground (m); `None` if the model has no ground.
    pub bed: Option<f64>,
    /// Velocity of the water (m/s): eastward and southward components; in side views, eastward and
    /// downward.
    pub velocity: [f64; 2],
    /// Slope of the water surface (rise per distance, dimensionless) in the eastward and southward
    /// directions. In side views the second component is 0.
    pub slope: [f64; 2],
    /// Pressure that the model computes (kPa); `None` for models that do not compute pressures.
    /// Under a ceiling, the pressure can exceed the hydrostatic pressure that corresponds to
    /// `depth`.
    pub pressure: Option<f64>,
}

impl PointState {
    /// Creates the state at a point of a pond. `depth` is the depth at rest (m), `height` is the
    /// elevation of the surface relative to the surface at rest (m), and `normal` is the surface
    /// normal (east, south, up).
    pub(crate) fn from_surface(depth: f64, height: f32, normal: [f32; 3]) -> Self {
        let [east, south, up] = normal.map(f64::from);
        let surface = f64::from(height);
        Self {
            depth: (depth + surface).max(0.0),
            surface: Some(surface),
            slope: [-east / up, -south / up],
            ..Self::default()
        }
    }
}

/// World of any model, with the functions that the plugin needs to step, edit, query and draw it.
pub trait WaterModel: Model + Send + Sync {
    /// Returns the mapping from model coordinates to the entity's local space.
    fn orientation(&self) -> Orientation;

    /// Returns the width of the world, and its length or, in side views, its height (m; in block
    /// worlds, cells).
    fn extent(&self) -> [f64; 2];

    /// Returns whether the world is at rest, so that the next step would change nothing.
    fn is_resting(&self) -> bool;

    /// Returns the state of the water at a point; `None` outside of the grid.
    fn state_at(&self, at: Point) -> Option<PointState>;

    /// Returns the volume that has left the world through its edges since the start (m³; in block
    /// worlds, cells of any liquid).
    fn spilled_volume(&self) -> f64;

    /// Returns the volume (m³) of water in the cells whose centres lie in a region; `None` if the
    /// model does not compute volumes.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid.
    fn volume_in(&self, region: &headwater::Region) -> Result<Option<f64>, InputError>;

    /// Applies an edit to the world.
    ///
    /// # Errors
    /// Returns [`InputError`] if the edit belongs to another model, or the model refuses it.
    fn apply(&mut self, brush: &Brush, edit: &AnyEdit) -> Result<(), InputError>;

    /// Adds a floating body to the world and returns its id.
    ///
    /// # Errors
    /// Returns [`InputError`] if the body belongs to another model, is invalid, or the model has no
    /// bodies.
    fn launch(&mut self, body: &FloatingBody) -> Result<Id, InputError>;

    /// Returns the pose of a body; `None` if the id is unknown.
    fn pose(&self, body: Id) -> Option<Pose>;

    /// Returns the size and position that identify the body after its world has been replaced;
    /// `None` if the id is unknown.
    fn hull(&self, body: Id) -> Option<Hull> {
        let _ = body;
        None
    }

    /// Returns the ids of all bodies, in ascending order.
    fn body_ids(&self) -> &[Id] {
        &[]
    }

    /// Returns the id that the next new body will receive; `None` if the model does not support
    /// bodies.
    fn next_body_id(&self) -> Option<Id> {
        None
    }

    /// Advances the world by the model time `time` (s; for carved land, drops per cell) in at most
    /// `steps` steps. If this number of steps is not sufficient, the remaining time is dropped.
    /// Models that have a step limit of their own ignore `steps`.
    ///
    /// # Errors
    /// Returns [`InputError`] under the same conditions as [`Model::advance`].
    fn advance_at_most(&mut self, time: f64, steps: u32) -> Result<AdvanceSummary, InputError> {
        let _ = steps;
        Model::advance(self, time)
    }

    /// Returns the data that rendering needs besides cell data: lattice, dry depth, lowest ground
    /// elevation, and whether the shader adds foam.
    fn surface_info(&self) -> crate::texels::SurfaceInfo;

    /// Returns whether the looks (bytes that describe the appearance) of any cell are nonzero.
    /// Looks contain foam, streams, plants and closed cells from above, or walls and liquids from
    /// the side.
    fn has_nonzero_looks(&self) -> bool {
        true
    }

    /// Writes the texels (rendering data) of the cells in `tiles` to the buffers `into`.
    fn write_texels(
        &self,
        tiles: &[headwater::changes::Tile],
        scratch: &mut crate::texels::Scratch,
        into: crate::texels::TexelBuffers<'_>,
    );
}

pub(crate) fn wrong_model_body_error(body: &FloatingBody, model: &'static str) -> InputError {
    let allowed = format!("one of the model `{model}`, or of any");
    InputError::new("a body", body.model(), allowed)
}

pub(crate) fn wrong_model_edit_error(edit: &AnyEdit, model: &'static str) -> InputError {
    InputError::new("an edit", edit.model(), format!("one of the model `{model}`, or by name"))
}

/// Returns the elevations (m) of the water surface ahead and astern of a body, in this order. The
/// points are far enough from the body to lie outside of the depression that it causes. An
/// elevation is `None` if the point is dry.
fn surface_ahead_and_astern(
    model: &impl WaterModel,
    at: Point,
    length: f64,
    heading: f64,
) -> [Option<f64>; 2] {
    let reach = 0.6 * length;
    [reach, -reach].map(|by| {
        let there = [at[0] + by * heading.cos(), at[1] + by * heading.sin()];
        model.state_at(there)?.surface
    })
}

/// Returns the angle of a body's bow above the horizontal (rad), computed from the slope of the
/// water surface between two points ahead and astern.
fn tilt(model: &impl WaterModel, at: Point, length: f64, heading: f64) -> f64 {
    let [ahead, astern] = surface_ahead_and_astern(model, at, length, heading);
    let rise = ahead.zip(astern).map_or(0.0, |(ahead, astern)| ahead - astern);
    (rise / (1.2 * length)).atan().clamp(-0.5, 0.5)
}
