//! Scalar fields with one value per cell, interpolated to pixels for lighting. Examples are the
//! depth inside rock and the light of lava.

use super::canvas::ArtPixel;
use headwater::Field;

/// Scalar field with values at the cell centres, interpolated bilinearly between them.
#[derive(Clone, Debug)]
pub(super) struct CellField {
    field: Field<f32>,
    is_uniform: bool,
}

impl CellField {
    pub(super) fn new(field: Field<f32>) -> Self {
        let first = field[(0, 0)];
        let is_uniform = field.as_slice().iter().all(|&value| value == first);
        Self { field, is_uniform }
    }

    /// Returns the value at the centre of the cell in column `x` and row `y`.
    pub(super) fn value_in_cell(&self, x: usize, y: usize) -> f32 {
        self.field[(x, y)]
    }

    /// Returns the bilinearly interpolated value at an art pixel (square of the pixel art).
    pub(super) fn interpolate_at(&self, pixel: ArtPixel) -> f32 {
        if self.is_uniform {
            return self.field[(0, 0)];
        }
        let (nx, ny) = (self.field.nx(), self.field.ny());
        let along = |cell: usize, part: usize, count: usize| {
            let place = cell as f32 + (part as f32 + 0.5) / pixel.art_pixels_per_cell as f32 - 0.5;
            let first = place.max(0.0) as usize;
            (first, (first + 1).min(count - 1), (place - first as f32).max(0.0))
        };
        let (x0, x1, tx) = along(pixel.x, pixel.u, nx);
        let (y0, y1, ty) = along(pixel.y, pixel.v, ny);
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let row = |y| mix(self.field[(x0, y)], self.field[(x1, y)], tx);
        mix(row(y0), row(y1), ty)
    }
}

/// Maximum distance (cells) that the distance transform returns.
const MAX_DISTANCE: f32 = 16.0;

/// Returns the distance (cells) of each cell from the nearest cell for which `is_near` returns
/// true. The distance is computed by a two-pass chamfer transform over eight neighbours and limited
/// to [`MAX_DISTANCE`].
pub(super) fn distance_transform(
    nx: usize,
    ny: usize,
    is_near: impl Fn(usize, usize) -> bool,
) -> Field<f32> {
    let mut field = Field::from_fn(nx, ny, |x, y| if is_near(x, y) { 0.0 } else { MAX_DISTANCE });
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

/// Radius (cells) of the box filter that spreads light to neighbouring cells. The filter is applied
/// three times.
const SPREAD_RADIUS: usize = 2;

/// Spreads light to neighbouring cells. Uniformly bright areas keep their brightness.
pub(super) fn spread_light(mut field: Field<f32>) -> Field<f32> {
    if field.as_slice().iter().all(|&light| light == 0.0) {
        return field;
    }
    for _ in 0..3 {
        field = blur_rows_and_transpose(&blur_rows_and_transpose(&field));
    }
    // Amplify the light, so that a single bright cell remains visible.
    field.map(|&light| (3.0 * light).min(1.0))
}

/// Applies a box filter along the rows of a field and transposes the result, so that two calls
/// filter along both axes.
fn blur_rows_and_transpose(field: &Field<f32>) -> Field<f32> {
    let (nx, ny) = (field.nx(), field.ny());
    Field::from_fn(ny, nx, |y, x| {
        let (first, last) = (x.saturating_sub(SPREAD_RADIUS), (x + SPREAD_RADIUS).min(nx - 1));
        field.row(y)[first..=last].iter().sum::<f32>() / (2 * SPREAD_RADIUS + 1) as f32
    })
}
