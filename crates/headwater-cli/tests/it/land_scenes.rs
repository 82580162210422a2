//! Tests that all scenes of the model `hydrology` in the library run on a coarse grid and reach the
//! documented results. Also tests `hydrology-report`.

use crate::sandbox::{Sandbox, split_at_spaces};
use headwater_scene::raster::{self, ReadOptions};
use serde_json::Value;

/// Name of each scene, with the grid and end time of its coarse run: number of columns, number of
/// rows, cell size (m), and end (drops per cell).
pub(crate) const COARSE_RUNS: [(&str, usize, usize, f64, f64); 8] = [
    ("young-range", 96, 96, 27.0, 2.0),
    ("mountain-range", 96, 64, 200.0, 19.0),
    ("lake-district", 96, 96, 27.0, 3.5),
    ("plateau-canyon", 120, 84, 27.0, 2.0),
    ("archipelago", 120, 84, 53.0, 7.0),
    ("three-ways", 72, 72, 27.0, 2.0),
    ("three-ages", 72, 72, 27.0, 2.0),
    ("front-range", 80, 80, 13.0, 1.0),
];

/// Runs a scene on its coarse grid and writes the output to a folder with the name of the scene.
/// Returns the summary.
fn run(sandbox: &Sandbox, name: &str) -> Value {
    let (_, nx, ny, cell, until) = COARSE_RUNS.into_iter().find(|coarse| coarse.0 == name).unwrap();
    let line = format!(
        "run {name} --out {name} --until {until} --set grid.nx={nx} --set grid.ny={ny} \
         --set grid.cell={cell} --set output.frames=2 --set picture.width=320 \
         --layers bed,depth,discharge,plant --json"
    );
    let outcome = sandbox.run_program(&split_at_spaces(&line)).expect_success();
    let summary = outcome.json();
    assert_eq!(summary["ledger"]["residual"], 0.0, "{name}");
    assert_eq!(summary["ledger"]["sediment"]["residual"], 0.0, "{name}");
    assert!(summary["ledger"]["sediment"]["out"]["boundary"].as_f64().unwrap() > 0.0, "{name}");
    let time = summary["simulated_seconds"].as_f64().unwrap();
    assert!((until..until + 0.13).contains(&time), "{name}: {time}");
    let [first, last] = ["frame-0001", "final"].map(|p| sandbox.read(format!("{name}/{p}.png")));
    assert!(first.starts_with(b"\x89PNG\r\n") && first != last, "{name}");
    summary
}

fn layer(sandbox: &Sandbox, name: &str, layer: &str) -> headwater::Field<f32> {
    let path = sandbox.path(name).join(format!("{layer}.npy"));
    raster::read(path, &ReadOptions::default()).unwrap().heights
}

#[test]
fn a_young_range_has_rivers_and_trees() {
    let sandbox = Sandbox::new();
    run(&sandbox, "young-range");
    let discharge = layer(&sandbox, "young-range", "discharge");
    let max_discharge = discharge.min_max().unwrap().1;
    assert!(max_discharge > 300.0 * 27.0 * 27.0, "the largest river drains {max_discharge} m²");
    let plants = layer(&sandbox, "young-range", "plant");
    for kind in [1.0, 2.0, 3.0] {
        assert!(plants.as_slice().contains(&kind), "kind {kind} grows nowhere");
    }
}

#[test]
fn a_mountain_range_rises_and_drops_erode_it() {
    let sandbox = Sandbox::new();
    let summary = run(&sandbox, "mountain-range");
    let sediment = &summary["ledger"]["sediment"];
    let [risen, left] = [&sediment["in"]["uplift"], &sediment["out"]["boundary"]];
    assert!(left.as_f64().unwrap() > 0.3 * risen.as_f64().unwrap(), "{sediment}");
    let [bed, discharge] = ["bed", "discharge"].map(|name| layer(&sandbox, "mountain-range", name));
    let (low, high) = bed.min_max().unwrap();
    assert!(high - low > 600.0, "from {low} to {high} m");
    assert!(discharge.min_max().unwrap().1 > 200.0 * 200.0 * 300.0);
    // Steps of stream power are a quarter of a drop per cell long, batches of drops at most an
    // eighth.
    let steps = summary["steps"].as_u64().unwrap();
    assert!(steps >= 72 + 8, "{steps} steps");
}

#[test]
fn a_lake_district_has_lakes() {
    let sandbox = Sandbox::new();
    run(&sandbox, "lake-district");
    let depth = layer(&sandbox, "lake-district", "depth");
    let wet = depth.as_slice().iter().filter(|&&depth| depth > 0.5).count();
    assert!(wet > 96 * 96 / 40, "{wet} cells under water");
}

#[test]
fn the_river_erodes_a_canyon_into_the_plateau() {
    let sandbox = Sandbox::new();
    let summary = run(&sandbox, "plateau-canyon");
    assert!(summary["ledger"]["in"]["source"].as_f64().unwrap() > 0.0);
    assert!(sandbox.gauge("plateau-canyon/canyon.csv", &BED)[0].len() > 10);
    let [bed, discharge] = ["bed", "discharge"].map(|name| layer(&sandbox, "plateau-canyon", name));
    // In most columns, the river is well below the ground beside it.
    let deep = |x: usize| {
        let river = (0..84).max_by(|&a, &b| discharge[(x, a)].total_cmp(&discharge[(x, b)]));
        let river = river.unwrap();
        let nearby = river.saturating_sub(5)..(river + 6).min(84);
        let bank = nearby.map(|y| bed[(x, y)]).fold(f32::MIN, f32::max);
        bank - bed[(x, river)] > 25.0
    };
    let canyon = (10..110).filter(|&x| deep(x)).count();
    assert!(canyon > 60, "{canyon} of 100 columns");
}

const BED: [&str; 4] = ["rain_drops_per_cell", "bed_m", "depth_m", "discharge_m2"];

#[test]
fn the_sea_surrounds_the_islands() {
    let sandbox = Sandbox::new();
    run(&sandbox, "archipelago");
    let [bed, depth] = ["bed", "depth"].map(|name| layer(&sandbox, "archipelago", name));
    let both = bed.as_slice().iter().zip(depth.as_slice());
    let at_level = both.clone().filter(|(z, h)| **h > 0.0 && (**z + **h).abs() < 1e-3).count();
    let dry = both.filter(|(_, h)| **h == 0.0).count();
    assert!(at_level > 2000 && dry > 1000, "{at_level} of the sea, {dry} of land");
}

#[test]
fn the_three_ways_scene_draws_its_worlds_side_by_side() {
    let sandbox = Sandbox::new();
    run(&sandbox, "three-ways");
    // Width and height are in the first chunk of a PNG.
    let picture = sandbox.read("three-ways/final.png");
    let side = |at: usize| f64::from(u32::from_be_bytes(picture[at..at + 4].try_into().unwrap()));
    let ratio = side(16) / side(20);
    assert!((ratio - 1.5).abs() < 0.02, "three columns of two, {ratio}");
    let [plain, trees] = ["plain", "trees"]
        .map(|name| sandbox.gauge(format!("three-ways/{name}.csv"), &SEDIMENT)[1].clone());
    assert_ne!(plain.last(), trees.last());
}

#[test]
fn young_and_old_land_lose_different_amounts_of_sediment() {
    let sandbox = Sandbox::new();
    run(&sandbox, "three-ages");
    let [young, old] = ["young", "old"].map(|name| {
        let columns = sandbox.gauge(format!("three-ages/{name}.csv"), &SEDIMENT);
        columns[1].last().copied().unwrap()
    });
    assert!(young > 0.0 && old > 0.0 && young != old, "{young} {old}");
}

const SEDIMENT: [&str; 3] = ["rain_drops_per_cell", "washed_out_m3", "suspended_m3"];

#[test]
fn the_front_range_scene_runs_with_wind() {
    let sandbox = Sandbox::new();
    run(&sandbox, "front-range");
}

#[test]
fn a_report_distinguishes_noise_from_eroded_land() {
    let sandbox = Sandbox::new();
    let line = "hydrology-report young-range --set grid.nx=128 --set grid.ny=128 \
         --set grid.cell=20 --set time.until=4 --json --out report";
    let carved = sandbox.run_program(&split_at_spaces(line)).expect_success().json();
    let noise = sandbox
        .run_program(&split_at_spaces(
            "hydrology-report young-range --set grid.nx=128 --set grid.ny=128 --set grid.cell=20 \
             --set time.until=0.0001 --json",
        ))
        .expect_success()
        .json();
    let figure = |land: &Value, name: &str| land[name]["value"].as_f64().unwrap();
    let dry = |land: &Value| figure(land, "dry_depressions");
    assert!(dry(&carved) < 0.02 && dry(&noise) > 0.05, "{} {}", dry(&carved), dry(&noise));
    let pits = |land: &Value| figure(land, "pits");
    assert!(pits(&carved) < 0.002 && pits(&noise) > 0.005, "{} {}", pits(&carved), pits(&noise));
    assert_eq!(carved["hack"]["accepted"], serde_json::json!([0.5, 0.7]));
    assert_eq!(sandbox.names("report"), ["channels.png", "hillshade.png", "slope-area.svg"]);
}

#[test]
fn a_report_accepts_elevation_files_and_refuses_others() {
    let sandbox = Sandbox::new();
    let bed = headwater::Field::from_fn(64, 48, |x, y| {
        100.0 + 0.5 * x as f32 + (y as f32 - 24.0).abs() + 0.3 * ((x * 7 + y * 11) % 13) as f32
    });
    raster::write_geotiff(sandbox.path("land.tif"), &bed, [10.0, 10.0], None).unwrap();
    let report = sandbox.run_program(&["hydrology-report", "land.tif"]).expect_success().stdout;
    assert!(
        report.contains("concavity θ of channels") && report.contains("0.225 to 0.575"),
        "{report}"
    );
    // Write a file without a cell size, and with heights in another unit.
    raster::write_npy(sandbox.path("land.npy"), &bed.map(|z| 10.0 * z)).unwrap();
    let set = ["--set", "grid.cell=10", "--set", "terrain.scale=0.1"];
    let figures = |file: &str, set: &[&str]| {
        sandbox
            .run_program(&[&["hydrology-report", file, "--json"], set].concat())
            .expect_success()
            .json()
    };
    let (tif, npy) = (figures("land.tif", &[]), figures("land.npy", &set));
    for name in ["concavity", "drainage_density", "hypsometric_integral", "deepest_slot"] {
        let [a, b] = [&tif, &npy].map(|land| land[name]["value"].as_f64().unwrap());
        assert!((a - b).abs() <= 1e-4 * a.abs(), "{name}: {a} {b}");
    }
    let wrong = sandbox.run_program(&["hydrology-report", "land.npy", "--set", "nonsense.key=1"]);
    assert!(wrong.stderr.contains("nonsense"), "{}", wrong.stderr);
    for (what, message) in [
        (
            "dam-breach",
            "found a scene of the model flow, needs a hydrology scene or an elevation raster",
        ),
        ("nothing.tif", "nothing.tif"),
        ("nowhere", "there is no file or scene `nowhere`"),
    ] {
        let outcome = sandbox.run_program(&["hydrology-report", what]);
        assert!(outcome.stderr.contains(message), "{what}: {}", outcome.stderr);
        assert_eq!(outcome.code, Some(2), "{what}");
    }
}
