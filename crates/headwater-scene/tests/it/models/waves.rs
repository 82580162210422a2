//! Tests of scenes of the model `waves`: resumed runs match uninterrupted runs, all outputs are
//! written, and error messages contain the key, the line and the allowed range.

use crate::support::parameters;
use crate::support::rejected::parse_cases;
use crate::support::run::{finish, run_with_stops};
use headwater::waves::{Params, Rain, Wind};
use headwater_scene::run::StepLimit;
use headwater_scene::run::{Run, build_simulation};
use headwater_scene::{Scene, scene};

/// Scene with all features of the model `waves`.
const EVERYTHING: &str = r#"
model = "waves"
title = "Everything"
seed = 3
[grid]
nx = 60
ny = 44
cell = 0.25
[time]
until = 3
[physics]
speed = 2
damping = 0.3
step = 0.05
depth = 0.8
highest = 0.5
absorbing_cells = 6
[edges]
west = "absorbing"
east = "pinned"
[[land]]
rect = { min = [0, 9], max = [15, 11] }
[[land]]
line = { points = [[4, 9], [6, 11]], width = 1 }
water = true
[[start]]
at = [5, 3]
radius = 1.2
depth = 0.1
[[start]]
stroke = { points = [[8, 2], [8, 6]], width = 1 }
depth = -0.05
[[body]]
at = [3, 7]
size = [1.4, 0.6]
draft = 0.06
path = { points = [[12, 7], [12, 2]], speed = 2.5, from = 0.5, round = true }
[[body]]
kind = "crate"
at = ["50%", "50%"]
radius = 0.5
draft = 0.05
velocity = [-0.4, 0.1]
[[maker]]
from = [2, 0]
to = [2, 9]
width = 1.2
head = 0.02
period = 1
[rain]
rate = 0.2
radius = 0.8
depth = 0.02
[wind]
velocity = [2, 1]
gusts = 3
radius = 1.5
head = 0.01
[[event]]
do = "drop"
time = 0.4
every = 0.7
until = 2
at = [10, 5]
radius = 1
depth = 0.08
[[event]]
do = "stroke"
time = 1
line = { points = [[6, 6], [9, 8]], width = 1 }
depth = 0.04
[[event]]
do = "land"
time = 1.2
disc = { center = [7, 4], radius = 1 }
[[event]]
do = "water"
time = 2
disc = { center = [7, 4], radius = 1 }
[[event]]
do = "rain"
time = 1.5
rate = 1
[[event]]
do = "wind"
time = 1.7
velocity = [-3, 0]
[[gauge]]
name = "here"
at = [5, 3]
every = 0.1
[[gauge]]
name = "energy"
measure = "energy"
[[gauge]]
name = "level"
measure = "level"
[output]
frames = 3
layers = ["height", "velocity", "normal_x", "normal_y", "slope", "energy", "caustics", "land"]
mesh = "glb"
[picture]
width = 240
"#;

fn parse(text: &str) -> Scene {
    scene::parse("test.toml", text, &[]).unwrap()
}

#[test]
fn resumed_runs_end_like_uninterrupted_ones() {
    let (whole, files) = run_with_stops(&parse(EVERYTHING), &[&[1], &[17], &[31], &[59]]);
    assert_eq!(whole.steps, 60);
    assert_eq!(whole.model, "waves");
    for name in ["here.csv", "energy.csv", "level.csv", "final.png", "final.glb", "height.npy"] {
        assert!(files.contains_key(name), "{name}: {:?}", files.keys());
    }
}

#[test]
fn all_requested_outputs_are_written() {
    let scene = parse(EVERYTHING);
    let folder = tempfile::tempdir().unwrap();
    let summary = finish(Run::start(&scene, "test", folder.path()).unwrap());
    assert_eq!((summary.layers.len(), summary.meshes.len(), summary.gauges.len()), (8, 1, 3));
    assert_eq!(summary.pictures.len(), 6, "{:?}", summary.pictures);
    for file in summary.layers.iter().chain(&summary.meshes).chain(&summary.gauges) {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
    let here = std::fs::read_to_string(folder.path().join("here.csv")).unwrap();
    assert!(here.starts_with("time_s,height_m\n"), "{here}");
    assert_eq!(here.lines().count(), 32);
    let heights = here.lines().skip(1).map(|row| row.split(',').nth(1).unwrap());
    let heights: Vec<f64> = heights.map(|z| z.parse().unwrap()).collect();
    assert!(heights.iter().any(|z| *z > 0.005) && heights.iter().any(|z| *z < -0.005));
    assert!(summary.ledger.residual.abs() < 1e-9, "{}", summary.ledger.residual);
    assert!(summary.ledger.inflow.contains_key("boundary"));
    let wrong = folder.path().join("checkpoint.headwater");
    assert!(!wrong.exists());
}

#[test]
fn every_table_of_the_scene_affects_the_run() {
    let hash = |text: &str| {
        let scene = parse(text);
        let mut world = build_simulation(&scene).unwrap();
        let events = scene.event_count();
        while world.step_toward(1.0, StepLimit::Efficient).unwrap() {}
        (0..events).for_each(|event| world.apply_event(event).unwrap());
        while world.step_toward(2.0, StepLimit::Efficient).unwrap() {}
        world.state_hash()
    };
    let whole = hash(EVERYTHING);
    for (from, to) in [
        ("seed = 3", "seed = 4"),
        ("speed = 2\n", "speed = 1.9\n"),
        ("damping = 0.3", "damping = 0.2"),
        ("highest = 0.5", "highest = 1"),
        ("absorbing_cells = 6", "absorbing_cells = 7"),
        ("east = \"pinned\"", "east = \"reflecting\""),
        ("water = true", "water = false"),
        ("radius = 1.2", "radius = 1.3"),
        ("depth = -0.05", "depth = -0.06"),
        ("from = 0.5, round = true", "from = 0.6, round = true"),
        ("draft = 0.05", "draft = 0.04"),
        ("velocity = [-0.4, 0.1]", "velocity = [-0.4, 0.2]"),
        ("period = 1\n", "period = 2\n"),
        ("rate = 0.2", "rate = 3"),
        ("gusts = 3", "gusts = 2"),
        ("at = [10, 5]", "at = [10, 6]"),
        ("depth = 0.04", "depth = 0.05"),
        (
            "do = \"land\"\ntime = 1.2\ndisc = { center = [7, 4], radius = 1 }",
            "do = \"land\"\ntime = 1.2\ndisc = { center = [7, 4], radius = 2 }",
        ),
        ("rate = 1\n", "rate = 9\n"),
        ("velocity = [-3, 0]", "velocity = [-4, 0]"),
    ] {
        assert!(EVERYTHING.contains(from), "{from}");
        assert_ne!(
            hash(&EVERYTHING.replacen(from, to, 1)),
            whole,
            "{from} -> {to} changes nothing"
        );
    }
}

/// Returns the first error message for the scene in which `old` is replaced by `new`.
fn first_error_after_replacing(old: &str, new: &str) -> String {
    assert!(EVERYTHING.contains(old), "{old}");
    let text = EVERYTHING.replacen(old, new, 1);
    match scene::parse("test.toml", &text, &[]) {
        Ok(scene) => match build_simulation(&scene) {
            Ok(_) => format!("{old} -> {new} is not found"),
            Err(error) => error.to_string(),
        },
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_report_key_and_range() {
    let table = r#"
        nx = 60 => nx = 0 => grid.nx: found 0, allowed is 1 to 67108864
        cell = 0.25 => cell = 0 => grid.cell: found 0, allowed is 0.0001 to 100000 m
        nx = 60\n =>  => grid.nx: is missing
        until = 3 => until = 3\ndt = 1 => time.dt: does not apply to waves
        speed = 2\n => speed = -1\n => physics.speed: found -1, allowed is above 0
        speed = 2\n => speed = 9\n => physics.step: found 0.05 s with waves of 9 m/s
        speed = 2\n => speed = 2\ndispersion = true\n => physics.speed: does not apply with
        speed = 2\n => dispersion = true\ngravity = 900\n => physics.step: found 0.05 s with waves of
        depth = 0.8 => depth = 99\ndispersion = true => physics.speed: does not apply
        damping = 0.3 => damping = -1 => physics.damping: found -1, allowed is 0 to 10000 1/s
        step = 0.05 => step = 0 => physics.step: found 0, allowed is above 0
        highest = 0.5 => highest = 0 => physics.highest: found 0, allowed is 1e-6 to 1000000 m
        absorbing_cells = 6 => absorbing_cells = 3 => physics.absorbing_cells: found 3
        west = "absorbing" => west = "periodic" => edges.east: found "pinned", allowed is "periodic", as `west`
        west = "absorbing" => west = "soft" => edges.west: found "soft"
        west = "absorbing" => wst = "absorbing" => did you mean `west`
        rect = { min = [0, 9], max = [15, 11] } =>  => land[0]: found none, needs one of disc
        max = [15, 11] => max = [0, 9] => land[0].rect
        radius = 1.2\n =>  => start[0].radius: is missing
        depth = 0.1\n => depth = 0.6\n => start[0].depth: found 0.6, allowed is -0.5 to 0.5 m
        at = [5, 3]\nradius => at = [50, 3]\nradius => start[0].at: found [50, 3], which is off
        size = [1.4, 0.6] => size = [1.4, 0] => body[0].size[1]: found 0
        size = [1.4, 0.6] =>  => body[0]: found none, needs one of radius and size
        draft = 0.06 => draft = -1 => body[0].draft: found -1, allowed is 0 to 1000000 m
        speed = 2.5 => speed = 0 => body[0].path.speed: found 0
        draft = 0.06 => draft = 0.06\nvelocity = [1, 0] => body[0].path: found both
        points = [[12, 7], [12, 2]] => points = [] => body[0].path.points: found 0 points
        kind = "crate" => kind = "crat" => did you mean "crate"
        head = 0.02 => head = 1 => maker[0].head: found 1, allowed is 0 to 0.5 m
        period = 1\n => period = 0\n => maker[0].period: found 0
        rate = 0.2 => rate = -1 => rain.rate: found -1, allowed is 0 to 1000000 drops
        gusts = 3 => gusts = 0 => wind.gusts: found 0, allowed is 1 to 10000
        do = "drop" => do = "dorp" => did you mean "drop"
        every = 0.7 => every = 0 => event[0].every: found 0
        at = [10, 5] =>  => event[0].at: is missing
        depth = 0.04 => depth = 0.04\nrate = 2 => event[1].rate: no such key
        do = "land" => do = "land"\nat = [1, 1] => event[2].at: no such key
        velocity = [-3, 0] =>  => event[5].velocity: is missing
        at = [5, 3]\nevery => measure = "level"\nat = [5, 3]\nevery => gauge[0]: found both
        name = "level" => name = "Energy" => gauge[2].name
        "land"] => "lnd"] => output.layers
        width = 240 => width = 2 => picture.width: found 2, allowed is 16 to 8192 pixels
        width = 240 => liquid = "wine" => picture.liquid: found "wine"
    "#;
    for [from, to, expected] in parse_cases(table) {
        let message = first_error_after_replacing(&from, &to);
        assert!(message.contains(&expected), "{from} -> {to}: {message}");
        assert!(message.starts_with("test.toml"), "{message}");
    }
    let no_rain =
        first_error_after_replacing("[rain]\nrate = 0.2\nradius = 0.8\ndepth = 0.02\n", "");
    assert!(no_rain.contains("event[4]: \"rain\" changes the table `[rain]`"), "{no_rain}");
}

#[test]
fn library_scene_and_inspector_have_the_same_parameter_ranges() {
    let head = "model = \"waves\"\n[grid]\nnx = 8\nny = 6\ncell = 100\n[time]\nuntil = 1\n";
    parameters::assert_ranges_match(&Params::default(), "physics", head);
    let high = format!("{head}[physics]\nhighest = 1e6\n");
    let rain = format!("{high}[rain]\nrate = 1\nradius = 1\ndepth = 0.1\n");
    parameters::assert_ranges_match(&Rain::default(), "rain", &rain);
    let wind = "[wind]\nvelocity = [1, 0]\ngusts = 2\nradius = 1\nhead = 0.1\n";
    parameters::assert_ranges_match(&Wind::default(), "wind", &format!("{high}{wind}"));
}

#[test]
fn inserted_invalid_words_never_cause_a_panic() {
    let words =
        ["", "-1", "0", "1e300", "nan", "\"x\"", "[]", "{}", "true", "[1, 2]", "99999999999"];
    for (i, line) in EVERYTHING.lines().enumerate() {
        let Some((key, _)) = line.split_once(" = ") else { continue };
        for word in words {
            let lines = EVERYTHING.lines().enumerate();
            let lines = lines.map(|(j, other)| match i == j {
                true => format!("{key} = {word}\n"),
                false => format!("{other}\n"),
            });
            if let Ok(scene) = scene::parse("test.toml", &lines.collect::<String>(), &[])
                && let Ok(mut world) = build_simulation(&scene)
                && world.grid().cell_count() < 10_000
            {
                for event in 0..scene.event_count() {
                    world.apply_event(event).unwrap();
                }
                for _ in 0..3 {
                    world.step_toward(f64::INFINITY, StepLimit::Efficient).unwrap();
                }
                world.draw_picture().unwrap();
            }
        }
    }
}
