//! A batch of drops: all walk over the same maps, on whatever threads there are, and note what they do; then
//! the notes are applied in the order of the drops. So the outcome is the same for any number of threads.

use super::exchange::{self, Delivery, Ground, Note, Traces};
use super::grid::Grid;
use super::walk::{Drop, Maps, Stride};
use crate::parallel;
use std::sync::atomic::AtomicU32;

/// Drops whose notes are kept together. Part of the model: it says in which order notes are added up.
const CHUNK: usize = 64;
/// The most bands of rows that notes are sorted into.
const BANDS: usize = 32;

/// What the drops of a chunk did.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// Their paths, one after another; where each ends, and the water left there.
    paths: Vec<Stride>,
    ends: Vec<(usize, i64)>,
    /// Notes for each band of rows.
    notes: Vec<Vec<Note>>,
    /// Cells in a band.
    band: usize,
    pub(super) deliveries: Vec<Delivery>,
    pub(super) exported: i64,
    pub(super) washed_out: i64,
    pub(super) dried: i64,
}

impl Chunk {
    /// Memory that it takes (bytes).
    pub(super) fn memory(&self) -> usize {
        let notes: usize = self.notes.iter().map(Vec::capacity).sum();
        notes * size_of::<Note>()
            + self.paths.capacity() * size_of::<Stride>()
            + self.deliveries.capacity() * size_of::<Delivery>()
    }
}

impl Traces for Chunk {
    fn note(&mut self, note: Note) {
        self.notes[note.cell as usize / self.band].push(note);
    }

    fn deliver(&mut self, delivery: Delivery) {
        self.deliveries.push(delivery);
    }

    fn export(&mut self, water: i64, sediment: i64) {
        self.exported += water;
        self.washed_out += sediment;
    }
}

/// Lets `count` drops walk; `drop` says how each starts. Counts how many come through each cell. `chunks` lend
/// their memory.
pub(super) fn walk(
    maps: &Maps,
    count: usize,
    drop: impl Fn(usize) -> Drop + Sync + Send,
    visits: &[AtomicU32],
    chunks: &mut Vec<Chunk>,
) {
    chunks.resize_with(count.div_ceil(CHUNK), Chunk::default);
    let tasks: Vec<(usize, &mut Chunk)> = chunks.iter_mut().enumerate().collect();
    parallel::for_each_task(tasks, |(i, chunk)| {
        let Chunk { paths, ends, dried, .. } = chunk;
        paths.clear();
        ends.clear();
        *dried = 0;
        for k in i * CHUNK..((i + 1) * CHUNK).min(count) {
            let [water, dry] = maps.walk(drop(k), |stride| {
                exchange::count(visits, &stride);
                paths.push(stride);
            });
            ends.push((paths.len(), water));
            *dried += dry;
        }
    });
}

/// Lets the drops of a batch carry sediment along their paths.
pub(super) fn carry(ground: &Ground, chunks: &mut [Chunk]) {
    let grid = ground.maps.grid;
    let band = band(grid);
    let bands = grid.cells().div_ceil(band);
    parallel::for_each_task(chunks.iter_mut().collect(), |chunk| {
        let paths = std::mem::take(&mut chunk.paths);
        let ends = std::mem::take(&mut chunk.ends);
        chunk.notes.resize_with(bands, Vec::new);
        chunk.notes.iter_mut().for_each(Vec::clear);
        chunk.deliveries.clear();
        (chunk.exported, chunk.washed_out, chunk.band) = (0, 0, band);
        let mut start = 0;
        for &(end, water) in &ends {
            ground.carry(&paths[start..end], water, chunk);
            start = end;
        }
        (chunk.paths, chunk.ends) = (paths, ends);
    });
}

/// Cells in a band: whole rows.
fn band(grid: Grid) -> usize {
    grid.ny.div_ceil(BANDS) * grid.nx
}

/// The maps that drops write.
pub(super) struct Written<'a> {
    pub(super) bed: &'a mut [i64],
    pub(super) soil: &'a mut [i64],
    pub(super) area: &'a mut [f32],
    pub(super) momentum: &'a mut [[f32; 2]],
}

/// Applies the notes of a batch. Discharge and momentum keep `1 − fresh` of what they were; a whole drop
/// stands for `weight` cells.
pub(super) fn apply(chunks: &[Chunk], maps: Written, grid: Grid, fresh: f32, weight: f32) {
    let band = band(grid);
    let Written { bed, soil, area, momentum } = maps;
    let parts = bed.chunks_mut(band).zip(soil.chunks_mut(band));
    let parts = parts.zip(area.chunks_mut(band)).zip(momentum.chunks_mut(band));
    let unit = fresh * weight / 16384.0;
    let turned = unit / 16384.0;
    parallel::for_each_task(parts.enumerate().collect(), |(i, (((bed, soil), area), momentum))| {
        area.iter_mut().for_each(|area| *area *= 1.0 - fresh);
        momentum.iter_mut().for_each(|way| *way = way.map(|m| m * (1.0 - fresh)));
        for note in chunks.iter().flat_map(|chunk| &chunk.notes[i]) {
            let cell = note.cell as usize - i * band;
            let change = i64::from(note.change);
            bed[cell] += change;
            // Soil goes first, then rock.
            soil[cell] = (soil[cell] + change).max(0);
            let part = f32::from(note.part);
            area[cell] += unit * part;
            for (momentum, way) in momentum[cell].iter_mut().zip(note.direction) {
                *momentum += turned * part * f32::from(way);
            }
        }
    });
}
