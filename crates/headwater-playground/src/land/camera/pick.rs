//! Picking: [`Camera::pick`] finds the world position at a screen position, by intersecting a ray
//! with the ground or water.

use super::Camera;
use crate::land::cells::Cells;

impl Cells<'_> {
    /// Returns the height (m) of the water surface, or of the ground where it is dry, in the cell
    /// at column `x` and row `y`.
    fn surface_height_in_cell(&self, x: f32, y: f32) -> f32 {
        let x = (x.max(0.0) as usize).min(self.nx - 1);
        let y = (y.max(0.0) as usize).min(self.ny - 1);
        let i = y * self.nx + x;
        let (bed, depth) = (self.bed.get(i), self.depth.get(i));
        let top = bed.copied().unwrap_or(0.0) + depth.copied().unwrap_or(0.0).max(0.0);
        if top.is_finite() { top } else { 0.0 }
    }

    /// Returns the height (m) of the water surface, or of the ground where it is dry, at a position
    /// (m), interpolated linearly.
    pub fn height(&self, place: [f32; 2]) -> f32 {
        let row = place[1] / self.cell[1] - 0.5;
        let low = row.floor();
        let shift = |row: f32| if self.hex && row.rem_euclid(2.0) >= 1.0 { 0.5 } else { 0.0 };
        let along = |row: f32| {
            let column = place[0] / self.cell[0] - 0.5 - shift(row);
            let west = column.floor();
            let (a, b) = (
                self.surface_height_in_cell(west, row),
                self.surface_height_in_cell(west + 1.0, row),
            );
            a + (b - a) * (column - west)
        };
        let (north, south) = (along(low), along(low + 1.0));
        north + (south - north) * (row - low)
    }

    fn contains(&self, place: [f32; 2]) -> bool {
        let size = self.extent();
        (0..2).all(|i| (0.0..=size[i]).contains(&place[i]))
    }
}

impl Camera {
    /// Returns the world position (east and south coordinates in m) that is visible at a screen
    /// position; `None` if no part of the world is visible there. `view` is the size of the view
    /// (points). Heights are multiplied by `exaggeration`.
    pub fn pick(
        &self,
        at: [f32; 2],
        view: [f32; 2],
        cells: &Cells<'_>,
        exaggeration: f32,
    ) -> Option<[f64; 2]> {
        if let Self::Map { center, zoom } = *self {
            let place =
                [0, 1].map(|i| center[i] + f64::from(at[i] - 0.5 * view[i]) / zoom.max(1e-12));
            return cells.contains(place.map(|v| v as f32)).then_some(place);
        }
        let (eye, ray) = self.ray(at, view)?;
        let size = cells.extent();
        let tops = (0..cells.nx * cells.ny)
            .map(|i| cells.surface_height_in_cell((i % cells.nx) as f32, (i / cells.nx) as f32));
        let highest = tops.fold(f32::NEG_INFINITY, f32::max) * exaggeration;
        // Part of the ray above the world's rectangle.
        let (mut from, mut to) = (0.0_f32, f32::INFINITY);
        for i in 0..2 {
            let (a, b) = ((0.0 - eye[i]) / ray[i], (size[i] - eye[i]) / ray[i]);
            if ray[i].abs() > 1e-9 {
                (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
            } else if !(0.0..=size[i]).contains(&eye[i]) {
                return None;
            }
        }
        if ray[2] < -1e-9 {
            from = from.max((highest - eye[2]) / ray[2]);
        }
        if !(from <= to && to.is_finite()) {
            return None;
        }
        let over = |way: f32| {
            let point = eye + ray * way;
            point[2] - cells.height([point[0], point[1]]) * exaggeration
        };
        let step = 0.5 * cells.cell[0].min(cells.cell[1]) / ray[0].hypot(ray[1]).max(1e-3);
        let (mut before, mut way) = (from, from);
        // The number of steps depends on the world's diagonal, not on the ray's slope.
        let max_steps = 4 * (cells.nx + cells.ny) + 16;
        let step = step.min((to - from) / 8.0).max((to - from) / max_steps as f32);
        while over(way) > 0.0 {
            before = way;
            way += step;
            if way > to + step {
                return None;
            }
        }
        for _ in 0..24 {
            let middle = 0.5 * (before + way);
            if over(middle) > 0.0 {
                before = middle;
            } else {
                way = middle;
            }
        }
        let point = eye + ray * way;
        let place = [point[0], point[1]];
        cells.contains(place).then(|| place.map(f64::from))
    }
}
