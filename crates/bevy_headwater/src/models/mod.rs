//! What the plugin asks of a world beside what [`Model`] gives, model by model.

mod blocks;
mod columns;
mod flow;
mod hydrology;
mod waves;

use crate::any_edit::AnyEdit;
use crate::body::{FloatingBody, Hull, Pose};
use crate::frame::Orientation;
use headwater::{AdvanceSummary, Brush, Id, InputError, Model, Point};

/// Weight of a metre of water (kPa).
pub(crate) const KPA_PER_METRE: f64 = 9.81;

/// What is in a place of a world, in its own space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Depth of the water (m): down to the ground, or in side view down to the place; 0 where there is none.
    pub depth: f64,
    /// Height of the water's surface (m), counted as the model counts heights, in side view from its top edge upward; `None`
    /// where there is no water.
    pub surface: Option<f64>,
    /// Height of the ground (m), where the model knows it.
    pub bed: Option<f64>,
    /// Velocity of the water (m/s, to the east, and to the south or downward).
    pub velocity: [f64; 2],
    /// Rise of the surface over a metre to the east, and to the south if it is seen from above.
    pub slope: [f64; 2],
    /// Pressure (kPa) that the model itself knows: under ceilings it is more than the depth makes.
    pub pressure: Option<f64>,
}

impl Place {
    /// A place of a pond that is so deep (m), whose surface has a height (m) and a normal (to the east, to the south and up).
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

/// A world that the plugin can step, edit, ask and draw.
pub trait WaterModel: Model + Send + Sync {
    /// How it lies in space.
    fn orientation(&self) -> Orientation;

    /// Width, and length or height (m; of blocks, cells).
    fn extent(&self) -> [f64; 2];

    /// Whether the next step would change nothing, as far as the model knows.
    fn is_resting(&self) -> bool;

    /// What is in a place; `None` off the grid.
    fn place(&self, at: Point) -> Option<Place>;

    /// The water that has gone over the edges since the start (m³; of blocks, cells of any liquid).
    fn spilled(&self) -> f64;

    /// Volume (m³) of the water in cells whose middles lie in a region; `None` where the model does not say.
    ///
    /// # Errors
    /// [`InputError`] if the region makes no sense.
    fn volume_in(&self, region: &headwater::Region) -> Result<Option<f64>, InputError>;

    /// Works on the world with a brush.
    ///
    /// # Errors
    /// [`InputError`] if the edit is another model's, or the model refuses it.
    fn apply(&mut self, brush: &Brush, edit: &AnyEdit) -> Result<(), InputError>;

    /// Adds a body.
    ///
    /// # Errors
    /// [`InputError`] if the body is another model's, makes no sense there, or the model knows no bodies.
    fn launch(&mut self, body: &FloatingBody) -> Result<Id, InputError>;

    /// Where a body is; `None` if there is none.
    fn pose(&self, body: Id) -> Option<Pose>;

    /// What a body is known by; `None` if there is none.
    fn hull(&self, body: Id) -> Option<Hull> {
        let _ = body;
        None
    }

    /// The ids of all bodies, ascending.
    fn body_ids(&self) -> &[Id] {
        &[]
    }

    /// The id that the next body will get; `None` if the model knows no bodies.
    fn next_body(&self) -> Option<Id> {
        None
    }

    /// Advances by a time, in no more steps than so many; the time beyond is left out. Models with a limit of their own keep that.
    ///
    /// # Errors
    /// [`InputError`] as of [`Model::advance`].
    fn advance_at_most(&mut self, time: f64, steps: u32) -> Result<AdvanceSummary, InputError> {
        let _ = steps;
        Model::advance(self, time)
    }

    /// What its picture has to know beside texels.
    fn plan(&self) -> crate::texels::Plan;

    /// Whether the looks of any cell are other than zeros.
    fn has_looks(&self) -> bool {
        true
    }

    /// Writes the texels of tiles.
    fn texels(
        &self,
        tiles: &[headwater::changes::Tile],
        scratch: &mut crate::texels::Scratch,
        into: crate::texels::Written<'_>,
    );
}

pub(crate) fn another_models_body(body: &FloatingBody, model: &'static str) -> InputError {
    let allowed = format!("one of the model `{model}`, or of any");
    InputError::new("a body", body.model(), allowed)
}

pub(crate) fn another_models(edit: &AnyEdit, model: &'static str) -> InputError {
    InputError::new("an edit", edit.model(), format!("one of the model `{model}`, or by name"))
}

/// The surface just ahead and just astern of a body, where the body itself does not press it down.
fn ends(model: &impl WaterModel, at: Point, length: f64, heading: f64) -> [Option<f64>; 2] {
    let reach = 0.6 * length;
    [reach, -reach].map(|by| {
        let there = [at[0] + by * heading.cos(), at[1] + by * heading.sin()];
        model.place(there)?.surface
    })
}

/// How far a body's bow is raised (rad) by the surface ahead and astern of it.
fn tilt(model: &impl WaterModel, at: Point, length: f64, heading: f64) -> f64 {
    let [ahead, astern] = ends(model, at, length, heading);
    let rise = ahead.zip(astern).map_or(0.0, |(ahead, astern)| ahead - astern);
    (rise / (1.2 * length)).atan().clamp(-0.5, 0.5)
}
