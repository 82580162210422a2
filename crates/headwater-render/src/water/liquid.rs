//! Colours and shading of the liquids drawn on the land: water and lava.

use super::shore::WaterScale;
use crate::color::palette::paint;
use crate::color::{Ramp, Rgb, mix, multiply, rgb_from_hex, scale, smoothstep, value_noise};
use crate::style::Liquid;
use multiversion::multiversion;

/// Number of adjacent pixels of a row that are shaded together with vector instructions.
pub(crate) const PIXELS_PER_BATCH: usize = 32;

/// One value per pixel of a batch.
pub(crate) type Batch = [f32; PIXELS_PER_BATCH];

/// Inputs for shading the liquid in a batch of adjacent pixels.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiquidBatch {
    /// Surface texture of each pixel, from [`LiquidColors::texture`].
    pub(crate) texture: Batch,
    /// Depth of the liquid in each pixel (m, negative on banks).
    pub(crate) depth: Batch,
    pub(crate) right: Batch,
    pub(crate) below: Batch,
    /// Opacity of the liquid in each pixel, from 0 to 1 on a logarithmic scale of depth. Thin films
    /// on banks are not included.
    pub(crate) body_opacity: Batch,
    /// Opacity of thin liquid films on banks, from 0 to 1.
    pub(crate) film: Batch,
    /// Brightness of the liquid's surface minus that of still liquid (0 for still liquid, positive
    /// in highlights).
    pub(crate) sheen: Batch,
    /// Square root of the ratio of the flow speed to the highest speed of the colour scale.
    pub(crate) speed: Batch,
    /// Amount of white water (foam) in each pixel, from 0 to 1.
    pub(crate) white: Batch,
    /// Fraction of the neighbouring cells that are wet: about 0.5 at the shore of a lake, less
    /// along a brook.
    pub(crate) wet_neighbour_fraction: Batch,
}

impl LiquidBatch {
    #[inline(always)]
    fn pixel_inputs(&self, i: usize, scale: &WaterScale) -> LiquidPixel {
        let (depth, right, below) = (self.depth[i], self.right[i], self.below[i]);
        let (across, down) = (right - depth, below - depth);
        // Depth gradient (m per pixel). The lower limit keeps dry land dry where the gradient
        // vanishes.
        let gradient = (across * across + down * down).sqrt() + 1e-3 * scale.min_depth;
        LiquidPixel {
            texture: self.texture[i],
            deep: relative_depth(depth, scale),
            body: self.body_opacity[i],
            film: self.film[i],
            cover: (depth / gradient + 0.5).clamp(0.0, 1.0),
            offshore: depth / gradient,
            wet_neighbour_fraction: self.wet_neighbour_fraction[i],
            sheen: self.sheen[i],
            speed: self.speed[i].clamp(0.0, 1.0),
            white: self.white[i].clamp(0.0, 1.0),
        }
    }
}

/// Returns the square root of the ratio of `depth` to the depth drawn in the deepest colour,
/// clamped to 0..1.
#[inline(always)]
fn relative_depth(depth: f32, scale: &WaterScale) -> f32 {
    (depth.max(0.0) / scale.max_depth).sqrt().min(1.0)
}

/// Inputs for shading one pixel; see [`LiquidBatch`] for the fields that both types share.
struct LiquidPixel {
    texture: f32,
    deep: f32,
    body: f32,
    film: f32,
    /// Fraction of the pixel on the wet side of the shore line.
    cover: f32,
    /// Distance from the shore (pixels), positive on the water.
    offshore: f32,
    wet_neighbour_fraction: f32,
    sheen: f32,
    speed: f32,
    white: f32,
}

/// Colour of thin water films and rivulets.
const THIN: Rgb = rgb_from_hex(paint::THIN_WATER);

impl Liquid {
    /// Returns the colour stops (position, `0xRRGGBB` in sRGB) of the liquid. The positions run
    /// from shallow (0) to deep (1), for [`Lava`](Self::Lava) from cold (0) to hot (1).
    pub fn colors(self) -> &'static [(f32, u32)] {
        match self {
            Liquid::Water => &[
                (0.0, 0xA4DEDC),
                (0.12, 0x7CC8D2),
                (0.3, 0x4FA9C9),
                (0.55, 0x2F82B5),
                (0.8, 0x1E5C98),
                (1.0, 0x153F78),
            ],
            Liquid::Lava => &[
                (0.0, 0x17120F),
                (0.22, 0x2B1512),
                (0.4, 0x7A1A0C),
                (0.58, 0xD9480F),
                (0.78, 0xFF9526),
                (1.0, 0xFFE68A),
            ],
        }
    }
}

/// Colours of a liquid, tabulated for fast look-up.
#[derive(Clone, Debug)]
pub(crate) struct LiquidColors {
    liquid: Liquid,
    ramp: Ramp,
}

impl LiquidColors {
    pub(crate) fn new(liquid: Liquid) -> Self {
        Self { liquid, ramp: Ramp::new(liquid.colors()) }
    }

    /// Returns true if the liquid illuminates the land around it.
    pub(crate) fn glows(&self) -> bool {
        self.liquid == Liquid::Lava
    }

    /// Returns the surface texture of the liquid at a pixel. The texture does not change with time.
    pub(crate) fn texture(&self, x: f32, y: f32) -> f32 {
        match self.liquid {
            // Cat's paws: faint patches of ripples on still water.
            Liquid::Water => {
                value_noise(x / 61.0, y / 23.0, 21) + 0.6 * value_noise(x / 17.0, y / 8.0, 22)
            }
            // Plates of crust with hot seams between them.
            Liquid::Lava => {
                let seam =
                    |size: f32, seed| 1.0 - 3.0 * value_noise(x / size, y / size, seed).abs();
                seam(19.0, 11).max(0.75 * seam(9.0, 12)).max(0.0)
            }
        }
    }

    /// Adds the light of a glowing liquid to the colour `land`; `glow` is the strength of the
    /// light, from 0 to 1.
    pub(crate) fn add_glow(&self, land: Rgb, glow: f32) -> Rgb {
        let glow = glow.clamp(0.0, 1.0);
        let [r, g, b] = scale(land, 1.0 - 0.35 * glow);
        [r + 0.75 * glow, g + 0.26 * glow, b + 0.04 * glow]
    }
}

/// Blends the liquid over the colours in `land`, given as separate arrays of red, green and blue.
#[multiversion(targets = "simd")]
pub(crate) fn shade_liquid(
    LiquidColors { liquid, ramp }: &LiquidColors,
    scale: &WaterScale,
    land: &mut [Batch; 3],
    batch: &LiquidBatch,
) {
    match liquid {
        Liquid::Water => {
            // The table look-ups come first because gathers do not vectorise.
            let mut tones = [[0.0; PIXELS_PER_BATCH]; 3];
            for (i, &depth) in batch.depth.iter().enumerate() {
                let [r, g, b] = ramp.sample(relative_depth(depth, scale));
                (tones[0][i], tones[1][i], tones[2][i]) = (r, g, b);
            }
            let [r, g, b] = &tones;
            let shallow = ramp.sample(0.0);
            for_each_pixel(land, batch, scale, |i, land, pixel| {
                blend_water_pixel(land, [shallow, [r[i], g[i], b[i]]], pixel)
            });
        }
        Liquid::Lava => {
            for_each_pixel(land, batch, scale, |_, land, pixel| {
                blend_lava_pixel(ramp, land, pixel)
            });
        }
    }
}

#[inline(always)]
fn for_each_pixel(
    [r, g, b]: &mut [Batch; 3],
    batch: &LiquidBatch,
    scale: &WaterScale,
    blend_pixel: impl Fn(usize, Rgb, &LiquidPixel) -> Rgb,
) {
    for i in 0..PIXELS_PER_BATCH {
        let (land, pixel) = ([r[i], g[i], b[i]], batch.pixel_inputs(i, scale));
        let color = blend_pixel(i, land, &pixel);
        let color = if pixel.body > 0.0 || pixel.film > 0.0 { color } else { land };
        (r[i], g[i], b[i]) = (color[0], color[1], color[2]);
    }
}

// There are no early returns where nothing is visible, because branches prevent vectorisation and a
// mix by 0 changes nothing.

/// Blends water over the colour `land`. `tones` contains the colour of very shallow water and the
/// colour of water of the pixel's depth.
#[inline(always)]
fn blend_water_pixel(land: Rgb, tones: [Rgb; 2], pixel: &LiquidPixel) -> Rgb {
    const FOAM: Rgb = rgb_from_hex(paint::FOAM);
    const LIGHT: Rgb = rgb_from_hex(0xEAF7FB);
    let [shallow, deep] = tones;
    let filmed = blend_water(land, thin_water_color(shallow, pixel.film), pixel.film);
    let lake = smoothstep(0.42, 0.66, pixel.body);
    let tone = thin_water_color(deep, pixel.body);
    let body = blend_water(
        land,
        apply_sheen(tone, pixel.sheen + 0.014 * lake * pixel.texture, LIGHT),
        pixel.body,
    );
    let wide =
        smoothstep(0.02, 0.3, pixel.body) * smoothstep(0.26, 0.44, pixel.wet_neighbour_fraction);
    let rim = 0.62 * wide * parabolic_bump(pixel.offshore, 0.8, 1.4);
    let rapids = pixel.white * (0.35 + 0.1 * pixel.texture);
    mix(filmed, mix(body, FOAM, rim.max(rapids)), pixel.cover)
}

/// Returns `tone` mixed with a clear blue where the water is thin, because the pale turquoise of a
/// lake's shallows would not show on light ground. `body` is the opacity of the water (0 to 1).
#[inline(always)]
fn thin_water_color(tone: Rgb, body: f32) -> Rgb {
    mix(THIN, tone, smoothstep(0.3, 0.62, body))
}

#[inline(always)]
fn blend_lava_pixel(ramp: &Ramp, land: Rgb, pixel: &LiquidPixel) -> Rgb {
    let charred = mix(land, scale(land, 0.25), body_opacity(pixel.film));
    let heat = 0.02 + 0.5 * pixel.speed * pixel.speed + 0.22 * pixel.speed + 0.14 * pixel.deep;
    let rim = smoothstep(0.0, 5.0, pixel.offshore);
    let glow = (heat + 0.42 * pixel.texture * (0.3 + heat)) * (0.4 + 0.6 * rim);
    let molten = scale(ramp.sample(glow), 1.0 + 0.5 * pixel.sheen);
    mix(charred, molten, pixel.cover * smoothstep(0.0, 0.25, pixel.body))
}

/// Converts `body`, the depth on a logarithmic scale from 0 to 1, to an opacity. Small values of
/// `body` give nearly transparent water.
#[inline(always)]
fn body_opacity(body: f32) -> f32 {
    0.95 * smoothstep(0.04, 0.82, body)
}

/// Blends the colour `water` over `land`. The land is darkened first, because wet ground is darker
/// than dry ground. `body` is the depth on a logarithmic scale (0 to 1) that sets the opacity.
#[inline(always)]
fn blend_water(land: Rgb, water: Rgb, body: f32) -> Rgb {
    let damp = multiply(land, mix([1.0; 3], [0.80, 0.93, 0.97], smoothstep(0.2, 0.6, body)));
    mix(damp, water, body_opacity(body))
}

/// Applies highlights and shade to a surface colour. `sheen` is the brightness of the surface minus
/// that of still water; highlights are mixed with the colour `light`.
#[inline(always)]
fn apply_sheen(color: Rgb, sheen: f32, light: Rgb) -> Rgb {
    let (light, shade) = (mix(color, light, sheen.min(0.8)), scale(color, 1.0 + sheen));
    if sheen > 0.0 { light } else { shade }
}

/// Returns a bump function of `at`: 1 at `centre`, decreasing to 0 at a distance of `width`.
#[inline(always)]
fn parabolic_bump(at: f32, centre: f32, width: f32) -> f32 {
    let t = (1.0 - (at - centre).abs() / width).max(0.0);
    t * (2.0 - t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_water_is_darker_and_more_opaque() {
        let colors = LiquidColors::new(Liquid::Water);
        let scale = WaterScale { min_depth: 1e-3, max_depth: 1.0, max_speed: 1.0 };
        let at = |depth: f32, body: f32, land: Rgb| -> Rgb {
            let (all, mut colors_of) =
                (|v| [v; PIXELS_PER_BATCH], land.map(|v| [v; PIXELS_PER_BATCH]));
            let (depth, body_opacity, wet_neighbour_fraction) = (all(depth), all(body), all(1.0));
            let batch = LiquidBatch {
                depth,
                right: depth,
                below: depth,
                body_opacity,
                wet_neighbour_fraction,
                ..LiquidBatch::default()
            };
            shade_liquid(&colors, &scale, &mut colors_of, &batch);
            colors_of.map(|numbers| numbers[0])
        };
        let mut before = (f32::INFINITY, f32::INFINITY);
        for i in 0..=40 {
            let depth = 10f32.powf(-2.5 + i as f32 / 40.0 * 2.5);
            let body = 1.0 + depth.log10() / 3.0;
            let bright: f32 = at(depth, body, rgb_from_hex(0xC6CB97)).iter().sum();
            let through = at(depth, body, [1.0; 3])[0] - at(depth, body, [0.0; 3])[0];
            assert!(bright <= before.0 + 1e-4 && through <= before.1 + 1e-6, "{depth} m: {bright}");
            before = (bright, through);
        }
    }
}
