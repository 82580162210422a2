//! [`SurfaceCells`]: the cells at the surfaces of bodies of liquid, sorted by body within each
//! column of chunks, so that bodies can be processed in parallel.

use super::openings::bodies_at;
use super::simple::SimpleCells;
use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::Kind;
use crate::blocks::state::cell_labels::CellLabels;
use crate::blocks::state::chunk::KINDS;
use crate::blocks::state::chunk_view::ChunkView;
use crate::blocks::state::grid::Grid;
use crate::blocks::state::label::set_bits;
use crate::parallel::for_each_item;
use crate::scratch::ScratchPool;
use std::mem::replace;
use std::ops::Range;

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::blocks) struct SurfaceCell {
    pub(in crate::blocks) body: u32,
    /// Column of the cell. The top bit is a flag that is set if the cell is simple, so that the
    /// fast path in `simple.rs` can process it.
    x: u16,
    /// Row of the cell. The top bit is a flag that is set if the cell is an opening (a cell at the
    /// side of a body of liquid, or below it).
    y: u16,
}

/// Flag bit in a column or row number. The bit is free because both numbers are smaller than
/// [`MAX_SIDE`](super::MAX_SIDE).
const FLAG: u16 = 1 << 15;

impl SurfaceCell {
    fn new(body: u32, (x, y): (u32, u32), is_opening: bool, is_simple: bool) -> Self {
        let flag = |is_set: bool| if is_set { FLAG } else { 0 };
        Self { body, x: x as u16 | flag(is_simple), y: y as u16 | flag(is_opening) }
    }

    pub(in crate::blocks) fn position(self) -> (u32, u32) {
        ((self.x & !FLAG).into(), (self.y & !FLAG).into())
    }

    pub(in crate::blocks) fn is_opening(self) -> bool {
        self.y & FLAG != 0
    }

    pub(in crate::blocks) fn is_simple(self) -> bool {
        self.x & FLAG != 0
    }
}

#[derive(Clone, Debug, Default)]
struct ChunkColumn {
    found: Vec<SurfaceCell>,
    sorted: Vec<SurfaceCell>,
    runs: Vec<(u32, u32)>,
}

impl ChunkColumn {
    /// Sorts the cells by body and keeps their order within each body of liquid. `run_of` is a
    /// scratch buffer with one entry per body. All its entries must be [`NONE`] on entry, and they
    /// are [`NONE`] again on return.
    fn sort(&mut self, run_of: &mut [u32]) {
        let Self { found, sorted, runs } = self;
        runs.clear();
        for cell in &*found {
            let run = &mut run_of[cell.body as usize];
            if *run == NONE {
                *run = runs.len() as u32;
                runs.push((cell.body, 0));
            }
            runs[*run as usize].1 += 1;
        }
        let mut start = 0;
        for (_, end) in &mut *runs {
            let count = replace(end, start);
            start += count;
        }
        sorted.clear();
        sorted.resize(found.len(), SurfaceCell::default());
        for &cell in &*found {
            let end = &mut runs[run_of[cell.body as usize] as usize].1;
            sorted[*end as usize] = cell;
            *end += 1;
        }
        runs.iter().for_each(|&(body, _)| run_of[body as usize] = NONE);
    }

    fn runs(&self) -> impl Iterator<Item = (u32, Range<u32>)> {
        let mut start = 0;
        self.runs.iter().map(move |&(body, end)| (body, replace(&mut start, end)..end))
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct CellRun {
    strip: u32,
    start: u32,
    end: u32,
}

#[derive(Clone, Debug, Default)]
pub(in crate::blocks) struct SurfaceCells {
    strips: Vec<[ChunkColumn; KINDS]>,
    count: usize,
    kind: usize,
    /// Two numbers for each body of liquid. While the cells are counted, these are the numbers of
    /// its surface cells and of its runs; a run is the sequence of a body's cells within one column
    /// of chunks. Afterwards, the first number is the position in `runs` of the body's next run, or
    /// [`SINGLE_CELL`].
    body_runs: Vec<[u32; 2]>,
    runs: Vec<CellRun>,
    bodies: Vec<Range<usize>>,
    batches: Vec<Range<usize>>,
}

/// Limits of a batch, the work of one parallel task: the number of bodies of liquid, and the number
/// of surface cells. A batch ends as soon as it reaches one of these limits.
const BATCH_LIMITS: [usize; 2] = [128, 1024];
/// Value that marks a body of liquid with at most one surface cell. Such a body needs no run.
const SINGLE_CELL: u32 = u32::MAX;

impl SurfaceCells {
    pub(in crate::blocks) fn find_cells(
        &mut self,
        grid: &Grid,
        wanted: &[bool],
        scratch: &ScratchPool,
    ) {
        self.count = wanted.len();
        let mut selected = scratch.take_filled(grid.chunks.len(), false);
        for (body, _) in wanted.iter().enumerate().filter(|(_, wanted)| **wanted) {
            for &chunk in grid.bodies.chunks_of_component(body as u32) {
                selected[chunk as usize] = true;
            }
        }
        let is_near_selected = |chunk: usize| {
            let adjacent =
                [(0, 0), (-1, 0), (1, 0), (0, -1)].map(|(x, y)| grid.neighbor(chunk, x, y));
            adjacent.into_iter().flatten().any(|chunk| selected[chunk])
        };
        self.strips.resize(grid.chunks.len() / grid.rows, Default::default());
        for_each_item(&mut self.strips, 1, |strip, kinds| {
            kinds.iter_mut().for_each(|cells| cells.found.clear());
            let chunks = strip * grid.rows..(strip + 1) * grid.rows;
            for chunk in chunks.filter(|&c| grid.chunks[c].surface_rows != 0 && is_near_selected(c))
            {
                find_in_chunk(grid, chunk, wanted, kinds);
            }
            // All entries are `NONE` after each use.
            let mut run_of = scratch.take::<RunIndex>();
            if run_of.0.len() < wanted.len() {
                run_of.0.resize(wanted.len(), NONE);
            }
            kinds.iter_mut().for_each(|cells| cells.sort(&mut run_of.0));
        });
    }

    pub(in crate::blocks) fn select_kind(&mut self, kind: Kind) {
        self.kind = usize::from(kind) - 1;
        let Self { strips, count, kind, body_runs, runs, bodies, batches } = self;
        body_runs.clear();
        body_runs.resize(*count, [0; 2]);
        for (body, cells) in strips.iter().flat_map(|strip| strip[*kind].runs()) {
            let [all, parts] = &mut body_runs[body as usize];
            (*all, *parts) = (*all + (cells.end - cells.start), *parts + 1);
        }
        bodies.clear();
        batches.clear();
        let (mut end, mut first, mut sum, [max_bodies, max_cells]) = (0, 0, 0, BATCH_LIMITS);
        for [all, parts] in body_runs.iter_mut() {
            let count = replace(all, SINGLE_CELL) as usize;
            if count > 1 {
                *all = end;
                end += *parts;
                bodies.push(*all as usize..end as usize);
                sum += count;
                if bodies.len() - first == max_bodies || sum >= max_cells {
                    batches.push(first..bodies.len());
                    (first, sum) = (bodies.len(), 0);
                }
            }
        }
        batches.extend((first < bodies.len()).then_some(first..bodies.len()));
        runs.clear();
        runs.resize(end as usize, CellRun::default());
        for (strip, kinds) in (0..).zip(&*strips) {
            for (body, Range { start, end }) in kinds[*kind].runs() {
                let next = &mut body_runs[body as usize][0];
                if *next != SINGLE_CELL {
                    runs[*next as usize] = CellRun { strip, start, end };
                    *next += 1;
                }
            }
        }
    }

    pub(in crate::blocks) fn batches(&self) -> &[Range<usize>] {
        &self.batches
    }

    pub(in crate::blocks) fn bodies_of_batch(
        &self,
        batch: usize,
    ) -> impl Iterator<Item = impl Iterator<Item = &[SurfaceCell]>> {
        self.bodies[self.batches[batch].clone()].iter().map(|runs| {
            self.runs[runs.clone()].iter().map(|&CellRun { strip, start, end }| {
                &self.strips[strip as usize][self.kind].sorted[start as usize..end as usize]
            })
        })
    }
}

/// Scratch buffer for sorting the surface cells in one column of chunks. For each body of liquid,
/// it holds the index of the body's run (sequence of cells) in this column.
#[derive(Debug, Default)]
struct RunIndex(Vec<u32>);

fn find_in_chunk(
    grid: &Grid,
    chunk_index: usize,
    wanted: &[bool],
    found: &mut [ChunkColumn; KINDS],
) {
    let (chunk, (left, top)) = (&grid.chunks[chunk_index], grid.origin(chunk_index));
    let (bodies, view) = (
        grid.bodies.components_in_chunk(chunk_index, chunk.runs.component_count()),
        ChunkView::new(grid, chunk_index),
    );
    let mut add = |body: u32, kind: Kind, at, is_opening, is_simple| {
        if wanted[body as usize] {
            let cell = SurfaceCell::new(body, at, is_opening, is_simple);
            found[usize::from(kind) - 1].found.push(cell);
        }
    };
    for row in set_bits(chunk.surface_rows) {
        let y = (top + row) as u32;
        let simple = SimpleCells::from_row(chunk, row);
        let mut parts = chunk.runs.parts_of_row(row);
        for column in set_bits(chunk.tops[row]) {
            let body = bodies[usize::from(parts.component_at(column))];
            let (at, kind) = (((left + column) as u32, y), chunk.cells[row][column].kind());
            add(body, kind, at, false, simple.tops >> column & 1 == 1);
        }
        let inert = if grid.is_mixed() { 0 } else { simple.inert };
        for column in set_bits(chunk.openings[row] & !inert) {
            let at = ((left + column) as u32, y);
            if simple.openings >> column & 1 == 1 {
                let from = if chunk.is_member(column - 1, row) { column - 1 } else { column + 1 };
                let body = bodies[usize::from(chunk.runs.component_at(from, row))];
                add(body, chunk.cells[row][from].kind(), at, true, true);
                continue;
            }
            for (body, adjacent) in bodies_at(&view, at) {
                if body != NONE {
                    add(body, view.cell(adjacent.0, adjacent.1).kind(), at, true, false);
                }
            }
        }
    }
}
