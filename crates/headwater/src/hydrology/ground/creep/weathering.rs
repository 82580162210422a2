//! Last part of a creep round: applies the height changes, and weathers rock to soil.

use multiversion::multiversion;

#[derive(Clone, Copy)]
pub(in crate::hydrology) struct Weathering {
    /// Thickness of soil that forms on bare rock in one round (quanta of 2⁻²⁰ m).
    pub(in crate::hydrology) bare_rate: i64,
    /// Soil thickness at which the weathering rate is half of that of bare rock (quanta of 2⁻²⁰ m,
    /// above 0).
    pub(in crate::hydrology) half_thickness: i64,
}

impl Weathering {
    /// Applies height changes to a row of cells, then weathers the rock of these cells. All values
    /// are thicknesses or heights in quanta of 2⁻²⁰ m.
    pub(super) fn apply_and_weather_row(self, bed: &mut [i64], soil: &mut [i64], change: &[i64]) {
        weather_row(self, bed, soil, change);
    }
}

#[multiversion(targets = "simd")]
fn weather_row(weathering: Weathering, bed: &mut [i64], soil: &mut [i64], change: &[i64]) {
    let Weathering { bare_rate, half_thickness } = weathering;
    let n = bed.len();
    let (soil, change) = (&mut soil[..n], &change[..n]);
    for i in 0..n {
        bed[i] += change[i];
        // Soil is removed before rock.
        let left = (soil[i] + change[i]).max(0);
        // Both are below 2⁵³, so rounding cannot raise the quotient to the next integer.
        let halvings = (left as f64 / half_thickness as f64).min(62.0) as u32;
        // Weathering turns rock to soil and does not change the height.
        soil[i] = left + (bare_rate >> halvings);
    }
}
