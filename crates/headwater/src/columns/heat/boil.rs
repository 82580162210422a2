//! Boiling: random jumps of the water surface. The random numbers depend only on the seed, the step
//! and the column, so the order in which columns are processed does not matter.

use super::super::layout::Layout;
use super::super::state::State;
use super::turn::HeatContext;
use super::warmth::HeatState;
use crate::columns::solver::pressure::Heads;

/// Returns a uniformly distributed random number in [0, 1) that depends only on the arguments. The
/// number is computed with SplitMix64 (Steele, Lea & Flood 2014). Different values of `purpose`
/// give independent numbers for the same column and step.
fn random_unit(seed: u64, step: u64, column: u64, purpose: u64) -> f64 {
    let mix = |mut z: u64| {
        z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mixed = mix(mix(mix(mix(seed) ^ step) ^ column) ^ purpose);
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

impl HeatState {
    pub(in super::super) fn boil_surfaces(
        &mut self,
        context: &HeatContext,
        heads: &Heads,
        state: &mut State,
    ) {
        let HeatContext { layout, params, heat, step, .. } = *context;
        for number in 0..self.active.len() {
            let pool = self.active[number] as usize;
            if !self.boiling[pool] {
                continue;
            }
            for c in layout.pools[pool].columns.clone() {
                let [_, top] = self.half_temperatures(&state.depth, c);
                let boil = ((top - heat.min_boil) / (100.0 - heat.min_boil)).clamp(0.0, 1.0);
                let chance = heat.boil_frequency * boil * boil * params.step;
                if boil <= 0.0
                    || heads.ice[c] > 0
                    || random_unit(heat.seed, step, c as u64, 0) >= chance
                {
                    continue;
                }
                let max_jump = heat.min_bubble.max(boil * heat.max_bubble);
                let max_jump = max_jump.min(2.0 * layout.to_metres(state.depth[c]));
                let jump = (2.0 * random_unit(heat.seed, step, c as u64, 1) - 1.0) * max_jump;
                if let Some(offset) = state.offset.get_mut(c) {
                    *offset += jump as f32;
                } else {
                    self.shift_surface(layout, heads, state, pool, c, jump);
                }
            }
        }
    }

    /// Raises the surface of a column by about `jump` (m) relative to a neighbouring column, or
    /// lowers it if `jump` is negative. The jump is limited by the available water and the free
    /// space.
    fn shift_surface(
        &mut self,
        layout: &Layout,
        heads: &Heads,
        state: &mut State,
        pool: usize,
        column: usize,
        jump: f64,
    ) {
        let columns = &layout.pools[pool].columns;
        let other =
            if column + 1 < columns.end { column + 1 } else { column.max(columns.start + 1) - 1 };
        if other == column || heads.ice[other] > 0 {
            return;
        }
        let (from, to) = if jump > 0.0 { (other, column) } else { (column, other) };
        let surface = |column: usize| layout.floor[column] + state.depth[column];
        let sill = heads.bed_height(layout, column).max(heads.bed_height(layout, other));
        // Take at most half of the water above the sill.
        let scratch = (surface(from) - sill) / 2;
        let room = layout.ceiling[to] - surface(to);
        let moved = layout.to_quanta(0.5 * jump.abs()).min(scratch).min(room);
        if moved <= 0 || surface(to) <= sill {
            return;
        }
        let before = [state.depth[from], state.depth[to]];
        state.depth[from] -= moved;
        state.depth[to] += moved;
        self.move_heat(&[from, to], &before, &state.depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_uniform_and_distinct() {
        let n = 100_000;
        let draws: Vec<f64> = (0..n).map(|c| random_unit(7, 3, c, 0)).collect();
        let mean = draws.iter().sum::<f64>() / n as f64;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
        assert!(draws.iter().all(|u| (0.0..1.0).contains(u)));
        assert_ne!(random_unit(7, 3, 1, 0), random_unit(7, 4, 1, 0));
        assert_ne!(random_unit(7, 3, 1, 0), random_unit(7, 3, 1, 1));
        assert_ne!(random_unit(7, 3, 1, 0), random_unit(8, 3, 1, 0));
    }
}
