//! Command `headwater hydrology-report`: computes metrics of fluvial geomorphology for a landscape
//! and compares them with the ranges of real landscapes.

use crate::scene;
use anyhow::{Context as _, Result};
use headwater::hydrology::Hydrology;
use headwater::hydrology::report::{Report, Survey, Waterfall};
use headwater::{Field, Square};
use headwater_cli::plot::{Axes, Canvas, LEFT, Rect, RgbColor, make_folder};
use headwater_cli::screen::{format_number, print_line};
use headwater_cli::span::min_max;
use headwater_cli::usage::UserError;
use headwater_scene::picture::{Painter, Palette, Scenery, Style, View, write_png};
use headwater_scene::raster::{self, ReadOptions};
use headwater_scene::run;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Elevation raster, hydrology scene file, or name of a built-in hydrology scene. A scene is
    /// run to its end. For a raster, `--set` accepts the terrain keys of a scene, as in `--set
    /// grid.cell=10` or `--set terrain.scale=0.1`.
    #[command(flatten)]
    target: scene::Args,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Folder for a slope-area plot, a map of the channels and a hillshade of the ground.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Width of the map and the hillshade (pixels).
    #[arg(long, value_name = "PIXELS", default_value_t = 960, value_parser = clap::value_parser!(u32).range(64..=4096))]
    width: u32,
}

/// Landscape whose metrics are reported.
struct Landscape {
    bed: Field<f32>,
    depth: Field<f32>,
    lattice: Square,
    survey: Survey,
    /// Channels to draw on the map. For a scene, these are the rivers formed by its rain; for a
    /// raster, they are derived from the terrain.
    channels: Scenery,
    notices: Vec<String>,
}

/// Reads or simulates a landscape, prints its metrics and draws its maps. Returns true, which
/// stands for success; failures are returned as errors.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let path = &*args.target.scene;
    let is_scene = path.extension().is_none_or(|extension| extension == "toml");
    let land = match is_scene {
        true => landscape_from_scene(&args.target)?,
        false if args.target.has_overrides() => land_from_terrain(&args.target)?,
        false => land_from_raster(path)?,
    };
    let rows = metric_rows(&land.survey.report);
    if args.json {
        let mut all = json!({ "land": path.to_string_lossy() });
        for row in &rows {
            all[row.name] = json!({ "value": row.value, "accepted": row.accepted });
        }
        all["falls"] = json!(land.survey.waterfalls);
        print_line(&serde_json::to_string_pretty(&all)?);
    } else {
        print_report(&rows, &land);
    }
    if let Some(folder) = &args.out {
        write_figures(&land, folder, args.width)?;
    }
    Ok(true)
}

/// Returns a copy of the layer called `name`.
fn copy_layer(world: &Hydrology, name: &str) -> Result<Field<f32>> {
    let layer = world.layer(name).with_context(|| format!("there is no layer `{name}`"))?;
    Ok(layer.into_owned())
}

/// Runs a scene to its end and returns the resulting landscape.
fn landscape_from_scene(target: &scene::Args) -> Result<Landscape> {
    let scene = target.load(&[])?;
    if scene.hydrology().is_none() {
        let message = format!(
            "{}: found a scene of the model {}, needs a hydrology scene or an elevation raster",
            target.scene.display(),
            scene.model()
        );
        return Err(UserError(message).into());
    }
    let simulation = run::run_to_end(&scene)?;
    let world = simulation.world().hydrology().context("a scene of hydrology has a land")?;
    let bed = copy_layer(world, "bed")?;
    let rivers = Scenery::from_hydrology(world).rivers;
    Ok(Landscape {
        bed,
        depth: Scenery::visible_lake_depth(world),
        lattice: *world.lattice(),
        survey: world.survey(),
        channels: Scenery { rivers, ..Scenery::default() },
        notices: simulation.notices(),
    })
}

/// Reads a raster as the terrain of a scene, with the scene overrides (`--set`) of the command
/// line. The landscape has no water.
fn land_from_terrain(target: &scene::Args) -> Result<Landscape> {
    const SCENE: &str = "model = \"hydrology\"\n[time]\nuntil = 1\n";
    let scene = target.parse_with_file(SCENE, "terrain.file")?;
    let simulation = run::build_simulation(&scene)?;
    let world = simulation.world().hydrology().context("a scene of hydrology has a land")?;
    let (bed, lattice) = (copy_layer(world, "bed")?, *world.lattice());
    let (depth, survey) = (Field::new(bed.nx(), bed.ny(), 0.0), world.survey());
    let channels = Scenery::with_rivers_from_survey(&survey, &depth, lattice.dx());
    Ok(Landscape { bed, depth, lattice, survey, channels, notices: simulation.notices() })
}

/// Reads a raster without a scene. The landscape has no water.
fn land_from_raster(path: &Path) -> Result<Landscape> {
    let mut raster = raster::read(path, &ReadOptions::default())?;
    let mut notices = raster.notices.clone();
    let [dx, dy] = raster.cell.unwrap_or_else(|| {
        notices.push("the file has no cell size: 1 m is assumed".into());
        [1.0; 2]
    });
    let size = dx.max(dy);
    let (nx, ny) = (raster.heights.nx(), raster.heights.ny());
    if dx != dy {
        let cells = |n: usize, cell: f64| ((n as f64 * cell / size).round() as usize).max(1);
        let (nx, ny) = (cells(nx, dx), cells(ny, dy));
        notices.push(format!("its cells of {dx:.3} × {dy:.3} m are resampled to squares"));
        raster = raster.resample(nx, ny);
    }
    let (nx, ny) = (raster.heights.nx(), raster.heights.ny());
    if nx < 3 || ny < 3 {
        let message = format!("{}: found {nx} × {ny} cells, needs 3 × 3", path.display());
        return Err(UserError(message).into());
    }
    let missing = &raster.no_data;
    let count = missing.as_slice().iter().filter(|missing| **missing).count();
    if count == nx * ny {
        return Err(UserError(format!("{}: no cell has a height", path.display())).into());
    }
    if count > 0 {
        notices.push(format!("{count} cells have no data and are treated as outlets"));
    }
    let known = raster.heights.as_slice().iter().zip(missing.as_slice());
    let [lowest, _] = min_max(known.filter(|(_, missing)| !**missing).map(|(z, _)| f64::from(*z)));
    let height = |x, y| if missing[(x, y)] { lowest as f32 } else { raster.heights[(x, y)] };
    let bed = Field::from_fn(nx, ny, height);
    let outlet = Field::from_fn(nx, ny, |x, y| {
        x == 0 || y == 0 || x + 1 == nx || y + 1 == ny || missing[(x, y)]
    });
    let depth = Field::new(nx, ny, 0.0);
    let survey = Survey::new(&bed, &depth, &outlet, size);
    let channels = Scenery::with_rivers_from_survey(&survey, &depth, size);
    Ok(Landscape {
        bed,
        depth,
        lattice: Square::new(nx, ny, size, size)?,
        survey,
        channels,
        notices,
    })
}

/// A metric with its accepted range, if there is one.
struct MetricRow {
    name: &'static str,
    words: &'static str,
    value: Value,
    accepted: Option<[f64; 2]>,
}

/// Returns the metrics of a report in the order in which they are printed.
fn metric_rows(report: &Report) -> Vec<MetricRow> {
    let row = |name, words, value: f64, accepted| MetricRow {
        name,
        words,
        value: json!(value),
        accepted,
    };
    let [number, length, area] = report.horton;
    let [narrow, width, wide] = report.valley_width;
    let dry = "depressions without a lake, fraction of all cells";
    let order = "highest order of a stream (Strahler)";
    let falls = json!(report.waterfalls);
    vec![
        row("concavity", "concavity θ of channels", report.concavity, Some([0.225, 0.575])),
        row("hack", "Hack's exponent", report.hack, Some([0.5, 0.7])),
        row("pits", "pits, fraction of all cells", report.pits, Some([0.0, 0.001])),
        row("dry_depressions", dry, report.dry_depressions, Some([0.0, 0.01])),
        row("slots", "slots, fraction of all cells", report.slots, Some([0.0, 0.001])),
        row("deepest_slot", "deepest slot (cells)", report.deepest_slot, Some([0.0, 3.0])),
        row("horton_number", "Horton's ratio of numbers", number, Some([3.0, 5.0])),
        row("horton_length", "Horton's ratio of lengths", length, Some([1.5, 3.5])),
        row("horton_area", "Horton's ratio of areas", area, Some([3.0, 6.0])),
        MetricRow { name: "order", words: order, value: json!(report.order), accepted: None },
        row("drainage_density", "drainage density (1/m)", report.drainage_density, None),
        row("hypsometric_integral", "hypsometric integral", report.hypsometric_integral, None),
        row("water", "under water, fraction of all cells", report.water, None),
        row("valley_width", "width of valleys at 10 m over 10 m, median", width, None),
        row("valley_width_lower", "the same, lower quartile", narrow, None),
        row("valley_width_upper", "the same, upper quartile", wide, None),
        MetricRow { name: "waterfalls", words: "waterfalls", value: falls, accepted: None },
    ]
}

fn print_report(rows: &[MetricRow], land: &Landscape) {
    for row in rows {
        let value = row.value.as_f64().map_or_else(|| "—".into(), format_number);
        let value = if row.value.is_u64() { row.value.to_string() } else { value };
        let accepted = row.accepted.map_or_else(String::new, |[low, high]| {
            let known = row.value.as_f64().filter(|value| value.is_finite());
            let outside = known.is_some_and(|value| !(low..=high).contains(&value));
            format!("{low} to {high}{}", if outside { "  outside" } else { "" })
        });
        print_line(format!("{:<46} {value:>10}  {accepted}", row.words).trim_end());
    }
    print_waterfalls(&land.survey.waterfalls);
    for notice in &land.notices {
        print_line(&format!("note: {notice}"));
    }
}

/// Maximum number of waterfalls to print.
const MAX_LISTED_WATERFALLS: usize = 5;

/// Prints the highest waterfalls, and the number of waterfalls that are not listed.
fn print_waterfalls(falls: &[Waterfall]) {
    for fall in falls.iter().take(MAX_LISTED_WATERFALLS) {
        let ([x, y], rock) = (fall.lip, if fall.over_hard_rock { ", over hard rock" } else { "" });
        let [height, area] = [fall.height, fall.area].map(format_number);
        print_line(&format!("  a fall of {height} m at [{x}, {y}], drains {area} m²{rock}"));
    }
    if let Some(more) = falls.len().checked_sub(MAX_LISTED_WATERFALLS).filter(|&more| more > 0) {
        print_line(&format!("  and {more} lower ones"));
    }
}

/// Writes the slope-area plot, the map of the channels and the hillshade.
fn write_figures(land: &Landscape, folder: &Path, width: u32) -> Result<()> {
    make_folder(folder)?;
    plot_slope_area(&land.survey).save(folder, "slope-area")?;
    let view =
        View { scenery: Some(&land.channels), ..View::new(land.lattice, &land.bed, &land.depth) };
    let style = Style {
        palette: Palette::Gray,
        contours: false,
        time_label: false,
        width,
        ..Style::default()
    };
    let map = Painter::new(style.clone(), &view)?.paint(&view);
    write_png(folder.join("channels.png"), &map)?;
    let dry = Field::new(land.bed.nx(), land.bed.ny(), 0.0);
    let bare = View::new(land.lattice, &land.bed, &dry);
    write_png(folder.join("hillshade.png"), &Painter::new(style, &bare)?.paint(&bare))?;
    Ok(())
}

/// Size of the plot (pixels).
const PLOT_SIZE: [u32; 2] = [1200, 860];
const FRAME: Rect = Rect { left: 125.0, top: 130.0, right: 1160.0, bottom: 765.0 };
const INK: RgbColor = 0x22303A;
const FAINT: RgbColor = 0xDDE3E8;
const BAND: RgbColor = 0xE4F0E2;
const LINE: RgbColor = 0xD9661F;
const DOT: RgbColor = 0x0B66B2;

/// Plots channel slope against drainage area, with the fitted line and the accepted range of the
/// concavity.
fn plot_slope_area(survey: &Survey) -> Canvas {
    let mut canvas = Canvas::new(PLOT_SIZE, FRAME);
    let title = "Channel slope against drainage area";
    canvas.draw_text(title, [FRAME.left, 52.0], 30.0, INK, LEFT);
    let points = &survey.slope_area;
    if points.len() < 2 {
        canvas.draw_text("too few channels for a fit", [FRAME.left, 300.0], 26.0, INK, LEFT);
        return canvas;
    }
    let [x, y] = [0, 1].map(|k| min_max(points.iter().map(|point| point[k])));
    let y = [(y[0] - 0.3).floor(), (y[1] + 0.3).ceil()];
    let axes = Axes::logarithmic(FRAME, [x[0] - 0.15, x[1] + 0.15], y);
    let n = points.len() as f64;
    let middle = [0, 1].map(|k| points.iter().map(|point| point[k]).sum::<f64>() / n);
    let along = |theta: f64| {
        let at = |x: f64| [x, middle[1] - theta * (x - middle[0])];
        [at(x[0] - 0.15), at(x[1] + 0.15)]
    };
    let (steep, flat) = (along(0.575), along(0.225));
    canvas.draw_clipped(|canvas| {
        // The accepted slopes form two wedges that meet at the mean point.
        for (a, b) in [(steep[0], flat[0]), (steep[1], flat[1])] {
            canvas.fill_polygon(&axes.curve_to_pixels([middle, a, b].into_iter()), BAND);
        }
    });
    axes.draw(&mut canvas, INK, FAINT);
    canvas.draw_clipped(|canvas| {
        canvas.draw_line(
            &axes.curve_to_pixels(along(survey.report.concavity).into_iter()),
            3.0,
            LINE,
        );
        for [u, v] in axes.curve_to_pixels(points.iter().copied()) {
            let corner = |k: u32| {
                let (sin, cos) = (k as f32 * std::f32::consts::TAU / 16.0).sin_cos();
                [u + 6.0 * cos, v + 6.0 * sin]
            };
            canvas.fill_polygon(&(0..16).map(corner).collect::<Vec<_>>(), DOT);
        }
    });
    let theta = format!("θ = {:.3}; the band is 0.225 to 0.575", survey.report.concavity);
    canvas.draw_text(&theta, [FRAME.left, 92.0], 22.0, INK, LEFT);
    axes.draw_labels(&mut canvas, INK, "drainage area (m²)", "slope (m/m)");
    canvas
}
