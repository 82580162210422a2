//! From one layout to another: the water of each column goes where its space has stayed.

use super::super::heat::{Parcel, Warm, Warmth};
use super::super::layout::Layout;
use super::super::network::{ALONE, UNKNOWN};
use super::super::pressure::Heads;
use super::super::state::State;

pub(super) const NONE: u32 = u32::MAX;

/// Water that is built over, and where it was.
pub(super) struct Displaced {
    pub(super) column: usize,
    pub(super) x: usize,
    pub(super) parcel: Parcel,
}

/// What has moved so far.
pub(super) struct Moved<'a> {
    pub(super) state: State,
    /// Of the new columns, if there is any heat that does not follow from the depths.
    pub(super) warm: Warm,
    from: Option<&'a Warmth>,
    pub(super) displaced: Vec<Displaced>,
    /// By new column: the old one that its water is from, or whose space it has.
    pub(super) origin: Vec<u32>,
}

impl<'a> Moved<'a> {
    pub(super) fn new(
        before: &Layout,
        after: &Layout,
        state: State,
        warmth: Option<&'a Warmth>,
    ) -> Self {
        let from = warmth.filter(|warmth| !warmth.active.is_empty());
        debug_assert_eq!(before.per_height, after.per_height);
        let warm = if from.is_some() { Warm::new(after.columns()) } else { Warm::default() };
        let origin = vec![NONE; after.columns()];
        Self { state, warm, from, displaced: Vec::new(), origin }
    }

    /// Moves the water of all columns, with its heat, foam and, of springs, waves.
    pub(super) fn columns(&mut self, before: &Layout, after: &Layout, state: &State) {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for x in 0..before.regions.nx() * before.per_cell {
            for (layout, columns) in [(before, &mut old), (after, &mut new)] {
                columns.clear();
                columns.extend(layout.stack(x));
            }
            for &c in &old {
                self.column(before, after, state, x, c, &new);
            }
        }
    }

    /// Moves one column's water to those of the new layout at its place, `new`, upward.
    fn column(
        &mut self,
        before: &Layout,
        after: &Layout,
        state: &State,
        x: usize,
        c: usize,
        new: &[usize],
    ) {
        let (floor, ceiling) = (before.floor[c], before.ceiling[c]);
        let depth = state.depth[c];
        let whole = new.iter().find(|&&n| (after.floor[n], after.ceiling[n]) == (floor, ceiling));
        // Water under a ceiling may be pressed together: where nothing has changed, all of it stays.
        let parts: Vec<(usize, i32)> = match whole {
            Some(&n) => vec![(n, depth)],
            None => {
                let within = |n: usize, top: i32| {
                    top.min(after.ceiling[n]).saturating_sub(floor.max(after.floor[n]))
                };
                let meets = |&&n: &&usize| within(n, ceiling) > 0;
                let of_space = new.iter().filter(meets);
                of_space.map(|&n| (n, within(n, floor + depth).max(0))).collect()
            }
        };
        let kept: i32 = parts.iter().map(|&(_, quanta)| quanta).sum();
        let parcel = Parcel::of(self.from, c, depth);
        let amounts: Vec<i32> =
            std::iter::once(depth - kept).chain(parts.iter().map(|&(_, part)| part)).collect();
        let mut parcels = parcel.split(&amounts).into_iter();
        if let Some(parcel) = parcels.next()
            && (parcel.quanta > 0 || parcel.heat() != 0)
        {
            self.displaced.push(Displaced { column: c, x, parcel });
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
            self.put(n, &parcel);
        }
    }

    /// Puts water into a new column.
    pub(super) fn put(&mut self, column: usize, parcel: &Parcel) {
        self.state.depth[column] += parcel.quanta;
        self.warm.put(column, parcel);
    }

    /// Lets pools whose water was a network's be taken for that, with all that their edges carry now; what rises as a whole
    /// goes on.
    pub(super) fn networks(&mut self, before: &Layout, after: &Layout, state: &State) {
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
                    let alone = state.network.edge[old] == ALONE;
                    network.edge[c] = if alone { ALONE } else { UNKNOWN };
                }
            }
        }
        for (joint, moved) in after.joints.iter().zip(&mut network.joint) {
            if [joint.left, joint.right].iter().any(|&c| was(self.origin[c])) {
                *moved = UNKNOWN;
            }
        }
    }

    /// The heads of the next step's beginning, which are what is asked for until then: that on water which still stands in the
    /// same space, and that of what is full as before.
    pub(super) fn heads(
        &self,
        before: &Layout,
        after: &Layout,
        state: &State,
        heads: &Heads,
    ) -> Heads {
        let mut excess = vec![0; after.columns()];
        let mut loaded = vec![false; after.columns()];
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
                loaded[c] = heads.loaded[old];
            } else if is_full(was) && is_full(is) {
                excess[c] = was.0 + was.2 + heads.excess[old] - is.0 - is.2;
            }
        }
        let mut heads = Heads::of(after, excess);
        heads.loaded = loaded;
        heads
    }

    /// Gives all new edges and joints the velocity of the water that went through the same opening.
    pub(super) fn edges(&mut self, before: &Layout, after: &Layout, state: &State) {
        let mut old = Vec::new();
        for_each_opening(before, |opening, which| {
            let speed = match which {
                Which::Edge(c) => state.speed[c],
                Which::Joint(number) => state.joint_speed[number],
            };
            let top = opening.ends.map(|c| before.floor[c] + state.depth[c]);
            let lintel = opening.lintel.min(top[0].max(top[1]));
            if speed != 0.0 && lintel > opening.sill {
                old.push((opening.x, opening.sill, lintel, speed));
            }
        });
        old.sort_unstable_by_key(|&(x, sill, ..)| (x, sill));
        let moved = &mut self.state;
        for_each_opening(after, |opening, which| {
            let from = old.partition_point(|&(x, ..)| x < opening.x);
            let here = old[from..].iter().take_while(|&&(x, ..)| x == opening.x);
            let (mut sum, mut height) = (0.0, 0.0);
            for &(_, sill, lintel, speed) in here {
                let shared =
                    f64::from(lintel.min(opening.lintel)) - f64::from(sill.max(opening.sill));
                let shared = shared.max(0.0);
                sum += shared * f64::from(speed);
                height += shared;
            }
            if height > 0.0 {
                let speed = (sum / height) as f32;
                match which {
                    Which::Edge(c) => moved.speed[c] = speed,
                    Which::Joint(number) => moved.joint_speed[number] = speed,
                }
            }
        });
    }
}

/// An opening between two columns, `x` columns from the west.
struct Opening {
    x: usize,
    sill: i32,
    lintel: i32,
    ends: [usize; 2],
}

enum Which {
    Edge(usize),
    Joint(usize),
}

fn for_each_opening(layout: &Layout, mut work: impl FnMut(Opening, Which)) {
    for pool in &layout.pools {
        for c in pool.columns.start..pool.columns.end - 1 {
            let sill = layout.floor[c].max(layout.floor[c + 1]);
            let lintel = layout.ceiling[c].min(layout.ceiling[c + 1]);
            let x = pool.x0 + c - pool.columns.start;
            work(Opening { x, sill, lintel, ends: [c, c + 1] }, Which::Edge(c));
        }
    }
    for (number, joint) in layout.joints.iter().enumerate() {
        let pool = &layout.pools[joint.left_pool as usize];
        let x = pool.x0 + joint.left - pool.columns.start;
        let (sill, lintel, ends) = (joint.sill, joint.lintel, [joint.left, joint.right]);
        work(Opening { x, sill, lintel, ends }, Which::Joint(number));
    }
}
