//! Tests with randomly damaged maps and checkpoints. The readers must return an error or a world
//! that can be stepped, and must never panic.

use crate::support::fuzz::Search;
use headwater_scene::picture::{Picture, to_png};
use headwater_scene::run;
use headwater_scene::run::StepLimit;
use headwater_scene::scene::{self, Files};

#[test]
fn damaged_boards_never_panic() {
    let colors = [[0; 3], [255; 3], [0, 0, 255], [30, 144, 255]];
    let board = to_png(&Picture::from_fn(9, 7, |x, y| colors[(x * 5 + y * 3) % 4]));
    let board = board.unwrap();
    let mut search = Search::new("boards", 3000, 6);
    let read = |bytes: &[u8]| {
        for model in ["blocks", "columns"] {
            let text =
                format!("model = '{model}'\n[time]\nuntil = 1\n[world]\nfile = 'board.png'\n");
            let files = Files::memory_only().with_file("board.png", bytes);
            let scene = scene::parse_with_files("fuzz.toml", &text, &[], &files).unwrap();
            if let Err(error) = run::build_simulation(&scene) {
                assert!(error.to_string().chars().count() < 1500, "{error}");
            }
        }
    };
    search.corpus_inputs().iter().for_each(|input| read(input));
    while search.next_round() {
        let mut bytes = board.clone();
        search.rng.damage(&mut bytes);
        search.try_input(&bytes, || read(&bytes));
    }
}

/// One scene per model, each with a small world that contains many kinds of objects.
const WORLDS: [&str; 5] = [
    r#"model = 'flow'
time.until = 9
grid = { nx = 8, ny = 6, cell = 2 }
terrain.noise = {}
water.level = 1
source = [{ at = [5, 5], rate = 1 }]
particles.count = 5
rain.rate = 9
infiltration.rate = 5
body = [{ at = [9, 5], size = [2, 1], height = 1, mass = 500 }]"#,
    r#"model = 'waves'
time.until = 9
grid = { nx = 8, ny = 6, cell = 1 }
rain = { rate = 1, radius = 1, depth = 0.01 }
wind = { velocity = [3, 0], gusts = 2, radius = 1, head = 0.01 }
body = [{ at = [4, 3], size = [2, 2], draft = 0.1 }]"#,
    r#"model = 'blocks'
time.until = 9
world.map = """
.~~..
.~~#.
#...#
#####
"""
source = [{ rate = 9, disc = { center = [1, 1], radius = 1 } }]"#,
    r#"model = 'columns'
time.until = 9
world = { cell = 1, map = '''
#~~~..#
#~##..#
#~~~..#
#######
''' }
physics.heat = { water = 3, air = -20, pace = 10000 }
source = [{ rect = { min = [4, 0], max = [6, 2] }, rate = 0.1 }]
body = [{ at = [2.5, 0.5], radius = 0.3 }]"#,
    r#"model = 'hydrology'
time.until = 9
grid = { nx = 12, ny = 9, cell = 5 }
terrain.noise = {}
inflow = [{ at = [9, 9], catchment = 500 }]"#,
];

/// Damages checkpoint states that have no checksum, because a checksum would reveal any damage.
#[test]
fn damaged_states_never_panic() {
    let mut search = Search::new("states", 3000, 7);
    let worlds = WORLDS.map(|text| {
        let scene = scene::parse("fuzz.toml", text, &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut world = run::build_simulation(&scene).unwrap();
        (0..5).for_each(|_| assert!(world.step_toward(9.0, StepLimit::Steps(1)).unwrap()));
        (scene, world.snapshot().unwrap())
    });
    let read = |number: usize, state: &[u8]| {
        let mut world = run::build_simulation(&worlds[number].0).unwrap();
        let taken = world.restore(state).is_ok();
        // A step may return an error, but must not loop endlessly.
        let _ = taken
            && (0..3).all(|_| world.step_toward(9.0, StepLimit::Steps(1)).is_ok_and(|goes| goes));
        taken
    };
    // The first byte of a corpus file selects the world.
    for input in search.corpus_inputs() {
        read(usize::from(input[0]), &input[1..]);
    }
    let mut taken = [0; WORLDS.len()];
    while search.next_round() {
        let number = search.rounds_started % worlds.len();
        let mut state = worlds[number].1.clone();
        search.rng.damage(&mut state);
        let reported = [&[number as u8], &state[..]].concat();
        taken[number] += usize::from(search.try_input(&reported, || read(number, &state)));
    }
    assert!(taken.iter().all(|&taken| taken > search.rounds_started / 100), "{taken:?}");
}
