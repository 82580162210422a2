//! Batches of drops. All drops of a batch move over the same unchanged maps and record their
//! changes, which are applied afterwards in the order of the drops. The result therefore does not
//! depend on the number of threads.

use super::descent::{DropTracer, LAKE, PathSink, PathStep, Raindrop};
use super::exchange::{BedChange, ExchangeSink, LakeDelivery, SedimentExchange};
use super::partition_drops::{DROPS_PER_CHUNK, DropPartition};
use super::row_bands::{BAND_COUNT, RowBands};
use crate::hydrology::state::counts::VisitCounts;
use crate::hydrology::state::fixed;
use crate::hydrology::state::grid::Grid;
use crate::parallel;
use crate::scratch::ScratchPool;

/// Largest number of chunks in a batch that counts as too small to occupy all threads. The chunks
/// of such a batch are split into pieces of [`DROPS_PER_PIECE`] drops.
const MAX_CHUNKS_TO_SPLIT: usize = 8;
const DROPS_PER_PIECE: usize = 4;

#[derive(Clone, Debug, Default)]
pub(in crate::hydrology) struct DropChunk {
    /// Index of the carving group that the chunk belongs to. A carving group consists of drops that
    /// erode the same unchanged land together. The groups of a batch erode the land one after
    /// another.
    group: u32,
    /// Index of the chunk in its batch.
    index: u32,
    /// Paths of all drops of the chunk, concatenated.
    paths: Vec<PathStep>,
    /// End of each drop's path, as an index into `paths`.
    ends: Vec<usize>,
    /// Water that the drops left in depressions (quanta of 2⁻²⁰ m times the cell area). At first,
    /// each pair contains a cell of the depression and the volume.
    /// [`add_inflow`](crate::hydrology::lakes::water::Waters::add_inflow) adds this water to the
    /// lakes and overwrites each pair: with the depression's node in the hierarchy, and with the
    /// sum of the volumes that the node had received before.
    pub(in crate::hydrology) lake_water: Vec<(u32, i64)>,
    /// Changes to the bed, grouped by band of rows. Unused entries can follow the changes of a
    /// band.
    bed_changes: Vec<BedChange>,
    bands: RowBands,
    ranges: [[u32; 2]; BAND_COUNT],
    /// Sediment that the drops delivered to lakes, sorted by cell.
    deliveries: Vec<LakeDelivery>,
    pub(in crate::hydrology) exported_water: i64,
    pub(in crate::hydrology) exported_sediment: i64,
    pub(in crate::hydrology) evaporated: i64,
}

impl DropChunk {
    pub(in crate::hydrology) fn memory(&self) -> usize {
        self.bed_changes.capacity() * size_of::<BedChange>()
            + self.paths.capacity() * size_of::<PathStep>()
            + self.lake_water.capacity() * size_of::<(u32, i64)>()
            + self.deliveries.capacity() * size_of::<LakeDelivery>()
    }

    fn append_chunk(&mut self, piece: &Self) {
        let offset = self.paths.len();
        self.paths.extend_from_slice(&piece.paths);
        self.ends.extend(piece.ends.iter().map(|end| offset + end));
        self.lake_water.extend_from_slice(&piece.lake_water);
        self.evaporated += piece.evaporated;
        self.exported_water += piece.exported_water;
    }

    /// Allocates space for the bed changes of this chunk, with one entry per path step, grouped by
    /// band of rows. Also counts each step as a visit to its cell in `group_visits`.
    fn allocate_bed_changes(&mut self, bands: RowBands, group_visits: VisitCounts) {
        self.bands = bands;
        self.ranges = [[0; 2]; BAND_COUNT];
        for step in &self.paths {
            self.ranges[bands.band_of_cell(step.cell)][1] += 1;
            count_visit(group_visits, step);
        }
        let mut start = 0;
        for range in &mut self.ranges {
            let steps = range[1];
            *range = [start; 2];
            start += steps;
        }
        if self.bed_changes.len() < start as usize {
            self.bed_changes.resize(start as usize, BedChange::default());
        }
    }

    fn bed_changes_in_band(&self, band: usize) -> &[BedChange] {
        let [start, end] = self.ranges[band].map(|at| at as usize);
        &self.bed_changes[start..end]
    }

    fn deliveries_in_band(&self, band: usize) -> impl Iterator<Item = &LakeDelivery> {
        let is_before = |delivery: &LakeDelivery| self.bands.band_of_cell(delivery.cell) < band;
        let start = self.deliveries.partition_point(is_before);
        let (bands, behind) = (self.bands, &self.deliveries[start..]);
        behind.iter().take_while(move |delivery| bands.band_of_cell(delivery.cell) == band)
    }
}

impl ExchangeSink for DropChunk {
    fn push_bed_change(&mut self, change: BedChange) {
        let [_, end] = &mut self.ranges[self.bands.band_of_cell(change.cell)];
        self.bed_changes[*end as usize] = change;
        *end += 1;
    }

    fn push_delivery(&mut self, delivery: LakeDelivery) {
        self.deliveries.push(delivery);
    }

    fn export_sediment(&mut self, sediment: i64) {
        self.exported_sediment += sediment;
    }
}

struct ChunkRecorder<'a> {
    chunk: &'a mut DropChunk,
    visits: VisitCounts<'a>,
}

fn count_visit(counts: VisitCounts, step: &PathStep) {
    if step.next != LAKE {
        counts.increment(step.cell);
    }
}

impl PathSink for ChunkRecorder<'_> {
    fn push_step(&mut self, step: PathStep) {
        count_visit(self.visits, &step);
        self.chunk.paths.push(step);
    }

    fn add_lake_water(&mut self, cell: u32, water: i64) {
        self.chunk.lake_water.push((cell, water));
    }

    fn export_water(&mut self, water: i64) {
        self.chunk.exported_water += water;
    }
}

/// Extends `chunks` to at least `count` elements. Reserves in each chunk enough memory for the
/// longest paths of the last batch, because any chunk can receive such paths next.
pub(in crate::hydrology) fn reserve_chunks(chunks: &mut Vec<DropChunk>, count: usize) {
    if chunks.len() < count {
        chunks.resize_with(count, DropChunk::default);
    }
    let max_len = |list: fn(&DropChunk) -> usize| chunks.iter().map(list).max().unwrap_or(0);
    let paths = max_len(|chunk| chunk.paths.len());
    let lake_water = max_len(|chunk| chunk.lake_water.len());
    let deliveries = max_len(|chunk| chunk.deliveries.len());
    parallel::for_each_item(chunks, 1, |_, chunk| {
        reserve_with_margin(&mut chunk.paths, paths);
        reserve_with_margin(&mut chunk.bed_changes, paths);
        reserve_with_margin(&mut chunk.ends, DROPS_PER_CHUNK);
        reserve_with_margin(&mut chunk.lake_water, lake_water);
        reserve_with_margin(&mut chunk.deliveries, deliveries);
    });
}

fn reserve_with_margin<T>(list: &mut Vec<T>, len: usize) {
    if list.capacity() < len {
        list.reserve_exact(len + len / 2 + 4 * DROPS_PER_CHUNK - list.len());
    }
}

/// Traces the drops of all chunks and records their paths. `drop` returns the initial state of the
/// drop with a given index. Also counts in `visits` how many drops pass each cell.
pub(in crate::hydrology) fn trace_drops(
    tracer: &DropTracer,
    partition: DropPartition,
    drop: impl Fn(usize) -> Raindrop + Sync + Send,
    visits: VisitCounts,
    chunks: &mut [DropChunk],
    scratch: &ScratchPool,
) {
    let trace = |chunk: &mut DropChunk, drops: &mut dyn Iterator<Item = usize>| {
        chunk.paths.clear();
        chunk.ends.clear();
        chunk.lake_water.clear();
        (chunk.evaporated, chunk.exported_water) = (0, 0);
        for k in drops {
            let evaporated = tracer.trace_drop(drop(k), &mut ChunkRecorder { chunk, visits });
            chunk.ends.push(chunk.paths.len());
            chunk.evaporated += evaporated;
        }
    };
    if chunks.len() > MAX_CHUNKS_TO_SPLIT || parallel::num_threads() == 1 {
        parallel::for_each_item(chunks, 1, |i, chunk| {
            trace(chunk, &mut partition.drops_in_chunk(i));
        });
    } else {
        let count = DROPS_PER_CHUNK.div_ceil(DROPS_PER_PIECE);
        let mut pieces = scratch.take::<Vec<DropChunk>>();
        reserve_chunks(&mut pieces, chunks.len() * count);
        let pieces = &mut pieces[..chunks.len() * count];
        parallel::for_each_item(pieces, 1, |i, piece| {
            trace(
                piece,
                &mut partition
                    .drops_in_chunk(i / count)
                    .skip(i % count * DROPS_PER_PIECE)
                    .take(DROPS_PER_PIECE),
            );
        });
        for (chunk, pieces) in chunks.iter_mut().zip(pieces.chunks(count)) {
            trace(chunk, &mut std::iter::empty());
            pieces.iter().for_each(|piece| chunk.append_chunk(piece));
        }
    }
    for (i, chunk) in chunks.iter_mut().enumerate() {
        (chunk.group, chunk.index) = (partition.group_of_chunk(i) as u32, i as u32);
    }
}

pub(in crate::hydrology) fn sort_by_group(chunks: &mut [DropChunk]) {
    chunks.sort_unstable_by_key(|chunk| (chunk.group, chunk.index));
}

pub(in crate::hydrology) fn chunks_by_group(
    chunks: &mut [DropChunk],
) -> impl Iterator<Item = &mut [DropChunk]> {
    chunks.chunk_by_mut(|a, b| a.group == b.group)
}

/// Transports sediment along the recorded paths of the drops in `chunks`, and records the bed
/// changes. Also counts the visits to each cell by these drops. [`apply_bed_changes`] later resets
/// these counts to 0.
pub(in crate::hydrology) fn carry_sediment(ground: &SedimentExchange, chunks: &mut [DropChunk]) {
    let bands = RowBands::new(ground.grid);
    parallel::for_each_item(chunks, 1, |_, chunk| {
        chunk.allocate_bed_changes(bands, ground.group_visits);
    });
    parallel::for_each_item(chunks, 1, |_, chunk| {
        let paths = std::mem::take(&mut chunk.paths);
        let ends = std::mem::take(&mut chunk.ends);
        chunk.deliveries.clear();
        chunk.exported_sediment = 0;
        let mut start = 0;
        for &end in &ends {
            ground.carry_sediment(&paths[start..end], chunk);
            start = end;
        }
        (chunk.paths, chunk.ends) = (paths, ends);
        chunk.deliveries.sort_unstable_by_key(|delivery| delivery.cell);
    });
}

pub(in crate::hydrology) struct CarvedLand<'a> {
    pub(in crate::hydrology) bed: &'a mut [i64],
    pub(in crate::hydrology) soil: &'a mut [i64],
    pub(in crate::hydrology) heights: &'a mut [f32],
}

impl CarvedLand<'_> {
    fn split_at(self, cell: usize) -> [Self; 2] {
        let (bed, beds) = self.bed.split_at_mut(cell);
        let (soil, soils) = self.soil.split_at_mut(cell);
        let (heights, rest) = self.heights.split_at_mut(cell);
        [Self { bed, soil, heights }, Self { bed: beds, soil: soils, heights: rest }]
    }
}

/// Applies the bed changes recorded in `chunks` to the land. Resets the visit counts in
/// `group_visits` to 0 at all cells with a bed change or a sediment delivery.
pub(in crate::hydrology) fn apply_bed_changes(
    chunks: &[DropChunk],
    land: CarvedLand,
    grid: Grid,
    group_visits: VisitCounts,
) {
    let band = RowBands::new(grid).cells;
    // Split after a number of bands; `first` is the index of the first band.
    let split = |(first, land), bands| {
        let [a, b] = CarvedLand::split_at(land, bands * band);
        [(first, a), (first + bands, b)]
    };
    let apply = |(i, land): (usize, CarvedLand<'_>)| {
        let ends = chunks.iter().flat_map(|chunk| chunk.deliveries_in_band(i));
        ends.for_each(|delivery| group_visits.clear(delivery.cell));
        for entry in chunks.iter().flat_map(|chunk| chunk.bed_changes_in_band(i)) {
            group_visits.clear(entry.cell);
            let cell = entry.cell as usize - i * band;
            let change = i64::from(entry.change);
            land.bed[cell] += change;
            // Soil is removed before rock.
            land.soil[cell] = (land.soil[cell] + change).max(0);
            land.heights[cell] = fixed::to_metres_f32(land.bed[cell]);
        }
    };
    parallel::for_each_part((0, land), grid.cell_count().div_ceil(band), &split, &apply);
}

/// Deposits sediment in lakes by raising the bed and thickening the soil (quanta of 2⁻²⁰ m).
/// `amount` is called with the elevation of a cell and the sediment delivered to this cell. It
/// returns the thickness of the deposit.
pub(in crate::hydrology) fn deposit_in_lakes(
    chunks: &[DropChunk],
    [bed, soil]: [&mut [i64]; 2],
    grid: Grid,
    amount: impl Fn(i64, LakeDelivery) -> i64 + Sync,
) {
    let band = RowBands::new(grid).cells;
    let split = |(first, ground), bands| {
        let [a, b] = split_pair_at(ground, bands * band);
        [(first, a), (first + bands, b)]
    };
    let deposit_in_lakes = |(i, [bed, soil]): (usize, [&mut [i64]; 2])| {
        for &delivery in chunks.iter().flat_map(|chunk| chunk.deliveries_in_band(i)) {
            let cell = delivery.cell as usize - i * band;
            let amount = amount(bed[cell], delivery);
            bed[cell] += amount;
            soil[cell] += amount;
        }
    };
    parallel::for_each_part(
        (0, [bed, soil]),
        grid.cell_count().div_ceil(band),
        &split,
        &deposit_in_lakes,
    );
}

fn split_pair_at([a, b]: [&mut [i64]; 2], cell: usize) -> [[&mut [i64]; 2]; 2] {
    let [(a, rest_a), (b, rest_b)] = [a.split_at_mut(cell), b.split_at_mut(cell)];
    [[a, b], [rest_a, rest_b]]
}

pub(in crate::hydrology) struct RunningMeans<'a> {
    pub(in crate::hydrology) area: &'a mut [f32],
    pub(in crate::hydrology) momentum: &'a mut [[f32; 2]],
}

impl RunningMeans<'_> {
    fn split_at(self, cell: usize) -> [Self; 2] {
        let (area, areas) = self.area.split_at_mut(cell);
        let (momentum, momenta) = self.momentum.split_at_mut(cell);
        [Self { area, momentum }, Self { area: areas, momentum: momenta }]
    }
}

/// Updates the running means of discharge and momentum along the paths of a batch. The old means
/// get the weight `1 − new_weight`, and the batch gets the weight `new_weight`. A full drop
/// represents the rain on `cells_per_drop` cells.
pub(in crate::hydrology) fn update_means(
    chunks: &[DropChunk],
    means: RunningMeans,
    grid: Grid,
    new_weight: f32,
    cells_per_drop: f32,
) {
    let band = RowBands::new(grid).cells;
    let unit = new_weight * cells_per_drop / 16384.0;
    let momentum_unit = unit / 16384.0;
    let split = |(first, means), bands| {
        let [a, b] = RunningMeans::split_at(means, bands * band);
        [(first, a), (first + bands, b)]
    };
    let update_means = |(i, means): (usize, RunningMeans<'_>)| {
        let RunningMeans { area, momentum } = means;
        area.iter_mut().for_each(|area| *area *= 1.0 - new_weight);
        momentum
            .iter_mut()
            .for_each(|momentum| *momentum = momentum.map(|m| m * (1.0 - new_weight)));
        for entry in chunks.iter().flat_map(|chunk| chunk.bed_changes_in_band(i)) {
            let cell = entry.cell as usize - i * band;
            let part = f32::from(entry.part);
            area[cell] += unit * part;
            for (momentum, direction) in momentum[cell].iter_mut().zip(entry.direction) {
                *momentum += momentum_unit * part * f32::from(direction);
            }
        }
    };
    parallel::for_each_part((0, means), grid.cell_count().div_ceil(band), &split, &update_means);
}
