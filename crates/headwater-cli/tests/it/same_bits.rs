//! Tests that equal scenes and seeds give equal results for any number of threads.

use crate::sandbox::{Sandbox, split_at_spaces};

fn run_and_hash(sandbox: &Sandbox, extra_args: &str) -> String {
    let line = format!(
        "run dam-breach --out out --set grid.nx=160 --set grid.ny=120 --set grid.cell=8 \
         --set output.frames=0 --set output.final=false --set output.gif=false --set time.until=20 \
         --json {extra_args}"
    );
    let summary = sandbox.run_program(&split_at_spaces(&line)).expect_success().json();
    assert!(summary["pictures"].as_array().unwrap().is_empty());
    if let Some(threads) = extra_args.strip_prefix("--threads ") {
        assert_eq!(summary["threads"].to_string(), threads);
    }
    summary["state_hash"].as_str().unwrap().to_owned()
}

#[test]
fn the_state_depends_on_the_seed_and_not_on_the_number_of_threads() {
    let sandbox = Sandbox::new();
    let one = run_and_hash(&sandbox, "--threads 1");
    for more in ["--threads 2", "--threads 3", "--set seed=4", ""] {
        assert_eq!(run_and_hash(&sandbox, more), one, "{more}");
    }
    assert_ne!(run_and_hash(&sandbox, "--set seed=5"), one);
    assert_ne!(run_and_hash(&sandbox, "--set time.until=19.5"), one);
}
