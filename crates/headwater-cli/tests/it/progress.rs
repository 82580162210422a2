//! Tests of the progress report that a run prints with `--progress json`.

use crate::sandbox::{POND, Sandbox, split_at_spaces};
use serde_json::Value;
use std::io::{BufRead as _, BufReader};

fn parse_json_lines(stderr: &str) -> Vec<Value> {
    stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_run_prints_its_progress_as_json_lines() {
    let sandbox = Sandbox::new();
    sandbox.write("pond.toml", POND.replace("gif = false", "gif = true"));
    let run = sandbox
        .run_program(&split_at_spaces("run pond.toml --json --progress json"))
        .expect_success();
    assert_eq!(run.json()["steps"], sandbox.summary("out/pond")["steps"]);
    let printed = parse_json_lines(&run.stderr);
    let (first, last) = (&printed[0], &printed[printed.len() - 1]);
    assert_eq!((&first["time"], &first["steps"]), (&0.0.into(), &0.into()));
    assert_eq!((&first["until"], &first["unit"]), (&10.0.into(), &"s".into()));
    assert!(first["seconds_left"].is_null() && first["wall_seconds"].as_f64().unwrap() >= 0.0);
    assert_eq!((&last["time"], &last["seconds_left"]), (&10.0.into(), &0.0.into()));
    assert_eq!(last["steps"], run.json()["steps"]);
    assert!(printed.iter().any(|line| line["begins"] == "writing animation.gif"), "{printed:?}");

    // Without `--progress json` nothing is printed. The bar is not printed either, because stderr
    // is no terminal.
    for quiet in ["run pond.toml --json", "run pond.toml --progress none", "run pond.toml"] {
        assert_eq!(
            sandbox.run_program(&split_at_spaces(quiet)).expect_success().stderr,
            "",
            "{quiet}"
        );
    }
    let refused = sandbox.run_program(&split_at_spaces("run pond.toml --progress often"));
    assert_eq!(refused.code, Some(2));
    refused.expect_stderr(&["often", "bar", "json", "none"]);
}

#[test]
fn a_resumed_run_estimates_the_remaining_time() {
    let sandbox = Sandbox::new();
    let long = POND.replace("until = 10", "until = 1e6").replace("frames = 2", "frames = 5000");
    sandbox.write("long.toml", long);
    let line = split_at_spaces("run long.toml --progress json");
    let stopped = sandbox.interrupt_when_file_exists("out/long/frame-0003.png", &line);
    assert_eq!(stopped.code, Some(1));
    let mut child = sandbox.start(&[&line[..], &["--resume"]].concat());
    let mut printed = Vec::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines().take(3) {
        printed.push(serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let of = |i: usize, key: &str| printed[i][key].as_f64().unwrap();
    assert!(of(0, "time") > 0.0 && of(0, "steps") > 0.0 && printed[0]["seconds_left"].is_null());
    assert!(of(1, "time") > of(0, "time") && of(1, "wall_seconds") >= 1.0);
    // The estimated remaining time uses only the speed since the resumption.
    let pace = (of(2, "time") - of(0, "time")) / of(2, "wall_seconds");
    let left = (1e6 - of(2, "time")) / pace;
    assert!((of(2, "seconds_left") / left - 1.0).abs() < 1e-9, "{printed:?}");
}
