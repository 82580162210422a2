//! Runs of small scenes with observers that inspect or stop them.

use headwater::Field;
use headwater::flow::Flow;
use headwater_scene::run::{Executor, Observer, Run, RunOutcome, Summary};
use headwater_scene::{Scene, raster, scene};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Observer that calls a function after every step. If the function returns false, the run stops.
pub(crate) struct StepObserver<F: FnMut(&Flow) -> bool>(pub(crate) F);

impl<F: FnMut(&Flow) -> bool> Observer for StepObserver<F> {
    fn step(&mut self, executor: &mut dyn Executor) -> ControlFlow<()> {
        if (self.0)(executor.local_world().unwrap().flow().unwrap()) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
    fn task_started(&mut self, _: &str) {}
}

/// Runs `scene` in `folder` to the end, and calls `observe` after every step. Returns the summary
/// of the run.
pub(crate) fn run_observed(
    scene: &Scene,
    folder: &Path,
    mut observe: impl FnMut(&Flow),
) -> Summary {
    let mut eye = StepObserver(|flow: &Flow| {
        observe(flow);
        true
    });
    match Run::start(scene, "test", folder).unwrap().execute(&mut eye).unwrap() {
        RunOutcome::Done(summary) => *summary,
        RunOutcome::Stopped { .. } => panic!("the run was stopped"),
    }
}

/// Runs `scene` for `steps` steps and stops with a checkpoint. If `resume` is true, starts from the
/// existing checkpoint. Returns the path of the new checkpoint.
pub(crate) fn stop_after(scene: &Scene, folder: &Path, steps: u64, resume: bool) -> PathBuf {
    let begin = if resume { Run::resume } else { Run::start };
    let mut left = steps;
    let mut eye = StepObserver(|_: &Flow| {
        left -= 1;
        left > 0
    });
    match begin(scene, "test", folder).unwrap().execute(&mut eye).unwrap() {
        RunOutcome::Done(_) => panic!("it ended before step {steps}"),
        RunOutcome::Stopped { checkpoint, .. } => checkpoint,
    }
}

/// Observer that stops a run after the given number of steps.
pub(crate) struct StopAfter(pub(crate) u64);

impl Observer for StopAfter {
    fn step(&mut self, _: &mut dyn Executor) -> ControlFlow<()> {
        self.0 -= 1;
        if self.0 > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
    fn task_started(&mut self, _: &str) {}
}

/// Executes a run to the end, and returns its summary.
pub(crate) fn finish(run: Run<'_>) -> Summary {
    match run.execute(&mut StopAfter(u64::MAX)).unwrap() {
        RunOutcome::Done(summary) => *summary,
        RunOutcome::Stopped { .. } => panic!("the run was stopped"),
    }
}

/// Runs a scene once without interruption and once for each element of `intervals`. An element
/// lists numbers of steps; after each of these, the run is stopped and resumed from its checkpoint.
/// Asserts that the final states and the files are equal. Returns the summary and the files of the
/// uninterrupted run.
pub(crate) fn run_with_stops(
    scene: &Scene,
    intervals: &[&[u64]],
) -> (Summary, BTreeMap<String, Vec<u8>>) {
    let through = tempfile::tempdir().unwrap();
    let whole = finish(Run::start(scene, "test", through.path()).unwrap());
    let through = read_files(through.path());
    for stops in intervals {
        let broken = tempfile::tempdir().unwrap();
        let mut run = Run::start(scene, "test", broken.path()).unwrap();
        for count in *stops {
            assert!(matches!(
                run.execute(&mut StopAfter(*count)).unwrap(),
                RunOutcome::Stopped { .. }
            ));
            run = Run::resume(scene, "test", broken.path()).unwrap();
        }
        let resumed = finish(run);
        assert_eq!(whole.state_hash, resumed.state_hash, "{stops:?}");
        assert_eq!((whole.steps, &whole.pictures), (resumed.steps, &resumed.pictures));
        let broken = read_files(broken.path());
        assert_eq!(through.keys().collect::<Vec<_>>(), broken.keys().collect::<Vec<_>>());
        for (name, bytes) in &through {
            assert!(broken[name] == *bytes, "{name} is not the same, stopped after {stops:?}");
        }
    }
    (whole, through)
}

/// Returns the paths and contents of all files in a folder and its subfolders, except the summary,
/// which contains the elapsed time.
pub(crate) fn read_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            let inner = read_files(&path).into_iter();
            found.extend(inner.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else if name != "summary.json" {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
    found
}

pub(crate) const NX: usize = 24;
pub(crate) const NY: usize = 18;

/// Returns whether a cell of the terrain in the scene [`EVERYTHING`] has no data.
pub(crate) fn has_no_data(x: usize, y: usize) -> bool {
    x < 3 && y < 4 || (x + 1, y + 1) == (NX, NY)
}

/// Returns a scene that uses every feature of the flow model. Its rasters are written to `folder`.
pub(crate) fn full_scene(folder: &Path) -> Scene {
    full_scene_with(folder, &[])
}

/// Returns the scene [`EVERYTHING`] with the values of the keys in `set` replaced.
pub(crate) fn full_scene_with(folder: &Path, set: &[(&str, &str)]) -> Scene {
    let heights =
        Field::from_fn(NX, NY, |x, y| 200.0 + 0.5 * ((x * 7 + y * 5) % 11) as f32 + 0.2 * x as f32);
    let mask = Field::from_fn(NX, NY, has_no_data);
    raster::write_asc(folder.join("ground.asc"), &heights, [2.0, 2.0], Some(&mask)).unwrap();
    let map = Field::from_fn(NX, NY, |x, _| x as f32 / NX as f32);
    raster::write_npy(folder.join("rain.npy"), &map).unwrap();
    let tide = "gauge;when;cm\n7;0;20200\n7;0.05;\n7;0.083;20300\n";
    std::fs::write(folder.join("tide.csv"), tide).unwrap();
    std::fs::write(folder.join("everything.toml"), EVERYTHING).unwrap();
    let set: Vec<_> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    scene::load(&folder.join("everything.toml"), &set).unwrap()
}

/// TOML source of a scene that uses every feature of the flow model.
pub(crate) const EVERYTHING: &str = r#"
model = "flow"
seed = 11
[time]
until = 12
[physics]
friction = 0.1
viscosity = 0.01
[terrain]
file = "ground.asc"
[[terrain.shape]]
op = "lower"
disc = { center = [24, 18], radius = 8 }
level = 199
falloff = "smooth"
[water]
level = 202
[[water.lake]]
at = [24, 18]
level = 203
[[source]]
at = [30, 10]
rate = [[0, 1], [6, 4]]
[[drain]]
at = [24, 18]
radius = 4
rate = 2
from = 2
until = 9
[rain]
rate = [[0, 0], [3, 3000]]
map = "rain.npy"
[evaporation]
rate = 30
[infiltration]
rate = 40
capacity = 0.01
seepage = 5
[[boundary]]
edge = "west"
kind = "stage"
level = { csv = "tide.csv", times = "min", columns = ["when", "cm"], scale = 0.01 }
[[boundary]]
edge = "east"
kind = "open"
[[boundary]]
edge = "north"
kind = "inflow"
discharge = 0.1
from = 20
to = 30
[[boundary]]
edge = "south"
kind = "outflow"
discharge = 0.05
from = "25%"
to = "75%"
[[culvert]]
from = [8, 6]
to = [30, 10]
radius = 3
diameter = 0.6
inverts = [201, 200.5]
[[gate]]
name = "sluice"
from = [24, 18]
to = [42, 10]
radius = 3
width = 2
sill = 200
opening = [[2, 0], [6, 1]]
[[weir]]
from = [24, 26]
to = ["90%", 26]
width = 3
crest = [[0, 202], [12, 201]]
[[obstacle]]
rect = { min = [34, 20], max = [38, 26] }
[[event]]
time = 1
do = "close"
line = { points = [[14, 0], [14, 36]], width = 2 }
[[event]]
time = 5
do = "open"
everywhere = true
[[event]]
time = 2
do = "raise"
disc = { center = [10, 20], radius = 5 }
amount = 2
falloff = "linear"
keep = "surface"
[[event]]
time = 3
every = 1.5
until = 8
do = "lower"
line = { points = [[20, 10], [40, 30]], width = 4 }
amount = 0.3
[[event]]
time = 4
do = "flatten"
rect = { min = [0, 0], max = [12, 12] }
level = 203
[[event]]
time = 4
do = "smooth"
everywhere = true
[[event]]
time = 6
do = "pour"
disc = { center = [20, 20], radius = 4 }
volume = 25
[[event]]
time = 7
do = "remove"
disc = { center = [30, 20], radius = 6 }
amount = 0.5
[[gauge]]
name = "point"
at = [24, 18]
[[gauge]]
name = "line"
line = [[14, "100%"], [14, 0]]
every = 0.7
[[gauge]]
name = "disc"
disc = { center = [20, 20], radius = 6 }
[[gauge]]
name = "gate"
structure = "sluice"
[particles]
count = 200
lifetime = 3
[[particles.emitter]]
everywhere = true
[flood]
depth = 0.2
[output]
frames = 3
layers = ["bed", "depth", "surface", "velocity_x", "velocity_y", "speed", "closed", "soil", "max_depth", "max_level", "arrival", "duration"]
[picture]
width = 120
contours = true
"#;
