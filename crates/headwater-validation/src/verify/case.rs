//! Verification cases, and the values that each case measures, with their limits.

use super::flow::levels::Setup;
use super::plot::Drawing;
use super::stepper::Stepper;
use anyhow::Result;
use serde::Serialize;
use std::borrow::Cow;

/// Value measured by a case. It is one row of the report.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    /// Name of the case in the form `model/case`. A suffix is added unless the case has its default
    /// setup: `model/case@level` for another physics model, and `model/case@hex-level` for a
    /// hexagonal lattice.
    pub(super) name: String,
    /// Description and unit of the measured value.
    pub(super) metric: Cow<'static, str>,
    /// Measured value.
    pub(super) value: f64,
    /// Limit of the value; `None` for values that are reported for comparison only.
    pub(super) limit: Option<f64>,
    /// Whether `limit` is a lower limit; otherwise it is an upper limit.
    #[serde(skip)]
    pub(super) at_least: bool,
    /// Whether the value is within the limit.
    pub(super) pass: bool,
}

impl Row {
    /// Creates a row that passes if `value ≤ limit`, or if there is no limit.
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

    /// Creates a row that passes if `value ≥ limit`.
    pub(super) fn at_least(
        name: impl Into<String>,
        metric: impl Into<Cow<'static, str>>,
        value: f64,
        limit: f64,
    ) -> Self {
        let pass = value >= limit;
        Self { at_least: true, pass, ..Self::at_most(name, metric, value, limit) }
    }

    /// Formats the limit for the report.
    pub(super) fn format_limit(&self) -> String {
        let sign = if self.at_least { "≥" } else { "≤" };
        self.limit.map_or("-".into(), |limit| {
            format!("{sign} {}", headwater_cli::screen::format_number(limit))
        })
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
    /// Creates a row of the case `case` in this setup, with an upper limit.
    pub(super) fn row(
        self,
        case: &str,
        metric: impl Into<Cow<'static, str>>,
        value: f64,
        limit: impl Into<Option<f64>>,
    ) -> Row {
        Row::at_most(self.case_name(case), metric, value, limit)
    }

    /// Creates a row of the case `case` in this setup. The upper limit applies only to the default
    /// physics model of the case, on any lattice.
    pub(super) fn row_with_default_limit(
        self,
        case: &str,
        metric: impl Into<Cow<'static, str>>,
        value: f64,
        limit: f64,
    ) -> Row {
        self.row(case, metric, value, self.default_limit(limit))
    }
}

/// Value that exceeds every upper limit. It is reported if a world has not moved.
pub(super) const FROZEN: f64 = f64::INFINITY;

/// Result of a verification case: its rows, and an optional plot.
pub(super) struct Outcome {
    pub(super) rows: Vec<Row>,
    pub(super) drawing: Option<Drawing>,
}

impl Outcome {
    /// Creates an outcome without a plot.
    pub(super) fn from_rows(rows: impl Into<Vec<Row>>) -> Self {
        Self { rows: rows.into(), drawing: None }
    }
}

impl From<Row> for Outcome {
    fn from(row: Row) -> Self {
        Self::from_rows([row])
    }
}

/// Verification case: a name, and the function that measures the case.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) measure: MeasureFunction,
}

type MeasureFunction = Box<dyn Fn(&dyn Stepper) -> Result<Outcome> + Send + Sync>;

impl Case {
    pub(super) fn new(
        name: impl Into<String>,
        measure: impl Fn(&dyn Stepper) -> Result<Outcome> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), measure: Box::new(measure) }
    }
}

/// Name of a case, and the function that measures the case.
type NamedMeasurement = (&'static str, fn(&'static str, &dyn Stepper) -> Result<Outcome>);

/// Creates cases from pairs of a name and a function.
pub(super) fn named_cases<const N: usize>(entries: [NamedMeasurement; N]) -> Vec<Case> {
    let case =
        |(name, measure): NamedMeasurement| Case::new(name, move |stepper| measure(name, stepper));
    entries.into_iter().map(case).collect()
}

/// Creates a case for each of several setups (combinations of physics model and lattice).
pub(super) fn cases_for_setups(
    setups: &[Setup],
    name: &str,
    measure: impl Fn(Setup, &dyn Stepper) -> Result<Outcome> + Clone + Send + Sync + 'static,
) -> Vec<Case> {
    let case = |&setup: &Setup| {
        let measure = measure.clone();
        Case::new(setup.case_name(name), move |stepper| measure(setup, stepper))
    };
    setups.iter().map(case).collect()
}
