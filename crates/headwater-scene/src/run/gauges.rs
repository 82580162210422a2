//! Gauges: time series of whatever a model's scene measures, written as CSV.

use super::roster::{Edited, Roster};
use super::simulation::Simulation;
use crate::atomic::write_atomically;
use crate::scene::{Clock, GaugeTask};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The gauges of a run, and what they have measured so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Readings {
    roster: Roster,
    /// For each gauge, rows of a time (s) and values.
    rows: Vec<Vec<Vec<f64>>>,
}

impl Readings {
    pub(super) fn none(roster: Roster) -> Self {
        let rows = vec![Vec::new(); roster.all().len()];
        Self { roster, rows }
    }

    /// True if they can be of this world.
    pub(super) fn fit(&self, simulation: &dyn Simulation) -> bool {
        self.roster.fits(simulation.gauges()) && self.rows.len() == self.roster.all().len()
    }

    /// When the next gauge measures in passing; never, if none does.
    pub(super) fn next_passing(&self) -> f64 {
        self.roster.next()
    }

    /// Has the scene's own gauge of that number measure at its stop, if it still does so.
    pub(super) fn read_at_stop(&mut self, number: usize, simulation: &dyn Simulation) {
        if let Some(at) = self.roster.at_stops(number) {
            self.read(at, simulation);
        }
    }

    /// Has all measure that are to do so in passing by the time `now` (s).
    pub(super) fn read_in_passing(&mut self, now: f64, simulation: &dyn Simulation) {
        while let Some(at) = self.roster.take(now) {
            self.read(at, simulation);
        }
    }

    /// Does what an event says at the time `now` (s).
    pub(super) fn edit(
        &mut self,
        task: &GaugeTask,
        now: f64,
        simulation: &dyn Simulation,
    ) -> Result<(), String> {
        let at = match self.roster.edit(task, now)? {
            Edited::Removed(at) => {
                self.rows.remove(at);
                return Ok(());
            }
            Edited::Added(at) => {
                self.rows.push(Vec::new());
                at
            }
            Edited::Changed(at, number) => {
                let heads = |number| simulation.gauge_heads(number);
                if heads(number) != heads(self.roster.all()[at].number) {
                    self.rows[at].clear();
                }
                at
            }
        };
        self.read(at, simulation);
        Ok(())
    }

    /// Takes one reading of the gauge at a place of the list.
    fn read(&mut self, at: usize, simulation: &dyn Simulation) {
        let mut row = vec![simulation.time()];
        row.extend(simulation.measure(self.roster.all()[at].number));
        self.rows[at].push(row);
    }

    /// Writes `NAME.csv` for every gauge that there is; returns their paths.
    pub(super) fn write(
        &self,
        clock: &Clock,
        simulation: &dyn Simulation,
        folder: &Path,
    ) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for (gauge, rows) in self.roster.all().iter().zip(&self.rows) {
            let path = folder.join(file_name(&gauge.name));
            write_atomically(&path, |sink| {
                let mut table = csv::Writer::from_writer(sink);
                let heads = std::iter::once(clock.column);
                let heads = heads.chain(simulation.gauge_heads(gauge.number));
                table.write_record(heads)?;
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

pub(super) fn file_name(gauge: &str) -> String {
    format!("{gauge}.csv")
}
