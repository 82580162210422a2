//! Tests of a scene that uses every feature of the flow model: it runs and conserves mass, and
//! interruptions do not change the result.

use crate::support::run::{
    NX, NY, StepObserver, full_scene, has_no_data, read_files, run_observed, stop_after,
};
use headwater::flow::Flow;
use headwater::{Cause, Field};
use headwater_scene::raster::{self, ReadOptions};
use headwater_scene::run::{CHECKPOINT_FILE, Run, RunError, RunOutcome};
use headwater_scene::scene;
use std::collections::BTreeMap;
use std::path::Path;

fn read_layer(folder: &Path, name: &str) -> raster::Raster {
    raster::read(folder.join(format!("{name}.npy")), &ReadOptions::default()).unwrap()
}

#[test]
fn all_features_together_conserve_mass() {
    let folder = tempfile::tempdir().unwrap();
    let scene = full_scene(folder.path());
    let mut min_depth = f32::INFINITY;
    let summary = run_observed(&scene, folder.path(), |flow| {
        min_depth = min_depth.min(flow.state().depth.min_max().unwrap().0);
    });
    assert!(min_depth >= 0.0, "{min_depth} m");
    let ledger = &summary.ledger;
    assert!(ledger.residual_relative.abs() <= 1e-6, "{ledger:?}");
    let causes = |side: &BTreeMap<&'static str, f64>| side.keys().copied().collect::<Vec<_>>();
    let both = [&causes(&ledger.inflow)[..], &causes(&ledger.outflow)].concat();
    // The flow model has no solidification and no groundwater inflow.
    let none = [Cause::Stone, Cause::Uplift];
    for cause in Cause::ALL.into_iter().filter(|cause| !none.contains(cause)) {
        assert!(both.contains(&cause.name()), "nothing by {cause:?}: {ledger:?}");
    }
    let total = |side: &BTreeMap<&'static str, f64>| side.values().sum::<f64>();
    let expected = ledger.start + total(&ledger.inflow) - total(&ledger.outflow);
    let now = ledger.now + ledger.rounding;
    assert!((now - expected - ledger.residual).abs() < 1e-9 * expected);
    for gauge in ["point.csv", "line.csv", "disc.csv", "gate.csv"] {
        assert!(summary.gauges.contains(&gauge.to_owned()));
    }
    // Every 0.7 s for 12 s, from 0.
    let line = std::fs::read_to_string(folder.path().join("line.csv")).unwrap();
    assert_eq!(line.lines().count(), 1 + 18, "{line}");
}

#[test]
fn cells_without_data_are_never_opened() {
    let folder = tempfile::tempdir().unwrap();
    let scene = full_scene(folder.path());
    run_observed(&scene, folder.path(), |flow| {
        for (y, row) in flow.state().depth.rows().enumerate() {
            let wet = |x: usize| has_no_data(x, y) && row[x] != 0.0;
            assert!(!(0..NX).any(wet), "water at no data at {} s", flow.time());
        }
    });
    let expected = Field::from_fn(NX, NY, has_no_data);
    let closed = read_layer(folder.path(), "closed");
    assert_eq!(closed.no_data, expected);
    // The gate and the building are removed.
    assert!(closed.heights.as_slice().iter().all(|closed| *closed == 0.0));
    for name in ["bed", "depth", "surface", "speed", "soil"] {
        assert_eq!(read_layer(folder.path(), name).no_data, expected, "{name}");
    }
}

#[test]
fn repeated_interruptions_do_not_change_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let scene = full_scene(folder.path());
    let through = folder.path().join("through");
    let expected = run_observed(&scene, &through, |_| {});
    for every in [1, 7, 40] {
        let stopped = folder.path().join(format!("every-{every}"));
        let mut resume = false;
        for _ in 0..(expected.steps - 1) / every {
            stop_after(&scene, &stopped, every, resume);
            resume = true;
        }
        let rest = Run::resume(&scene, "test", &stopped).unwrap();
        let RunOutcome::Done(summary) = rest.execute(&mut StepObserver(|_| true)).unwrap() else {
            panic!("stopped")
        };
        assert_eq!(summary.state_hash, expected.state_hash, "every {every} steps");
        assert_eq!(format!("{:?}", summary.ledger), format!("{:?}", expected.ledger));
        assert_eq!((summary.steps, &summary.pictures), (expected.steps, &expected.pictures));
        assert!(read_files(&stopped) == read_files(&through), "every {every} steps");
    }
}

#[test]
fn checkpoints_resume_only_their_own_scene() {
    let folder = tempfile::tempdir().unwrap();
    let scene = full_scene(folder.path());
    let out = folder.path().join("out");
    let checkpoint = stop_after(&scene, &out, 5, false);
    assert_eq!(checkpoint, out.join(CHECKPOINT_FILE));
    let file = folder.path().join("everything.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("rate = 30", "rate = 31")).unwrap();
    let other = headwater_scene::scene::load(&file, &[]).unwrap();
    let refused = Run::resume(&other, "test", &out).err().unwrap();
    assert!(matches!(refused, RunError::Resume { .. }), "{refused}");
    assert!(refused.to_string().contains("other settings"), "{refused}");
    // Changes that are allowed on resumption.
    let beside = [("title", "Another"), ("output.checkpoint_every", "7")];
    let set = beside.map(|(key, value)| (key.to_owned(), value.to_owned()));
    std::fs::write(&file, format!("# As it was.\n{text}")).unwrap();
    let same = headwater_scene::scene::load(&file, &set).unwrap();
    assert!(Run::resume(&same, "test", &out).is_ok());
}

#[test]
fn runs_interrupted_during_relaxation_resume_there() {
    let text = "model = 'flow'\nphysics.level = 'inertial'\ngrid = { nx = 40, ny = 20, cell = 2 }\n\
        time.until = 5\nsettle = { tolerance = 1e-5, longest = 40 }\n\
        output = { gif = false, frames = 4 }\npicture.width = 160\n\
        terrain.plane = { height = 2, slope = [-0.02, 0] }\n\
        [[boundary]]\nedge = 'west'\nkind = 'inflow'\ndischarge = 0.3\n\
        [[boundary]]\nedge = 'east'\nkind = 'open'\n";
    let scene = scene::parse("test.toml", text, &[]).unwrap();
    let (through, stopped) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut moved = false;
    let expected = run_observed(&scene, through.path(), |flow| moved |= flow.time() > 0.0);
    let settled = expected.settled.unwrap();
    assert!(moved && !settled.reached && settled.seconds >= 40.0, "{settled:?}");
    let said = format!("did not reach a steady state within {:.0} s", settled.seconds);
    assert!(expected.notices.iter().any(|n| n.contains(&said)), "{:?}", expected.notices);
    assert!(expected.steps > settled.steps);
    for (steps, resume) in [(20, false), (45, true), (100, true)] {
        stop_after(&scene, stopped.path(), steps, resume);
    }
    let RunOutcome::Done(summary) = Run::resume(&scene, "test", stopped.path())
        .unwrap()
        .execute(&mut StepObserver(|_: &Flow| true))
        .unwrap()
    else {
        panic!("it stopped again")
    };
    assert_eq!(summary.state_hash, expected.state_hash);
    assert_eq!(summary.settled, expected.settled);
}
