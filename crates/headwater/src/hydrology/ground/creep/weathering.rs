//! End of a creep round: applies the movement of ground, and weathers rock to soil.

use multiversion::multiversion;

#[derive(Clone, Copy)]
pub(in crate::hydrology) struct Weathering {
    /// Soil formed per round by weathering of bare rock (quanta).
    pub(in crate::hydrology) bare_rate: i64,
    /// Soil thickness (quanta, above 0) that halves weathering.
    pub(in crate::hydrology) half_thickness: i64,
}

impl Weathering {
    /// Applies the height changes to a row of cells, then weathers their rock.
    pub(super) fn row(self, bed: &mut [i64], soil: &mut [i64], change: &[i64]) {
        row(self, bed, soil, change);
    }
}

#[multiversion(targets = "simd")]
fn row(weathering: Weathering, bed: &mut [i64], soil: &mut [i64], change: &[i64]) {
    let Weathering { bare_rate, half_thickness } = weathering;
    let n = bed.len();
    let (soil, change) = (&mut soil[..n], &change[..n]);
    for i in 0..n {
        bed[i] += change[i];
        // Soil is removed before rock.
        let left = (soil[i] + change[i]).max(0);
        // Both are below 2⁵³, so the quotient never rounds up to an integer.
        let halvings = (left as f64 / half_thickness as f64).min(62.0) as u32;
        // Weathering does not change the height.
        soil[i] = left + (bare_rate >> halvings);
    }
}
