//! Tests of runs that are killed or run out of disk space, whose input has changed when they are
//! resumed, or whose events are rejected. A resumed run must end like an uninterrupted one.

use crate::support::run::{StopAfter, finish, full_scene, full_scene_with, read_files, stop_after};
use headwater_scene::run::{CHECKPOINT_FILE, Executor, Observer, Run, RunError, SUMMARY_FILE};
use headwater_scene::{Scene, scene};
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

/// Scene override that makes a run write checkpoints as often as possible.
const FREQUENT_CHECKPOINTS: [(&str, &str); 1] = [("output.checkpoint_every", "1e-9")];

/// Observer that calls a function once, after the given number of steps.
struct CallAfter<F: FnMut()>(u64, F);

impl<F: FnMut()> Observer for CallAfter<F> {
    fn step(&mut self, _: &mut dyn Executor) -> ControlFlow<()> {
        self.0 = self.0.wrapping_sub(1);
        if self.0 == 0 {
            (self.1)();
        }
        ControlFlow::Continue(())
    }
    fn task_started(&mut self, _: &str) {}
}

fn copy_files(source: &Path, destination: &Path) {
    fs::create_dir(destination).unwrap();
    for entry in fs::read_dir(source).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), destination.join(entry.file_name())).unwrap();
    }
}

/// Runs a scene without interruption. Returns the hash of the final state, and the names and
/// contents of the output files.
fn run_uninterrupted(scene: &Scene, folder: &Path) -> (String, BTreeMap<String, Vec<u8>>) {
    let summary = finish(Run::start(scene, "test", folder).unwrap());
    assert_eq!(summary.notices.iter().filter(|notice| notice.contains("checkpoint")).count(), 0);
    assert!(!folder.join(CHECKPOINT_FILE).exists());
    (summary.state_hash, read_files(folder))
}

#[test]
fn killed_runs_resume_from_the_last_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let seldom = run_uninterrupted(&full_scene(folder.path()), &path("seldom"));
    let scene = full_scene_with(folder.path(), &FREQUENT_CHECKPOINTS);
    let (hash, expected) = run_uninterrupted(&scene, &path("often"));
    assert!((&hash, &expected) == (&seldom.0, &seldom.1), "checkpoints change what comes of a run");
    for step in [2, 9, 31, 64] {
        let (at_work, killed) = (path(&format!("{step}")), path(&format!("{step}-killed")));
        let mut watch = CallAfter(step, || copy_files(&at_work, &killed));
        Run::start(&scene, "test", &at_work).unwrap().execute(&mut watch).unwrap();
        // Also with the files that are left when a run is killed during a write.
        fs::write(killed.join(".headwater-temporary-k1ll3d"), "half").unwrap();
        let refused = Run::start(&scene, "test", &killed).err().unwrap();
        assert!(matches!(refused, RunError::Unfinished { .. }), "{refused}");
        let summary = finish(Run::resume(&scene, "test", &killed).unwrap());
        assert_eq!(summary.state_hash, hash, "killed after {step} steps");
        assert!(read_files(&killed) == expected, "killed after {step} steps");
    }
}

#[test]
fn runs_killed_before_the_first_checkpoint_cannot_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let scene = full_scene(folder.path());
    let (at_work, killed) = (folder.path().join("at-work"), folder.path().join("killed"));
    let mut watch = CallAfter(3, || copy_files(&at_work, &killed));
    Run::start(&scene, "test", &at_work).unwrap().execute(&mut watch).unwrap();
    let refused = Run::resume(&scene, "test", &killed).err().unwrap().to_string();
    assert!(
        refused.contains("ended before it wrote its first checkpoint; start it again"),
        "{refused}"
    );
    let refused = Run::resume(&scene, "test", &at_work).err().unwrap().to_string();
    assert!(refused.contains("a finished run has no checkpoint"), "{refused}");
    Run::start(&scene, "test", &killed).unwrap();
}

#[test]
fn failed_pictures_leave_a_checkpoint_and_are_drawn_on_resumption() {
    let folder = tempfile::tempdir().unwrap();
    let scene = full_scene(folder.path());
    let (hash, expected) = run_uninterrupted(&scene, &folder.path().join("through"));
    // At an intermediate picture, and at the end.
    for name in ["frame-0003.png", "final.png", "depth.npy", SUMMARY_FILE] {
        let out = folder.path().join(format!("without-{name}"));
        let in_the_way = out.join(name);
        let mut watch = CallAfter(20, || fs::create_dir(&in_the_way).unwrap());
        let failed = Run::start(&scene, "test", &out).unwrap().execute(&mut watch).err().unwrap();
        assert!(matches!(failed, RunError::Output { .. }), "{failed}");
        fs::remove_dir(&in_the_way).unwrap();
        let summary = finish(Run::resume(&scene, "test", &out).unwrap());
        assert_eq!(summary.state_hash, hash, "{name}");
        assert!(read_files(&out) == expected, "{name}");
    }
}

#[test]
fn failed_checkpoints_end_the_run_with_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let scene = full_scene_with(folder.path(), &FREQUENT_CHECKPOINTS);
    let out = folder.path().join("out");
    let mut watch = CallAfter(1, || fs::create_dir(out.join(CHECKPOINT_FILE)).unwrap());
    let end = Run::start(&scene, "test", &out).unwrap().execute(&mut watch).unwrap();
    let headwater_scene::run::RunOutcome::Done(summary) = end else {
        panic!("the run was stopped")
    };
    let reported =
        summary.notices.iter().find(|notice| notice.contains("no checkpoint was written"));
    assert!(
        reported.is_some_and(|reported| reported.contains(CHECKPOINT_FILE)),
        "{:?}",
        summary.notices
    );
}

#[test]
fn changed_input_prevents_resumption() {
    let folder = tempfile::tempdir().unwrap();
    let scene = full_scene(folder.path());
    let out = folder.path().join("out");
    stop_after(&scene, &out, 30, false);
    let ground = folder.path().join("ground.asc");
    let before = fs::read_to_string(&ground).unwrap();
    fs::write(&ground, format!("{before} ")).unwrap();
    let refused = Run::resume(&scene, "test", &out).err().unwrap().to_string();
    assert!(refused.contains("belongs to other input: terrain.file"), "{refused}");
    assert!(refused.contains("ground.asc"), "{refused}");
    fs::write(&ground, before).unwrap();
    let tide = folder.path().join("tide.csv");
    let before = fs::read_to_string(&tide).unwrap();
    fs::write(&tide, before.replace("20300", "20301")).unwrap();
    let refused = Run::resume(&scene, "test", &out).err().unwrap().to_string();
    assert!(refused.contains("belongs to other input: boundary[0].level.csv"), "{refused}");
    fs::write(&tide, before).unwrap();
    let summary = finish(Run::resume(&scene, "test", &out).unwrap());
    let keys: Vec<_> = summary.inputs.iter().map(|input| input.key.as_str()).collect();
    assert_eq!(keys, ["terrain.file", "rain.map", "boundary[0].level.csv"]);
    assert!(summary.inputs.iter().all(|input| input.hash.len() == 16));
}

/// Scene of the model `columns` with two events whose areas contain only walls.
const WALLS: &str = "model = 'columns'\ntime.until = 2\noutput.frames = 0\n\
    world = { cell = 1, map = '''\n#.....#\n#~~~~~#\n#######\n''' }\n\
    [[event]]\ntime = 0.3\ndo = 'pour'\nvolume = 1\nrect = { min = [0, 0], max = [0.9, 3] }\n\
    [[event]]\ntime = 0.5\nevery = 0.5\ndo = 'remove'\nvolume = 1\nrect = { min = [0, 2.1], max = [5, 3] }\n\
    [[event]]\ntime = 1\ndo = 'splash'\nheight = 0.5\nrect = { min = [1, 0], max = [2, 2] }\n";

#[test]
fn rejected_events_are_skipped_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene::parse("walls.toml", WALLS, &[]).unwrap();
    let uninterrupted = finish(Run::start(&scene, "test", &folder.path().join("through")).unwrap());
    let reported: Vec<_> =
        uninterrupted.notices.iter().filter(|reported| reported.contains("skipped")).collect();
    assert_eq!(reported.len(), 2, "{:?}", uninterrupted.notices);
    assert!(reported[0].starts_with("event[0] was skipped at 0.3 s: "), "{reported:?}");
    assert!(reported[1].starts_with("event[1] was skipped 4 times"), "{reported:?}");
    // The summary of an interrupted run is the same.
    let out = folder.path().join("out");
    Run::start(&scene, "test", &out).unwrap().execute(&mut StopAfter(8)).unwrap();
    let resumed = finish(Run::resume(&scene, "test", &out).unwrap());
    assert_eq!(resumed.notices, uninterrupted.notices);
    assert_eq!(resumed.state_hash, uninterrupted.state_hash);
    // The result without a run is the same.
    let world = headwater_scene::run::run_to_end(&scene).unwrap();
    assert_eq!(format!("{:016x}", world.state_hash()), uninterrupted.state_hash);
}
