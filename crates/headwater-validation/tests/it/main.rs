//! Tests of the output of the program `headwater-validation`, as tables and as JSON, and of the
//! generated schema and reference of scene files.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod schema;

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// Runs the program with the arguments in `line`, separated by spaces. Returns the exit code,
/// stdout and stderr.
fn run_command(line: &str) -> (Option<i32>, String, String) {
    let program = env!("CARGO_BIN_EXE_headwater-validation");
    let output = Command::new(program).args(line.split(' ')).output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), stdout, stderr)
}

/// Runs a command line with JSON output and returns the printed rows. Checks that each row has
/// exactly the keys in `keys`, separated by spaces.
fn run_json(line: &str, keys: &str) -> Vec<Value> {
    let (code, stdout, stderr) = run_command(line);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{line}");
    let rows: Vec<Value> = serde_json::from_str(&stdout).unwrap();
    for row in &rows {
        let found: BTreeSet<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(found, keys.split(' ').collect());
    }
    rows
}

#[test]
fn verify_prints_a_json_array_of_passing_rows() {
    let rows = run_json("verify flow/symmetry flow/level --json", "name metric value limit pass");
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["flow/symmetry", "flow/level"], "in the order of the cases");
    for row in &rows {
        let [value, limit] = ["value", "limit"].map(|key| row[key].as_f64().unwrap());
        assert!(row["pass"] == true && value <= limit, "{row}");
        assert!(row["metric"].as_str().unwrap().len() > 5);
    }
}

#[test]
fn verify_prints_a_table() {
    let (code, stdout, _) = run_command("verify flow/level*");
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(code, Some(0));
    assert_eq!(lines.len(), 7, "the levels on squares and on hexagons: {stdout}");
    assert!(lines[0].starts_with("case") && lines[1].starts_with("flow/level "));
    assert!(lines[1..].iter().all(|line| line.starts_with("flow/level") && line.ends_with("pass")));
}

#[test]
fn bench_prints_a_json_array_with_ratios() {
    let rows = run_json("bench flow/fused-256 --json", "name value unit reference ratio spread");
    let references: Vec<_> = rows.iter().map(|row| row["reference"].as_str().unwrap()).collect();
    assert_eq!(references, ["article", "article, vectors", "plain"]);
    for row in &rows {
        assert_eq!(row["name"], "flow/fused-256");
        assert!(row["value"].as_f64().unwrap() > 0.0 && row["ratio"].as_f64().unwrap() > 0.0);
        assert!(row["unit"].as_str().unwrap().contains("cell-steps"));
        let spread = [0, 1].map(|i| row["spread"][i].as_f64().unwrap());
        let ratio = row["ratio"].as_f64().unwrap();
        assert!(spread[0] <= ratio && ratio <= spread[1] && spread[0] < spread[1], "{row}");
    }
}

#[test]
fn unknown_cases_are_refused() {
    for command in ["verify", "bench"] {
        for case in ["flow/nope", "flow/*nope", "nope*"] {
            for json in ["", " --json"] {
                let (code, stdout, stderr) = run_command(&format!("{command} {case}{json}"));
                assert_eq!((code, stdout.as_str()), (Some(2), ""), "{command} {case}{json}");
                let line = stderr.strip_prefix("error: ").unwrap();
                assert!(line.contains(case) && line.contains("flow"), "{line}");
                assert_eq!(stderr.lines().count(), 1, "{stderr}");
            }
        }
    }
    assert_eq!(run_command("verify --jsn").0, Some(2));
}
