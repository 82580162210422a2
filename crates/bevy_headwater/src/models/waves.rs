//! [`WaterModel`] for ponds: water surfaces with waves.

use super::{
    PointState, WaterModel, surface_ahead_and_astern, tilt, wrong_model_body_error,
    wrong_model_edit_error,
};
use crate::any_edit::AnyEdit;
use crate::bodies::body::{FloatingBody, Hull, Pose, pond_body_size};
use crate::frame::Orientation;
use crate::texels::{Scratch, SurfaceInfo, TexelBuffers};
use headwater::changes::Tile;
use headwater::waves::{Shape, Waves};
use headwater::{Brush, Cause, Id, InputError, Model, Point, Region};

impl WaterModel for Waves {
    fn orientation(&self) -> Orientation {
        Orientation::Above
    }

    fn extent(&self) -> [f64; 2] {
        [self.lattice().width(), self.lattice().height()]
    }

    fn is_resting(&self) -> bool {
        self.awake_tile_count() == 0
    }

    /// Returns the state at a point. The depth at rest is the parameter `depth`, because this model
    /// has no ground.
    fn state_at(&self, at: Point) -> Option<PointState> {
        let (x, y) = self.lattice().cell_at(at)?;
        if self.is_land(x, y) {
            return Some(PointState::default());
        }
        Some(PointState::from_surface(self.params().depth, self.surface_at(at)?, self.normal(x, y)))
    }

    fn spilled_volume(&self) -> f64 {
        self.ledger().outflow(Cause::Boundary)
    }

    fn volume_in(&self, region: &Region) -> Result<Option<f64>, InputError> {
        region.validate().map(|()| None)
    }

    fn apply(&mut self, brush: &Brush, edit: &AnyEdit) -> Result<(), InputError> {
        match edit {
            AnyEdit::Waves(edit) => self.edit(brush, *edit),
            AnyEdit::Named(name, amount) => Model::edit(self, name, brush, *amount),
            other => Err(wrong_model_edit_error(other, "waves")),
        }
    }

    fn launch(&mut self, body: &FloatingBody) -> Result<Id, InputError> {
        match body {
            FloatingBody::Waves(body) => self.add_body(*body),
            FloatingBody::Any(body) => Model::add_body(self, *body),
            other => Err(wrong_model_body_error(other, "waves")),
        }
    }

    /// Returns the pose of a body. The heading follows the body's steering. The elevation is the
    /// mean elevation of the water surface ahead and astern.
    fn pose(&self, body: Id) -> Option<Pose> {
        let body = *self.bodies().get(body)?;
        let (length, heading) = match body.shape {
            Shape::Disc { radius } => (2.0 * radius, 0.0),
            Shape::Rect { half } => (2.0 * half[0], 0.0),
            Shape::Oval { half, heading } => (2.0 * half[0], heading),
        };
        let [ahead, astern] = surface_ahead_and_astern(self, body.position, length, heading);
        Some(Pose {
            center: body.position,
            elevation: ahead.zip(astern).map(|(a, b)| 0.5 * (a + b)).or(Some(0.0)),
            heading,
            tilt: tilt(self, body.position, length, heading),
            velocity: body.velocity,
        })
    }

    fn hull(&self, body: Id) -> Option<Hull> {
        let body = self.bodies().get(body)?;
        let size = pond_body_size(&body.shape);
        Some(Hull { size, center: body.position, has_left: false })
    }

    fn body_ids(&self) -> &[Id] {
        self.bodies().ids()
    }

    fn next_body_id(&self) -> Option<Id> {
        Some(self.bodies().next_id())
    }

    fn surface_info(&self) -> SurfaceInfo {
        let lattice = Some((*Waves::lattice(self)).into());
        SurfaceInfo {
            lattice,
            dry_depth: 0.0,
            lowest_ground: -self.params().depth as f32,
            has_velocity_foam: false,
        }
    }

    fn has_nonzero_looks(&self) -> bool {
        false
    }

    /// Writes texels with a flat bed. Land cells receive an elevation slightly above the water
    /// surface, because the model stores no land elevations.
    fn write_texels(&self, tiles: &[Tile], _: &mut Scratch, into: TexelBuffers<'_>) {
        let depth = self.params().depth as f32;
        let TexelBuffers { mut state, looks } = into;
        looks.fill([0; 4]);
        for tile in tiles {
            for y in tile.y..tile.y + tile.ny {
                let (row, rest) = state.split_at_mut(tile.nx);
                let heights = &self.state().height.row(y)[tile.x..tile.x + tile.nx];
                for ((texel, height), x) in row.iter_mut().zip(heights).zip(tile.x..) {
                    *texel = if self.is_land(x, y) {
                        [0.2 * depth, 0.0, 0.0, 0.0]
                    } else {
                        [-depth, depth + height, 0.0, 0.0]
                    };
                }
                state = rest;
            }
        }
    }
}
