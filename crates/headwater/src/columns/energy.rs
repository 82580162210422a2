//! The energy of the water, to see that nothing feeds it.

use super::world::Columns;

/// Energy for a world 1 m thick (J).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// Of height, counted from the bottom of the board.
    pub potential: f64,
}

impl Energy {
    /// Both.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Density of water (kg/m³).
const DENSITY: f64 = 1000.0;

impl Columns {
    /// The energy of all water. Velocities stand half a step before depths: the kinetic energy is taken from
    /// them and from those half a step later, as the heads will make them.
    pub fn energy(&self) -> Energy {
        let layout = &self.layout;
        let mut kinetic = 0.0;
        let mut add = |edge: &super::state::Edge, speed: f32| {
            let next = self.rule.through(speed, edge).0;
            let up = if speed > 0.0 { edge.surface[0] } else { edge.surface[1] };
            let height = (up.min(edge.lintel) - edge.sill).max(0);
            let reached = if edge.is_held() { height } else { height.min(self.rule.wave_depth) };
            kinetic += f64::from(speed) * f64::from(next) * layout.metres(reached) * layout.width;
        };
        for pool in &layout.pools {
            for c in pool.columns.start..pool.columns.end - 1 {
                add(&self.heads.edge(layout, &self.state.depth, c, c + 1), self.state.speed[c]);
            }
        }
        for (joint, &speed) in layout.joints.iter().zip(&self.state.joint_speed) {
            let ends = [joint.left, joint.right];
            let edge =
                self.heads.opening(layout, &self.state.depth, ends, joint.sill, joint.lintel);
            add(&edge, speed);
        }
        let columns = self.state.depth.iter().zip(&layout.floor);
        let potential: f64 = columns
            .map(|(&depth, &floor)| {
                let [depth, floor] = [depth, floor].map(|quanta| layout.metres(quanta));
                depth * (floor + 0.5 * depth) * layout.width
            })
            .sum();
        Energy {
            kinetic: 0.5 * DENSITY * kinetic,
            potential: DENSITY * self.params.gravity * potential,
        }
    }
}
