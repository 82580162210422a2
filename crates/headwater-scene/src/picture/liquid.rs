//! The colours of what flows: water, lava.

use super::color::{Ramp, Rgb, grain, hex, mix, scale, smoothstep, times};
use super::palette::paint;
use super::shore::WaterScale;
use super::style::Liquid;
use multiversion::multiversion;

/// So many pixels of a row are coloured together, in vector instructions.
pub(super) const TOGETHER: usize = 32;

pub(super) type Numbers = [f32; TOGETHER];

/// What is known of the liquid at pixels beside one another.
#[derive(Clone, Debug, Default)]
pub(super) struct Spots {
    /// What [`LiquidColors::texture`] is there.
    pub(super) texture: Numbers,
    /// Depth (m), negative on banks; likewise of the next pixel in the row, and in the column.
    pub(super) depth: Numbers,
    pub(super) beside: Numbers,
    pub(super) below: Numbers,
    /// Opacity of the body from 0 to 1, on a logarithmic scale of depth.
    pub(super) body: Numbers,
    /// Opacity of a film on the bank.
    pub(super) film: Numbers,
    /// Brightness of the surface relative to still water.
    pub(super) sheen: Numbers,
    /// Speed as a share of the fast one, by the square root.
    pub(super) quick: Numbers,
    /// White water.
    pub(super) white: Numbers,
    /// Share of wet cells around: about a half at a lake's shore, less along a brook.
    pub(super) open: Numbers,
}

impl Spots {
    #[inline(always)]
    fn at(&self, i: usize, scale: &WaterScale) -> Spot {
        let (depth, beside, below) = (self.depth[i], self.beside[i], self.below[i]);
        let (across, down) = (beside - depth, below - depth);
        // Metres of depth from one pixel to the next. The floor keeps still dry land dry.
        let fall = (across * across + down * down).sqrt() + 1e-3 * scale.wet;
        Spot {
            texture: self.texture[i],
            deep: deep(depth, scale),
            body: self.body[i],
            film: self.film[i],
            cover: (depth / fall + 0.5).clamp(0.0, 1.0),
            offshore: depth / fall,
            open: self.open[i],
            sheen: self.sheen[i],
            quick: self.quick[i].clamp(0.0, 1.0),
            white: self.white[i].clamp(0.0, 1.0),
        }
    }
}

/// Depth as a share of the deep one, from 0 to 1, by the square root.
#[inline(always)]
fn deep(depth: f32, scale: &WaterScale) -> f32 {
    (depth.max(0.0) / scale.deep).sqrt().min(1.0)
}

/// What is known of the liquid at one pixel.
struct Spot {
    texture: f32,
    deep: f32,
    body: f32,
    film: f32,
    /// Share of the pixel within the shore.
    cover: f32,
    /// Distance from the shore (pixels).
    offshore: f32,
    open: f32,
    sheen: f32,
    quick: f32,
    white: f32,
}

/// The colour of films and rivulets.
const THIN: Rgb = hex(paint::THIN_WATER);

impl Liquid {
    /// Its colours (`0xRRGGBB`, sRGB) from shallow (0) to deep (1); of [`Lava`](Self::Lava) from cold to hot.
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

/// One liquid's colours, made ready.
#[derive(Clone, Debug)]
pub(super) struct LiquidColors {
    liquid: Liquid,
    ramp: Ramp,
}

impl LiquidColors {
    pub(super) fn new(liquid: Liquid) -> Self {
        Self { liquid, ramp: Ramp::new(liquid.colors()) }
    }

    /// Whether the liquid lights up the land around it.
    pub(super) fn glows(&self) -> bool {
        self.liquid == Liquid::Lava
    }

    /// What keeps an even surface alive, at a pixel; it does not move.
    pub(super) fn texture(&self, x: f32, y: f32) -> f32 {
        match self.liquid {
            // Cat's paws: the faint patches that a breath of wind leaves on still water.
            Liquid::Water => grain(x / 61.0, y / 23.0, 21) + 0.6 * grain(x / 17.0, y / 8.0, 22),
            // Plates of crust with hot seams between them.
            Liquid::Lava => {
                let seam = |size: f32, seed| 1.0 - 3.0 * grain(x / size, y / size, seed).abs();
                seam(19.0, 11).max(0.75 * seam(9.0, 12)).max(0.0)
            }
        }
    }

    /// What the liquid's glow adds to the land, for a glow from 0 to 1.
    pub(super) fn lit_by_glow(&self, land: Rgb, glow: f32) -> Rgb {
        let glow = glow.clamp(0.0, 1.0);
        let [r, g, b] = scale(land, 1.0 - 0.35 * glow);
        [r + 0.75 * glow, g + 0.26 * glow, b + 0.04 * glow]
    }
}

/// Turns the colours of `land` (red, green and blue) into those with the liquid over it.
#[multiversion(targets = "simd")]
pub(super) fn pour(
    LiquidColors { liquid, ramp }: &LiquidColors,
    scale: &WaterScale,
    land: &mut [Numbers; 3],
    spots: &Spots,
) {
    match liquid {
        Liquid::Water => {
            // Looked up before: vectors do not look up.
            let mut tones = [[0.0; TOGETHER]; 3];
            for (i, &depth) in spots.depth.iter().enumerate() {
                let [r, g, b] = ramp.at(deep(depth, scale));
                (tones[0][i], tones[1][i], tones[2][i]) = (r, g, b);
            }
            let [r, g, b] = &tones;
            let shallow = ramp.at(0.0);
            each(land, spots, scale, |i, land, spot| {
                water(land, [shallow, [r[i], g[i], b[i]]], spot)
            });
        }
        Liquid::Lava => each(land, spots, scale, |_, land, spot| lava(ramp, land, spot)),
    }
}

#[inline(always)]
fn each(
    [r, g, b]: &mut [Numbers; 3],
    spots: &Spots,
    scale: &WaterScale,
    over: impl Fn(usize, Rgb, &Spot) -> Rgb,
) {
    for i in 0..TOGETHER {
        let (land, spot) = ([r[i], g[i], b[i]], spots.at(i, scale));
        let color = over(i, land, &spot);
        let color = if spot.body > 0.0 || spot.film > 0.0 { color } else { land };
        (r[i], g[i], b[i]) = (color[0], color[1], color[2]);
    }
}

// None of them leaves off early where there is nothing to see: vectors have no branches, and a mix by 0 changes nothing.

/// Water over `land`; `tones` are those of its shallowest, and of its own depth.
#[inline(always)]
fn water(land: Rgb, tones: [Rgb; 2], spot: &Spot) -> Rgb {
    const FOAM: Rgb = hex(paint::FOAM);
    const LIGHT: Rgb = hex(0xEAF7FB);
    let [shallow, deep] = tones;
    let filmed = wetted(land, thinned(shallow, spot.film), spot.film);
    let lake = smoothstep(0.42, 0.66, spot.body);
    let tone = thinned(deep, spot.body);
    let body =
        wetted(land, shine(tone, spot.sheen + 0.014 * lake * spot.texture, LIGHT), spot.body);
    let wide = smoothstep(0.02, 0.3, spot.body) * smoothstep(0.26, 0.44, spot.open);
    let rim = 0.62 * wide * band(spot.offshore, 0.8, 1.4);
    let rapids = spot.white * (0.35 + 0.1 * spot.texture);
    mix(filmed, mix(body, FOAM, rim.max(rapids)), spot.cover)
}

/// Thin water is a clear blue rather than the pale turquoise of a lake's shallows, which would
/// not show on light ground.
#[inline(always)]
fn thinned(tone: Rgb, body: f32) -> Rgb {
    mix(THIN, tone, smoothstep(0.3, 0.62, body))
}

#[inline(always)]
fn lava(ramp: &Ramp, land: Rgb, spot: &Spot) -> Rgb {
    let charred = mix(land, scale(land, 0.25), opacity(spot.film));
    let heat = 0.02 + 0.5 * spot.quick * spot.quick + 0.22 * spot.quick + 0.14 * spot.deep;
    let rim = smoothstep(0.0, 5.0, spot.offshore);
    let glow = (heat + 0.42 * spot.texture * (0.3 + heat)) * (0.4 + 0.6 * rim);
    let molten = scale(ramp.at(glow), 1.0 + 0.5 * spot.sheen);
    mix(charred, molten, spot.cover * smoothstep(0.0, 0.25, spot.body))
}

/// Opacity of a body of water: the logarithmic scale, bent so that films stay faint.
#[inline(always)]
fn opacity(body: f32) -> f32 {
    0.95 * smoothstep(0.04, 0.82, body)
}

/// `land` under water of a colour: damp first, then tinted.
#[inline(always)]
fn wetted(land: Rgb, water: Rgb, body: f32) -> Rgb {
    let damp = times(land, mix([1.0; 3], [0.80, 0.93, 0.97], smoothstep(0.2, 0.6, body)));
    mix(damp, water, opacity(body))
}

/// Light and shade on a surface.
#[inline(always)]
fn shine(color: Rgb, sheen: f32, light: Rgb) -> Rgb {
    let (light, shade) = (mix(color, light, sheen.min(0.8)), scale(color, 1.0 + sheen));
    if sheen > 0.0 { light } else { shade }
}

/// 1 at `centre` and 0 from `width` on to both sides.
#[inline(always)]
fn band(at: f32, centre: f32, width: f32) -> f32 {
    let t = (1.0 - (at - centre).abs() / width).max(0.0);
    t * (2.0 - t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_water_is_darker_and_lets_less_land_through() {
        let colors = LiquidColors::new(Liquid::Water);
        let scale = WaterScale { wet: 1e-3, deep: 1.0, fast: 1.0 };
        let at = |depth: f32, body: f32, land: Rgb| -> Rgb {
            let (all, mut colors_of) = (|v| [v; TOGETHER], land.map(|v| [v; TOGETHER]));
            let (depth, body, open) = (all(depth), all(body), all(1.0));
            let spots =
                Spots { depth, beside: depth, below: depth, body, open, ..Spots::default() };
            pour(&colors, &scale, &mut colors_of, &spots);
            colors_of.map(|numbers| numbers[0])
        };
        let mut before = (f32::INFINITY, f32::INFINITY);
        for i in 0..=40 {
            let depth = 10f32.powf(-2.5 + i as f32 / 40.0 * 2.5);
            let body = 1.0 + depth.log10() / 3.0;
            let bright: f32 = at(depth, body, hex(0xC6CB97)).iter().sum();
            let through = at(depth, body, [1.0; 3])[0] - at(depth, body, [0.0; 3])[0];
            assert!(bright <= before.0 + 1e-4 && through <= before.1 + 1e-6, "{depth} m: {bright}");
            before = (bright, through);
        }
    }
}
