//! Low parts of cells that are small beside what their faces open: water would pass through them so fast that it would set everybody's step.

use super::{LEAST, Subgrid};
use crate::field::Field;

/// The part of a cell below which its low part takes of its neighbours what these have above it.
const SMALL: f32 = 0.5;

/// Faces are open at most so many times as much as their cells have a low part.
const WIDEST: f32 = 2.0;

/// Enlarges small low parts by low ground of connected neighbours that have more. `bounds` has the
/// height (m) below which ground of split cells is low, `bed` the mean bed (m). Faces of parts that
/// stay small are narrowed.
pub(super) fn fill_slivers(subgrid: &mut Subgrid, bounds: &Field<Option<f32>>, bed: &Field<f32>) {
    let (nx, ny) = (bed.nx(), bed.ny());
    for at in (0..nx * ny).map(|i| (i % nx, i / nx)) {
        let Some(bound) = bounds[at] else { continue };
        let lacks = SMALL - subgrid.part[at];
        if lacks <= 0.0 {
            continue;
        }
        let mut left = lacks;
        for giver in subgrid.reached(at, 2) {
            let is_low = bounds[giver].is_some() || bed[giver] < bound;
            let scratch = subgrid.part[giver] - SMALL;
            if left > 0.0 && is_low && scratch > 0.0 {
                subgrid.part[giver] -= scratch.min(left);
                left -= scratch.min(left);
                if bounds[giver].is_none() {
                    subgrid.rise[giver] = subgrid.rise[at];
                }
            }
        }
        subgrid.part[at] = if left <= 0.0 { SMALL } else { (SMALL - left).max(LEAST) };
    }
    for at in (0..nx * ny).map(|i| (i % nx, i / nx)) {
        let most = WIDEST * subgrid.part[at];
        let Subgrid { open_x, open_y, .. } = subgrid;
        for open in [&mut open_x[at], &mut open_y[at]] {
            *open = open.min(most);
        }
        let (x, y) = at;
        for open in [&mut open_x[(x + 1, y)], &mut open_y[(x, y + 1)]] {
            *open = open.min(most);
        }
    }
}
