//! Transport of heat by water that flows between the columns of a pool. A column stores its heat in
//! an upper and a lower half. If a fraction of its water leaves, the same fraction of the heat of
//! each half leaves with it.

use super::row::{BLOCK, ColumnRow, EdgeHeat, HalfHeats};
use super::vectors::{HeatConversion, Vectorized, round_ties_even};
use multiversion::multiversion;

/// Returns the heat that `moved_quanta` height quanta of water carry along when they leave a column
/// with `water` height quanta and the heat `heat`. A height quantum is the integer unit of height.
/// The result is rounded to the nearest integer, with ties to even, and is 0 if `moved_quanta` is
/// 0.
pub(super) fn carried_heat(heat: i64, moved_quanta: i32, water: i32) -> i64 {
    (heat as f64 * (f64::from(moved_quanta) / f64::from(water))).round_ties_even() as i64
}

#[inline(always)]
fn carried_heat_vectorized(heat: i64, moved: i32, water: i32) -> i64 {
    round_ties_even(Vectorized::to_f64(heat) * (f64::from(moved) / f64::from(water)))
}

pub(super) struct AdvectionRow<'a> {
    /// Depth of each column after the step (in height quanta, the integer unit of height).
    pub(super) depth: &'a [i32],
    /// Part of each column's depth that does not flow: ice, and the pond on it (in height quanta,
    /// the integer unit of height).
    pub(super) immobile_water: &'a [i32],
    /// Water that crosses the eastern edge of each column in the step (height quanta of water in
    /// one column, positive to the east). The value of the last column is 0.
    pub(super) fluxes: &'a [i32],
    /// Water that crosses the western edge of the first column in the step (height quanta of water
    /// in one column, positive to the east).
    pub(super) west_flux: i32,
    pub(super) lower: &'a mut [i64],
    pub(super) upper: &'a mut [i64],
}

impl AdvectionRow<'_> {
    fn water_before(&self, c: usize) -> i32 {
        let west = if c == 0 { self.west_flux } else { self.fluxes[c - 1] };
        self.depth[c] + self.fluxes[c] - west - self.immobile_water[c]
    }
}

impl ColumnRow for AdvectionRow<'_> {
    fn len(&self) -> usize {
        self.depth.len()
    }

    fn edge_heat(&self, c: usize) -> EdgeHeat {
        let moved = self.fluxes[c];
        let donor = if moved >= 0 { c } else { c + 1 };
        let water = self.water_before(donor);
        let heats =
            [self.lower[donor], self.upper[donor]].map(|heat| carried_heat(heat, moved, water));
        EdgeHeat { lost: heats, gained: heats }
    }

    fn add_heat(&mut self, c: usize, heats: HalfHeats) {
        self.lower[c] += heats[0];
        self.upper[c] += heats[1];
    }

    fn split_at(self, at: usize) -> [Self; 2] {
        let (depth, depths) = self.depth.split_at(at);
        let (immobile_water, helds) = self.immobile_water.split_at(at);
        let (fluxes, more) = self.fluxes.split_at(at);
        let (lower, lowers) = self.lower.split_at_mut(at);
        let (upper, uppers) = self.upper.split_at_mut(at);
        let west_flux = fluxes[at - 1];
        [
            Self { depth, immobile_water, fluxes, west_flux: self.west_flux, lower, upper },
            Self {
                depth: depths,
                immobile_water: helds,
                fluxes: more,
                west_flux,
                lower: lowers,
                upper: uppers,
            },
        ]
    }

    fn exchange_block(self, inflow: HalfHeats, outflow: HalfHeats) {
        let Self { depth, immobile_water, fluxes, west_flux, lower, upper } = self;
        advect_block(depth, immobile_water, fluxes, west_flux, lower, upper, inflow, outflow);
    }
}

/// Moves heat between up to [`BLOCK`] columns. `inflow` is the heat that enters the first column
/// from the west, and `outflow` is the heat that leaves the last column to the east.
#[multiversion(targets = "simd")]
#[expect(clippy::too_many_arguments)] // Separate slices are known not to alias, so loops vectorise.
fn advect_block(
    depth: &[i32],
    held: &[i32],
    fluxes: &[i32],
    west_flux: i32,
    lower: &mut [i64],
    upper: &mut [i64],
    inflow: HalfHeats,
    outflow: HalfHeats,
) {
    let n = depth.len();
    let (held, fluxes) = (&held[..n], &fluxes[..n]);
    let (lower, upper) = (&mut lower[..n], &mut upper[..n]);
    let mut water = [0_i32; BLOCK];
    let water = &mut water[..n];
    water[0] = depth[0] + fluxes[0] - west_flux - held[0];
    for c in 1..n {
        water[c] = depth[c] + fluxes[c] - fluxes[c - 1] - held[c];
    }
    // Heat through the western edge of each column, and through the eastern edge of the last.
    let (mut lows, mut highs) = ([0_i64; BLOCK + 1], [0_i64; BLOCK + 1]);
    let (lows, highs) = (&mut lows[..=n], &mut highs[..=n]);
    ([lows[0], highs[0]], [lows[n], highs[n]]) = (inflow, outflow);
    for c in 0..n - 1 {
        let [west, east] = [water[c], water[c + 1]];
        let [lower_west, lower_east] = [lower[c], lower[c + 1]];
        let [upper_west, upper_east] = [upper[c], upper[c + 1]];
        let (moved, from_east) = (fluxes[c], fluxes[c] < 0);
        let donor_water = if from_east { east } else { west };
        let lower = if from_east { lower_east } else { lower_west };
        let upper = if from_east { upper_east } else { upper_west };
        lows[c + 1] = carried_heat_vectorized(lower, moved, donor_water);
        highs[c + 1] = carried_heat_vectorized(upper, moved, donor_water);
    }
    for c in 0..n {
        lower[c] += lows[c] - lows[c + 1];
        upper[c] += highs[c] - highs[c + 1];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectorised_and_plain_carried_heat_are_equal() {
        assert_eq!([carried_heat(12345, 0, 0), carried_heat_vectorized(12345, 0, 0)], [0; 2]);
        for (moved, water) in [(1, 2), (3, 7), (-2, 5), (9, 9)] {
            let heat = 123_456_789_012_345;
            assert_eq!(
                carried_heat(heat, moved, water),
                carried_heat_vectorized(heat, moved, water)
            );
        }
    }
}
