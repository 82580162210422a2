//! Tests that the exercise supports the same features as the five built-in models. Its scenes are
//! read, checked, run with images as output, and edited while they run.

use headwater_scene::live::Live;
use headwater_scene::run::{Executor, Observer, Run, RunOutcome};
use headwater_scene::scene::Reader;
use sixth_model::{DIFFUSION, Ink};
use std::ops::ControlFlow;

const SPOT: &str = r#"
model = "diffusion"
title = "A spot of ink"

[grid]
nx = 60
ny = 40

[time]
until = 8

[physics]
diffusivity = 4

[[event]]
time = 1
do = "pour"
disc = { center = ["50%", "50%"], radius = 8 }
amount = 1

[[gauge]]
name = "middle"
at = ["50%", "50%"]

[output]
frames = 8
layers = ["ink"]
"#;

struct Nobody;

impl Observer for Nobody {
    fn step(&mut self, _: &mut dyn Executor) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn task_started(&mut self, _: &str) {}
}

fn reader() -> Reader {
    Reader::default().with_model(DIFFUSION)
}

#[test]
fn a_scene_is_read_and_its_errors_name_line_key_and_range() {
    assert_eq!(reader().parse("spot.toml", SPOT, &[]).unwrap().model(), "diffusion");
    let error = |text: String| reader().parse("spot.toml", &text, &[]).unwrap_err().to_string();
    let wild = error(SPOT.replace("diffusivity = 4", "diffusivity = 40"));
    assert_eq!(wild, "spot.toml:13:1: physics.diffusivity: found 40, allowed is 0 to 10 m²/s");
    let typo = error(SPOT.replace("amount = 1", "amout = 1"));
    assert!(
        typo.starts_with("spot.toml:19:1: event[0].amout: no such key; did you mean `amount`?"),
        "{typo}"
    );
    let layer = error(SPOT.replace("[\"ink\"]", "[\"oil\"]"));
    assert!(layer.contains("output.layers[0]"), "{layer}");
}

#[test]
fn a_run_has_pictures_gauges_layers_and_a_ledger() {
    let scene = reader().parse("spot.toml", SPOT, &[]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let run = Run::start(&scene, "spot", folder.path()).unwrap();
    let RunOutcome::Done(summary) = run.execute(&mut Nobody).unwrap() else { panic!("stopped") };
    assert_eq!(summary.steps, 400);
    assert!(summary.ledger.residual_relative.abs() < 1e-6, "{:?}", summary.ledger);
    for file in
        ["frame-0001.png", "final.png", "animation.gif", "middle.csv", "ink.npy", "summary.json"]
    {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
    let ink = std::fs::read(folder.path().join("final.png")).unwrap();
    let ink = headwater_scene::picture::from_png(&ink).unwrap();
    assert!(ink[(120, 80)][0] + 40 < ink[(0, 0)][0], "the middle is darker");
}

#[test]
fn a_live_world_is_edited_tuned_and_a_scene_again() {
    let mut live = Live::with_reader("spot.toml", SPOT, &[], &reader()).unwrap();
    live.advance(2.0, &mut || false).unwrap();
    let middle = live.probe([30.5, 20.5])[0].value;
    let pour = toml::toml! {
        do = "pour"
        everywhere = true
        amount = 0.5
    };
    live.edit(&pour).unwrap();
    let after = live.probe([30.5, 20.5])[0].value;
    assert!(after > middle + 0.49);
    live.advance(3.0, &mut || false).unwrap();
    let text = live.text();
    let mut again = Live::with_reader("spot.toml", &text, &[], &reader()).unwrap();
    again.advance(3.0, &mut || false).unwrap();
    assert_eq!(again.state_hash(), live.state_hash());

    live.set("physics.diffusivity", toml::Value::Float(0.0)).unwrap();
    let still = live.probe([30.5, 20.5])[0].value;
    live.advance(4.0, &mut || false).unwrap();
    assert_eq!(live.probe([30.5, 20.5])[0].value, still);
    assert!(still < after);
    assert!(
        live.set("physics.diffusivity", toml::Value::Float(11.0))
            .unwrap_err()
            .to_string()
            .contains("0 to 10")
    );
    assert!(again.world().get::<Ink>().is_some());
}
