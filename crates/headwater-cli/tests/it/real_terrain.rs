//! Tests on real elevation files. They are skipped unless the environment variable `HEADWATER_DEM`
//! names a folder with such files.

use crate::sandbox::{Sandbox, split_at_spaces};
use headwater::Field;
use headwater_scene::raster::{self, ReadOptions};
use std::path::{Path, PathBuf};

/// Returns the elevation files in the folder that `HEADWATER_DEM` names; an empty list if the
/// variable is not set.
fn elevation_files() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("HEADWATER_DEM") else {
        println!("skipped: HEADWATER_DEM does not name a folder of *.asc files");
        return Vec::new();
    };
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "asc")).collect();
    assert!(!files.is_empty(), "HEADWATER_DEM has no *.asc file");
    files
}

/// Returns the mean elevation (m) of the cells in the given rows. Cells without data are excluded.
fn mean_elevation(
    heights: &Field<f32>,
    no_data: &Field<bool>,
    rows: std::ops::Range<usize>,
) -> f64 {
    let cells = rows.flat_map(|y| (0..heights.nx()).map(move |x| (x, y)));
    let known: Vec<f64> =
        cells.filter(|&at| !no_data[at]).map(|at| f64::from(heights[at])).collect();
    known.iter().sum::<f64>() / known.len() as f64
}

fn assert_rain_run_on_terrain(file: &Path) {
    let sandbox = Sandbox::new();
    let terrain = format!("terrain.file={}", file.display());
    let options = "run your-terrain --out out --until 60 --set output.frames=2 --set output.gif=false \
        --set picture.width=320 --set rain.rate=100 --layers bed,depth --json --set";
    let outcome = sandbox
        .run_program(&[&split_at_spaces(options)[..], &[&terrain]].concat())
        .expect_success();
    let summary = outcome.json();
    let dem = raster::read(file, &ReadOptions::default()).unwrap();
    let (nx, ny) = (dem.heights.nx(), dem.heights.ny());
    assert_eq!((&summary["nx"], &summary["ny"]), (&nx.into(), &ny.into()), "its own cells");

    let ledger = &summary["ledger"];
    let residual = ledger["residual_relative"].as_f64().unwrap();
    assert!(residual.abs() <= 1e-6, "{residual}");
    let [dx, dy] = dem.cell.unwrap();
    let open = dem.no_data.as_slice().iter().filter(|no_data| !**no_data).count();
    let expected = open as f64 * dx * dy * 0.1 * 60.0 / 3600.0;
    let rain = ledger["in"]["rain"].as_f64().unwrap();
    assert!((rain / expected - 1.0).abs() < 1e-3, "100 mm/h: {rain} m³, expected {expected}");

    let notices = summary["notices"].as_array().unwrap();
    assert_eq!(outcome.stderr.lines().count(), notices.len(), "{outcome:?}");
    outcome
        .expect_stderr(&notices.iter().map(|notice| notice.as_str().unwrap()).collect::<Vec<_>>());
    assert_eq!(dem.info.geographic, outcome.stderr.contains("degree"), "{}", outcome.stderr);

    let bed = raster::read(sandbox.path("out/bed.npy"), &ReadOptions::default()).unwrap();
    let depth = raster::read(sandbox.path("out/depth.npy"), &ReadOptions::default()).unwrap();
    assert_eq!((&bed.no_data, &depth.no_data), (&dem.no_data, &dem.no_data));
    for y in 0..ny {
        for x in (0..nx).filter(|&x| !dem.no_data[(x, y)]) {
            let gap = (bed.heights[(x, y)] - dem.heights[(x, y)]).abs();
            assert!(gap < 1e-2, "{x}, {y}: {gap} m");
        }
    }
    // A flipped file would pass the check above if its halves were alike, so check that they
    // differ.
    let third = ny / 3;
    let [north, south] =
        [0..third, ny - third..ny].map(|rows| mean_elevation(&bed.heights, &bed.no_data, rows));
    assert!((north - mean_elevation(&dem.heights, &dem.no_data, 0..third)).abs() < 0.01);
    assert!((north - south).abs() > 1.0, "{north} m, {south} m");
    println!(
        "{}: {nx} × {ny}, {north:.0} m to {south:.0} m, residual {residual:.1e}",
        file.display()
    );
}

/// Runs a world with the terrain of a file on hexagons that are one and a half times as large as
/// the file's cells.
fn assert_run_on_hexagons(file: &Path) {
    let sandbox = Sandbox::new();
    let terrain = format!("terrain.file={}", file.display());
    let dem = raster::read(file, &ReadOptions::default()).unwrap();
    let [dx, dy] = dem.cell.unwrap();
    let cell = format!("grid.cell={}", 1.5 * dx.max(dy));
    let options = "run your-terrain --out out --until 60 --set output.frames=0 --set picture.width=320 \
        --set grid.lattice=hex --set physics.level=inertial --set picture.cells=hexes \
        --set rain.rate=100 --layers bed,depth --layer-format geotiff --json --set";
    let line = [&split_at_spaces(options)[..], &[&terrain, "--set", &cell]].concat();
    let summary = sandbox.run_program(&line).expect_success().json();
    assert_eq!(summary["lattice"], "hex");
    let residual = summary["ledger"]["residual_relative"].as_f64().unwrap();
    assert!(residual.abs() <= 1e-6, "{residual}");
    let bed = raster::read(sandbox.path("out/bed.tif"), &ReadOptions::default()).unwrap();
    let size = |raster: &raster::Raster| {
        let [dx, dy] = raster.cell.unwrap();
        [raster.heights.nx() as f64 * dx, raster.heights.ny() as f64 * dy]
    };
    for (found, own) in size(&bed).into_iter().zip(size(&dem)) {
        assert!((found / own - 1.0).abs() < 0.02, "{found} m, {own} m");
    }
    // The mean height of each third of the rows must agree with the file.
    let third = |raster: &raster::Raster, i: usize| {
        let ny = raster.heights.ny();
        mean_elevation(&raster.heights, &raster.no_data, i * ny / 3..(i + 1) * ny / 3)
    };
    let range = f64::from(dem.info.max_height - dem.info.min_height);
    for i in 0..3 {
        let gap = (third(&bed, i) - third(&dem, i)).abs();
        assert!(gap < 0.01 * range, "third {i}: {gap} m off in {range} m");
    }
}

#[test]
fn rain_on_real_terrain_runs_and_balances() {
    for file in elevation_files() {
        assert_rain_run_on_terrain(&file);
        assert_run_on_hexagons(&file);
    }
}
