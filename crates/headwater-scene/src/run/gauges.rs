//! Gauges: time series of whatever a model's scene measures, written as CSV.

use super::executor::Executor;
use super::gauge_set::{GaugeEditResult, GaugeSet};
use super::types::ModelError;
use crate::atomic::write_atomically;
use crate::scene::{Clock, GaugeTask};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The gauges of a run, and what they have measured so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Readings {
    gauge_set: GaugeSet,
    /// For each gauge, rows of a time (s) and values.
    rows: Vec<Vec<Vec<f64>>>,
}

impl Readings {
    pub(super) fn none(gauge_set: GaugeSet) -> Self {
        let rows = vec![Vec::new(); gauge_set.all().len()];
        Self { gauge_set, rows }
    }

    /// True if they can be of this world.
    pub(super) fn fit(&self, executor: &dyn Executor) -> bool {
        self.gauge_set.fits(executor.gauge_count()) && self.rows.len() == self.gauge_set.all().len()
    }

    /// When the next gauge measures in passing; never, if none does.
    pub(super) fn next_non_stopping(&self) -> f64 {
        self.gauge_set.next()
    }

    /// Has the scene's own gauge of that number measure at its stop, if it still does so.
    pub(super) fn read_at_stop(
        &mut self,
        number: usize,
        executor: &mut dyn Executor,
    ) -> Result<(), ModelError> {
        self.gauge_set.at_stops(number).map_or(Ok(()), |at| self.read(at, executor))
    }

    /// Has all measure that are to do so in passing by the time `now` (s).
    pub(super) fn read_non_stopping(
        &mut self,
        now: f64,
        executor: &mut dyn Executor,
    ) -> Result<(), ModelError> {
        while let Some(at) = self.gauge_set.take(now) {
            self.read(at, executor)?;
        }
        Ok(())
    }

    /// Does what an event says at the time `now` (s).
    pub(super) fn edit(
        &mut self,
        task: &GaugeTask,
        now: f64,
        executor: &mut dyn Executor,
    ) -> Result<(), ModelError> {
        let at = match self.gauge_set.edit(task, now)? {
            GaugeEditResult::Removed(at) => {
                self.rows.remove(at);
                return Ok(());
            }
            GaugeEditResult::Added(at) => {
                self.rows.push(Vec::new());
                at
            }
            GaugeEditResult::Changed(at, number) => {
                let earlier = self.gauge_set.all()[at].number;
                if heads(executor, number)? != heads(executor, earlier)? {
                    self.rows[at].clear();
                }
                at
            }
        };
        self.read(at, executor)
    }

    /// Takes one reading of the gauge at a place of the list.
    fn read(&mut self, at: usize, executor: &mut dyn Executor) -> Result<(), ModelError> {
        let mut row = vec![executor.time()];
        let measured = executor.measure_gauge(self.gauge_set.all()[at].number)?;
        row.extend(measured.into_iter().map(|(_, value)| value));
        self.rows[at].push(row);
        Ok(())
    }

    /// Writes `NAME.csv` for every gauge that there is; returns their paths.
    pub(super) fn write(
        &self,
        clock: &Clock,
        executor: &mut dyn Executor,
        folder: &Path,
    ) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for (gauge, rows) in self.gauge_set.all().iter().zip(&self.rows) {
            let path = folder.join(file_name(&gauge.name));
            let heads = heads(executor, gauge.number).map_err(io::Error::other)?;
            write_atomically(&path, |sink| {
                let mut table = csv::Writer::from_writer(sink);
                table.write_record(std::iter::once(clock.column).chain(heads))?;
                for row in rows {
                    table.write_record(row.iter().map(ToString::to_string))?;
                }
                table.flush()
            })?;
            paths.push(path);
        }
        Ok(paths)
    }
}

/// Returns the names of a gauge's values.
fn heads(executor: &mut dyn Executor, gauge: usize) -> Result<Vec<&'static str>, ModelError> {
    Ok(executor.measure_gauge(gauge)?.into_iter().map(|(head, _)| head).collect())
}

/// The name of a gauge's file.
pub(super) fn file_name(gauge: &str) -> String {
    format!("{gauge}.csv")
}
