//! The desktop window of the playground, and its command line.

use crate::status::Probe;
use crate::{App, install_fonts, request_compute_limits};
use anyhow::Context as _;
use clap::Parser;
use eframe::egui;
use headwater_scene::library;
use std::path::Path;
use std::process::ExitCode;

/// Interactive water: rivers, ponds, block worlds, pools and terrain.
#[derive(Debug, Parser)]
#[command(name = "headwater-playground", version)]
struct Arguments {
    /// Scene to open: a built-in scene (see `headwater scenes`), a scene file, or a heightmap
    /// (PNG, GeoTIFF, ASC, NPY, R16). Default: a dam to dig through.
    scene: Option<String>,
}

/// Runs the desktop program. Returns exit code 0 when the window is closed, 1 if no window can be
/// opened, and 2 if the scene is invalid.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let app = match app(arguments.scene.as_deref()) {
        Ok(app) => app,
        Err(error) => {
            eprintln!("{error:#}");
            return ExitCode::from(2);
        }
    };
    let viewport = egui::ViewportBuilder::default()
        .with_title("Headwater")
        .with_inner_size([1280.0, 800.0])
        .with_drag_and_drop(true);
    let mut options = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
    request_compute_limits(&mut options.wgpu_options.wgpu_setup);
    match eframe::run_native(
        "headwater-playground",
        options,
        Box::new(|made| {
            install_fonts(&made.egui_ctx);
            Ok(Box::new(app))
        }),
    ) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot open a window: {error}");
            ExitCode::FAILURE
        }
    }
}

fn app(scene: Option<&str>) -> anyhow::Result<App> {
    let probe = Probe::default();
    let Some(scene) = scene else { return Ok(App::new(probe)?) };
    if let Some(known) = library::find_scene(scene) {
        return Ok(App::with_scene(probe, known.name, known.text, None)?);
    }
    let path = Path::new(scene);
    let bytes = std::fs::read(path).with_context(|| format!("{}", path.display()))?;
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let is_scene = path.extension().is_none_or(|ending| ending.eq_ignore_ascii_case("toml"));
    if !is_scene {
        return Ok(App::with_file(probe, &file, &bytes)?);
    }
    let text = String::from_utf8(bytes)
        .with_context(|| format!("{}: a scene is a TOML text in UTF-8", path.display()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    // Paths in the scene are relative to its folder.
    Ok(App::with_scene(probe, &name, &text, path.parent())?)
}
