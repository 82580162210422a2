//! Light and shade in cells, softened to pixels: how deep in the rock a cell lies, how far light reaches.

use super::canvas::Spot;
use headwater::Field;

/// A number in every cell's middle, with straight lines between.
#[derive(Clone, Debug)]
pub(super) struct Soft {
    field: Field<f32>,
    is_even: bool,
}

impl Soft {
    pub(super) fn new(field: Field<f32>) -> Self {
        let first = field[(0, 0)];
        let is_even = field.as_slice().iter().all(|&value| value == first);
        Self { field, is_even }
    }

    /// The number in a cell's middle.
    pub(super) fn in_cell(&self, x: usize, y: usize) -> f32 {
        self.field[(x, y)]
    }

    pub(super) fn at(&self, spot: Spot) -> f32 {
        if self.is_even {
            return self.field[(0, 0)];
        }
        let (nx, ny) = (self.field.nx(), self.field.ny());
        let along = |cell: usize, part: usize, count: usize| {
            let place = cell as f32 + (part as f32 + 0.5) / spot.art as f32 - 0.5;
            let first = place.max(0.0) as usize;
            (first, (first + 1).min(count - 1), (place - first as f32).max(0.0))
        };
        let (x0, x1, tx) = along(spot.x, spot.u, nx);
        let (y0, y1, ty) = along(spot.y, spot.v, ny);
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let row = |y| mix(self.field[(x0, y)], self.field[(x1, y)], tx);
        mix(row(y0), row(y1), ty)
    }
}

/// Beyond so many cells distances do not matter.
const FAR: f32 = 16.0;

/// Distance of each cell from the nearest for which `is_near` holds (cells), by steps to the eight
/// neighbours.
pub(super) fn distance(nx: usize, ny: usize, is_near: impl Fn(usize, usize) -> bool) -> Field<f32> {
    let mut field = Field::from_fn(nx, ny, |x, y| if is_near(x, y) { 0.0 } else { FAR });
    let diagonal = std::f32::consts::SQRT_2;
    let steps = [(-1, 0, 1.0), (0, -1, 1.0), (-1, -1, diagonal), (1, -1, diagonal)];
    let mut visit = |x: usize, y: usize, sign: isize| {
        let mut best = field[(x, y)];
        for (east, down, step) in steps {
            let place = (x.checked_add_signed(sign * east), y.checked_add_signed(sign * down));
            if let (Some(x), Some(y)) = place
                && x < nx
                && y < ny
            {
                best = best.min(field[(x, y)] + step);
            }
        }
        field[(x, y)] = best;
    };
    for y in 0..ny {
        (0..nx).for_each(|x| visit(x, y, 1));
    }
    for y in (0..ny).rev() {
        (0..nx).rev().for_each(|x| visit(x, y, -1));
    }
    field
}

/// Cells that light is spread over to each side, in each of three rounds.
const REACH: usize = 2;

/// Spreads light into the neighbourhood; where all around is bright it keeps its strength.
pub(super) fn spread(mut field: Field<f32>) -> Field<f32> {
    if field.as_slice().iter().all(|&light| light == 0.0) {
        return field;
    }
    for _ in 0..3 {
        field = blurred(&blurred(&field));
    }
    // A single bright cell shall still be seen.
    field.map(|&light| (3.0 * light).min(1.0))
}

/// The mean along rows, turned over the diagonal: twice makes a square.
fn blurred(field: &Field<f32>) -> Field<f32> {
    let (nx, ny) = (field.nx(), field.ny());
    Field::from_fn(ny, nx, |y, x| {
        let (first, last) = (x.saturating_sub(REACH), (x + REACH).min(nx - 1));
        field.row(y)[first..=last].iter().sum::<f32>() / (2 * REACH + 1) as f32
    })
}
