//! Holes in floors. Water that flows between the rooms above and below a floor passes three
//! openings: a joint (an opening between two pools) above the floor, the hole, and a joint below
//! the floor.

use super::Layout;
use super::rects::{Hole, HoleSide};

/// Small velocity (m/s) that keeps the shares well defined when a hole's width is divided between
/// two joints. Multiplied by the width of the hole, it is added to the discharge of each joint, so
/// both joints get equal shares if their water is at rest.
const ADDED_SPEED: f64 = 0.05;

impl Layout {
    /// Returns the hole in a floor through which water flows between the rectangle `rect` and the
    /// neighbouring rectangle `neighbour`. The hole lies in `rect`. Returns `None` if there is no
    /// hole in `rect`, or if the water between the two rectangles does not pass it.
    pub(super) fn hole_beside(&self, rect: u32, neighbour: u32) -> Option<Hole> {
        let side = self.rects.hole_side(rect, neighbour)?;
        let floor = self.rects.hole_floor(rect)? as i32 * self.quanta_per_cell;
        let contains = |c: usize| self.floor[c] < floor && floor < self.ceiling[c];
        let pool = self.rect_pool[rect as usize];
        let columns = self.pools[pool as usize].columns.clone();
        let from = self.rect_columns[rect as usize].clone();
        let columns = if self.rects.is_right_of(neighbour, rect) {
            (columns.start..from.end).rev().take_while(|&c| contains(c)).count()
        } else {
            (from.start..columns.end).take_while(|&c| contains(c)).count()
        };
        Some(Hole { side, pool, columns, floor, opposite: None })
    }

    /// Sets [`Hole::floor`] and [`Hole::opposite`] of the holes at all joints.
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

    /// Returns the fraction of a hole's width that the flow through a joint occupies. Two opposite
    /// joints (west and east of the hole, both above or both below the floor) share its width;
    /// without an opposite joint, the fraction is 1.
    ///
    /// Above the floor, the shares are proportional to the critical discharges for the depths
    /// outside the two joints. Below it, they are proportional to `discharge`. `depth` holds the
    /// depths of all columns, and `discharge` returns the discharge of a joint (m²/s), up to a
    /// common factor.
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

    /// Returns those joints (openings to other pools) above the floor of `hole` whose sills are
    /// higher than this floor. Water from these joints falls into the pool that contains the hole.
    pub(in crate::columns) fn joints_higher_up(
        &self,
        hole: Hole,
    ) -> impl Iterator<Item = usize> + '_ {
        let is_higher = move |&joint: &u32| self.joints[joint as usize].sill > hole.floor;
        let joints = self.hole_joints(hole.pool, HoleSide::Above);
        joints.filter(is_higher).map(|joint| joint as usize)
    }

    /// Returns the joints of a pool whose water flows through a hole in a floor in this pool.
    /// `side` selects the joints above or below that floor.
    fn hole_joints(&self, pool: u32, side: HoleSide) -> impl Iterator<Item = u32> + '_ {
        self.pools[pool as usize].joints.iter().copied().filter(move |&joint| {
            let hole = self.joints[joint as usize].hole;
            hole.is_some_and(|hole| (hole.pool, hole.side) == (pool, side))
        })
    }
}
