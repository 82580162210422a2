//! Gauges: time series of whatever a model's scene measures, written as CSV.

use super::simulation::Simulation;
use crate::atomic::write_atomically;
use crate::scene::Scene;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// What the gauges of a run have measured so far: for each, rows of a time (s) and values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Readings(Vec<Vec<Vec<f64>>>);

impl Readings {
    pub(super) fn none(scene: &Scene) -> Self {
        Self(vec![Vec::new(); scene.setting().gauges().len()])
    }

    /// True if they can be of this scene.
    pub(super) fn fit(&self, scene: &Scene) -> bool {
        self.0.len() == scene.setting().gauges().len()
    }

    /// Takes one reading of gauge number `i`.
    pub(super) fn read(&mut self, i: usize, simulation: &dyn Simulation) {
        let mut row = vec![simulation.time()];
        row.extend(simulation.measure(i));
        self.0[i].push(row);
    }

    /// Writes `NAME.csv` for every gauge; returns their paths.
    pub(super) fn write(
        &self,
        scene: &Scene,
        simulation: &dyn Simulation,
        folder: &Path,
    ) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for (i, (gauge, rows)) in scene.setting().gauges().iter().zip(&self.0).enumerate() {
            let path = folder.join(file_name(gauge.name));
            write_atomically(&path, |sink| {
                let mut table = csv::Writer::from_writer(sink);
                let heads = std::iter::once(scene.clock().column);
                let heads = heads.chain(simulation.gauge_heads(i));
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

/// The name of a gauge's file.
pub(super) fn file_name(gauge: &str) -> String {
    format!("{gauge}.csv")
}
