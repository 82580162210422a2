//! Queries of a distributed world at points, along lines and in regions. The results are
//! bit-identical to those of an undivided world.

use crate::distributed::messages::{Question, Reply, Request, Workers, astray};
use crate::distributed::storage::page::slot;
use crate::distributed::world::distributed_flow::DistributedFlow;
use crate::distributed::world::spec::hollow;
use crate::error::InputError;
use crate::field::Field;
use crate::flow::state::State;
use crate::flow::velocity::{Moving, velocity_at};
use crate::ids::Id;
use crate::region::{Point, Region};
use std::io;
use std::ops::Range;

/// State of the world at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointSample {
    /// Bed elevation (m).
    pub bed: f32,
    /// Water depth (m).
    pub depth: f32,
    /// Velocity to the east and to the south (m/s).
    pub velocity: [f32; 2],
}

impl<K: Workers> DistributedFlow<K> {
    /// Returns the state at a position, as `bed_at`, `depth_at` and `velocity_at` of
    /// [`Flow`](crate::flow::Flow); `None` off the grid.
    ///
    /// # Errors
    /// Those of the workers.
    pub fn at(&mut self, position: Point) -> io::Result<Option<PointSample>> {
        let lattice = self.world.lattice;
        let Some((_, y)) = lattice.cell_at(position) else { return Ok(None) };
        // Interpolation depends on rows at most two away.
        let rows = y.saturating_sub(3)..(y + 4).min(lattice.ny());
        let first = rows.start;
        let state = self.strip(rows)?;
        let (dry, dt) = (self.world.params.dry_depth as f32, self.world.last_dt);
        let moving = Moving { state: &state, lattice: &lattice, dry, dt, first };
        Ok(Some(PointSample {
            bed: lattice.sample_from(&state.bed, first, position),
            depth: lattice.sample_from(&state.depth, first, position),
            velocity: velocity_at(moving, position).unwrap_or_default(),
        }))
    }

    /// Returns a state with bed, depths and discharges of some rows.
    fn strip(&mut self, rows: Range<usize>) -> io::Result<State> {
        let is_hex = self.world.lattice.is_hex();
        Ok(State {
            bed: self.field(slot::BED, rows.clone())?,
            depth: self.field(slot::WATER, rows.clone())?,
            discharge_x: self.field(slot::WATER + 2, rows.clone())?,
            discharge_y: self.field(slot::WATER + 3, rows.clone())?,
            discharge_z: is_hex.then(|| self.field(slot::WATER + 4, rows)).transpose()?,
            ..hollow()
        })
    }

    /// Returns a field in some rows; for faces between rows, those around each row.
    pub(in crate::distributed) fn field(
        &mut self,
        which: usize,
        rows: Range<usize>,
    ) -> io::Result<Field<f32>> {
        let [width, _] = slot::shape(&self.world.lattice, which);
        let faces = usize::from(slot::is_between(&self.world.lattice, which));
        let wished = rows.start..rows.end + faces;
        let mut values = Vec::with_capacity(width * wished.len());
        let last = self.bands.len() - 1;
        for i in 0..self.bands.len() {
            let (keeper, own) = self.bands[i].clone();
            let end = own.end + if i == last { faces } else { 0 };
            let common = wished.start.max(own.start)..wished.end.min(end);
            if !common.is_empty() {
                let raw = self.numbers(keeper, which, common)?;
                values.extend(raw.numbers().iter().map(|word| f32::from_bits(*word)));
            }
        }
        let shape = |_| io::Error::from(io::ErrorKind::InvalidData);
        Field::from_vec(width, wished.len(), values).map_err(shape)
    }

    /// Returns the discharge (m³/s) through a line, as
    /// [`Flow::discharge_through`](crate::flow::Flow::discharge_through).
    ///
    /// # Errors
    /// Those of the workers.
    pub fn discharge_through(&mut self, a: Point, b: Point) -> io::Result<f64> {
        let mut count = 0;
        self.world.each_face_through(a, b, |_, _, _| count += 1);
        let mut values = vec![0.0_f64; count];
        for told in self.keepers.all(&Request(Question::Through(a, b)))? {
            let Reply::Through(found) = told.0 else { return Err(astray()) };
            for (number, value) in found {
                values.get_mut(number).into_iter().for_each(|place| *place = value);
            }
        }
        // Sums in the order of the line.
        Ok(values.into_iter().fold(0.0, |sum, value| sum + value))
    }

    /// Returns the discharge of a structure in the last step (m³/s), as
    /// [`Flow::structure_discharge`](crate::flow::Flow::structure_discharge).
    ///
    /// # Errors
    /// Those of the workers.
    pub fn structure_discharge(&mut self, id: Id) -> io::Result<Option<f64>> {
        Ok(self.structures_now()?.passed(id))
    }

    /// Returns the volume of water (m³) in the cells whose centres lie in a region, as
    /// [`Flow::volume_in`](crate::flow::Flow::volume_in).
    ///
    /// # Errors
    /// Those of the workers, and an [`InputError`] if the region is invalid.
    pub fn volume_in(&mut self, region: &Region) -> io::Result<f64> {
        region.validate().map_err(io::Error::other::<InputError>)?;
        let mut sum = std::iter::empty::<f64>().sum::<f64>();
        for keeper in 0..self.keepers.count() {
            match self.keepers.one(keeper, &Request(Question::Held(region.clone(), sum)))?.0 {
                Reply::Held(all) => sum = all,
                _ => return Err(astray()),
            }
        }
        Ok(sum * self.world.lattice.cell_area())
    }
}
