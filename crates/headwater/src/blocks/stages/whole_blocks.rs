//! [`Rule::WholeBlocks`](super::Rule::WholeBlocks): whole blocks of water that move according to
//! pressure, after lol, "An algorithm for flowing water blocks" (2016). Each step has four stages:
//!
//! 1. **Bodies.** All bodies (edge-connected cells of water) are labelled.
//! 2. **Pressure.** The pressure of every cell of a body toward each adjacent air cell is computed.
//!    With Δh as the number of rows from the top row of the body down to the cell, the pressure is
//!    ∞ downward (or Δh + 1 with [`Params::finite_fall`]), Δh sideways, and Δh − 1 upward. If the
//!    largest pressure is 0 or less, the body is at rest.
//! 3. **Targets.** The targets are all air cells with the largest pressure, each counted once.
//! 4. **Moves.** Targets are processed from the top row down and from west to east. For each target
//!    in column x₀, a block is taken from the top row of the body, which spans x_left to x_right.
//!    The block is the one at x_right if x₀ < (x_left + x_right)/2, and the one at x_left
//!    otherwise. When a row is empty, the next row follows. Blocks never move up or within their
//!    row.
//!
//! The article is extended as follows: with [`Params::spill`], a body at rest flows over an edge
//! beside its top row, or moves by one cell toward the nearest edge, so that no single block stays
//! on a ledge.

use crate::blocks::params::Params;
use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::PackedCell;
use crate::blocks::state::grid::Grid;

#[derive(Clone, Debug, Default)]
pub(in crate::blocks) struct Workspace {
    nx: usize,
    content: Vec<CellContent>,
    body: Vec<u32>,
    start: Vec<u32>,
    members: Vec<u32>,
    targets: Vec<u32>,
    /// Cell indices of the source and the destination of each block that moves in this step.
    moves: Vec<(u32, u32)>,
    stack: Vec<usize>,
    /// For each body of liquid, the index in `members` at which the next cell of the body is
    /// inserted.
    next: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellContent {
    Air,
    Water,
    Wall,
}

/// Labels that assign cells to bodies of liquid. They are cached until a cell of the world changes.
#[derive(Default)]
pub(in crate::blocks) struct CachedLabels {
    edits: Option<u64>,
    workspace: Workspace,
    asleep: Option<bool>,
}

impl CachedLabels {
    /// Updates the labels if any cell has changed since the last call.
    pub(in crate::blocks) fn update(&mut self, grid: &Grid) {
        if self.edits != Some(grid.edit_count()) {
            self.workspace.label_bodies(grid);
            (self.edits, self.asleep) = (Some(grid.edit_count()), None);
        }
    }

    pub(in crate::blocks) fn bodies(&self) -> &[u32] {
        &self.workspace.body
    }

    pub(in crate::blocks) fn top_of(&self, body: u32) -> usize {
        self.workspace.cells_of_body(body as usize)[0] as usize
    }

    pub(in crate::blocks) fn is_body_at_rest(&mut self, body: u32, params: &Params) -> bool {
        self.workspace.is_at_rest(body as usize, params)
    }

    pub(in crate::blocks) fn is_asleep(&mut self, params: &Params) -> bool {
        let Self { workspace, asleep, .. } = self;
        let mut bodies = 0..workspace.start.len() - 1;
        *asleep.get_or_insert_with(|| bodies.all(|body| workspace.is_at_rest(body, params)))
    }

    pub(in crate::blocks) fn targets(&mut self, params: &Params) -> Vec<u32> {
        let workspace = &mut self.workspace;
        let mut all = Vec::new();
        for body in 0..workspace.start.len() - 1 {
            workspace.find_targets(body, params);
            all.extend_from_slice(&workspace.targets);
        }
        all
    }
}

/// Index of the western neighbour in the result of [`Workspace::neighbours`].
const WEST: usize = 0;
/// Index of the eastern neighbour in the result of [`Workspace::neighbours`].
const EAST: usize = 1;

/// Downward pressure if [`Params::finite_fall`] is false.
const INFINITE: i64 = i64::MAX;

/// Computes the moves of one step, as pairs of a source cell and a destination cell, in the order
/// in which they must be applied.
pub(in crate::blocks) fn step<'w>(
    workspace: &'w mut Workspace,
    grid: &Grid,
    params: &Params,
) -> impl ExactSizeIterator<Item = [(usize, usize); 2]> + use<'w> {
    workspace.label_bodies(grid);
    workspace.moves.clear();
    for body in 0..workspace.start.len() - 1 {
        let spills = workspace.find_targets(body, params);
        workspace.move_blocks(body, spills);
    }
    let nx = workspace.nx;
    let place = move |i: u32| (i as usize % nx, i as usize / nx);
    workspace.moves.iter().map(move |&(from, to)| [place(from), place(to)])
}

impl Workspace {
    pub(in crate::blocks) fn label_bodies(&mut self, grid: &Grid) {
        self.nx = grid.nx();
        self.content.clear();
        for y in 0..grid.ny() {
            self.content.extend((0..grid.nx()).map(|x| match grid.cell_at(x, y) {
                PackedCell::WALL => CellContent::Wall,
                cell if cell.is_liquid() => CellContent::Water,
                _ => CellContent::Air,
            }));
        }
        self.body.clear();
        self.body.resize(self.content.len(), NONE);
        let mut stack = std::mem::take(&mut self.stack);
        self.start.clear();
        self.start.push(0);
        let mut end = 0;
        for first in 0..self.content.len() {
            if self.content[first] != CellContent::Water || self.body[first] != NONE {
                continue;
            }
            let number = self.start.len() as u32 - 1;
            self.body[first] = number;
            stack.push(first);
            while let Some(i) = stack.pop() {
                end += 1;
                for j in self.neighbours(i).into_iter().flatten() {
                    if self.content[j] == CellContent::Water && self.body[j] == NONE {
                        self.body[j] = number;
                        stack.push(j);
                    }
                }
            }
            self.start.push(end);
        }
        self.stack = stack;
        let Self { body, start, members, next, .. } = self;
        next.clone_from(start);
        members.clear();
        members.resize(end as usize, 0);
        for (i, &body) in body.iter().enumerate().filter(|(_, body)| **body != NONE) {
            let slot = &mut next[body as usize];
            members[*slot as usize] = i as u32;
            *slot += 1;
        }
    }

    fn neighbours(&self, cell: usize) -> [Option<usize>; 4] {
        let x = cell % self.nx;
        let inside = |is: bool, j: usize| is.then_some(j);
        [
            inside(x > 0, cell.wrapping_sub(1)),
            inside(x + 1 < self.nx, cell + 1),
            inside(cell >= self.nx, cell.wrapping_sub(self.nx)),
            inside(cell + self.nx < self.content.len(), cell + self.nx),
        ]
    }

    fn cells_of_body(&self, body: usize) -> &[u32] {
        &self.members[self.start[body] as usize..self.start[body + 1] as usize]
    }

    fn depth(&self, body: usize, cell: usize) -> usize {
        cell / self.nx - self.cells_of_body(body)[0] as usize / self.nx
    }

    /// Finds the air cells into which a body of water flows, and stores them in `targets`. Returns
    /// true if the body is not under pressure and only spills: the targets then lie next to its top
    /// row, beyond an edge or on the way to the nearest edge.
    fn find_targets(&mut self, body: usize, params: &Params) -> bool {
        let mut targets = std::mem::take(&mut self.targets);
        targets.clear();
        let (mut largest, mut spills) = (0, false);
        for &member in self.cells_of_body(body) {
            let depth = self.depth(body, member as usize) as i64;
            let down = if params.finite_fall { depth + 1 } else { INFINITE };
            let pressures = [depth, depth, depth - 1, down];
            for (side, j) in self.neighbours(member as usize).into_iter().enumerate() {
                let Some(j) = j.filter(|&j| self.content[j] == CellContent::Air) else { continue };
                let pressure = pressures[side];
                if pressure > largest {
                    (largest, spills) = (pressure, false);
                    targets.clear();
                }
                if pressure == largest && pressure > 0 {
                    targets.push(j as u32);
                } else if params.spill && largest == 0 && side < 2 && self.is_above_air(j) {
                    spills = true;
                    targets.push(j as u32);
                }
            }
        }
        if params.spill && targets.is_empty() {
            targets.extend(self.first_cell_toward_edge(body));
            spills = !targets.is_empty();
        }
        targets.sort_unstable();
        targets.dedup();
        self.targets = targets;
        spills
    }

    /// Returns the cell next to a body's top row with the shortest path over dry floor to an edge,
    /// or `None` if there is no such path. Ties are broken by position.
    fn first_cell_toward_edge(&self, body: usize) -> Option<u32> {
        let members = self.cells_of_body(body);
        let row = members[0] as usize / self.nx;
        let top = members.iter().map(|&i| i as usize).take_while(|i| i / self.nx == row);
        let mut best = None::<(usize, usize)>;
        for i in top {
            let even = (i % self.nx + row).is_multiple_of(2);
            let sides = if even { [WEST, EAST] } else { [EAST, WEST] };
            for side in sides {
                if let Some(steps) = self.distance_to_edge(i, side)
                    && best.is_none_or(|(fewest, _)| steps < fewest)
                    && let Some(first) = self.neighbours(i)[side]
                {
                    best = Some((steps, first));
                }
            }
        }
        best.map(|(_, first)| first as u32)
    }

    /// Returns the number of dry floor cells between a cell and the nearest edge on the given side,
    /// or `None` if there is no edge on that side.
    fn distance_to_edge(&self, mut cell: usize, side: usize) -> Option<usize> {
        let mut steps = 0;
        loop {
            cell = self.neighbours(cell)[side].filter(|&j| self.content[j] == CellContent::Air)?;
            if self.is_above_air(cell) {
                return Some(steps);
            }
            steps += 1;
        }
    }

    fn is_above_air(&self, cell: usize) -> bool {
        self.content.get(cell + self.nx) == Some(&CellContent::Air)
    }

    /// Returns whether [`move_blocks`](Self::move_blocks) would leave all blocks of a body of water
    /// in place.
    fn is_at_rest(&mut self, body: usize, params: &Params) -> bool {
        let spills = self.find_targets(body, params);
        let top = self.cells_of_body(body)[0] as usize / self.nx;
        self.targets.iter().all(|&target| {
            let row = target as usize / self.nx;
            row < top || row == top && !spills
        })
    }

    fn move_blocks(&mut self, body: usize, spills: bool) {
        let nx = self.nx as u32;
        let (mut first, end) = (self.start[body] as usize, self.start[body + 1] as usize);
        let row_end = |first: usize, members: &[u32]| {
            let row = members[first] / nx;
            first + members[first..end].partition_point(|&i| i / nx == row)
        };
        let mut next = row_end(first, &self.members);
        let mut last = next;
        for &target in &self.targets {
            if first == last {
                if next == end {
                    return;
                }
                first = next;
                next = row_end(first, &self.members);
                last = next;
            }
            let (row, top) = (target / nx, self.members[first] / nx);
            if self.content[target as usize] != CellContent::Air
                || row < top
                || row == top && !spills
            {
                continue;
            }
            let (left, right) = (self.members[first] % nx, self.members[last - 1] % nx);
            let from = if 2 * (target % nx) < left + right {
                last -= 1;
                self.members[last]
            } else {
                first += 1;
                self.members[first - 1]
            };
            self.content[from as usize] = CellContent::Air;
            self.content[target as usize] = CellContent::Water;
            self.moves.push((from, target));
        }
    }
}
