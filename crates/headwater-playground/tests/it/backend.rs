//! Tests of switching between CPU and GPU, which must change neither the world nor its picture.
//! They need a GPU adapter.

use crate::desk::PlaygroundDriver;
use crate::offscreen::Offscreen;
use eframe::egui_wgpu::{
    RenderState, RendererOptions, WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew,
};
use headwater_playground::land::{self, Camera, CanvasHalf, Extent, FrameDescription, LandStyle};
use headwater_playground::request_compute_limits;
use headwater_scene::picture::{Picture, write_png};

const SIZE: [u32; 2] = [480, 360];

/// Opens a device with the settings that a window of the playground requests.
fn open_window_device() -> RenderState {
    let mut setup = WgpuSetup::CreateNew(WgpuSetupCreateNew::without_display_handle());
    request_compute_limits(&mut setup);
    render_state(setup)
}

fn render_state(mut wgpu_setup: WgpuSetup) -> RenderState {
    if let WgpuSetup::CreateNew(setup) = &mut wgpu_setup {
        setup.instance_descriptor.backends = wgpu::Backends::PRIMARY;
    }
    let instance = pollster::block_on(wgpu_setup.new_instance());
    let configuration = WgpuConfiguration { wgpu_setup, ..WgpuConfiguration::default() };
    let options = RendererOptions::PREDICTABLE;
    pollster::block_on(RenderState::create(&configuration, &instance, None, options)).unwrap()
}

/// Renders the land of a world of the given size (m), and returns the colours of the pixels.
fn render_picture(render: &RenderState, size: [f64; 2]) -> Vec<[u8; 4]> {
    let extent = Extent { size, heights: [0.0, 20.0], exaggeration: 1.0 };
    let view = SIZE.map(|pixels| pixels as f32);
    let description = FrameDescription {
        camera: Camera::map(&extent, view),
        style: LandStyle { particles: false, ..LandStyle::default() },
        cursor: None,
        time: 0.0,
        clock: 0.0,
        size: view,
    };
    let offscreen = Offscreen::new(&render.device, &render.queue, render.target_format, SIZE);
    let mut renderer = render.renderer.write();
    let land =
        land::installed_renderer(&mut renderer.callback_resources, CanvasHalf::First).unwrap();
    offscreen.draw(land, &description)
}

/// Saves a picture for inspection, if the environment variable `HEADWATER_PICTURES` names a folder.
fn save_picture(name: &str, pixels: &[[u8; 4]]) {
    let Some(folder) = std::env::var_os("HEADWATER_PICTURES") else { return };
    let colors = pixels.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
    let [width, height] = SIZE.map(|side| side as usize);
    let picture = Picture::from_vec(width, height, colors).unwrap();
    write_png(std::path::Path::new(&folder).join(format!("{name}.png")), &picture).unwrap();
}

fn count_differences(a: &[[u8; 4]], b: &[[u8; 4]]) -> usize {
    let far = |a: &[u8; 4], b: &[u8; 4]| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 2);
    a.iter().zip(b).filter(|(a, b)| far(a, b)).count()
}

/// Restarts a paused world, performs some steps, draws a tool stroke and performs more steps.
/// Returns the state hash of the world and its picture.
fn run_steps_and_stroke(
    desk: &mut PlaygroundDriver,
    render: &RenderState,
    (name, size): (&str, [f64; 2]),
) -> (String, Vec<[u8; 4]>) {
    desk.click("button.reset");
    desk.run_frames(2);
    for _ in 0..6 {
        desk.click("button.step");
    }
    desk.draw_stroke([0.4, 0.5], [0.6, 0.5]);
    for _ in 0..6 {
        desk.click("button.step");
    }
    let picture = render_picture(render, size);
    save_picture(&format!("{name}-{}", &desk.status().backend[..3]), &picture);
    (desk.hash(), picture)
}

#[test]
fn switching_the_backend_keeps_state_and_picture() {
    let render = open_window_device();
    let mut desk = PlaygroundDriver::with_device(&render);
    for (tab, scene, tool, size) in [
        ("flow", "scene.dam-breach", "tool.dig", [1280.0, 960.0]),
        ("waves", "scene.rain-on-pond", "tool.drop", [8.25, 5.5]),
    ] {
        desk.click(&format!("tab.{tab}"));
        desk.click(scene);
        desk.pause();
        desk.click(tool);
        assert_eq!(desk.status().backend, "cpu");
        let (here, seen_here) = run_steps_and_stroke(&mut desk, &render, (tab, size));
        desk.click("backend.gpu");
        desk.run_frames(2);
        let status = desk.status();
        assert!(status.backend.starts_with("gpu: "), "{status:?}");
        let (there, seen_there) = run_steps_and_stroke(&mut desk, &render, (tab, size));
        if tab == "waves" || desk.status().backend.contains("llvmpipe") {
            assert_eq!(here, there, "{tab}");
        }
        let off = count_differences(&seen_here, &seen_there);
        assert!(off < seen_here.len() / 200, "{tab}: {off} pixels differ");
        // Undo works on the GPU, and also after returning to the CPU.
        desk.click("button.undo");
        assert_ne!(desk.hash(), there, "{tab}");
        desk.click("button.reset");
        desk.run_frames(3);
        assert!(desk.status().backend.starts_with("gpu: "), "{tab}");
        let start = render_picture(&render, size);
        // Digging in a valley changes little; a drop on a pool changes much.
        assert!(
            tab == "flow" || count_differences(&seen_there, &start) > 50,
            "{tab}: nothing moved"
        );
        desk.click("backend.cpu");
        desk.run_frames(2);
        assert_eq!(desk.status().backend, "cpu");
        assert_eq!(desk.status().errors, Vec::<String>::new());
    }
}

#[test]
fn a_running_world_survives_the_switch_and_cpu_models_stay_on_the_cpu() {
    let mut desk = PlaygroundDriver::with_device(&open_window_device());
    desk.run_frames(5);
    desk.click("backend.gpu");
    for round in 0..3 {
        let before = desk.status();
        desk.run_frames(10);
        let after = desk.status();
        assert!(after.time > before.time && after.steps > before.steps, "{round}: {after:?}");
        desk.click(if round % 2 == 0 { "backend.cpu" } else { "backend.gpu" });
    }
    assert!(desk.status().residual.abs() < 1e-6 * desk.status().volume);
    desk.click("backend.gpu");
    desk.click("tab.blocks");
    desk.run_frames(3);
    assert_eq!(desk.status().backend, "cpu");
    // The choice also applies to later worlds that support the GPU.
    desk.click("tab.waves");
    desk.click("scene.rain-on-pond");
    desk.run_frames(3);
    assert!(desk.status().backend.starts_with("gpu: "));
    // The first pond has a boat that follows a path, so its world stays on the CPU and a message
    // says so.
    let status = desk.status();
    assert!(status.errors.len() == 1 && status.errors[0].contains("on paths"), "{status:?}");
}

#[test]
fn a_draw_only_device_disables_the_switch() {
    let mut setup = WgpuSetupCreateNew::without_display_handle();
    setup.device_descriptor = std::sync::Arc::new(|_| wgpu::DeviceDescriptor {
        required_limits: wgpu::Limits::downlevel_webgl2_defaults(),
        ..wgpu::DeviceDescriptor::default()
    });
    let mut desk = PlaygroundDriver::with_device(&render_state(WgpuSetup::CreateNew(setup)));
    desk.click("backend.gpu");
    desk.run_frames(2);
    assert_eq!(desk.status().backend, "cpu");
    assert_eq!(desk.status().errors, Vec::<String>::new());
}

#[test]
fn device_loss_is_reported_and_the_world_continues() {
    let render = open_window_device();
    let mut desk = PlaygroundDriver::with_device(&render);
    desk.click("backend.gpu");
    desk.run_frames(5);
    assert!(desk.status().backend.starts_with("gpu: "));
    render.device.destroy();
    let steps = desk.status().steps;
    desk.run_frames(10);
    let status = desk.status();
    assert_eq!(status.backend, "cpu");
    assert!(
        status.errors.len() == 1 && status.errors[0].contains("the GPU was lost"),
        "{status:?}"
    );
    assert!(status.steps > steps / 2 && status.running);
}
