//! The colours of what flows: water, lava, mud.

use super::color::{Ramp, Rgb, grain, hex, mix, scale, smoothstep, times};
use super::palette::paint;
use super::style::Liquid;

/// What is known of the liquid at one pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// What [`LiquidColors::texture`] is at the pixel.
    pub(super) texture: f32,
    /// Depth as a share of the deep one, from 0 to 1.
    pub(super) deep: f32,
    /// Opacity of the body from 0 to 1, on a logarithmic scale of depth.
    pub(super) body: f32,
    /// Opacity of a film on the bank.
    pub(super) film: f32,
    /// Share of the pixel within the shore.
    pub(super) cover: f32,
    /// Distance from the shore (pixels).
    pub(super) offshore: f32,
    /// Share of wet cells around: about a half at a lake's shore, less along a brook.
    pub(super) open: f32,
    /// Brightness of the surface relative to still water.
    pub(super) sheen: f32,
    /// Speed as a share of the fast one, by the square root.
    pub(super) quick: f32,
    /// White water.
    pub(super) white: f32,
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
            Liquid::Mud => &[(0.0, 0xB4936A), (0.3, 0x93714B), (0.65, 0x6E5136), (1.0, 0x4A3524)],
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
            Liquid::Mud => grain(x / 9.0, y / 9.0, 5),
        }
    }

    /// The colour of `land` with the liquid over it.
    pub(super) fn over(&self, land: Rgb, spot: &Spot) -> Rgb {
        match self.liquid {
            Liquid::Water => self.water(land, spot),
            Liquid::Lava => self.lava(land, spot),
            Liquid::Mud => self.mud(land, spot),
        }
    }

    fn water(&self, land: Rgb, spot: &Spot) -> Rgb {
        const FOAM: Rgb = hex(paint::FOAM);
        const LIGHT: Rgb = hex(0xEAF7FB);
        let filmed = wetted(land, self.tone(0.0, spot.film), spot.film);
        if spot.cover <= 0.0 {
            return filmed;
        }
        let lake = smoothstep(0.42, 0.66, spot.body);
        let tone = self.tone(spot.deep, spot.body);
        let body =
            wetted(land, shine(tone, spot.sheen + 0.014 * lake * spot.texture, LIGHT), spot.body);
        let wide = smoothstep(0.02, 0.3, spot.body) * smoothstep(0.26, 0.44, spot.open);
        let rim = 0.62 * wide * band(spot.offshore, 0.8, 1.4);
        let rapids = spot.white * (0.35 + 0.1 * spot.texture);
        mix(filmed, mix(body, FOAM, rim.max(rapids)), spot.cover)
    }

    /// Thin water is a clear blue rather than the pale turquoise of a lake's shallows, which would
    /// not show on light ground.
    fn tone(&self, deep: f32, body: f32) -> Rgb {
        mix(THIN, self.ramp.at(deep), smoothstep(0.3, 0.62, body))
    }

    fn lava(&self, land: Rgb, spot: &Spot) -> Rgb {
        let charred = mix(land, scale(land, 0.25), opacity(spot.film));
        if spot.cover <= 0.0 {
            return charred;
        }
        let heat = 0.02 + 0.5 * spot.quick * spot.quick + 0.22 * spot.quick + 0.14 * spot.deep;
        let rim = smoothstep(0.0, 5.0, spot.offshore);
        let glow = (heat + 0.42 * spot.texture * (0.3 + heat)) * (0.4 + 0.6 * rim);
        let molten = scale(self.ramp.at(glow), 1.0 + 0.5 * spot.sheen);
        mix(charred, molten, spot.cover * smoothstep(0.0, 0.25, spot.body))
    }

    fn mud(&self, land: Rgb, spot: &Spot) -> Rgb {
        let coat = |color: Rgb, body: f32| mix(land, color, 0.97 * smoothstep(0.05, 0.55, body));
        let filmed = coat(self.ramp.at(0.15), spot.film);
        if spot.cover <= 0.0 {
            return filmed;
        }
        let base = self.ramp.at(spot.deep.max(0.15) + 0.05 * spot.texture);
        let shaded = shine(base, spot.sheen, hex(0xE9DCC8));
        let shaded = mix(shaded, hex(0xCDB491), 0.5 * spot.white);
        let lake = smoothstep(0.42, 0.66, spot.body) * smoothstep(0.26, 0.44, spot.open);
        let edge = scale(shaded, 1.0 - 0.3 * lake * band(spot.offshore, 0.8, 1.6));
        mix(filmed, coat(edge, spot.body), spot.cover)
    }

    /// What the liquid's glow adds to the land, for a glow from 0 to 1.
    pub(super) fn lit_by_glow(&self, land: Rgb, glow: f32) -> Rgb {
        let glow = glow.clamp(0.0, 1.0);
        let [r, g, b] = scale(land, 1.0 - 0.35 * glow);
        [r + 0.75 * glow, g + 0.26 * glow, b + 0.04 * glow]
    }
}

/// Opacity of a body of water: the logarithmic scale, bent so that films stay faint.
fn opacity(body: f32) -> f32 {
    0.95 * smoothstep(0.04, 0.82, body)
}

/// `land` under water of a colour: damp first, then tinted.
fn wetted(land: Rgb, water: Rgb, body: f32) -> Rgb {
    let damp = times(land, mix([1.0; 3], [0.80, 0.93, 0.97], smoothstep(0.2, 0.6, body)));
    mix(damp, water, opacity(body))
}

/// Light and shade on a surface.
fn shine(color: Rgb, sheen: f32, light: Rgb) -> Rgb {
    if sheen > 0.0 { mix(color, light, sheen.min(0.8)) } else { scale(color, 1.0 + sheen) }
}

/// 1 at `centre` and 0 from `width` on to both sides.
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
        let at = |deep: f32, body: f32, land: Rgb| {
            colors.over(
                land,
                &Spot {
                    texture: 0.0,
                    deep,
                    body,
                    film: 0.0,
                    cover: 1.0,
                    offshore: 50.0,
                    open: 1.0,
                    sheen: 0.0,
                    quick: 0.0,
                    white: 0.0,
                },
            )
        };
        let mut before = (f32::INFINITY, f32::INFINITY);
        for i in 0..=40 {
            let depth = 10f32.powf(-2.5 + i as f32 / 40.0 * 2.5);
            let body = 1.0 + depth.log10() / 3.0;
            let bright: f32 = at(depth.sqrt(), body, hex(0xC6CB97)).iter().sum();
            let through = at(depth.sqrt(), body, [1.0; 3])[0] - at(depth.sqrt(), body, [0.0; 3])[0];
            assert!(bright <= before.0 + 1e-4 && through <= before.1 + 1e-6, "{depth} m: {bright}");
            before = (bright, through);
        }
    }
}
