//! Tests of scenes of the model `hydrology`: resumed runs match uninterrupted runs bit for bit with
//! any number of threads, all outputs are written, and error messages contain the key, the line and
//! the allowed range.

use crate::support::parameters;
use crate::support::pictures::read_png;
use crate::support::rejected::assert_rejected;
use crate::support::run::{finish, run_with_stops};
use headwater::coupling::CarvedToFlowOptions;
use headwater::hydrology::{Edges, Niche, Params, Strata, StreamPower, Wind};
use headwater_scene::raster::{self, ReadOptions};
use headwater_scene::run::{Run, Summary, build_simulation, run_to_end};
use headwater_scene::{Scene, scene};
use std::path::Path;

/// Scene with all features of the model.
const EVERYTHING: &str = r#"
model = "hydrology"
title = "Everything"
seed = 3
[grid]
nx = 60
ny = 44
cell = 5
[terrain]
plane = { height = 40, slope = [-0.2, 0] }
noise = { height = 40, scale = 90 }
[time]
until = 2
[hydrology]
edges = { west = "wall", east = "sea" }
sea = 4
soil = 0.5
strata = { thickness = 12 }
[[rain.wind]]
towards = [-1, 0.2]
[[inflow]]
at = ["1%", "50%"]
catchment = 30000
[[event]]
do = "lower"
time = 0.2
disc = { center = [150, 100], radius = 30 }
amount = 12
falloff = "smooth"
[[event]]
do = "pour"
time = 0.3
at = [150, 100]
volume = 4000
[[event]]
do = "raise"
time = 0.4
line = { points = [[20, 20], [60, 20]], width = 10 }
level = 90
[[event]]
do = "heap"
time = 0.5
every = 0.5
disc = { center = [90, 160], radius = 20 }
amount = 2
[[event]]
do = "plant"
time = 0.6
everywhere = true
kind = "beech"
[[event]]
do = "clear"
time = 0.9
rect = { min = [0, 0], max = [100, 100] }
[[event]]
do = "smooth"
time = 1
disc = { center = [200, 60], radius = 20 }
[[event]]
do = "flatten"
time = 1.1
disc = { center = [200, 180], radius = 15 }
level = 30
[[event]]
do = "sea"
time = 1.2
level = 9
[[gauge]]
name = "pit"
at = [150, 100]
every = 0.1
[[gauge]]
name = "lakes"
measure = "lakes"
[[gauge]]
name = "sediment"
measure = "sediment"
[[gauge]]
name = "plants"
measure = "plants"
way = "deep"
[[way]]
name = "bare"
set = { plants = [], strata = { thickness = 3 } }
[[way]]
name = "deep"
set = { capacity = 0.3 }
[output]
frames = 3
layers = ["bed", "soil", "depth", "surface", "discharge", "stream", "momentum_x", "momentum_y",
    "vegetation", "plant", "size"]
mesh = "glb"
[panels]
show = ["before", "relief", "map"]
[picture]
width = 240
"#;

fn parse(text: &str) -> Scene {
    scene::parse("test.toml", text, &[]).unwrap()
}

fn run(scene: &Scene, folder: &Path) -> Summary {
    finish(Run::start(scene, "test", folder).unwrap())
}

#[test]
fn resumed_runs_end_like_uninterrupted_ones() {
    let (whole, files) = run_with_stops(&parse(EVERYTHING), &[&[5, 4, 3]]);
    assert!(whole.steps > 12, "{} steps", whole.steps);
    for name in ["final.png", "frame-0003.png", "bed.npy", "final.glb", "pit.csv", "plants.csv"] {
        assert!(files.contains_key(name), "{name}: {:?}", files.keys());
    }
}

#[test]
fn all_outputs_are_written_and_mass_is_conserved() {
    let folder = tempfile::tempdir().unwrap();
    let summary = run(&parse(EVERYTHING), folder.path());
    assert_eq!((summary.model, summary.time_unit), ("hydrology", "drops per cell"));
    assert!((2.0..2.3).contains(&summary.simulated_seconds), "{}", summary.simulated_seconds);
    assert_eq!((summary.layers.len(), summary.gauges.len()), (11, 4));
    assert_eq!(summary.meshes, ["final.glb"]);
    let ledger = &summary.ledger;
    assert_eq!((ledger.residual, ledger.unit), (0.0, "m³"));
    assert!(ledger.inflow["rain"] > 0.0 && ledger.inflow["source"] > 0.0);
    assert_eq!(ledger.inflow["edit"], 4000.0);
    let sediment = ledger.sediment.as_ref().unwrap();
    assert_eq!(sediment.residual, 0.0);
    assert!(sediment.outflow["boundary"] > 0.0 && sediment.inflow["edit"] > 0.0);
    let picture = read_png(folder.path().join("final.png"));
    assert_eq!(picture.nx(), 240, "two ways side by side");
    assert!(picture.ny() > 240, "three panels, one over the other");
    let pit = std::fs::read_to_string(folder.path().join("pit.csv")).unwrap();
    let mut lines = pit.lines();
    assert_eq!(lines.next(), Some("rain_drops_per_cell,bed_m,depth_m,discharge_m2"));
    let depth = |line: &str| line.split(',').nth(2).unwrap().parse::<f64>().unwrap();
    let deepest = lines.map(depth).fold(0.0, f64::max);
    assert!(deepest > 1.0, "a pit with 4000 m³ in it is {deepest} m deep");
    let glb = std::fs::read(folder.path().join("final.glb")).unwrap();
    assert!(glb.windows(7).any(|bytes| bytes == b"COLOR_0"), "the ground has its colours");
}

/// Scene of a mountain range. Uplift and stream-power erosion form the range, and raindrops erode
/// it afterwards.
const MOUNTAIN_RANGE: &str = r#"
model = "hydrology"
seed = 3
[grid]
nx = 60
ny = 44
cell = 50
[terrain]
noise = { height = 40, scale = 900 }
[time]
until = 3
[hydrology]
method = "stream-power"
[hydrology.stream_power]
uplift = 90
step = 0.5
[[uplift.zone]]
line = { points = [["10%", "50%"], ["90%", "40%"]], width = 1500 }
[[uplift.zone]]
everywhere = true
part = 0.1
falloff = "flat"
[[event]]
time = 2
do = "method"
method = "drops"
[output]
frames = 2
[picture]
width = 120
"#;

#[test]
fn a_run_can_switch_from_stream_power_to_drops() {
    let (whole, files) = run_with_stops(&parse(MOUNTAIN_RANGE), &[&[3, 2, 5]]);
    assert!(whole.steps > 4 + 8, "{} steps", whole.steps);
    assert!(files.contains_key("frame-0002.png"));
    let sediment = whole.ledger.sediment.as_ref().unwrap();
    assert_eq!((sediment.residual, whole.ledger.residual), (0.0, 0.0));
    assert!(sediment.inflow["uplift"] > 0.0 && sediment.outflow["boundary"] > 0.0);
    let bed = |text: &str| {
        let world = run_to_end(&parse(text)).unwrap();
        let land = world.world().hydrology().unwrap();
        (land.layer("bed").unwrap().into_owned(), land.params().method)
    };
    let (whole, method) = bed(&MOUNTAIN_RANGE.replace("until = 3", "until = 2.5"));
    assert_eq!(method.name(), "drops");
    let height = |bed: &headwater::Field<f32>, y| (10..50).map(|x| bed[(x, y)]).sum::<f32>();
    assert!(height(&whole, 20) > 40.0 * 60.0 + height(&whole, 3));
    // The end may also be reached in one step; the times agree if the longer steps allow it.
    let ways =
        "[[way]]\nname = \"drops\"\nset = { method = \"drops\" }\n[[way]]\nname = \"power\"\n";
    let world = run_to_end(&parse(&MOUNTAIN_RANGE.replace("[output]", &format!("{ways}[output]"))))
        .unwrap();
    assert!((3.0..3.5).contains(&world.world().hydrology().unwrap().time()));
}

#[test]
fn invalid_stream_power_scenes_report_errors() {
    let cases = r#"
        step = 0.5 => step = 0 => hydrology.stream_power.step: found 0, allowed is 0.001 to 100
        uplift = 90 => uplifts = 90 => hydrology.stream_power.uplifts: no such key
        method = "stream-power" => method = "ice" => hydrology.method
        method = "drops" => method = "ice" => event[0].method
        part = 0.1 => part = 2 => uplift.zone[1].part: found 2, allowed is 0 to 1
        width = 1500 => width = -1 => uplift.zone[0].line.width
        everywhere = true\n =>  => uplift.zone[1]: found none, needs one of disc, rect, line
        [[uplift.zone]] => [uplift]\nmap = "u.tif"\n[[uplift.zone]] => found both map and zone
    "#;
    assert_rejected(MOUNTAIN_RANGE, cases);
}

#[test]
fn results_are_independent_of_the_number_of_threads() {
    let scene = parse(&EVERYTHING.replace("until = 2", "until = 0.7"));
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = run_to_end(&scene).unwrap();
            world.determine_color_scales().unwrap();
            (world.state_hash(), world.draw_picture().unwrap().into_vec())
        })
    };
    assert!(hash(1) == hash(2), "one thread and two");
}

#[test]
fn the_parameters_of_a_variant_change_the_result() {
    let ways = |set: &str| EVERYTHING.replace("set = { capacity = 0.3 }", set);
    let alone = run_to_end(&parse(&ways("set = { capacity = 0.3 }"))).map(|w| w.state_hash());
    let other = run_to_end(&parse(&ways("set = { capacity = 0.31 }"))).map(|w| w.state_hash());
    assert_ne!(alone.unwrap(), other.unwrap());
}

#[test]
fn layers_match_the_state_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let text = EVERYTHING.replace("frames = 3", "frames = 0\nlayer_format = \"geotiff\"");
    let scene = parse(&text);
    run(&scene, folder.path());
    let end = run_to_end(&scene).unwrap();
    let bed = end.world().hydrology().unwrap().layer("bed").unwrap().into_owned();
    let read = raster::read(folder.path().join("bed.tif"), &ReadOptions::default()).unwrap();
    assert_eq!((&read.heights, read.cell), (&bed, Some([5.0, 5.0])));
    run(&parse(&text.replace("geotiff", "png")), folder.path());
    let bytes = std::fs::read(folder.path().join("bed.png")).unwrap();
    let gray = raster::read_bytes("bed.png", &bytes, &ReadOptions::default()).unwrap().heights;
    let apart = bed.as_slice().iter().zip(gray.as_slice()).map(|(a, b)| (a - b).abs());
    assert!(apart.fold(0.0, f32::max) < 1e-3, "half of a gray level is less than a millimetre");
}

#[test]
fn units_inconsistent_with_the_cell_size_are_errors() {
    let text = EVERYTHING.replace("soil = 0.5", "soil = 0.5\nunit = 1000");
    let message = run_to_end(&parse(&text)).err().expect("cells of 5 m").to_string();
    let reported = "18:1: hydrology.unit: found 1000, allowed is 0.078125 to 320 m";
    assert!(message.contains(reported), "{message}");
}

#[test]
fn errors_report_key_and_allowed_values() {
    let cases = r#"
        soil = 0.5 => soil = -1 => hydrology.soil: found -1, allowed is 0 to 32768 m
        soil = 0.5 => sand = 1 => hydrology.sand: no such key
        cell = 5 => cell = [5, 4] => grid.cell: found 5 × 4 m, hydrology needs cells as wide
        cell = 5 => cell = 5\nlattice = "hex" => grid.lattice: found "hex", hydrology needs
        capacity = 0.3 => capacity = 99 => way[1].set.capacity: found 99, allowed is 0 to 10 cells
        capacity = 0.3 => capacitee = 1 => way[1].set.capacitee: no such key; did you mean `capacity`
        name = "deep" => name = "bare" => way[1].name: found "bare" again
        way = "deep" => way = "shallow" => gauge[3].way: found "shallow", the ways are: bare, deep
        kind = "beech" => kind = "palm" => event[4].kind: found "palm", the kinds of plants are: willow
        volume = 4000 => amount = 1 => event[1].amount: no such key
        volume = 4000 =>  => event[1].volume: is missing
        amount = 2\n => amount = 2\nreach = 3\n => event[3].reach: no such key
        level = 90 => level = 90\namount = 1 => event[2]: found both, needs one of amount
        amount = 12 => amount = 0 => event[0].amount: found 0, allowed is above 0 up to 32768 m
        towards = [-1, 0.2] => towards = [0, 0] => rain.wind[0].towards: found 0, allowed is a direction
        towards = [-1, 0.2] => reach = 0 => rain.wind[0].reach: found 0, allowed is 0.01 to 1000
        at = ["1%", "50%"] => at = [900, 1] => inflow[0].at
        until = 2 => until = 0 => time.until: found 0, allowed is above 0 up to 1e10 drops per cell
        show = ["before",  => show = ["relief",  => panels.show[1]: is listed twice
        do = "sea" => do = "see" => event[8].do
        [[rain.wind]] => [rain]\nevery = 1\n[[rain.winds]] => rain.winds: no such key
    "#;
    assert_rejected(EVERYTHING, cases);
}

#[test]
fn missing_data_is_an_error_and_oblong_cells_are_resampled() {
    let folder = tempfile::tempdir().unwrap();
    let heights = headwater::Field::from_fn(40, 20, |x, y| 100.0 - (x + 2 * y) as f32);
    let text = "model = \"hydrology\"\n[time]\nuntil = 0.5\n[terrain]\nfile = \"dem.tif\"\n";
    let file = folder.path().join("scene.toml");
    std::fs::write(&file, text).unwrap();
    let dem = folder.path().join("dem.tif");
    raster::write_geotiff(&dem, &heights, [10.0, 20.0], None).unwrap();
    let scene = scene::load(&file, &[]).unwrap();
    let world = build_simulation(&scene).unwrap();
    assert_eq!((world.grid().nx, world.grid().ny), (20, 20));
    assert!(world.notices()[0].contains("resampled to 20 × 20 squares"), "{:?}", world.notices());
    let hole = headwater::Field::from_fn(40, 20, |x, y| (x, y) == (3, 3));
    raster::write_geotiff(&dem, &heights, [20.0, 20.0], Some(&hole)).unwrap();
    let scene = scene::load(&file, &[]).unwrap();
    let message = build_simulation(&scene).err().unwrap().to_string();
    assert!(message.contains("1 cells have no data"), "{message}");
}

#[test]
fn carved_land_runs_in_flow_with_its_lakes_and_streams() {
    let text = "model = \"flow\"\nseed = 4\n[grid]\nnx = 64\nny = 48\ncell = 8\n[terrain]\n\
        plane = { height = 900, slope = [-0.08, 0] }\nnoise = { height = 60, scale = 200 }\n\
        [carve]\nrain = 1.5\nrunoff = 40\nhydrology = { drop = 1.0, evaporation = 0.0 }\n\
        [physics]\nlevel = \"inertial\"\n[time]\nuntil = 60\n\
        [output]\nframes = 1\n[picture]\nwidth = 200\n";
    let folder = tempfile::tempdir().unwrap();
    let scene = parse(text);
    let summary = run(&scene, folder.path());
    assert!(summary.pictures.contains(&"carved.png".to_owned()), "{:?}", summary.pictures);
    assert!(summary.ledger.start > 100.0, "lakes and streams: {} m³", summary.ledger.start);
    let runoff = 0.04 / 3600.0 * (64.0 * 48.0 * 64.0) * 60.0;
    let rain: f64 = summary.ledger.inflow.values().sum();
    assert!((rain / runoff - 1.0).abs() < 0.02, "{rain} of {runoff} m³");
    let residual = summary.ledger.residual_relative.abs();
    assert!(residual < 1e-8, "{residual}");
    for (key, reported) in [
        ("[rain]\nrate = 5\n", "rain: does not apply with `[carve]`"),
        ("[water]\nlevel = 5\n", "water: does not apply with `[carve]`"),
    ] {
        let message = scene::parse("test.toml", &format!("{text}{key}"), &[]).unwrap_err();
        assert!(message.to_string().contains(reported), "{message}");
    }
}

#[test]
fn library_scene_and_inspector_have_the_same_parameter_ranges() {
    let head = "model = 'hydrology'\n[grid]\nnx = 8\nny = 6\ncell = 5\n[terrain]\nplane = { height = 9 }\n\
                [time]\nuntil = 1\n";
    parameters::assert_ranges_match(&Params::default(), "hydrology", head);
    parameters::assert_ranges_match(&Edges::default(), "hydrology.edges", head);
    parameters::assert_ranges_match(&StreamPower::default(), "hydrology.stream_power", head);
    let strata = format!("{head}[hydrology]\nstrata = {{ thickness = 2 }}\n");
    parameters::assert_ranges_match(&Strata::default(), "hydrology.strata", &strata);
    let plants = format!("{head}[[hydrology.plants]]\nname = 'moss'\n");
    parameters::assert_ranges_match(&Niche::default(), "hydrology.plants[0]", &plants);
    let wind = format!("{head}[[rain.wind]]\ntowards = [1, 0]\n");
    parameters::assert_ranges_match(&Wind::default(), "rain.wind[0]", &wind);
    let flow = head.replace("hydrology", "flow");
    parameters::assert_ranges_match(
        &CarvedToFlowOptions::default(),
        "carve",
        &format!("{flow}[carve]\nrain = 0.01\n"),
    );
}
