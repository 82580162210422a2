//! Enlargement of low parts that cover only a small fraction of their cell. Water would cross such
//! a part so fast that it would limit the time step of the whole grid.

use super::{MIN_LOW_FRACTION, Subgrid};
use crate::field::Field;

/// Fraction of the cell area below which a low part is enlarged at the expense of neighbouring
/// cells.
const SMALL_FRACTION: f32 = 0.5;

/// Largest allowed ratio between two fractions of low ground: the low fraction of a face's width,
/// divided by the low fraction of the area of a cell at that face.
const MAX_OPEN_RATIO: f32 = 2.0;

/// Enlarges small low parts by low ground taken from connected cells whose low parts are larger.
/// `bounds` contains the elevation (m) below which the ground of a split cell is low, and `bed` the
/// mean bed elevation (m). Where a low part stays small, the low fractions of its faces are
/// reduced.
pub(super) fn enlarge_small_low_parts(
    subgrid: &mut Subgrid,
    bounds: &Field<Option<f32>>,
    bed: &Field<f32>,
) {
    let (nx, ny) = (bed.nx(), bed.ny());
    for at in (0..nx * ny).map(|i| (i % nx, i / nx)) {
        let Some(bound) = bounds[at] else { continue };
        let deficit = SMALL_FRACTION - subgrid.low_fraction[at];
        if deficit <= 0.0 {
            continue;
        }
        let mut left = deficit;
        for donor in subgrid.connected_cells(at, 2) {
            let is_low = bounds[donor].is_some() || bed[donor] < bound;
            let surplus = subgrid.low_fraction[donor] - SMALL_FRACTION;
            if left > 0.0 && is_low && surplus > 0.0 {
                subgrid.low_fraction[donor] -= surplus.min(left);
                left -= surplus.min(left);
                if bounds[donor].is_none() {
                    subgrid.rise[donor] = subgrid.rise[at];
                }
            }
        }
        subgrid.low_fraction[at] = if left <= 0.0 {
            SMALL_FRACTION
        } else {
            (SMALL_FRACTION - left).max(MIN_LOW_FRACTION)
        };
    }
    for at in (0..nx * ny).map(|i| (i % nx, i / nx)) {
        let max_open = MAX_OPEN_RATIO * subgrid.low_fraction[at];
        let Subgrid { open_x, open_y, .. } = subgrid;
        for open in [&mut open_x[at], &mut open_y[at]] {
            *open = open.min(max_open);
        }
        let (x, y) = at;
        for open in [&mut open_x[(x + 1, y)], &mut open_y[(x, y + 1)]] {
            *open = open.min(max_open);
        }
    }
}
