//! The triangles of steps that the bands of a [`super::pass`] leave open where they meet.

use super::row::{Course, Crossed};
use crate::field::Field;

/// The rows on one side of a seam.
struct Flank<'a> {
    /// The first of them.
    y0: usize,
    height: &'a mut [f32],
    flux_x: &'a mut [f32],
    /// The y-faces between them, and those on the side away from the seam.
    faces: &'a mut [f32],
}

/// A seam between two bands, with the rows around it.
pub(super) struct Seam<'a> {
    upper: Flank<'a>,
    lower: Flank<'a>,
    /// The faces of the seam, as row `y` of y-faces.
    y: usize,
    faces: &'a mut [f32],
    /// Where edges are joined, the same faces are in store once more, as row 0.
    again: Option<&'a mut [f32]>,
}

/// What is left of a field, from row `at` on.
struct Rest<'a> {
    values: &'a mut [f32],
    width: usize,
    at: usize,
}

impl<'a> Rest<'a> {
    fn new(field: &'a mut Field<f32>) -> Self {
        let width = field.nx();
        Self { values: field.as_mut_slice(), width, at: 0 }
    }

    /// Takes `rows` rows from row `from` on.
    fn take(&mut self, from: usize, rows: usize) -> &'a mut [f32] {
        let values = std::mem::take(&mut self.values);
        let (_, values) = values.split_at_mut((from - self.at) * self.width);
        let (taken, values) = values.split_at_mut(rows * self.width);
        (self.values, self.at) = (values, from + rows);
        taken
    }
}

/// The seams at rows `inner` and, if they are `joined`, between the north and south of the grid, each with `wide`
/// rows on either side.
pub(super) fn all<'a>(
    height: &'a mut Field<f32>,
    flux_x: &'a mut Field<f32>,
    flux_y: &'a mut Field<f32>,
    inner: &[usize],
    joined: bool,
    wide: usize,
) -> Vec<Seam<'a>> {
    let ny = height.ny();
    let (mut height, mut flux_x) = (Rest::new(height), Rest::new(flux_x));
    let mut flux_y = Rest::new(flux_y);
    let mut flank = |y0: usize, faces: &'a mut [f32]| Flank {
        y0,
        height: height.take(y0, wide),
        flux_x: flux_x.take(y0, wide),
        faces,
    };
    let around = joined.then(|| {
        let again = flux_y.take(0, 1);
        (again, flank(0, flux_y.take(1, wide)))
    });
    let mut seams = Vec::with_capacity(inner.len() + 1);
    for &y in inner {
        let upper = flank(y - wide, flux_y.take(y - wide, wide));
        let faces = flux_y.take(y, 1);
        let lower = flank(y, flux_y.take(y + 1, wide));
        seams.push(Seam { upper, lower, y, faces, again: None });
    }
    if let Some((again, lower)) = around {
        let upper = flank(ny - wide, flux_y.take(ny - wide, wide));
        let faces = flux_y.take(ny, 1);
        seams.push(Seam { upper, lower, y: ny, faces, again: Some(again) });
    }
    seams
}

impl Seam<'_> {
    /// Takes the steps that are missing: in step `l` of the pass, `l` rows on either side.
    pub(super) fn fill(mut self, course: &Course, crossed: &mut Crossed) {
        let wide = self.upper.height.len() / course.nx;
        for (l, crossed) in crossed.iter_mut().enumerate().take(wide + 1).skip(1) {
            *crossed += self.step(course, l, wide);
        }
    }

    fn step(&mut self, course: &Course, l: usize, wide: usize) -> f64 {
        let nx = course.nx;
        let Self { upper, lower, y, faces, again } = self;
        let north = &upper.height[(wide - 1) * nx..];
        course.fluxes_y(faces, north, &lower.height[..nx], *y);
        if let Some(again) = again {
            course.fluxes_y(again, north, &lower.height[..nx], 0);
        }
        let mut came = 0.0;
        for i in wide - l..wide {
            let y = upper.y0 + i;
            let (height, after) = upper.height[i * nx..].split_at_mut(nx);
            let (above, below) = upper.faces.split_at_mut((i + 1) * nx);
            let north = &above[i * nx..];
            let flux_x = &mut upper.flux_x[i * (nx + 1)..][..nx + 1];
            came += if i + 1 < wide {
                course.step(l, y, north, &after[..nx], flux_x, &mut below[..nx], height)
            } else {
                course.step_between(l, y, north, faces, flux_x, height)
            };
        }
        for i in 0..l {
            let y = lower.y0 + i;
            let (height, after) = lower.height[i * nx..].split_at_mut(nx);
            let (above, below) = lower.faces.split_at_mut(i * nx);
            let seam = again.as_deref().unwrap_or(faces);
            let north = if i == 0 { seam } else { &above[(i - 1) * nx..] };
            let flux_x = &mut lower.flux_x[i * (nx + 1)..][..nx + 1];
            came += if i + 1 < l {
                course.step(l, y, north, &after[..nx], flux_x, &mut below[..nx], height)
            } else {
                course.step_between(l, y, north, &below[..nx], flux_x, height)
            };
        }
        came
    }
}
