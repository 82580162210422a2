//! Tests that distributed runs produce the same output as runs in one process.

use super::memory::{
    StopAfterSteps, low_memory_backend, output_files, scenes_with_terrain_files, valley_scene,
    valley_with_maps, valley_with_structures,
};
use crate::support::ranks::{MessageStatistics, recording_ranks, thread_backend, thread_ranks};
use crate::support::run::finish;
use headwater::Field;
use headwater::distributed::RebalancePolicy;
use headwater_scene::raster::write_npy;
use headwater_scene::run::{
    Backend, CHECKPOINT_FILE, CHECKPOINT_PARTS_FOLDER, Executor, Observer, Run, RunError,
    RunOutcome, checkpoint_info,
};
use headwater_scene::{Scene, scene};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;

/// Runs a scene with a backend. Returns the names and contents of the output files.
fn run_on_backend(scene: &Scene, backend: Backend) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    finish(Run::start_on(scene, "test", folder.path(), backend).unwrap());
    output_files(folder.path())
}

fn assert_same_files(
    actual: &[(String, Vec<u8>)],
    expected: &[(String, Vec<u8>)],
    description: &str,
) {
    let names = |all: &[(String, Vec<u8>)]| -> Vec<String> {
        all.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(actual), names(expected), "{description}");
    for ((name, actual), (_, expected)) in actual.iter().zip(expected) {
        assert!(actual == expected, "{name} of {description}");
    }
}

#[test]
fn distributed_runs_give_the_same_output() {
    let maps = tempfile::tempdir().unwrap();
    for (level, plain_ranks, busy_ranks) in
        [("pipes", 1, 3), ("inertial", 5, 2), ("shallow-water", 5, 3)]
    {
        let (plain, busy) = (valley_scene(level, &[]), valley_with_structures(level, &[]));
        let mapped = valley_with_maps(level, maps.path(), &[]);
        for (scene, ranks) in [(&plain, plain_ranks), (&busy, busy_ranks), (&mapped, 2)] {
            let whole = tempfile::tempdir().unwrap();
            let expected = finish(Run::start(scene, "test", whole.path()).unwrap());
            let parts = tempfile::tempdir().unwrap();
            let run =
                Run::start_on(scene, "test", parts.path(), thread_backend(ranks, scene)).unwrap();
            let found = finish(run);
            let what = format!("{level} on {ranks}");
            assert_eq!(found.state_hash, expected.state_hash, "{what}");
            assert_eq!((found.steps, found.ledger.now), (expected.steps, expected.ledger.now));
            assert_eq!(found.ledger.start, expected.ledger.start);
            assert_eq!(found.pictures, expected.pictures);
            assert_same_files(&output_files(parts.path()), &output_files(whole.path()), &what);
        }
    }
}

/// Tests that rebalancing moves all data of a row block from rank to rank: pictures, layers,
/// gauges, flood maxima and no-data masks. Obstacles close the southern part of the worlds, so the
/// ranks there have less work and row blocks move.
#[test]
fn rebalanced_runs_give_the_same_output() {
    let folder = tempfile::tempdir().unwrap();
    scenes_with_terrain_files(folder.path());
    let closed = ("obstacle", "[{ rect = { min = [0, 440], max = [80, 600] } }]");
    let hill = |grid: &str| {
        let text = format!(
            "model = 'flow'\ntime.until = 2\ngrid = {grid}\nphysics.level = 'inertial'\n\
             [terrain]\nfile = '{}'\n[water]\ndepth = 1\n\
             [[obstacle]]\nrect = {{ min = [0, 600], max = [400, 1100] }}\n\
             [[event]]\ntime = 1\ndo = 'open'\nrect = {{ min = [0, 0], max = [400, 700] }}\n\
             [output]\nframes = 0\nfinal = false\nlayers = ['bed', 'depth', 'surface']\n",
            folder.path().join("hill.tif").display()
        );
        scene::parse("hill.toml", &text, &[]).unwrap()
    };
    // With rain and soils, all row blocks have equal work.
    valley_with_maps("inertial", folder.path(), &[]);
    let [manning, level] = ["manning.npy", "level.npy"]
        .map(|name| format!("'{}'", folder.path().join(name).display()));
    for (scene, ranks) in [
        (valley_scene("inertial", &[closed]), 4),
        (valley_with_structures("inertial", &[]), 3),
        (
            valley_scene(
                "inertial",
                &[closed, ("physics.manning_map", &manning), ("water.level_map", &level)],
            ),
            4,
        ),
        (hill("{}"), 2),
        (hill("{ lattice = 'hex', nx = 40 }"), 2),
    ] {
        let expected = run_on_backend(&scene, Backend::Cpu);
        let (mut team, sent) = recording_ranks(ranks, &scene, MessageStatistics::default());
        (team.rebalance, team.block_rows) = (Some(RebalancePolicy::new(0.0, 1)), Some(20));
        let found = run_on_backend(&scene, Backend::Distributed(team));
        assert_same_files(&found, &expected, &format!("{ranks} ranks"));
        // Messages of the lake search are shorter than a block.
        assert!(sent.largest_to_neighbour.load(Ordering::Relaxed) > 1000, "{ranks} ranks");
    }
}

#[test]
fn terrain_files_give_the_same_output_on_ranks() {
    let folder = tempfile::tempdir().unwrap();
    for (scene, [nx, ny]) in scenes_with_terrain_files(folder.path()) {
        let expected = run_on_backend(&scene, Backend::Cpu);
        assert_same_files(
            &run_on_backend(&scene, thread_backend(3, &scene)),
            &expected,
            &format!("{nx} × {ny} cells"),
        );
    }
}

/// Tests that a smoothed terrain file gives the same ground with any number of ranks. Smoothing
/// reads rows outside the halo of a rank. The radii are chosen so that the first row to be read has
/// an even or an odd number.
#[test]
fn smoothed_terrain_files_are_independent_of_the_partition() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hill.npy");
    let height = |x: usize, y: usize| ((x * 7 + y * 3) % 23) as f32;
    write_npy(&file, &Field::from_fn(30, 110, height)).unwrap();
    for (reach, lattice) in [(3, "square"), (5, "square"), (8, "hex"), (9, "square"), (10, "hex")] {
        let text = format!(
            "model = 'flow'\ntime.until = 1\ngrid = {{ cell = 2, lattice = '{lattice}' }}\n\
             physics.level = 'pipes'\n[terrain]\nfile = '{}'\n[[terrain.shape]]\nop = 'smooth'\n\
             reach = {reach}\neverywhere = true\n[water]\nlevel = 12\n\
             [output]\nframes = 0\nlayers = ['bed', 'depth']\n[picture]\nwidth = 90\n",
            file.display()
        );
        let scene = scene::parse("hill.toml", &text, &[]).unwrap();
        let expected = run_on_backend(&scene, Backend::Cpu);
        for ranks in [2, 3] {
            assert_same_files(
                &run_on_backend(&scene, thread_backend(ranks, &scene)),
                &expected,
                &format!("{reach}, {ranks} ranks"),
            );
        }
    }
}

#[test]
fn messages_between_ranks_are_bounded() {
    // The first rank requests at most one block of a field, never a whole world.
    let scene = valley_scene(
        "shallow-water",
        &[
            ("grid.nx", "400"),
            ("grid.ny", "400"),
            ("time.until", "1"),
            ("output.layers_at", "[0.5]"),
            ("output.frames", "0"),
        ],
    );
    let (team, sent) = recording_ranks(4, &scene, MessageStatistics::default());
    let folder = tempfile::tempdir().unwrap();
    let backend = Backend::Distributed(team);
    finish(Run::start_on(&scene, "test", folder.path(), backend).unwrap());
    // A rank has 100 rows of 400 cells, with 40 bytes of flood maxima each.
    let (said, max_bytes) = (sent.largest.load(Ordering::Relaxed), 100 * 400 * 40 + 1000);
    assert!(said > 1000 && said <= max_bytes, "{said} bytes at once");
}

#[test]
fn single_process_checkpoints_resume_on_ranks() {
    let maps = tempfile::tempdir().unwrap();
    let scene = valley_with_maps("inertial", maps.path(), &[("output.frames", "0")]);
    let expected = run_on_backend(&scene, Backend::Cpu);
    for (begun, left_behind) in
        [(Backend::Cpu, CHECKPOINT_FILE), (low_memory_backend(), CHECKPOINT_PARTS_FOLDER)]
    {
        let folder = tempfile::tempdir().unwrap();
        let stopped = Run::start_on(&scene, "test", folder.path(), begun).unwrap();
        assert!(matches!(
            stopped.execute(&mut StopAfterSteps(3)).unwrap(),
            RunOutcome::Stopped { .. }
        ));
        assert!(folder.path().join(left_behind).exists());
        finish(Run::resume_on(&scene, "test", folder.path(), thread_backend(2, &scene)).unwrap());
        assert_same_files(&output_files(folder.path()), &expected, "begun by one");
    }
}

/// Tests that a lake fills all connected cells if it crosses the boundaries between ranks several
/// times.
#[test]
fn lakes_fill_connected_cells_across_ranks() {
    let mut walls = String::new();
    for i in 0..5 {
        let (from, to) = if i % 2 == 0 { (0, 220) } else { (20, 240) };
        let x = 20 + 20 * i;
        walls +=
            &format!("[[obstacle]]\nrect = {{ min = [{x}, {from}], max = [{}, {to}] }}\n", x + 4);
    }
    let text = format!(
        "model = 'flow'\ntime.until = 1\ngrid = {{ nx = 60, ny = 120, cell = 2 }}\n[terrain]\n\
         plane = {{ height = 10 }}\nnoise = {{ height = 1 }}\n[[water.lake]]\nat = [8, 120]\nlevel = 12\n{walls}\
         [output]\nlayers = ['depth']\nframes = 0\n[picture]\nwidth = 120\n"
    );
    let scene = scene::parse("lake.toml", &text, &[]).unwrap();
    let expected = run_on_backend(&scene, Backend::Cpu);
    for ranks in [2, 6] {
        assert_same_files(
            &run_on_backend(&scene, thread_backend(ranks, &scene)),
            &expected,
            &format!("{ranks} ranks"),
        );
    }
    // A lake on closed ground is rejected by all ranks.
    let scene = scene::parse("lake.toml", &text.replace("[8, 120]", "[22, 200]"), &[]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let found =
        Run::start_on(&scene, "test", folder.path(), thread_backend(4, &scene)).err().unwrap();
    let alone = Run::start(&scene, "test", folder.path()).err().unwrap();
    assert_eq!(found.to_string(), alone.to_string());
    assert!(found.to_string().contains("water.lake[0].at: lies in an obstacle"), "{found}");
}

#[test]
fn unsupported_distributed_features_are_named_and_leave_no_output() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let refused = |scene: &Scene| {
        let error = Run::start_on(scene, "test", &out, thread_backend(2, scene)).err().unwrap();
        assert!(!out.exists());
        error.to_string()
    };
    let scene = valley_scene("inertial", &[("output.mesh", "\"glb\""), ("particles.count", "40")]);
    let error = refused(&scene);
    assert!(error.contains("output.mesh: not") && error.contains("particles: not"), "{error}");
    let pool = "model = 'waves'\ntime.until = 1\ngrid = { nx = 4, ny = 3, cell = 1 }\n";
    let error = refused(&scene::parse("pool.toml", pool, &[]).unwrap());
    assert!(error.contains("only the model `flow` does"), "{error}");
    let joined = "boundary=[{ edge = \"north\", kind = \"periodic\" }]".split_once('=').unwrap();
    let error = refused(&valley_scene("pipes", &[joined]));
    assert!(error.contains("boundary[0].kind"), "{error}");
    // Ranks with different input would give different results.
    let (mine, other) =
        (valley_scene("pipes", &[]), valley_scene("pipes", &[("time.until", "13")]));
    let ranks = thread_ranks(vec![mine.clone(), other], |comm| comm);
    let error = Run::start_on(&mine, "test", &out, Backend::Distributed(ranks)).err().unwrap();
    assert!(error.to_string().contains("differs from the first process's"), "{error}");
    assert!(!out.exists());
}

/// Observer that removes the folder for rows that do not fit in memory, after the second step of a
/// run.
struct StorageRemover<'a>(usize, &'a Path);

impl Observer for StorageRemover<'_> {
    fn step(&mut self, _: &mut dyn Executor) -> ControlFlow<()> {
        self.0 += 1;
        if self.0 == 2 {
            std::fs::remove_dir_all(self.1.join(".headwater-scratch")).unwrap();
        }
        ControlFlow::Continue(())
    }

    fn task_started(&mut self, _: &str) {}
}

#[test]
fn storage_failures_keep_the_last_checkpoint() {
    let scene = valley_scene("inertial", &[("output.frames", "0")]);
    let folder = tempfile::tempdir().unwrap();
    let run = Run::start_on(&scene, "test", folder.path(), thread_backend(2, &scene)).unwrap();
    assert!(matches!(run.execute(&mut StopAfterSteps(1)).unwrap(), RunOutcome::Stopped { .. }));
    let kept = checkpoint_info(&folder.path().join(CHECKPOINT_PARTS_FOLDER)).unwrap();
    let run = Run::resume_on(&scene, "test", folder.path(), low_memory_backend()).unwrap();
    let error = run.execute(&mut StorageRemover(0, folder.path())).err().unwrap();
    assert!(matches!(error, RunError::Model { .. }), "{error}");
    // The failed world is not saved.
    assert_eq!(
        checkpoint_info(&folder.path().join(CHECKPOINT_PARTS_FOLDER)).unwrap().steps,
        kept.steps
    );
    let again = finish(Run::resume(&scene, "test", folder.path()).unwrap());
    let whole = tempfile::tempdir().unwrap();
    let expected = finish(Run::start(&scene, "test", whole.path()).unwrap());
    assert_eq!(again.state_hash, expected.state_hash);
}

#[cfg(feature = "zarr")]
#[test]
fn all_ranks_write_to_zarr_stores() {
    // Files of 256 rows: some belong to one rank, some to two, and the last is shorter.
    let keys = [
        ("grid.nx", "40"),
        ("grid.ny", "1400"),
        ("time.until", "2"),
        ("output.frames", "0"),
        ("output.layers_at", "[1]"),
        ("output.layer_format", "\"zarr\""),
    ];
    let scene = valley_scene("inertial", &keys);
    let expected = run_on_backend(&scene, Backend::Cpu);
    assert!(expected.len() > 20);
    for ranks in [2, 3, 7] {
        assert_same_files(
            &run_on_backend(&scene, thread_backend(ranks, &scene)),
            &expected,
            &format!("{ranks} ranks"),
        );
    }
}
