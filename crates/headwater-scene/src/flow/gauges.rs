//! Measurements of the gauges in flow worlds. A gauge measures the water at a point, across a line,
//! in a region or through a structure, or the motion of a floating body.

use super::{FlowScene, FlowWorld, Gauge, Target};
use crate::run::GaugeValues;
use crate::scene::entry_id;

pub(super) fn measure_gauge(world: &FlowWorld, scene: &FlowScene, gauge: &Gauge) -> GaugeValues {
    let (flow, datum) = (&world.flow, world.terrain.datum);
    match gauge.target(flow.lattice(), &scene.bodies) {
        Some(Target::Point(point)) => {
            let depth = flow.depth_at(point).unwrap_or(f32::NAN);
            // On dry ground the surface level is the ground level, so that the series has no gaps.
            let over_parts = flow.state().subgrid.is_some().then(|| flow.lattice().cell_at(point));
            let surface = match over_parts.flatten() {
                Some((x, y)) => flow.state().surface(x, y),
                None => flow.bed_at(point).map_or(f32::NAN, |bed| bed + depth),
            };
            let velocity = flow.velocity_at(point).unwrap_or([f32::NAN; 2]);
            point_values(datum, depth, surface, velocity)
        }
        Some(Target::Line(points)) => {
            let passed = points.windows(2).map(|p| flow.discharge_through(p[0], p[1])).sum();
            vec![("discharge_m3_per_s", passed)]
        }
        Some(Target::Structure(name)) => {
            let number = scene.structures().iter().position(|ends| ends.name == Some(&name));
            let passed = number.and_then(|number| flow.structure_discharge(entry_id(number)));
            vec![("discharge_m3_per_s", passed.unwrap_or(f64::NAN))]
        }
        Some(Target::Body(i)) => flow.bodies().get(entry_id(i)).map_or_else(Vec::new, |body| {
            let ([x, y], [u, v]) = (body.position, body.velocity);
            vec![
                ("x_m", x),
                ("y_m", y),
                ("keel_m", body.keel + datum),
                ("speed_m_per_s", (u * u + v * v).sqrt()),
            ]
        }),
        Some(Target::Region(region)) => {
            vec![("volume_m3", flow.volume_in(&region).unwrap_or(f64::NAN))]
        }
        None => Vec::new(),
    }
}

/// Returns the values of a gauge at a point, given the depth (m), the surface level (m above the
/// elevation `datum`), and the eastward and southward velocity (m/s). The unit discharge is depth
/// times velocity: the discharge per metre of width.
pub(super) fn point_values(
    datum: f64,
    depth: f32,
    surface: f32,
    velocity: [f32; 2],
) -> GaugeValues {
    let ([u, v], depth) = (velocity.map(f64::from), f64::from(depth));
    let speed = (u * u + v * v).sqrt();
    vec![
        ("depth_m", depth),
        ("surface_m", f64::from(surface) + datum),
        ("speed_m_per_s", speed),
        ("velocity_east_m_per_s", u),
        ("velocity_south_m_per_s", v),
        ("unit_discharge_m2_per_s", depth * speed),
        ("unit_discharge_east_m2_per_s", depth * u),
        ("unit_discharge_south_m2_per_s", depth * v),
    ]
}
