//! Queries of a distributed world at points, along lines and in regions. The results are
//! bit-identical to those of an undivided world.

use crate::distributed::local::LocalBlocks;
use crate::distributed::storage::page::slot;
use crate::distributed::world::distributed_flow::DistributedFlow;
use crate::distributed::world::spec::empty_state;
use crate::error::InputError;
use crate::field::Field;
use crate::flow::observe::velocity::{VelocityInput, velocity_at};
use crate::flow::state::State;
use crate::ids::Id;
use crate::lattice::FaceAxis;
use crate::region::{Point, Region};
use std::io;
use std::ops::Range;

/// Bed elevation, water depth and velocity at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointSample {
    /// Bed elevation (m).
    pub bed: f32,
    /// Water depth (m).
    pub depth: f32,
    /// Eastward and southward velocity (m/s).
    pub velocity: [f32; 2],
}

impl DistributedFlow {
    /// Returns the bed elevation, water depth and velocity at a position (m). The values equal
    /// those of `bed_at`, `depth_at` and `velocity_at` of [`Flow`](crate::flow::Flow). Returns
    /// `None` if the position is off the grid.
    ///
    /// # Errors
    /// Returns an error if the storage fails.
    pub fn sample(&mut self, position: Point) -> io::Result<Option<PointSample>> {
        let lattice = *self.lattice();
        let Some((_, y)) = lattice.cell_at(position) else { return Ok(None) };
        // Interpolation reads rows at a distance of up to two rows.
        let rows = y.saturating_sub(3)..(y + 4).min(lattice.ny());
        let first = rows.start;
        let state = self.state_of_rows(rows)?;
        let (dry, dt) = (self.params().dry_depth as f32, self.world().last_dt);
        let moving = VelocityInput { state: &state, lattice: &lattice, dry, dt, first };
        Ok(Some(PointSample {
            bed: lattice.sample_rows(&state.bed, first, position),
            depth: lattice.sample_rows(&state.depth, first, position),
            velocity: velocity_at(moving, position).unwrap_or_default(),
        }))
    }

    /// Returns a state that contains the bed, the depths and the discharges of a range of grid
    /// rows.
    fn state_of_rows(&mut self, rows: Range<usize>) -> io::Result<State> {
        let is_hex = self.lattice().is_hex();
        Ok(State {
            bed: self.field_rows(slot::BED, rows.clone())?,
            depth: self.field_rows(slot::WATER, rows.clone())?,
            discharge_x: self.field_rows(slot::WATER + 2, rows.clone())?,
            discharge_y: self.field_rows(slot::WATER + 3, rows.clone())?,
            discharge_z: is_hex.then(|| self.field_rows(slot::WATER + 4, rows)).transpose()?,
            ..empty_state()
        })
    }

    /// Returns a range of rows of field number `field` on all processes. For fields on faces
    /// between rows, the result includes the faces north and south of each row.
    pub(in crate::distributed) fn field_rows(
        &mut self,
        field: usize,
        rows: Range<usize>,
    ) -> io::Result<Field<f32>> {
        let [width, _] = slot::shape(self.lattice(), field);
        let faces = usize::from(slot::is_on_row_faces(self.lattice(), field));
        let requested = rows.start..rows.end + faces;
        let mut values = Vec::with_capacity(width * requested.len());
        for (rank, own) in self.row_pieces(field) {
            let common = requested.start.max(own.start)..requested.end.min(own.end);
            if !common.is_empty() {
                let raw = self.raw_rows(rank, field, &common)?;
                values.extend(raw.first_list().iter().map(|word| f32::from_bits(*word)));
            }
        }
        let shape = |_| io::Error::from(io::ErrorKind::InvalidData);
        Field::from_vec(width, requested.len(), values).map_err(shape)
    }

    /// Returns the discharge (m³/s) across the line from `a` to `b`, like
    /// [`Flow::discharge_through`](crate::flow::Flow::discharge_through). The discharge is positive
    /// if water flows from left to right for an observer who looks from `a` toward `b`.
    ///
    /// # Errors
    /// Returns an error if the storage fails.
    pub fn discharge_through(&mut self, a: Point, b: Point) -> io::Result<f64> {
        let mut count = 0;
        self.world().for_each_face_crossing(a, b, |_, _, _| count += 1);
        let mut values = vec![0.0_f64; count];
        let own = self.local.face_discharges(a, b);
        for (number, value) in self.comm.allgather_values(own)?.into_iter().flatten() {
            values.get_mut(number).into_iter().for_each(|place| *place = value);
        }
        // The values are added in the order of the faces along the line.
        Ok(values.into_iter().fold(0.0, |sum, value| sum + value))
    }

    /// Returns the discharge through a structure in the last step (m³/s, positive from its first
    /// mouth to its second), like
    /// [`Flow::structure_discharge`](crate::flow::Flow::structure_discharge); `None` if the id is
    /// unknown.
    pub fn structure_discharge(&self, id: Id) -> Option<f64> {
        self.structures().last_discharge(id)
    }

    /// Returns the volume of water (m³) in the cells whose centres lie in a region, like
    /// [`Flow::volume_in`](crate::flow::Flow::volume_in).
    ///
    /// # Errors
    /// Returns an error if the storage fails, and [`InputError`] if the region is invalid.
    pub fn volume_in(&mut self, region: &Region) -> io::Result<f64> {
        region.validate().map_err(io::Error::other::<InputError>)?;
        let none = std::iter::empty::<f64>().sum::<f64>();
        let sum = self.fold_ranks(none, |blocks, sum| blocks.accumulate_depths(region, sum))?;
        Ok(sum * self.lattice().cell_area())
    }
}

impl LocalBlocks {
    /// Returns the discharges (m³/s) through those faces along the line from `a` to `b` that belong
    /// to rows of this process. Each item consists of the index of the face along the line and its
    /// discharge, positive if the water crosses the line from left to right.
    fn face_discharges(&mut self, a: Point, b: Point) -> io::Result<Vec<(usize, f64)>> {
        let mut faces = Vec::new();
        self.world.for_each_face_crossing(a, b, |axis, face, sign| faces.push((axis, face, sign)));
        let mut found = Vec::new();
        // Visit each block only once.
        for block in &mut self.blocks {
            for (axis, field) in [(FaceAxis::X, 2), (FaceAxis::Y, 3), (FaceAxis::Z, 4)] {
                let field = slot::WATER + field;
                let rows = block.grid_rows(field);
                let here = |y: usize| rows.contains(&y);
                let all = faces.iter().enumerate();
                let mut all = all.filter(|(_, (of, (_, y), _))| *of == axis && here(*y)).peekable();
                if all.peek().is_none() {
                    continue;
                }
                let own = block.owned_rows(field);
                let raw = block.raw_rows(field, own, &mut *self.store)?;
                let width = slot::shape(&self.world.lattice, field)[0];
                found.extend(all.map(|(number, (_, (x, y), sign))| {
                    let bits = raw.first_list()[(y - rows.start) * width + x];
                    (number, sign * f64::from(f32::from_bits(bits)))
                }));
            }
        }
        Ok(found)
    }

    /// Adds the depths (m) of all cells of this process whose centres lie in a region to `sum`, and
    /// returns the new sum.
    fn accumulate_depths(&mut self, region: &Region, mut sum: f64) -> io::Result<f64> {
        let lattice = self.world.lattice;
        for block in &mut self.blocks {
            let cells = region.cells_in_rows(lattice, block.subdomain.rows.clone());
            if cells.is_empty() {
                continue;
            }
            let mut held = vec![0.0_f64; cells.len()];
            for field in [slot::WATER, slot::WATER + 1] {
                let raw = block.raw_rows(field, block.owned_rows(field), &mut *self.store)?;
                for ((x, y, _), held) in cells.iter().zip(&mut held) {
                    let place = (y - block.subdomain.rows.start) * lattice.nx() + x;
                    *held += f64::from(f32::from_bits(raw.first_list()[place]));
                }
            }
            sum = held.into_iter().fold(sum, |sum, held| sum + held);
        }
        Ok(sum)
    }
}
