//! Fast heat update for columns of liquid water below air that does not freeze it. Most columns of
//! a warm world are of this kind. The update processes many columns at once, and gives the same
//! results as the modules `column` and `one`.

use super::super::layout::NO_CEILING;
use super::column::{Ambient, half_capacity, mix_halves, temperature_after_air_exchange};
use super::ledger::{BOILING_HEAT, BOILING_POINT, MELTING_HEAT, UNITS_PER_KELVIN};
use super::one::{IceLayers, temperatures};
use super::row::BLOCK;
use super::turn::{ColumnRange, HeatSums, HeatUpdate, REST_TOLERANCE};
use super::vectors::{HeatConversion, Vectorized};
use multiversion::multiversion;

#[derive(Clone, Copy, Default)]
struct BlockFlags {
    /// Whether ice or steam forms in any column. If true, the fast update does not apply and every
    /// column must be updated individually.
    needs_single: bool,
    /// Whether the water of any column is hot enough for its surface to bubble.
    any_bubbles: bool,
    any_unlike_air: bool,
    air_exchanged: bool,
    any_wet: bool,
}

impl HeatUpdate<'_> {
    pub(super) fn update_liquid(&self, columns: &mut ColumnRange) -> Option<HeatSums> {
        let is_water =
            |(&held, tiers): (&i32, &IceLayers)| held == 0 && *tiers == IceLayers::default();
        if self.air <= 0.0 || !columns.held.iter().zip(&*columns.tiers).all(is_water) {
            return None;
        }
        let n = columns.depth.len();
        let mut inflow = [0; BLOCK];
        let (mut low, mut high) = ([0; BLOCK], [0; BLOCK]);
        let next = [&mut inflow[..n], &mut low[..n], &mut high[..n]];
        let flags = update_block(
            self,
            [columns.floor, columns.ceiling, columns.depth],
            [columns.lower, columns.upper],
            next,
        );
        if flags.needs_single {
            return None;
        }
        columns.lower.copy_from_slice(&low[..n]);
        columns.upper.copy_from_slice(&high[..n]);
        let BlockFlags { any_bubbles, any_unlike_air, air_exchanged, any_wet, .. } = flags;
        let air = inflow[..n].iter().map(|&inflow| i128::from(inflow)).sum();
        Some(HeatSums {
            air,
            any_bubbles,
            any_unlike_air,
            air_exchanged,
            any_wet,
            ..HeatSums::default()
        })
    }
}

/// Computes the heat that each column gains from the air, and the resulting heat of the lower and
/// the upper half of its water (in heat units).
#[multiversion(targets = "simd")]
fn update_block(
    rule: &HeatUpdate,
    [floor, ceiling, depth]: [&[i32]; 3],
    [lower, upper]: [&[i64]; 2],
    [inflow, low, high]: [&mut [i64]; 3],
) -> BlockFlags {
    let n = depth.len();
    let (floor, ceiling, lower, upper) = (&floor[..n], &ceiling[..n], &lower[..n], &upper[..n]);
    let (inflow, low, high) = (&mut inflow[..n], &mut low[..n], &mut high[..n]);
    let HeatUpdate { heat, air, time, per_joule, .. } = *rule;
    let (mixing, air_rate, air_room, min_boil) =
        (heat.vertical, heat.air_rate, heat.air_room, heat.min_boil);
    let quantum = rule.layout.quantum;
    let mut flags = [0_i64; 5];
    for c in 0..n {
        let water = f64::from(depth[c]);
        let metres = water * quantum;
        let halves = temperatures::<Vectorized>(depth[c], [lower[c], upper[c]]);
        let [bottom, top] = mix_halves(halves, metres, mixing, time);
        let above = f64::from(ceiling[c].wrapping_sub(floor[c]).wrapping_sub(depth[c])) * quantum;
        let room = if ceiling[c] == NO_CEILING { 1.0 } else { (above / air_room).clamp(0.0, 1.0) };
        let exchange = air_rate * room;
        let capacity = half_capacity(metres);
        let to = temperature_after_air_exchange(
            top,
            capacity,
            &Ambient {
                air_temperature: air,
                exchange_coefficient: exchange,
                conductivity: mixing,
                duration: time,
            },
        );
        let joules = if exchange > 0.0 { capacity * (to - top) } else { 0.0 };
        let is_wet = depth[c] > 0;
        let more = Vectorized::round_to_heat_units(joules * per_joule);
        let less = Vectorized::round_to_heat_units(bottom * UNITS_PER_KELVIN * water);
        let rest = lower[c].wrapping_add(upper[c]).wrapping_add(more).wrapping_sub(less);
        inflow[c] = if is_wet { more } else { 0 };
        low[c] = if is_wet { less } else { lower[c] };
        high[c] = if is_wet { rest } else { upper[c] };
        let hot = BOILING_POINT * i64::from(depth[c]);
        let over = (less.wrapping_sub(hot).max(0)).wrapping_add(rest.wrapping_sub(hot).max(0));
        let [bottom, top] = temperatures::<Vectorized>(depth[c], [less, rest]);
        let differs = |t: f64| (t - air).abs() > REST_TOLERANCE;
        let found = [
            (rest <= -2 * MELTING_HEAT) | (over >= 2 * BOILING_HEAT),
            top >= min_boil,
            differs(bottom) | differs(top),
            exchange > 0.0,
            true,
        ];
        for (flag, found) in flags.iter_mut().zip(found) {
            *flag |= i64::from(found & is_wet);
        }
    }
    let [needs_single, any_bubbles, any_unlike_air, air_exchanged, any_wet] =
        flags.map(|flag| flag != 0);
    BlockFlags { needs_single, any_bubbles, any_unlike_air, air_exchanged, any_wet }
}
