//! Tileable detail texture with mipmaps. It contains the slopes of ripples, the grain of surfaces,
//! and caustics.

use super::gpu::{Gpu, UPLOADED, texture_descriptor};
use headwater_scene::picture::hash_to_unit_interval;
use wgpu::util::{DeviceExt as _, TextureDataOrder};

/// Size of the texture (texels per side).
const SIZE: usize = 256;
/// Number of noise bumps along each side of the texture in the coarsest octave.
const BUMPS: usize = 16;

/// Creates the detail texture. Red and green are ripple slopes (0.5 is level), blue is grain, and
/// alpha is caustics.
pub(super) fn create_detail_texture(gpu: &Gpu) -> wgpu::TextureView {
    let byte = |v: f32| (v.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    let mip_level_count = SIZE.ilog2() + 1;
    let (mut texels, mut bytes) = (texels(), Vec::new());
    for level in 0..mip_level_count {
        bytes.extend(texels.iter().flatten().map(|&v| byte(v)));
        texels = downsample(&texels, SIZE >> level);
    }
    let kind =
        texture_descriptor("grains", [SIZE as u32; 2], wgpu::TextureFormat::Rgba8Unorm, UPLOADED);
    let kind = wgpu::TextureDescriptor { mip_level_count, ..kind };
    let order = TextureDataOrder::LayerMajor;
    let texture = gpu.device.create_texture_with_data(&gpu.queue, &kind, order, &bytes);
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn texels() -> Vec<[f32; 4]> {
    let layer = |bumps: usize, seed: u32| {
        move |x: usize, y: usize| {
            let scale = bumps as f32 / SIZE as f32;
            periodic_noise(x as f32 * scale, y as f32 * scale, bumps as u32, seed)
        }
    };
    let (broad, middle, fine) = (layer(BUMPS, 1), layer(2 * BUMPS, 2), layer(4 * BUMPS, 3));
    let waves = |x: usize, y: usize| {
        let (x, y) = (x % SIZE, y % SIZE);
        broad(x, y) + 0.45 * middle(x, y) + 0.18 * fine(x, y)
    };
    let (one, other) = (layer(BUMPS, 4), layer(BUMPS, 5));
    let (bend, bow) = (layer(BUMPS / 2, 6), layer(BUMPS / 2, 7));
    let rough = |x: usize, y: usize| {
        0.5 + 0.42 * (0.55 * bend(x, y) + broad(x, y) * 0.6 + 0.5 * middle(x, y) + 0.4 * fine(x, y))
    };
    // Caustics form where two ridges meet.
    let threads = |x: usize, y: usize| {
        let a = (one(x, y) + 0.35 * bow(x, y)).abs();
        let b = (other(x, y) + 0.35 * bend(x, y)).abs();
        let thread = (1.0 - 2.6 * a.min(b)).max(0.0);
        0.08 + 0.92 * thread * thread
    };
    // Steep slopes saturate smoothly instead of being clipped.
    let steep = |rise: f32| 0.5 + 0.5 * (6.8 * rise).tanh();
    (0..SIZE * SIZE)
        .map(|i| {
            let (x, y) = (i % SIZE, i / SIZE);
            let east = waves(x + 1, y) - waves(x + SIZE - 1, y);
            let south = waves(x, y + 1) - waves(x, y + SIZE - 1);
            [steep(east), steep(south), rough(x, y), threads(x, y)]
        })
        .collect()
}

fn downsample(texels: &[[f32; 4]], side: usize) -> Vec<[f32; 4]> {
    let half = side / 2;
    (0..half * half)
        .map(|i| {
            let (x, y) = (2 * (i % half), 2 * (i / half));
            let at = |u: usize, v: usize| texels[(y + v) * side + x + u];
            let (a, b, c, d) = (at(0, 0), at(1, 0), at(0, 1), at(1, 1));
            std::array::from_fn(|k| 0.25 * (a[k] + b[k] + c[k] + d[k]))
        })
        .collect()
}

/// Returns smooth noise from −1 to 1 at a position. The noise has a period of `period` bumps along
/// each axis.
fn periodic_noise(x: f32, y: f32, period: u32, seed: u32) -> f32 {
    let (x0, y0) = (x.floor(), y.floor());
    let (tx, ty) = (x - x0, y - y0);
    let ease = |t: f32| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let corner = |u: u32, v: u32| {
        let (cx, cy) = ((x0 as u32 + u) % period, (y0 as u32 + v) % period);
        let angle = hash_to_unit_interval(cx ^ cy << 12 ^ seed << 24) * std::f32::consts::TAU;
        angle.cos() * (tx - u as f32) + angle.sin() * (ty - v as f32)
    };
    let (u, v) = (ease(tx), ease(ty));
    let north = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * u;
    let south = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * u;
    1.5 * (north + (south - north) * v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_periodic_and_bounded() {
        for i in 0..400 {
            let (x, y) = (i as f32 * 0.13 % 8.0, i as f32 * 0.41 % 8.0);
            let here = periodic_noise(x, y, 8, 3);
            assert!((here - periodic_noise(x + 8.0, y + 16.0, 8, 3)).abs() < 1e-3);
            assert!((-1.3..1.3).contains(&here));
        }
    }

    #[test]
    fn mean_ripple_slope_is_zero() {
        let texels = texels();
        for channel in 0..2 {
            let mean = texels.iter().map(|t| t[channel]).sum::<f32>() / texels.len() as f32;
            assert!((mean - 0.5).abs() < 0.01, "{mean}");
        }
        let steepest = texels.iter().map(|t| (t[0] - 0.5).abs()).fold(0.0, f32::max);
        assert!((0.2..=0.5).contains(&steepest), "{steepest}");
    }
}
