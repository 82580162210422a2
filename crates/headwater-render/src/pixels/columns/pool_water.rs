//! [`PoolWater`]: the water of all pools as vertical spans, each one square of the pixel art wide.

use super::super::canvas::PixelScale;
use super::super::mirror::FreeSurface;
use super::super::scene::PixelScene;
use headwater::columns::{Columns, Outline};

/// Vertical span of water from the surface to the floor, in one column of art pixels (the squares
/// of the pixel art).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WaterSpan {
    /// Vertical position of the water surface or, if there is ice, of the top of the ice (art
    /// pixels below the top of the picture).
    pub(super) surface_y: f32,
    /// Vertical position of the floor below the water (art pixels below the top of the picture).
    pub(super) floor_y: f32,
    /// Amount of foam at the surface, from 0 to 1.
    pub(super) foam: f32,
    /// Thickness of the ice at the surface (art pixels, the squares of the pixel art); 0 if there
    /// is no ice.
    pub(super) ice: f32,
    /// Layers of submerged ice, the lowest first. Each layer is given by its top and its bottom
    /// (art pixels below the top of the picture). Unused entries are empty intervals.
    pub(super) submerged: [[f32; 2]; 2],
    /// Surface temperature (°C); 0 in a world without heat transport.
    pub(super) celsius: f32,
    /// Slope of the water surface (dimensionless), positive where the surface falls to the east.
    pub(super) slope: f32,
    /// Vertical position of the ceiling above the surface (art pixels below the top of the
    /// picture); 0 if there is open sky above the surface.
    pub(super) ceiling: f32,
    /// Whether the water touches a ceiling.
    pub(super) is_roofed: bool,
    pub(super) pool: u32,
}

impl WaterSpan {
    /// Returns the free surface of the span, for drawing reflections, or `None` if the surface is
    /// under ice or a ceiling. `shift` is the horizontal shift of the reflection (cells).
    pub(super) fn surface(&self, shift: f32) -> Option<FreeSurface> {
        let calmness = (1.0 - self.foam).max(0.0);
        let surface = FreeSurface { top: self.surface_y, ceiling: self.ceiling, calmness, shift };
        (!self.is_roofed && self.ice <= 0.0).then_some(surface)
    }

    /// Finds the layers of submerged ice below the point `at` (art pixels, the squares of the pixel
    /// art) and stores them in the span. `pixels_per_metre` is the number of art pixels per metre.
    fn find_submerged_ice(&mut self, world: &Columns, at: [f32; 2], pixels_per_metre: f32) {
        let tiers = world.strata_at(at.map(|v| f64::from(v / pixels_per_metre)));
        let Some((_, below)) = tiers.split_last() else { return };
        let ice = below.iter().filter(|tier| tier.is_ice);
        for (submerged, tier) in self.submerged.iter_mut().zip(ice) {
            *submerged = [tier.top, tier.bottom].map(|y| y as f32 * pixels_per_metre);
        }
    }
}

/// Water of all pools: the spans in each column of art pixels (the squares of the pixel art).
#[derive(Clone, Debug, Default)]
pub(super) struct PoolWater {
    spans: Vec<Vec<WaterSpan>>,
}

impl PoolWater {
    pub(super) fn new(world: &Columns, scene: &PixelScene, scale: PixelScale) -> Self {
        let pixels = scale.art_pixels_per_cell as f32
            / (world.cell_size() as f32 * scale.cell_stride as f32);
        let mut pool_water = Self { spans: vec![Vec::new(); scene.nx * scale.art_pixels_per_cell] };
        for pool in 0..world.pool_count() {
            for outline in world.outlines(pool) {
                pool_water.add_outline(&outline, pixels, pool as u32);
            }
        }
        for (px, spans) in pool_water.spans.iter_mut().enumerate() {
            spans.sort_by(|a, b| a.surface_y.total_cmp(&b.surface_y));
            for span in spans {
                let above = (span.surface_y - 0.5).max(0.0) as usize / scale.art_pixels_per_cell;
                let is_inside = span.surface_y >= 0.5 && above < scene.ny;
                if world.air_temperature().is_some() {
                    let at = [px as f32 + 0.5, span.surface_y + 0.5].map(|v| f64::from(v / pixels));
                    span.celsius = world.temperature_at(at).unwrap_or_default() as f32;
                    span.find_submerged_ice(world, [px as f32 + 0.5, span.floor_y - 0.5], pixels);
                }
                let x = px / scale.art_pixels_per_cell;
                let roof = (0..above.min(scene.ny)).rev().find(|&y| scene.cell(x, y).is_wall());
                span.ceiling = roof.map_or(0.0, |y| ((y + 1) * scale.art_pixels_per_cell) as f32);
                span.is_roofed =
                    is_inside && scene.cell(px / scale.art_pixels_per_cell, above).is_wall();
            }
        }
        pool_water
    }

    /// Adds the vertical spans of water inside the outline of the pool with index `pool`.
    /// `pixels_per_metre` is the number of art pixels (squares of the pixel art) per metre.
    fn add_outline(&mut self, outline: &Outline, pixels_per_metre: f32, pool: u32) {
        let points: Vec<[f32; 2]> =
            outline.points.iter().map(|p| p.map(|v| v * pixels_per_metre)).collect();
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
                let interpolate = |a: f32, b: f32| a + t * (b - a);
                let ice = pixels_per_metre * interpolate(outline.ice[i], outline.ice[i + 2]);
                self.spans[px].push(WaterSpan {
                    surface_y: interpolate(west[1], east[1])
                        - pixels_per_metre
                            * interpolate(outline.freeboard[i], outline.freeboard[i + 2]),
                    floor_y: interpolate(points[i + 1][1], points[i + 3][1]),
                    ice,
                    submerged: [[0.0; 2]; 2],
                    celsius: 0.0,
                    foam: interpolate(outline.foam[i], outline.foam[i + 2]),
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

    /// Returns the spans in the column `px` of art pixels (the squares of the pixel art), the
    /// topmost first.
    pub(super) fn spans(&self, px: usize) -> &[WaterSpan] {
        &self.spans[px]
    }

    /// Returns the span that contains the art pixel (square of the pixel art) in column `px` and
    /// row `py`, or `None` if there is no water.
    pub(super) fn span_at(&self, px: usize, py: usize) -> Option<&WaterSpan> {
        let middle = py as f32 + 0.5;
        self.spans[px].iter().find(|span| span.surface_y <= middle && middle < span.floor_y)
    }

    /// Returns the topmost span of water below row `py` in the column `px` of art pixels (squares
    /// of the pixel art). Returns `None` if no span has its surface within `reach` art pixels below
    /// the row.
    pub(super) fn span_below(&self, px: usize, py: usize, reach: f32) -> Option<&WaterSpan> {
        let middle = py as f32 + 0.5;
        self.spans[px]
            .iter()
            .find(|span| span.surface_y > middle && span.surface_y <= middle + reach)
    }
}
