//! Draws scenes of the library as the playground shows them, without a window:
//! `cargo run --release -p headwater-playground --example land_gallery -- FOLDER [SCENE …]`. With the name `time` for
//! a folder it says how long frames take instead. `RAIN=0.7` lets it rain, `LOW=1` draws as for adapters that are programs.

#[path = "../../tests/it/offscreen.rs"]
mod offscreen;
mod woods;
mod worlds;

use headwater_playground::land::{Camera, Extent, Land, Quality, Shot, Terrain};
use headwater_scene::picture::{Picture, write_png};
use offscreen::Offscreen;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;
use worlds::Shown;

/// Scenes, and when they are looked at.
const SCENES: [(&str, f64); 13] = [
    ("dam-breach", 75.0),
    ("river-divert", 60.0),
    ("lake-at-rest", 10.0),
    ("hex-valley", 900.0),
    ("lava", 300.0),
    ("breakwater", 110.0),
    ("pond", 10.0),
    ("harbour", 12.0),
    ("young-range", 4.0),
    ("lowland-river", 150.0),
    ("polder", 600.0),
    ("drifting-logs", 40.0),
    ("rain-on-pond", 8.0),
];

/// The size of a picture (pixels).
const SIZE: [u32; 2] = [960, 600];

struct Bench {
    /// An adapter that is a program.
    software: bool,
    device: wgpu::Device,
    queue: wgpu::Queue,
    offscreen: Offscreen,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: land_gallery FOLDER [SCENE …]")?;
    let wished: Vec<String> = arguments.collect();
    let bench = Bench::new()?;
    if folder == "time" {
        return bench.times();
    }
    let folder = PathBuf::from(folder);
    std::fs::create_dir_all(&folder)?;
    let quality = if std::env::var_os("LOW").is_some() { Quality::Low } else { Quality::High };
    for (name, until) in SCENES {
        if !wished.is_empty() && !wished.iter().any(|wish| wish == name) {
            continue;
        }
        let start = Instant::now();
        let shown = Shown::of(name, until)?;
        println!("{name}: ran in {:.1?}", start.elapsed());
        let mut land = bench.land(quality, &shown)?;
        for (view, camera) in cameras(&shown, &land) {
            let shot = shot(&shown, camera);
            let pixels = bench.offscreen.draw(&mut land, &shot);
            let colors = pixels.iter().map(|&[red, green, blue, _]| [red, green, blue]);
            let [width, height] = SIZE.map(|side| side as usize);
            let picture = Picture::from_vec(width, height, colors.collect())?;
            write_png(folder.join(format!("{name}-{view}.png")), &picture)?;
        }
    }
    Ok(())
}

fn shot(shown: &Shown, camera: Camera) -> Shot {
    let size = SIZE.map(|side| side as f32);
    let mut style = shown.style.clone();
    style.rain = std::env::var("RAIN").ok().and_then(|rain| rain.parse().ok()).unwrap_or(0.0);
    Shot { camera, style, cursor: None, time: 7.3, clock: 7.3, size }
}

fn extent(shown: &Shown, land: &Land) -> Extent {
    let known = shown.bed.iter().copied().filter(|v| v.is_finite());
    let scales = land.scales();
    Extent {
        size: [
            f64::from((shown.nx as f32 + if shown.hex { 0.5 } else { 0.0 }) * shown.cell[0]),
            f64::from(shown.ny as f32 * shown.cell[1]),
        ],
        heights: [
            known.clone().fold(f32::INFINITY, f32::min),
            known.fold(f32::NEG_INFINITY, f32::max),
        ],
        exaggeration: scales.map_or(1.0, |scales| shown.style.exaggeration(&scales)),
    }
}

/// From above, from the side, and near to where the water is.
fn cameras(shown: &Shown, land: &Land) -> [(&'static str, Camera); 5] {
    let extent = extent(shown, land);
    let view = SIZE.map(|side| side as f32);
    let orbit = Camera::orbit(&extent, view);
    let mut near = orbit;
    if let Camera::Orbit { target, pitch, distance, yaw } = &mut near {
        let middle = fastest(shown);
        *target = [middle[0], middle[1], middle[2] * extent.exaggeration];
        *pitch = 0.42;
        *yaw = 0.5;
        *distance *= 0.28;
    }
    let mut close = Camera::map(&extent, view);
    if let Camera::Map { center, zoom } = &mut close {
        let middle = fastest(shown);
        *center = [f64::from(middle[0]), f64::from(middle[1])];
        *zoom *= 4.0;
    }
    let cells = shown.cells();
    let terrain = Terrain { cells, exaggeration: extent.exaggeration };
    let [x, y, _] = fastest(shown).map(f64::from);
    let walk = near.standing(Some([x, y]), view, &terrain);
    [
        ("walk", walk),
        ("orbit", orbit),
        ("near", near),
        ("map", Camera::map(&extent, view)),
        ("close", close),
    ]
}

/// East, south and height where the most water moves; on still water where it is deepest.
fn fastest(shown: &Shown) -> [f32; 3] {
    let rank = |i: usize| {
        let (x, y) = (i % shown.nx, i / shown.nx);
        let margin = |at: usize, n: usize| at > n / 6 && at < n - n / 6;
        let speed = shown.velocity.as_ref().map_or(0.0, |(e, s)| e[i].hypot(s[i]));
        if margin(x, shown.nx) && margin(y, shown.ny) {
            (speed + 1e-3) * shown.depth[i]
        } else {
            -1.0
        }
    };
    let best = (0..shown.nx * shown.ny).max_by(|&a, &b| rank(a).total_cmp(&rank(b))).unwrap_or(0);
    [
        (best % shown.nx) as f32 * shown.cell[0],
        (best / shown.nx) as f32 * shown.cell[1],
        shown.bed[best] + shown.depth[best],
    ]
}

impl Bench {
    fn new() -> Result<Self, Box<dyn Error>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let wish = wgpu::RequestAdapterOptions::default();
        let adapter = pollster::block_on(instance.request_adapter(&wish))?;
        println!("{}", adapter.get_info().name);
        let software = adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        let descriptor = wgpu::DeviceDescriptor::default();
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        let offscreen = Offscreen::new(&device, &queue, wgpu::TextureFormat::Rgba8Unorm, SIZE);
        Ok(Self { software, device, queue, offscreen })
    }

    fn land(&self, quality: Quality, shown: &Shown) -> Result<Land, Box<dyn Error>> {
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let mut land = Land::new(&self.device, &self.queue, format, quality);
        land.upload(&shown.cells())?;
        if let Some(scales) = shown.scales {
            land.set_scales(scales);
        }
        land.set_trees(&shown.trees);
        land.set_rivers(&shown.rivers);
        land.set_floats(&shown.floats);
        land.set_particles(&shown.particles);
        let tint = shown.tint.as_ref().map(|(colors, w, h)| (colors.as_slice(), *w, *h));
        land.set_tint(tint);
        Ok(land)
    }

    /// Milliseconds a frame, for worlds of several sizes; of the higher quality where a program would take seconds,
    /// not.
    fn times(&self) -> Result<(), Box<dyn Error>> {
        for side in [256, 512, 1024] {
            let shown = Shown::made_up(side);
            let high = (!self.software).then_some(Quality::High);
            for quality in [Quality::Low].into_iter().chain(high) {
                let mut land = self.land(quality, &shown)?;
                for (view, camera) in cameras(&shown, &land) {
                    let mut taken = Vec::new();
                    for i in 0..6 {
                        let start = Instant::now();
                        land.upload(&shown.cells())?;
                        let mut shot = shot(&shown, camera);
                        shot.time = f64::from(i) * 0.03;
                        self.offscreen.submit(&mut land, &shot);
                        self.device.poll(wgpu::PollType::wait_indefinitely())?;
                        taken.push(start.elapsed().as_secs_f64() * 1e3);
                    }
                    taken.remove(0);
                    taken.sort_by(f64::total_cmp);
                    println!("{side}² {quality:?} {view}: {:.1} ms", taken[taken.len() / 2]);
                }
            }
        }
        Ok(())
    }
}
