//! [`WaterModel`] for land carved by rivers.

use super::{PointState, WaterModel, wrong_model_body_error, wrong_model_edit_error};
use crate::any_edit::AnyEdit;
use crate::bodies::body::{FloatingBody, Pose};
use crate::frame::Orientation;
use crate::texels::{Scratch, SurfaceInfo, TexelBuffers, fraction_to_byte, lowest_elevation};
use headwater::changes::Tile;
use headwater::hydrology::{Hydrology, Substance, View};
use headwater::{Brush, Cause, Id, InputError, Model, Point, Region};

impl WaterModel for Hydrology {
    fn orientation(&self) -> Orientation {
        Orientation::Above
    }

    fn extent(&self) -> [f64; 2] {
        [self.lattice().width(), self.lattice().height()]
    }

    /// Returns false, because erosion never ends.
    fn is_resting(&self) -> bool {
        false
    }

    /// Returns the state at a point. The depth is that of a lake or the sea; rivers have no depth
    /// in this model.
    fn state_at(&self, at: Point) -> Option<PointState> {
        let cell = self.cell_at(at)?;
        Some(PointState {
            depth: cell.depth,
            surface: (cell.depth > 0.0).then_some(cell.bed + cell.depth),
            bed: Some(cell.bed),
            ..PointState::default()
        })
    }

    fn spilled_volume(&self) -> f64 {
        self.ledger(Substance::Water).outflow(Cause::Boundary) as f64 * self.quantum()
    }

    fn volume_in(&self, region: &Region) -> Result<Option<f64>, InputError> {
        region.validate()?;
        let lattice = *self.lattice();
        let depth = |(x, y, _): (usize, usize, f64)| {
            self.cell_at(lattice.center(x, y)).map_or(0.0, |cell| cell.depth)
        };
        let depths: f64 = region.cells(lattice).into_iter().map(depth).sum();
        Ok(Some(depths * lattice.cell_area()))
    }

    fn apply(&mut self, brush: &Brush, edit: &AnyEdit) -> Result<(), InputError> {
        match edit {
            AnyEdit::Hydrology(edit) => self.edit(brush, *edit),
            AnyEdit::Named(name, amount) => Model::edit(self, name, brush, *amount),
            other => Err(wrong_model_edit_error(other, "hydrology")),
        }
    }

    fn launch(&mut self, body: &FloatingBody) -> Result<Id, InputError> {
        match body {
            FloatingBody::Any(body) => Model::add_body(self, *body),
            other => Err(wrong_model_body_error(other, "hydrology")),
        }
    }

    fn pose(&self, _: Id) -> Option<Pose> {
        None
    }

    fn surface_info(&self) -> SurfaceInfo {
        let lattice = Some((*Hydrology::lattice(self)).into());
        let lowest_ground = self.layer("bed").map_or(0.0, |bed| lowest_elevation(&bed));
        SurfaceInfo { lattice, dry_depth: 1e-3, lowest_ground, has_velocity_foam: false }
    }

    fn write_texels(&self, tiles: &[Tile], scratch: &mut Scratch, mut into: TexelBuffers<'_>) {
        let fields = scratch.fields(Model::grid_size(self), 6);
        let views = [
            View::Bed,
            View::Depth,
            View::MomentumX,
            View::MomentumY,
            View::Stream,
            View::Vegetation,
        ];
        for (view, field) in views.into_iter().zip(&mut *fields) {
            // This cannot fail, because the fields have the shape of the grid.
            let _ = self.view_into(view, tiles, field);
        }
        let [bed, depth, east, south, stream, plants] = fields else { return };
        into.fill(tiles, |x, y| {
            let at = (x, y);
            let state = [bed[at], depth[at], east[at], south[at]];
            (state, [0, fraction_to_byte(stream[at]), fraction_to_byte(plants[at]), 0])
        });
    }
}
