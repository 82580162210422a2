//! What a renderer needs besides outlines: the openings between pools, and where water falls over an edge.

use super::layout::SKY;
use super::world::Columns;
use crate::region::Point;

/// An opening between two pools: an upright line, from its sill up to its lintel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    /// The pools on its west and on its east.
    pub pools: [usize; 2],
    /// Its upper end (m to the east and down from the board's top-left corner); on the top of the board where
    /// it has no lintel.
    pub top: Point,
    /// Its lower end.
    pub bottom: Point,
}

/// Water that runs over an edge and meets none as high on the other side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fall {
    /// The edge (m to the east and down from the board's top-left corner).
    pub edge: Point,
    /// How high the water stands on the edge (m), above 0.
    pub height: f64,
    /// How fast it leaves (m/s, to the east), not 0.
    pub velocity: f64,
    /// How far below the edge it lands, on water or on the floor (m), above 0.
    pub drop: f64,
}

impl Columns {
    /// The openings between pools, in the order in which they were found.
    pub fn openings(&self) -> Vec<Opening> {
        let layout = &self.layout;
        let opening = |joint: &super::layout::Joint| {
            let lintel =
                if joint.lintel < SKY { layout.metres(joint.lintel) } else { layout.height() };
            let x = self.west_of(joint.right);
            Opening {
                pools: [joint.left_pool as usize, joint.right_pool as usize],
                top: [x, layout.height() - lintel],
                bottom: [x, layout.height() - layout.metres(joint.sill)],
            }
        };
        layout.joints.iter().map(opening).collect()
    }

    /// Where water falls by more than `least` m, as it would look: the model has no water in the
    /// air. Ground dug away before the next step counts, at the velocity of Torricelli's law.
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
            // Where the ground has just been dug away nothing runs yet, and the water that stood there is below already.
            if speed == 0.0 && height > least && [left, right].iter().all(|&c| self.ice(c) <= 0.0) {
                velocity = (2.0 * gravity * height).sqrt() * if is_westward { -1.0 } else { 1.0 };
            }
            if velocity != 0.0 {
                let edge = [self.west_of(right), layout.height() - layout.metres(sill)];
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

    fn west_of(&self, column: usize) -> f64 {
        let pool = &self.layout.pools[self.layout.pool_of(column)];
        (pool.x0 + column - pool.columns.start) as f64 * self.layout.width
    }
}
