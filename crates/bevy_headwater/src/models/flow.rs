//! [`WaterModel`] for water over terrain.

use super::{PointState, WaterModel, tilt, wrong_model_body_error, wrong_model_edit_error};
use crate::any_edit::AnyEdit;
use crate::bodies::body::{FloatingBody, Hull, Pose};
use crate::frame::Orientation;
use crate::texels::{Scratch, SurfaceInfo, TexelBuffers, lowest_elevation};
use headwater::changes::Tile;
use headwater::flow::Flow;
use headwater::{AdvanceSummary, Brush, Cause, Id, InputError, Model, Point, Region};

impl WaterModel for Flow {
    fn orientation(&self) -> Orientation {
        Orientation::Above
    }

    fn extent(&self) -> [f64; 2] {
        [self.lattice().width(), self.lattice().height()]
    }

    fn is_resting(&self) -> bool {
        self.awake_tile_count() == 0
    }

    fn state_at(&self, at: Point) -> Option<PointState> {
        let depth = f64::from(self.depth_at(at)?);
        let [east, south] = self.velocity_at(at)?.map(f64::from);
        let surface = self.surface_at(at).map(f64::from);
        // The slope is one-sided if the cell on one side is dry.
        let slope = |axis: usize, step: f64| {
            let Some(here) = surface else { return 0.0 };
            let beside = |by: f64| {
                let mut there = at;
                there[axis] += by;
                self.surface_at(there).map(f64::from)
            };
            let (after, before) = (beside(step), beside(-step));
            let run = f64::from(u8::from(after.is_some()) + u8::from(before.is_some())) * step;
            if run > 0.0 { (after.unwrap_or(here) - before.unwrap_or(here)) / run } else { 0.0 }
        };
        Some(PointState {
            depth: if surface.is_some() { depth } else { 0.0 },
            surface,
            bed: self.bed_at(at).map(f64::from),
            velocity: [east, south],
            slope: [slope(0, self.lattice().dx()), slope(1, self.lattice().dy())],
            pressure: None,
        })
    }

    fn spilled_volume(&self) -> f64 {
        self.ledger().outflow(Cause::Boundary)
    }

    fn volume_in(&self, region: &Region) -> Result<Option<f64>, InputError> {
        self.volume_in(region).map(Some)
    }

    fn apply(&mut self, brush: &Brush, edit: &AnyEdit) -> Result<(), InputError> {
        match edit {
            AnyEdit::Flow(edit) => self.edit(brush, *edit),
            AnyEdit::Named(name, amount) => Model::edit(self, name, brush, *amount),
            other => Err(wrong_model_edit_error(other, "flow")),
        }
    }

    fn launch(&mut self, body: &FloatingBody) -> Result<Id, InputError> {
        match body {
            FloatingBody::Flow(body) => self.add_body(*body),
            FloatingBody::Any(body) => Model::add_body(self, *body),
            other => Err(wrong_model_body_error(other, "flow")),
        }
    }

    fn pose(&self, body: Id) -> Option<Pose> {
        let body = self.bodies().get(body)?;
        let [length, _] = body.size();
        Some(Pose {
            center: body.position,
            elevation: Some(body.keel + 0.5 * body.height),
            heading: body.heading,
            tilt: tilt(self, body.position, length, body.heading),
            velocity: body.velocity,
        })
    }

    fn hull(&self, body: Id) -> Option<Hull> {
        let body = self.bodies().get(body)?;
        Some(Hull { size: body.size(), center: body.position, has_left: body.gone })
    }

    fn body_ids(&self) -> &[Id] {
        self.bodies().ids()
    }

    fn next_body_id(&self) -> Option<Id> {
        Some(self.bodies().next_id())
    }

    /// Advances the world in at most `steps` steps. This is the only limit, because `Flow` has no
    /// step limit of its own.
    fn advance_at_most(&mut self, time: f64, steps: u32) -> Result<AdvanceSummary, InputError> {
        self.params().check_duration(time)?;
        let (stop, before) = (self.time() + time, Flow::steps(self));
        let mut left = steps as usize;
        while left > 0 {
            match self.steps_toward(stop, left)? {
                0 => break,
                done => left = left.saturating_sub(done),
            }
        }
        let dropped = (stop - self.time()).max(0.0);
        Ok(AdvanceSummary { steps: Flow::steps(self) - before, alpha: 0.0, dropped })
    }

    fn surface_info(&self) -> SurfaceInfo {
        SurfaceInfo {
            lattice: Some(*Flow::lattice(self)),
            dry_depth: self.params().dry_depth as f32,
            lowest_ground: lowest_elevation(&self.state().bed),
            has_velocity_foam: true,
        }
    }

    /// Returns whether any cell is closed to water. In this model, the looks (bytes that describe
    /// the appearance of a cell) record nothing else.
    fn has_nonzero_looks(&self) -> bool {
        (0..self.lattice().ny()).any(|y| self.state().closed.row_has_closed(y))
    }

    fn write_texels(&self, tiles: &[Tile], _: &mut Scratch, into: TexelBuffers<'_>) {
        let TexelBuffers { state, mut looks } = into;
        let (closed, dry) = (&self.state().closed, self.params().dry_depth as f32);
        let mut begin = 0;
        for &tile in tiles {
            let cells = tile.nx * tile.ny;
            // This cannot fail, because the tile belongs to the grid.
            let _ = self.texels_into(tile, &mut state[begin..begin + cells]);
            begin += cells;
            if looks.is_empty() {
                continue;
            }
            let (here, rest) = looks.split_at_mut(cells);
            here.fill([0; 4]);
            for (row, texels) in here.chunks_exact_mut(tile.nx).enumerate() {
                let y = tile.y + row;
                if closed.row_has_closed(y) {
                    for (texel, x) in texels.iter_mut().zip(tile.x..) {
                        texel[3] = u8::from(closed.contains(x, y)) * 255;
                    }
                }
            }
            looks = rest;
        }
        // Under hulls, draw the continuation of the surrounding surface, so that bodies appear
        // immersed.
        self.for_each_depressed_cell(|(x, y), head| {
            let mut begin = 0;
            for tile in tiles {
                let [column, row] = [x.wrapping_sub(tile.x), y.wrapping_sub(tile.y)];
                if column < tile.nx && row < tile.ny {
                    let [_, depth, ..] = &mut state[begin + row * tile.nx + column];
                    *depth += if *depth > dry { head } else { 0.0 };
                    break;
                }
                begin += tile.nx * tile.ny;
            }
        });
    }
}
