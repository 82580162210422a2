//! From walls to pools: vertical spans of air, merged into rectangles, linked where they touch, and strung
//! together into pools. A pool is a run of neighbouring columns with a ragged floor and a ragged ceiling,
//! in which every column has one neighbour on either side.

use super::board::Regions;
use std::ops::Range;

/// Equal spans of neighbouring columns of cells. Heights are cells above the bottom of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    /// Columns of cells.
    pub(super) columns: Range<u32>,
    pub(super) floor: u32,
    /// `None` under the open sky.
    pub(super) ceiling: Option<u32>,
}

/// An opening between a rectangle and one on its right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) left: u32,
    pub(super) right: u32,
}

/// All rectangles of a board, from west to east and upward, and where they touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Rects {
    pub(super) all: Vec<Rect>,
    pub(super) touches: Vec<Touch>,
    /// The touches of each rectangle, by number: those on its left, those on its right.
    pub(super) left: Vec<Vec<u32>>,
    pub(super) right: Vec<Vec<u32>>,
    /// The rectangles of each column of cells, upward, and where each column's begin.
    of_column: Vec<u32>,
    begins: Vec<usize>,
}

impl Rect {
    /// The ceiling, where it is for comparing only.
    pub(super) fn top(&self) -> u32 {
        self.ceiling.unwrap_or(u32::MAX)
    }

    fn meets(&self, other: &Rect) -> bool {
        self.floor.max(other.floor) < self.top().min(other.top())
    }
}

impl Rects {
    pub(super) fn new(regions: &Regions) -> Self {
        let mut rects = Self::default();
        let (mut spans, mut last) = (Vec::new(), Vec::<u32>::new());
        for x in 0..regions.nx() as u32 {
            regions.spans(x as usize, &mut spans);
            let mut here = Vec::with_capacity(spans.len());
            for &(floor, ceiling) in &spans {
                let same = last.iter().copied().find(|&r| {
                    let rect = &rects.all[r as usize];
                    (rect.floor, rect.ceiling) == (floor, ceiling)
                });
                if let Some(r) = same {
                    rects.all[r as usize].columns.end = x + 1;
                    here.push(r);
                } else {
                    here.push(rects.all.len() as u32);
                    rects.all.push(Rect { columns: x..x + 1, floor, ceiling });
                    rects.left.push(Vec::new());
                    rects.right.push(Vec::new());
                }
            }
            rects.link(&last, &here);
            rects.begins.push(rects.of_column.len());
            rects.of_column.extend(&here);
            last = here;
        }
        rects
    }

    /// Links the rectangles of a column with those of the next. Both are in upward order, so that one walk
    /// finds all pairs.
    fn link(&mut self, west: &[u32], east: &[u32]) {
        let (mut i, mut j) = (0, 0);
        while let (Some(&left), Some(&right)) = (west.get(i), east.get(j)) {
            let (a, b) = (&self.all[left as usize], &self.all[right as usize]);
            if left != right && a.meets(b) {
                let number = self.touches.len() as u32;
                self.touches.push(Touch { left, right });
                self.right[left as usize].push(number);
                self.left[right as usize].push(number);
            }
            let (a, b) = (&self.all[left as usize], &self.all[right as usize]);
            if a.top() <= b.top() {
                i += 1;
            } else {
                j += 1;
            }
        }
    }

    /// The rectangles that touch one: their numbers.
    pub(super) fn around(&self, rect: u32) -> impl Iterator<Item = u32> + '_ {
        let left = self.left[rect as usize].iter().map(|&t| self.touches[t as usize].left);
        let right = self.right[rect as usize].iter().map(|&t| self.touches[t as usize].right);
        left.chain(right)
    }

    /// The rectangle at a column of cells and a height (cells above the bottom; may be between cells).
    pub(super) fn at(&self, column: u32, height: f64) -> Option<u32> {
        let inside = |rect: &Rect| {
            f64::from(rect.floor) <= height
                && height < rect.ceiling.map_or(f64::INFINITY, f64::from)
        };
        let here = self.of_column(column as usize).iter().copied();
        here.into_iter().find(|&r| inside(&self.all[r as usize]))
    }

    /// The rectangles of a column of cells, upward; none off the board.
    pub(super) fn of_column(&self, column: usize) -> &[u32] {
        let Some(&from) = self.begins.get(column) else { return &[] };
        let to = self.begins.get(column + 1).copied().unwrap_or(self.of_column.len());
        &self.of_column[from..to]
    }

    /// The one rectangle on the right of `rect` that has it alone on its left.
    fn next(&self, rect: u32) -> Option<u32> {
        let [touch] = self.right[rect as usize][..] else { return None };
        let next = self.touches[touch as usize].right;
        (self.left[next as usize].len() == 1).then_some(next)
    }

    /// The pools: for each its rectangles from west to east. They come in the order of their first
    /// rectangles.
    pub(super) fn pools(&self) -> Vec<Vec<u32>> {
        let mut inner = vec![false; self.all.len()];
        for rect in 0..self.all.len() as u32 {
            if let Some(next) = self.next(rect) {
                inner[next as usize] = true;
            }
        }
        let firsts = (0..self.all.len() as u32).filter(|&rect| !inner[rect as usize]);
        firsts
            .map(|first| std::iter::successors(Some(first), |&r| self.next(r)).collect())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;

    fn rects(map: &[&str]) -> Rects {
        let cell = |x: usize, y: usize| map[y].as_bytes()[x] == b'#';
        Rects::new(&Regions::new(&Field::from_fn(map[0].len(), map.len(), cell)))
    }

    #[test]
    fn a_ragged_basin_is_one_pool() {
        let found = rects(&["#....#", "#.##.#", "######"]);
        let spans: Vec<_> = found.all.iter().map(|r| (r.columns.clone(), r.floor)).collect();
        assert_eq!(spans, [(1..2, 1), (2..4, 2), (4..5, 1)], "no air over the sides");
        assert_eq!(found.pools(), [[0, 1, 2]]);
    }

    #[test]
    fn a_platform_parts_the_air_above_it_from_what_is_below() {
        let found = rects(&["......", "..##..", "......"]);
        // West of it, below, above, east of it.
        assert_eq!(found.all.len(), 4);
        assert_eq!(found.touches.len(), 4);
        assert_eq!(found.pools().len(), 4, "one column with two neighbours ends a pool");
        assert_eq!(found.at(2, 0.5), Some(1));
        assert_eq!(found.at(2, 1.5), None, "in the wall");
        assert_eq!(found.at(2, 7.0), Some(2), "the sky has no end");
    }

    #[test]
    fn spans_that_only_meet_at_a_corner_do_not_touch() {
        let found = rects(&["#.#", "##.", "###"]);
        assert_eq!((found.all.len(), found.touches.len()), (2, 0));
        assert_eq!(found.at(2, 1.5), Some(1));
        assert_eq!(found.pools().len(), 2);
    }
}
