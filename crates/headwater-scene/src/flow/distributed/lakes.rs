//! Flood fill of lakes over the processes of a distributed world.
//!
//! Each process flood-fills its own rows and sends the filled cells at its borders to the
//! neighbouring processes, which continue from these cells. This repeats until no process has new
//! cells.

use super::bits::CellMask;
use super::spec::depth_at_level;
use crate::collective::collective_result;
use crate::flow::FlowScene;
use crate::flow::lake_error;
use crate::scene::{SceneError, SceneModel, resolve_position};
use headwater::distributed::Communicator;
use headwater::{Field, Lattice};
use std::ops::Range;

/// Largest number of halo rows (rows of the neighbouring processes) to the north and to the south
/// of the rows of a process. The process stores the filled cells of lakes in these rows too.
const MAX_HALO_ROWS: usize = 16;

/// Lakes of a scene, in the order of its `[[water.lake]]` tables.
#[derive(Debug, Default)]
pub(super) struct Lakes(Vec<Lake>);

/// Surface level (m) and filled cells of a lake.
#[derive(Debug)]
struct Lake {
    level: f64,
    /// Cells that the lake fills, in this process's own rows and up to [`MAX_HALO_ROWS`] rows
    /// beyond.
    filled: CellMask,
}

/// Rows of a scene's grid that this process owns.
pub(super) struct OwnedRows<'a> {
    pub(super) scene: &'a FlowScene,
    pub(super) lattice: Lattice,
    pub(super) rows: Range<usize>,
    /// Number of rows that are processed at once, to limit memory.
    pub(super) rows_per_task: usize,
}

impl Lakes {
    /// Finds the lakes of a scene with square cells. Collective: all processes must call it.
    /// `ground` returns the bed elevations (m above `datum`) and the mask of closed cells in a
    /// range of rows.
    ///
    /// # Errors
    /// Returns [`SceneError`] if a lake's position is in a closed cell, or in a cell whose ground
    /// is not below the lake's level. [`initial_depth`](crate::flow::initial_depth) returns the
    /// same errors.
    pub(super) fn find(
        owned: &OwnedRows<'_>,
        comm: &dyn Communicator,
        datum: f64,
        mut ground: impl FnMut(Range<usize>) -> Result<(Field<f32>, Field<bool>), SceneError>,
    ) -> Result<Self, SceneError> {
        let OwnedRows { scene, lattice, rows, .. } = owned;
        let mut lakes = Vec::new();
        for (i, lake) in scene.water.lakes.iter().enumerate() {
            let Some((x, y)) = lattice.cell_at(resolve_position(lake.at, lattice)) else {
                return Err(scene.error(&format!("water.lake[{i}].at"), "lies off the grid"));
            };
            let mut depths = |rows| {
                let (bed, closed) = ground(rows)?;
                Ok(depth_at_level(lake.level, &bed, &closed, datum))
            };
            let found = owned.wet_cells(&mut depths).and_then(|open| {
                if rows.contains(&y) && !open.get(x, y) {
                    let (bed, closed) = ground(y..y + 1)?;
                    let height = datum + f64::from(bed[(x, 0)]);
                    return Err(lake_error(scene, i, closed[(x, 0)], height));
                }
                Ok(open)
            });
            let open = collective_result(found, comm)?;
            let start = rows.contains(&y).then_some((x, y));
            lakes.push(Lake {
                level: lake.level,
                filled: owned.flood_fill_across_ranks(open, start, comm),
            });
        }
        Ok(Self(lakes))
    }

    /// Raises the water in `rows` to the level of each lake, in the cells that the lake fills.
    /// `depth` holds the depths (m) in `rows`. `depths` takes a surface level (m) and a range of
    /// rows, and returns the depths below this level.
    pub(super) fn raise_depth(
        &self,
        depth: &mut Field<f32>,
        rows: Range<usize>,
        mut depths: impl FnMut(f64, Range<usize>) -> Result<Field<f32>, SceneError>,
    ) -> Result<(), SceneError> {
        for lake in &self.0 {
            let below = depths(lake.level, rows.clone())?;
            for (row, y) in rows.clone().enumerate() {
                for x in (0..depth.nx()).filter(|&x| lake.filled.get(x, y)) {
                    depth[(x, row)] = depth[(x, row)].max(below[(x, row)]);
                }
            }
        }
        Ok(())
    }
}

impl OwnedRows<'_> {
    /// Returns a mask of the cells with a positive depth in this process's rows. `depths` maps a
    /// range of rows to the depths in these rows.
    fn wet_cells(
        &self,
        depths: &mut dyn FnMut(Range<usize>) -> Result<Field<f32>, SceneError>,
    ) -> Result<CellMask, SceneError> {
        let mut open = CellMask::new(self.lattice.nx(), self.rows.clone());
        for first in self.rows.clone().step_by(self.rows_per_task) {
            let rows = first..(first + self.rows_per_task).min(self.rows.end);
            let below = depths(rows.clone())?;
            for (y, row) in rows.zip(below.rows()) {
                let wet = row.iter().enumerate().filter(|(_, depth)| **depth > 0.0);
                wet.for_each(|(x, _)| open.set(x, y, true));
            }
        }
        Ok(open)
    }

    /// Flood-fills the `open` cells that are connected to a start cell through cell sides. Returns
    /// the filled cells in this process's rows and up to [`MAX_HALO_ROWS`] rows beyond. Only the
    /// process that owns the start cell passes it in `start`. Collective: all processes must call
    /// it.
    fn flood_fill_across_ranks(
        &self,
        mut open: CellMask,
        start: Option<(usize, usize)>,
        comm: &dyn Communicator,
    ) -> CellMask {
        let (nx, ny, rows) = (self.lattice.nx(), self.lattice.ny(), &self.rows);
        let reach = rows.start.saturating_sub(MAX_HALO_ROWS)..(rows.end + MAX_HALO_ROWS).min(ny);
        let mut filled = CellMask::new(nx, reach.clone());
        // For each of the two borders: the neighbour's rows near this process, and this process's
        // rows near the neighbour. Both lists start at the border.
        let neighbour_rows: [Vec<usize>; 2] =
            [(reach.start..rows.start).rev().collect(), (rows.end..reach.end).collect()];
        let near =
            |own: &mut dyn Iterator<Item = usize>| own.take(MAX_HALO_ROWS).collect::<Vec<_>>();
        let mut own_rows = [near(&mut rows.clone()), near(&mut rows.clone().rev())];
        own_rows
            .iter_mut()
            .zip(&neighbour_rows)
            .filter(|(_, is)| is.is_empty())
            .for_each(|(o, _)| o.clear());
        let mut seeds: Vec<_> = start.into_iter().collect();
        loop {
            flood_fill(&mut open, &mut filled, seeds);
            let to = own_rows.each_ref().map(|rows| pack_columns(&filled, rows));
            let beside = to.each_ref().map(|to| !to.is_empty());
            let from = comm.exchange_with_neighbours(beside, to.each_ref().map(Vec::as_slice));
            seeds = Vec::new();
            for (side, bits) in from.iter().enumerate() {
                for (x, bits) in bits.as_chunks().0.iter().enumerate() {
                    let bits = u16::from_le_bytes(*bits);
                    for (i, y) in neighbour_rows[side].iter().enumerate() {
                        filled.set(x, *y, bits >> i & 1 == 1);
                    }
                    let across = own_rows[side].first().map(|y| (x, *y));
                    seeds.extend(across.filter(|(x, y)| bits & 1 == 1 && open.get(*x, *y)));
                }
            }
            let mut continues = [f64::from(u8::from(!seeds.is_empty()))];
            comm.allreduce_max(&mut continues);
            if continues[0] == 0.0 {
                return filled;
            }
        }
    }
}

/// Packs the filled cells of up to [`MAX_HALO_ROWS`] rows into one little-endian `u16` for each
/// column, as bytes. Bit `i` is the cell in `rows[i]`. Returns an empty list if `rows` is empty.
fn pack_columns(filled: &CellMask, rows: &[usize]) -> Vec<u8> {
    let width = if rows.is_empty() { 0 } else { filled.nx };
    let bits = |x: usize| {
        let bit = |(i, y): (usize, &usize)| u16::from(filled.get(x, *y)) << i;
        rows.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
    };
    (0..width).flat_map(|x| bits(x).to_le_bytes()).collect()
}

/// Flood-fills the `open` cells that are connected to the cells in `seeds` through cell sides.
/// Whole sequences of adjacent open cells in a row are filled at once. Filled cells are set in
/// `filled` and cleared in `open`.
fn flood_fill(open: &mut CellMask, filled: &mut CellMask, mut seeds: Vec<(usize, usize)>) {
    let (nx, rows) = (open.nx, open.rows.clone());
    while let Some((x, y)) = seeds.pop() {
        if !open.get(x, y) {
            continue;
        }
        let mut first = x;
        while first > 0 && open.get(first - 1, y) {
            first -= 1;
        }
        let mut end = x + 1;
        while end < nx && open.get(end, y) {
            end += 1;
        }
        for x in first..end {
            open.set(x, y, false);
            filled.set(x, y, true);
        }
        for y in [y.checked_sub(1), Some(y + 1)].into_iter().flatten().filter(|y| rows.contains(y))
        {
            // One cell of each run of adjacent open cells suffices as a seed.
            let begins = |x: &usize| open.get(*x, y) && (*x == first || !open.get(*x - 1, y));
            seeds.extend((first..end).filter(begins).map(|x| (x, y)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lake_fills_connected_cells() {
        let map = ["..#....", ".###.#.", "...#.#.", "##.#...", "...####"];
        let mut open = CellMask::new(7, 0..5);
        for (y, row) in map.iter().enumerate() {
            row.bytes().enumerate().for_each(|(x, byte)| open.set(x, y, byte == b'.'));
        }
        let filled = |start| {
            let mut filled = CellMask::new(7, 0..5);
            flood_fill(&mut open.clone(), &mut filled, vec![start]);
            filled
        };
        let (west, east) = (filled((0, 0)), filled((6, 3)));
        for y in 0..5 {
            for x in 0..7 {
                let is_open = open.get(x, y);
                let is_west = x < 3 && is_open;
                assert_eq!(west.get(x, y), is_west, "{x} {y}");
                assert_eq!(east.get(x, y), is_open && !is_west, "{x} {y}");
            }
        }
    }
}
