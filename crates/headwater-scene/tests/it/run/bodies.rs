//! Tests of floating bodies in scenes: they fall, float and drift. Gauges measure them, pictures
//! show them, and checkpoints contain them.

use crate::support::pictures::read_png;
use crate::support::run::{StepObserver, run_observed, stop_after};
use headwater_scene::run::{Run, RunOutcome};
use headwater_scene::{Scene, scene};

/// Returns a scene of 8 s duration: a pond 2 m deep at an elevation of 300 m, with a crate that
/// falls from a height of 3 m and a moving boat. `keys` are added to the scene.
fn pond_scene(keys: &str) -> Scene {
    let text = format!(
        "model = 'flow'\n[grid]\nnx = 40\nny = 30\ncell = 1\n[time]\nuntil = 8\n\
         [physics]\nlevel = 'inertial'\n[terrain]\nplane = {{ height = 300 }}\n[water]\ndepth = 2\n\
         [output]\nframes = 2\ngif = false\n[picture]\nwidth = 200\n\
         [[body]]\nname = 'box'\nat = [12, 20]\nsize = [3, 2]\nheight = 1\ndensity = 500\nabove = 3\n\
         [[body]]\nname = 'boat'\nkind = 'boat'\nat = [10, 10]\nsize = [5, 2]\nheight = 1\nmass = 3000\n\
         above = 'afloat'\nvelocity = [2, 0]\n\
         [[gauge]]\nname = 'fall'\nbody = 'box'\nevery = 0.5\n\
         [[gauge]]\nname = 'way'\nbody = 'boat'\n{keys}"
    );
    scene::parse("pond.toml", &text, &[]).unwrap()
}

fn parse_rows(text: &str) -> Vec<Vec<f64>> {
    text.lines().skip(1).map(|row| row.split(',').map(|v| v.parse().unwrap()).collect()).collect()
}

#[test]
fn gauges_follow_bodies_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    run_observed(&pond_scene(""), folder.path(), |_| {});
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let fall = read("fall.csv");
    assert_eq!(fall.lines().next(), Some("time_s,x_m,y_m,keel_m,speed_m_per_s"));
    let fall = parse_rows(&fall);
    assert_eq!(fall[0], [0.0, 12.0, 20.0, 305.0, 0.0]);
    assert!((fall[1][3] - (305.0 - 0.5 * 9.81 * 0.25)).abs() < 0.1, "it falls: {:?}", fall[1]);
    let last = fall.last().unwrap();
    assert!((last[3] - 301.5).abs() < 0.1, "half of it is under water: {last:?}");
    let way = parse_rows(&read("way.csv"));
    let last = way.last().unwrap();
    assert!(last[1] > 12.0 && last[4] < 1.0, "it goes on, and the water slows it: {last:?}");
}

#[test]
fn pictures_show_bodies() {
    let paint = |scene: &Scene| {
        let folder = tempfile::tempdir().unwrap();
        run_observed(scene, folder.path(), |_| {});
        read_png(folder.path().join("frame-0001.png"))
    };
    let with = paint(&pond_scene(""));
    let [r, g, b] = with[(60, 100)];
    assert!(r > g && g > b, "the crate is of wood: {r} {g} {b}");
    let [r, _, b] = with[(150, 100)];
    assert!(b > r, "and the water is blue");
}

#[test]
fn resumed_runs_keep_their_bodies() {
    let scene =
        pond_scene("[[event]]\ntime = 3\ndo = 'push'\nvelocity = [0, 1]\neverywhere = true");
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let summary = run_observed(&scene, whole.path(), |_| {});
    stop_after(&scene, broken.path(), 20, false);
    let mut eye = StepObserver(|_: &headwater::flow::Flow| true);
    let RunOutcome::Done(resumed) =
        Run::resume(&scene, "test", broken.path()).unwrap().execute(&mut eye).unwrap()
    else {
        panic!("the run was stopped")
    };
    assert_eq!(resumed.state_hash, summary.state_hash);
    for name in ["way.csv", "frame-0003.png"] {
        let read = |folder: &tempfile::TempDir| std::fs::read(folder.path().join(name)).unwrap();
        assert!(read(&whole) == read(&broken), "{name}");
    }
    let still = run_observed(&pond_scene(""), tempfile::tempdir().unwrap().path(), |_| {});
    assert_ne!(still.state_hash, summary.state_hash, "the push does nothing");
}
