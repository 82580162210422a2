//! [`WaterModel`]: what the plugin needs of a world in addition to [`Model`].

mod blocks;
mod columns;
mod flow;
mod hydrology;
mod waves;

use crate::any_edit::AnyEdit;
use crate::body::{FloatingBody, Hull, Pose};
use crate::frame::Orientation;
use headwater::{AdvanceSummary, Brush, Id, InputError, Model, Point};

/// Pressure of a metre of water (kPa).
pub(crate) const KPA_PER_METRE: f64 = 9.81;

/// State at a place, in the model's own space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Depth of the water (m) down to the ground, or from the side down to the place; 0 where it is
    /// dry.
    pub depth: f64,
    /// Elevation of the surface (m); from the side, above the top edge. `None` where it is dry.
    pub surface: Option<f64>,
    /// Elevation of the ground (m), if the model has one.
    pub bed: Option<f64>,
    /// Velocity of the water (m/s; east, and south or down).
    pub velocity: [f64; 2],
    /// Slope of the surface to the east and, if seen from above, to the south.
    pub slope: [f64; 2],
    /// Pressure (kPa) computed by the model; under ceilings it exceeds that of the depth.
    pub pressure: Option<f64>,
}

impl Place {
    /// Creates the state of a pond of some depth (m), whose surface has an elevation (m) and a
    /// normal (east, south, up).
    pub(crate) fn of_surface(depth: f64, height: f32, normal: [f32; 3]) -> Self {
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

/// World that the plugin can step, edit, query and draw.
pub trait WaterModel: Model + Send + Sync {
    /// Returns the mapping to the entity's space.
    fn orientation(&self) -> Orientation;

    /// Returns width, and length or height (m; of blocks, cells).
    fn extent(&self) -> [f64; 2];

    /// Returns whether the next step would change nothing.
    fn is_resting(&self) -> bool;

    /// Returns the state at a place; `None` outside the grid.
    fn place(&self, at: Point) -> Option<Place>;

    /// Returns the volume that has left over the edges since the start (m³; of blocks, cells of any
    /// liquid).
    fn spilled(&self) -> f64;

    /// Returns the volume (m³) of water in cells whose centres lie in a region; `None` if the model
    /// has no volume.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid.
    fn volume_in(&self, region: &headwater::Region) -> Result<Option<f64>, InputError>;

    /// Applies an edit.
    ///
    /// # Errors
    /// Returns [`InputError`] if the edit belongs to another model, or the model refuses it.
    fn apply(&mut self, brush: &Brush, edit: &AnyEdit) -> Result<(), InputError>;

    /// Adds a body.
    ///
    /// # Errors
    /// Returns [`InputError`] if the body belongs to another model, is invalid, or the model has no
    /// bodies.
    fn launch(&mut self, body: &FloatingBody) -> Result<Id, InputError>;

    /// Returns the pose of a body, if it exists.
    fn pose(&self, body: Id) -> Option<Pose>;

    /// Returns the properties by which a body is recognised, if it exists.
    fn hull(&self, body: Id) -> Option<Hull> {
        let _ = body;
        None
    }

    /// Returns the ids of all bodies in ascending order.
    fn body_ids(&self) -> &[Id] {
        &[]
    }

    /// Returns the id of the next new body; `None` if the model has no bodies.
    fn next_body(&self) -> Option<Id> {
        None
    }

    /// Advances by a time in at most `steps` steps and drops the rest. Models with their own limit
    /// use that.
    ///
    /// # Errors
    /// Returns [`InputError`] as in [`Model::advance`].
    fn advance_at_most(&mut self, time: f64, steps: u32) -> Result<AdvanceSummary, InputError> {
        let _ = steps;
        Model::advance(self, time)
    }

    /// Returns the properties that its rendering needs besides texels.
    fn surface_info(&self) -> crate::texels::SurfaceInfo;

    /// Returns whether any cell has nonzero looks.
    fn has_looks(&self) -> bool {
        true
    }

    /// Writes the texels of tiles.
    fn texels(
        &self,
        tiles: &[headwater::changes::Tile],
        scratch: &mut crate::texels::Scratch,
        into: crate::texels::TexelBuffers<'_>,
    );
}

pub(crate) fn another_models_body(body: &FloatingBody, model: &'static str) -> InputError {
    let allowed = format!("one of the model `{model}`, or of any");
    InputError::new("a body", body.model(), allowed)
}

pub(crate) fn another_models(edit: &AnyEdit, model: &'static str) -> InputError {
    InputError::new("an edit", edit.model(), format!("one of the model `{model}`, or by name"))
}

/// Returns the surface just ahead and astern of a body, where the body does not depress it.
fn ends(model: &impl WaterModel, at: Point, length: f64, heading: f64) -> [Option<f64>; 2] {
    let reach = 0.6 * length;
    [reach, -reach].map(|by| {
        let there = [at[0] + by * heading.cos(), at[1] + by * heading.sin()];
        model.place(there)?.surface
    })
}

/// Returns the elevation angle of a body's bow (rad) from the surface ahead and astern.
fn tilt(model: &impl WaterModel, at: Point, length: f64, heading: f64) -> f64 {
    let [ahead, astern] = ends(model, at, length, heading);
    let rise = ahead.zip(astern).map_or(0.0, |(ahead, astern)| ahead - astern);
    (rise / (1.2 * length)).atan().clamp(-0.5, 0.5)
}
