//! Tests of the program's command line in a single process. `cargo xtask mpi --test` runs the tests
//! with several ranks.
#![allow(clippy::unwrap_used, reason = "tests panic on failure")]

use std::process::{Command, Output};

fn run_program(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_headwater-mpi")).args(args).output().unwrap()
}

#[test]
fn version_help_and_usage_errors_are_printed() {
    let version = String::from_utf8(run_program(&["--version"]).stdout).unwrap();
    assert_eq!(version.trim(), concat!("headwater-mpi ", env!("CARGO_PKG_VERSION")));
    let help = run_program(&["run", "--help"]);
    let text = String::from_utf8(help.stdout).unwrap();
    assert!(help.status.success() && text.contains("--resume"));
    let missing_scene = run_program(&["run"]);
    let text = String::from_utf8(missing_scene.stderr).unwrap();
    assert_eq!(missing_scene.status.code(), Some(2), "{text}");
    assert!(text.contains("<SCENE>"), "{text}");
}
