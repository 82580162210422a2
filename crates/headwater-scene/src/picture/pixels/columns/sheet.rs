//! [`Sheet`]: the water of all pools cut into upright spans, one pixel of pixel art wide.

use super::super::canvas::Scale;
use super::super::mirror::Surface;
use super::super::scene::Scene;
use headwater::columns::{Columns, Outline};

/// Water from its surface down to its floor, as wide as a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    /// Surface, or the top of its ice, and floor (pixels of pixel art from the top).
    pub(super) top: f32,
    pub(super) bottom: f32,
    /// 0 to 1.
    pub(super) foam: f32,
    /// Thickness of the ice on which nothing lies (pixels).
    pub(super) ice: f32,
    /// Ice below water: where it begins and ends (pixels from the top), from the lowest up; what is empty is none.
    pub(super) drowned: [[f32; 2]; 2],
    /// How warm the surface is, and the middle (°C); 0 in a world without heat.
    pub(super) celsius: f32,
    /// How much the surface falls to the east, drop over run.
    pub(super) slope: f32,
    /// Where the ceiling above it is (pixels from the top); 0 under the sky.
    pub(super) ceiling: f32,
    /// Whether it stands against a ceiling.
    pub(super) is_roofed: bool,
    pub(super) pool: u32,
}

impl Span {
    /// What mirrors over a pixel of it, where what is mirrored lies so far aside (cells): nothing under ice or against a ceiling.
    pub(super) fn surface(&self, aside: f32) -> Option<Surface> {
        let calm = (1.0 - self.foam).max(0.0);
        let surface = Surface { top: self.top, ceiling: self.ceiling, calm, aside };
        (!self.is_roofed && self.ice <= 0.0).then_some(surface)
    }

    /// Finds the ice in the column at a place (pixels) that other water lies on.
    fn find_drowned(&mut self, world: &Columns, at: [f32; 2], pixels: f32) {
        let tiers = world.strata_at(at.map(|v| f64::from(v / pixels)));
        let Some((_, below)) = tiers.split_last() else { return };
        let ice = below.iter().filter(|tier| tier.is_ice);
        for (drowned, tier) in self.drowned.iter_mut().zip(ice) {
            *drowned = [tier.top, tier.bottom].map(|y| y as f32 * pixels);
        }
    }
}

/// By column of pixels: its spans.
#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    spans: Vec<Vec<Span>>,
}

impl Sheet {
    pub(super) fn new(world: &Columns, scene: &Scene, scale: Scale) -> Self {
        let pixels = scale.art as f32 / (world.cell() as f32 * scale.skip as f32);
        let mut sheet = Self { spans: vec![Vec::new(); scene.nx * scale.art] };
        for pool in 0..world.pools() {
            for outline in world.outlines(pool) {
                sheet.cut(&outline, pixels, pool as u32);
            }
        }
        for (px, spans) in sheet.spans.iter_mut().enumerate() {
            spans.sort_by(|a, b| a.top.total_cmp(&b.top));
            for span in spans {
                let above = (span.top - 0.5).max(0.0) as usize / scale.art;
                let is_inside = span.top >= 0.5 && above < scene.ny;
                if world.air().is_some() {
                    let at = [px as f32 + 0.5, span.top + 0.5].map(|v| f64::from(v / pixels));
                    span.celsius = world.temperature_at(at).unwrap_or_default() as f32;
                    span.find_drowned(world, [px as f32 + 0.5, span.bottom - 0.5], pixels);
                }
                let x = px / scale.art;
                let roof = (0..above.min(scene.ny)).rev().find(|&y| scene.cell(x, y).is_wall());
                span.ceiling = roof.map_or(0.0, |y| ((y + 1) * scale.art) as f32);
                span.is_roofed = is_inside && scene.cell(px / scale.art, above).is_wall();
            }
        }
        sheet
    }

    /// Adds the spans of a stretch of water.
    fn cut(&mut self, outline: &Outline, pixels: f32, pool: u32) {
        let points: Vec<[f32; 2]> = outline.points.iter().map(|p| p.map(|v| v * pixels)).collect();
        for i in (0..points.len().saturating_sub(3)).step_by(2) {
            let [west, east] = [points[i], points[i + 2]];
            let wide = east[0] - west[0];
            if wide <= 0.0 {
                continue;
            }
            let first = (west[0] - 0.5).ceil().max(0.0) as usize;
            let last = ((east[0] - 0.5).ceil().max(0.0) as usize).min(self.spans.len());
            for px in first..last {
                let t = (px as f32 + 0.5 - west[0]) / wide;
                let between = |a: f32, b: f32| a + t * (b - a);
                let ice = pixels * between(outline.ice[i], outline.ice[i + 2]);
                self.spans[px].push(Span {
                    top: between(west[1], east[1])
                        - pixels * between(outline.freeboard[i], outline.freeboard[i + 2]),
                    bottom: between(points[i + 1][1], points[i + 3][1]),
                    ice,
                    drowned: [[0.0; 2]; 2],
                    celsius: 0.0,
                    foam: between(outline.foam[i], outline.foam[i + 2]),
                    slope: (east[1] - west[1]) / wide,
                    ceiling: 0.0,
                    is_roofed: false,
                    pool,
                });
            }
        }
    }

    pub(super) fn width(&self) -> usize {
        self.spans.len()
    }

    /// The spans of a column of pixels, from the top.
    pub(super) fn surfaces(&self, px: usize) -> &[Span] {
        &self.spans[px]
    }

    pub(super) fn at(&self, px: usize, py: usize) -> Option<&Span> {
        let middle = py as f32 + 0.5;
        self.spans[px].iter().find(|span| span.top <= middle && middle < span.bottom)
    }

    /// The water that a pixel stands right above, within so many pixels.
    pub(super) fn below(&self, px: usize, py: usize, reach: f32) -> Option<&Span> {
        let middle = py as f32 + 0.5;
        self.spans[px].iter().find(|span| span.top > middle && span.top <= middle + reach)
    }
}
