//! `headwater verify`: how exact the models are. A case is a world with a known outcome; its rows hold
//! what was measured against a limit.

mod flow;

use crate::rows;
use anyhow::Result;
use headwater::flow::Flow;
use serde::Serialize;

/// One measured figure.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    /// `model/case`.
    pub(crate) name: String,
    /// What was measured, and its unit.
    pub(crate) metric: &'static str,
    /// The figure.
    pub(crate) value: f64,
    /// It may be this at most.
    pub(crate) limit: f64,
    /// Whether it is.
    pub(crate) pass: bool,
}

impl Row {
    /// A row that passes if `value ≤ limit`.
    pub(crate) fn at_most(name: &str, metric: &'static str, value: f64, limit: f64) -> Self {
        Self { name: name.into(), metric, value, limit, pass: value <= limit }
    }
}

/// A case: its name and how to measure it.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    measure: fn(Steps) -> Result<Vec<Row>>,
}

/// Moves a flow world by a number of steps of `dt` seconds. The cases know no other way, so that a
/// test can hand them one that moves nothing, and see them fail.
pub(crate) type Steps<'a> = &'a (dyn Fn(&mut Flow, u64, f64) -> Result<()> + Sync);

/// The model itself.
fn model(flow: &mut Flow, steps: u64, dt: f64) -> Result<()> {
    for _ in 0..steps {
        flow.step(dt)?;
    }
    Ok(())
}

/// All cases, in the order they are run.
pub(crate) fn cases() -> Vec<Case> {
    flow::CASES.iter().map(|&(name, measure)| Case { name, measure }).collect()
}

/// Runs the cases that `wanted` names (all, if it names none); true if all rows pass.
pub(crate) fn run(wanted: &[String], json: bool) -> Result<bool> {
    let chosen = rows::choose(cases(), wanted, |case| case.name)?;
    let mut all = Vec::new();
    let table = rows::Table::new(json, &["case", "metric", "value", "limit", ""]);
    for case in chosen {
        table.working_on(case.name);
        for row in (case.measure)(&model)? {
            let verdict = if row.pass { "pass" } else { "FAIL" };
            let (value, limit) = (rows::figure(row.value), rows::figure(row.limit));
            table.row(&[&row.name, row.metric, &value, &limit, verdict]);
            all.push(row);
        }
    }
    table.finish(&all)?;
    Ok(all.iter().all(|row| row.pass))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_fails_a_world_where_nothing_moves() {
        for case in cases() {
            let rows = (case.measure)(&|_, _, _| Ok(())).unwrap();
            assert!(rows.iter().any(|row| !row.pass), "{} passes: {rows:?}", case.name);
        }
    }
}
