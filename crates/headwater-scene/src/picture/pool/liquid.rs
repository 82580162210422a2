//! The colours of what is in a pool, and of the light on it.

use super::optics::fresnel;
use super::style::PoolLiquid;
use crate::picture::color::{Rgb, hex, mix, scale, smoothstep, times};

/// What is known of a pixel of liquid.
pub(super) struct Spot {
    /// The bed's colour where the bent ray meets it.
    pub(super) floor: Rgb,
    /// Light there, 1 on average.
    pub(super) light: f32,
    /// Depth as a share of the full one, 0 to 1.
    pub(super) deep: f32,
    /// Unit normal of the surface: to the east, to the south, up.
    pub(super) normal: [f32; 3],
    /// Height (m) over a typical wave's.
    pub(super) crest: f32,
}

/// One liquid under one sun.
#[derive(Clone, Debug)]
pub(super) struct PoolColors {
    liquid: PoolLiquid,
    /// Unit vector towards the sun.
    sun: [f32; 3],
    /// Unit vector towards the eye, for what the surface mirrors: from straight above it would
    /// mirror the zenith alone.
    eye: [f32; 3],
    /// The normal that mirrors the sun into the eye.
    half: [f32; 3],
}

fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = dot(v, v).sqrt();
    v.map(|part| part / length)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Light adds up and multiplies in proportion to the square of what the screen takes, nearly.
fn linear(color: Rgb) -> Rgb {
    times(color, color)
}

fn screen(color: Rgb) -> Rgb {
    color.map(|v| v.max(0.0).sqrt())
}

/// Bright light runs out softly instead of being cut.
fn shoulder(color: Rgb) -> Rgb {
    color.map(|v| if v < 0.7 { v } else { 0.7 + 0.3 * (1.0 - (-(v - 0.7) / 0.3).exp()) })
}

impl PoolColors {
    pub(super) fn new(liquid: PoolLiquid, sun: [f32; 3]) -> Self {
        let eye = unit([0.0, 0.42, 1.0]);
        let half = unit([0, 1, 2].map(|i| sun[i] + eye[i]));
        Self { liquid, sun, eye, half }
    }

    /// Whether the liquid lights up the land around it.
    pub(super) fn glows(&self) -> bool {
        self.liquid == PoolLiquid::Acid
    }

    /// What its glow makes of land at a share (0 to 1) of the glow.
    pub(super) fn lit_by_glow(&self, land: Rgb, glow: f32) -> Rgb {
        let glow = glow.clamp(0.0, 1.0);
        // It stands in a dark place, on stone that is no brighter than the light on it.
        let stone = linear(scale(land, 0.52));
        screen(std::array::from_fn(|i| stone[i] * (0.5 + [0.5, 2.6, 0.0][i] * glow)))
    }

    /// Land that is wet, beside the water.
    pub(super) fn damp(&self, land: Rgb, share: f32) -> Rgb {
        mix(land, times(land, [0.66, 0.68, 0.68]), share)
    }

    pub(super) fn color(&self, spot: &Spot) -> Rgb {
        match self.liquid {
            PoolLiquid::Water => self.water(spot),
            PoolLiquid::Acid => self.acid(spot),
        }
    }

    fn sky(&self, ray: [f32; 3]) -> Rgb {
        let up = ray[2].clamp(0.0, 1.0);
        let clear = mix(linear(hex(0xD6EAF5)), linear(hex(0x3E7FC4)), smoothstep(0.1, 1.0, up));
        let glare = dot(ray, self.sun).max(0.0);
        let warm = linear(hex(0xFFF3D8));
        mix(clear, warm, 0.55 * glare * glare * glare * glare)
    }

    /// What the surface mirrors: its colour, its share, and the sun's glint.
    fn mirrored(&self, normal: [f32; 3]) -> (Rgb, f32, f32) {
        let facing = dot(normal, self.eye);
        let ray = [0, 1, 2].map(|i| 2.0 * facing * normal[i] - self.eye[i]);
        let near = dot(normal, self.half).max(0.0);
        let spark = near.powi(700) * 0.9 + near.powi(90) * 0.13;
        (self.sky(unit(ray)), fresnel(facing), spark)
    }

    fn water(&self, spot: &Spot) -> Rgb {
        // What is left of red, green and blue on the way down and up through the full depth.
        const CLEAR: Rgb = [0.10, 0.46, 0.60];
        let deep = spot.deep.clamp(0.0, 1.0);
        let through = CLEAR.map(|clear: f32| clear.powf(1.1 * deep));
        let light = 0.50 + 0.50 * spot.light.min(4.0);
        let bed = times(scale(linear(spot.floor), light), through);
        let body = scale(linear(hex(0x2B93AE)), 0.42 * (1.0 - (-1.6 * deep).exp()));
        let body =
            scale(body, (1.0 + 0.30 * spot.crest + 0.18 * (spot.light.min(3.0) - 1.0)).max(0.3));
        let (sky, share, spark) = self.mirrored(spot.normal);
        let share = (4.0 * share).min(0.9);
        // The side that looks to the sun is lighter than the one that looks away.
        let side = 1.0 + 1.9 * (dot(spot.normal, self.sun) - self.sun[2]);
        let seen = scale([0, 1, 2].map(|i| bed[i] + body[i]), side.clamp(0.35, 1.9));
        let color = mix(seen, sky, share);
        screen(shoulder([0, 1, 2].map(|i| color[i] + spark * [1.0, 0.97, 0.88][i])))
    }

    fn acid(&self, spot: &Spot) -> Rgb {
        let deep = spot.deep.clamp(0.0, 1.0);
        let cloudy = [0.10_f32, 0.34, 0.02].map(|clear| clear.powf(1.5 * deep));
        let light = 0.3 + 0.7 * spot.light.min(4.0);
        let bed = times(scale(linear(spot.floor), light), cloudy);
        // It shines of itself, most where its waves gather the light and on its crests.
        let veins = (spot.light.min(3.5) - 1.0).max(-0.8);
        let heat = (0.42 + 0.34 * veins + 0.22 * spot.crest).clamp(0.05, 1.9);
        let glow = mix(linear(hex(0x1F7A12)), linear(hex(0xB6F51E)), smoothstep(0.1, 1.5, heat));
        let body = scale(glow, (0.35 + 0.75 * heat) * (1.0 - (-2.4 * deep - 0.25).exp()));
        let (_, share, spark) = self.mirrored(spot.normal);
        let side = 1.0 + 1.2 * (dot(spot.normal, self.sun) - self.sun[2]);
        let seen = scale([0, 1, 2].map(|i| bed[i] + body[i]), side.clamp(0.4, 1.7));
        let color = mix(seen, linear(hex(0xDFF7B0)), (1.4 * share).min(0.8));
        screen(shoulder([0, 1, 2].map(|i| color[i] + spark * [0.92, 1.0, 0.66][i])))
    }
}
