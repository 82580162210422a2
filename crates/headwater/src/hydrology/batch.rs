//! A batch of drops: all walk over the same maps and note what they do; the notes are applied in
//! the order of the drops, so the outcome does not depend on threads.

use super::bands::{BANDS, Bands};
use super::counts::Counts;
use super::deal::{CHUNK, Deal};
use super::exchange::{Delivery, Ground, Note, Traces};
use super::fixed;
use super::grid::Grid;
use super::walk::{Drop, LAKE, Maps, Stride, Trail};
use crate::parallel;
use crate::scratch::ScratchPool;

/// So many chunks or fewer are not enough for all threads: their drops walk in pieces of so many.
const FEW: usize = 8;
const PIECE: usize = 4;

#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// The group that they carve in, and their number in the order of the walk.
    group: u32,
    number: u32,
    /// Their paths, one after another, and where each ends.
    paths: Vec<Stride>,
    ends: Vec<usize>,
    /// Water (quanta) that they left in depressions, by cell; after
    /// [`take_in`](super::water::Waters::take_in), by node, with what had come there before.
    pub(super) left: Vec<(u32, i64)>,
    /// Notes, those for each band of rows together, with gaps.
    notes: Vec<Note>,
    bands: Bands,
    ranges: [[u32; 2]; BANDS],
    /// What they handed to lakes, in the order of the cells.
    deliveries: Vec<Delivery>,
    pub(super) exported: i64,
    pub(super) washed_out: i64,
    pub(super) dried: i64,
}

impl Chunk {
    pub(super) fn memory(&self) -> usize {
        self.notes.capacity() * size_of::<Note>()
            + self.paths.capacity() * size_of::<Stride>()
            + self.left.capacity() * size_of::<(u32, i64)>()
            + self.deliveries.capacity() * size_of::<Delivery>()
    }

    fn append(&mut self, piece: &Self) {
        let so_far = self.paths.len();
        self.paths.extend_from_slice(&piece.paths);
        self.ends.extend(piece.ends.iter().map(|end| so_far + end));
        self.left.extend_from_slice(&piece.left);
        self.dried += piece.dried;
        self.exported += piece.exported;
    }

    /// Counts the steps of its drops, and makes room for their notes: in each band, for as many as there are steps.
    fn lay_out(&mut self, bands: Bands, passing: Counts) {
        self.bands = bands;
        self.ranges = [[0; 2]; BANDS];
        for stride in &self.paths {
            self.ranges[bands.band(stride.cell)][1] += 1;
            count(passing, stride);
        }
        let mut start = 0;
        for range in &mut self.ranges {
            let steps = range[1];
            *range = [start; 2];
            start += steps;
        }
        if self.notes.len() < start as usize {
            self.notes.resize(start as usize, Note::default());
        }
    }

    fn notes_in(&self, band: usize) -> &[Note] {
        let [start, end] = self.ranges[band].map(|at| at as usize);
        &self.notes[start..end]
    }

    fn deliveries_in(&self, band: usize) -> impl Iterator<Item = &Delivery> {
        let is_before = |delivery: &Delivery| self.bands.band(delivery.cell) < band;
        let start = self.deliveries.partition_point(is_before);
        let (bands, behind) = (self.bands, &self.deliveries[start..]);
        behind.iter().take_while(move |delivery| bands.band(delivery.cell) == band)
    }
}

impl Traces for Chunk {
    fn note(&mut self, note: Note) {
        let [_, end] = &mut self.ranges[self.bands.band(note.cell)];
        self.notes[*end as usize] = note;
        *end += 1;
    }

    fn deliver(&mut self, delivery: Delivery) {
        self.deliveries.push(delivery);
    }

    fn wash_out(&mut self, sediment: i64) {
        self.washed_out += sediment;
    }
}

struct Log<'a> {
    chunk: &'a mut Chunk,
    visits: Counts<'a>,
}

fn count(counts: Counts, stride: &Stride) {
    if stride.next != LAKE {
        counts.add(stride.cell);
    }
}

impl Trail for Log<'_> {
    fn stride(&mut self, stride: Stride) {
        count(self.visits, &stride);
        self.chunk.paths.push(stride);
    }

    fn leave(&mut self, cell: u32, water: i64) {
        self.chunk.left.push((cell, water));
    }

    fn export(&mut self, water: i64) {
        self.chunk.exported += water;
    }
}

/// Makes sure of so many chunks, each with room for the longest paths of the last batch: any may get them next.
pub(super) fn make_room(chunks: &mut Vec<Chunk>, count: usize) {
    if chunks.len() < count {
        chunks.resize_with(count, Chunk::default);
    }
    let most = |list: fn(&Chunk) -> usize| chunks.iter().map(list).max().unwrap_or(0);
    let paths = most(|chunk| chunk.paths.len());
    let left = most(|chunk| chunk.left.len());
    let deliveries = most(|chunk| chunk.deliveries.len());
    parallel::for_each_item(chunks, 1, |_, chunk| {
        reserve(&mut chunk.paths, paths);
        reserve(&mut chunk.notes, paths);
        reserve(&mut chunk.ends, CHUNK);
        reserve(&mut chunk.left, left);
        reserve(&mut chunk.deliveries, deliveries);
    });
}

fn reserve<T>(list: &mut Vec<T>, most: usize) {
    if list.capacity() < most {
        list.reserve_exact(most + most / 2 + 4 * CHUNK - list.len());
    }
}

/// Lets drops walk, as they are dealt to chunks; `drop` says how each starts. Counts how many come through each cell.
pub(super) fn walk(
    maps: &Maps,
    deal: Deal,
    drop: impl Fn(usize) -> Drop + Sync + Send,
    visits: Counts,
    chunks: &mut [Chunk],
    scratch: &ScratchPool,
) {
    let walk = |chunk: &mut Chunk, drops: &mut dyn Iterator<Item = usize>| {
        chunk.paths.clear();
        chunk.ends.clear();
        chunk.left.clear();
        (chunk.dried, chunk.exported) = (0, 0);
        for k in drops {
            let dried = maps.walk(drop(k), &mut Log { chunk, visits });
            chunk.ends.push(chunk.paths.len());
            chunk.dried += dried;
        }
    };
    if chunks.len() > FEW || parallel::num_threads() == 1 {
        parallel::for_each_item(chunks, 1, |i, chunk| walk(chunk, &mut deal.drops(i)));
    } else {
        let count = CHUNK.div_ceil(PIECE);
        let mut pieces = scratch.take::<Vec<Chunk>>();
        make_room(&mut pieces, chunks.len() * count);
        let pieces = &mut pieces[..chunks.len() * count];
        parallel::for_each_item(pieces, 1, |i, piece| {
            walk(piece, &mut deal.drops(i / count).skip(i % count * PIECE).take(PIECE));
        });
        for (chunk, pieces) in chunks.iter_mut().zip(pieces.chunks(count)) {
            walk(chunk, &mut std::iter::empty());
            pieces.iter().for_each(|piece| chunk.append(piece));
        }
    }
    for (i, chunk) in chunks.iter_mut().enumerate() {
        (chunk.group, chunk.number) = (deal.group(i) as u32, i as u32);
    }
}

pub(super) fn sort(chunks: &mut [Chunk]) {
    chunks.sort_unstable_by_key(|chunk| (chunk.group, chunk.number));
}

pub(super) fn groups(chunks: &mut [Chunk]) -> impl Iterator<Item = &mut [Chunk]> {
    chunks.chunk_by_mut(|a, b| a.group == b.group)
}

/// Lets the drops of some chunks carry sediment along their paths. Counts of visits are 0 again
/// after [`apply`].
pub(super) fn carry(ground: &Ground, chunks: &mut [Chunk]) {
    let bands = Bands::of(ground.grid);
    parallel::for_each_item(chunks, 1, |_, chunk| chunk.lay_out(bands, ground.passing));
    parallel::for_each_item(chunks, 1, |_, chunk| {
        let paths = std::mem::take(&mut chunk.paths);
        let ends = std::mem::take(&mut chunk.ends);
        chunk.deliveries.clear();
        chunk.washed_out = 0;
        let mut start = 0;
        for &end in &ends {
            ground.carry(&paths[start..end], chunk);
            start = end;
        }
        (chunk.paths, chunk.ends) = (paths, ends);
        chunk.deliveries.sort_unstable_by_key(|delivery| delivery.cell);
    });
}

pub(super) struct Carved<'a> {
    pub(super) bed: &'a mut [i64],
    pub(super) soil: &'a mut [i64],
    pub(super) heights: &'a mut [f32],
}

impl Carved<'_> {
    fn split_at(self, cell: usize) -> [Self; 2] {
        let (bed, beds) = self.bed.split_at_mut(cell);
        let (soil, soils) = self.soil.split_at_mut(cell);
        let (heights, rest) = self.heights.split_at_mut(cell);
        [Self { bed, soil, heights }, Self { bed: beds, soil: soils, heights: rest }]
    }
}

/// Applies the notes of some chunks to the land, and clears the visits where they noted something
/// or rested.
pub(super) fn apply(chunks: &[Chunk], land: Carved, grid: Grid, passing: Counts) {
    let band = Bands::of(grid).cells;
    // Bands from a number on.
    let split = |(first, land), bands| {
        let [a, b] = Carved::split_at(land, bands * band);
        [(first, a), (first + bands, b)]
    };
    let apply = |(i, land): (usize, Carved<'_>)| {
        let ends = chunks.iter().flat_map(|chunk| chunk.deliveries_in(i));
        ends.for_each(|delivery| passing.clear(delivery.cell));
        for note in chunks.iter().flat_map(|chunk| chunk.notes_in(i)) {
            passing.clear(note.cell);
            let cell = note.cell as usize - i * band;
            let change = i64::from(note.change);
            land.bed[cell] += change;
            // Soil goes first, then rock.
            land.soil[cell] = (land.soil[cell] + change).max(0);
            land.heights[cell] = fixed::metres_f32(land.bed[cell]);
        }
    };
    parallel::for_each_part((0, land), grid.cells().div_ceil(band), &split, &apply);
}

/// Lays on heights and soil (quanta) what `laid` says of the height of a cell and what has been handed to the lake there.
pub(super) fn settle(
    chunks: &[Chunk],
    [bed, soil]: [&mut [i64]; 2],
    grid: Grid,
    laid: impl Fn(i64, Delivery) -> i64 + Sync,
) {
    let band = Bands::of(grid).cells;
    let split = |(first, ground), bands| {
        let [a, b] = split_both(ground, bands * band);
        [(first, a), (first + bands, b)]
    };
    let settle = |(i, [bed, soil]): (usize, [&mut [i64]; 2])| {
        for &delivery in chunks.iter().flat_map(|chunk| chunk.deliveries_in(i)) {
            let cell = delivery.cell as usize - i * band;
            let laid = laid(bed[cell], delivery);
            bed[cell] += laid;
            soil[cell] += laid;
        }
    };
    parallel::for_each_part((0, [bed, soil]), grid.cells().div_ceil(band), &split, &settle);
}

fn split_both([a, b]: [&mut [i64]; 2], cell: usize) -> [[&mut [i64]; 2]; 2] {
    let [(a, rest_a), (b, rest_b)] = [a.split_at_mut(cell), b.split_at_mut(cell)];
    [[a, b], [rest_a, rest_b]]
}

pub(super) struct Means<'a> {
    pub(super) area: &'a mut [f32],
    pub(super) momentum: &'a mut [[f32; 2]],
}

impl Means<'_> {
    fn split_at(self, cell: usize) -> [Self; 2] {
        let (area, areas) = self.area.split_at_mut(cell);
        let (momentum, momenta) = self.momentum.split_at_mut(cell);
        [Self { area, momentum }, Self { area: areas, momentum: momenta }]
    }
}

/// Takes the paths of a batch into the means, which keep `1 − fresh` of their values; a whole drop
/// stands for `weight` cells.
pub(super) fn average(chunks: &[Chunk], means: Means, grid: Grid, fresh: f32, weight: f32) {
    let band = Bands::of(grid).cells;
    let unit = fresh * weight / 16384.0;
    let turned = unit / 16384.0;
    let split = |(first, means), bands| {
        let [a, b] = Means::split_at(means, bands * band);
        [(first, a), (first + bands, b)]
    };
    let average = |(i, means): (usize, Means<'_>)| {
        let Means { area, momentum } = means;
        area.iter_mut().for_each(|area| *area *= 1.0 - fresh);
        momentum.iter_mut().for_each(|way| *way = way.map(|m| m * (1.0 - fresh)));
        for note in chunks.iter().flat_map(|chunk| chunk.notes_in(i)) {
            let cell = note.cell as usize - i * band;
            let part = f32::from(note.part);
            area[cell] += unit * part;
            for (momentum, way) in momentum[cell].iter_mut().zip(note.direction) {
                *momentum += turned * part * f32::from(way);
            }
        }
    };
    parallel::for_each_part((0, means), grid.cells().div_ceil(band), &split, &average);
}
