//! [`RecordedGauges`]: records the time series of a run's gauges and writes them to CSV files.

use crate::atomic::write_atomically;
use crate::run::executor::Executor;
use crate::run::gauge_set::{GaugeEditResult, GaugeSet};
use crate::run::types::ModelError;
use crate::scene::Scene;
use crate::scene::{Clock, GaugeTask};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// Current gauges of a run, with the values recorded so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RecordedGauges {
    gauge_set: GaugeSet,
    /// Recorded rows of each gauge, in the order of `gauge_set`. A row is the time (s) followed by
    /// the measured values.
    rows: Vec<Vec<Vec<f64>>>,
}

impl RecordedGauges {
    pub(in crate::run) fn new(gauge_set: GaugeSet) -> Self {
        let rows = vec![Vec::new(); gauge_set.gauges().len()];
        Self { gauge_set, rows }
    }

    /// Returns whether every gauge has a definition in `scene` and its own list of rows.
    pub(in crate::run) fn is_valid_for(&self, scene: &Scene) -> bool {
        self.gauge_set.is_valid_for(scene.all_gauge_names().len())
            && self.rows.len() == self.gauge_set.gauges().len()
    }

    /// Returns the next reading time (s) of the gauges that events have added or changed. Time
    /// steps are not shortened to end at this time. Returns infinity if there are no such gauges.
    pub(in crate::run) fn next_non_stopping_reading_time(&self) -> f64 {
        self.gauge_set.next_reading_time()
    }

    /// Reads the scene's gauge with the given number at a stop, a scheduled time at which a step
    /// has ended exactly. Does nothing if an event has changed or removed the gauge.
    pub(in crate::run) fn read_at_stop(
        &mut self,
        number: usize,
        executor: &mut dyn Executor,
    ) -> Result<(), ModelError> {
        self.gauge_set
            .index_of_scene_gauge(number)
            .map_or(Ok(()), |at| self.read_gauge_unless_up_to_date(at, executor))
    }

    /// Reads all gauges that events have added or changed and that are due by the time `now` (s).
    /// The gauges of the scene itself are read at stops instead: scheduled times at which a step
    /// ends exactly.
    pub(in crate::run) fn read_non_stopping_gauges(
        &mut self,
        now: f64,
        executor: &mut dyn Executor,
    ) -> Result<(), ModelError> {
        while let Some(at) = self.gauge_set.take_due(now) {
            self.read_gauge_unless_up_to_date(at, executor)?;
        }
        Ok(())
    }

    /// Reads the gauge at the index `at` in the set, unless its last row already has the current
    /// time. With a fixed time step, several reading times can fall into the same step.
    fn read_gauge_unless_up_to_date(
        &mut self,
        at: usize,
        executor: &mut dyn Executor,
    ) -> Result<(), ModelError> {
        let time = executor.time();
        match self.rows[at].last() {
            Some(row) if row[0] >= time => Ok(()),
            _ => self.read_gauge(at, executor),
        }
    }

    /// Applies a gauge edit at the time `now` (s). An added or changed gauge is read at once.
    pub(in crate::run) fn apply_edit(
        &mut self,
        task: &GaugeTask,
        now: f64,
        executor: &mut dyn Executor,
    ) -> Result<(), ModelError> {
        let at = match self.gauge_set.apply_edit(task, now)? {
            GaugeEditResult::Removed(at) => {
                self.rows.remove(at);
                return Ok(());
            }
            GaugeEditResult::Added(at) => {
                self.rows.push(Vec::new());
                at
            }
            GaugeEditResult::Changed(at, number) => {
                let earlier = self.gauge_set.gauges()[at].number;
                if column_names(executor, number)? != column_names(executor, earlier)? {
                    self.rows[at].clear();
                }
                at
            }
        };
        self.read_gauge(at, executor)
    }

    /// Reads the gauge at the index `at` of the set and records its values.
    fn read_gauge(&mut self, at: usize, executor: &mut dyn Executor) -> Result<(), ModelError> {
        let mut row = vec![executor.time()];
        let measured = executor.measure_gauge(self.gauge_set.gauges()[at].number)?;
        row.extend(measured.into_iter().map(|(_, value)| value));
        self.rows[at].push(row);
        Ok(())
    }

    /// Writes one CSV file per current gauge, named after the gauge, into `folder`. Returns the
    /// paths of the files.
    pub(in crate::run) fn write_csv_files(
        &self,
        clock: &Clock,
        executor: &mut dyn Executor,
        folder: &Path,
    ) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for (gauge, rows) in self.gauge_set.gauges().iter().zip(&self.rows) {
            let path = folder.join(file_name(&gauge.name));
            let heads = column_names(executor, gauge.number).map_err(io::Error::other)?;
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

/// Returns the column names of the values of a gauge.
fn column_names(
    executor: &mut dyn Executor,
    gauge: usize,
) -> Result<Vec<&'static str>, ModelError> {
    Ok(executor.measure_gauge(gauge)?.into_iter().map(|(head, _)| head).collect())
}

/// Returns the name of the CSV file for the gauge with the given name.
pub(in crate::run) fn file_name(gauge: &str) -> String {
    format!("{gauge}.csv")
}
