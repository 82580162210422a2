//! Tests that the reader of checkpoints rejects invalid bytes with an error message and never
//! panics.

use crate::support::fuzz::Search;
use crate::support::run::{NX, NY, StepObserver, full_scene, stop_after};
use headwater_scene::Scene;
use headwater_scene::run::{Run, RunError, checkpoint_info, is_checkpoint};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Runs a scene and interrupts the run. Returns the scene, the folder of the run, the path of its
/// checkpoint file, and the content of this file.
fn interrupt_run(folder: &Path) -> (Scene, PathBuf, PathBuf, Vec<u8>) {
    let scene = full_scene(folder);
    let out = folder.join("out");
    let path = stop_after(&scene, &out, 30, false);
    let bytes = std::fs::read(&path).unwrap();
    (scene, out, path, bytes)
}

#[test]
fn valid_checkpoints_have_readable_metadata() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, out, path, bytes) = interrupt_run(folder.path());
    assert!(is_checkpoint(&bytes) && !is_checkpoint(b"headwater"));
    let info = checkpoint_info(&path).unwrap();
    assert_eq!((info.nx, info.ny, info.steps), (NX, NY, 30));
    let mut run = Run::resume(&scene, "test", &out).unwrap();
    let flow = run.executor().local_world().unwrap().flow().unwrap();
    assert_eq!(info.state_hash, Some(format!("{:016x}", flow.state_hash())));
    assert_eq!((info.simulated_seconds, info.volume), (flow.time(), flow.balance().now));
    assert!(info.simulated_seconds > 0.0 && info.volume > 0.0);
}

#[test]
fn changed_and_missing_bytes_are_detected() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, out, path, bytes) = interrupt_run(folder.path());
    let mut search = Search::new("checkpoints", 400, 4);
    while search.next_round() {
        let number = search.rng.next();
        let mut wrong = bytes.clone();
        let at = (number >> 8) as usize % bytes.len();
        if number.is_multiple_of(4) {
            wrong.truncate(at);
        } else {
            wrong[at] ^= 1 << (number % 8);
        }
        std::fs::write(&path, &wrong).unwrap();
        search.try_input(&wrong, || {
            let problem = checkpoint_info(&path).unwrap_err();
            assert!(!problem.is_empty() && !problem.contains('\n'), "{problem}");
            let refused = Run::resume(&scene, "test", &out).err().unwrap();
            assert!(matches!(refused, RunError::Resume { .. }), "{refused}");
        });
    }
}

#[test]
fn changed_bytes_under_a_matching_checksum_cause_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, out, path, bytes) = interrupt_run(folder.path());
    let head = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let (mut refused, mut taken) = (0, 0);
    let mut search = Search::new("checkpoints", 600, 5);
    while search.next_round() {
        let (i, number) = (search.rounds_started, search.rng.next());
        let mut body = bytes[head..bytes.len() - 8].to_vec();
        // Lengths and counts are at the beginning, where changes have the most effect.
        let within = if i % 2 == 0 { body.len() } else { 400 };
        let at = (number >> 16) as usize % within;
        match number % 3 {
            0 => body[at] = number.to_le_bytes()[7],
            1 => body[at..(at + 9).min(within)].fill(0xFF),
            _ => body.truncate(at),
        }
        let forged = [&bytes[..head], &body, &xxh3_64(&body).to_le_bytes()].concat();
        std::fs::write(&path, &forged).unwrap();
        let was_taken = search.try_input(&forged, || {
            match (checkpoint_info(&path), Run::resume(&scene, "test", &out)) {
                (_, Err(error)) => {
                    assert!(matches!(error, RunError::Resume { .. }), "{error}");
                    false
                }
                (info, Ok(mut run)) => {
                    assert!(info.is_ok() && run.executor().is_state_finite().unwrap());
                    // A step may return an error, but must not loop endlessly.
                    let mut steps = 0;
                    let _ = run.execute(&mut StepObserver(|_| {
                        steps += 1;
                        steps < 5
                    }));
                    true
                }
            }
        });
        if was_taken { taken += 1 } else { refused += 1 }
    }
    assert!(refused > search.rounds_started / 3, "{refused} refused, {taken} taken");
}
