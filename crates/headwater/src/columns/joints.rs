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

    /// Where water falls by more than `least` m. The model knows no water in the air: what leaves an edge is
    /// below in the next step, and this says what could be seen on the way.
    pub fn falls(&self, least: f64) -> Vec<Fall> {
        let layout = &self.layout;
        let mut falls = Vec::new();
        let mut add = |left: usize, right: usize, sill: i32, speed: f32| {
            let (from, to) = if speed > 0.0 { (left, right) } else { (right, left) };
            let surface = |c: usize| layout.floor[c] + self.state.depth[c];
            let height = layout.metres((surface(from) - sill).max(0));
            let drop = layout.metres((sill - surface(to)).max(0));
            if speed != 0.0 && height > 0.0 && drop > least {
                let edge = [self.west_of(right), layout.height() - layout.metres(sill)];
                falls.push(Fall { edge, height, velocity: speed.into(), drop });
            }
        };
        for pool in &layout.pools {
            for c in pool.columns.start..pool.columns.end - 1 {
                let sill = layout.floor[c].max(layout.floor[c + 1]);
                add(c, c + 1, sill, self.state.speed[c]);
            }
        }
        for (joint, &speed) in layout.joints.iter().zip(&self.state.joint_speed) {
            add(joint.left, joint.right, joint.sill, speed);
        }
        falls
    }

    /// Where a column begins (m from the west).
    fn west_of(&self, column: usize) -> f64 {
        let pool = &self.layout.pools[self.layout.pool_of(column)];
        (pool.x0 + column - pool.columns.start) as f64 * self.layout.width
    }
}
