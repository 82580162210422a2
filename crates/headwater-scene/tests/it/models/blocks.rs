//! Tests of scenes of the model `blocks`: maps as strings and images, error messages, and runs that
//! are interrupted and resumed.

use crate::support::parameters;
use crate::support::pictures::encode_png;
use crate::support::rejected::{assert_rejected, parse};
use crate::support::run::{finish, run_with_stops};
use headwater::Field;
use headwater::blocks::{Cell, Liquid, Params, Rule};
use headwater_scene::blocks;
use headwater_scene::blocks::PALETTE;
use headwater_scene::run::Run;
use headwater_scene::scene::Files;
use headwater_scene::{Scene, scene};
use png::{BitDepth, ColorType};

const MAP: &str = "
#........#
#~~.##.oo#
#~~.##.oo#
#~~.##.oo#
#~~....oo#
##########
";

/// Scene with all tables of the model `blocks`.
const EVERYTHING: &str = r#"
model = "blocks"
title = "Everything"
seed = 3
[time]
until = 6
[physics]
tick = 0.1
trapped_air = true
evaporation = 250
evaporation_period = 2
lava_period = 2
[world]
map = """
#..............#
#~~~..####..LL.#
#~~~..#..#..LL.#
#~~~..#..#..LL.#
#~~~~~~~~~~.####
#~~~~~~~~~~....#
################
"""
[[source]]
liquid = "oil"
rate = 40
rect = { min = [1, 0], max = [3, 1] }
[[drain]]
rate = 9
disc = { center = [13, 5.5], radius = 1 }
[[event]]
time = 1
every = 1
until = 3
do = "pour"
amount = 200
rect = { min = [4, 0], max = [6, 1] }
[[event]]
time = 2
do = "dig"
line = { points = [[12, 4], [15, 4]], width = 1 }
[[event]]
time = 4
do = "remove"
amount = 7
everywhere = true
[[event]]
time = 4.5
do = "build"
disc = { center = [3, 1], radius = 1 }
[[gauge]]
name = "lake"
at = [2, 5]
[[gauge]]
name = "all"
rect = { min = [0, 0], max = [16, 7] }
[output]
frames = 12
layers = ["cells", "fill", "liquid", "body", "pressure", "active"]
[picture]
view = "bodies"
width = 160
"#;

#[test]
fn text_and_picture_maps_give_the_same_world() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<&str> = MAP.trim().lines().collect();
    let color = |x: usize, y: usize| {
        let cell = match rows[y].as_bytes()[x] {
            b'#' => Cell::Wall,
            b'.' => Cell::Air,
            b'~' => Cell::WATER,
            _ => Cell::Liquid(Liquid::Oil, 256),
        };
        let [r, g, b] = PALETTE.iter().find(|(_, meaning, _)| *meaning == cell).unwrap().0;
        // Transparent pixels are air.
        [r, g, b, if cell == Cell::Air && x.is_multiple_of(2) { 0 } else { 255 }]
    };
    let pixels = Field::from_fn(10, 6, color);
    let kind = (ColorType::Rgba, BitDepth::Eight);
    let map = encode_png(kind, [10, 6], pixels.as_slice().as_flattened());
    std::fs::write(folder.path().join("map.png"), map).unwrap();
    let head = "model = \"blocks\"\n[time]\nuntil = 2\n[output]\nframes = 0\n[world]\n";
    let drawn = parse(&format!("{head}map = \"\"\"{MAP}\"\"\"\n")).unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, format!("{head}file = \"map.png\"\n")).unwrap();
    let read = scene::load(&path, &[]).unwrap();
    let cells = |scene: &Scene| blocks::build_world(scene.blocks().unwrap()).unwrap().cells();
    assert!(cells(&drawn) == cells(&read));
    let [a, b] = [("a", &drawn), ("b", &read)].map(|(name, scene)| {
        finish(Run::start(scene, name, &folder.path().join(name)).unwrap()).state_hash
    });
    assert_eq!(a, b);
}

#[test]
fn resumed_runs_end_like_uninterrupted_ones() {
    let (whole, files) = run_with_stops(&parse(EVERYTHING).unwrap(), &[&[7, 1, 16, 20]]);
    assert_eq!((whole.steps, whole.ledger.residual), (60, 0.0));
    for cause in ["source", "edit"] {
        assert!(whole.ledger.inflow.contains_key(cause), "{cause}: {:?}", whole.ledger.inflow);
    }
    for cause in ["drain", "edit", "stone", "evaporation"] {
        assert!(whole.ledger.outflow.contains_key(cause), "{cause}: {:?}", whole.ledger.outflow);
    }
    for name in ["pressure.npy", "lake.csv", "all.csv", "frame-0013.png", "animation.gif"] {
        assert!(files.contains_key(name), "{name}: {:?}", files.keys());
    }
    let gauge = String::from_utf8(files["all.csv"].clone()).unwrap();
    assert_eq!(gauge.lines().next(), Some("time_s,water_cells,oil_cells,lava_cells"));
}

#[test]
fn caves_depend_only_on_the_seed() {
    let caves = |seed: u32, more: &str| {
        let text = format!(
            "model = \"blocks\"\nseed = {seed}\n[time]\nuntil = 1\n[world]\nnx = 90\nny = 60\n\
             caves = {{ {more} }}\n"
        );
        blocks::build_world(parse(&text).unwrap().blocks().unwrap()).unwrap()
    };
    assert!(caves(4, "").cells() == caves(4, "").cells());
    assert!(caves(4, "").cells() != caves(5, "").cells());
    assert_eq!((caves(4, "").nx(), caves(4, "").ny()), (90, 60));
    let (dry, wet) = (caves(4, "ponds = 0"), caves(4, "ponds = 1"));
    assert_eq!(dry.volume(Liquid::Water), 0);
    let mut still = wet.clone();
    assert!(wet.volume(Liquid::Water) > 0 && still.run_to_rest(1), "ponds are made at rest");
    assert!(still.cells() == wet.cells());
}

#[test]
fn invalid_scenes_report_line_key_and_allowed_values() {
    let cases = r#"
        #~~~..#..# => #~~x..#..# => 17:4: world.map: the map in row 3, column 4: found `x`, allowed is `#` wall
        #~~~..#..#..LL.# => #~~~..#..#..LL# => 14:1: world.map: the length of row 3 of the map: found 15, allowed is 16, as in row 1
        map = => mapp = => 14:1: world.mapp: no such key; did you mean `map`?
        [[source]] => file = 'a.png'\n[[source]] => world: found map and file, needs one of map, file, caves
        [[source]] => nx = 4\n[[source]] => world.nx: does not apply without `caves`
        rate = 40 => rate = 0 => 25:1: source[0].rate: found 0, allowed is 1 to 256 256ths
        rate = 9 => rate = 300 => 28:1: drain[0].rate: found 300, allowed is 1 to 256 256ths
        min = [1, 0], max = [3, 1] => min = [1.6, 0.6], max = [1.9, 0.9] => source[0]: contains no cell center
        liquid = "oil" => liquid = "oli" => source[0].liquid: found "oli"; did you mean "oil"?
        do = "dig" => do = "digg" => event[1].do: found "digg"; did you mean "dig"?
        do = "dig" => do = "dig"\namount = 3 => event[1].amount: no such key; allowed are disc, rect, line, polygon, everywhere
        amount = 200 => amount = 257 => event[0].amount: found 257, allowed is 1 to 256
        at = [2, 5] => at = [2, 50] => gauge[0].at
        at = [2, 5] =>  => gauge[0]: found none, needs one of at, disc, rect
        "pressure", "active" => "depth" => output.layers[4]: found "depth"; allowed is "cells"
        view = "bodies" => view = "water" => picture.view: found "water"; allowed is "world"
        tick = 0.1 => tick = 0 => physics.tick: found 0, allowed is above 0 up to 10000 s
        tick = 0.1 => tick = 1e-9 => physics.tick: makes 6000000000 steps of the run
        tick = 0.1 => pour = 257 => physics.pour: found 257, allowed is 1 to 256 256ths
        until = 6 => until = 6\ndt = 1 => time.dt: does not apply to blocks
        [picture] => mesh = 'glb'\n[picture] => output.mesh
        seed = 3 => seed = 3\n[grid]\nnx = 3 => grid: no such key; allowed are title
    "#;
    assert_rejected(EVERYTHING, cases);
}

#[test]
fn library_scene_and_inspector_have_the_same_parameter_ranges() {
    let text = "model = \"blocks\"\n[time]\nuntil = 1\n[world]\nmap = '#~.#'\n";
    parameters::assert_ranges_match(&Params::default(), "physics", text);
}

#[test]
fn whole_blocks_contain_only_full_cells_of_water() {
    let whole = |text: &str| parse(&format!("{text}\n[physics]\nrule = \"whole-blocks\"\n"));
    let head = "model = \"blocks\"\n[time]\nuntil = 1\n[world]\nmap = '#~.#'\n";
    let scene = whole(head).unwrap();
    assert_eq!(scene.blocks().unwrap().physics.rule, Rule::WholeBlocks);
    for (table, expected) in [
        (
            "[[source]]\nrate = 9\neverywhere = true",
            "source[0].rate: found 9, the rule `whole-blocks` allows only 256",
        ),
        (
            "[[source]]\nliquid = 'oil'\nrate = 256\neverywhere = true",
            "source[0].liquid: found \"oil\", the rule `whole-blocks` allows only water",
        ),
        (
            "[[event]]\ntime = 0\ndo = 'pour'\namount = 3\neverywhere = true",
            "event[0].amount: found 3, the rule `whole-blocks` allows only 256",
        ),
    ] {
        let error = whole(&format!("{head}{table}")).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    let text = format!("{head}\n[physics]\nrule = 'whole-blocks'\ntrapped_air = true\n");
    let error = parse(&text).unwrap_err();
    let expected =
        "physics.trapped_air: found true, the rule `whole-blocks` does not support trapped air";
    assert!(error.contains(expected), "{error}");
    let files = Files::memory_only().with_file("rate.csv", "0,1\n1,2\n");
    let text = format!("{head}\n[[source]]\nrate = {{ csv = 'rate.csv' }}\neverywhere = true\n");
    let error = scene::parse_with_files("x.toml", &text, &[], &files).unwrap_err().to_string();
    let expected =
        "source[0].rate: found a series from a file, needs a whole number from 0 to 65535";
    assert!(error.contains(expected), "{error}");
    let error = whole(&head.replace('.', "3")).unwrap_err();
    assert!(error.contains("world.map: the liquid in a cell: found"), "{error}");
}
