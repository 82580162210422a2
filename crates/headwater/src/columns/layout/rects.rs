//! Geometry of pools. Vertical runs of air cells are merged into rectangles, touching rectangles
//! are linked, and sequences of rectangles form pools. Within a pool, every column has at most one
//! neighbour on each side.

use super::wall_grid::WallGrid;
use std::ops::Range;

/// Rectangle of air cells, merged from equal vertical runs in neighbouring columns of cells.
/// Heights are in cells above the bottom of the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::columns) struct Rect {
    pub(in crate::columns) columns: Range<u32>,
    pub(in crate::columns) floor: u32,
    /// Height of the ceiling. `None` if the rectangle is open to the sky.
    pub(in crate::columns) ceiling: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::columns) struct RectContact {
    pub(in crate::columns) left: u32,
    pub(in crate::columns) right: u32,
}

#[derive(Clone, Debug, Default)]
pub(in crate::columns) struct Rects {
    pub(in crate::columns) all: Vec<Rect>,
    pub(in crate::columns) touches: Vec<RectContact>,
    left: SideContacts,
    right: SideContacts,
    /// For each rectangle, the heights of its hole (a hole in a floor that lies inside the
    /// rectangle), or `None` if it has none.
    holes: Vec<Option<HoleHeights>>,
    /// Indices of the rectangles in all columns of cells, column by column, and from bottom to top
    /// within a column.
    in_column: Vec<u32>,
    starts: Vec<usize>,
}

/// Heights of a hole in a floor (in cells above the bottom of the grid). The rectangle that
/// contains the hole has openings to its neighbours both above and below the floor. Water enters
/// through the openings above and leaves through those below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HoleHeights {
    /// Upper end of the lowest opening between the rectangle and its neighbours.
    lowest_lintel: u32,
    /// Height of the floor: the lower end of the highest opening between the rectangle and its
    /// neighbours.
    highest_sill: u32,
}

/// Position of an opening next to a hole in a floor: above or below this floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::columns) enum HoleSide {
    Above,
    Below,
}

/// Hole in a floor next to a joint (an opening between two pools). All water that flows through the
/// joint also flows through the hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::columns) struct Hole {
    pub(in crate::columns) side: HoleSide,
    /// Pool that contains the hole.
    pub(in crate::columns) pool: u32,
    /// Width of the hole (in columns).
    pub(in crate::columns) columns: usize,
    /// Height of the upper side of the floor (in height quanta above the bottom of the grid; a
    /// quantum is the integer unit of height).
    pub(in crate::columns) floor: i32,
    /// Joint at the other side of the hole (west or east), on the same side of the floor (above or
    /// below it). `None` if there is no such joint.
    pub(in crate::columns) opposite: Option<u32>,
}

/// Contacts of all rectangles with their neighbours on one side (west or east), in compressed form.
/// The contacts of rectangle `i` are the elements of `touches` from `starts[i]` up to, but not
/// including, `starts[i + 1]`.
#[derive(Clone, Debug, Default)]
struct SideContacts {
    touches: Vec<u32>,
    starts: Vec<u32>,
}

impl SideContacts {
    fn new(count: usize, owners: impl Iterator<Item = u32> + Clone) -> Self {
        let mut starts = vec![0; count + 1];
        owners.clone().for_each(|rect| starts[rect as usize + 1] += 1);
        for i in 0..count {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut touches = vec![0; starts[count] as usize];
        for (touch, rect) in owners.enumerate() {
            let place = &mut next[rect as usize];
            touches[*place as usize] = touch as u32;
            *place += 1;
        }
        Self { touches, starts }
    }

    fn contacts_of(&self, rect: u32) -> &[u32] {
        let i = rect as usize;
        &self.touches[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

pub(in crate::columns) struct PoolChains {
    rects: Vec<u32>,
    ends: Vec<usize>,
}

impl PoolChains {
    pub(in crate::columns) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(begin, &end)| &self.rects[begin..end])
    }
}

impl Rect {
    /// Returns the height of the ceiling for comparisons. Under the open sky, returns the largest
    /// integer.
    pub(in crate::columns) fn ceiling_or_max(&self) -> u32 {
        self.ceiling.unwrap_or(u32::MAX)
    }

    fn overlaps(&self, other: &Rect) -> bool {
        self.floor.max(other.floor) < self.ceiling_or_max().min(other.ceiling_or_max())
    }
}

impl Rects {
    pub(in crate::columns) fn new(grid: &WallGrid) -> Self {
        let mut rects = Self::default();
        let spans = grid.spans();
        let (mut last, mut here) = (Vec::<u32>::new(), Vec::new());
        for x in 0..grid.nx() as u32 {
            here.clear();
            let mut before = last.iter().copied().peekable();
            for &(floor, ceiling) in spans.runs_in_column(x as usize) {
                let all = &mut rects.all;
                while before.next_if(|&r| all[r as usize].floor < floor).is_some() {}
                let is_same = |&r: &u32| {
                    let rect = &all[r as usize];
                    (rect.floor, rect.ceiling) == (floor, ceiling)
                };
                if let Some(r) = before.next_if(is_same) {
                    all[r as usize].columns.end = x + 1;
                    here.push(r);
                } else {
                    here.push(all.len() as u32);
                    all.push(Rect { columns: x..x + 1, floor, ceiling });
                }
            }
            rects.link_columns(&last, &here);
            rects.starts.push(rects.in_column.len());
            rects.in_column.extend(&here);
            std::mem::swap(&mut last, &mut here);
        }
        let count = rects.all.len();
        rects.left = SideContacts::new(count, rects.touches.iter().map(|touch| touch.right));
        rects.right = SideContacts::new(count, rects.touches.iter().map(|touch| touch.left));
        rects.holes = (0..count as u32).map(|rect| rects.find_hole(rect)).collect();
        rects
    }

    fn find_hole(&self, rect: u32) -> Option<HoleHeights> {
        let own = &self.all[rect as usize];
        let others = || self.neighbours(rect).map(|other| &self.all[other as usize]);
        let lintel = |other: &Rect| own.ceiling_or_max().min(other.ceiling_or_max());
        let lowest_lintel = others().map(lintel).min()?;
        let highest_sill = others().map(|other| other.floor).max()?;
        let is_hole = own.floor < highest_sill && lowest_lintel <= highest_sill;
        is_hole.then_some(HoleHeights { lowest_lintel, highest_sill })
    }

    /// Returns the height of the floor whose hole lies in the rectangle `rect` (in cells above the
    /// bottom of the grid), or `None` if there is no such hole.
    pub(in crate::columns) fn hole_floor(&self, rect: u32) -> Option<u32> {
        self.holes[rect as usize].map(|hole| hole.highest_sill)
    }

    pub(in crate::columns) fn is_right_of(&self, rect: u32, other: u32) -> bool {
        self.all[rect as usize].columns.start >= self.all[other as usize].columns.end
    }

    /// Returns whether `other` lies above or below the floor whose hole `rect` contains. Returns
    /// `None` if `rect` contains no hole, or if the water between the two rectangles does not flow
    /// through it.
    pub(in crate::columns) fn hole_side(&self, rect: u32, other: u32) -> Option<HoleSide> {
        let HoleHeights { lowest_lintel, highest_sill } = self.holes[rect as usize]?;
        let [own, other] = [rect, other].map(|rect| &self.all[rect as usize]);
        if other.floor > own.floor && other.floor >= lowest_lintel {
            Some(HoleSide::Above)
        } else if own.ceiling_or_max().min(other.ceiling_or_max()) <= highest_sill {
            Some(HoleSide::Below)
        } else {
            None
        }
    }

    /// Links the touching rectangles of two neighbouring columns of cells in one pass. Both lists
    /// are sorted from bottom to top.
    fn link_columns(&mut self, west: &[u32], east: &[u32]) {
        let (mut i, mut j) = (0, 0);
        while let (Some(&left), Some(&right)) = (west.get(i), east.get(j)) {
            let (a, b) = (&self.all[left as usize], &self.all[right as usize]);
            if left != right && a.overlaps(b) {
                self.touches.push(RectContact { left, right });
            }
            if a.ceiling_or_max() <= b.ceiling_or_max() {
                i += 1;
            } else {
                j += 1;
            }
        }
    }

    pub(in crate::columns) fn neighbours(&self, rect: u32) -> impl Iterator<Item = u32> + '_ {
        let left = self.left.contacts_of(rect).iter().map(|&t| self.touches[t as usize].left);
        let right = self.right.contacts_of(rect).iter().map(|&t| self.touches[t as usize].right);
        left.chain(right)
    }

    /// Returns the index of the rectangle in a column of cells at a height (in cells above the
    /// bottom of the grid, may be fractional). Returns `None` if the position is in a wall.
    pub(in crate::columns) fn rect_at(&self, column: u32, height: f64) -> Option<u32> {
        let inside = |rect: &Rect| {
            f64::from(rect.floor) <= height
                && height < rect.ceiling.map_or(f64::INFINITY, f64::from)
        };
        let here = self.rects_in_column(column as usize).iter().copied();
        here.into_iter().find(|&r| inside(&self.all[r as usize]))
    }

    pub(in crate::columns) fn rects_in_column(&self, column: usize) -> &[u32] {
        let Some(&from) = self.starts.get(column) else { return &[] };
        let to = self.starts.get(column + 1).copied().unwrap_or(self.in_column.len());
        &self.in_column[from..to]
    }

    /// Returns the eastern neighbour of `rect` if it is the only one and has `rect` as its only
    /// western neighbour. Returns `None` otherwise, or if a hole in a floor lies between the two.
    fn sole_right_neighbour(&self, rect: u32) -> Option<u32> {
        let &[touch] = self.right.contacts_of(rect) else { return None };
        let next = self.touches[touch as usize].right;
        let at_hole = self.hole_side(rect, next).or(self.hole_side(next, rect)).is_some();
        (self.left.contacts_of(next).len() == 1 && !at_hole).then_some(next)
    }

    pub(in crate::columns) fn pools(&self) -> PoolChains {
        let count = self.all.len() as u32;
        let next: Vec<Option<u32>> =
            (0..count).map(|rect| self.sole_right_neighbour(rect)).collect();
        let mut inner = vec![false; self.all.len()];
        next.iter().flatten().for_each(|&next| inner[next as usize] = true);
        let mut pools = PoolChains { rects: Vec::with_capacity(self.all.len()), ends: Vec::new() };
        for first in (0..count).filter(|&rect| !inner[rect as usize]) {
            pools.rects.extend(std::iter::successors(Some(first), |&r| next[r as usize]));
            pools.ends.push(pools.rects.len());
        }
        pools
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;

    fn rects(map: &[&str]) -> Rects {
        let cell = |x: usize, y: usize| map[y].as_bytes()[x] == b'#';
        Rects::new(&WallGrid::new(&Field::from_fn(map[0].len(), map.len(), cell)))
    }

    #[test]
    fn a_basin_with_a_stepped_floor_is_one_pool() {
        let found = rects(&["#....#", "#.##.#", "######"]);
        let spans: Vec<_> = found.all.iter().map(|r| (r.columns.clone(), r.floor)).collect();
        assert_eq!(spans, [(1..2, 1), (2..4, 2), (4..5, 1)], "no air over the sides");
        assert_eq!(found.pools().iter().collect::<Vec<_>>(), [[0, 1, 2]]);
    }

    #[test]
    fn a_platform_separates_the_air_above_from_the_air_below() {
        let found = rects(&["......", "..##..", "......"]);
        // The rectangles lie to the west of the platform, below it, above it, and to the east of
        // it.
        assert_eq!(found.all.len(), 4);
        assert_eq!(found.touches.len(), 4);
        assert_eq!(found.pools().iter().count(), 4, "one column with two neighbours ends a pool");
        assert_eq!(found.rect_at(2, 0.5), Some(1));
        assert_eq!(found.rect_at(2, 1.5), None, "in the wall");
        assert_eq!(found.rect_at(2, 7.0), Some(2), "the sky has no end");
    }

    #[test]
    fn spans_that_only_meet_at_a_corner_do_not_touch() {
        let found = rects(&["#.#", "##.", "###"]);
        assert_eq!((found.all.len(), found.touches.len()), (2, 0));
        assert_eq!(found.rect_at(2, 1.5), Some(1));
        assert_eq!(found.pools().iter().count(), 2);
    }
}
