//! The end of a round: ground has moved, and rock turns to soil.

use multiversion::multiversion;

#[derive(Clone, Copy)]
pub(in super::super) struct Weather {
    /// Rock (quanta) that turns to soil where it is bare.
    pub(in super::super) bare: i64,
    /// Thickness of soil (quanta), above 0, that halves it.
    pub(in super::super) shelter: i64,
}

impl Weather {
    /// Moves the ground of a row of cells by what each changes, then weathers it.
    pub(super) fn row(self, bed: &mut [i64], soil: &mut [i64], change: &[i64]) {
        row(self, bed, soil, change);
    }
}

#[multiversion(targets = "simd")]
fn row(weather: Weather, bed: &mut [i64], soil: &mut [i64], change: &[i64]) {
    let Weather { bare, shelter } = weather;
    let n = bed.len();
    let (soil, change) = (&mut soil[..n], &change[..n]);
    for i in 0..n {
        bed[i] += change[i];
        // Soil goes first, then rock.
        let left = (soil[i] + change[i]).max(0);
        // A quotient of such numbers is never rounded up to a whole one: they are below 2⁵³.
        let halvings = (left as f64 / shelter as f64).min(62.0) as u32;
        // The height stays.
        soil[i] = left + (bare >> halvings);
    }
}
