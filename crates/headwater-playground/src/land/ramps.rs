//! Ramps of colours as rows of a small texture: land, sea floor, liquid, layer.

use super::{Layer, Look};

/// Colours of a row.
const WIDTH: usize = 256;

/// Colours of the layers, from nothing to most: dark violet over green to yellow, even in brightness
/// (after viridis, van der Walt & Smith 2015).
const EVEN: &[(f32, u32)] = &[
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
/// Colours of speed and foam: dark over red to pale.
const WARM: &[(f32, u32)] = &[
    (0.0, 0x0B0924),
    (0.2, 0x3B0F70),
    (0.4, 0x8C2981),
    (0.6, 0xDE4968),
    (0.8, 0xFE9F6D),
    (1.0, 0xFCFDBF),
];

/// The colour (red, green, blue; sRGB) of a layer at a part (0 to 1) of its range, for legends.
pub(super) fn layer_stops(layer: Layer) -> &'static [(f32, u32)] {
    match layer {
        Layer::Speed | Layer::Foam => WARM,
        _ => EVEN,
    }
}

impl Layer {
    /// Its colour (red, green, blue; sRGB) at a part of its range (0 to 1), for a legend.
    pub fn color(self, t: f32) -> [u8; 3] {
        let [r, g, b, _] = between(layer_stops(self), t);
        [r, g, b]
    }
}

/// The texture and what is in it.
#[derive(Debug)]
pub(super) struct Ramps {
    view: wgpu::TextureView,
    written: Option<Vec<[u8; 4]>>,
}

impl Ramps {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("ramps"),
            size: wgpu::Extent3d { width: WIDTH as u32, height: 4, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8UnormSrgb,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { view, written: None }
    }

    pub(super) fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    pub(super) fn write(&mut self, queue: &wgpu::Queue, look: &Look) {
        let rows = [
            look.palette.land(),
            look.palette.floor(),
            look.liquid.colors(),
            layer_stops(look.layer),
        ];
        let colors: Vec<[u8; 4]> = rows
            .iter()
            .flat_map(|stops| (0..WIDTH).map(|i| between(stops, i as f32 / (WIDTH - 1) as f32)))
            .collect();
        if self.written.as_ref() != Some(&colors) {
            super::cells::fill(queue, &self.view, bytemuck::cast_slice(&colors));
            self.written = Some(colors);
        }
    }
}

/// Straight lines between stops that rise from 0 to 1.
fn between(stops: &[(f32, u32)], t: f32) -> [u8; 4] {
    let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
    let next = stops.iter().position(|stop| stop.0 >= t).unwrap_or(stops.len() - 1);
    let (low, high) = (stops[next.saturating_sub(1)], stops[next]);
    let share = ((t - low.0) / (high.0 - low.0).max(1e-6)).clamp(0.0, 1.0);
    let part = |shift: u32| {
        let at = |code: u32| ((code >> shift) & 255) as f32;
        (at(low.1) + (at(high.1) - at(low.1)) * share + 0.5) as u8
    };
    [part(16), part(8), part(0), 255]
}
