//! Refraction, caustics and reflectance of a rippling water surface.

use crate::terrain::relief;
use headwater::waves::refracted_direction;
use headwater_io::parallel::*;

/// Height and slope of a water surface at each pixel.
pub(super) struct SurfaceOptics {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Height of the surface above the surface at rest (m).
    pub(super) z: Vec<f32>,
    /// Eastward and southward slope of the surface (m/m), positive where the surface rises in this
    /// direction.
    pub(super) slope: Vec<[f32; 2]>,
}

impl SurfaceOptics {
    /// Creates a surface with heights `z` (m) at pixels that are `step` metres apart. Slopes are
    /// multiplied by `exaggeration`.
    pub(super) fn new(
        z: Vec<f32>,
        width: usize,
        height: usize,
        step: f32,
        exaggeration: f32,
    ) -> Self {
        let mut slope = vec![[0.0; 2]; width * height];
        slope.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, slope) in row.iter_mut().enumerate() {
                *slope = relief::slope(&z, [width, height], [x, y], [step; 2], exaggeration);
            }
        });
        Self { width, height, z, slope }
    }

    /// Returns the unit normal (east, south, up) of the surface at the pixel with index `i`.
    pub(super) fn normal(&self, i: usize) -> [f32; 3] {
        let [east, south] = self.slope[i];
        let length = (1.0 + east * east + south * south).sqrt();
        [-east / length, -south / length, 1.0 / length]
    }

    /// Returns, for each pixel, the horizontal offset (pixels) of the point where a vertical ray
    /// meets the bed after refraction at the surface. `depth` is the water depth (pixels) at each
    /// pixel.
    pub(super) fn refracted_offsets(&self, depth: &[f32]) -> Vec<[f32; 2]> {
        let mut offsets = vec![[0.0; 2]; self.slope.len()];
        offsets.par_iter_mut().enumerate().for_each(|(i, offset)| {
            *offset = refracted_direction(self.normal(i)).map(|aside| aside as f32 * depth[i]);
        });
        offsets
    }

    /// Returns the light on the bed at every pixel, relative to the mean. The computation
    /// corresponds to [`headwater::waves::Waves::caustics`], but uses pixels instead of cells and
    /// the interpolated heights of this surface. Rays that leave the picture are moved to its edge.
    pub(super) fn caustics(&self, offsets: &[[f32; 2]]) -> Vec<f32> {
        let mut light = vec![0.0_f32; self.width * self.height];
        for y in 0..self.height {
            for x in 0..self.width {
                let [east, south] = offsets[y * self.width + x];
                let (x0, x1, tx) = interpolation_taps(x as f32 + east, self.width);
                let (y0, y1, ty) = interpolation_taps(y as f32 + south, self.height);
                light[y0 * self.width + x0] += (1.0 - tx) * (1.0 - ty);
                light[y0 * self.width + x1] += tx * (1.0 - ty);
                light[y1 * self.width + x0] += (1.0 - tx) * ty;
                light[y1 * self.width + x1] += tx * ty;
            }
        }
        // Remove the noise of one ray per pixel. The finite size of the sun would smooth it as
        // well.
        binomial_filter(&binomial_filter(&light, self.width, self.height), self.width, self.height)
    }
}

/// Applies a 3 × 3 binomial filter.
fn binomial_filter(field: &[f32], width: usize, height: usize) -> Vec<f32> {
    let mut out = vec![0.0; field.len()];
    out.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        let rows = [y.saturating_sub(1), y, (y + 1).min(height - 1)];
        for (x, mean) in row.iter_mut().enumerate() {
            let columns = [x.saturating_sub(1), x, (x + 1).min(width - 1)];
            let mut sum = 0.0;
            for (row, weight) in rows.into_iter().zip([1.0, 2.0, 1.0]) {
                for (column, share) in columns.into_iter().zip([1.0, 2.0, 1.0]) {
                    sum += weight * share * field[row * width + column];
                }
            }
            *mean = sum / 16.0;
        }
    });
    out
}

/// Returns the indices of the two samples on either side of the position `at`, and the fraction of
/// the distance between them at which `at` lies. Positions outside the `n` samples are clamped.
pub(super) fn interpolation_taps(at: f32, n: usize) -> (usize, usize, f32) {
    let at = at.clamp(0.0, (n - 1) as f32);
    let low = at as usize;
    (low, (low + 1).min(n - 1), at - low as f32)
}

/// Returns the bilinearly interpolated value of a `width × height` pixel field at the point (`x`,
/// `y`) in pixels.
pub(super) fn sample(field: &[f32], width: usize, height: usize, x: f32, y: f32) -> f32 {
    let (x0, x1, tx) = interpolation_taps(x, width);
    let (y0, y1, ty) = interpolation_taps(y, height);
    let top = field[y0 * width + x0] * (1.0 - tx) + field[y0 * width + x1] * tx;
    let bottom = field[y1 * width + x0] * (1.0 - tx) + field[y1 * width + x1] * tx;
    top * (1.0 - ty) + bottom * ty
}

/// Returns the reflectance (0 to 1) of a water surface, given the cosine of the angle of incidence
/// (Schlick 1994).
pub(super) fn fresnel_reflectance(cosine: f32) -> f32 {
    let grazing = 1.0 - cosine.clamp(0.0, 1.0);
    0.02 + 0.98 * grazing * grazing * grazing * grazing * grazing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_focuses_under_crests_and_is_conserved() {
        let (width, height) = (120, 40);
        let z: Vec<f32> = (0..width * height)
            .map(|i| 1.2 * ((i % width) as f32 * std::f32::consts::TAU / 30.0).cos())
            .collect();
        let sheet = SurfaceOptics::new(z, width, height, 1.0, 1.0);
        let light = sheet.caustics(&sheet.refracted_offsets(&vec![40.0; width * height]));
        let sum: f32 = light.iter().sum();
        assert!((sum / (width * height) as f32 - 1.0).abs() < 1e-3, "{sum}");
        let (crest, trough) = (light[20 * width + 60], light[20 * width + 45]);
        // To first order, the light is 1/(1 ∓ ¼·A·k²·depth): 2.1 and 0.65 before smoothing.
        assert!(crest > 1.7 && trough < 0.8, "{crest} {trough}");
    }

    #[test]
    fn reflectance_is_total_at_grazing_incidence() {
        assert!(
            (fresnel_reflectance(1.0) - 0.02).abs() < 1e-6
                && (fresnel_reflectance(0.0) - 1.0).abs() < 1e-6
        );
    }
}
