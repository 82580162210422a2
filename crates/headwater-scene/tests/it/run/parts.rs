//! Tests of parallel checkpoints, which consist of one part per rank. Runs that are resumed from
//! them must end like uninterrupted runs, wherever the writing was interrupted. Error messages
//! about damaged parts must contain the file name.

use super::memory::{
    StopAfterSteps, VALLEY_SIZE, low_memory_backend, output_files, valley_scene, valley_with_maps,
    valley_with_structures,
};
use crate::support::ranks::{MessageStatistics, recording_ranks, thread_backend, thread_ranks};
use crate::support::run::{finish, stop_after};
use headwater::distributed::RebalancePolicy;
use headwater_scene::Scene;
use headwater_scene::run::{
    Backend, CHECKPOINT_FILE, CHECKPOINT_PARTS_FOLDER, Executor, Observer, Ranks, Run, RunError,
    RunOutcome, checkpoint_info, find_checkpoint, is_checkpoint, is_checkpoint_in_parts,
};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use xxhash_rust::xxh3::xxh3_64;

/// Configures ranks to move rows between each other whenever this balances their work better.
fn with_rebalancing(mut ranks: Ranks) -> Ranks {
    (ranks.rebalance, ranks.block_rows) = (Some(RebalancePolicy::new(0.0, 1)), Some(20));
    ranks
}

/// Copies a folder with all its contents. Existing files are overwritten.
pub(super) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy_folder(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Returns the names of the files in a parallel checkpoint. The manifest is last.
fn checkpoint_file_names(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder.join(CHECKPOINT_PARTS_FOLDER)).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort_unstable_by_key(|name| (name == "manifest", name.clone()));
    names
}

/// Starts a distributed run and stops it after the given number of steps, so that it writes a
/// checkpoint. Returns the folder that contains the parts of the checkpoint.
fn stop_run(run: Run<'_>, steps: u32) -> PathBuf {
    match run.execute(&mut StopAfterSteps(steps)).unwrap() {
        RunOutcome::Stopped { checkpoint, .. } => checkpoint,
        RunOutcome::Done(_) => panic!("it ended before it was stopped"),
    }
}

/// Runs a scene without interruption. Returns the names and contents of its output files.
fn run_uninterrupted(scene: &Scene) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    finish(Run::start(scene, "test", folder.path()).unwrap());
    output_files(folder.path())
}

fn assert_output_files(folder: &Path, expected: &[(String, Vec<u8>)], description: &str) {
    let found = output_files(folder);
    let names = |all: &[(String, Vec<u8>)]| -> Vec<String> {
        all.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&found), names(expected), "{description}");
    for ((name, found), (_, expected)) in found.iter().zip(expected) {
        assert!(found == expected, "{name} of {description}");
    }
}

#[test]
fn parallel_checkpoints_resume_on_any_number_of_ranks() {
    // Takes more than 2 s, because each run is resumed on up to three backends.
    let maps = tempfile::tempdir().unwrap();
    let keys = [("output.frames", "0"), ("rain.rate", "20"), ("infiltration.rate", "10")];
    let mapped = |level| valley_with_maps(level, maps.path(), &keys);
    for (level, scene, steps) in [
        ("pipes", mapped("pipes"), 3),
        ("inertial", mapped("inertial"), 3),
        ("shallow-water", mapped("shallow-water"), 3),
        // After some events, with pictures still to come.
        ("inertial", valley_with_structures("inertial", &[]), 12),
    ] {
        let expected = run_uninterrupted(&scene);
        let begun = tempfile::tempdir().unwrap();
        // Blocks have moved between ranks by then.
        let ranks = with_rebalancing(thread_ranks(vec![scene.clone(); 4], |comm| comm));
        let run = Run::start_on(&scene, "test", begun.path(), Backend::Distributed(ranks));
        let parts = stop_run(run.unwrap(), steps);
        assert_eq!(parts, begun.path().join(CHECKPOINT_PARTS_FOLDER));
        assert_eq!(
            checkpoint_file_names(begun.path()).len(),
            5,
            "a file of each rank, and a manifest"
        );
        assert!(!begun.path().join(CHECKPOINT_FILE).exists());
        assert_eq!(find_checkpoint(begun.path()), Some(parts.clone()));
        let info = checkpoint_info(&parts).unwrap();
        assert_eq!(([info.nx, info.ny], info.state_hash), (VALLEY_SIZE, None));
        assert!(info.steps > 0 && info.volume > 0.0);
        assert_eq!(checkpoint_info(&parts.join("manifest")).unwrap().steps, info.steps);
        assert!(is_checkpoint(&fs::read(parts.join("manifest")).unwrap()));
        assert!(is_checkpoint_in_parts(&parts) && !is_checkpoint_in_parts(begun.path()));
        let backends = match level {
            "pipes" => {
                vec![thread_backend(1, &scene), Backend::Cpu, low_memory_backend()]
            }
            "inertial" => vec![thread_backend(4, &scene), thread_backend(3, &scene)],
            _ => vec![thread_backend(5, &scene), Backend::Cpu, low_memory_backend()],
        };
        for backend in backends {
            let what = format!("{level}, on {}", backend.name());
            let again = tempfile::tempdir().unwrap();
            copy_folder(begun.path(), again.path());
            finish(Run::resume_on(&scene, "test", again.path(), backend).unwrap());
            assert_output_files(again.path(), &expected, &what);
        }
    }
}

/// Tests that completing a checkpoint in one form (a single file, or parts) removes the checkpoint
/// in the other form.
#[test]
fn runs_switch_between_ranks_and_one_process() {
    let scene = valley_scene("inertial", &[("output.frames", "0")]);
    let expected = run_uninterrupted(&scene);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let steps = |run: &mut Run<'_>| run.executor().steps();
    stop_run(Run::start_on(&scene, "test", path, thread_backend(3, &scene)).unwrap(), 1);
    let older = tempfile::tempdir().unwrap();
    copy_folder(path, older.path());
    let mut run = Run::resume(&scene, "test", path).unwrap();
    let begun = steps(&mut run);
    stop_run(run, 1);
    assert!(path.join(CHECKPOINT_FILE).is_file() && !path.join(CHECKPOINT_PARTS_FOLDER).exists());
    // The run resumes from the later checkpoint of the two.
    copy_folder(older.path(), path);
    let mut run = Run::resume_on(&scene, "test", path, low_memory_backend()).unwrap();
    assert_eq!(steps(&mut run), begun + 1);
    drop(run);
    let file = fs::read(path.join(CHECKPOINT_FILE)).unwrap();
    let parts =
        stop_run(Run::resume_on(&scene, "test", path, thread_backend(2, &scene)).unwrap(), 2);
    assert!(parts.is_dir() && !path.join(CHECKPOINT_FILE).exists());
    fs::write(path.join(CHECKPOINT_FILE), &file).unwrap();
    let mut run = Run::resume(&scene, "test", path).unwrap();
    assert!(steps(&mut run) > begun + 1);
    drop(run);
    // A damaged checkpoint is always reported.
    fs::write(path.join(CHECKPOINT_FILE), &file[..file.len() - 1]).unwrap();
    let refused = Run::resume(&scene, "test", path).err().unwrap().to_string();
    assert!(refused.contains("checkpoint.headwater: is damaged"), "{refused}");
    assert!(
        refused.contains("remove it to resume from") && refused.ends_with(CHECKPOINT_PARTS_FOLDER),
        "{refused}"
    );
    fs::write(path.join(CHECKPOINT_FILE), &file).unwrap();
    let manifest = fs::read(parts.join("manifest")).unwrap();
    fs::write(parts.join("manifest"), &manifest[..99]).unwrap();
    let refused = Run::resume(&scene, "test", path).err().unwrap().to_string();
    assert!(
        refused.contains("manifest: is damaged") && refused.ends_with(CHECKPOINT_FILE),
        "{refused}"
    );
    fs::write(parts.join("manifest"), &manifest).unwrap();
    finish(Run::resume_on(&scene, "test", path, thread_backend(4, &scene)).unwrap());
    assert_output_files(path, &expected, "there and back");
}

/// Copies of the folder of a run, made at several times while a checkpoint is written.
struct CheckpointStages {
    /// Copy that was made before any rank writes.
    before: PathBuf,
    /// Copy that was made after all ranks have written, while the manifest is still that of the
    /// previous checkpoint.
    between: PathBuf,
    /// Copy that was made after the checkpoint is complete.
    after: PathBuf,
}

/// Observer that copies the folder `from` after certain steps. `stages` contains the step numbers
/// and the destinations.
struct FolderCopier {
    step: usize,
    from: PathBuf,
    stages: Vec<(usize, PathBuf)>,
}

impl Observer for FolderCopier {
    fn step(&mut self, _: &mut dyn Executor) -> ControlFlow<()> {
        self.step += 1;
        let now = self.stages.iter().filter(|(step, _)| *step == self.step);
        now.for_each(|(_, to)| copy_folder(&self.from, to));
        ControlFlow::Continue(())
    }

    fn task_started(&mut self, _: &str) {}
}

/// Runs a scene on `ranks` ranks. Returns copies of the run's folder, made while the checkpoint
/// with the number `number` is written.
fn copy_checkpoint_stages(
    scene: &Scene,
    ranks: usize,
    number: usize,
    folder: &Path,
) -> CheckpointStages {
    let at_work = folder.join("at-work");
    let [before, between, after] =
        ["before", "between", "after"].map(|name| folder.join(format!("{number}-{name}")));
    let (from, to, mut count) = (at_work.clone(), between.clone(), 0);
    let look = move |is_done: bool| {
        count += usize::from(!is_done);
        if (count, is_done) == (number, true) {
            copy_folder(&from, &to);
        }
        true
    };
    let sent = MessageStatistics {
        on_checkpoint_write: Some(Mutex::new(Box::new(look))),
        ..MessageStatistics::default()
    };
    let (ranks, _) = recording_ranks(ranks, scene, sent);
    let run = Run::start_on(scene, "test", &at_work, Backend::Distributed(ranks)).unwrap();
    let stages = vec![(number, before.clone()), (number + 1, after.clone())];
    let summary =
        run.execute(&mut FolderCopier { step: 0, from: at_work.clone(), stages }).unwrap();
    let RunOutcome::Done(summary) = summary else { panic!("the run was stopped") };
    assert!(!summary.notices.iter().any(|notice| notice.contains("no checkpoint")));
    assert!(after.is_dir(), "there were fewer checkpoints");
    fs::remove_dir_all(at_work).unwrap();
    CheckpointStages { before, between, after }
}

#[test]
fn runs_killed_during_a_checkpoint_resume_from_the_last_complete_one() {
    let keys = [("output.frames", "0"), ("output.checkpoint_every", "1e-9")];
    let scene = valley_scene("inertial", &keys);
    let expected = run_uninterrupted(&scene);
    let folder = tempfile::tempdir().unwrap();
    let CheckpointStages { before, between, after } =
        copy_checkpoint_stages(&scene, 3, 2, folder.path());
    let [older, both, newer] =
        [&before, &between, &after].map(|folder| checkpoint_file_names(folder));
    assert_eq!((older.len(), both.len(), newer.len()), (4, 7, 4));
    let new_parts: Vec<_> = newer.iter().filter(|name| *name != "manifest").collect();
    assert!(new_parts.iter().all(|name| both.contains(name) && !older.contains(name)));
    let path_in = |folder: &Path, name: &str| folder.join(CHECKPOINT_PARTS_FOLDER).join(name);
    type DamagedCheckpoint<'a> = (&'a str, &'a Path, Box<dyn Fn(&Path) + 'a>);
    let broken: [DamagedCheckpoint<'_>; 8] = [
        ("before any has written", &before, Box::new(|_| ())),
        (
            "one has begun",
            &before,
            Box::new(|folder| {
                fs::write(path_in(folder, new_parts[1]), "").unwrap();
            }),
        ),
        (
            "some are done, and one half",
            &between,
            Box::new(|folder| {
                fs::remove_file(path_in(folder, new_parts[0])).unwrap();
                let half = path_in(folder, new_parts[2]);
                let bytes = fs::read(&half).unwrap();
                fs::write(half, &bytes[..bytes.len() / 2]).unwrap();
            }),
        ),
        ("all are done", &between, Box::new(|_| ())),
        (
            "half of the manifest is written",
            &between,
            Box::new(|folder| {
                let bytes = fs::read(path_in(&after, "manifest")).unwrap();
                fs::write(
                    path_in(folder, ".headwater-temporary-k1ll3d"),
                    &bytes[..bytes.len() / 2],
                )
                .unwrap();
            }),
        ),
        (
            "the manifest is written, and has not its name",
            &between,
            Box::new(|folder| {
                fs::copy(
                    path_in(&after, "manifest"),
                    path_in(folder, ".headwater-temporary-k1ll3d"),
                )
                .unwrap();
            }),
        ),
        (
            "the manifest is there, and so are all older parts",
            &between,
            Box::new(|folder| {
                fs::copy(path_in(&after, "manifest"), path_in(folder, "manifest")).unwrap();
            }),
        ),
        (
            "one older part is left",
            &after,
            Box::new(|folder| {
                fs::copy(path_in(&before, &older[0]), path_in(folder, &older[0])).unwrap();
            }),
        ),
    ];
    for (number, (what, from, break_off)) in broken.iter().enumerate() {
        let killed = folder.path().join(format!("killed-{number}"));
        copy_folder(from, &killed);
        break_off(&killed);
        let refused = Run::start(&scene, "test", &killed).err().unwrap();
        assert!(matches!(refused, RunError::Unfinished { .. }), "{refused}");
        assert!(refused.to_string().contains(CHECKPOINT_PARTS_FOLDER), "{refused}");
        let backend =
            if number % 3 == 2 { Backend::Cpu } else { thread_backend(1 + number % 3, &scene) };
        let run = Run::resume_on(&scene, "test", &killed, backend).unwrap();
        assert_eq!(
            checkpoint_file_names(&killed).len(),
            4,
            "files of the unfinished checkpoint are removed: {what}"
        );
        finish(run);
        assert_output_files(&killed, &expected, what);
    }
}

#[test]
fn runs_killed_during_the_first_checkpoint_start_anew() {
    let keys = [("output.frames", "0"), ("output.checkpoint_every", "1e-9")];
    let scene = valley_scene("pipes", &keys);
    let folder = tempfile::tempdir().unwrap();
    let CheckpointStages { between, .. } = copy_checkpoint_stages(&scene, 3, 1, folder.path());
    assert_eq!(checkpoint_file_names(&between).len(), 3, "no manifest yet");
    let refused = Run::resume(&scene, "test", &between).err().unwrap().to_string();
    assert!(refused.contains("manifest: does not exist"), "{refused}");
    assert_eq!(checkpoint_file_names(&between).len(), 3, "a refused checkpoint keeps its files");
    // Foreign files are kept and reported.
    let own = between.join(CHECKPOINT_PARTS_FOLDER).join("notes.txt");
    fs::write(&own, "mine").unwrap();
    let refused = Run::start(&scene, "test", &between).err().unwrap();
    assert!(matches!(refused, RunError::Foreign { .. }), "{refused}");
    Run::start_overwriting(&scene, "test", &between, Backend::Cpu).unwrap();
    assert_eq!(checkpoint_file_names(&between), ["notes.txt"]);
    fs::remove_file(own).unwrap();
    fs::remove_dir(between.join(CHECKPOINT_PARTS_FOLDER)).unwrap();
    Run::start(&scene, "test", &between).unwrap();
}

#[test]
fn failed_checkpoints_keep_the_previous_one() {
    let keys = [("output.frames", "0"), ("output.checkpoint_every", "1e-9")];
    let scene = valley_scene("inertial", &keys);
    let expected = run_uninterrupted(&scene);
    let folder = tempfile::tempdir().unwrap();
    let (out, seen) = (folder.path().join("out"), folder.path().join("seen"));
    // All checkpoints succeed except the second, in which one rank runs out of space after all have
    // written.
    let failing = |number: usize| {
        let mut count = 0;
        let look = move |is_done: bool| {
            count += usize::from(!is_done);
            count != number && number > 0
        };
        MessageStatistics {
            on_checkpoint_write: Some(Mutex::new(Box::new(look))),
            ..MessageStatistics::default()
        }
    };
    let (ranks, _) = recording_ranks(3, &scene, failing(2));
    let run = Run::start_on(&scene, "test", &out, Backend::Distributed(ranks)).unwrap();
    let stages = vec![(3, seen.clone())];
    run.execute(&mut FolderCopier { step: 0, from: out.clone(), stages }).unwrap();
    assert_output_files(&out, &expected, "a run of which one was not written");
    assert_eq!(checkpoint_file_names(&seen).len(), 4, "the first, and nothing of the second");
    finish(Run::resume_on(&scene, "test", &seen, thread_backend(2, &scene)).unwrap());
    assert_output_files(&seen, &expected, "gone on from the first");
    // If none can be written, this is reported and nothing is left.
    let out = folder.path().join("none");
    let (ranks, _) = recording_ranks(2, &scene, failing(0));
    let run = Run::start_on(&scene, "test", &out, Backend::Distributed(ranks)).unwrap();
    let summary = finish(run);
    let reported =
        summary.notices.iter().find(|notice| notice.contains("no checkpoint was written"));
    assert!(
        reported
            .is_some_and(|reported| reported.contains(CHECKPOINT_PARTS_FOLDER)
                && reported.contains("is full")),
        "{reported:?}"
    );
    assert_output_files(&out, &expected, "a run of which none was written");
}

#[test]
fn damaged_parts_are_named_and_left_unchanged() {
    let scene = valley_scene("inertial", &[("output.frames", "0")]);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    stop_run(Run::start_on(&scene, "test", &out, thread_backend(3, &scene)).unwrap(), 2);
    let backends =
        [thread_backend(2, &scene), Backend::Cpu, low_memory_backend(), thread_backend(3, &scene)];
    for (number, name) in checkpoint_file_names(&out).into_iter().enumerate() {
        let path = out.join(CHECKPOINT_PARTS_FOLDER).join(&name);
        let whole = fs::read(&path).unwrap();
        let altered = |at: usize| {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            Some(bytes)
        };
        let damaged = [
            None,
            Some(Vec::new()),
            Some(whole[..whole.len() - 1].to_vec()),
            Some([&whole[..], b"x"].concat()),
            altered(3),
            altered(40),
            altered(whole.len() / 2),
            altered(whole.len() - 1),
        ];
        for (way, bytes) in damaged.into_iter().enumerate() {
            match &bytes {
                None => fs::remove_file(&path).unwrap(),
                Some(bytes) => fs::write(&path, bytes).unwrap(),
            }
            let before = output_files(&out);
            let backend = backends[(number + way) % backends.len()].clone();
            let refused = Run::resume_on(&scene, "test", &out, backend).err().unwrap();
            let is_resume = matches!(refused, RunError::Resume { .. });
            let reported = refused.to_string();
            assert!(
                is_resume && reported.contains(&name) && !reported.contains('\n'),
                "{way}: {reported}"
            );
            assert!(output_files(&out) == before, "{name} {way}: nothing is written over");
            // Without a manifest there is no checkpoint.
            if !(name == "manifest" && way == 0) {
                let reported = checkpoint_info(&out.join(CHECKPOINT_PARTS_FOLDER)).unwrap_err();
                assert!(reported.contains(&name), "{reported}");
            }
        }
        fs::write(&path, whole).unwrap();
    }
    assert!(checkpoint_info(&out.join(CHECKPOINT_PARTS_FOLDER)).is_ok());
    let other = valley_scene("inertial", &[("output.frames", "0"), ("time.until", "13")]);
    for backend in [thread_backend(2, &other), Backend::Cpu] {
        let refused = Run::resume_on(&other, "test", &out, backend).err().unwrap().to_string();
        assert!(
            refused.contains(CHECKPOINT_PARTS_FOLDER) && refused.contains("other settings"),
            "{refused}"
        );
    }
    finish(Run::resume_on(&scene, "test", &out, thread_backend(2, &scene)).unwrap());
    assert_output_files(&out, &run_uninterrupted(&scene), "after all that");
}

#[test]
fn changed_bytes_under_a_matching_checksum_cause_no_panic() {
    let scene = valley_scene("inertial", &[("output.frames", "0")]);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let parts =
        stop_run(Run::start_on(&scene, "test", &out, thread_backend(2, &scene)).unwrap(), 1);
    let path = parts.join("manifest");
    let whole = fs::read(&path).unwrap();
    let head = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let (mut random, mut refused) = (5_u64, 0);
    for turn in 0..60 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
        let number = random >> 20;
        let mut body = whole[head..whole.len() - 8].to_vec();
        // The layout of the parts follows the run's own data, from north to south.
        let within = if turn % 2 == 0 { body.len() } else { 900 };
        let at = (number >> 8) as usize % within;
        match number % 3 {
            0 => body[at] = number.to_le_bytes()[1],
            1 => body[at..(at + 9).min(within)].fill(0xFF),
            _ => body.truncate(at),
        }
        let forged = [&whole[..head], &body, &xxh3_64(&body).to_le_bytes()].concat();
        fs::write(&path, forged).unwrap();
        let _ = checkpoint_info(&parts);
        let backend = if turn % 3 == 0 { thread_backend(2, &scene) } else { Backend::Cpu };
        match Run::resume_on(&scene, "test", &out, backend) {
            Err(error) => {
                assert!(matches!(error, RunError::Resume { .. }), "{error}");
                refused += 1;
            }
            Ok(run) => drop(run),
        }
    }
    assert!(refused > 30, "{refused} refused");
}

#[test]
fn runs_of_one_process_write_a_single_file() {
    let scene = valley_scene("pipes", &[("output.frames", "0")]);
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = stop_after(&scene, folder.path(), 3, false);
    assert_eq!(checkpoint, folder.path().join(CHECKPOINT_FILE));
    assert!(!folder.path().join(CHECKPOINT_PARTS_FOLDER).exists());
    assert!(checkpoint_info(&checkpoint).unwrap().state_hash.is_some());
}
