//! Addition and removal of small water depths with rounding remainders. The rain of a short step
//! can be below the resolution of an `f32` depth, so the depth that rounding drops is carried over
//! to later steps.

use crate::field::Field;
use crate::flow::state::{ClosedCells, State};
use crate::flow::subgrid::Subgrid;
use crate::parallel::map_row_pairs;
use crate::parameter::Range;
use crate::scratch::{PooledVec, ScratchPool};
use crate::series::Series;

/// One millimetre per hour, in m/s.
pub const MM_PER_HOUR: f64 = 1e-3 / 3600.0;

pub(in crate::flow) const RATE_RANGE: Range = Range::new(0.0, 1e5);

/// Returns the depth of water (m) that a rate delivers in a step of `dt` seconds. `rate` is a time
/// series in mm/h, and `time` is the start of the step (s).
pub(in crate::flow) fn depth_from_rate(rate: &Series, time: f64, dt: f64) -> f32 {
    (rate.mean(time, time + dt).max(0.0) * MM_PER_HOUR * dt) as f32
}

/// A cell that is not closed: its column and row, and the wet fraction of its area (dimensionless).
/// The fraction is 1 unless a subgrid splits the cell.
#[derive(Clone, Copy)]
pub(in crate::flow) struct OpenCell {
    pub(in crate::flow) at: (usize, usize),
    pub(in crate::flow) wet: f32,
}

/// Calls `act(cell, depth, remainder)` for every open cell. Returns the sum of the results for each
/// row. The rows are processed in parallel.
pub(in crate::flow) fn sum_over_open_cells<'s, T: Send>(
    scratch: &'s ScratchPool,
    state: &mut State,
    remainder: &mut Field<T>,
    act: impl Fn(OpenCell, &mut f32, &mut T) -> f64 + Sync,
) -> PooledVec<'s, f64> {
    let State { depth, closed, subgrid, .. } = state;
    let (closed, subgrid): (&ClosedCells, Option<&Subgrid>) = (closed, subgrid.as_deref());
    let nx = depth.nx();
    let (depth, remainder) = (depth.as_mut_slice(), remainder.as_mut_slice());
    map_row_pairs(scratch, depth, remainder, nx, |y, depth, remainder| {
        let mut sum = 0.0;
        for (x, (depth, remainder)) in depth.iter_mut().zip(remainder).enumerate() {
            if !(closed.row_has_closed(y) && closed.contains(x, y)) {
                let ground = subgrid.and_then(|subgrid| subgrid.at((x, y)));
                let wet = ground.map_or(1.0, |ground| ground.wet_fraction(*depth));
                sum += act(OpenCell { at: (x, y), wet }, depth, remainder);
            }
        }
        sum
    })
}

/// Adds `added_depth` and the carried remainder (m) to a depth (m). The part below `f32` resolution
/// becomes the new remainder, which may be negative. Returns the added depth (m).
pub(in crate::flow) fn add_with_carry(
    depth: &mut f32,
    remainder: &mut f32,
    added_depth: f32,
) -> f64 {
    *remainder += added_depth;
    let before = *depth;
    *depth = (before + *remainder).max(0.0);
    *remainder -= *depth - before;
    f64::from(*depth) - f64::from(before)
}

/// Removes `amount` and the carried remainder (m) from a depth (m), but no more than the depth
/// itself and no more than `max_removed` (m). Any excess over these two limits is dropped. The part
/// of the removal that is below the `f32` resolution becomes the new remainder. Returns the removed
/// depth (m).
pub(in crate::flow) fn remove_with_carry(
    depth: &mut f32,
    remainder: &mut f32,
    amount: f32,
    max_removed: f32,
) -> f64 {
    *remainder = (*remainder + amount).min(max_removed);
    let before = *depth;
    *depth = (before - *remainder).max(0.0);
    *remainder = if *depth > 0.0 { *remainder - (before - *depth) } else { 0.0 };
    f64::from(before) - f64::from(*depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_remainder_is_not_taken_from_a_dry_cell() {
        let (mut depth, mut remainder) = (0.0_f32, -3e-12);
        let came = add_with_carry(&mut depth, &mut remainder, 1e-12);
        assert_eq!((came, depth, remainder), (0.0, 0.0, -2e-12));
        add_with_carry(&mut depth, &mut remainder, 3e-12);
        assert!((depth - 1e-12).abs() < 1e-18 && remainder.abs() < 1e-18);
    }

    #[test]
    fn rain_below_float_resolution_is_carried_over() {
        let (mut depth, mut remainder, mut added) = (1.0_f32, 0.0, 0.0);
        for _ in 0..720_000 {
            added += add_with_carry(&mut depth, &mut remainder, 1.4e-8);
        }
        assert_eq!(added, f64::from(depth) - 1.0);
        assert!((added - 720_000.0 * 1.4e-8).abs() < 1e-6, "{added}");
        assert_eq!(1.0_f32 + 1.4e-8, 1.0, "without the carry nothing would have come");
    }

    #[test]
    fn removal_is_limited_by_the_depth_and_drops_the_rest() {
        let (mut depth, mut remainder) = (0.5_f32, 0.0);
        assert_eq!(remove_with_carry(&mut depth, &mut remainder, 0.75, f32::MAX), 0.5);
        assert_eq!((depth, remainder), (0.0, 0.0));
        let mut depth = 0.5;
        assert_eq!(remove_with_carry(&mut depth, &mut remainder, 0.25, 0.125), 0.125);
    }
}
