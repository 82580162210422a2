//! Transfer of water between two column layouts of a world, after walls have changed. Water stays
//! in place where its space still exists.

use super::super::heat::{ColumnHeat, HeatState, Parcel};
use super::super::layout::Layout;
use super::super::network::SEPARATE;
use super::super::state::State;
use crate::columns::solver::pressure::Heads;
use std::ops::Range;

pub(super) const NONE: u32 = u32::MAX;

pub(super) struct DisplacedWater {
    pub(super) column: usize,
    pub(super) x: usize,
    pub(super) parcel: Parcel,
}

pub(super) struct LayoutTransfer<'a> {
    pub(super) state: State,
    /// Heat of each column of the new layout. Empty if all water is at air temperature, because the
    /// depths then determine all heat.
    pub(super) heat: ColumnHeat,
    from: Option<&'a HeatState>,
    pub(super) displaced: Vec<DisplacedWater>,
    /// For each column of the new layout, the old column from which its water mainly came. If it
    /// received no water, an old column that overlapped its space. [`NONE`] if there is no such
    /// column.
    pub(super) origin: Vec<u32>,
}

impl<'a> LayoutTransfer<'a> {
    pub(super) fn new(
        before: &Layout,
        after: &Layout,
        state: State,
        warmth: Option<&'a HeatState>,
    ) -> Self {
        let from = warmth.filter(|warmth| !warmth.active.is_empty());
        debug_assert_eq!(before.quanta_per_cell, after.quanta_per_cell);
        let heat = if from.is_some() {
            ColumnHeat::new(after.column_count())
        } else {
            ColumnHeat::default()
        };
        let origin = vec![NONE; after.column_count()];
        Self { state, heat, from, displaced: Vec::new(), origin }
    }

    pub(super) fn move_columns(&mut self, before: &Layout, after: &Layout, state: &State) {
        let (mut old_columns, mut new_columns) = (Vec::new(), Vec::new());
        for x in 0..before.grid.nx() * before.per_cell {
            for (layout, columns) in [(before, &mut old_columns), (after, &mut new_columns)] {
                columns.clear();
                columns.extend(layout.columns_at_x(x));
            }
            for &c in &old_columns {
                self.move_column(before, after, state, x, c, &new_columns);
            }
        }
    }

    /// Moves the water of the old column `c` into new columns. `new_columns` lists the columns of
    /// the new layout at the same horizontal position, from bottom to top.
    fn move_column(
        &mut self,
        before: &Layout,
        after: &Layout,
        state: &State,
        x: usize,
        c: usize,
        new_columns: &[usize],
    ) {
        let (floor, ceiling) = (before.floor[c], before.ceiling[c]);
        let depth = state.depth[c];
        let whole =
            new_columns.iter().find(|&&n| (after.floor[n], after.ceiling[n]) == (floor, ceiling));
        // Water below a ceiling may be compressed. Where the walls did not change, all of it stays.
        let parts: Vec<(usize, i32)> = match whole {
            Some(&n) => vec![(n, depth)],
            None => {
                let within = |n: usize, top: i32| {
                    top.min(after.ceiling[n]).saturating_sub(floor.max(after.floor[n]))
                };
                let meets = |&&n: &&usize| within(n, ceiling) > 0;
                let of_space = new_columns.iter().filter(meets);
                of_space.map(|&n| (n, within(n, floor + depth).max(0))).collect()
            }
        };
        let kept: i32 = parts.iter().map(|&(_, quanta)| quanta).sum();
        let parcel = Parcel::from_column(self.from, c, depth);
        let amounts: Vec<i32> =
            std::iter::once(depth - kept).chain(parts.iter().map(|&(_, part)| part)).collect();
        let mut parcels = parcel.split(&amounts).into_iter();
        if let Some(parcel) = parcels.next()
            && (parcel.quanta > 0 || parcel.heat() != 0)
        {
            self.displaced.push(DisplacedWater { column: c, x, parcel });
        }
        for (&(n, quanta), parcel) in parts.iter().zip(parcels) {
            let fuller = quanta > 0 && quanta >= self.state.depth[n];
            if fuller || self.origin[n] == NONE {
                self.origin[n] = c as u32;
            }
            if fuller {
                self.state.foam[n] = state.foam[c];
                for (to, from) in
                    [(&mut self.state.offset, &state.offset), (&mut self.state.rate, &state.rate)]
                {
                    if let (Some(to), Some(from)) = (to.get_mut(n), from.get(c)) {
                        *to = *from;
                    }
                }
            }
            self.add_parcel(n, &parcel);
        }
    }

    pub(super) fn add_parcel(&mut self, column: usize, parcel: &Parcel) {
        let is_first = self.state.depth[column] == 0;
        self.state.depth[column] += parcel.quanta;
        self.heat.add_parcel(column, *parcel, is_first);
    }

    /// Transfers the state of networks (columns coupled by pressure) to the new layout. The state
    /// consists of a flag for each pool that belongs to a network, and the vertical motion of
    /// columns whose water moves as one mass.
    pub(super) fn transfer_networks(&mut self, before: &Layout, after: &Layout, state: &State) {
        let network = &mut self.state.network;
        let was = |old: u32| old != NONE && state.network.linked[before.pool_of(old as usize)];
        for (number, pool) in after.pools.iter().enumerate() {
            for c in pool.columns.clone() {
                let old = self.origin[c];
                if was(old) {
                    let old = old as usize;
                    network.linked[number] = true;
                    network.rise[c] = state.network.rise[old];
                    network.mass[c] = state.network.mass[old];
                }
            }
        }
    }

    /// Returns pressure heads for the new layout. They apply until the next step computes new ones.
    /// A column whose floor, ceiling and depth are unchanged keeps its pressure head. A column that
    /// was full and is still full keeps its piezometric level.
    pub(super) fn transferred_heads(
        &self,
        before: &Layout,
        after: &Layout,
        state: &State,
        heads: &Heads,
    ) -> Heads {
        let mut excess = vec![0; after.column_count()];
        let mut is_under_body = vec![false; after.column_count()];
        for (c, &old) in self.origin.iter().enumerate() {
            if old == NONE {
                continue;
            }
            let old = old as usize;
            let of = |layout: &Layout, depth: &[i32], c: usize| {
                (layout.floor[c], layout.ceiling[c], depth[c])
            };
            let [was, is] = [of(before, &state.depth, old), of(after, &self.state.depth, c)];
            let is_full = |(floor, ceiling, depth): (i32, i32, i32)| floor + depth >= ceiling;
            if was == is {
                excess[c] = heads.excess[old];
                is_under_body[c] = heads.is_under_body[old];
            } else if is_full(was) && is_full(is) {
                excess[c] = was.0 + was.2 + heads.excess[old] - is.0 - is.2;
            }
        }
        let mut heads = Heads::from_excess(after, excess);
        heads.is_under_body = is_under_body;
        heads
    }

    /// Sets the velocities of all edges and joints (openings between pools) in the new layout. Each
    /// velocity comes from the water that flowed through the same space in the old layout.
    pub(super) fn transfer_speeds(&mut self, before: &Layout, after: &Layout, state: &State) {
        let mut old_speeds = Vec::new();
        for_each_opening(before, 0..usize::MAX, |opening, which| {
            let speed = which.speed(state);
            let lintel = opening.water_surface_height(before, state);
            if speed != 0.0 && lintel > opening.sill {
                let carried_height = which.carried_height(state);
                let sill = opening.sill;
                old_speeds.push(FaceSpeed { x: opening.x, sill, lintel, speed, carried_height });
            }
        });
        assign_speeds(after, &mut self.state, old_speeds);
    }
}

pub(in super::super) struct FaceSpeed {
    pub(in super::super) x: usize,
    pub(in super::super) sill: i32,
    pub(in super::super) lintel: i32,
    pub(in super::super) speed: f32,
    /// Thickness (m) of the flowing layer of water if the opening belongs to a network (columns
    /// coupled by pressure), otherwise [`SEPARATE`].
    pub(in super::super) carried_height: f32,
}

/// Sets the velocity in each opening between neighbouring columns to a weighted mean of the
/// velocities that water had at the same horizontal position in the old layout. The weight is the
/// height over which the old flow overlaps the new opening. In networks (columns coupled by
/// pressure), also sets the thickness of the flowing layer of water.
pub(in super::super) fn assign_speeds(
    layout: &Layout,
    state: &mut State,
    mut old_speeds: Vec<FaceSpeed>,
) {
    old_speeds
        .sort_unstable_by_key(|speed| (speed.x, speed.sill, speed.lintel, speed.speed.to_bits()));
    for_each_opening(layout, 0..usize::MAX, |opening, which| {
        let from = old_speeds.partition_point(|speed| speed.x < opening.x);
        let here = old_speeds[from..].iter().take_while(|speed| speed.x == opening.x);
        let (mut sum, mut height) = (0.0, 0.0);
        let (mut carried, mut is_linked) = (0.0, false);
        for &FaceSpeed { sill, lintel, speed, carried_height, .. } in here {
            let shared = f64::from(lintel.min(opening.lintel)) - f64::from(sill.max(opening.sill));
            let shared = shared.max(0.0);
            sum += shared * f64::from(speed);
            height += shared;
            if carried_height == SEPARATE {
                carried += shared * layout.quantum;
            } else if shared > 0.0 {
                carried += f64::from(carried_height) * shared / f64::from(lintel - sill);
                is_linked = true;
            }
        }
        if height > 0.0 {
            let speed = (sum / height) as f32;
            let carried = if is_linked { carried as f32 } else { SEPARATE };
            let State { speed: speeds, joint_speed, network, .. } = &mut *state;
            let (place, height) = match which {
                FaceId::Edge(c) => (&mut speeds[c], &mut network.edge[c]),
                FaceId::Joint(number) => (&mut joint_speed[number], &mut network.joint[number]),
            };
            (*place, *height) = (speed, carried);
        }
    });
}

pub(in super::super) struct ColumnOpening {
    pub(in super::super) x: usize,
    pub(in super::super) sill: i32,
    lintel: i32,
    ends: [usize; 2],
}

impl ColumnOpening {
    pub(in super::super) fn water_surface_height(&self, layout: &Layout, state: &State) -> i32 {
        let top = self.ends.map(|c| layout.floor[c] + state.depth[c]);
        self.lintel.min(top[0].max(top[1]))
    }
}

#[derive(Clone, Copy)]
pub(in super::super) enum FaceId {
    Edge(usize),
    Joint(usize),
}

impl FaceId {
    fn carried_height(self, state: &State) -> f32 {
        match self {
            Self::Edge(c) => state.network.edge[c],
            Self::Joint(number) => state.network.joint[number],
        }
    }

    pub(in super::super) fn speed(self, state: &State) -> f32 {
        match self {
            Self::Edge(c) => state.speed[c],
            Self::Joint(number) => state.joint_speed[number],
        }
    }
}

/// Calls `work` for each opening between a column and its eastern neighbour, with the opening and
/// its index. Only openings whose western column has a horizontal index in `xs` are visited.
/// Horizontal indices are counted from the western edge of the grid.
pub(in super::super) fn for_each_opening(
    layout: &Layout,
    xs: Range<usize>,
    mut work: impl FnMut(ColumnOpening, FaceId),
) {
    for pool in &layout.pools {
        let of = |x: usize| pool.columns.start.saturating_add(x.saturating_sub(pool.x0));
        let last = pool.columns.end - 1;
        for c in of(xs.start)..of(xs.end).min(last) {
            let sill = layout.floor[c].max(layout.floor[c + 1]);
            let lintel = layout.ceiling[c].min(layout.ceiling[c + 1]);
            let x = pool.x0 + c - pool.columns.start;
            work(ColumnOpening { x, sill, lintel, ends: [c, c + 1] }, FaceId::Edge(c));
        }
    }
    for (number, joint) in layout.joints.iter().enumerate() {
        let pool = &layout.pools[joint.left_pool as usize];
        let x = pool.x0 + joint.left - pool.columns.start;
        if xs.contains(&x) {
            let (sill, lintel, ends) = (joint.sill, joint.lintel, [joint.left, joint.right]);
            work(ColumnOpening { x, sill, lintel, ends }, FaceId::Joint(number));
        }
    }
}
