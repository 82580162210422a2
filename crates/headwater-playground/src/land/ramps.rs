//! Colour ramps, stored as rows of a small texture: land, sea floor, liquid and the displayed
//! quantity (layer).

use super::gpu::{Gpu, UPLOADED, texture_descriptor};
use super::style::{LandStyle, Layer};
use headwater_scene::picture::color_at;

/// Number of colours per ramp.
const COLORS_PER_RAMP: usize = 256;

/// Perceptually uniform colour ramp of displayed quantities (layers), from dark violet through
/// green to yellow (after viridis, van der Walt & Smith 2015).
const LAYER_RAMP: &[(f32, u32)] = &[
    (0.0, 0x440154),
    (0.125, 0x472D7B),
    (0.25, 0x3B528B),
    (0.375, 0x2C728E),
    (0.5, 0x21918C),
    (0.625, 0x28AE80),
    (0.75, 0x5EC962),
    (0.875, 0xADDC30),
    (1.0, 0xFDE725),
];
/// Colour ramp of the speed and foam layers, from dark through red to pale colours.
const SPEED_RAMP: &[(f32, u32)] = &[
    (0.0, 0x0B0924),
    (0.2, 0x3B0F70),
    (0.4, 0x8C2981),
    (0.6, 0xDE4968),
    (0.8, 0xFE9F6D),
    (1.0, 0xFCFDBF),
];

fn layer_stops(layer: Layer) -> &'static [(f32, u32)] {
    match layer {
        Layer::Speed => SPEED_RAMP,
        _ => LAYER_RAMP,
    }
}

impl Layer {
    /// Returns the colour (red, green, blue; sRGB) of the layer at the fraction `t` (0 to 1) of its
    /// range, for a legend.
    pub fn color(self, t: f32) -> [u8; 3] {
        color_at(layer_stops(self), t)
    }
}

/// Colour ramp of acid, from dull to bright.
const ACID_RAMP: &[(f32, u32)] =
    &[(0.0, 0x14520E), (0.35, 0x2F9A1A), (0.7, 0x86DC1C), (1.0, 0xD0FF4A)];

#[derive(Debug)]
pub(super) struct Ramps {
    view: wgpu::TextureView,
    written: Option<Vec<[u8; 4]>>,
}

impl Ramps {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let (size, format) = ([COLORS_PER_RAMP as u32, 4], wgpu::TextureFormat::Rgba8UnormSrgb);
        Self {
            view: gpu.create_texture(&texture_descriptor("ramps", size, format, UPLOADED)),
            written: None,
        }
    }

    pub(super) fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    pub(super) fn write(&mut self, gpu: &Gpu, style: &LandStyle) {
        let rows = [
            style.palette.land_stops(),
            style.palette.sea_floor_stops(),
            if style.acid { ACID_RAMP } else { style.liquid.colors() },
            layer_stops(style.layer),
        ];
        let color = |stops, i: usize| {
            let [r, g, b] = color_at(stops, i as f32 / (COLORS_PER_RAMP - 1) as f32);
            [r, g, b, 255]
        };
        let colors: Vec<[u8; 4]> = rows
            .iter()
            .flat_map(|&stops| (0..COLORS_PER_RAMP).map(move |i| color(stops, i)))
            .collect();
        if self.written.as_ref() != Some(&colors) {
            gpu.fill(&self.view, &colors);
            self.written = Some(colors);
        }
    }
}
