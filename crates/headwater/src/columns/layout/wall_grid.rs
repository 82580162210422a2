//! Grid of wall and air cells, and the vertical runs of air in each column.

use crate::field::Field;

/// Cells of the grid, with one byte per cell: 1 for wall, 0 for air.
#[derive(Clone, Debug)]
pub(in crate::columns) struct WallGrid {
    cells: Field<u8>,
}

/// Vertical run of air cells: the heights of its floor and its ceiling, in cells above the bottom
/// of the grid. The ceiling is `None` if the run is open to the sky.
pub(in crate::columns) type Span = (u32, Option<u32>);

pub(in crate::columns) struct Spans {
    all: Vec<Span>,
    starts: Vec<usize>,
}

impl WallGrid {
    pub(in crate::columns) fn new(walls: &Field<bool>) -> Self {
        Self { cells: walls.map(|&wall| u8::from(wall)) }
    }

    pub(in crate::columns) fn nx(&self) -> usize {
        self.cells.nx()
    }

    pub(in crate::columns) fn ny(&self) -> usize {
        self.cells.ny()
    }

    pub(in crate::columns) fn walls(&self) -> Field<bool> {
        self.cells.map(|&cell| cell == 1)
    }

    pub(in crate::columns) fn is_wall(&self, x: usize, y: usize) -> bool {
        self.cells[(x, y)] == 1
    }

    pub(in crate::columns) fn cells(&self) -> &Field<u8> {
        &self.cells
    }

    /// Returns the vertical runs of air cells in every column, from bottom to top. The running time
    /// depends mainly on the number of changes between wall and air, because parts of rows that
    /// equal the row below are skipped in blocks.
    pub(in crate::columns) fn spans(&self) -> Spans {
        let (nx, ny) = (self.nx(), self.ny());
        // Treat the row below the grid as wall.
        let ground = vec![1; nx];
        let mut changes = Vec::new();
        let mut counts = vec![0; nx];
        for y in (0..ny).rev() {
            let below = if y + 1 < ny { self.cells.row(y + 1) } else { &ground[..] };
            let height = (ny - 1 - y) as u32;
            for_each_difference(self.cells.row(y), below, |x, cell| {
                counts[x] += usize::from(cell == 0);
                changes.push((x as u32, height));
            });
        }
        let mut end = 0;
        let mut starts: Vec<usize> = Vec::with_capacity(nx + 1);
        for count in counts {
            starts.push(end);
            end += count;
        }
        starts.push(end);
        // In each column, the changes from bottom to top are alternately a floor and a ceiling.
        let mut all = vec![(0, None); end];
        let mut next = starts.clone();
        let mut open = vec![false; nx];
        for (x, height) in changes {
            let x = x as usize;
            let span = &mut all[next[x]];
            if open[x] {
                span.1 = Some(height);
                next[x] += 1;
            } else {
                span.0 = height;
            }
            open[x] = !open[x];
        }
        Spans { all, starts }
    }
}

impl Spans {
    pub(in crate::columns) fn runs_in_column(&self, x: usize) -> &[Span] {
        &self.all[self.starts[x]..self.starts[x + 1]]
    }
}

/// Calls `on_difference(x, value)` for every index `x` at which two rows of cells differ. `value`
/// is the cell in `row`.
fn for_each_difference(row: &[u8], other: &[u8], mut on_difference: impl FnMut(usize, u8)) {
    const BLOCK: usize = 32;
    let blocks = row.chunks(BLOCK).zip(other.chunks(BLOCK));
    for (i, (row, other)) in blocks.enumerate() {
        if row == other {
            continue;
        }
        for (k, (&value, _)) in row.iter().zip(other).enumerate().filter(|(_, (a, b))| a != b) {
            on_difference(i * BLOCK + k, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn spans_match_those_found_cell_by_cell(
            nx in 1usize..80, ny in 1usize..40, size in 1usize..9, seed in 0u64..1000
        ) {
            let at = |x: usize, y: usize| {
                let mix = ((x / size) as u64 * 0x9e37 + (y / size) as u64 * 0x85eb + seed)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mix >> 40) & 1 == 1
            };
            let walls = Field::from_fn(nx, ny, at);
            let grid = WallGrid::new(&walls);
            let spans = grid.spans();
            for x in 0..nx {
                let is_wall = |height: u32| walls[(x, ny - 1 - height as usize)];
                let mut walk = Vec::new();
                let mut height = 0;
                while let Some(floor) = (height..ny as u32).find(|&h| !is_wall(h)) {
                    let ceiling = (floor..ny as u32).find(|&h| is_wall(h));
                    walk.push((floor, ceiling));
                    let Some(ceiling) = ceiling else { break };
                    height = ceiling;
                }
                prop_assert_eq!(spans.runs_in_column(x), &walk[..]);
            }
            prop_assert_eq!(grid.walls(), walls);
        }
    }
}
