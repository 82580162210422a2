//! Mechanical energy of the water, for checking that the numerical scheme adds no energy.

use crate::columns::network::SEPARATE;
use crate::columns::solver::pressure::SPEED_OF_SOUND;
use crate::columns::world::Columns;

/// Mechanical energy of the water in a world 1 m thick (J), by kind.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Energy {
    /// Kinetic energy (J).
    pub kinetic: f64,
    /// Potential energy (J), relative to the bottom of the grid.
    pub potential: f64,
    /// Elastic energy (J) of water that is compressed below ceilings.
    pub elastic: f64,
}

impl Energy {
    /// Returns the sum of kinetic, potential and elastic energy (J).
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

const DENSITY: f64 = 1000.0;

impl Columns {
    /// Returns the current mechanical energy of all water. In free-surface flow, velocities and
    /// depths are half a time step apart. There, the kinetic energy is computed from the product of
    /// two velocities: half a step before and half a step after the time of the depths.
    pub fn energy(&self) -> Energy {
        let Self { layout, state, heads, rule, .. } = self;
        let network = &state.network;
        let mut kinetic = 0.0;
        let mut add = |edge: &super::Edge, speed: f32, moved: f32| {
            let next = if moved == SEPARATE { rule.edge_flux(speed, edge).0 } else { speed };
            let height = if moved < 0.0 {
                layout.to_metres(edge.flowing_layer_thickness(speed, rule.wave_depth))
            } else {
                f64::from(moved)
            };
            kinetic += f64::from(speed) * f64::from(next) * height * layout.width;
        };
        for pool in &layout.pools {
            for c in pool.columns.start..pool.columns.end - 1 {
                add(&heads.edge(layout, &state.depth, c, c + 1), state.speed[c], network.edge[c]);
            }
        }
        for (number, (joint, &speed)) in layout.joints.iter().zip(&state.joint_speed).enumerate() {
            let ends = [joint.left, joint.right];
            let edge = heads.opening(layout, &state.depth, ends, joint.sill, joint.lintel);
            add(&edge, speed, network.joint[number]);
        }
        let rises = network.rise.iter().zip(&network.mass).map(|(&rise, &mass)| {
            let [rise, mass] = [rise, mass].map(f64::from);
            mass * rise * rise * layout.width
        });
        kinetic += rises.sum::<f64>();
        let (mut potential, mut elastic) = (0.0, 0.0);
        for (c, &depth) in state.depth.iter().enumerate() {
            let height = layout.ceiling[c] - layout.floor[c];
            let over = layout.to_metres((depth - height).max(0));
            let [depth, floor] = [depth.min(height), layout.floor[c]].map(|q| layout.to_metres(q));
            potential += depth * (floor + 0.5 * depth) * layout.width;
            if over > 0.0 {
                // Work against the ceiling, and elastic energy of the compression.
                let soft = layout.to_metres(height) * self.params.gravity
                    / (SPEED_OF_SOUND * SPEED_OF_SOUND);
                potential += over * (floor + depth) * layout.width;
                elastic += 0.5 * over * over / soft * layout.width;
            }
        }
        let weight = DENSITY * self.params.gravity;
        Energy {
            kinetic: 0.5 * DENSITY * kinetic,
            potential: weight * potential,
            elastic: weight * elastic,
        }
    }
}
