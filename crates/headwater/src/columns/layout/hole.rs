//! Holes in floors. The water that flows between a room above a floor and a room below it passes
//! two joints, one at each side of the floor, and the hole between them.

use super::Layout;
use super::rects::{Hole, HoleSide};

/// Velocity (m/s) that is added to those of two joints that share the width of a hole, so that they
/// get equal shares if both are at rest.
const ADDED_SPEED: f64 = 0.05;

impl Layout {
    /// Returns the hole in a floor that the rectangle `own` contains, if water flows through it on
    /// its way to or from the neighbouring rectangle `other`.
    pub(super) fn hole_beside(&self, own: u32, other: u32) -> Option<Hole> {
        let side = self.rects.hole_side(own, other)?;
        let floor = self.rects.hole_floor(own)? as i32 * self.quanta_per_cell;
        let contains = |c: usize| self.floor[c] < floor && floor < self.ceiling[c];
        let pool = self.rect_pool[own as usize];
        let columns = self.pools[pool as usize].columns.clone();
        let from = self.rect_columns[own as usize].clone();
        let columns = if self.rects.is_right_of(other, own) {
            (columns.start..from.end).rev().take_while(|&c| contains(c)).count()
        } else {
            (from.start..columns.end).take_while(|&c| contains(c)).count()
        };
        Some(Hole { side, pool, columns, floor, opposite: None })
    }

    /// Sets the floor and the opposite joint of every hole.
    pub(super) fn link_holes(&mut self) {
        for number in 0..self.joints.len() {
            let joint = &self.joints[number];
            let Some(mut hole) = joint.hole else { continue };
            let is_west = joint.right_pool == hole.pool;
            hole.opposite = self.hole_joints(hole.pool, hole.side).find(|&other| {
                let other = &self.joints[other as usize];
                (other.right_pool == hole.pool) != is_west
                    && other.sill < joint.lintel
                    && joint.sill < other.lintel
            });
            hole.floor = match hole.side {
                HoleSide::Above => joint.sill,
                HoleSide::Below => {
                    let sills = self.hole_joints(hole.pool, HoleSide::Above);
                    let sills = sills.map(|other| self.joints[other as usize].sill);
                    sills.filter(|&sill| sill >= joint.lintel).min().unwrap_or(hole.floor)
                }
            };
            self.joints[number].hole = Some(hole);
        }
    }

    /// Returns the fraction of the width of a hole through which the water of a joint flows. Two
    /// joints at the same side of the floor share the hole: above the floor by the critical
    /// discharges of their depths, below the floor by `discharge`. `depth` holds the depths of all
    /// columns, and `discharge` returns the discharge of a joint (m²/s), up to a common factor.
    pub(in crate::columns) fn hole_share(
        &self,
        joint: usize,
        hole: &Hole,
        depth: &[i32],
        discharge: impl Fn(usize) -> f64,
    ) -> f64 {
        let Some(opposite) = hole.opposite else { return 1.0 };
        let [own, other] = [joint, opposite as usize].map(|number| {
            let joint = &self.joints[number];
            match hole.side {
                HoleSide::Above => {
                    let outside =
                        if joint.left_pool == hole.pool { joint.right } else { joint.left };
                    let depth = f64::from(depth[outside].max(1));
                    depth * depth.sqrt()
                }
                HoleSide::Below => {
                    let width = hole.columns as f64 * self.width;
                    discharge(number) + ADDED_SPEED * width
                }
            }
        });
        own / (own + other)
    }

    /// Returns the joints through which water falls from higher floors into the pool of a hole,
    /// above the floor of that hole.
    pub(in crate::columns) fn joints_higher_up(
        &self,
        hole: Hole,
    ) -> impl Iterator<Item = usize> + '_ {
        let is_higher = move |&joint: &u32| self.joints[joint as usize].sill > hole.floor;
        let joints = self.hole_joints(hole.pool, HoleSide::Above);
        joints.filter(is_higher).map(|joint| joint as usize)
    }

    /// Returns the joints of a pool beside the holes in floors that the pool contains.
    fn hole_joints(&self, pool: u32, side: HoleSide) -> impl Iterator<Item = u32> + '_ {
        self.pools[pool as usize].joints.iter().copied().filter(move |&joint| {
            let hole = self.joints[joint as usize].hole;
            hole.is_some_and(|hole| (hole.pool, hole.side) == (pool, side))
        })
    }
}
