//! Measures the CPU time of a playground frame: steps of the world, upload for drawing, and
//! widgets. The measurement does not wait for GPU work, and skips this work on software
//! rasterizers. Command: `cargo run --release -p headwater-playground --example frame_time`.

#[path = "../../tests/it/desk.rs"]
mod desk;

use desk::PlaygroundDriver;
use eframe::egui_wgpu::{
    RenderState, RendererOptions, WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew,
};
use std::time::Instant;

/// Number of cells along each side of the measured worlds.
const SIDE: usize = 512;

/// Number of measured frames.
const FRAMES: usize = 120;
/// Number of warm-up frames before the measurement.
const WARM_UP_FRAMES: usize = 20;

/// Time available for a frame at 60 frames per second (ms).
const FRAME_BUDGET_MS: f64 = 1e3 / 60.0;

const SCENES: [(&str, &str); 4] = [
    (
        "flow, pipes",
        "model = \"flow\"\ntime.until = 1000\nterrain.noise = { height = 8, scale = 200 }\nwater.depth = 2\n\
         [grid]\nnx = SIDE\nny = SIDE\ncell = 2\n[particles]\ncount = 4000\n",
    ),
    (
        "flow, inertial",
        "model = \"flow\"\ntime.until = 1000\nterrain.noise = { height = 8, scale = 200 }\nwater.depth = 2\n\
         physics.level = \"inertial\"\n[grid]\nnx = SIDE\nny = SIDE\ncell = 2\n",
    ),
    (
        "flow, shallow water",
        "model = \"flow\"\ntime.until = 1000\nterrain.noise = { height = 8, scale = 200 }\nwater.depth = 2\n\
         physics.level = \"shallow-water\"\n[grid]\nnx = SIDE\nny = SIDE\ncell = 2\n",
    ),
    (
        "waves",
        "model = \"waves\"\ntime.until = 100\n[grid]\nnx = SIDE\nny = SIDE\ncell = 0.1\n\
         [rain]\nrate = 2\nradius = 0.4\ndepth = 0.02\n",
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let render = open_device()?;
    println!("{SIDE}² cells, {FRAME_BUDGET_MS:.1} ms allowed at 60 frames a second");
    for (name, scene) in SCENES {
        let mut desk =
            PlaygroundDriver::with_scene(&render, name, &scene.replace("SIDE", &SIDE.to_string()));
        desk.run_frames(WARM_UP_FRAMES);
        let steps = desk.status().steps;
        let mut taken: Vec<f64> = (0..FRAMES)
            .map(|_| {
                let begun = Instant::now();
                desk.run_frames(1);
                // Submits the upload, as a window does at the end of each frame.
                render.queue.submit([]);
                let _ = render.device.poll(wgpu::PollType::Poll);
                1e3 * begun.elapsed().as_secs_f64()
            })
            .collect();
        taken.sort_by(f64::total_cmp);
        let steps = (desk.status().steps - steps) as f64 / FRAMES as f64;
        let [half, percentile_95] = [FRAMES / 2, FRAMES * 95 / 100].map(|i| taken[i]);
        println!(
            "{name}: half of them in {half:.1} ms, 95 % in {percentile_95:.1} ms; {steps:.1} steps each"
        );
    }
    Ok(())
}

fn open_device() -> Result<RenderState, Box<dyn std::error::Error>> {
    let wgpu_setup = WgpuSetup::CreateNew(WgpuSetupCreateNew::without_display_handle());
    let instance = pollster::block_on(wgpu_setup.new_instance());
    let configuration = WgpuConfiguration { wgpu_setup, ..WgpuConfiguration::default() };
    let options = RendererOptions::PREDICTABLE;
    Ok(pollster::block_on(RenderState::create(&configuration, &instance, None, options))?)
}
