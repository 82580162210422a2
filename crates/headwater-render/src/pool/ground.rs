//! Ground of a pool as heights and colours, for renderers with their own lighting. The bed and the
//! banks are the same as in the pictures of [`PoolPainter`](super::PoolPainter).

use super::banks::{self, PALETTE_HEIGHT_RATIO};
use super::style::PoolStyle;
use super::{floor, optics};
use crate::color::{Ramp, mix, rgb_to_bytes, scale, smoothstep};
use headwater::Field;
use headwater::waves::Waves;
use headwater_io::parallel::*;

/// Heights and colours of a pool's bed and banks.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolGround {
    /// Height (m) of the ground in each cell relative to the water surface at rest; negative under
    /// water.
    pub bed: Field<f32>,
    /// Colours of the ground (red, green, blue; sRGB) before lighting, in row-major order over the
    /// whole world.
    pub colors: Vec<[u8; 3]>,
    /// Width and height of the image in `colors` (pixels).
    pub size: [usize; 2],
}

impl PoolGround {
    /// Generates the ground of a wave world in a given style. The image has `fineness × fineness`
    /// pixels per cell.
    pub fn from_waves(waves: &Waves, style: &PoolStyle, fineness: usize) -> Self {
        let lattice = *waves.lattice();
        let (nx, ny) = (lattice.nx(), lattice.ny());
        let mask = Field::from_fn(nx, ny, |x, y| waves.is_land(x, y));
        let shore_distance = banks::shore_distance(&mask);
        let wall = style.shore == Some(0.0);
        let land_height = banks::land_height(&shore_distance, lattice.dx(), wall);
        let depth = waves.params().depth;
        let shore = (style.shore.unwrap_or(3.0 * depth) / lattice.dx()).max(1.0) as f32;
        // A quay is slightly higher than the water.
        let quay = if wall { 0.12 * depth as f32 } else { 0.0 };
        let bed = Field::from_fn(nx, ny, |x, y| {
            let inland = shore_distance[(x, y)];
            if inland > 0.0 {
                return land_height[(x, y)].max(0.0) + quay + 1e-3 * depth as f32;
            }
            let way = (-inland / shore).clamp(0.0, 1.0);
            -(depth as f32) * way * (2.0 - way)
        });
        let fineness = fineness.max(1);
        let size = [fineness * nx, fineness * ny];
        let longer = lattice.width().max(lattice.height());
        let grain = style.grain.unwrap_or(longer / 60.0) / lattice.dx() * fineness as f64;
        let mut floor = floor::render_floor(style.floor, (grain as f32).max(1.0), size[0], size[1]);
        let land = Ramp::new(style.palette.land_stops());
        let highest = bed.min_max().map_or(1.0, |(_, high)| high.max(1e-6)) * PALETTE_HEIGHT_RATIO;
        floor.par_chunks_mut(size[0]).enumerate().for_each(|(y, row)| {
            for (x, color) in row.iter_mut().enumerate() {
                let at = |field: &Field<f32>| sample_bilinear(field, [x, y], fineness);
                let inland = at(&shore_distance);
                let dry = land.sample(at(&bed).max(0.0) / highest);
                let damp = scale(dry, 1.0 - 0.26 * (1.0 - smoothstep(0.0, 3.0, inland)));
                *color = mix(*color, damp, smoothstep(-0.25, 0.25, inland));
            }
        });
        Self { bed, colors: floor.into_iter().map(rgb_to_bytes).collect(), size }
    }
}

/// Returns the bilinearly interpolated value of a field at a pixel. `fineness` is the number of
/// pixels along the side of a cell.
fn sample_bilinear(field: &Field<f32>, pixel: [usize; 2], fineness: usize) -> f32 {
    let place =
        |at: usize, n| optics::interpolation_taps((at as f32 + 0.5) / fineness as f32 - 0.5, n);
    let (x0, x1, tx) = place(pixel[0], field.nx());
    let (y0, y1, ty) = place(pixel[1], field.ny());
    let north = field[(x0, y0)] + (field[(x1, y0)] - field[(x0, y0)]) * tx;
    let south = field[(x0, y1)] + (field[(x1, y1)] - field[(x0, y1)]) * tx;
    north + (south - north) * ty
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater::Square;
    use headwater::waves::Params;

    #[test]
    fn land_is_above_the_water_and_the_bed_slopes_down_from_it() {
        let lattice = Square::new(60, 40, 0.1, 0.1).unwrap();
        let mut waves = Waves::new(lattice, Params::default()).unwrap();
        waves.set_land(Some(Field::from_fn(60, 40, |x, _| x < 20))).unwrap();
        let ground = PoolGround::from_waves(&waves, &PoolStyle::default(), 2);
        let depth = waves.params().depth as f32;
        assert!((0..20).all(|x| ground.bed[(x, 20)] > 0.0));
        assert!((21..60).all(|x| ground.bed[(x, 20)] < 0.0));
        assert!((ground.bed[(59, 20)] + depth).abs() < 1e-3 * depth);
        assert_eq!(ground.colors.len(), 120 * 80);
    }
}
