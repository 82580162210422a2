//! Gauges: time series of the water at a place, across a line, in a region or through a structure, or of a
//! floating body, written as CSV.

use crate::atomic::write_atomically;
use crate::schema::{Scene, Target};
use crate::world::World;
use headwater::Lattice;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// What the gauges of a run have measured so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Readings(Vec<Vec<Vec<f64>>>);

/// The gauges of a scene.
pub(super) struct Gauges {
    list: Vec<(String, Target)>,
    /// The names of the world's structures, in order.
    structures: Vec<Option<String>>,
}

impl Gauges {
    pub(super) fn new(scene: &Scene, lattice: &Lattice) -> Self {
        let named = |gauge: &crate::schema::Gauge| {
            Some((gauge.name.clone(), gauge.target(lattice, &scene.bodies)?))
        };
        let structures = scene.structures();
        let structures = structures.iter().map(|ends| ends.name.map(ToOwned::to_owned)).collect();
        Self { list: scene.gauges.iter().filter_map(named).collect(), structures }
    }

    pub(super) fn no_readings(&self) -> Readings {
        Readings(vec![Vec::new(); self.list.len()])
    }

    pub(super) fn fits(&self, readings: &Readings) -> bool {
        readings.0.len() == self.list.len()
    }

    /// Takes one reading of gauge number `i`.
    pub(super) fn read(&self, i: usize, world: &World, readings: &mut Readings) {
        let flow = &world.flow;
        let mut row = vec![flow.time()];
        match &self.list[i].1 {
            Target::Point(point) => {
                let depth = flow.depth_at(*point).unwrap_or(f32::NAN);
                let surface = flow.surface_at(*point).unwrap_or(f32::NAN);
                let [u, v] = flow.velocity_at(*point).unwrap_or([f32::NAN; 2]).map(f64::from);
                row.extend([
                    f64::from(depth),
                    f64::from(surface) + world.terrain.datum,
                    (u * u + v * v).sqrt(),
                ]);
            }
            Target::Line(points) => {
                row.push(points.windows(2).map(|p| flow.discharge_through(p[0], p[1])).sum());
            }
            Target::Structure(name) => {
                let number = self.structures.iter().position(|other| other.as_ref() == Some(name));
                let passed = number.and_then(|number| flow.structure_discharge(number));
                row.push(passed.unwrap_or(f64::NAN));
            }
            Target::Body(i) => {
                if let Some(body) = flow.bodies().get(*i) {
                    let [u, v] = body.velocity;
                    row.extend(body.position);
                    row.extend([body.keel + world.terrain.datum, (u * u + v * v).sqrt()]);
                }
            }
            Target::Region(region) => row.push(flow.volume_in(region).unwrap_or(f64::NAN)),
        }
        readings.0[i].push(row);
    }

    /// Writes `NAME.csv` for every gauge; returns their paths.
    pub(super) fn write(&self, folder: &Path, readings: &Readings) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for ((name, target), rows) in self.list.iter().zip(&readings.0) {
            let path = folder.join(file_name(name));
            write_atomically(&path, |sink| {
                let mut table = csv::Writer::from_writer(sink);
                table.write_record(heads(target))?;
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

fn heads(target: &Target) -> &'static [&'static str] {
    match target {
        Target::Point(_) => &["time_s", "depth_m", "surface_m", "speed_m_per_s"],
        Target::Line(_) | Target::Structure(_) => &["time_s", "discharge_m3_per_s"],
        Target::Body(_) => &["time_s", "x_m", "y_m", "keel_m", "speed_m_per_s"],
        Target::Region(_) => &["time_s", "volume_m3"],
    }
}
