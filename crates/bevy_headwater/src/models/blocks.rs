//! [`WaterModel`] for block worlds.

use super::{
    KPA_PER_METRE, PointState, WaterModel, wrong_model_body_error, wrong_model_edit_error,
};
use crate::any_edit::AnyEdit;
use crate::bodies::body::{FloatingBody, Pose};
use crate::frame::Orientation;
use crate::texels::{Scratch, SurfaceInfo, TexelBuffers};
use headwater::blocks::{Blocks, Cell, FULL, Liquid};
use headwater::changes::Tile;
use headwater::{Brush, Cause, Id, InputError, Model, Point, Region, Square};

impl WaterModel for Blocks {
    fn orientation(&self) -> Orientation {
        Orientation::Side
    }

    fn extent(&self) -> [f64; 2] {
        [self.nx() as f64, self.ny() as f64]
    }

    fn is_resting(&self) -> bool {
        self.is_asleep()
    }

    /// Returns the state at a point. All liquids count as water. The velocity is always 0, because
    /// the model has none.
    fn state_at(&self, at: Point) -> Option<PointState> {
        let inside = |at: f64, n: usize| (0.0..n as f64).contains(&at).then_some(at as usize);
        let (x, y) = inside(at[0], self.nx()).zip(inside(at[1], self.ny()))?;
        let fill = f64::from(self.fill_at(x, y)?) / f64::from(FULL);
        // Elevations are measured from the bottom of the world.
        let (floor, here) = ((self.ny() - 1 - y) as f64, self.ny() as f64 - at[1]);
        if fill == 0.0 {
            return Some(PointState::default());
        }
        let top = floor + fill;
        let level = self.surface_level(x, y).unwrap_or(top).max(top);
        let depth = if here <= top { level - here } else { 0.0 };
        Some(PointState {
            depth,
            surface: Some(level - self.ny() as f64),
            pressure: (depth > 0.0).then_some(depth * KPA_PER_METRE),
            ..PointState::default()
        })
    }

    fn spilled_volume(&self) -> f64 {
        let all = Liquid::ALL.map(|liquid| self.ledger(liquid).outflow(Cause::Boundary));
        all.iter().sum::<i128>() as f64 / f64::from(FULL)
    }

    /// Returns the volume of water in a region. A full cell counts as 1 m³.
    fn volume_in(&self, region: &Region) -> Result<Option<f64>, InputError> {
        region.validate()?;
        let cells = region.cells(Square::new(self.nx(), self.ny(), 1.0, 1.0)?);
        let water = |cell: Option<Cell>| match cell {
            Some(Cell::Liquid(Liquid::Water, amount)) => f64::from(amount),
            _ => 0.0,
        };
        let sum: f64 = cells.into_iter().map(|(x, y, _)| water(self.cell(x, y))).sum();
        Ok(Some(sum / f64::from(FULL)))
    }

    fn apply(&mut self, brush: &Brush, edit: &AnyEdit) -> Result<(), InputError> {
        match edit {
            AnyEdit::Blocks(edit) => self.edit(&brush.region, *edit),
            AnyEdit::Named(name, amount) => Model::edit(self, name, brush, *amount),
            other => Err(wrong_model_edit_error(other, "blocks")),
        }
    }

    fn launch(&mut self, body: &FloatingBody) -> Result<Id, InputError> {
        match body {
            FloatingBody::Any(body) => Model::add_body(self, *body),
            other => Err(wrong_model_body_error(other, "blocks")),
        }
    }

    fn pose(&self, _: Id) -> Option<Pose> {
        None
    }

    fn surface_info(&self) -> SurfaceInfo {
        SurfaceInfo { lattice: None, dry_depth: 0.0, lowest_ground: 0.0, has_velocity_foam: false }
    }

    fn write_texels(&self, tiles: &[Tile], _: &mut Scratch, mut into: TexelBuffers<'_>) {
        into.fill(tiles, |x, y| {
            let tag = self.tag(x, y).unwrap_or(0);
            match self.cell(x, y) {
                Some(Cell::Wall) => ([0.0; 4], [255, 0, 0, tag]),
                Some(Cell::Liquid(liquid, amount)) => {
                    let fill = f32::from(amount) / f32::from(FULL);
                    ([fill, 0.0, 15.0, 0.0], [0, liquid as u8 + 1, 0, tag])
                }
                _ => ([0.0; 4], [0, 0, 0, tag]),
            }
        });
    }
}
