//! Functions that the examples share: screenshots, light and cameras.
//!
//! `HEADWATER_SCREENSHOT=water.png cargo run -p bevy_headwater --example pond` takes a picture and
//! exits. `HEADWATER_SCREENSHOT_AT` sets the time of the picture (s on the app's clock), and
//! `HEADWATER_SCREENSHOT_SIZE=1280x720` its size (pixels). If a screenshot is requested, the clock
//! advances by 1/30 s per frame, so that pictures do not depend on the machine's speed. Nothing is
//! drawn until the time of the picture. `HEADWATER_BACKEND=gpu` selects the GPU in examples that
//! use [`backend`].
#![allow(dead_code, reason = "no example needs all of it")]

use bevy::prelude::*;
use bevy::render::render_resource::PipelineCache;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::time::TimeUpdateStrategy;
use bevy::window::PresentMode;
use bevy_headwater::WaterBackend;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Returns the backend that the environment variable `HEADWATER_BACKEND` selects: `auto`, `cpu` or
/// `gpu`.
pub(crate) fn backend() -> WaterBackend {
    match std::env::var("HEADWATER_BACKEND").as_deref() {
        Ok("cpu") => WaterBackend::Cpu,
        Ok("gpu") => WaterBackend::Gpu,
        _ => WaterBackend::Auto,
    }
}

/// Plugin that takes a screenshot if the environment requests one.
pub(crate) struct ScreenshotPlugin;

#[derive(Resource)]
struct ScreenshotRequest {
    path: String,
    at: f32,
    taken: bool,
}

impl Plugin for ScreenshotPlugin {
    fn build(&self, app: &mut App) {
        let Ok(path) = std::env::var("HEADWATER_SCREENSHOT") else { return };
        let at = std::env::var("HEADWATER_SCREENSHOT_AT").ok().and_then(|at| at.parse().ok());
        let built = FramesSinceCompiled::default();
        app.insert_resource(ScreenshotRequest { path, at: at.unwrap_or(6.0), taken: false })
            .insert_resource(TimeUpdateStrategy::ManualDuration(FRAME))
            .insert_resource(built.clone())
            .add_systems(PreStartup, resize_window)
            .add_systems(Last, take_screenshot);
        if let Some(render) = app.get_sub_app_mut(RenderApp) {
            render
                .insert_resource(built)
                .add_systems(Render, count_compiled_frames.in_set(RenderSystems::Cleanup));
        }
    }
}

/// Clock advance per frame when a screenshot has been requested (1/30 s).
const FRAME: Duration = Duration::from_nanos(33_333_333);

/// Number of frames since all requested shaders were compiled.
#[derive(Resource, Clone, Default)]
struct FramesSinceCompiled(Arc<AtomicU32>);

fn count_compiled_frames(pipelines: Res<PipelineCache>, built: Res<FramesSinceCompiled>) {
    let waits = pipelines.waiting_pipelines().next().is_some();
    let frames = if waits { 0 } else { built.0.load(Ordering::Relaxed) + 1 };
    built.0.store(frames, Ordering::Relaxed);
}

fn resize_window(mut windows: Query<&mut Window>) {
    for mut window in &mut windows {
        window.resolution.set_scale_factor_override(Some(1.0));
        let size = std::env::var("HEADWATER_SCREENSHOT_SIZE").ok();
        let size = size.as_deref().and_then(|size| size.split_once('x'));
        let size = size.and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
        let (width, height) = size.unwrap_or((1280.0, 720.0));
        window.resolution.set(width, height);
        window.present_mode = PresentMode::AutoNoVsync;
    }
}

/// Number of frames after which the picture is complete, counted from when all shaders are
/// compiled. Several frames are needed because the render world lags one frame behind the app, and
/// nothing is drawn while shaders are compiled.
const FRAMES_BEFORE_SCREENSHOT: u32 = 4;

/// Takes the screenshot at the requested time. Nothing is drawn before this time, because software
/// rendering takes a second per frame. The clock stops at the requested time, and the picture is
/// taken once all shaders are compiled.
fn take_screenshot(
    time: Res<Time<Virtual>>,
    built: Res<FramesSinceCompiled>,
    mut wanted: ResMut<ScreenshotRequest>,
    mut strategy: ResMut<TimeUpdateStrategy>,
    mut cameras: Query<&mut Camera>,
    mut commands: Commands,
) {
    let is_time = time.elapsed_secs() >= wanted.at;
    if is_time && !matches!(*strategy, TimeUpdateStrategy::ManualDuration(Duration::ZERO)) {
        *strategy = TimeUpdateStrategy::ManualDuration(Duration::ZERO);
        built.0.store(1, Ordering::Relaxed);
    }
    let frames = built.0.load(Ordering::Relaxed);
    let draws = is_time && !wanted.taken && frames > 0;
    for mut camera in &mut cameras {
        if camera.is_active != draws {
            camera.is_active = draws;
        }
    }
    if is_time && frames == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    if !draws || frames < FRAMES_BEFORE_SCREENSHOT {
        return;
    }
    wanted.taken = true;
    commands
        .spawn(Screenshot::primary_window())
        .observe(save_to_disk(wanted.path.clone()))
        .observe(|_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
            exit.write(AppExit::Success);
        });
}

/// Creates a low sun with shadows and ambient light, for a world of the given size (m).
pub(crate) fn sunlight(size: f32) -> impl Bundle {
    let cascades = bevy::light::CascadeShadowConfigBuilder {
        num_cascades: 2,
        first_cascade_far_bound: size,
        maximum_distance: 3.0 * size,
        ..default()
    };
    (
        DirectionalLight { illuminance: 11_000.0, shadow_maps_enabled: true, ..default() },
        Transform::default().looking_to(Vec3::new(-0.7, -0.75, -0.35), Vec3::Y),
        cascades.build(),
    )
}

/// Returns smooth noise from several octaves, with values from about −1 to 1.
pub(crate) fn noise(x: f32, y: f32, octaves: i32) -> f32 {
    let hash = |x: i32, y: i32| {
        let mut h = (x as u32).wrapping_mul(0x85EB_CA6B) ^ (y as u32).wrapping_mul(0xC2B2_AE35);
        h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
        h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
        (h ^ (h >> 15)) as f32 / u32::MAX as f32 * 2.0 - 1.0
    };
    let octave = |x: f32, y: f32| {
        let (i, j) = (x.floor(), y.floor());
        let smooth = |t: f32| t * t * (3.0 - 2.0 * t);
        let (u, v) = (smooth(x - i), smooth(y - j));
        let (i, j) = (i as i32, j as i32);
        let row = |j: i32| hash(i, j) + (hash(i + 1, j) - hash(i, j)) * u;
        row(j) + (row(j + 1) - row(j)) * v
    };
    let finer = |k: i32| {
        0.5_f32.powi(k) * octave(x * 2.0_f32.powi(k) + 17.0 * k as f32, y * 2.0_f32.powi(k))
    };
    (0..octaves).map(finer).sum()
}

pub(crate) fn camera(eye: Vec3, target: Vec3) -> impl Bundle {
    (
        Camera3d::default(),
        Camera {
            clear_color: ClearColorConfig::Custom(Color::srgb(0.62, 0.76, 0.88)),
            ..default()
        },
        Transform::from_translation(eye).looking_at(target, Vec3::Y),
    )
}

/// Creates a camera that faces a side view of the given size (m).
pub(crate) fn side_camera(size: Vec2) -> impl Bundle {
    let projection = OrthographicProjection {
        scaling_mode: bevy::camera::ScalingMode::AutoMin { min_width: size.x, min_height: size.y },
        ..OrthographicProjection::default_3d()
    };
    (
        Camera3d::default(),
        Camera { clear_color: ClearColorConfig::Custom(Color::srgb(0.1, 0.12, 0.15)), ..default() },
        Projection::Orthographic(projection),
        Transform::from_xyz(0.5 * size.x, -0.5 * size.y, 10.0),
    )
}
