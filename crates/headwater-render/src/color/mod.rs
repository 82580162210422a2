//! Colours as red, green and blue from 0 to 1, colour ramps, and the noise that gives texture to
//! areas of uniform colour.

pub(super) mod light;
pub(super) mod palette;

use multiversion::multiversion;

/// Colour as red, green and blue (sRGB), each from 0 to 1.
pub(super) type Rgb = [f32; 3];

/// Converts a colour code `0xRRGGBB` to red, green and blue from 0 to 1.
pub(super) const fn rgb_from_hex(code: u32) -> Rgb {
    [
        ((code >> 16) & 255) as f32 / 255.0,
        ((code >> 8) & 255) as f32 / 255.0,
        (code & 255) as f32 / 255.0,
    ]
}

// The channels are written out because these functions run for every pixel, and `array::from_fn`
// and `map` are not always inlined. Inlined, they vectorise in loops over pixels.

/// Interpolates linearly between two colours. Returns the first colour at `t` = 0 and the colour
/// `other` at `t` = 1.
#[inline(always)]
pub(super) fn mix([r, g, b]: Rgb, other: Rgb, t: f32) -> Rgb {
    [r + (other[0] - r) * t, g + (other[1] - g) * t, b + (other[2] - b) * t]
}

/// Multiplies two colours channel by channel.
#[inline(always)]
pub(super) fn multiply([r, g, b]: Rgb, factor: Rgb) -> Rgb {
    [r * factor[0], g * factor[1], b * factor[2]]
}

/// Multiplies all channels of a colour by one factor.
#[inline(always)]
pub(super) fn scale([r, g, b]: Rgb, factor: f32) -> Rgb {
    [r * factor, g * factor, b * factor]
}

/// Converts a colour to 8 bits per channel, rounding to the nearest level.
#[inline(always)]
pub(super) fn rgb_to_bytes([r, g, b]: Rgb) -> [u8; 3] {
    [channel_to_byte(r) as u8, channel_to_byte(g) as u8, channel_to_byte(b) as u8]
}

/// Converts a channel value from the range 0..1 to the range 0..255, rounded. The result is an
/// `i32`, because vector units convert `f32` only to integers of the same width.
#[inline(always)]
fn channel_to_byte(v: f32) -> i32 {
    (v.clamp(0.0, 1.0) * 255.0 + 0.5) as i32
}

/// Converts `N` colours, given as separate arrays of red, green and blue, to 8-bit pixels.
#[multiversion(targets = "simd")]
pub(super) fn write_pixels<const N: usize>(colors: &[[f32; N]; 3], pixels: &mut [[u8; 3]]) {
    // Use separate loops, because `map` is not inlined and the interleaved stores do not vectorise.
    let mut levels = [[0; N]; 3];
    for (levels, color) in levels.iter_mut().zip(colors) {
        for (levels, &v) in levels.iter_mut().zip(color) {
            *levels = channel_to_byte(v);
        }
    }
    for (k, pixel) in pixels.iter_mut().enumerate().take(N) {
        *pixel = [levels[0][k] as u8, levels[1][k] as u8, levels[2][k] as u8];
    }
}

/// Blends a colour over an 8-bit pixel with an opacity from 0 (no change) to 1 (only the colour).
pub(super) fn blend(pixel: &mut [u8; 3], color: Rgb, opacity: f32) {
    let below = pixel.map(|v| f32::from(v) / 255.0);
    *pixel = rgb_to_bytes(mix(below, color, opacity.clamp(0.0, 1.0)));
}

/// Returns a smooth step from 0 to 1 (cubic Hermite): 0 if `x` is at most `low`, and 1 if `x` is at
/// least `high`.
#[inline(always)]
pub(super) fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Returns the colour at `t` by linear interpolation between colour stops (position, `0xRRGGBB`).
/// The positions of the stops must increase from 0 to 1.
fn interpolate_stops(stops: &[(f32, u32)], t: f32) -> Rgb {
    let next = stops.iter().position(|stop| stop.0 >= t).unwrap_or(stops.len() - 1);
    let (low, high) = (stops[next.saturating_sub(1)], stops[next]);
    let span = (high.0 - low.0).max(1e-6);
    mix(rgb_from_hex(low.1), rgb_from_hex(high.1), ((t - low.0) / span).clamp(0.0, 1.0))
}

/// Returns the colour (sRGB) at `t`, clamped to 0..1, by linear interpolation between colour stops
/// (position, `0xRRGGBB`). The positions of the stops must increase from 0 to 1.
pub fn color_at(stops: &[(f32, u32)], t: f32) -> [u8; 3] {
    rgb_to_bytes(interpolate_stops(stops, t.max(0.0)))
}

/// Colour ramp over 0..1, stored as a table so that one look-up gives the colour of a pixel.
#[derive(Clone, Debug)]
pub(super) struct Ramp {
    table: Vec<Rgb>,
}

/// Number of table entries of a colour ramp. For ordinary ramps, the colours of adjacent entries
/// differ by less than one 8-bit level.
const ENTRIES: usize = 512;

impl Ramp {
    /// Tabulates the linear interpolation between colour stops (position, `0xRRGGBB`). The
    /// positions of the stops must increase from 0 to 1.
    pub(super) fn new(stops: &[(f32, u32)]) -> Self {
        let table = (0..ENTRIES)
            .map(|i| interpolate_stops(stops, i as f32 / (ENTRIES - 1) as f32))
            .collect();
        Self { table }
    }

    /// Returns the colour of the ramp at `t`, clamped to 0..1.
    pub(super) fn sample(&self, t: f32) -> Rgb {
        // A NaN becomes 0 in the conversion.
        self.table[((t * (ENTRIES - 1) as f32 + 0.5) as usize).min(ENTRIES - 1)]
    }
}

/// Returns two-dimensional value noise between −1 and 1 at the point `(x, y)`. Features are about
/// one unit wide, and the same seed gives the same noise.
pub(super) fn value_noise(x: f32, y: f32, seed: u32) -> f32 {
    let (ix, iy) = (floor_to_i32(x), floor_to_i32(y));
    let (tx, ty) = (fade(x - ix as f32), fade(y - iy as f32));
    let top = lattice_value(ix, iy, seed) * (1.0 - tx) + lattice_value(ix + 1, iy, seed) * tx;
    let bottom =
        lattice_value(ix, iy + 1, seed) * (1.0 - tx) + lattice_value(ix + 1, iy + 1, seed) * tx;
    top * (1.0 - ty) + bottom * ty
}

/// Returns the largest integer not above `x`. `f32::floor` is a function call on targets without a
/// rounding instruction.
fn floor_to_i32(x: f32) -> i32 {
    let truncated = x as i32;
    truncated - i32::from(x < truncated as f32)
}

/// Hashes an integer to a pseudo-random number in the range from 0 (inclusive) to 1 (exclusive).
pub fn hash_to_unit_interval(key: u32) -> f32 {
    let mut h = key.wrapping_mul(0x9E37_79B1);
    h = (h ^ (h >> 15)).wrapping_mul(0x85EB_CA77);
    h = (h ^ (h >> 13)).wrapping_mul(0xC2B2_AE3D);
    (h >> 8) as f32 / (1 << 24) as f32
}

fn lattice_value(x: i32, y: i32, seed: u32) -> f32 {
    let key = (x as u32).wrapping_mul(0x1F12_3BB5) ^ (y as u32).wrapping_mul(0x5F35_6495) ^ seed;
    hash_to_unit_interval(key) * 2.0 - 1.0
}

fn fade(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ramp_matches_its_stops_and_clamps_at_the_ends() {
        let ramp = Ramp::new(&[(0.0, 0x000000), (0.5, 0x804020), (1.0, 0xFFFFFF)]);
        assert_eq!(rgb_to_bytes(ramp.sample(-3.0)), [0, 0, 0]);
        assert_eq!(rgb_to_bytes(ramp.sample(f32::NAN)), [0, 0, 0]);
        assert_eq!(rgb_to_bytes(ramp.sample(7.0)), [255, 255, 255]);
        let middle = rgb_to_bytes(ramp.sample(0.5));
        assert!(middle[0].abs_diff(128) < 2 && middle[2].abs_diff(32) < 2, "{middle:?}");
    }

    #[test]
    fn value_noise_stays_within_its_bounds() {
        for i in 0..500 {
            let v = value_noise(i as f32 * 0.37 - 50.0, i as f32 * 0.11, 3);
            assert!((-1.0..=1.0).contains(&v));
        }
    }
}
