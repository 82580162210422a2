//! Water over terrain.

use super::{Place, WaterModel, another_models, another_models_body, tilt};
use crate::any_edit::AnyEdit;
use crate::body::{FloatingBody, Pose};
use crate::frame::Orientation;
#[cfg(feature = "render")]
use crate::render::texels::lowest;
#[cfg(feature = "render")]
use crate::render::texels::{Plan, Scratch, Texels};
#[cfg(feature = "render")]
use headwater::changes::Tile;
use headwater::flow::Flow;
use headwater::{Brush, Cause, Id, InputError, Model, Point, Region};

impl WaterModel for Flow {
    fn orientation(&self) -> Orientation {
        Orientation::Above
    }

    fn extent(&self) -> [f64; 2] {
        [self.lattice().width(), self.lattice().height()]
    }

    fn is_resting(&self) -> bool {
        self.awake() == 0
    }

    fn place(&self, at: Point) -> Option<Place> {
        let depth = f64::from(self.depth_at(at)?);
        let [east, south] = self.velocity_at(at)?.map(f64::from);
        let surface = self.surface_at(at).map(f64::from);
        // One-sided where there is no water on the other side.
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
        Some(Place {
            depth: if surface.is_some() { depth } else { 0.0 },
            surface,
            bed: self.bed_at(at).map(f64::from),
            velocity: [east, south],
            slope: [slope(0, self.lattice().dx()), slope(1, self.lattice().dy())],
            pressure: None,
        })
    }

    fn spilled(&self) -> f64 {
        self.ledger().outflow(Cause::Boundary)
    }

    fn volume_in(&self, region: &Region) -> Result<Option<f64>, InputError> {
        self.volume_in(region).map(Some)
    }

    fn apply(&mut self, brush: &Brush, edit: &AnyEdit) -> Result<(), InputError> {
        match edit {
            AnyEdit::Flow(edit) => self.edit(brush, *edit),
            AnyEdit::Named(name, amount) => Model::edit(self, name, brush, *amount),
            other => Err(another_models(other, "flow")),
        }
    }

    fn launch(&mut self, body: &FloatingBody) -> Result<Id, InputError> {
        match body {
            FloatingBody::Flow(body) => self.add_body(*body),
            FloatingBody::Any(body) => Model::add_body(self, *body),
            other => Err(another_models_body(other, "flow")),
        }
    }

    fn pose(&self, body: Id) -> Option<Pose> {
        let body = self.bodies().get(body)?;
        let [length, _] = body.size();
        Some(Pose {
            middle: body.position,
            height: Some(body.keel + 0.5 * body.height),
            heading: body.heading,
            tilt: tilt(self, body.position, length, body.heading),
            velocity: body.velocity,
        })
    }

    #[cfg(feature = "render")]
    fn plan(&self) -> Plan {
        Plan {
            lattice: Some(*Flow::lattice(self)),
            dry_depth: self.params().dry_depth as f32,
            lowest: lowest(&self.state().bed),
            foams: true,
        }
    }

    #[cfg(feature = "render")]
    fn texels(&self, tiles: &[Tile], scratch: &mut Scratch, into: &mut Texels) {
        let [east, south] = scratch.fields(Model::grid(self), 2) else { return };
        // The fields are of this grid.
        let _ = self.velocities_into(tiles, [east, south]);
        let state = self.state();
        for tile in tiles {
            for y in tile.y..tile.y + tile.ny {
                let columns = tile.x..tile.x + tile.nx;
                let [bed, depth] =
                    [&state.bed, &state.depth].map(|field| &field.row(y)[columns.clone()]);
                let [u, v] = [&*east, &*south].map(|field| &field.row(y)[columns.clone()]);
                let numbers = bed.iter().zip(depth).zip(u).zip(v);
                into.state.extend(numbers.map(|(((bed, depth), u), v)| [*bed, *depth, *u, *v]));
                let begin = into.looks.len();
                into.looks.resize(begin + tile.nx, [0; 4]);
                if state.closed.row_has_any(y) {
                    for (texel, x) in into.looks[begin..].iter_mut().zip(columns) {
                        texel[3] = u8::from(state.closed.contains(x, y)) * 255;
                    }
                }
            }
        }
    }
}
