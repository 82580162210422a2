//! Tests that equal scenes and seeds give equal results for any number of threads.

use crate::sandbox::{Sandbox, words};

fn hash(sandbox: &Sandbox, more: &str) -> String {
    let line = format!(
        "run dam-breach --out out --set grid.nx=160 --set grid.ny=120 --set grid.cell=8 \
         --set output.frames=0 --set output.final=false --set output.gif=false --set time.until=20 --json {more}"
    );
    let summary = sandbox.call(&words(&line)).expect_success().json();
    assert!(summary["pictures"].as_array().unwrap().is_empty());
    if let Some(threads) = more.strip_prefix("--threads ") {
        assert_eq!(summary["threads"].to_string(), threads);
    }
    summary["state_hash"].as_str().unwrap().to_owned()
}

#[test]
fn the_state_depends_on_the_seed_and_not_on_the_number_of_threads() {
    let sandbox = Sandbox::new();
    let one = hash(&sandbox, "--threads 1");
    for more in ["--threads 2", "--threads 3", "--set seed=4", ""] {
        assert_eq!(hash(&sandbox, more), one, "{more}");
    }
    assert_ne!(hash(&sandbox, "--set seed=5"), one);
    assert_ne!(hash(&sandbox, "--set time.until=19.5"), one);
}
