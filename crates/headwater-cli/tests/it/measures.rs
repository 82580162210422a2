//! Tests of the output of `verify` and `bench`, as tables and as JSON.

use crate::sandbox::{Sandbox, words};
use serde_json::Value;
use std::collections::BTreeSet;

/// Runs a command line with JSON output and returns the printed rows. Checks that each row has
/// exactly the given keys.
fn rows(line: &str, keys: &str) -> Vec<Value> {
    let outcome = Sandbox::new().call(&words(line)).success();
    assert_eq!(outcome.stderr, "");
    let Value::Array(rows) = outcome.json() else { panic!("no array: {outcome:?}") };
    for row in &rows {
        let found: BTreeSet<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(found, words(keys).into_iter().collect());
    }
    rows
}

#[test]
fn verify_prints_a_json_array_of_passing_rows() {
    let rows = rows("verify flow/symmetry flow/level --json", "name metric value limit pass");
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
    let outcome = Sandbox::new().call(&words("verify flow/level*")).success();
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines.len(), 7, "the levels on squares and on hexagons: {outcome:?}");
    assert!(lines[0].starts_with("case") && lines[1].starts_with("flow/level "));
    assert!(lines[1..].iter().all(|line| line.starts_with("flow/level") && line.ends_with("pass")));
}

#[test]
fn bench_prints_a_json_array_with_ratios() {
    let rows = rows("bench flow/fused-256 --json", "name value unit reference ratio spread");
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
