//! Tests that all scenes of the library with a grid in metres run to their end on a coarse grid.
//! Results of `flow` scenes are tested here; results of `waves` scenes are tested in `wave_scenes`.

use crate::sandbox::{Sandbox, split_at_spaces};
use crate::{block_scenes, land_scenes, pool_scenes};
use headwater::Series;
use headwater_scene::flow::FlowScene;
use headwater_scene::library::{self, SCENES};
use headwater_scene::raster::{self, ReadOptions};
use headwater_scene::scene;
use serde_json::Value;
use std::collections::BTreeSet;

/// Name of each scene, with the grid and end time of its coarse run: number of columns, number of
/// rows, cell size (m), and end (s).
const COARSE_RUNS: [(&str, usize, usize, f64, u32); 19] = [
    ("dam-breach", 80, 60, 16.0, 120),
    ("river-divert", 96, 64, 9.0, 720),
    ("lake-at-rest", 64, 48, 10.0, 100),
    ("rain-on-hills", 64, 48, 20.0, 1200),
    ("tide", 75, 50, 40.0, 1000),
    ("breakwater", 112, 80, 6.25, 120),
    ("conical-island", 120, 100, 0.25, 18),
    ("run-up", 200, 50, 0.2, 14),
    ("lowland-river", 96, 60, 5.0, 200),
    ("polder", 64, 40, 15.0, 3000),
    ("hex-valley", 70, 54, 20.0, 900),
    ("lava", 60, 50, 20.0, 600),
    ("drifting-logs", 96, 54, 2.5, 60),
    ("pond", 80, 54, 0.2, 13),
    ("pool-of-acid", 70, 48, 0.2, 14),
    ("harbour", 100, 70, 4.0, 64),
    ("rain-on-pond", 83, 55, 0.1, 16),
    ("carve-then-flow", 64, 48, 32.0, 120),
    ("your-terrain", 48, 40, 20.0, 600),
];

/// Parses a flow scene of the library.
fn library_scene(name: &str) -> FlowScene {
    let text = library::find_scene(name).unwrap().text;
    scene::parse(name, text, &[]).unwrap().flow().unwrap().clone()
}

/// Integrates a series from time 0 to `until` (s) numerically by the midpoint rule.
fn integrate_series(series: &Series, until: f64) -> f64 {
    let parts = 100_000;
    let step = until / f64::from(parts);
    (0..parts).map(|i| step * series.value_at((f64::from(i) + 0.5) * step)).sum()
}

/// Runs a scene on its coarse grid and writes the output to a folder with the name of the scene.
/// `extra_args` contains additional arguments. Returns the summary and the output on stderr.
fn run(sandbox: &Sandbox, name: &str, extra_args: &str) -> (Value, String) {
    let (_, nx, ny, cell, until) = COARSE_RUNS.into_iter().find(|coarse| coarse.0 == name).unwrap();
    let line = format!(
        "run {name} --out {name} --until {until} --set grid.nx={nx} --set grid.ny={ny} \
         --set grid.cell={cell} --set output.frames=5 --set picture.width=320 --json {extra_args}"
    );
    let outcome = sandbox.run_program(&split_at_spaces(&line)).expect_success();
    (outcome.json(), outcome.stderr)
}

/// Runs a scene and checks what must hold for every run: no output on stderr, a summary with
/// exactly the documented keys, and the output files that the summary lists. Returns the summary.
pub(crate) fn run_checked_scene(sandbox: &Sandbox, name: &str, extra_args: &str) -> Value {
    let (summary, stderr) = run(sandbox, name, extra_args);
    assert_eq!(stderr, "", "--json leaves nothing to say");
    assert_eq!(summary, sandbox.summary(name), "printed and written");
    let keys: BTreeSet<&str> = summary.as_object().unwrap().keys().map(String::as_str).collect();
    let documented = "scene model backend threads lattice nx ny steps simulated_seconds time_unit wall_seconds \
        cell_steps_per_second seconds state_hash ledger pictures layers meshes gauges tables settled inputs notices \
        cell_metres extent_metres bounds bounds_unit epsg";
    assert_eq!(keys, split_at_spaces(documented).into_iter().collect());
    let ledger = &summary["ledger"];
    let keys = ledger.as_object().unwrap().keys().map(String::as_str);
    // Only worlds with boundaries, sources, drains or structures have parts.
    let keys: BTreeSet<&str> = keys.filter(|key| *key != "parts").collect();
    let documented = "start in out now rounding residual residual_relative";
    assert_eq!(keys, split_at_spaces(documented).into_iter().collect());
    let handled = ledger["start"] != 0.0 || ledger["in"] != serde_json::json!({});
    assert_eq!(ledger["residual_relative"].is_number(), handled, "{name}: {ledger}");
    let (_, nx, ny, _, until) = COARSE_RUNS.into_iter().find(|coarse| coarse.0 == name).unwrap();
    assert_eq!((&summary["nx"], &summary["ny"]), (&nx.into(), &ny.into()));
    assert_eq!(summary["simulated_seconds"], f64::from(until));
    assert_eq!((&summary["scene"], &summary["model"]), (&name.into(), &model(name).into()));
    assert!(summary["steps"].as_u64().unwrap() > 10);
    assert!(summary["cell_steps_per_second"].as_f64().unwrap() > 0.0);
    assert_eq!(summary["state_hash"].as_str().unwrap().len(), 16);
    assert_output_files(sandbox, name, &summary);
    summary
}

/// Checks that the output folder contains exactly the summary and the files that the summary lists,
/// in the right formats.
fn assert_output_files(sandbox: &Sandbox, name: &str, summary: &Value) {
    let listed =
        ["pictures", "layers", "meshes", "gauges"].map(|list| summary[list].as_array().unwrap());
    let mut listed: Vec<&str> = listed.into_iter().flatten().map(|v| v.as_str().unwrap()).collect();
    listed.push("summary.json");
    listed.sort_unstable();
    assert_eq!(sandbox.names(name), listed);
    let frames = listed.iter().filter(|file| file.starts_with("frame-")).count();
    assert_eq!(frames, 6, "one of the start and five on the way");
    assert!(listed.contains(&"final.png"));
    for file in listed {
        let start = &sandbox.read(format!("{name}/{file}"))[..6];
        match file.rsplit_once('.').unwrap().1 {
            "png" => assert_eq!(start, b"\x89PNG\r\n", "{file}"),
            "gif" => assert_eq!(start, b"GIF89a", "{file}"),
            _ => {}
        }
    }
    let [first, last] = ["frame-0001", "final"].map(|p| sandbox.read(format!("{name}/{p}.png")));
    assert_ne!(first, last, "the clock in the picture goes on, if nothing else");
}

pub(crate) fn ledger_entry(summary: &Value, side: &str, name: &str) -> f64 {
    summary["ledger"][side][name].as_f64().unwrap_or(0.0)
}

const POINT: [&str; 9] = [
    "time_s",
    "depth_m",
    "surface_m",
    "speed_m_per_s",
    "velocity_east_m_per_s",
    "velocity_south_m_per_s",
    "unit_discharge_m2_per_s",
    "unit_discharge_east_m2_per_s",
    "unit_discharge_south_m2_per_s",
];
const BODY: [&str; 5] = ["time_s", "x_m", "y_m", "keel_m", "speed_m_per_s"];
const LINE: [&str; 2] = ["time_s", "discharge_m3_per_s"];
const AREA: [&str; 2] = ["time_s", "volume_m3"];

#[test]
fn every_scene_of_the_library_has_a_test() {
    let mut tested = [
        &COARSE_RUNS.map(|coarse| coarse.0)[..],
        &land_scenes::COARSE_RUNS.map(|coarse| coarse.0),
        &block_scenes::TESTED_SCENES,
        &pool_scenes::TESTED_SCENES,
    ]
    .concat();
    let mut names: Vec<&str> = SCENES.iter().map(|known| known.name).collect();
    tested.sort_unstable();
    names.sort_unstable();
    assert_eq!(names, tested);
}

/// Returns the name of a library scene's model.
pub(crate) fn model(name: &str) -> &'static str {
    let text = library::find_scene(name).unwrap().text;
    scene::parse(name, text, &[]).unwrap().model()
}

#[test]
fn the_breach_empties_the_lake_into_the_valley() {
    let sandbox = Sandbox::new();
    let summary = run_checked_scene(&sandbox, "dam-breach", "");
    assert!(sandbox.names("dam-breach").contains(&"animation.gif".to_owned()));
    let breach = sandbox.gauge("dam-breach/breach.csv", &LINE);
    for (time, discharge) in breach[0].iter().zip(&breach[1]) {
        // The trench is dug at 15 s and widened from 25 s on; until then the dam holds.
        assert!(*time > 15.0 || *discharge == 0.0, "{discharge} m³/s at {time} s");
        assert!(*time < 40.0 || *discharge > 100.0, "{discharge} m³/s at {time} s");
    }
    let lake = sandbox.gauge("dam-breach/lake.csv", &POINT);
    assert!((lake[2][0] - 42.0).abs() < 1e-3 && *lake[2].last().unwrap() < 41.7, "{:?}", lake[2]);
    let valley = sandbox.gauge("dam-breach/valley.csv", &AREA);
    assert!(valley[1].last().unwrap() > &(valley[1][0] + 10_000.0));
    assert!(ledger_entry(&summary, "in", "rain") == 0.0);
}

#[test]
fn the_trench_diverts_the_river_to_the_village() {
    let sandbox = Sandbox::new();
    let summary = run_checked_scene(&sandbox, "river-divert", "");
    assert!(ledger_entry(&summary, "in", "boundary") > 10_000.0);
    let river = sandbox.gauge("river-divert/river.csv", &LINE);
    assert!(river[1].iter().all(|discharge| *discharge > -1.0), "it runs downhill");
    let village = sandbox.gauge("river-divert/village.csv", &AREA);
    let before = village[0].iter().position(|time| *time > 120.0).unwrap() - 1;
    assert!(village[1][before] < 1.0 && village[1].last().unwrap() > &1000.0, "{:?}", village[1]);
    sandbox.gauge("river-divert/market.csv", &POINT);
}

#[test]
fn the_polder_drains_at_low_tide_until_its_gate_opens() {
    let sandbox = Sandbox::new();
    let summary = run_checked_scene(&sandbox, "polder", "");
    let flap = sandbox.gauge("polder/flap.csv", &LINE);
    assert!(flap[1].iter().all(|discharge| *discharge >= 0.0), "the sea comes in by the flap");
    assert!(flap[1].contains(&0.0), "the flap never shuts");
    assert!(flap[1].iter().any(|discharge| *discharge > 1.0), "the flap never opens");
    let weir = sandbox.gauge("polder/over-the-weir.csv", &LINE);
    assert!((weir[1].last().unwrap() - 6.0).abs() < 0.3, "the weir passes what the brook brings");
    let gate = sandbox.gauge("polder/through-the-gate.csv", &LINE);
    let polder = sandbox.gauge("polder/polder.csv", &AREA);
    let shut = gate[0].iter().position(|time| *time > 2700.0).unwrap() - 1;
    assert!(gate[1][..=shut].iter().all(|discharge| *discharge == 0.0), "the gate leaks");
    assert!(gate[1].last().unwrap() > &20.0 && polder[1].last() > Some(&(1.5 * polder[1][shut])));
    sandbox.gauge("polder/pool.csv", &POINT);
    assert!(ledger_entry(&summary, "in", "source") > 1000.0);
}

#[test]
fn a_lake_at_rest_stays_at_rest() {
    let sandbox = Sandbox::new();
    let summary = run_checked_scene(&sandbox, "lake-at-rest", "");
    assert_eq!(summary["layers"], serde_json::json!(["depth.npy", "speed.npy"]));
    assert!(!sandbox.names("lake-at-rest").contains(&"animation.gif".to_owned()));
    let middle = sandbox.gauge("lake-at-rest/middle.csv", &POINT);
    assert!(middle[1][0] > 0.5);
    let level = library_scene("lake-at-rest").water.level.unwrap();
    assert!(middle[2].iter().all(|surface| (surface - level).abs() < 1e-5), "{:?}", middle[2]);
    assert!(middle[3].iter().all(|speed| *speed < 1e-4), "{:?}", middle[3]);
}

#[test]
fn rain_infiltrates_evaporates_and_runs_off() {
    let sandbox = Sandbox::new();
    let summary = run_checked_scene(&sandbox, "rain-on-hills", "");
    // The rate is in millimetres per hour; the land is 1280 m × 960 m.
    let fallen = integrate_series(&library_scene("rain-on-hills").rain.unwrap().keys.rate, 1200.0);
    let expected = 1280.0 * 960.0 * fallen / 3.6e6;
    let rain = ledger_entry(&summary, "in", "rain");
    assert!((rain / expected - 1.0).abs() < 1e-2, "{rain} m³, expected {expected}");
    for sink in ["infiltration", "evaporation", "boundary"] {
        let volume = ledger_entry(&summary, "out", sink);
        assert!(volume > 0.0 && volume < rain, "{sink}: {volume} m³");
    }
}

#[test]
fn the_sea_follows_the_tide() {
    let sandbox = Sandbox::new();
    let summary = run_checked_scene(&sandbox, "tide", "");
    assert!(ledger_entry(&summary, "in", "boundary") > 1e5);
    let sea = sandbox.gauge("tide/sea.csv", &POINT);
    let high = sea[2].iter().copied().fold(f64::MIN, f64::max);
    assert!(sea[2][0].abs() < 1e-3 && (1.4..2.5).contains(&high), "{high} m");
    sandbox.gauge("tide/lagoon.csv", &POINT);
    sandbox.gauge("tide/gap.csv", &LINE);
}

#[test]
fn the_river_floods_its_plain_on_hexagons() {
    let sandbox = Sandbox::new();
    let summary =
        run_checked_scene(&sandbox, "hex-valley", "--layers depth --layer-format geotiff");
    assert_eq!(summary["lattice"], "hex");
    let river = sandbox.gauge("hex-valley/river.csv", &LINE);
    let after = |time: f64| river[0].iter().position(|t| *t >= time).unwrap();
    assert!(river[1][after(890.0)] > 2.0 * river[1][after(290.0)].max(50.0), "{:?}", river[1]);
    let hamlet = sandbox.gauge("hex-valley/hamlet.csv", &POINT);
    assert!(hamlet[1][0] == 0.0 && *hamlet[1].last().unwrap() > 0.05, "{:?}", hamlet[1]);
    // The cells of the raster contain the volume of the hexagons, and also that of the gaps at the
    // ends of rows (half a cell wide, in deep water).
    let depth =
        raster::read(sandbox.path("hex-valley/depth.tif"), &ReadOptions::default()).unwrap();
    let [dx, dy] = depth.cell.unwrap();
    assert!((depth.heights.nx() as f64 * dx - 70.5 * 20.0).abs() < 1e-6);
    let volume = depth.heights.sum() * dx * dy;
    let now = summary["ledger"]["now"].as_f64().unwrap();
    assert!((volume / now - 1.0).abs() < 0.05, "{volume} m³, {now} m³");
}

#[test]
fn lava_volume_equals_the_integrated_rate() {
    let sandbox = Sandbox::new();
    let summary = run_checked_scene(&sandbox, "lava", "");
    let expected = integrate_series(&library_scene("lava").sources[0].keys.rate, 600.0);
    let risen = ledger_entry(&summary, "in", "source");
    assert!((risen / expected - 1.0).abs() < 1e-2, "{risen} m³, expected {expected}");
}

#[test]
fn logs_and_a_boat_drift_down_the_river_and_a_crate_falls_into_the_pond() {
    let sandbox = Sandbox::new();
    run_checked_scene(&sandbox, "drifting-logs", "");
    for name in ["log", "boat"] {
        let way = sandbox.gauge(format!("drifting-logs/{name}.csv"), &BODY);
        let [start, end] = [way[1][0], *way[1].last().unwrap()];
        assert!(end > start + 40.0, "{name}: from {start} m to {end} m");
    }
    let fall = sandbox.gauge("drifting-logs/crate.csv", &BODY);
    let [start, end] = [fall[3][0], *fall[3].last().unwrap()];
    assert!((7.0..10.0).contains(&(start - end)), "from {start} m to {end} m");
}

#[test]
fn written_layers_can_be_read_as_rasters() {
    for (format, extension) in [("npy", "npy"), ("geotiff", "tif")] {
        let sandbox = Sandbox::new();
        let options = format!("--layers bed,depth,surface --layer-format {format}");
        let summary = run_checked_scene(&sandbox, "your-terrain", &options);
        let layer = |name: &str| {
            let file = format!("{name}.{extension}");
            assert!(summary["layers"].as_array().unwrap().contains(&file.as_str().into()));
            let path = sandbox.path("your-terrain").join(file);
            raster::read(path, &ReadOptions::default()).unwrap()
        };
        let (bed, depth, surface) = (layer("bed"), layer("depth"), layer("surface"));
        assert_eq!([depth.heights.nx(), depth.heights.ny()], [48, 40]);
        let cell = (extension == "tif").then_some([20.0, 20.0]);
        assert_eq!(depth.cell, cell);
        let mut volume = 0.0;
        for y in 0..40 {
            for x in 0..48 {
                let at = (x, y);
                let sum = bed.heights[at] + depth.heights[at];
                assert!((sum - surface.heights[at]).abs() < 1e-4, "{x}, {y}");
                volume += f64::from(depth.heights[at]) * 400.0;
            }
        }
        let now = summary["ledger"]["now"].as_f64().unwrap();
        assert!(now > 1000.0 && (volume / now - 1.0).abs() < 1e-6, "{volume} m³, {now} m³");
        // The gauge is in the middle of the map, where four cells meet.
        let middle = sandbox.gauge("your-terrain/middle.csv", &POINT);
        let last = *middle[1].last().unwrap();
        let around = [(23, 19), (24, 19), (23, 20), (24, 20)].map(|at| depth.heights[at]);
        let mean = f64::from(around.iter().sum::<f32>()) / 4.0;
        assert!(last > 0.0 && (last - mean).abs() < 1e-6, "{last} m, {mean} m");
    }
}

#[test]
fn without_json_a_run_prints_a_short_summary() {
    let sandbox = Sandbox::new();
    let line = "run your-terrain --until 20 --set grid.nx=48 --set grid.ny=40 --set output.frames=1 \
        --set picture.width=160";
    let outcome = sandbox.run_program(&split_at_spaces(line)).expect_success();
    assert_eq!(outcome.stdout.lines().count(), 3, "{outcome:?}");
    assert!(outcome.stdout.contains("48 × 40 cells") && outcome.stdout.contains("residual"));
    assert!(sandbox.path("out/your-terrain/summary.json").exists(), "the default folder");
}

#[test]
fn swell_is_lower_in_the_harbour_than_outside() {
    let sandbox = Sandbox::new();
    let summary = run_checked_scene(&sandbox, "breakwater", "");
    let range = |gauge: &str| {
        let surface = &sandbox.gauge(format!("breakwater/{gauge}.csv"), &POINT)[2];
        let (low, high) = surface.iter().fold((0.0_f64, 0.0_f64), |r, &v| (r.0.min(v), r.1.max(v)));
        high - low
    };
    let (outside, harbour, lee) = (range("outside"), range("harbour"), range("lee"));
    assert!(outside > 0.8, "{outside}");
    assert!(harbour > 0.2 && harbour < 0.7 * outside, "{harbour} {outside}");
    assert!(lee > 0.02 && lee < harbour, "{lee} {harbour}");
    assert!(
        ledger_entry(&summary, "in", "boundary") > 0.0
            && ledger_entry(&summary, "out", "boundary") > 0.0
    );
}

#[test]
fn a_wave_wraps_around_the_island_and_runs_up_behind_it() {
    let sandbox = Sandbox::new();
    run_checked_scene(&sandbox, "conical-island", "");
    let crest = |gauge: &str| {
        let columns = sandbox.gauge(format!("conical-island/{gauge}.csv"), &POINT);
        let highest = columns[0].iter().zip(&columns[2]);
        highest.fold((0.0, 0.0), |max, (&t, &w)| if w > max.1 { (t, w) } else { max })
    };
    let [front, side, lee] = ["front", "side", "lee"].map(crest);
    assert!(front.0 + 1.0 < side.0 && side.0 + 1.0 < lee.0, "{front:?} {side:?} {lee:?}");
    for (_, level) in [front, side, lee] {
        assert!((0.35..0.41).contains(&level), "{front:?} {side:?} {lee:?}");
    }
    assert!(sandbox.path("conical-island/flood.png").exists());
}

#[test]
fn the_run_up_on_the_beach_agrees_with_measurements() {
    let sandbox = Sandbox::new();
    run_checked_scene(&sandbox, "run-up", "");
    let highest = |gauge: &str| {
        let columns = sandbox.gauge(format!("run-up/{gauge}.csv"), &POINT);
        columns[2].iter().fold(f64::MIN, |max, &w| max.max(w))
    };
    let [toe, breakers, beach] = ["toe", "breakers", "beach"].map(highest);
    assert!(
        (toe - 0.3).abs() < 0.015 && breakers < toe && beach > 0.25,
        "{toe} {breakers} {beach}"
    );
    let path = sandbox.path("run-up/max_level.npy");
    let highest = raster::read(path, &ReadOptions::default()).unwrap().heights;
    let highest = highest.as_slice().iter().copied().map(f64::from).fold(f64::MIN, f64::max);
    // The cells of this run are twice as large as those of the scene.
    assert!((highest / (1.109 * 0.3_f64.powf(0.582)) - 1.0).abs() < 0.1, "{highest}");
}

#[test]
fn the_river_starts_steady_and_rises_behind_the_slide() {
    let sandbox = Sandbox::new();
    let summary = run_checked_scene(&sandbox, "lowland-river", "");
    let settled = &summary["settled"];
    assert_eq!(settled["reached"], true, "{settled}");
    assert!(settled["residual"].as_f64().unwrap() <= 1e-5);
    let above = &sandbox.gauge("lowland-river/above.csv", &POINT)[2];
    let before = above[..30].iter().fold((f64::MAX, 0.0_f64), |r, &v| (r.0.min(v), r.1.max(v)));
    assert!(before.1 - before.0 < 0.02, "steady until the slide at 40 s: {before:?}");
    assert!(above.last().unwrap() - above[0] > 0.3, "{above:?}");
    let outlet = &sandbox.gauge("lowland-river/outlet.csv", &LINE)[1];
    assert!((outlet[0] - 0.8 * 20.0).abs() < 1.0, "what comes in goes out: {}", outlet[0]);
    assert!(outlet.last().unwrap() < &(0.8 * outlet[0]), "{outlet:?}");
}
