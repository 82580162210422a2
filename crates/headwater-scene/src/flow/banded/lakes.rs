//! Lakes of a world that is never in memory as a whole: which cells they fill.

use super::bits::Bits;
use crate::flow::FlowScene;
use crate::scene::{SceneError, Tables, resolve};
use headwater::{Field, Lattice};
use std::ops::Range;

/// The lakes of a scene, in their order.
#[derive(Debug, Default)]
pub(super) struct Lakes(Vec<Lake>);

/// A lake.
#[derive(Debug)]
struct Lake {
    level: f64,
    /// The cells that it fills.
    filled: Bits,
}

impl Lakes {
    /// Those of a scene on squares; `depths` says how deep they would be in some rows where they came there, with no depth in
    /// closed cells.
    ///
    /// # Errors
    /// [`SceneError`] if the ground at a lake's place is not below its level, or is closed, as in
    /// [`initial_depth`](crate::terrain::initial_depth).
    pub(super) fn of(
        scene: &FlowScene,
        lattice: &Lattice,
        together: usize,
        mut depths: impl FnMut(f64, Range<usize>) -> Result<Field<f32>, SceneError>,
    ) -> Result<Self, SceneError> {
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let mut lakes = Vec::new();
        for (i, lake) in scene.water.lakes.iter().enumerate() {
            let Some((x, y)) = lattice.cell_at(resolve(lake.at, lattice)) else {
                return Err(scene.error(&format!("water.lake[{i}].at"), "lies off the grid"));
            };
            let mut open = Bits::new(nx, ny);
            for first in (0..ny).step_by(together) {
                let rows = first..(first + together).min(ny);
                let below = depths(lake.level, rows.clone())?;
                for (y, row) in rows.zip(below.rows()) {
                    let wet = row.iter().enumerate().filter(|(_, depth)| **depth > 0.0);
                    wet.for_each(|(x, _)| open.set(x, y, true));
                }
            }
            if !open.get(x, y) {
                let message = "needs open ground below the lake's level there";
                return Err(scene.error(&format!("water.lake[{i}].at"), message));
            }
            lakes.push(Lake { level: lake.level, filled: fill(open, [nx, ny], (x, y)) });
        }
        Ok(Self(lakes))
    }

    /// Makes the water in some rows as deep as the lakes that fill them.
    pub(super) fn deepen(
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

/// The cells of `open` ones that hang together with one over sides. Whole runs of a row are filled at once.
fn fill(mut open: Bits, [nx, ny]: [usize; 2], start: (usize, usize)) -> Bits {
    let mut filled = Bits::new(nx, ny);
    let mut waiting = vec![start];
    while let Some((x, y)) = waiting.pop() {
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
        for y in [y.checked_sub(1), Some(y + 1)].into_iter().flatten().filter(|&y| y < ny) {
            // The first cell of each run is enough.
            let begins = |x: &usize| open.get(*x, y) && (*x == first || !open.get(*x - 1, y));
            waiting.extend((first..end).filter(begins).map(|x| (x, y)));
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lake_fills_what_hangs_together() {
        let map = ["..#....", ".###.#.", "...#.#.", "##.#...", "...####"];
        let mut open = Bits::new(7, 5);
        for (y, row) in map.iter().enumerate() {
            row.bytes().enumerate().for_each(|(x, byte)| open.set(x, y, byte == b'.'));
        }
        let west = fill(open.clone(), [7, 5], (0, 0));
        let east = fill(open.clone(), [7, 5], (6, 3));
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
