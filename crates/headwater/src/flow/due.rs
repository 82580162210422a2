//! What is due to a cell from above or below, with remainders: in a short step rain is less than a
//! float's precision, so what does not arrive is carried over.

use super::state::{Closed, State};
use super::subgrid::Subgrid;
use crate::field::Field;
use crate::parallel::map_row_pairs;
use crate::parameter::Range;
use crate::scratch::{PooledVec, ScratchPool};
use crate::series::Series;

/// One millimetre per hour, in metres per second.
pub const MM_PER_HOUR: f64 = 1e-3 / 3600.0;

pub(super) const MM_RATE: Range = Range::new(0.0, 1e5);

/// The depth (m) of a rate in mm/h in a step of `dt` seconds from `time` (s) on.
pub(super) fn due(rate: &Series, time: f64, dt: f64) -> f32 {
    (rate.mean(time, time + dt).max(0.0) * MM_PER_HOUR * dt) as f32
}

/// An open cell: its column and row, and the part of its area (1) that water covers where it has any.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) at: (usize, usize),
    pub(super) wet: f32,
}

/// Sums `act(place, depth, remainder)` over the open cells of each row, rows in parallel.
pub(super) fn over_open_cells<'s, T: Send>(
    scratch: &'s ScratchPool,
    state: &mut State,
    remainder: &mut Field<T>,
    act: impl Fn(Place, &mut f32, &mut T) -> f64 + Sync,
) -> PooledVec<'s, f64> {
    let State { depth, closed, subgrid, .. } = state;
    let (closed, subgrid): (&Closed, Option<&Subgrid>) = (closed, subgrid.as_deref());
    let nx = depth.nx();
    let (depth, remainder) = (depth.as_mut_slice(), remainder.as_mut_slice());
    map_row_pairs(scratch, depth, remainder, nx, |y, depth, remainder| {
        let mut sum = 0.0;
        for (x, (depth, remainder)) in depth.iter_mut().zip(remainder).enumerate() {
            if !(closed.row_has_any(y) && closed.contains(x, y)) {
                let ground = subgrid.and_then(|subgrid| subgrid.at((x, y)));
                let wet = ground.map_or(1.0, |ground| ground.wet(*depth));
                sum += act(Place { at: (x, y), wet }, depth, remainder);
            }
        }
        sum
    })
}

/// Adds `amount` and a remainder to a depth, as far as a float can show it; the rest is the new
/// remainder, which waits while below 0. Returns what arrived (m).
pub(super) fn give(depth: &mut f32, remainder: &mut f32, amount: f32) -> f64 {
    *remainder += amount;
    let before = *depth;
    *depth = (before + *remainder).max(0.0);
    *remainder -= *depth - before;
    f64::from(*depth) - f64::from(before)
}

/// Takes `amount` and a remainder from a depth, but no more than it has and than `most`. What a
/// float cannot show stays as remainder; the rest is dropped. Returns what went (m).
pub(super) fn take(depth: &mut f32, remainder: &mut f32, amount: f32, most: f32) -> f64 {
    *remainder = (*remainder + amount).min(most);
    let before = *depth;
    *depth = (before - *remainder).max(0.0);
    *remainder = if *depth > 0.0 { *remainder - (before - *depth) } else { 0.0 };
    f64::from(before) - f64::from(*depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_too_much_is_not_taken_from_a_dry_cell() {
        let (mut depth, mut remainder) = (0.0_f32, -3e-12);
        let came = give(&mut depth, &mut remainder, 1e-12);
        assert_eq!((came, depth, remainder), (0.0, 0.0, -2e-12));
        give(&mut depth, &mut remainder, 3e-12);
        assert!((depth - 1e-12).abs() < 1e-18 && remainder.abs() < 1e-18);
    }

    #[test]
    fn rain_too_fine_for_a_float_arrives_all_the_same() {
        let (mut depth, mut remainder, mut booked) = (1.0_f32, 0.0, 0.0);
        for _ in 0..720_000 {
            booked += give(&mut depth, &mut remainder, 1.4e-8);
        }
        assert_eq!(booked, f64::from(depth) - 1.0);
        assert!((booked - 720_000.0 * 1.4e-8).abs() < 1e-6, "{booked}");
        assert_eq!(1.0_f32 + 1.4e-8, 1.0, "without the carry nothing would have come");
    }

    #[test]
    fn taking_stops_at_the_ground_and_forgets_what_was_not_there() {
        let (mut depth, mut remainder) = (0.5_f32, 0.0);
        assert_eq!(take(&mut depth, &mut remainder, 0.75, f32::MAX), 0.5);
        assert_eq!((depth, remainder), (0.0, 0.0));
        let mut depth = 0.5;
        assert_eq!(take(&mut depth, &mut remainder, 0.25, 0.125), 0.125);
    }
}
