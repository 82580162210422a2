//! Command `headwater info`: describes a raster, a checkpoint or a scene.

use anyhow::{Context as _, Result};
use headwater_cli::screen::print_line;
use headwater_cli::usage::UserError;
use headwater_scene::raster::{self, ReadOptions};
use headwater_scene::run;
use headwater_scene::scene::{self, Clock};
use serde_json::{Value, json};
use std::io::Read as _;
use std::path::Path;

/// Maximum number of cells of a raster that `headwater info` reads.
const MAX_CELLS: usize = 1 << 32;

/// Prints the properties of a raster, a checkpoint or a scene. Returns true, which stands for
/// success; failures are returned as errors.
pub(crate) fn info(file: &Path, as_json: bool) -> Result<bool> {
    let (mut what, notices) = describe_file(file)?;
    if as_json {
        what["notices"] = notices.into();
        print_line(&serde_json::to_string_pretty(&what)?);
        return Ok(true);
    }
    print_line(&file.display().to_string());
    for (key, value) in what.as_object().into_iter().flatten() {
        let text = match value {
            Value::Null => continue,
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        print_line(&format!("  {:<20} {text}", key.replace('_', " ")));
    }
    if let Some(text) = describe_map_conversion(&what) {
        print_line(&format!("  {:<20} {text}", "in a scene"));
    }
    for notice in notices {
        print_line(&format!("  note: {notice}"));
    }
    Ok(true)
}

/// Returns a description of the conversion from map coordinates to scene positions; `None` for a
/// raster without bounds or cell size.
fn describe_map_conversion(raster: &Value) -> Option<String> {
    let number = |value: &Value| value.as_f64();
    let [west, south, east, north] = [0, 1, 2, 3].map(|i| number(&raster["bounds"][i]));
    let (west, south, east, north) = (west?, south?, east?, north?);
    let along = |axis: usize, cells: &str| {
        Some(number(&raster["cell_metres"][axis])? * number(&raster[cells])?)
    };
    let [wide, high] = [along(0, "width")? / (east - west), along(1, "height")? / (north - south)];
    let times = |factor: f64| match (factor - 1.0).abs() < 1e-12 {
        true => String::new(),
        false => format!(" × {factor}"),
    };
    Some(format!(
        "{{ map = [E, N] }} is [(E − {west}){}, ({north} − N){}] m",
        times(wide),
        times(high)
    ))
}

fn describe_file(file: &Path) -> Result<(Value, Vec<String>)> {
    if file.extension().is_some_and(|extension| extension == "toml") {
        return describe_scene(file);
    }
    let mut start = Vec::new();
    let in_parts = run::is_checkpoint_in_parts(file);
    if !in_parts && !scene::Files::from_disk().is_zarr_store(file) {
        let read = scene::open_file(file).and_then(|f| f.take(64).read_to_end(&mut start));
        read.map_err(|error| UserError(format!("{}: cannot be read: {error}", file.display())))?;
    }
    if in_parts || run::is_checkpoint(&start) {
        let info = run::checkpoint_info(file);
        let info = info.map_err(|problem| UserError(format!("{}: {problem}", file.display())))?;
        let mut value = serde_json::to_value(info).context("a checkpoint's figures")?;
        value["kind"] = "checkpoint".into();
        return Ok((value, Vec::new()));
    }
    // Rows are not kept, so that rasters of any size can be described.
    let options = ReadOptions { max_cells: MAX_CELLS, ..ReadOptions::default() };
    let (info, notices) =
        raster::read_rows(&scene::Files::from_disk(), file, &options, &mut |_, _| Ok(()))?;
    let mut value = serde_json::to_value(&info).context("a raster's figures")?;
    value["kind"] = "raster".into();
    Ok((value, notices))
}

fn describe_scene(file: &Path) -> Result<(Value, Vec<String>)> {
    let scene = scene::load(file, &[])?;
    let simulation = run::build_simulation(&scene)?;
    let grid = simulation.grid();
    let mut value = json!({
        "kind": "scene",
        "model": scene.model(),
        "title": scene.title(),
        "description": scene.description(),
        "lattice": grid.lattice,
        "columns": grid.nx,
        "rows": grid.ny,
        "events": scene.event_count(),
        "gauges": scene.gauge_count(),
    });
    let unit = if scene.clock() == &Clock::RAIN { "drops_per_cell" } else { "seconds" };
    value[format!("step_{unit}")] = simulation.step_length().into();
    value[format!("until_{unit}")] = scene.until().into();
    for (name, figure) in simulation.statistics() {
        value[name] = figure;
    }
    Ok((value, simulation.notices()))
}
