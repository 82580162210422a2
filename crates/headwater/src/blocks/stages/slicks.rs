//! [`Slicks`]: groups of connected positions at which oil can come to the surface of a heavier
//! liquid. The positions are top cells of heavier bodies of liquid that oil reaches along the
//! surface, and cells next to the ends of ceilings.

use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::{AIR, LIQUIDS, Liquid, SOLID};
use crate::blocks::state::cell_labels::CellLabels;

pub(in crate::blocks) type CellPos = (u32, u32);

pub(in crate::blocks) const OIL: u16 = Liquid::Oil as u16 + 1;

/// Union-find forest over three kinds of elements: bodies of oil, top cells of heavier bodies
/// (under air, oil or a ceiling), and exits. An exit is a cell inside a heavier body into which oil
/// rises next to the end of a ceiling. Elements that touch are joined.
#[derive(Debug, Default)]
pub(in crate::blocks) struct Slicks {
    oil_bodies: Vec<u32>,
    tops: Vec<CellPos>,
    /// Sorted pairs of two cells: an exit (a cell into which oil rises next to the end of a
    /// ceiling), and the cell under that end of the ceiling.
    exits: Vec<(CellPos, CellPos)>,
    /// Union-find parents. The elements are the bodies of oil, followed by the top cells and the
    /// exits.
    parent: Vec<u32>,
    separate_exits: Vec<(CellPos, u32)>,
    /// Sorted positions of the top cells near exits (cells into which oil rises next to the end of
    /// a ceiling).
    tops_at_exits: Vec<CellPos>,
}

impl Slicks {
    pub(in crate::blocks) fn build(
        &mut self,
        world: &impl CellLabels,
        all_tops: &[CellPos],
        oil: &[CellPos],
    ) {
        let Self { oil_bodies, tops, exits, parent, tops_at_exits, .. } = self;
        tops_at_exits.clear();
        let over = |&(x, y): &CellPos| world.cell(x, y.wrapping_sub(1)).kind();
        let kind = |&(x, y): &CellPos| world.cell(x, y).kind();
        oil_bodies.clear();
        oil_bodies
            .extend(all_tops.iter().filter(|at| kind(at) == OIL).map(|at| world.body(at.0, at.1)));
        oil_bodies.sort_unstable();
        oil_bodies.dedup();
        tops.clear();
        let is_free = |at: &&CellPos| at.1 == 0 || [AIR, OIL, SOLID].contains(&over(at));
        tops.extend(all_tops.iter().filter(|at| kind(at) > OIL).filter(is_free));
        tops.sort_unstable();
        exits.clear();
        for &from in tops.iter().chain(oil).filter(|at| is_under_ceiling(world, **at)) {
            exits.extend(
                [-1, 1].iter().filter_map(|&side| Some((exit_cell(world, from, side)?, from))),
            );
        }
        exits.sort_unstable();
        parent.clear();
        parent.extend(0..(oil_bodies.len() + tops.len() + exits.len()) as u32);
        let mut next = 0;
        for (i, &(x, y)) in tops.iter().enumerate() {
            let node = (oil_bodies.len() + i) as u32;
            let above = y.wrapping_sub(1);
            let west = x.wrapping_sub(1);
            let neighbours = [(west, y), (x + 1, y), (x, above), (west, above), (x + 1, above)];
            // Oil beside a ceiling does not move down under it.
            let count = if is_under_ceiling(world, (x, y)) { 2 } else { neighbours.len() };
            for at in &neighbours[..count] {
                if world.cell(at.0, at.1).kind() == OIL
                    && let Ok(oil) = oil_bodies.binary_search(&world.body(at.0, at.1))
                {
                    join_sets(parent, node, oil as u32);
                }
            }
            while tops.get(next).is_some_and(|top| top.0 <= x) {
                next += 1;
            }
            let adjacent = tops[next..].iter().enumerate().take_while(|(_, top)| top.0 == x + 1);
            for (j, &other) in adjacent {
                let same = world.body(other.0, other.1) == world.body(x, y);
                if same && is_open_between(world, (x, y), other) {
                    join_sets(parent, node, (oil_bodies.len() + next + j) as u32);
                }
            }
        }
        for (i, &(exit, from)) in exits.iter().enumerate() {
            let node = (oil_bodies.len() + tops.len() + i) as u32;
            if i > 0 && exits[i - 1].0 == exit {
                join_sets(parent, node, node - 1);
            }
            if let Some(top) = top_of_column_at(world, exit, tops) {
                tops_at_exits.push(tops[top]);
                join_sets(parent, node, (oil_bodies.len() + top) as u32);
            }
            let under = match world.cell(from.0, from.1).kind() {
                OIL => oil_bodies.binary_search(&world.body(from.0, from.1)),
                _ => tops.binary_search(&from).map(|top| oil_bodies.len() + top),
            };
            if let Ok(under) = under {
                join_sets(parent, node, under as u32);
            }
        }
        tops_at_exits.sort_unstable();
        // Exits that are tops, or cells counted with a top, are not separate sites.
        self.find_separate_exits(world);
    }

    fn find_separate_exits(&mut self, world: &impl CellLabels) {
        let Self { oil_bodies, tops, exits, parent, separate_exits, .. } = self;
        separate_exits.clear();
        for (i, &(exit, _)) in exits.iter().enumerate() {
            let is_new = i == 0 || exits[i - 1].0 != exit;
            if is_new && top_of_column_at(world, exit, tops).is_none() {
                let node = (oil_bodies.len() + tops.len() + i) as u32;
                separate_exits.push((exit, find_root(parent, node)));
            }
        }
    }

    pub(in crate::blocks) fn is_at_exit(&self, top: CellPos) -> bool {
        self.tops_at_exits.binary_search(&top).is_ok()
    }

    pub(in crate::blocks) fn separate_exits(&self) -> &[(CellPos, u32)] {
        &self.separate_exits
    }

    pub(in crate::blocks) fn root_of_oil(&mut self, oil: u32) -> u32 {
        self.oil_bodies.binary_search(&oil).map_or(NONE, |i| find_root(&mut self.parent, i as u32))
    }

    pub(in crate::blocks) fn root_of_top(&mut self, top: CellPos) -> u32 {
        let node = |i: usize| (self.oil_bodies.len() + i) as u32;
        let found = self.tops.binary_search(&top).map(node);
        found.map_or(NONE, |node| find_root(&mut self.parent, node))
    }
}

/// Largest number of cells that the top of a column gives in one step. Also the largest number of
/// cells by which an exit (a cell into which oil rises next to the end of a ceiling) may lie below
/// a top cell and count as that top cell.
pub(in crate::blocks) const MAX_CELLS_PER_TOP: u32 = 2;

/// Returns the index in `tops` of the top cell of the column that contains a position, if the
/// position lies within [`MAX_CELLS_PER_TOP`] cells below that top cell.
fn top_of_column_at(world: &impl CellLabels, (x, y): CellPos, tops: &[CellPos]) -> Option<usize> {
    let body = world.body(x, y);
    // The first cell of a column may be partly filled.
    let column = (0..=MAX_CELLS_PER_TOP).map_while(|up| y.checked_sub(up));
    let mut own = column.take_while(|&y| world.body(x, y) == body);
    own.find_map(|y| tops.binary_search(&(x, y)).ok())
}

pub(in crate::blocks) fn is_under_ceiling(world: &impl CellLabels, (x, y): CellPos) -> bool {
    y > 0 && world.cell(x, y - 1).is_wall()
}

/// Returns the cell into which oil under a ceiling at `(x, y)` rises past one end of the ceiling,
/// or `None` if oil cannot rise there. `side` is −1 for the western end and 1 for the eastern end.
fn exit_cell(world: &impl CellLabels, (x, y): CellPos, side: i32) -> Option<CellPos> {
    let (x, above) = (x.wrapping_add_signed(side), y.checked_sub(1)?);
    let (kind, body) = (world.cell(x, y).kind(), world.body(x, y));
    let is_heavier = LIQUIDS.contains(&kind) && kind > OIL && body != NONE;
    let goes_up = is_heavier && world.body(x, above) == body && world.cell(x, above).kind() == kind;
    goes_up.then_some((x, above))
}

/// Returns whether oil can pass between two adjacent top cells without moving down below a ceiling.
fn is_open_between(world: &impl CellLabels, a: CellPos, b: CellPos) -> bool {
    if [a, b].into_iter().any(|at| is_under_ceiling(world, at)) {
        return a.1 == b.1 && [a, b].into_iter().all(|at| is_under_ceiling(world, at));
    }
    let (low, high) = if a.1 > b.1 { (a, b) } else { (b, a) };
    (high.1.saturating_sub(1)..low.1).all(|y| !world.cell(low.0, y).is_wall())
}

fn join_sets(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find_root(parent, a), find_root(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}

fn find_root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        let up = parent[parent[i as usize] as usize];
        parent[i as usize] = up;
        i = up;
    }
    i
}
