//! What a rippling surface does to light.

use crate::parallel::*;
use crate::picture::relief;
use headwater::waves::refracted;

pub(super) struct Surface {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Height (m).
    pub(super) z: Vec<f32>,
    /// Rise to the east and to the south (m/m).
    pub(super) slope: Vec<[f32; 2]>,
}

impl Surface {
    /// For heights (m) at pixels `step` metres apart, shaded as if `exaggeration` times as high.
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

    /// The unit normal at a pixel: to the east, to the south, up.
    pub(super) fn normal(&self, i: usize) -> [f32; 3] {
        let [east, south] = self.slope[i];
        let length = (1.0 + east * east + south * south).sqrt();
        [-east / length, -south / length, 1.0 / length]
    }

    /// Where a ray from straight above that meets the surface at each pixel meets the bed, in pixels from
    /// that pixel; `depth` is in pixels.
    pub(super) fn bent(&self, depth: &[f32]) -> Vec<[f32; 2]> {
        let mut bent = vec![[0.0; 2]; self.slope.len()];
        bent.par_iter_mut().enumerate().for_each(|(i, bent)| {
            *bent = refracted(self.normal(i)).map(|aside| aside as f32 * depth[i]);
        });
        bent
    }

    /// Light on the bed at every pixel, 1 on average: what [`headwater::waves::Waves::caustics`] does for
    /// cells, for pixels, where the spline has made the surface smooth. Rays that leave the picture stay
    /// on its rim.
    pub(super) fn caustics(&self, bent: &[[f32; 2]]) -> Vec<f32> {
        let mut light = vec![0.0_f32; self.width * self.height];
        for y in 0..self.height {
            for x in 0..self.width {
                let [east, south] = bent[y * self.width + x];
                let (x0, x1, tx) = between(x as f32 + east, self.width);
                let (y0, y1, ty) = between(y as f32 + south, self.height);
                light[y0 * self.width + x0] += (1.0 - tx) * (1.0 - ty);
                light[y0 * self.width + x1] += tx * (1.0 - ty);
                light[y1 * self.width + x0] += (1.0 - tx) * ty;
                light[y1 * self.width + x1] += tx * ty;
            }
        }
        // One ray a pixel leaves a little grain; the sun, which is no point, would smooth it too.
        soften(&soften(&light, self.width, self.height), self.width, self.height)
    }
}

/// A 3 × 3 mean with weights 1, 2, 1.
fn soften(field: &[f32], width: usize, height: usize) -> Vec<f32> {
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

/// The two of `n` pixels or cells that a place, kept within them, lies between, and how far it is from the first.
pub(super) fn between(at: f32, n: usize) -> (usize, usize, f32) {
    let at = at.clamp(0.0, (n - 1) as f32);
    let low = at as usize;
    (low, (low + 1).min(n - 1), at - low as f32)
}

/// A field of pixels between its pixels.
pub(super) fn sample(field: &[f32], width: usize, height: usize, x: f32, y: f32) -> f32 {
    let (x0, x1, tx) = between(x, width);
    let (y0, y1, ty) = between(y, height);
    let top = field[y0 * width + x0] * (1.0 - tx) + field[y0 * width + x1] * tx;
    let bottom = field[y1 * width + x0] * (1.0 - tx) + field[y1 * width + x1] * tx;
    top * (1.0 - ty) + bottom * ty
}

/// The part of light that a water surface sends back, for the cosine of its angle (Schlick 1994).
pub(super) fn fresnel(cosine: f32) -> f32 {
    let grazing = 1.0 - cosine.clamp(0.0, 1.0);
    0.02 + 0.98 * grazing * grazing * grazing * grazing * grazing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_gathers_under_crests_and_none_is_lost() {
        let (width, height) = (120, 40);
        let z: Vec<f32> = (0..width * height)
            .map(|i| 1.2 * ((i % width) as f32 * std::f32::consts::TAU / 30.0).cos())
            .collect();
        let sheet = Surface::new(z, width, height, 1.0, 1.0);
        let light = sheet.caustics(&sheet.bent(&vec![40.0; width * height]));
        let sum: f32 = light.iter().sum();
        assert!((sum / (width * height) as f32 - 1.0).abs() < 1e-3, "{sum}");
        let (crest, trough) = (light[20 * width + 60], light[20 * width + 45]);
        // To first order 1/(1 ∓ ¼·A·k²·depth): 2.1 and 0.65, less what is softened.
        assert!(crest > 1.7 && trough < 0.8, "{crest} {trough}");
    }

    #[test]
    fn a_grazing_look_sees_the_sky() {
        assert!((fresnel(1.0) - 0.02).abs() < 1e-6 && (fresnel(0.0) - 1.0).abs() < 1e-6);
    }
}
