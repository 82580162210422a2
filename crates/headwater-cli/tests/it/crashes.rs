//! Tests that a run gives the same files whether or not it is killed at random times and then
//! resumed. The environment variable `HEADWATER_CRASHES` sets the number of runs. `cargo xtask
//! long` performs many runs.

use crate::sandbox::{Sandbox, split_at_spaces};
use std::time::{Duration, Instant};

/// Default number of runs that the test kills and resumes.
const ROUNDS: u64 = 5;
/// Maximum number of times that one run is killed before it is resumed to its end.
const MAX_KILLS: u64 = 2;

/// Arguments of `headwater run` for one scene per model. Each scene runs for a few tenths of a
/// second.
const SCENES: [&str; 5] = [
    "dam-breach --until 40 --set grid.nx=80 --set grid.ny=60 --set grid.cell=16 --layers depth",
    "pond --until 8 --set grid.nx=80 --set grid.ny=54 --set grid.cell=0.2",
    "terraria --until 5",
    "castle-cistern --until 5",
    "young-range --until 2 --set grid.nx=64 --set grid.ny=64",
];

fn command(scene: &str, folder: &str) -> String {
    format!(
        "run {scene} --out {folder} --set output.frames=15 --set picture.width=120 \
         --set output.checkpoint_every=0.02"
    )
}

/// Returns a reproducible pseudorandom number from 0 to 1 (SplitMix64).
fn pseudorandom_fraction(number: u64) -> f64 {
    let mut z = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) as f64 / 2_f64.powi(64)
}

#[test]
fn killed_and_resumed_runs_produce_the_same_files() {
    let rounds = std::env::var("HEADWATER_CRASHES").map_or(ROUNDS, |text| text.parse().unwrap());
    let (mut kills, mut resumed) = (0, 0);
    for (scene, name) in SCENES.iter().zip(0..) {
        let sandbox = Sandbox::new();
        let start = Instant::now();
        sandbox.run_program(&split_at_spaces(&command(scene, "through"))).expect_success();
        let (took, expected) = (start.elapsed(), sandbox.named_file_contents("through"));
        for round in (0..rounds).filter(|round| round % SCENES.len() as u64 == name) {
            let folder = format!("killed-{round}");
            let command = command(scene, &folder);
            for kill in 0..=MAX_KILLS {
                let has_checkpoint = sandbox.path(&folder).join("checkpoint.headwater").exists();
                resumed += u64::from(has_checkpoint);
                // If no checkpoint was written yet, the run starts again. It may overwrite the
                // pictures, because they are known to belong to a run.
                let line = format!("{command} {}", if has_checkpoint { "--resume" } else { "" });
                if kill == MAX_KILLS {
                    sandbox.run_program(&split_at_spaces(&line)).expect_success();
                    break;
                }
                let mut child = sandbox.start(&split_at_spaces(&line));
                // Kill the run after its start-up, which is less interesting to interrupt.
                let after =
                    took.mul_f64(0.1 + 0.8 * pseudorandom_fraction(round * MAX_KILLS + kill));
                std::thread::sleep(after.min(Duration::from_secs(20)));
                let ended = child.try_wait().unwrap();
                child.kill().unwrap();
                let ended = ended.or_else(|| {
                    Some(child.wait().unwrap()).filter(std::process::ExitStatus::success)
                });
                if let Some(status) = ended {
                    assert!(status.success(), "{scene}: {status}");
                    break;
                }
                kills += 1;
            }
            let names: Vec<_> = sandbox.names(&folder);
            let found = sandbox.named_file_contents(&folder);
            assert_eq!(names, sandbox.names("through"), "{scene}, round {round}");
            for ((name, found), (_, expected)) in found.iter().zip(&expected) {
                assert!(found == expected, "{scene}, round {round}: {name} differs");
            }
        }
    }
    println!("{kills} kills, {resumed} resumed, in {rounds} rounds");
    assert!(rounds < 5 || resumed > 0, "{kills} kills");
}

#[test]
fn a_run_whose_folder_is_removed_ends_with_an_error() {
    let sandbox = Sandbox::new();
    let long = "run dam-breach --out out --set grid.nx=80 --set grid.ny=60 --set grid.cell=16 \
        --until 100000 --set output.frames=10000 --set output.checkpoint_every=0.02";
    let child = sandbox.start_and_wait_for_file("out/frame-0003.png", &split_at_spaces(long));
    while std::fs::remove_dir_all(sandbox.path("out")).is_err() {}
    let outcome = crate::sandbox::wait_for_exit(child);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    outcome.expect_stderr(&["error: out", "No such file"]);
}

/// Simulates a full disk by limiting the size of files to a few kB.
#[cfg(target_os = "linux")]
#[test]
fn a_run_stopped_by_a_full_disk_can_be_resumed() {
    use std::process::{Command, Stdio};
    let sandbox = Sandbox::new();
    let command = |folder: &str| command(SCENES[0], folder);
    sandbox.run_program(&split_at_spaces(&command("through"))).expect_success();
    sandbox.interrupt_when_file_exists("full/frame-0004.png", &split_at_spaces(&command("full")));
    let resume = format!("{} --resume", command("full"));
    let limited = "ulimit -f 16; exec \"$0\" \"$@\"";
    let child = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_headwater")])
        .args(split_at_spaces(&resume))
        .current_dir(sandbox.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let outcome = crate::sandbox::wait_for_exit(child.unwrap());
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    outcome.expect_stderr(&[
        "error: full",
        "File too large",
        "the run left full/checkpoint.headwater",
    ]);
    sandbox.run_program(&split_at_spaces(&resume)).expect_success();
    assert!(sandbox.named_file_contents("full") == sandbox.named_file_contents("through"));
}

/// Runs the program with a limit on its address space.
#[cfg(target_os = "linux")]
fn call_with_memory(
    sandbox: &Sandbox,
    megabytes: usize,
    line: &str,
) -> crate::sandbox::ProgramOutput {
    use std::process::{Command, Stdio};
    let limited = format!("ulimit -v {megabytes}000; exec \"$0\" \"$@\"");
    let child = Command::new("sh")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_headwater")])
        .args(split_at_spaces(line))
        // By default each thread reserves address space.
        .env("MALLOC_ARENA_MAX", "1")
        .current_dir(sandbox.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    crate::sandbox::wait_for_exit(child.unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_without_enough_memory_is_refused_or_leaves_a_checkpoint() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", crate::sandbox::POND);
    let mut codes = Vec::new();
    for megabytes in (60..=165).step_by(15) {
        let line = format!(
            "run pond.toml --threads 1 --until 0.1 --set grid.nx=800 --set grid.ny=800 --out {megabytes}"
        );
        let outcome = call_with_memory(&sandbox, megabytes, &line);
        codes.push(outcome.code);
        match outcome.code {
            Some(0) => {}
            Some(1) => {
                outcome.expect_stderr(&["error: the system has no more memory", "--resume"]);
                sandbox.run_program(&split_at_spaces(&format!("{line} --resume"))).expect_success();
            }
            _ => outcome.expect_refusal(&["grid: found 800 × 800 cells", "does not provide"]),
        }
    }
    assert!([0, 1, 2].iter().all(|code| codes.contains(&Some(*code))), "{codes:?}");
}

#[test]
fn pictures_that_are_removed_during_a_run_are_reported() {
    let sandbox = Sandbox::new();
    let line = command(SCENES[0], "out");
    sandbox.interrupt_when_file_exists("out/frame-0004.png", &split_at_spaces(&line));
    std::fs::remove_file(sandbox.path("out/frame-0002.png")).unwrap();
    let outcome =
        sandbox.run_program(&split_at_spaces(&format!("{line} --resume"))).expect_success();
    outcome.expect_stderr(&["note: pictures removed from the output folder during the run: 1"]);
    assert!(sandbox.summary("out")["notices"].to_string().contains("pictures removed"));
}
