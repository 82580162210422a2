//! Tests of scenes of the model `columns`: maps as strings, images and lists, error messages, and
//! runs that are interrupted and resumed.

use crate::support::parameters;
use crate::support::pictures::encode_png;
use crate::support::rejected::{assert_rejected, parse};
use crate::support::run::{finish, run_with_stops};
use headwater::Field;
use headwater::columns::{Heat, Heater, Params, Source, Weather, Wind};
use headwater::parameter::Parameters;
use headwater_scene::columns::ColumnsWorld;
use headwater_scene::columns::PALETTE;
use headwater_scene::run::Run;
use headwater_scene::scene;
use png::{BitDepth, ColorType};

/// Scene with all tables of the model `columns`.
const EVERYTHING: &str = r#"
model = "columns"
title = "Everything"
seed = 3
[time]
until = 6
[physics]
columns_per_cell = 2
[physics.heat]
pace = 1000
[world]
cell = 0.5
map = """
#..............#
#.~...####.....#
#.....#oo#.....#
#.....#..#.....#
#..............#
#..........#...#
################
"""
[[wall]]
rect = { min = [6.5, 2.5], max = [7.5, 3] }
[[anchor]]
at = [3.6, 1.2]
kind = "bubble"
[weather]
rain = [[0, 0], [2, 5000], [4, 0]]
evaporation = 40
air = [[0, 15], [3, -30]]
[wind]
acceleration = 0.05
gusts = 2
[[source]]
rate = [[0, 0.2], [3, 0]]
rect = { min = [0.5, 0], max = [1, 0.5] }
[[drain]]
rate = 0.05
disc = { center = [6.2, 2], radius = 0.4 }
[[heater]]
power = 2000
rect = { min = [0.5, 2.5], max = [2, 3] }
[[body]]
kind = "barrel"
at = [1.6, 0.4]
radius = 0.2
[[body]]
at = [5.5, 0.4]
size = [0.4, 0.3]
density = 700
[[event]]
time = 1
every = 1
until = 3
do = "splash"
height = 0.2
disc = { center = [2, 1], radius = 0.4 }
[[event]]
time = 2
do = "dig"
rect = { min = [3, 0.5], max = [3.5, 1] }
[[event]]
time = 3.2
do = "build"
rect = { min = [3, 0.5], max = [3.5, 1] }
[[event]]
time = 2.5
do = "pour"
volume = 0.3
rect = { min = [5, 0], max = [7, 1] }
[[event]]
time = 4
do = "remove"
volume = 0.1
everywhere = true
[[event]]
time = 1.5
do = "push"
velocity = 0.5
everywhere = true
[[gauge]]
name = "pond"
at = [2, 2]
[[gauge]]
name = "half"
rect = { min = [0, 0], max = [4, 3.5] }
[[gauge]]
name = "heat"
measure = "heat"
[output]
frames = 12
layers = ["walls", "fill", "pool", "head", "velocity", "temperature", "ice", "light", "awake"]
[picture]
width = 192
"#;

#[test]
fn text_picture_and_list_boards_give_the_same_world() {
    let folder = tempfile::tempdir().unwrap();
    let rows = ["#.....#", "#~....#", "#.....#", "#######"];
    let color = |x: usize, y: usize| {
        let name = match rows[y].as_bytes()[x] {
            b'#' => "wall",
            b'~' => "level anchor",
            _ => "air",
        };
        let [r, g, b] = PALETTE.iter().find(|(_, _, known)| *known == name).unwrap().0;
        [r, g, b, 255]
    };
    let pixels = Field::from_fn(7, 4, color);
    let kind = (ColorType::Rgba, BitDepth::Eight);
    let board = encode_png(kind, [7, 4], pixels.as_slice().as_flattened());
    std::fs::write(folder.path().join("board.png"), board).unwrap();
    let head = "model = \"columns\"\n[time]\nuntil = 1\n[world]\n";
    let drawn = parse(&format!("{head}map = \"\"\"\n{}\n\"\"\"\n", rows.join("\n"))).unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, format!("{head}file = \"board.png\"\n")).unwrap();
    let read = scene::load(&path, &[]).unwrap();
    let listed = parse(&format!(
        "{head}nx = 7\nny = 4\n[[wall]]\neverywhere = true\n\
         [[wall]]\nair = true\nrect = {{ min = [1, 0], max = [6, 3] }}\n\
         [[anchor]]\nat = [1.5, 1.000000001]\n"
    ))
    .unwrap();
    let [drawn, read, listed] = [drawn, read, listed]
        .map(|scene| ColumnsWorld::build(scene.columns().unwrap()).unwrap().columns);
    assert_eq!(drawn.volume(), 10.0);
    assert_eq!(drawn.state_hash(), read.state_hash());
    assert_eq!(drawn.state_hash(), listed.state_hash());
}

#[test]
fn resumed_runs_end_like_uninterrupted_ones() {
    let (whole, files) = run_with_stops(&parse(EVERYTHING).unwrap(), &[&[7, 1, 130, 70, 50]]);
    assert_eq!((whole.steps, whole.ledger.residual), (360, 0.0));
    for cause in ["source", "rain", "edit"] {
        assert!(whole.ledger.inflow.contains_key(cause), "{cause}: {:?}", whole.ledger.inflow);
    }
    for cause in ["drain", "edit", "evaporation"] {
        assert!(whole.ledger.outflow.contains_key(cause), "{cause}: {:?}", whole.ledger.outflow);
    }
    for name in ["ice.npy", "pond.csv", "heat.csv", "frame-0013.png", "animation.gif"] {
        assert!(files.contains_key(name), "{name}: {:?}", files.keys());
    }
}

#[test]
fn views_give_different_pictures() {
    let mut seen = Vec::new();
    for view in ["world", "temperature", "velocity", "mesh"] {
        let folder = tempfile::tempdir().unwrap();
        let text = EVERYTHING.replace("width = 192", &format!("width = 192\nview = \"{view}\""));
        let text = text.replace("until = 6", "until = 5").replace("frames = 12", "frames = 0");
        finish(Run::start(&parse(&text).unwrap(), "test", folder.path()).unwrap());
        let picture = std::fs::read(folder.path().join("final.png")).unwrap();
        assert!(!seen.contains(&picture), "{view}");
        seen.push(picture);
    }
}

#[test]
fn pools_built_from_blocks_conserve_the_volume() {
    let text = "model = 'columns'\nseed = 4\n[time]\nuntil = 1\n[world]\ncell = 0.5\n\
                [world.blocks]\nnx = 90\nny = 60\ncaves = { lava = 0, oil = 0 }\n";
    let world = |text: &str| ColumnsWorld::build(parse(text).unwrap().columns().unwrap());
    let pools = world(text).unwrap().columns;
    assert!(pools.volume() > 1.0);
    assert_eq!(world(text).unwrap().columns.state_hash(), pools.state_hash());
    let other = world(&text.replace("seed = 4", "seed = 5")).unwrap().columns;
    assert_ne!(other.state_hash(), pools.state_hash());
    let molten = text.replace("lava = 0", "lava = 0.9");
    let error = world(&molten).unwrap_err().to_string();
    assert!(error.contains("world.blocks: the liquid in cell"), "{error}");
    let error = parse(&format!("{text}[[anchor]]\nat = [1, 1]\n")).unwrap_err();
    assert!(error.contains("anchor: does not apply with world.blocks"), "{error}");
}

#[test]
fn invalid_scenes_report_line_key_and_allowed_values() {
    let cases = r#"
        #.~...#### => #.~..x#### => world.map: a map in row 2, column 6: found `x`, allowed is `#`
        #.~...####.....# => #.~...####....# => world.map: a map in row 2, column 15: found 15 characters
        map = => mapp = => world.mapp: no such key; did you mean `map`?
        cell = 0.5 => cell = 0 => world.cell: found 0, allowed is 1e-6 to 1000000 m
        cell = 0.5 => cell = 0.5\nnx = 3 => world: found map and nx and ny, needs one of map
        kind = "bubble" => kind = "buble" => anchor[0].kind: found "buble"
        at = [3.6, 1.2] => at = [36, 1.2] => anchor[0].at
        rate = 0.05 => rate = -1 => drain[0].rate: found -1, allowed is 0 to 1000000 m³/s
        evaporation = 40 => evaporation = 1e9 => weather.evaporation: found 1e9, allowed is
        [3, -30] => [3, -300] => weather.air: found -300, allowed is -100 to 200 °C
        acceleration = 0.05 => acceleration = 2 => wind.acceleration: found 2, allowed is -1
        power = 2000 => power = -5 => heater[0].power: found -5, allowed is 0 to
        radius = 0.2 => radius = 0.2\nsize = [1, 1] => body[0]: found both, needs one of size
        density = 700 => density = 0 => body[1].density: found 0, allowed is 1 to 100000
        do = "dig" => do = "digg" => event[1].do: found "digg"; did you mean "dig"?
        do = "dig" => do = "dig"\nvolume = 3 => event[1].volume: no such key
        volume = 0.3 => volume = 0 => event[3].volume: found 0, allowed is above 0
        height = 0.2 => height = 20 => event[0].height: found 20, allowed is -3.5 to 3.5 m
        at = [2, 2] => at = [2, 50] => gauge[0].at
        at = [2, 2] =>  => gauge[0]: found none, needs one of at, disc, rect, measure
        "light", "awake" => "depth" => output.layers[7]: found "depth"; allowed is
        width = 192 => view = 'bodies' => picture.view: found "bodies"; allowed is
        columns_per_cell = 2 => columns_per_cell = 2\nstep = 50 => physics.step: found 50, which makes the default of `damping`, 0.3, invalid: allowed is 0 to 0.02 1/s
        columns_per_cell = 2 => columns_per_cell = 2\nstep = 50\ndamping = 1 => physics.damping: found 1, allowed is 0 to 0.02 1/s (`step`)
        columns_per_cell = 2 => columns_per_cell = 99 => physics.columns_per_cell: found 99
        pace = 1000 => pace = 0 => physics.heat.pace: found 0, allowed is above 0
        until = 6 => until = 6\ndt = 1 => time.dt: does not apply to columns
        [picture] => mesh = 'glb'\n[picture] => output.mesh
        [picture] => [physics.x]\n[picture] => physics.x: no such key
    "#;
    assert_rejected(EVERYTHING, cases);
    // Tension applies only to springs.
    let step = |keys: &str| parse(&EVERYTHING.replace("columns_per_cell = 2", keys)).map(drop);
    assert_eq!(step("columns_per_cell = 2\nstep = 1"), Ok(()));
    let error = step("motion = 'springs'\nstep = 1").unwrap_err();
    let expected = "physics.step: found 1, which makes the default of `tension`, 90, invalid";
    assert!(error.contains(expected), "{error}");
    let empty = "model = 'columns'\ntime.until = 1\nworld = { cell = 1, map = '' }\n";
    let error = parse(empty).unwrap_err();
    let expected = "world.map: a map: found no cells, allowed is `#` wall";
    assert!(error.contains(expected), "{error}");
    let walled = "model = 'columns'\ntime.until = 1\nworld = { cell = 1, map = \"#~.#\\n####\" }\n\
        [[body]]\nat = [3.5, 0.5]\nradius = 0.2\n";
    let walled = parse(walled).unwrap();
    let error = ColumnsWorld::build(walled.columns().unwrap()).unwrap_err().to_string();
    let expected = "body[0].at: found [3.5, 0.5] m, which is in a wall";
    assert!(error.contains(expected), "{error}");
    let springs = EVERYTHING.replace("columns_per_cell = 2", "motion = 'springs'");
    let error = parse(&springs).unwrap_err();
    for key in ["source[0]", "drain[0]", "weather.rain", "event[3]"] {
        let expected = format!("{key}: does not apply to springs, which move no water");
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn library_scene_and_inspector_have_the_same_parameter_ranges() {
    let text = "model = 'columns'\n[time]\nuntil = 1\n[world]\nnx = 4\nny = 4\ncell = 1000000\n\
                [physics.heat]\npace = 2\n[wind]\ngusts = 2\n\
                [[source]]\nrate = 1\neverywhere = true\n[[heater]]\npower = 1\neverywhere = true\n";
    parameters::assert_ranges_match(&Params::default(), "physics", text);
    parameters::assert_ranges_match(&Heat::default(), "physics.heat", text);
    parameters::assert_ranges_match(&Weather::default(), "weather", text);
    parameters::assert_ranges_match(&Wind::default(), "wind", text);
    parameters::assert_ranges_match(&Source::defaults(), "source[0]", text);
    parameters::assert_ranges_match(&Heater::defaults(), "heater[0]", text);
}
