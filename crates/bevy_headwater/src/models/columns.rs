//! [`WaterModel`] for side-view pools.

use super::{
    KPA_PER_METRE, PointState, WaterModel, wrong_model_body_error, wrong_model_edit_error,
};
use crate::any_edit::AnyEdit;
use crate::bodies::body::{FloatingBody, Hull, Pose, pool_body_size_and_center};
use crate::frame::Orientation;
use crate::texels::{Scratch, SurfaceInfo, TexelBuffers, fraction_to_byte};
use headwater::changes::Tile;
use headwater::columns::{Columns, View};
use headwater::{Brush, Cause, Id, InputError, Model, Point, Region};

impl WaterModel for Columns {
    fn orientation(&self) -> Orientation {
        Orientation::Side
    }

    fn extent(&self) -> [f64; 2] {
        self.size()
    }

    fn is_resting(&self) -> bool {
        self.awake_pool_count() == 0
    }

    fn state_at(&self, at: Point) -> Option<PointState> {
        let [width, height] = self.size();
        let inside = (0.0..width).contains(&at[0]) && (0.0..height).contains(&at[1]);
        if !inside {
            return None;
        }
        let Some(surface) = self.surface_at(at) else { return Some(PointState::default()) };
        let under = self.is_under_water(at);
        let beside = |by: f64| self.surface_at([at[0] + by, at[1]]).unwrap_or(surface);
        let step = self.column_width();
        let head = self.head_at(at).filter(|_| under);
        Some(PointState {
            depth: if under { (at[1] - surface).max(0.0) } else { 0.0 },
            surface: Some(-surface),
            velocity: [self.velocity_at(at).unwrap_or(0.0), 0.0],
            slope: [(beside(-step) - beside(step)) / (2.0 * step), 0.0],
            pressure: head.map(|head| KPA_PER_METRE * (at[1] - head)),
            ..PointState::default()
        })
    }

    fn spilled_volume(&self) -> f64 {
        self.ledger().outflow(Cause::Boundary)
    }

    fn volume_in(&self, region: &Region) -> Result<Option<f64>, InputError> {
        region.validate().map(|()| None)
    }

    fn apply(&mut self, brush: &Brush, edit: &AnyEdit) -> Result<(), InputError> {
        match edit {
            AnyEdit::Columns(edit) => self.edit(&brush.region, *edit),
            AnyEdit::Named(name, amount) => Model::edit(self, name, brush, *amount),
            other => Err(wrong_model_edit_error(other, "columns")),
        }
    }

    fn launch(&mut self, body: &FloatingBody) -> Result<Id, InputError> {
        match body {
            FloatingBody::Columns(body) => self.add_body(*body),
            FloatingBody::Any(body) => Model::add_body(self, *body),
            other => Err(wrong_model_body_error(other, "columns")),
        }
    }

    fn pose(&self, body: Id) -> Option<Pose> {
        let body = self.bodies().get(body)?;
        let (_, center) = pool_body_size_and_center(&body.shape);
        Some(Pose { center, elevation: None, heading: 0.0, tilt: 0.0, velocity: body.velocity })
    }

    fn hull(&self, body: Id) -> Option<Hull> {
        let body = self.bodies().get(body)?;
        let (size, center) = pool_body_size_and_center(&body.shape);
        Some(Hull { size, center, has_left: false })
    }

    fn body_ids(&self) -> &[Id] {
        self.bodies().ids()
    }

    fn next_body_id(&self) -> Option<Id> {
        Some(self.bodies().next_id())
    }

    fn surface_info(&self) -> SurfaceInfo {
        SurfaceInfo { lattice: None, dry_depth: 0.0, lowest_ground: 0.0, has_velocity_foam: false }
    }

    fn write_texels(&self, tiles: &[Tile], scratch: &mut Scratch, mut into: TexelBuffers<'_>) {
        let fields = scratch.fields(Model::grid_size(self), 5);
        let views = [View::Walls, View::Fill, View::Velocity, View::Temperature, View::Ice];
        for (view, field) in views.into_iter().zip(&mut *fields) {
            // This cannot fail, because the fields have the shape of the grid.
            let _ = self.view_into(view, tiles, field);
        }
        let [walls, fill, velocity, temperature, ice] = fields else { return };
        into.fill(tiles, |x, y| {
            let at = (x, y);
            let water = u8::from(fill[at] > 0.0) * 2;
            let state = [fill[at], velocity[at], temperature[at], 0.0];
            (state, [fraction_to_byte(walls[at]), water, fraction_to_byte(ice[at]), 0])
        });
    }
}
