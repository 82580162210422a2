//! Geometry for renderers: openings between pools, and free falls over edges.

use super::layout::NO_CEILING;
use super::world::Columns;
use crate::region::Point;

/// Opening between two pools: a vertical line from its sill to its lintel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    /// Pools on its west and on its east.
    pub pools: [usize; 2],
    /// Upper end (m to the east and down from the board's top-left corner); at the top of the board
    /// if it has no lintel.
    pub top: Point,
    /// Lower end.
    pub bottom: Point,
}

/// Water that flows over an edge and falls to a lower level on the other side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fall {
    /// Position of the edge (m to the east and down from the board's top-left corner).
    pub edge: Point,
    /// Depth of the water over the edge (m), above 0.
    pub height: f64,
    /// Velocity over the edge (m/s, positive to the east), not 0.
    pub velocity: f64,
    /// Height of the fall below the edge, to water or floor (m), above 0.
    pub drop: f64,
}

impl Columns {
    /// Returns the openings between pools, in the order of the joints.
    pub fn openings(&self) -> Vec<Opening> {
        let layout = &self.layout;
        let opening = |joint: &super::layout::Joint| {
            let lintel = if joint.lintel < NO_CEILING {
                layout.metres(joint.lintel)
            } else {
                layout.height()
            };
            let x = self.west_edge_of(joint.right);
            Opening {
                pools: [joint.left_pool as usize, joint.right_pool as usize],
                top: [x, layout.height() - lintel],
                bottom: [x, layout.height() - layout.metres(joint.sill)],
            }
        };
        layout.joints.iter().map(opening).collect()
    }

    /// Returns the places where water falls by more than `least` m, for drawing: the model has no
    /// water in the air. Where ground was dug away since the last step, the velocity is that of
    /// Torricelli's law.
    pub fn falls(&self, least: f64) -> Vec<Fall> {
        let layout = &self.layout;
        let mut falls = Vec::new();
        let gravity = self.params().gravity;
        let surface = |c: usize| layout.floor[c] + self.state.depth[c];
        let mut add = |left: usize, right: usize, sill: i32, speed: f32| {
            let is_westward =
                if speed == 0.0 { surface(right) > surface(left) } else { speed < 0.0 };
            let (from, to) = if is_westward { (right, left) } else { (left, right) };
            let height = layout.metres((surface(from) - sill).max(0));
            let drop = layout.metres((sill - surface(to)).max(0));
            if height <= 0.0 || drop <= least {
                return;
            }
            let mut velocity = f64::from(speed);
            // Where the ground was just dug away nothing flows yet, and the water above it is
            // already below.
            if speed == 0.0 && height > least && [left, right].iter().all(|&c| self.ice(c) <= 0.0) {
                velocity = (2.0 * gravity * height).sqrt() * if is_westward { -1.0 } else { 1.0 };
            }
            if velocity != 0.0 {
                let edge = [self.west_edge_of(right), layout.height() - layout.metres(sill)];
                falls.push(Fall { edge, height, velocity, drop });
            }
        };
        for pool in &layout.pools {
            for c in pool.columns.start..pool.columns.end - 1 {
                let sill = layout.floor[c].max(layout.floor[c + 1]);
                add(c, c + 1, sill, self.state.speed[c]);
            }
        }
        let is_open = |joint: &super::layout::Joint| joint.lintel > joint.sill;
        let joints = layout.joints.iter().zip(&self.state.joint_speed);
        for (joint, &speed) in joints.filter(|(joint, _)| is_open(joint)) {
            add(joint.left, joint.right, joint.sill, speed);
        }
        falls
    }

    fn west_edge_of(&self, column: usize) -> f64 {
        let pool = &self.layout.pools[self.layout.pool_of(column)];
        (pool.x0 + column - pool.columns.start) as f64 * self.layout.width
    }
}
