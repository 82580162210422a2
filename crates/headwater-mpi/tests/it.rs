//! What the program says when it is alone. What it does on several is tried by `cargo xtask mpi --test`.
#![allow(clippy::unwrap_used, reason = "what fails in a test is to be seen")]

use std::process::{Command, Output};

fn told(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_headwater-mpi")).args(words).output().unwrap()
}

#[test]
fn it_says_who_it_is_and_how_it_is_used() {
    let version = String::from_utf8(told(&["--version"]).stdout).unwrap();
    assert_eq!(version.trim(), concat!("headwater-mpi ", env!("CARGO_PKG_VERSION")));
    let help = told(&["run", "--help"]);
    let words = String::from_utf8(help.stdout).unwrap();
    assert!(help.status.success() && words.contains("--resume"));
    let refused = told(&["run"]);
    let words = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{words}");
    assert!(words.contains("<SCENE>"), "{words}");
}
