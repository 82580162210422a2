//! Terrain analysis on the cells or pixels of a [`Ground`]: interpolated heights, hollows, cast
//! shadows and typical slopes. The results are converted to colours in `ground.rs`.

use super::grid::Ground;
use super::spline::Spline;
use crate::color::light::Sun;
use crate::color::smoothstep;
use headwater_io::parallel::*;

/// Interpolates the bed heights to all pixels of the picture. The cell heights are sharpened first
/// so that the interpolated surface passes through them.
pub(crate) fn interpolate_heights(ground: &Ground, spline: &Spline) -> Vec<f32> {
    // Carved land has gullies one cell wide, which sharpening would turn into corners.
    let carved = !ground.tint.is_empty();
    let sharp = if carved { None } else { Some(sharpen(&ground.bed, ground.nx, ground.ny)) };
    let bed = sharp.as_deref().unwrap_or(&ground.bed);
    spline.interpolate_all(bed)
}

/// Returns the eastward and the southward slope (m/m, positive uphill) at the pixel `(x, y)` of a
/// height map, by central differences. Both are multiplied by `factor`. `step` is the pixel spacing
/// (m) along each axis.
pub(crate) fn slope(
    heights: &[f32],
    [width, height]: [usize; 2],
    [x, y]: [usize; 2],
    step: [f32; 2],
    factor: f32,
) -> [f32; 2] {
    let (north, south) = (y.saturating_sub(1), (y + 1).min(height - 1));
    let (west, east) = (x.saturating_sub(1), (x + 1).min(width - 1));
    let rise = |from: usize, to: usize, intervals: usize, step: f32| {
        factor * (heights[to] - heights[from]) / (step * intervals.max(1) as f32)
    };
    [
        rise(y * width + west, y * width + east, east - west, step[0]),
        rise(north * width + x, south * width + x, south - north, step[1]),
    ]
}

/// Sharpens cell values to compensate for the blur of the interpolating spline. The blur is not
/// compensated fully, because the result would overshoot at walls.
pub(crate) fn sharpen(cells: &[f32], nx: usize, ny: usize) -> Vec<f32> {
    const STRENGTH: f32 = 0.8 / 6.0;
    let mut out = vec![0.0; nx * ny];
    out.par_chunks_mut(nx).enumerate().for_each(|(y, row)| {
        let (north, south) = (y.saturating_sub(1) * nx, (y + 1).min(ny - 1) * nx);
        for (x, sharp) in row.iter_mut().enumerate() {
            let here = cells[y * nx + x];
            let east_west =
                cells[y * nx + x.saturating_sub(1)] + cells[y * nx + (x + 1).min(nx - 1)];
            let around = east_west + cells[north + x] + cells[south + x];
            *sharp = here - STRENGTH * (around - 4.0 * here);
        }
    });
    out
}

/// Returns the strength of the terrain's shadow on each cell, from 0 (sunlit) to 1 (shaded). The
/// height of the shadow's edge is propagated line by line, away from the sun.
pub(crate) fn cast_shadows(ground: &Ground, sun: &Sun) -> Vec<f32> {
    let (nx, ny) = (ground.nx, ground.ny);
    let [east, south, up] = sun.direction;
    // March one cell at a time along the axis that the light crosses faster.
    let per_cell = [east / ground.cell[0], south / ground.cell[1]];
    let along_y = per_cell[1].abs() >= per_cell[0].abs();
    let (lines, length) = if along_y { (ny, nx) } else { (nx, ny) };
    let (major, minor) =
        if along_y { (per_cell[1], per_cell[0]) } else { (per_cell[0], per_cell[1]) };
    let mut shade = vec![0.0; nx * ny];
    if major.abs() < 1e-9 {
        return shade;
    }
    let index = |line: usize, i: usize| if along_y { line * nx + i } else { i * nx + line };
    let shift = minor / major.abs();
    let drop = up / major.abs() / sun.exaggeration;
    let soft = 3.0 * drop;
    let mut previous: Option<Vec<f32>> = None;
    for step in 0..lines {
        let line = if major > 0.0 { lines - 1 - step } else { step };
        let mut horizon = Vec::with_capacity(length);
        for i in 0..length {
            let height = ground.bed[index(line, i)];
            let over = previous.as_ref().map_or(f32::NEG_INFINITY, |previous| {
                let at = (i as f32 + shift).clamp(0.0, (length - 1) as f32);
                let low = at as usize;
                let next = previous[(low + 1).min(length - 1)];
                previous[low] + (next - previous[low]) * (at - low as f32) - drop
            });
            shade[index(line, i)] = smoothstep(0.0, 1.0, (over - height) / soft);
            horizon.push(height.max(over));
        }
        previous = Some(horizon);
    }
    shade
}

/// Returns a measure of how deep each cell lies relative to its surroundings, from −1 (crest) to 1
/// (hollow). It is the mean of two values, one relative to the near and one relative to the wider
/// surroundings.
pub(crate) fn hollow_depth(ground: &Ground, exaggeration: f32) -> Vec<f32> {
    let (nx, ny) = (ground.nx, ground.ny);
    let size = ((nx * ny) as f32).sqrt();
    let cell = (ground.cell[0] * ground.cell[1]).sqrt();
    let mut out = vec![0.0; nx * ny];
    for (share, weight) in [(0.012, 0.5), (0.05, 0.5)] {
        let radius = ((size * share) as usize).max(1);
        let around = box_blur(&box_blur(&ground.bed, nx, ny, radius), nx, ny, radius);
        let full = exaggeration / (0.3 * radius as f32 * cell);
        for ((out, around), here) in out.iter_mut().zip(&around).zip(&ground.bed) {
            let depth = (around - here) * full;
            *out += weight * depth / (1.0 + depth.abs());
        }
    }
    out
}

/// Applies a box filter of `2 · radius + 1` cells along each axis, truncated at the edges of the
/// grid.
pub(crate) fn box_blur(cells: &[f32], nx: usize, ny: usize, radius: usize) -> Vec<f32> {
    let mut rows = vec![0.0f32; nx * ny];
    rows.par_chunks_mut(nx).enumerate().for_each(|(y, out)| {
        let row = &cells[y * nx..(y + 1) * nx];
        let mut sum: f64 = row.iter().take(radius).map(|&v| f64::from(v)).sum();
        let mut count = radius.min(nx);
        for (x, mean) in out.iter_mut().enumerate() {
            if let Some(&entering) = row.get(x + radius) {
                sum += f64::from(entering);
                count += 1;
            }
            if x > radius {
                sum -= f64::from(row[x - radius - 1]);
                count -= 1;
            }
            *mean = (sum / count as f64) as f32;
        }
    });
    // Process the columns, for all cells of a row at once.
    let mut out = vec![0.0f32; nx * ny];
    let mut sums = vec![0.0f64; nx];
    let mut count = 0;
    let add = |sums: &mut [f64], y: usize, sign: f64| {
        for (sum, &value) in sums.iter_mut().zip(&rows[y * nx..(y + 1) * nx]) {
            *sum += sign * f64::from(value);
        }
    };
    for y in 0..radius.min(ny) {
        add(&mut sums, y, 1.0);
        count += 1;
    }
    for y in 0..ny {
        if y + radius < ny {
            add(&mut sums, y + radius, 1.0);
            count += 1;
        }
        if y > radius {
            add(&mut sums, y - radius - 1, -1.0);
            count -= 1;
        }
        for (mean, sum) in out[y * nx..(y + 1) * nx].iter_mut().zip(&sums) {
            *mean = (sum / f64::from(count)) as f32;
        }
    }
    out
}

/// Returns the slope (m/m) that is exceeded in the fraction `share_above` of the cells.
pub(crate) fn typical_slope(ground: &Ground, share_above: f32) -> f32 {
    let (nx, ny) = (ground.nx, ground.ny);
    let mut slopes: Vec<f32> = (0..nx * ny)
        .filter(|&i| !ground.lacks_data(i) && !ground.is_closed(i))
        .map(|i| {
            let (x, y) = (i % nx, i / nx);
            let east = if x + 1 < nx { ground.bed[i + 1] - ground.bed[i] } else { 0.0 };
            let south = if y + 1 < ny { ground.bed[i + nx] - ground.bed[i] } else { 0.0 };
            (east / ground.cell[0]).hypot(south / ground.cell[1])
        })
        .collect();
    if slopes.is_empty() {
        return 0.0;
    }
    let at = ((slopes.len() - 1) as f32 * (1.0 - share_above)) as usize;
    *slopes.select_nth_unstable_by(at, f32::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test_ground(nx: usize, ny: usize, bed: impl Fn(usize, usize) -> f32) -> Ground {
        let bed = (0..nx * ny).map(|i| bed(i % nx, i / nx)).collect();
        Ground { nx, ny, cell: [1.0, 1.0], bed, ..Ground::default() }
    }

    #[test]
    fn a_wall_casts_its_shadow_away_from_the_sun() {
        let wall = test_ground(20, 5, |x, _| if x == 5 { 4.0 } else { 0.0 });
        let shade = cast_shadows(&wall, &Sun::new(270.0, 45.0, 1.0));
        let row: Vec<f32> = shade[40..60].to_vec();
        assert!(row[4] == 0.0 && row[6] > 0.5 && row[8] > 0.0 && row[10] == 0.0, "{row:?}");
    }

    #[test]
    fn box_blur_keeps_constants_and_spreads_peaks_symmetrically() {
        assert_eq!(box_blur(&[2.0; 12], 4, 3, 9), vec![2.0; 12]);
        let mut peak = vec![0.0; 49];
        peak[24] = 9.0;
        let soft = box_blur(&peak, 7, 7, 1);
        assert_eq!(soft[16], 1.0);
        assert_eq!(soft[8 + 24 - 8], 1.0);
        assert_eq!(soft[9], 0.0);
    }
}
