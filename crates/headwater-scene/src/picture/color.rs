//! Colours as three numbers from 0 to 1, ramps between named stops, and the grain that keeps large
//! even areas alive.

use multiversion::multiversion;

/// Red, green and blue as the screen takes them (sRGB), from 0 to 1.
pub(super) type Rgb = [f32; 3];

/// The colour written as `0xRRGGBB`.
pub(super) const fn hex(code: u32) -> Rgb {
    [
        ((code >> 16) & 255) as f32 / 255.0,
        ((code >> 8) & 255) as f32 / 255.0,
        (code & 255) as f32 / 255.0,
    ]
}

// Channel by channel in so many words: they are called for every pixel, and `array::from_fn` and `map` are not always
// inlined. Always inlined, they become vector instructions in loops over pixels.

/// From `a` at 0 to `b` at 1.
#[inline(always)]
pub(super) fn mix([r, g, b]: Rgb, to: Rgb, t: f32) -> Rgb {
    [r + (to[0] - r) * t, g + (to[1] - g) * t, b + (to[2] - b) * t]
}

/// Channel by channel.
#[inline(always)]
pub(super) fn times([r, g, b]: Rgb, by: Rgb) -> Rgb {
    [r * by[0], g * by[1], b * by[2]]
}

/// All channels by one factor.
#[inline(always)]
pub(super) fn scale([r, g, b]: Rgb, factor: f32) -> Rgb {
    [r * factor, g * factor, b * factor]
}

/// As bytes, rounded.
#[inline(always)]
pub(super) fn bytes([r, g, b]: Rgb) -> [u8; 3] {
    [rounded(r) as u8, rounded(g) as u8, rounded(b) as u8]
}

/// From 0 to 255, in a whole number as wide as the float, which vectors convert to.
#[inline(always)]
fn rounded(v: f32) -> i32 {
    (v.clamp(0.0, 1.0) * 255.0 + 0.5) as i32
}

/// Pixels from their red, green and blue, each by itself.
#[multiversion(targets = "simd")]
pub(super) fn write<const N: usize>(colors: &[[f32; N]; 3], pixels: &mut [[u8; 3]]) {
    // In loops of their own: `map` is not inlined, and what writes pixels is no vector.
    let mut whole = [[0; N]; 3];
    for (whole, color) in whole.iter_mut().zip(colors) {
        for (whole, &v) in whole.iter_mut().zip(color) {
            *whole = rounded(v);
        }
    }
    for (k, pixel) in pixels.iter_mut().enumerate().take(N) {
        *pixel = [whole[0][k] as u8, whole[1][k] as u8, whole[2][k] as u8];
    }
}

/// Mixes a colour into a pixel of a picture.
pub(super) fn blend(pixel: &mut [u8; 3], color: Rgb, opacity: f32) {
    let below = pixel.map(|v| f32::from(v) / 255.0);
    *pixel = bytes(mix(below, color, opacity.clamp(0.0, 1.0)));
}

/// From 0 at `low` to 1 at `high`, without corners.
#[inline(always)]
pub(super) fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The colour at `t` on straight lines between stops that rise from 0 to 1.
fn between(stops: &[(f32, u32)], t: f32) -> Rgb {
    let next = stops.iter().position(|stop| stop.0 >= t).unwrap_or(stops.len() - 1);
    let (low, high) = (stops[next.saturating_sub(1)], stops[next]);
    let span = (high.0 - low.0).max(1e-6);
    mix(hex(low.1), hex(high.1), ((t - low.0) / span).clamp(0.0, 1.0))
}

/// The colour (red, green, blue; sRGB) at `t`, kept between 0 and 1, among stops (`0xRRGGBB`) that rise from 0 to 1.
pub fn color_at(stops: &[(f32, u32)], t: f32) -> [u8; 3] {
    bytes(between(stops, t.max(0.0)))
}

/// A colour for every number from 0 to 1, tabulated so that a pixel costs one look-up.
#[derive(Clone, Debug)]
pub(super) struct Ramp {
    table: Vec<Rgb>,
}

/// Entries of a ramp: steps smaller than a byte's for ramps of ordinary contrast.
const ENTRIES: usize = 512;

impl Ramp {
    /// Straight lines between stops that rise from 0 to 1.
    pub(super) fn new(stops: &[(f32, u32)]) -> Self {
        let table = (0..ENTRIES).map(|i| between(stops, i as f32 / (ENTRIES - 1) as f32)).collect();
        Self { table }
    }

    /// The colour at `t`, kept between the ends.
    pub(super) fn at(&self, t: f32) -> Rgb {
        // A NaN becomes 0 in the conversion.
        self.table[((t * (ENTRIES - 1) as f32 + 0.5) as usize).min(ENTRIES - 1)]
    }
}

/// A smooth random surface between −1 and 1 with bumps of about one unit, the same for ever.
pub(super) fn grain(x: f32, y: f32, seed: u32) -> f32 {
    let (ix, iy) = (floor(x), floor(y));
    let (tx, ty) = (ease(x - ix as f32), ease(y - iy as f32));
    let top = lattice(ix, iy, seed) * (1.0 - tx) + lattice(ix + 1, iy, seed) * tx;
    let bottom = lattice(ix, iy + 1, seed) * (1.0 - tx) + lattice(ix + 1, iy + 1, seed) * tx;
    top * (1.0 - ty) + bottom * ty
}

/// The whole number below. `f32::floor` is a call where the processor is not known to have the instruction.
fn floor(x: f32) -> i32 {
    let whole = x as i32;
    whole - i32::from(x < whole as f32)
}

/// A random number from 0 to 1 for a whole number.
pub fn random(key: u32) -> f32 {
    let mut h = key.wrapping_mul(0x9E37_79B1);
    h = (h ^ (h >> 15)).wrapping_mul(0x85EB_CA77);
    h = (h ^ (h >> 13)).wrapping_mul(0xC2B2_AE3D);
    (h >> 8) as f32 / (1 << 24) as f32
}

fn lattice(x: i32, y: i32, seed: u32) -> f32 {
    let key = (x as u32).wrapping_mul(0x1F12_3BB5) ^ (y as u32).wrapping_mul(0x5F35_6495) ^ seed;
    random(key) * 2.0 - 1.0
}

fn ease(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_meets_its_stops_and_keeps_to_its_ends() {
        let ramp = Ramp::new(&[(0.0, 0x000000), (0.5, 0x804020), (1.0, 0xFFFFFF)]);
        assert_eq!(bytes(ramp.at(-3.0)), [0, 0, 0]);
        assert_eq!(bytes(ramp.at(f32::NAN)), [0, 0, 0]);
        assert_eq!(bytes(ramp.at(7.0)), [255, 255, 255]);
        let middle = bytes(ramp.at(0.5));
        assert!(middle[0].abs_diff(128) < 2 && middle[2].abs_diff(32) < 2, "{middle:?}");
    }

    #[test]
    fn grain_stays_within_its_bounds() {
        for i in 0..500 {
            let v = grain(i as f32 * 0.37 - 50.0, i as f32 * 0.11, 3);
            assert!((-1.0..=1.0).contains(&v));
        }
    }
}
