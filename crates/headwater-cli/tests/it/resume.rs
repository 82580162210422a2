//! Tests that Ctrl-C leaves a checkpoint, and that `--resume` continues exactly. Checkpoints of
//! other scenes and damaged checkpoints must be refused.

use crate::sandbox::{Sandbox, split_at_spaces};
use serde_json::Value;

/// Returns the command line of a run with events, gauges, tracers and many pictures. Ctrl-C arrives
/// before this run ends.
fn command(folder: &str) -> String {
    format!(
        "run dam-breach --out {folder} --set time.until=120 --set grid.nx=80 --set grid.ny=60 \
         --set grid.cell=16 --set output.frames=100 --set output.gif=false --set picture.width=240 \
         --layers depth"
    )
}

#[test]
fn a_run_stopped_twice_produces_the_same_files() {
    let sandbox = Sandbox::new();
    sandbox.run_program(&split_at_spaces(&command("through"))).expect_success();
    let command = command("stopped");
    let resume = format!("{command} --resume");
    let mut hash = Value::Null;
    for (frame, line) in [("stopped/frame-0008.png", &command), ("stopped/frame-0040.png", &resume)]
    {
        let outcome = sandbox.interrupt_when_file_exists(frame, &split_at_spaces(line));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""), "{outcome:?}");
        outcome.expect_stderr(&["stopped at", "checkpoint.headwater", "--resume"]);
        let names = sandbox.names("stopped");
        assert!(names.contains(&"checkpoint.headwater".to_owned()), "{names:?}");
        assert!(!names.contains(&"summary.json".to_owned()), "{names:?}");
        let info = sandbox
            .run_program(&split_at_spaces("info --json stopped/checkpoint.headwater"))
            .expect_success()
            .json();
        assert_eq!((&info["kind"], &info["nx"]), (&"checkpoint".into(), &80.into()));
        assert_ne!(std::mem::replace(&mut hash, info["state_hash"].clone()), info["state_hash"]);
    }
    sandbox.run_program(&split_at_spaces(&resume)).expect_success();
    assert_eq!(sandbox.names("stopped"), sandbox.names("through"), "the checkpoint is gone");
    for (ours, theirs) in
        sandbox.named_file_contents("stopped").iter().zip(&sandbox.named_file_contents("through"))
    {
        assert!(ours == theirs, "{} differs", ours.0);
    }
    sandbox
        .run_program(&split_at_spaces(&resume))
        .expect_refusal(&["checkpoint.headwater", "does not exist"]);
}

#[test]
fn damaged_or_mismatched_checkpoints_are_refused() {
    let sandbox = Sandbox::new();
    let command = command("out");
    assert_eq!(
        sandbox.interrupt_when_file_exists("out/frame-0003.png", &split_at_spaces(&command)).code,
        Some(1)
    );
    let resume = format!("{command} --resume");
    let other = |more: &str| sandbox.run_program(&split_at_spaces(&format!("{resume} {more}")));
    for more in
        ["--set seed=5", "--set physics.friction=0.1", "--set time.until=121", "--layers bed"]
    {
        other(more).expect_refusal(&["out/checkpoint.headwater", "other settings"]);
    }
    let sound = sandbox.read("out/checkpoint.headwater");
    let flipped = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let length = sound.len();
    let damaged = [
        Vec::new(),
        b"no checkpoint\n".to_vec(),
        sound[..10].to_vec(),
        sound[..25].to_vec(),
        sound[..40].to_vec(),
        sound[..length / 2].to_vec(),
        sound[..length - 1].to_vec(),
        [&sound[..], b"more"].concat(),
        flipped(3),
        flipped(26),
        flipped(35),
        flipped(length / 3),
        flipped(length - 1),
    ];
    let info = split_at_spaces("info out/checkpoint.headwater");
    for (i, bytes) in damaged.iter().enumerate() {
        sandbox.write("out/checkpoint.headwater", bytes);
        let outcome = sandbox.run_program(&split_at_spaces(&resume));
        outcome.expect_refusal(&["out/checkpoint.headwater: "]);
        assert!(
            ["is not a", "truncated", "damaged", "is empty"]
                .iter()
                .any(|w| outcome.stderr.contains(w)),
            "{i}"
        );
        sandbox.run_program(&info).expect_refusal(&["out/checkpoint.headwater: "]);
    }
    // The program did not change the refused files, and the valid checkpoint can still be resumed
    // with any number of threads.
    sandbox.write("out/checkpoint.headwater", &sound);
    let outcome = sandbox.run_program(&split_at_spaces(&info.join(" "))).expect_success();
    for word in ["kind", "checkpoint", "simulated seconds", "state hash"] {
        assert!(outcome.stdout.contains(word), "{outcome:?}");
    }
    other("--threads 3").expect_success();
}

#[test]
fn resume_fails_without_a_checkpoint() {
    let sandbox = Sandbox::new();
    let outcome = sandbox.run_program(&split_at_spaces("run tide --out nowhere --resume"));
    outcome.expect_refusal(&["nowhere/checkpoint.headwater", "does not exist"]);
    assert!(!sandbox.path("nowhere").exists());
}
