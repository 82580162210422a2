//! The trees that the cells of a part drain by. Where a link leads over the part's border, a tree of its own ends; what drains to its cells from beyond
//! are trees of other parts.

use super::strip::Strip;
use super::talk::Talk;
use crate::hydrology::grid::DIRECTIONS;
use crate::hydrology::stream_power::links::{self, Link};
use std::ops::Range;

/// No place.
const NONE: u32 = u32::MAX;

/// Trees, each listed from its root up.
pub(super) struct Trees<'a> {
    strip: &'a Strip,
    /// The cells of one tree after another, and where in this list each of them drains to.
    pub(super) cells: Vec<u32>,
    pub(super) parents: Vec<u32>,
    /// Where each tree begins, and the end.
    starts: Vec<u32>,
    /// By trees, how many cells beyond the border drain to them, and the place of the cell beyond that they drain to.
    inlets: Vec<u32>,
    outlets: Vec<u32>,
    /// The tree of each cell on the rims.
    on_rims: Vec<u32>,
    /// Cells that others beyond drain to: where they are in the list, and their places on the rims. Where those of each tree begin, and the end.
    mouths: Vec<[u32; 2]>,
    mouth_starts: Vec<u32>,
}

impl<'a> Trees<'a> {
    /// Of the links of the part's own cells and those beside them; `donors` says which neighbours drain to each, a bit for each direction.
    pub(super) fn new(strip: &'a Strip, links: &[Link], donors: &[u8]) -> Self {
        let (grid, own) = (strip.grid(), strip.own_cells());
        let ways = DIRECTIONS.map(|(x, y)| y * grid.nx as isize + x);
        let mut trees = Self {
            strip,
            cells: Vec::with_capacity(own.len()),
            parents: Vec::with_capacity(own.len()),
            starts: vec![0],
            inlets: Vec::new(),
            outlets: Vec::new(),
            on_rims: vec![NONE; 2 * grid.nx],
            mouths: Vec::new(),
            mouth_starts: vec![0],
        };
        for root in own.clone() {
            let outlet = match links::receiver(grid, root, links[root]) {
                None => NONE,
                Some(to) if own.contains(&to) => continue,
                Some(to) => strip.place_beyond(to) as u32,
            };
            let mut k = trees.cells.len();
            trees.cells.push(root as u32);
            trees.parents.push(NONE);
            let (tree, mut inlets) = (trees.outlets.len() as u32, 0);
            while k < trees.cells.len() {
                let cell = trees.cells[k] as usize;
                let place = strip.place_on_rim(cell);
                let before = inlets;
                let mut left = donors[cell];
                while left != 0 {
                    let donor = cell.wrapping_add_signed(ways[left.trailing_zeros() as usize]);
                    left &= left - 1;
                    if own.contains(&donor) {
                        trees.cells.push(donor as u32);
                        trees.parents.push(k as u32);
                    } else {
                        inlets += 1;
                    }
                }
                if let Some(place) = place {
                    trees.on_rims[place] = tree;
                    if inlets > before {
                        trees.mouths.push([k as u32, place as u32]);
                    }
                }
                k += 1;
            }
            trees.starts.push(k as u32);
            trees.mouth_starts.push(trees.mouths.len() as u32);
            trees.inlets.push(inlets);
            trees.outlets.push(outlet);
        }
        trees
    }

    /// Where the cells of a tree are in the list.
    pub(super) fn range(&self, tree: usize) -> Range<usize> {
        self.starts[tree] as usize..self.starts[tree + 1] as usize
    }

    /// Whether a tree's water leaves or ends at its root.
    pub(super) fn ends(&self, tree: usize) -> bool {
        self.outlets[tree] == NONE
    }

    /// From tips to roots: does some work with each tree, to which all that comes from beyond has come (by places on the rims), and hands what it gives
    /// on to where the tree drains to.
    pub(super) fn down(&self, talk: &mut Talk, mut work: impl FnMut(usize, &[i64]) -> i64) {
        let nx = self.strip.nx;
        let mut open = self.inlets.clone();
        let mut came = vec![0; 2 * nx];
        let mut ready: Vec<usize> = (0..open.len()).filter(|&tree| open[tree] == 0).collect();
        loop {
            let mut to = [Vec::new(), Vec::new()];
            for tree in ready.drain(..) {
                let left = work(tree, &came);
                let outlet = self.outlets[tree] as usize;
                if !self.ends(tree) {
                    to[outlet / nx].push([(outlet % nx) as i64, left]);
                }
            }
            let Some(from) = talk.pass([&to[0][..], &to[1][..]]) else { break };
            for (side, told) in from.iter().enumerate() {
                for &[x, amount] in told {
                    let place = side * nx + x as usize;
                    came[place] += amount;
                    let tree = self.on_rims[place] as usize;
                    open[tree] -= 1;
                    if open[tree] == 0 {
                        ready.push(tree);
                    }
                }
            }
        }
    }

    /// From roots to tips: does some work with each tree as soon as the height is known of where it drains to, if that lies beyond. `work` writes the
    /// heights of its cells, in the order of the list, where these are kept.
    pub(super) fn up(
        &self,
        talk: &mut Talk,
        heights: &mut [u64],
        mut work: impl FnMut(usize, Option<i64>, &mut [u64]),
    ) {
        let nx = self.strip.nx;
        let mut waiting: Vec<(u32, usize)> = self.outlets.iter().copied().zip(0..).collect();
        waiting.sort_unstable();
        let ends = waiting.iter().rev().take_while(|(outlet, _)| *outlet == NONE);
        let mut ready: Vec<(usize, Option<i64>)> = ends.map(|&(_, tree)| (tree, None)).collect();
        loop {
            let mut to = [Vec::new(), Vec::new()];
            for (tree, below) in ready.drain(..) {
                work(tree, below, heights);
                let mouths = self.mouth_starts[tree] as usize..self.mouth_starts[tree + 1] as usize;
                for &[k, place] in &self.mouths[mouths] {
                    let place = place as usize;
                    to[place / nx].push([(place % nx) as i64, heights[k as usize] as i64]);
                }
            }
            let Some(from) = talk.pass([&to[0][..], &to[1][..]]) else { break };
            for (side, told) in from.iter().enumerate() {
                for &[x, height] in told {
                    let place = (side * nx) as u32 + x as u32;
                    let first = waiting.partition_point(|&(outlet, _)| outlet < place);
                    let here = waiting[first..].iter().take_while(|(outlet, _)| *outlet == place);
                    ready.extend(here.map(|&(_, tree)| (tree, Some(height))));
                }
            }
        }
    }
}
