//! A case, and what it finds: figures, each with the limit that it is held to.

use super::levels::Setup;
use super::motion::Motion;
use super::plot::Drawing;
use crate::rows;
use anyhow::Result;
use serde::Serialize;
use std::borrow::Cow;

/// One measured figure.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    /// `model/case`; `model/case@level` on another level of physics than the case's own,
    /// `model/case@hex-level` on hexagons.
    pub(super) name: String,
    /// What was measured, and its unit.
    pub(super) metric: Cow<'static, str>,
    /// The figure.
    pub(super) value: f64,
    /// How far it may go; `None` if it is there for comparison only.
    pub(super) limit: Option<f64>,
    /// Whether the limit is a lower one.
    #[serde(skip)]
    pub(super) at_least: bool,
    /// Whether the figure keeps the limit.
    pub(super) pass: bool,
}

impl Row {
    /// A row that passes if `value ≤ limit`, or if there is no limit.
    pub(super) fn at_most(
        name: impl Into<String>,
        metric: impl Into<Cow<'static, str>>,
        value: f64,
        limit: impl Into<Option<f64>>,
    ) -> Self {
        let limit = limit.into();
        let pass = limit.is_none_or(|limit| value <= limit);
        Self { name: name.into(), metric: metric.into(), value, limit, at_least: false, pass }
    }

    /// A row that passes if `value ≥ limit`.
    pub(super) fn at_least(
        name: impl Into<String>,
        metric: impl Into<Cow<'static, str>>,
        value: f64,
        limit: f64,
    ) -> Self {
        let pass = value >= limit;
        Self { at_least: true, pass, ..Self::at_most(name, metric, value, limit) }
    }

    /// The limit, for people.
    pub(super) fn limit_text(&self) -> String {
        let sign = if self.at_least { "≥" } else { "≤" };
        self.limit.map_or("-".into(), |limit| format!("{sign} {}", rows::figure(limit)))
    }

    pub(super) fn verdict(&self) -> &'static str {
        match self.limit {
            None => "",
            Some(_) if self.pass => "pass",
            Some(_) => "FAIL",
        }
    }
}

impl Setup {
    /// A row of a case in this setup.
    pub(super) fn row(
        self,
        case: &str,
        metric: impl Into<Cow<'static, str>>,
        value: f64,
        limit: impl Into<Option<f64>>,
    ) -> Row {
        Row::at_most(self.case(case), metric, value, limit)
    }

    /// The same with a limit that is for the case's own level, whatever the lattice.
    pub(super) fn gated(
        self,
        case: &str,
        metric: impl Into<Cow<'static, str>>,
        value: f64,
        limit: f64,
    ) -> Row {
        self.row(case, metric, value, self.gate(limit))
    }
}

/// A figure that no limit admits, for a world that did not move at all.
pub(super) const FROZEN: f64 = f64::INFINITY;

/// What a case finds, and what plots show of it.
pub(super) struct Outcome {
    pub(super) rows: Vec<Row>,
    pub(super) drawing: Option<Drawing>,
}

impl Outcome {
    /// Of rows alone.
    pub(super) fn of(rows: impl Into<Vec<Row>>) -> Self {
        Self { rows: rows.into(), drawing: None }
    }
}

impl From<Row> for Outcome {
    fn from(row: Row) -> Self {
        Self::of([row])
    }
}

/// A case: its name and how to measure it.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) measure: Measure,
}

type Measure = Box<dyn Fn(&dyn Motion) -> Result<Outcome> + Send + Sync>;

impl Case {
    pub(super) fn new(
        name: impl Into<String>,
        measure: impl Fn(&dyn Motion) -> Result<Outcome> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), measure: Box::new(measure) }
    }
}

/// A case's name and how it is measured.
type Entry = (&'static str, fn(&'static str, &dyn Motion) -> Result<Outcome>);

/// Cases that are measured by a function each.
pub(super) fn entries<const N: usize>(entries: [Entry; N]) -> Vec<Case> {
    let case = |(name, measure): Entry| Case::new(name, move |motion| measure(name, motion));
    entries.into_iter().map(case).collect()
}

/// A case in several setups.
pub(super) fn on(
    setups: &[Setup],
    name: &str,
    measure: impl Fn(Setup, &dyn Motion) -> Result<Outcome> + Clone + Send + Sync + 'static,
) -> Vec<Case> {
    let case = |&setup: &Setup| {
        let measure = measure.clone();
        Case::new(setup.case(name), move |motion| measure(setup, motion))
    };
    setups.iter().map(case).collect()
}
