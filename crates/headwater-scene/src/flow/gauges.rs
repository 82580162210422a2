//! What the gauges of a world of flow measure: the water at a place, across a line, in a region or through a
//! structure, or a floating body.

use super::{FlowScene, FlowWorld, Gauge, Target};
use headwater::Lattice;

/// The gauges of a scene.
pub(super) struct Gauges {
    targets: Vec<Option<Target>>,
    /// The names of the world's structures, in order.
    structures: Vec<Option<String>>,
}

impl Gauges {
    pub(super) fn new(scene: &FlowScene, lattice: &Lattice) -> Self {
        let target = |gauge: &Gauge| gauge.target(lattice, &scene.bodies);
        let structures = scene.structures();
        let structures = structures.iter().map(|ends| ends.name.map(ToOwned::to_owned)).collect();
        Self { targets: scene.gauges.iter().map(target).collect(), structures }
    }

    /// One reading of gauge number `i`, a value for each of its heads.
    pub(super) fn measure(&self, i: usize, world: &FlowWorld) -> Vec<f64> {
        let flow = &world.flow;
        match self.targets.get(i).and_then(Option::as_ref) {
            Some(Target::Point(point)) => {
                let depth = flow.depth_at(*point).unwrap_or(f32::NAN);
                let surface = flow.surface_at(*point).unwrap_or(f32::NAN);
                let [u, v] = flow.velocity_at(*point).unwrap_or([f32::NAN; 2]).map(f64::from);
                let speed = (u * u + v * v).sqrt();
                vec![f64::from(depth), f64::from(surface) + world.terrain.datum, speed]
            }
            Some(Target::Line(points)) => {
                vec![points.windows(2).map(|p| flow.discharge_through(p[0], p[1])).sum()]
            }
            Some(Target::Structure(name)) => {
                let number = self.structures.iter().position(|other| other.as_ref() == Some(name));
                let passed = number.and_then(|number| flow.structure_discharge(number));
                vec![passed.unwrap_or(f64::NAN)]
            }
            Some(Target::Body(i)) => flow.bodies().get(*i).map_or_else(Vec::new, |body| {
                let ([x, y], [u, v]) = (body.position, body.velocity);
                vec![x, y, body.keel + world.terrain.datum, (u * u + v * v).sqrt()]
            }),
            Some(Target::Region(region)) => vec![flow.volume_in(region).unwrap_or(f64::NAN)],
            None => Vec::new(),
        }
    }

    /// What the values of gauge number `i` are, with their units.
    pub(super) fn heads(&self, i: usize) -> &'static [&'static str] {
        match self.targets.get(i).and_then(Option::as_ref) {
            Some(Target::Point(_)) => &["depth_m", "surface_m", "speed_m_per_s"],
            Some(Target::Line(_) | Target::Structure(_)) => &["discharge_m3_per_s"],
            Some(Target::Body(_)) => &["x_m", "y_m", "keel_m", "speed_m_per_s"],
            Some(Target::Region(_)) => &["volume_m3"],
            None => &[],
        }
    }
}
