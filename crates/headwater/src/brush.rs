//! Brushes: a [`Region`] with a falloff, and what it does to a field of heights. A brush knows no
//! model; [`crate::flow`] says what an edit means for the water.

use crate::field::Field;
use crate::lattice::Square;
use crate::region::{Falloff, Region, RegionError};
use serde::{Deserialize, Serialize};

/// A place to work on, and how the work fades towards its rim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Brush {
    /// Where.
    pub region: Region,
    /// How it fades.
    #[serde(default)]
    pub falloff: Falloff,
}

/// A cell under a brush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touched {
    /// Column.
    pub x: usize,
    /// Row.
    pub y: usize,
    /// How strongly the brush works here, 0 to 1.
    pub weight: f32,
}

impl Brush {
    /// A round brush that meets its surroundings without an edge.
    pub fn soft(center: [f64; 2], radius: f64) -> Self {
        Self { region: Region::disc(center, radius), falloff: Falloff::Smooth }
    }

    /// A brush that works with the same strength all over `region`.
    pub fn flat(region: Region) -> Self {
        Self { region, falloff: Falloff::Flat }
    }

    /// The cells under the brush, from the top row down.
    ///
    /// # Errors
    /// [`RegionError`] if the region makes no sense.
    pub fn touched(&self, lattice: &Square) -> Result<Vec<Touched>, RegionError> {
        self.region.validate()?;
        let weigh = |(x, y, r)| Touched { x, y, weight: self.falloff.weight(r) as f32 };
        Ok(self.region.cells(lattice).into_iter().map(weigh).collect())
    }
}

/// Adds `amount · weight` to every touched cell.
pub fn raise(field: &mut Field<f32>, touched: &[Touched], amount: f32) {
    for t in touched {
        field[(t.x, t.y)] += amount * t.weight;
    }
}

/// Draws every touched cell towards `level`, by the part `strength · weight` of the way.
pub fn flatten(field: &mut Field<f32>, touched: &[Touched], level: f32, strength: f32) {
    for t in touched {
        let value = &mut field[(t.x, t.y)];
        *value += (level - *value) * (strength * t.weight);
    }
}

/// Draws every touched cell towards the mean of its 3 × 3 neighbourhood (the part of it on the
/// grid), by the part `strength · weight` of the way. All cells see the heights from before.
pub fn smooth(field: &mut Field<f32>, touched: &[Touched], strength: f32) {
    let means: Vec<f32> = touched.iter().map(|t| neighbourhood_mean(field, t.x, t.y)).collect();
    for (t, mean) in touched.iter().zip(means) {
        let value = &mut field[(t.x, t.y)];
        *value += (mean - *value) * (strength * t.weight);
    }
}

fn neighbourhood_mean(field: &Field<f32>, x: usize, y: usize) -> f32 {
    let columns = x.saturating_sub(1)..=(x + 1).min(field.nx() - 1);
    let rows = y.saturating_sub(1)..=(y + 1).min(field.ny() - 1);
    let count = columns.clone().count() * rows.clone().count();
    let sum: f64 = rows
        .flat_map(|y| columns.clone().map(move |x| (x, y)))
        .map(|at| f64::from(field[at]))
        .sum();
    (sum / count as f64) as f32
}

/// The mean height under a brush, weighted by it, or `None` where it touches nothing.
pub fn weighted_mean(field: &Field<f32>, touched: &[Touched]) -> Option<f32> {
    let total: f64 = touched.iter().map(|t| f64::from(t.weight)).sum();
    let sum: f64 = touched.iter().map(|t| f64::from(t.weight) * f64::from(field[(t.x, t.y)])).sum();
    (total > 0.0).then(|| (sum / total) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hill() -> (Square, Field<f32>) {
        (Square::new(9, 7, 1.0, 1.0).unwrap(), Field::from_fn(9, 7, |x, y| (x * y) as f32))
    }

    #[test]
    fn raising_stays_inside_the_brush_and_fades_to_its_rim() {
        let (lattice, mut field) = hill();
        let before = field.clone();
        let touched = Brush::soft([4.5, 3.5], 2.0).touched(&lattice).unwrap();
        raise(&mut field, &touched, 1.0);
        assert_eq!(field[(4, 3)], before[(4, 3)] + 1.0);
        let nearby = field[(5, 3)] - before[(5, 3)];
        assert!(nearby > 0.0 && nearby < 1.0);
        assert_eq!(field[(7, 3)], before[(7, 3)]);
    }

    #[test]
    fn flattening_in_full_reaches_the_level() {
        let (lattice, mut field) = hill();
        let touched = Brush::flat(Region::Everywhere).touched(&lattice).unwrap();
        flatten(&mut field, &touched, 2.5, 1.0);
        assert_eq!(field.min_max(), Some((2.5, 2.5)));
    }

    #[test]
    fn smoothing_keeps_a_plane_and_lowers_a_peak() {
        let lattice = Square::new(9, 7, 1.0, 1.0).unwrap();
        let mut field = Field::from_fn(9, 7, |x, y| 2.0 * x as f32 + y as f32);
        let inner = Brush::flat(Region::rect([1.0, 1.0], [8.0, 6.0])).touched(&lattice).unwrap();
        let plane = field.clone();
        smooth(&mut field, &inner, 1.0);
        assert_eq!(field, plane);
        field[(4, 3)] += 9.0;
        smooth(&mut field, &inner, 1.0);
        assert_eq!(field[(4, 3)], plane[(4, 3)] + 1.0);
    }
}
