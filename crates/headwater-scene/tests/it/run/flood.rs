//! Tests of the flood maps that a run writes.

use crate::support::run::run_observed;
use headwater_scene::raster::{self, Raster, ReadOptions};
use headwater_scene::scene;
use std::path::Path;

/// Scene of a pond on a slope at an elevation of 1500 m after its dam has been removed, with dry
/// land above the pond.
const FLOOD: &str = r#"model = "flow"
grid = { nx = 60, ny = 12, cell = 2 }
time = { until = 20 }
physics = { level = "inertial" }
flood = { depth = 0.05 }
picture = { width = 240 }
[terrain]
plane = { height = 1500, slope = [-0.02, 0] }
[[terrain.shape]]
op = "raise"
amount = 3
rect = { min = [0, 0], max = [10, 24] }
[[event]]
time = 0
do = "pour"
rect = { min = [20, 0], max = [40, 24] }
amount = 1.5
[output]
frames = 0
layers = ["depth", "max_depth", "max_level", "max_speed", "max_unit_discharge", "max_hazard", "arrival", "duration"]
"#;

fn read_layer(folder: &Path, file: &str) -> Raster {
    raster::read(folder.join(file), &ReadOptions::default()).unwrap()
}

#[test]
fn flood_maps_are_written() {
    for (format, end) in [("npy", "npy"), ("geotiff", "tif"), ("png", "png")] {
        let folder = tempfile::tempdir().unwrap();
        let set = [("output.layer_format".into(), format!("'{format}'"))];
        let scene = scene::parse("x.toml", FLOOD, &set).unwrap();
        let summary = run_observed(&scene, folder.path(), |_| {});
        assert!(summary.pictures.contains(&"flood.png".into()), "{:?}", summary.pictures);
        assert!(folder.path().join("flood.png").exists());
        let read = |name: &str| read_layer(folder.path(), &format!("{name}.{end}"));
        let (depth, deepest) = (read("depth").heights, read("max_depth").heights);
        let mut both = depth.as_slice().iter().zip(deepest.as_slice());
        // PNG values are rounded to 1/65535.
        let grew = both.all(|(now, max)| *now <= max + 1e-4);
        assert!(grew && deepest.sum() > 1.2 * depth.sum());
        // Heights as in the scene; no data where there never was water.
        let level = read("max_level");
        assert!(level.no_data[(1, 5)] && !level.no_data[(15, 5)], "{format}");
        assert!((1500.0..1503.0).contains(&level.heights[(15, 5)]), "{format}");
        let arrival = read("arrival");
        assert!(arrival.no_data[(1, 5)], "{format}");
        let [first, later] = [15, 30].map(|x| arrival.heights[(x, 5)]);
        assert!(first < 1.0 && first < later && later < 20.0, "{first} {later}");
        let stood = read("duration").heights;
        let [there, above] = [stood[(30, 5)], stood[(1, 5)]];
        assert!(above == 0.0 && there > 1.0 && later + there <= 20.01, "{later} {there}");
    }
}

#[test]
fn unrequested_flood_maps_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let text = FLOOD.replace("flood = { depth = 0.05 }", "");
    assert!(scene::parse("x.toml", &text, &[]).is_err(), "layers that are not kept");
    let set = [("output.layers".into(), "[]".into())];
    let scene = scene::parse("x.toml", &text, &set).unwrap();
    run_observed(&scene, folder.path(), |flow| assert!(flow.flood().is_none()));
    assert!(!folder.path().join("flood.png").exists());
}
