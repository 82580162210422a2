//! What is asked of a world in bands: at places, over lines and in regions, to the same bits as of a world in one piece.

use super::outline::hollow;
use super::rounds::Banded;
use super::stored::slot;
use crate::error::InputError;
use crate::field::Field;
use crate::flow::state::State;
use crate::flow::velocity::{Moving, velocity_at};
use crate::lattice::Way;
use crate::region::{Point, Region};
use std::io;
use std::ops::Range;

/// What is at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct There {
    /// Height of the ground (m).
    pub bed: f32,
    /// Depth of the water (m).
    pub depth: f32,
    /// Its velocity to the east and to the south (m/s).
    pub velocity: [f32; 2],
}

impl Banded {
    /// What is at a position, as [`Flow`](crate::flow::Flow) says it by `bed_at`, `depth_at` and `velocity_at`; `None` off the grid.
    ///
    /// # Errors
    /// Those of the shelf.
    pub fn at(&mut self, position: Point) -> io::Result<Option<There>> {
        let lattice = self.world.lattice;
        let Some((_, y)) = lattice.cell_at(position) else { return Ok(None) };
        // What is between cells depends on those two rows off, at most.
        let rows = y.saturating_sub(3)..(y + 4).min(lattice.ny());
        let first = rows.start;
        let state = self.strip(rows)?;
        let (dry, dt) = (self.world.params.dry_depth as f32, self.world.last_dt);
        let moving = Moving { state: &state, lattice: &lattice, dry, dt, first };
        Ok(Some(There {
            bed: lattice.sample_from(&state.bed, first, position),
            depth: lattice.sample_from(&state.depth, first, position),
            velocity: velocity_at(moving, position).unwrap_or_default(),
        }))
    }

    /// Ground, depths and discharges of some rows.
    fn strip(&mut self, rows: Range<usize>) -> io::Result<State> {
        let lattice = self.world.lattice;
        let (nx, is_hex) = (lattice.nx(), lattice.is_hex());
        let mut take = |which: usize, width: usize, faces: usize| {
            let mut values = Vec::with_capacity(width * (rows.len() + faces));
            for y in rows.start..rows.end + faces {
                let i = self.band_of(y.min(lattice.ny() - 1))?;
                let band = &mut self.bands[i];
                let place = y - band.part.rows.start + band.part.own.start;
                band.tell(which, &mut *self.shelf, |raw| {
                    values.extend(raw.rows(place..place + 1).iter().map(|w| f32::from_bits(*w)));
                    Ok(())
                })?;
            }
            let shape = |_| io::Error::from(io::ErrorKind::InvalidData);
            Field::from_vec(width, rows.len() + faces, values).map_err(shape)
        };
        Ok(State {
            bed: take(slot::BED, nx, 0)?,
            depth: take(slot::WATER, nx, 0)?,
            discharge_x: take(slot::WATER + 2, nx + 1, 0)?,
            discharge_y: take(slot::WATER + 3, nx, 1)?,
            discharge_z: is_hex.then(|| take(slot::WATER + 4, nx + 1, 1)).transpose()?,
            ..hollow()
        })
    }

    /// Discharge (m³/s) through a line, as [`Flow::discharge_through`](crate::flow::Flow::discharge_through).
    ///
    /// # Errors
    /// Those of the shelf.
    pub fn discharge_through(&mut self, a: Point, b: Point) -> io::Result<f64> {
        let mut faces = Vec::new();
        self.world.each_face_through(a, b, |way, face, sign| faces.push((way, face, sign)));
        let mut values = vec![0.0_f64; faces.len()];
        // Each band is looked at once; what it has is added up in the order of the line.
        let ny = self.world.lattice.ny();
        for band in &mut self.bands {
            for (way, which) in [(Way::X, 2), (Way::Y, 3), (Way::Z, 4)] {
                let (rows, own) = (band.part.rows.clone(), band.part.own.start);
                let here = |y: usize| rows.contains(&y.min(ny - 1));
                if !faces.iter().any(|(of, (_, y), _)| *of == way && here(*y)) {
                    continue;
                }
                band.tell(slot::WATER + which, &mut *self.shelf, |raw| {
                    for ((of, (x, y), sign), value) in faces.iter().zip(&mut values) {
                        if *of == way && here(*y) {
                            let place = y - rows.start + own;
                            let found = f32::from_bits(raw.rows(place..place + 1)[*x]);
                            *value = sign * f64::from(found);
                        }
                    }
                    Ok(())
                })?;
            }
        }
        Ok(values.into_iter().fold(0.0, |sum, value| sum + value))
    }

    /// Volume of the water (m³) in the cells whose centres lie in a region, as [`Flow::volume_in`](crate::flow::Flow::volume_in).
    ///
    /// # Errors
    /// Those of the shelf, and an [`InputError`] if the region makes no sense.
    pub fn volume_in(&mut self, region: &Region) -> io::Result<f64> {
        region.validate().map_err(io::Error::other::<InputError>)?;
        let lattice = self.world.lattice;
        let mut sum = std::iter::empty::<f64>().sum::<f64>();
        for band in &mut self.bands {
            let (rows, own) = (band.part.rows.clone(), band.part.own.start);
            let cells = region.cells_in(lattice, rows.clone());
            if cells.is_empty() {
                continue;
            }
            let mut held = vec![0.0_f64; cells.len()];
            for which in [slot::WATER, slot::WATER + 1] {
                band.tell(which, &mut *self.shelf, |raw| {
                    for ((x, y, _), held) in cells.iter().zip(&mut held) {
                        let place = y - rows.start + own;
                        *held += f64::from(f32::from_bits(raw.rows(place..place + 1)[*x]));
                    }
                    Ok(())
                })?;
            }
            sum = held.into_iter().fold(sum, |sum, held| sum + held);
        }
        Ok(sum * lattice.cell_area())
    }
}
