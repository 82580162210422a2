//! Tests of rain that is given as a time series of rasters.

use headwater_scene::live::Live;
use headwater_scene::run::{Simulation, StepLimit, build_simulation};
use headwater_scene::scene::{self, Files};
use std::path::Path;

fn rain_raster(west: f64, east: f64) -> String {
    format!(
        "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 2\nnodata_value -1\n{west} {east}\n"
    )
}

/// TOML source of a scene with 4 × 2 cells. Its edges are walls, so that no water leaves during the
/// run.
const TEXT: &str = "model = 'flow'\n[grid]\nnx = 4\nny = 2\ncell = 1\n[time]\nuntil = 40\ndt = 0.7\n[terrain]\nplane = {}\n\
    [rain]\nrate = 1\n[[rain.raster]]\ntime = 10\nfile = 'a.asc'\n[[rain.raster]]\ntime = 20\nfile = 'b.asc'\n\
    [[rain.raster]]\ntime = 30\nfile = 'c.asc'\n";

fn raster_files() -> Files {
    let files = [
        ("a.asc", rain_raster(3600.0, -1.0)),
        ("b.asc", rain_raster(1800.0, 1800.0)),
        ("c.asc", rain_raster(0.0, 0.0)),
    ];
    files.iter().fold(Files::memory_only(), |held, (name, text)| held.with_file(name, text))
}

fn rain_depth(simulation: &dyn Simulation) -> f64 {
    simulation.ledger().inflow.get("rain").copied().unwrap_or(0.0)
}

#[test]
fn each_raster_applies_until_the_time_of_the_next() {
    let scene = scene::parse_with_files("rain-rasters.toml", TEXT, &[], &raster_files()).unwrap();
    let mut world = build_simulation(&scene).unwrap();
    // 1 m/h in the first raster applies to its cells with data.
    let mut after = |time: f64| {
        while world.step_toward(time, StepLimit::Efficient).unwrap() {}
        rain_depth(&*world)
    };
    let a = 10.0 * 8.0 * 1e-3 * 0.5;
    let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
    assert_eq!(after(10.0), 0.0);
    let first = after(20.0);
    // The cells of the raster are larger than those of the world; they are not interpolated.
    near(first, a);
    near(after(30.0) - first, 10.0 * 8.0 * 0.5e-3);
    let second = after(30.0);
    assert_eq!(after(40.0), second);
}

#[test]
fn resumed_runs_use_the_same_rasters() {
    let live = || {
        Live::with_options("rain-rasters.toml", TEXT, &[], None::<&Path>, &raster_files()).unwrap()
    };
    let mut on = live();
    on.take_steps(80).unwrap();
    let kept = on.snapshot().unwrap();
    on.take_steps(80).unwrap();
    let mut again = live();
    again.restore(&kept).unwrap();
    again.take_steps(80).unwrap();
    assert_eq!(again.state_hash(), on.state_hash());
    assert!(rain_depth(on.simulation()) > 0.0);
}

#[test]
fn unordered_rasters_and_negative_rain_are_rejected() {
    let said = |old: &str, new: &str| {
        let text = TEXT.replacen(old, new, 1);
        let files = raster_files().with_file("d.asc", rain_raster(5.0, -2.0));
        let scene = scene::parse_with_files("rain-rasters.toml", &text, &[], &files);
        scene.and_then(|scene| build_simulation(&scene).map(|_| ())).unwrap_err().to_string()
    };
    let error = said("time = 20", "time = 10");
    assert!(
        error.contains(
            "rain.raster[1].time: found 10 s, needs a time after that of the previous raster, 10 s"
        ),
        "{error}"
    );
    let error = said("b.asc", "d.asc");
    assert!(
        error.contains(
            "rain.raster[1].file: d.asc: found -2 in column 1, row 0, allowed is 0 to 1e9"
        ),
        "{error}"
    );
    let error = said("b.asc", "e.asc");
    assert!(error.contains("rain.raster[1].file: e.asc: the file cannot be read"), "{error}");
    let error = said("rate = 1\n", "rate = 1\nmap = 'a.asc'\n");
    assert!(error.contains("rain.map: cannot be combined with rain.raster"), "{error}");
}
