//! Geometry for renderers: openings between pools, and waterfalls over edges.

use crate::columns::layout::NO_CEILING;
use crate::columns::world::Columns;
use crate::region::Point;

/// Opening between two pools: a vertical line from its lower end (sill) to its upper end (lintel).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opening {
    /// Indices of the pools to the west and to the east of the opening.
    pub pools: [usize; 2],
    /// Upper end (m to the east and down from the grid's top-left corner). Without a ceiling, the
    /// upper end is at the top of the grid.
    pub top: Point,
    /// Lower end (m to the east and down from the grid's top-left corner).
    pub bottom: Point,
}

/// Waterfall: water that flows over an edge and falls to a lower level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waterfall {
    /// Position of the edge (m to the east and down from the grid's top-left corner).
    pub edge: Point,
    /// Depth of the water that flows over the edge (m), greater than 0.
    pub height: f64,
    /// Velocity of the water over the edge (m/s, positive to the east), never 0.
    pub velocity: f64,
    /// Height of the fall (m) from the edge down to the water or floor, greater than 0.
    pub drop: f64,
}

impl Columns {
    /// Returns all openings between pools. Their order does not change until walls change.
    pub fn openings(&self) -> Vec<Opening> {
        let layout = &self.layout;
        let opening = |joint: &crate::columns::layout::Joint| {
            let lintel = if joint.lintel < NO_CEILING {
                layout.to_metres(joint.lintel)
            } else {
                layout.height()
            };
            let x = self.west_edge_of(joint.right);
            Opening {
                pools: [joint.left_pool as usize, joint.right_pool as usize],
                top: [x, layout.height() - lintel],
                bottom: [x, layout.height() - layout.to_metres(joint.sill)],
            }
        };
        layout.joints.iter().map(opening).collect()
    }

    /// Returns all waterfalls higher than `min_height` (m), for drawing. The model itself does not
    /// simulate water in the air. If the ground next to the water was removed since the last step,
    /// the velocity is computed from Torricelli's law.
    pub fn waterfalls(&self, min_height: f64) -> Vec<Waterfall> {
        let layout = &self.layout;
        let mut falls = Vec::new();
        let gravity = self.params().gravity;
        let surface = |c: usize| layout.floor[c] + self.state.depth[c];
        let mut add = |left: usize, right: usize, sill: i32, speed: f32| {
            let is_westward =
                if speed == 0.0 { surface(right) > surface(left) } else { speed < 0.0 };
            let (from, to) = if is_westward { (right, left) } else { (left, right) };
            let height = layout.to_metres((surface(from) - sill).max(0));
            let drop = layout.to_metres((sill - surface(to)).max(0));
            if height <= 0.0 || drop <= min_height {
                return;
            }
            let mut velocity = f64::from(speed);
            // Where the ground was removed since the last step, no water flows yet, and its new
            // surface may already be below the edge.
            if speed == 0.0
                && height > min_height
                && [left, right].iter().all(|&c| self.ice_thickness(c) <= 0.0)
            {
                velocity = (2.0 * gravity * height).sqrt() * if is_westward { -1.0 } else { 1.0 };
            }
            if velocity != 0.0 {
                let edge = [self.west_edge_of(right), layout.height() - layout.to_metres(sill)];
                falls.push(Waterfall { edge, height, velocity, drop });
            }
        };
        for pool in &layout.pools {
            for c in pool.columns.start..pool.columns.end - 1 {
                let sill = layout.floor[c].max(layout.floor[c + 1]);
                add(c, c + 1, sill, self.state.speed[c]);
            }
        }
        let is_open = |joint: &crate::columns::layout::Joint| joint.lintel > joint.sill;
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
