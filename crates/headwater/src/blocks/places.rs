//! [`Places`]: the cells at the surfaces of bodies, sorted by body within each strip of chunks.

use super::bodies::NONE;
use super::cell::Kind;
use super::chunk::KINDS;
use super::grid::Grid;
use super::label::set_bits;
use super::labelled::Labelled;
use super::near::Near;
use super::openings::bodies_at;
use super::simple::Simple;
use crate::parallel::for_each_item;
use crate::scratch::ScratchPool;
use std::mem::replace;
use std::ops::Range;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SurfaceCell {
    pub(super) body: u32,
    /// The column, and whether it is simple.
    x: u16,
    /// The row, and whether it is an opening.
    y: u16,
}

/// Columns and rows are fewer than this ([`MAX_SIDE`](super::MAX_SIDE)).
const MARK: u16 = 1 << 15;

impl SurfaceCell {
    fn new(body: u32, (x, y): (u32, u32), is_opening: bool, is_simple: bool) -> Self {
        let mark = |is_marked: bool| if is_marked { MARK } else { 0 };
        Self { body, x: x as u16 | mark(is_simple), y: y as u16 | mark(is_opening) }
    }

    pub(super) fn at(self) -> (u32, u32) {
        ((self.x & !MARK).into(), (self.y & !MARK).into())
    }

    pub(super) fn is_opening(self) -> bool {
        self.y & MARK != 0
    }

    pub(super) fn is_simple(self) -> bool {
        self.x & MARK != 0
    }
}

#[derive(Clone, Debug, Default)]
struct Strip {
    found: Vec<SurfaceCell>,
    sorted: Vec<SurfaceCell>,
    runs: Vec<(u32, u32)>,
}

impl Strip {
    /// Sorts stably by body. `run_of` holds no run of any body before and after.
    fn sort(&mut self, run_of: &mut [u32]) {
        let Self { found, sorted, runs } = self;
        runs.clear();
        for place in &*found {
            let run = &mut run_of[place.body as usize];
            if *run == NONE {
                *run = runs.len() as u32;
                runs.push((place.body, 0));
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
        for &place in &*found {
            let end = &mut runs[run_of[place.body as usize] as usize].1;
            sorted[*end as usize] = place;
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
struct Run {
    strip: u32,
    start: u32,
    end: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    strips: Vec<[Strip; KINDS]>,
    count: usize,
    kind: usize,
    /// By body, how many places it has and in how many runs; and then where its next run goes.
    of_body: Vec<[u32; 2]>,
    runs: Vec<Run>,
    bodies: Vec<Range<usize>>,
    batches: Vec<Range<usize>>,
}

/// Bodies that one task works on at most, and places after which it takes no more: a large body is a task alone.
const BATCH: [usize; 2] = [128, 1024];
/// What stands for the first run of a body with one place.
const ALONE: u32 = u32::MAX;

impl Places {
    pub(super) fn find(&mut self, grid: &Grid, wanted: &[bool], scratch: &ScratchPool) {
        self.count = wanted.len();
        let mut due = scratch.filled(grid.chunks.len(), false);
        for (body, _) in wanted.iter().enumerate().filter(|(_, wanted)| **wanted) {
            for &chunk in grid.bodies.chunks(body as u32) {
                due[chunk as usize] = true;
            }
        }
        let is_near = |chunk: usize| {
            let beside =
                [(0, 0), (-1, 0), (1, 0), (0, -1)].map(|(x, y)| grid.neighbor(chunk, x, y));
            beside.into_iter().flatten().any(|chunk| due[chunk])
        };
        self.strips.resize(grid.chunks.len() / grid.rows, Default::default());
        for_each_item(&mut self.strips, 1, |strip, kinds| {
            kinds.iter_mut().for_each(|places| places.found.clear());
            let chunks = strip * grid.rows..(strip + 1) * grid.rows;
            for chunk in chunks.filter(|&c| grid.chunks[c].surface_rows != 0 && is_near(c)) {
                find_in(grid, chunk, wanted, kinds);
            }
            // As the last strip has left it.
            let mut run_of = scratch.take::<RunOf>();
            if run_of.0.len() < wanted.len() {
                run_of.0.resize(wanted.len(), NONE);
            }
            kinds.iter_mut().for_each(|places| places.sort(&mut run_of.0));
        });
    }

    pub(super) fn gather(&mut self, kind: Kind) {
        self.kind = usize::from(kind) - 1;
        let Self { strips, count, kind, of_body, runs, bodies, batches } = self;
        of_body.clear();
        of_body.resize(*count, [0; 2]);
        for (body, places) in strips.iter().flat_map(|strip| strip[*kind].runs()) {
            let [all, parts] = &mut of_body[body as usize];
            (*all, *parts) = (*all + (places.end - places.start), *parts + 1);
        }
        bodies.clear();
        batches.clear();
        let (mut end, mut first, mut sum, [most, enough]) = (0, 0, 0, BATCH);
        for [all, parts] in of_body.iter_mut() {
            let count = replace(all, ALONE) as usize;
            if count > 1 {
                *all = end;
                end += *parts;
                bodies.push(*all as usize..end as usize);
                sum += count;
                if bodies.len() - first == most || sum >= enough {
                    batches.push(first..bodies.len());
                    (first, sum) = (bodies.len(), 0);
                }
            }
        }
        batches.extend((first < bodies.len()).then_some(first..bodies.len()));
        runs.clear();
        runs.resize(end as usize, Run::default());
        for (strip, kinds) in (0..).zip(&*strips) {
            for (body, Range { start, end }) in kinds[*kind].runs() {
                let next = &mut of_body[body as usize][0];
                if *next != ALONE {
                    runs[*next as usize] = Run { strip, start, end };
                    *next += 1;
                }
            }
        }
    }

    pub(super) fn batches(&self) -> &[Range<usize>] {
        &self.batches
    }

    pub(super) fn of_batch(
        &self,
        batch: usize,
    ) -> impl Iterator<Item = impl Iterator<Item = &[SurfaceCell]>> {
        self.bodies[self.batches[batch].clone()].iter().map(|runs| {
            self.runs[runs.clone()].iter().map(|&Run { strip, start, end }| {
                &self.strips[strip as usize][self.kind].sorted[start as usize..end as usize]
            })
        })
    }
}

/// By body, which run of a strip it has while those are put in order.
#[derive(Debug, Default)]
struct RunOf(Vec<u32>);

fn find_in(grid: &Grid, c: usize, wanted: &[bool], found: &mut [Strip; KINDS]) {
    let (chunk, (left, top)) = (&grid.chunks[c], grid.origin(c));
    let (bodies, near) = (grid.bodies.in_chunk(c, chunk.runs.parts()), Near::new(grid, c));
    let mut add = |body: u32, kind: Kind, at, is_opening, is_simple| {
        if wanted[body as usize] {
            let place = SurfaceCell::new(body, at, is_opening, is_simple);
            found[usize::from(kind) - 1].found.push(place);
        }
    };
    for row in set_bits(chunk.surface_rows) {
        let y = (top + row) as u32;
        let simple = Simple::of_row(chunk, row);
        let mut parts = chunk.runs.of_row(row);
        for column in set_bits(chunk.tops[row]) {
            let body = bodies[usize::from(parts.part(column))];
            let (at, kind) = (((left + column) as u32, y), chunk.cells[row][column].kind());
            add(body, kind, at, false, simple.tops >> column & 1 == 1);
        }
        let futile = if grid.is_mixed() { 0 } else { simple.futile };
        for column in set_bits(chunk.openings[row] & !futile) {
            let at = ((left + column) as u32, y);
            if simple.openings >> column & 1 == 1 {
                let from = if chunk.is_member(column - 1, row) { column - 1 } else { column + 1 };
                let body = bodies[usize::from(chunk.runs.part(from, row))];
                add(body, chunk.cells[row][from].kind(), at, true, true);
                continue;
            }
            for (body, beside) in bodies_at(&near, at) {
                if body != NONE {
                    add(body, near.cell(beside.0, beside.1).kind(), at, true, false);
                }
            }
        }
    }
}
