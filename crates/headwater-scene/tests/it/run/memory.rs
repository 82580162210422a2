//! Tests that runs with only some rows in memory (`--memory`) produce the same output as runs that
//! are entirely in memory.

use super::parts::copy_folder;
use crate::support::run::{finish, read_files};
use headwater::Field;
use headwater_scene::raster::{
    self, ReadOptions, write_asc, write_geotiff, write_geotiff_georeferenced, write_npy,
};
use headwater_scene::run::{
    Backend, CHECKPOINT_PARTS_FOLDER, Executor, Observer, Run, RunOutcome, SUMMARY_FILE, run_to_end,
};
use headwater_scene::{Scene, scene};
use std::ops::ControlFlow;
use std::path::Path;

/// Number of columns and rows of the scene [`VALLEY`]. Short rows make steps fast.
pub(super) const VALLEY_SIZE: [usize; 2] = [20, 300];

/// Memory (bytes per column) that is available for row blocks in the scene [`VALLEY`]. A row block
/// is a range of adjacent rows that are loaded together.
const VALLEY_BYTES: usize = 25_000;

/// Scene of hills with a sea, a lake behind a dam, and a river that enters through an edge.
const VALLEY: &str = "model = 'flow'\ntime.until = 12\ngrid = { nx = 20, ny = 300, cell = [4, 2] }\n\
    [terrain]\nplane = { height = 1204, slope = [0, -0.01] }\nnoise = { height = 12, octaves = 3 }\n\
    [[terrain.shape]]\nop = 'raise'\nlevel = 1212\nline = { points = [[0, 300], [80, 300]], width = 6 }\n\
    [[terrain.shape]]\nop = 'flatten'\nlevel = 1203\nfalloff = 'linear'\ndisc = { center = [40, 270], radius = 30 }\n\
    [water]\nlevel = 1206\n[[water.lake]]\nat = [40, 270]\nlevel = 1207\n\
    [[obstacle]]\nrect = { min = [30, 240], max = [40, 250] }\n\
    [[boundary]]\nedge = 'north'\nfrom = 20\nto = 40\nkind = 'inflow'\ndischarge = 0.4\n\
    [[boundary]]\nedge = 'south'\nkind = 'open'\n\
    [[source]]\nat = [20, 100]\nrate = 2.5\nradius = 6\n[[drain]]\nat = [60, 500]\nrate = 1.5\nradius = 9\n\
    [[gauge]]\nname = 'pond'\nat = [41.3, 270.9]\nevery = 3\n[[gauge]]\nname = 'across'\nline = [[0, 260], [80, 310]]\nevery = 3\n\
    [[gauge]]\nname = 'held'\nrect = { min = [0, 200], max = [80, 290] }\nevery = 3\n[flood]\ndepth = 0.05\n\
    [output]\nframes = 2\ngif = false\ncheckpoint_every = 0\nledger_every = 3.5\n\
    layers = ['bed', 'depth', 'surface', 'speed', 'max_depth', 'max_level', 'arrival']\nlayers_at = [6]\n\
    [picture]\nwidth = 120\n";

/// TOML tables of a scene with a culvert, a gate, a weir and one event of each kind that changes
/// the ground or the water. The two ends of each structure are far apart.
const STRUCTURES_AND_EVENTS: &str = "[[culvert]]\nname = 'pipe'\nfrom = [20, 290]\nto = [60, 480]\ninverts = [1204, 1203]\ndiameter = 2\nradius = 4\n\
    [[gauge]]\nname = 'piped'\nstructure = 'pipe'\nevery = 3\n\
    [[gate]]\nfrom = [50, 270]\nto = [50, 400]\nwidth = 3\nsill = 1203\nopening = 1.5\nradius = 4\n\
    [[weir]]\nfrom = [30, 60]\nto = [30, 540]\nwidth = 5\ncrest = 1203\nradius = 4\n\
    [[event]]\ntime = 2\ndo = 'lower'\namount = 3\nline = { points = [[40, 220], [40, 420]], width = 12 }\n\
    [[event]]\ntime = 3\ndo = 'raise'\nlevel = 1209\nfalloff = 'smooth'\nkeep = 'surface'\ndisc = { center = [30, 300], radius = 50 }\n\
    [[event]]\ntime = 4\ndo = 'pour'\nvolume = 900\nrect = { min = [10, 120], max = [70, 260] }\n\
    [[event]]\ntime = 5\ndo = 'smooth'\nreach = 25\nline = { points = [[0, 100], [80, 500]], width = 30 }\n\
    [[event]]\ntime = 6\ndo = 'open'\neverywhere = true\n\
    [[event]]\ntime = 7\ndo = 'push'\nvelocity = [0.5, 2]\neverywhere = true\n\
    [[event]]\ntime = 8\ndo = 'close'\nrect = { min = [0, 330], max = [50, 334] }\n\
    [[event]]\ntime = 8.5\ndo = 'flatten'\nlevel = 1205\nkeep = 'surface'\ndisc = { center = [50, 450], radius = 20 }\n\
    [[event]]\ntime = 9\ndo = 'add'\nsource = { at = [40, 350], rate = 4, radius = 12 }\n\
    [[event]]\ntime = 9.5\ndo = 'remove'\namount = 0.4\ndisc = { center = [40, 300], radius = 60 }\n\
    [[event]]\ntime = 10\ndo = 'add'\ndrain = { at = [40, 280], rate = 2, radius = 9 }\n";

/// Returns the scene [`VALLEY`] with the tables [`STRUCTURES_AND_EVENTS`] and with pictures at
/// intermediate times. `level` is the value of `physics.level`. `keys` contains pairs of a scene
/// key and its new value.
pub(super) fn valley_with_structures(level: &str, keys: &[(&str, &str)]) -> Scene {
    let mut set = vec![("physics.level".to_owned(), format!("\"{level}\""))];
    set.push(("output.frames".into(), "5".into()));
    set.extend(keys.iter().map(|(key, value)| ((*key).into(), (*value).into())));
    scene::parse("busy.toml", &format!("{VALLEY}{STRUCTURES_AND_EVENTS}"), &set).unwrap()
}

pub(super) fn valley_scene(level: &str, keys: &[(&str, &str)]) -> Scene {
    let mut set = vec![("physics.level".to_owned(), format!("\"{level}\""))];
    set.extend(keys.iter().map(|(key, value)| ((*key).into(), (*value).into())));
    scene::parse("valley.toml", VALLEY, &set).unwrap()
}

/// Returns the scene [`VALLEY`] with rasters of the roughness, the soils, the initial water, and
/// rain that changes twice. The rasters are written to `folder`. `level` is the value of
/// `physics.level`. `keys` contains pairs of a scene key and its new value.
pub(super) fn valley_with_maps(level: &str, folder: &Path, keys: &[(&str, &str)]) -> Scene {
    let path = |name: &str| format!("'{}'", folder.join(name).display());
    let map = |name: &str, [nx, ny]: [usize; 2], value: &dyn Fn(usize) -> f32| {
        // Some cells have no data.
        let of = |x: usize, y: usize| (x * 7 + y * 5 + x * y) % 17;
        let field = Field::from_fn(nx, ny, |x, y| match of(x, y) {
            16 => f32::NAN,
            number => value(number),
        });
        write_npy(folder.join(name), &field).unwrap();
        path(name)
    };
    let [first, second] =
        ["early.npy", "late.npy"].map(|name| map(name, [9, 40], &|i| (i % name.len()) as f32));
    let rasters = format!("[{{ time = 0.1, file = {first} }}, {{ time = 2.3, file = {second} }}]");
    let cover = map("cover.npy", [13, 70], &|i| (i % 3) as f32);
    let classes = "{ numbers = [0], manning = 0.08, infiltration = { rate = 90, deficit = 0.2 } }, \
                   { numbers = [1], infiltration = { rate = 40, seepage = 9 } }, { numbers = [2] }";
    let of_motion = ["east.npy", "south.npy"]
        .map(|name| map(name, [10, 30], &|i| 0.1 * (i as f32 - name.len() as f32)));
    let motion = format!("[{}]", of_motion.join(", "));
    let cover = format!("[{{ file = {cover}, class = [{classes}] }}]");
    let manning = map("manning.npy", [90, 310], &|i| 0.02 + 0.002 * i as f32);
    let depth = map("depth.npy", [20, 31], &|i| 0.1 * (i % 4) as f32);
    let surface = map("level.npy", [11, 23], &|i| 1204.0 + 0.3 * i as f32);
    let set = [
        ("time.until", "4"),
        ("output.layers_at", "[2.7]"),
        ("rain.rate", "90"),
        ("rain.raster", &rasters),
        ("physics.manning_map", &manning),
        ("cover", &cover),
        ("water.depth_map", &depth),
        ("water.level_map", &surface),
        (if level == "inertial" { "water.velocity_map" } else { "water.discharge_map" }, &motion),
        ("output.layer_format", "\"geotiff\""),
    ];
    valley_scene(level, &[&set, keys].concat())
}

/// Returns a backend with limited memory for a world of `nx` × `ny` cells. `bytes` is the memory
/// available for row blocks (bytes per column).
fn memory_backend([nx, ny]: [usize; 2], bytes: usize) -> Backend {
    Backend::Memory((64 << 20) + nx * (41 * ny + bytes))
}

/// Returns a backend whose memory suffices for only some row blocks of the scene [`VALLEY`].
pub(super) fn low_memory_backend() -> Backend {
    memory_backend(VALLEY_SIZE, VALLEY_BYTES)
}

/// Runs a scene twice: once entirely in memory, and once with the backend `low_memory`, which keeps
/// only some of the world's rows in memory. Asserts that both runs write the same output.
fn assert_same_output(scene: &Scene, low_memory: Backend) {
    let [whole, parts] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let mut whole_run = Run::start(scene, "test", whole.path()).unwrap();
    let reported = whole_run.executor().notices();
    let expected = finish(whole_run);
    let mut run = Run::start_on(scene, "test", parts.path(), low_memory).unwrap();
    let also = run.executor().notices();
    let [in_memory, blocks] = block_counts_in_notice(&also);
    assert!(in_memory < blocks, "all {blocks} blocks are in memory");
    assert!(reported.iter().all(|notice| also.contains(notice)), "{reported:?} {also:?}");
    let found = finish(run);
    assert_eq!(found.state_hash, expected.state_hash);
    assert_eq!((found.steps, found.ledger.now), (expected.steps, expected.ledger.now));
    assert!(found.ledger.residual_relative.abs() < 1e-9);
    let names = |all: &[(String, Vec<u8>)]| -> Vec<String> {
        all.iter().map(|(name, _)| name.clone()).collect()
    };
    let [expected, found] = [output_files(whole.path()), output_files(parts.path())];
    assert_eq!(names(&found), names(&expected));
    for ((name, found), (_, expected)) in found.iter().zip(&expected) {
        assert!(found == expected, "{name}");
    }
}

/// Returns the number of row blocks in memory and the number of all row blocks, as given in a
/// notice of a run.
fn block_counts_in_notice(notices: &[String]) -> [usize; 2] {
    let end = " row blocks are in memory at a time";
    let counts = notices.iter().find_map(|notice| notice.strip_suffix(end)).unwrap();
    let (in_memory, blocks) = counts.split_once(" of ").unwrap();
    [in_memory, blocks].map(|count| count.parse().unwrap())
}

/// Returns the names and contents of the output files of a run, except the summary, which contains
/// the elapsed time.
pub(super) fn output_files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> = read_files(folder).into_iter().collect();
    all.retain(|(name, _)| name != SUMMARY_FILE);
    all
}

/// Checks that runs with a memory limit give the same output as runs in memory. `level` is the
/// value of `physics.level`.
fn assert_same_output_at(level: &str) {
    let folder = tempfile::tempdir().unwrap();
    assert_same_output(&valley_with_structures(level, &[]), low_memory_backend());
    assert_same_output(&valley_with_maps(level, folder.path(), &[]), low_memory_backend());
}

#[test]
fn out_of_core_runs_with_pipes_give_the_same_output() {
    assert_same_output_at("pipes");
}

#[test]
fn out_of_core_inertial_runs_give_the_same_output() {
    // Takes more than 2 s, because the blocks of rows are small, so that files are opened often.
    assert_same_output(&valley_scene("inertial", &[]), low_memory_backend());
    assert_same_output_at("inertial");
}

#[test]
fn out_of_core_shallow_water_runs_give_the_same_output() {
    // Takes more than 2 s, because the blocks of rows are small, so that files are opened often.
    assert_same_output_at("shallow-water");
}

/// Checks that structures and events change the output, so that tests that compare outputs cover
/// them.
#[test]
fn structures_and_events_change_the_output() {
    let leaves = |text: &str| {
        let scene = scene::parse("some.toml", &format!("{VALLEY}{text}"), &[]).unwrap();
        run_to_end(&scene).unwrap().state_hash()
    };
    // Gauges change nothing, and are rejected without their structure.
    let is_done = |piece: &&str| !piece.starts_with("gauge");
    let pieces: Vec<&str> = STRUCTURES_AND_EVENTS.split_inclusive("\n[[").filter(is_done).collect();
    let all = leaves(STRUCTURES_AND_EVENTS);
    for i in 0..pieces.len() {
        // Without one of them; headers begin at the ends of the previous tables.
        let mut text: String = String::new();
        for (j, piece) in pieces.iter().enumerate().filter(|(j, _)| *j != i) {
            text += if j == 0 { "" } else { "[[" };
            text += piece.strip_suffix("[[").unwrap_or(piece);
        }
        assert!(leaves(&text) != all, "without {}", pieces[i]);
    }
}

/// Writes terrain files to a folder. Returns scenes that use these files, each with its number of
/// columns and rows.
pub(super) fn scenes_with_terrain_files(folder: &Path) -> Vec<(Scene, [usize; 2])> {
    let path = |name: &str| folder.join(name);
    let height = |x: usize, y: usize| 1207.0 + (x * 7 + y * 3) as f32 % 23.0 - 0.02 * y as f32;
    let is_void = |x: usize, y: usize| x.abs_diff(20) + y.abs_diff(90) < 9 || (y > 240 && x < 8);
    let (heights, void) = (Field::from_fn(60, 260, height), Field::from_fn(60, 260, is_void));
    write_geotiff(path("hill.tif"), &heights, [5.0, 4.0], Some(&void)).unwrap();
    // Georeferenced, with a raster that extends beyond the terrain.
    let text = "ncols 1\nnrows 1\nxllcorner 900\nyllcorner 500\ncellsize 1\n1\n";
    let raster = raster::read_bytes("a.asc", text.as_bytes(), &ReadOptions::default()).unwrap();
    let mut place = raster.info.georeference().unwrap();
    (place.unit, place.bounds) = (Some("metre"), [900.0, 500.0, 1200.0, 1540.0]);
    write_geotiff_georeferenced(path("placed.tif"), &heights, &place, Some(&void)).unwrap();
    place.bounds = [800.0, 300.0, 1300.0, 1600.0];
    let rain = Field::from_fn(25, 65, |x, y| ((x * 3 + y) % 5) as f32);
    write_geotiff_georeferenced(path("rain.tif"), &rain, &place, None).unwrap();
    write_asc(path("hill.asc"), &heights, [5.0, 5.0], Some(&void)).unwrap();
    let marked = Field::from_fn(60, 260, |x, y| if void[(x, y)] { f32::NAN } else { height(x, y) });
    write_npy(path("hill.npy"), &marked).unwrap();
    [
        ("hill.tif", "{}", [60, 260]),
        ("hill.asc", "{ nx = 77 }", [77, 334]),
        ("hill.npy", "{ ny = 200, cell = 4 }", [46, 200]),
        ("hill.tif", "{ lattice = 'hex', nx = 40 }", [40, 162]),
        ("placed.tif", "{}", [60, 260]),
        ("placed.tif", "{ lattice = 'hex', nx = 40 }", [40, 162]),
    ]
    .map(|(file, grid, size)| {
        let format = if file == "placed.tif" && grid == "{}" { "geotiff" } else { "npy" };
        let text = format!(
            "model = 'flow'\ntime.until = 3\ngrid = {grid}\nphysics.level = 'inertial'\n\
             [terrain]\n[[terrain.shape]]\nop = 'smooth'\nreach = 30\nrect = {{ min = [0, 200], max = [150, 700] }}\n\
             [[terrain.shape]]\nop = 'lower'\nlevel = 1198\nfalloff = 'smooth'\n\
             disc = {{ center = [70, 240], radius = 40 }}\n[water]\nlevel = 1209\n\
             [[source]]\nat = [40, 150]\nrate = 9\nradius = 16\n\
             [[boundary]]\nedge = 'south'\nkind = 'open'\n\
             [[boundary]]\nedge = 'west'\nkind = 'solitary'\nlevel = 1212\nheight = 0.4\ntime = 2\n\
             [rain]\nrate = 70\n\
             [output]\nframes = 1\ngif = false\nlayers = ['bed', 'depth', 'surface']\n\
             layer_format = '{format}'\n[picture]\nwidth = 120\n"
        );
        let quoted = |file: &str| format!("'{}'", path(file).display());
        let mut set = vec![("terrain.file".to_owned(), quoted(file))];
        if file == "placed.tif" {
            set.push(("rain.map".to_owned(), quoted("rain.tif")));
        }
        (scene::parse("hill.toml", &text, &set).unwrap(), size)
    })
    .into()
}

#[test]
fn terrain_files_give_the_same_output_out_of_core() {
    // Takes more than 2 s, because the blocks of rows are small, so that files are opened often.
    let folder = tempfile::tempdir().unwrap();
    // Bytes per column that suffice for about half to most of the blocks of each scene.
    let bytes = [12_000, 12_000, 10_500, 10_700, 12_000, 12_000];
    for ((scene, size), bytes) in scenes_with_terrain_files(folder.path()).into_iter().zip(bytes) {
        assert_same_output(&scene, memory_backend(size, bytes));
    }
}

/// Observer that stops a run after the given number of steps.
pub(super) struct StopAfterSteps(pub(super) u32);

impl Observer for StopAfterSteps {
    fn step(&mut self, _: &mut dyn Executor) -> ControlFlow<()> {
        self.0 -= 1;
        if self.0 > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
    fn task_started(&mut self, _: &str) {}
}

#[test]
fn interrupted_runs_resume_with_other_memory_limits() {
    let maps = tempfile::tempdir().unwrap();
    let scene = valley_with_maps("inertial", maps.path(), &[("output.frames", "0")]);
    let [whole, parts] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let expected = finish(Run::start(&scene, "test", whole.path()).unwrap());
    let run = Run::start_on(&scene, "test", parts.path(), low_memory_backend()).unwrap();
    assert!(matches!(run.execute(&mut StopAfterSteps(3)).unwrap(), RunOutcome::Stopped { .. }));
    let output_files: Vec<_> = std::fs::read_dir(parts.path()).unwrap().flatten().collect();
    let is_left = |entry: &std::fs::DirEntry| {
        entry.file_type().unwrap().is_file() || entry.file_name() == CHECKPOINT_PARTS_FOLDER
    };
    assert!(output_files.iter().all(is_left), "{output_files:?}");
    let again = tempfile::tempdir().unwrap();
    copy_folder(parts.path(), again.path());
    let found = finish(Run::resume(&scene, "test", parts.path()).unwrap());
    assert_eq!(found.state_hash, expected.state_hash);
    let run = Run::resume_on(&scene, "test", again.path(), low_memory_backend()).unwrap();
    let found = finish(run);
    assert_eq!(found.state_hash, expected.state_hash);
    assert!(self::output_files(again.path()) == self::output_files(whole.path()));
}

#[test]
fn unsupported_out_of_core_features_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |keys: &[(&str, &str)], memory: Backend| {
        let scene = valley_scene("inertial", keys);
        let out = folder.path().join("out");
        let error = Run::start_on(&scene, "test", &out, memory).err().unwrap();
        assert!(!out.exists(), "a refused run leaves a folder");
        error.to_string()
    };
    let mesh = [("output.mesh", "\"glb\""), ("particles.count", "40")];
    let error = refused(&mesh, low_memory_backend());
    assert!(error.contains("output.mesh: not supported with --memory"), "{error}");
    assert!(error.contains("particles: not supported with --memory"), "{error}");
    let error = refused(&[("output.layer_format", "\"png\"")], low_memory_backend());
    assert!(error.contains("output.layer_format"), "{error}");
    let error = refused(&[], Backend::Memory(1 << 20));
    assert!(error.contains("needs at least --memory"), "{error}");
    let pool = "model = 'waves'\ntime.until = 1\ngrid = { nx = 4, ny = 3, cell = 1 }\n";
    let pool = scene::parse("pool.toml", pool, &[]).unwrap();
    let error = Run::start_on(&pool, "test", folder.path(), Backend::Memory(1 << 30)).err();
    assert!(error.unwrap().to_string().contains("only the model `flow` does"));
}

#[test]
fn worlds_larger_than_memory_suggest_the_memory_option() {
    let keys = [("grid.nx", "10000"), ("grid.ny", "10000"), ("terrain.noise.octaves", "1")];
    let error =
        headwater_scene::run::build_simulation(&valley_scene("pipes", &keys)).err().unwrap();
    assert!(error.to_string().contains("`--memory`"), "{error}");
}
