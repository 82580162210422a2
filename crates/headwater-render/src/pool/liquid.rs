//! Shading of the liquid in a pool: reflection, refraction and light on the bed.

use super::optics::fresnel_reflectance;
use super::style::PoolLiquid;
use crate::color::{Rgb, mix, multiply, rgb_from_hex, scale, smoothstep};

/// Inputs for shading the liquid in one pixel.
pub(super) struct PoolPixel {
    /// Colour of the bed at the point that the refracted ray reaches.
    pub(super) floor: Rgb,
    /// Light on the bed at the point that the refracted ray reaches, relative to the mean light.
    pub(super) light: f32,
    /// Depth of the water at rest as a fraction of the depth far from the shore, from 0 to 1.
    pub(super) relative_depth: f32,
    /// Unit normal of the surface (east, south, up).
    pub(super) normal: [f32; 3],
    /// Height of the surface above the surface at rest, as a multiple of a typical wave height.
    pub(super) crest: f32,
}

/// Shading of the liquid of a pool in sunlight.
#[derive(Clone, Debug)]
pub(super) struct PoolColors {
    liquid: PoolLiquid,
    /// Unit vector toward the sun.
    sun: [f32; 3],
    /// Unit vector toward the viewer, for reflections only. The vector is tilted because a viewer
    /// vertically above would see only the zenith reflected.
    eye: [f32; 3],
    /// Unit normal of a surface that reflects the sun to the viewer.
    half_vector: [f32; 3],
}

fn normalize(v: [f32; 3]) -> [f32; 3] {
    let length = dot(v, v).sqrt();
    v.map(|part| part / length)
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Converts an sRGB colour to linear light, approximately, by squaring each channel. Shading adds
/// light intensities, which is correct only for linear light.
fn srgb_to_linear(color: Rgb) -> Rgb {
    multiply(color, color)
}

/// Converts linear light to an sRGB colour; inverse of [`srgb_to_linear`].
fn linear_to_srgb(color: Rgb) -> Rgb {
    color.map(|v| v.max(0.0).sqrt())
}

/// Compresses bright colours smoothly to the displayable range instead of clipping them.
fn compress_highlights(color: Rgb) -> Rgb {
    color.map(|v| if v < 0.7 { v } else { 0.7 + 0.3 * (1.0 - (-(v - 0.7) / 0.3).exp()) })
}

impl PoolColors {
    pub(super) fn new(liquid: PoolLiquid, sun: [f32; 3]) -> Self {
        let eye = normalize([0.0, 0.42, 1.0]);
        let half_vector = normalize([0, 1, 2].map(|i| sun[i] + eye[i]));
        Self { liquid, sun, eye, half_vector }
    }

    /// Returns true if the liquid illuminates the land around it.
    pub(super) fn glows(&self) -> bool {
        self.liquid == PoolLiquid::Acid
    }

    /// Returns the colour of land that is lit by the glow of the liquid; `glow` is the strength of
    /// the light, from 0 to 1.
    pub(super) fn add_glow(&self, land: Rgb, glow: f32) -> Rgb {
        let glow = glow.clamp(0.0, 1.0);
        // The surroundings are dark.
        let stone = srgb_to_linear(scale(land, 0.52));
        linear_to_srgb(std::array::from_fn(|i| stone[i] * (0.5 + [0.5, 2.6, 0.0][i] * glow)))
    }

    /// Darkens the colour `land` by moisture; `wetness` is the wetness of the ground, from 0 (dry)
    /// to 1.
    pub(super) fn darken_by_moisture(&self, land: Rgb, wetness: f32) -> Rgb {
        mix(land, multiply(land, [0.66, 0.68, 0.68]), wetness)
    }

    pub(super) fn color(&self, pixel: &PoolPixel) -> Rgb {
        match self.liquid {
            PoolLiquid::Water => self.shade_water(pixel),
            PoolLiquid::Acid => self.shade_acid(pixel),
        }
    }

    fn sky_radiance(&self, ray: [f32; 3]) -> Rgb {
        let up = ray[2].clamp(0.0, 1.0);
        let clear = mix(
            srgb_to_linear(rgb_from_hex(0xD6EAF5)),
            srgb_to_linear(rgb_from_hex(0x3E7FC4)),
            smoothstep(0.1, 1.0, up),
        );
        let glare = dot(ray, self.sun).max(0.0);
        let warm = srgb_to_linear(rgb_from_hex(0xFFF3D8));
        mix(clear, warm, 0.55 * glare * glare * glare * glare)
    }

    /// Computes the reflection at a surface normal. Returns the colour of the reflected sky, the
    /// reflectance (0 to 1), and the strength of the sun glint.
    fn reflection(&self, normal: [f32; 3]) -> (Rgb, f32, f32) {
        let facing = dot(normal, self.eye);
        let ray = [0, 1, 2].map(|i| 2.0 * facing * normal[i] - self.eye[i]);
        let near = dot(normal, self.half_vector).max(0.0);
        let spark = near.powi(700) * 0.9 + near.powi(90) * 0.13;
        (self.sky_radiance(normalize(ray)), fresnel_reflectance(facing), spark)
    }

    fn shade_water(&self, pixel: &PoolPixel) -> Rgb {
        // Transmittance of red, green and blue through the full depth and back.
        const TRANSMITTANCE: Rgb = [0.10, 0.46, 0.60];
        let deep = pixel.relative_depth.clamp(0.0, 1.0);
        let through = TRANSMITTANCE.map(|clear: f32| clear.powf(1.1 * deep));
        let light = 0.50 + 0.50 * pixel.light.min(4.0);
        let bed = multiply(scale(srgb_to_linear(pixel.floor), light), through);
        let body =
            scale(srgb_to_linear(rgb_from_hex(0x2B93AE)), 0.42 * (1.0 - (-1.6 * deep).exp()));
        let body =
            scale(body, (1.0 + 0.30 * pixel.crest + 0.18 * (pixel.light.min(3.0) - 1.0)).max(0.3));
        let (sky, share, spark) = self.reflection(pixel.normal);
        let share = (4.0 * share).min(0.9);
        // Slopes facing the sun are lighter than slopes facing away.
        let side = 1.0 + 1.9 * (dot(pixel.normal, self.sun) - self.sun[2]);
        let seen = scale([0, 1, 2].map(|i| bed[i] + body[i]), side.clamp(0.35, 1.9));
        let color = mix(seen, sky, share);
        linear_to_srgb(compress_highlights(
            [0, 1, 2].map(|i| color[i] + spark * [1.0, 0.97, 0.88][i]),
        ))
    }

    fn shade_acid(&self, pixel: &PoolPixel) -> Rgb {
        let deep = pixel.relative_depth.clamp(0.0, 1.0);
        let cloudy = [0.10_f32, 0.34, 0.02].map(|clear| clear.powf(1.5 * deep));
        let light = 0.3 + 0.7 * pixel.light.min(4.0);
        let bed = multiply(scale(srgb_to_linear(pixel.floor), light), cloudy);
        // Emission is strongest where waves focus the light and on crests.
        let veins = (pixel.light.min(3.5) - 1.0).max(-0.8);
        let heat = (0.42 + 0.34 * veins + 0.22 * pixel.crest).clamp(0.05, 1.9);
        let glow = mix(
            srgb_to_linear(rgb_from_hex(0x1F7A12)),
            srgb_to_linear(rgb_from_hex(0xB6F51E)),
            smoothstep(0.1, 1.5, heat),
        );
        let body = scale(glow, (0.35 + 0.75 * heat) * (1.0 - (-2.4 * deep - 0.25).exp()));
        let (_, share, spark) = self.reflection(pixel.normal);
        let side = 1.0 + 1.2 * (dot(pixel.normal, self.sun) - self.sun[2]);
        let seen = scale([0, 1, 2].map(|i| bed[i] + body[i]), side.clamp(0.4, 1.7));
        let color = mix(seen, srgb_to_linear(rgb_from_hex(0xDFF7B0)), (1.4 * share).min(0.8));
        linear_to_srgb(compress_highlights(
            [0, 1, 2].map(|i| color[i] + spark * [0.92, 1.0, 0.66][i]),
        ))
    }
}
