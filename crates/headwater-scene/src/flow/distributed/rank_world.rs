//! [`FlowRankWorld`]: the part of a distributed world that one process owns.

use super::bits::CellMask;
use super::lakes::{Lakes, OwnedRows};
use super::layer::{self, LocalLayer};
use super::overview::{self, Overview, RowSample};
use super::scratch::ScratchFolder;
use super::spec::{self, depth_at_level, initial_depth};
use crate::collective::collective_result;
use crate::flow::capabilities::{Executor, check_features};
use crate::flow::gauges::point_values;
use crate::flow::ledger_parts::ledger_parts;
use crate::flow::world::{RainRasterSeries, SceneRasters, Stroke, action_to_stroke, to_source};
use crate::flow::{Action, Added, FlowScene, Target};
use crate::flow::{WaterMaps, obstacle_mask_in_rows};
use crate::run::{
    CheckpointParts, GaugeValues, LedgerSummary, MemoryLimit, ModelError, PartReader, PartWriter,
    Ranks, part_file_name,
};
use crate::scene::{NonAreaAction, SceneError, SceneModel, entry_id};
use crate::terrain;
use headwater::distributed::{
    Communicator, DistributedFlow, LocalBlocks, MemoryBudget, MemoryStore, RowFields,
};
use headwater::flow::{Edit, Flow};
use headwater::{Field, InputError, Lattice};
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Number of rows that are built at once, to limit the memory for building a world.
const ROWS_PER_TASK: usize = 64;

/// Estimate of the memory that the program uses in addition to its world (bytes).
const PROGRAM_BYTES: usize = 64 << 20;

/// Part of a distributed world that one process owns: a contiguous range of rows. All methods are
/// collective: every process must call them.
#[derive(Debug)]
pub(in crate::flow) struct FlowRankWorld {
    pub(super) scene: FlowScene,
    pub(super) world: DistributedFlow,
    /// Elevation in the scene that corresponds to the model's height 0 (m).
    pub(super) datum: f64,
    /// Messages for the user about assumptions that were made while building the world. The
    /// messages are the same in all processes.
    pub(super) notices: Vec<String>,
    /// Mask of the cells without data in this process's rows; `None` if all cells have data.
    no_data_mask: Option<CellMask>,
    /// Time series of rain rasters.
    rain_rasters: RainRasterSeries,
    /// Number of rain rasters whose start time had been reached when the rain map was last set.
    /// `None` if the rain map must be set again.
    rasters_started: Option<usize>,
    /// Samples of the initial ground, until [`sample`](Self::sample) returns them.
    ground: Vec<RowSample>,
    /// Whether the ground may have changed since it was last sampled.
    ground_changed: bool,
    /// For each block of rows (key: its first row), the value of the block's change counter when
    /// the block was last sampled. A block whose counter has the same value need not be sampled
    /// again.
    visits_sampled: BTreeMap<usize, u64>,
}

/// Error while rows of a world are being built: either an invalid scene or a failed storage
/// operation.
enum BuildError {
    Scene(SceneError),
    Storage(io::Error),
}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error)
    }
}

impl FlowRankWorld {
    /// Builds the rows that this process owns. Returns `None` if the world has too few rows to give
    /// this process any.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the scene uses an unsupported feature or does not fit the grid, or
    /// if the memory limit is too low.
    pub(in crate::flow) fn build(
        scene: &FlowScene,
        ranks: &Ranks,
        budget: Option<&MemoryLimit>,
    ) -> Result<Option<Self>, SceneError> {
        check_features(scene, Executor::Distributed)?;
        let spans = spec::partition_rows(
            scene,
            &terrain::TerrainRows::scene_extent(scene)?.0,
            ranks.comm.size(),
        )?;
        let Some(comm) = ranks.comm.subgroup(spans.len()) else { return Ok(None) };
        let rows = spans[comm.rank()].clone();
        Self::build_rows(scene, rows, ranks, &comm, budget).map(Some)
    }

    fn build_rows(
        scene: &FlowScene,
        rows: Range<usize>,
        ranks: &Ranks,
        comm: &Arc<dyn Communicator>,
        budget: Option<&MemoryLimit>,
    ) -> Result<Self, SceneError> {
        let scratch = budget.map(|budget| ScratchFolder::new(&budget.scratch)).transpose();
        let scratch = scratch.map_err(|error| storage_error(scene, budget, &error));
        let (scratch, peer_comm) = (collective_result(scratch, &**comm)?, &**comm);
        let ground_file = scratch.as_ref().map(ScratchFolder::ground_path);
        let ground =
            terrain::TerrainRows::from_scene(scene, &rows, ground_file.as_deref(), peer_comm)?;
        let (lattice, datum) = (ground.lattice, ground.datum);
        let beds = spec::edge_bed_elevations(scene, &ground, &rows, peer_comm)?;
        let spec = spec::create_world_spec(scene, &lattice, datum, &beds)?;
        let on_map = ground.georeference.as_ref();
        let maps = SceneRasters::read(scene, on_map).and_then(|maps| {
            let water = WaterMaps::read(scene, on_map)?;
            Ok((maps, water))
        });
        let (maps, water) = collective_result(maps, peer_comm)?;
        let (rasters_started, _) = RainRasterSeries::count_started(scene, 0.0);
        let owned = OwnedRows { scene, lattice, rows: rows.clone(), rows_per_task: ROWS_PER_TASK };
        let lakes = Lakes::find(&owned, peer_comm, datum, |rows| {
            let (bed, no_data) = ground.ground(rows.clone())?;
            Ok((bed, closed_cell_mask(scene, &lattice, rows, &no_data)))
        })?;
        let step = if draws_pictures(scene) { overview::sample_spacing(&lattice) } else { 0 };
        let mut ground_samples = Vec::new();
        let mut no_data_mask =
            (ground.no_data_count > 0).then(|| CellMask::new(lattice.nx(), rows.clone()));
        let make = |window: Range<usize>| {
            let (bed, no_data) = ground.ground(window.clone()).map_err(BuildError::Scene)?;
            if let Some(no_data_mask) = &mut no_data_mask {
                for (y, row) in window.clone().zip(no_data.rows()) {
                    let missing = row.iter().enumerate().filter(|(_, missing)| **missing);
                    let own = rows.contains(&y);
                    missing.filter(|_| own).for_each(|(x, _)| no_data_mask.set(x, y, true));
                }
            }
            let closed = closed_cell_mask(scene, &lattice, window.clone(), &no_data);
            let mut depth = initial_depth(scene, &bed, &closed, datum);
            water.raise_depth(&mut depth, &closed, &lattice, window.clone(), |level, cell| {
                (level - datum - f64::from(bed[cell])).max(0.0) as f32
            });
            let deepened = lakes.raise_depth(&mut depth, window.clone(), |level, _| {
                Ok(depth_at_level(level, &bed, &closed, datum))
            });
            deepened.map_err(BuildError::Scene)?;
            let mut made = RowFields::new(bed, depth);
            made.closed = Some(closed);
            (made.roughness, made.soil) =
                maps.ground_properties(scene.physics.keys.manning, &lattice, window.clone());
            made.rain_factor = match maps.rain_rasters.is_empty() {
                true => maps.rain_factors(&lattice, window.clone()),
                false => {
                    Some(maps.rain_rasters.rain_factors(rasters_started, &lattice, window.clone()))
                }
            };
            [made.velocity, made.unit_discharge] = maps.initial_motion(&lattice, &window);
            if step > 0 {
                // The ranges of rows that are built overlap, so rows that have been sampled are
                // skipped.
                let last = ground_samples
                    .last()
                    .map_or(rows.start, |strip: &RowSample| strip.row * step + 1);
                let own = window.start.max(last)..window.end.min(rows.end);
                ground_samples.extend(overview::sample_window(
                    &made,
                    &no_data,
                    window.start,
                    own,
                    step,
                ));
            }
            Ok::<_, BuildError>(made)
        };
        let voids = if ground.no_data_count > 0 { lattice.nx() * rows.len() / 8 } else { 0 };
        let read = maps.memory_bytes() + water.memory_bytes();
        let blocks =
            block_memory(scene, &lattice, rows.len(), voids + read, budget).and_then(|bytes| {
                let of = MemoryBudget::from(bytes.unwrap_or(usize::MAX));
                let of = ranks.block_rows.map_or(of, |rows| of.with_block_rows(rows));
                let rows = rows.clone();
                let made = match scratch {
                    None => LocalBlocks::new(&spec, rows, of, MemoryStore::default(), make),
                    Some(scratch) => LocalBlocks::new(&spec, rows, of, scratch, make),
                };
                made.map_err(|fault| match fault {
                    BuildError::Scene(error) => error,
                    BuildError::Storage(error) => match error.downcast::<InputError>() {
                        Ok(error) => scene.error("terrain", error.to_string()),
                        Err(error) => storage_error(scene, budget, &error),
                    },
                })
            });
        let blocks = collective_result(blocks, peer_comm)?;
        if let Some(ground_file) = ground_file {
            // The file is no longer needed. If this fails, the file is removed with its folder.
            let _ = std::fs::remove_file(ground_file);
        }
        let world = DistributedFlow::from_blocks(Arc::clone(comm), blocks);
        let mut world = world.map_err(scene.error_at(""))?;
        world.set_rebalance_policy(ranks.rebalance);
        let missing =
            comm.allgather_values(Ok(ground.no_data_count)).map_err(scene.error_at(""))?;
        let mut notices = ground.notices.clone();
        notices.extend(terrain::no_data_notice(missing.into_iter().sum()));
        // Samples of moving water include the velocity, which is not known at this point, so such
        // worlds are sampled again.
        let has_motion = maps.has_motion();
        let visits = world.local_blocks().block_visits().filter(|_| !has_motion);
        Ok(Self {
            scene: scene.clone(),
            datum,
            notices,
            no_data_mask,
            rain_rasters: maps.rain_rasters,
            rasters_started: Some(rasters_started),
            ground: ground_samples,
            ground_changed: false,
            visits_sampled: visits.map(|(rows, count)| (rows.start, count)).collect(),
            world,
        })
    }
}

/// Returns the memory (bytes) that remains for blocks of rows, or `None` if there is no memory
/// limit. `map_bytes` is the memory (bytes) of masks and maps, and `rows` is the number of rows
/// that this process owns.
///
/// # Errors
/// Returns [`SceneError`] if the memory limit is too low.
fn block_memory(
    scene: &FlowScene,
    lattice: &Lattice,
    rows: usize,
    map_bytes: usize,
    memory_limit: Option<&MemoryLimit>,
) -> Result<Option<usize>, SceneError> {
    let Some(MemoryLimit { bytes: memory, .. }) = memory_limit else { return Ok(None) };
    // Lakes, pictures and the buffer of a layer need memory too.
    let lake = lattice.nx() * rows / 8 * (scene.water.lakes.len() + 1);
    let gathered = layer::estimate_gather_memory(scene, lattice);
    let other = PROGRAM_BYTES + 51 * Overview::cell_count(lattice) + lake + map_bytes + gathered;
    let min_bytes = lattice.nx() * 8192;
    match memory.checked_sub(other).filter(|left| *left >= min_bytes) {
        Some(bytes) => Ok(Some(bytes)),
        None => {
            let needed = (other + min_bytes).div_ceil(1 << 20);
            Err(scene.error("grid", format!("needs at least --memory {needed}MiB")))
        }
    }
}

fn storage_error(scene: &FlowScene, budget: Option<&MemoryLimit>, error: &io::Error) -> SceneError {
    let place = budget.iter().map(|budget| format!("{}: ", budget.scratch.display()));
    scene.error("grid", format!("{}{error}", place.collect::<String>()))
}

/// Returns the mask of cells in `rows` that are closed to water: obstacles, and cells without data.
/// `no_data` is the mask of cells without data in `rows`.
fn closed_cell_mask(
    scene: &FlowScene,
    lattice: &Lattice,
    rows: Range<usize>,
    no_data: &Field<bool>,
) -> Field<bool> {
    let mut closed = obstacle_mask_in_rows(scene, lattice, rows);
    let cells = closed.as_mut_slice().iter_mut().zip(no_data.as_slice());
    cells.for_each(|(closed, missing)| *closed |= missing);
    closed
}

/// Returns whether a run of the scene draws pictures.
pub(super) fn draws_pictures(scene: &FlowScene) -> bool {
    let record = scene.common_tables().output.recording_settings(&scene.time);
    record.final_picture || record.frame_every.is_some() || scene.flood.is_some()
}

impl FlowRankWorld {
    fn comm(&self) -> Arc<dyn Communicator> {
        Arc::clone(self.world.communicator())
    }

    /// Takes at most `max_steps` steps toward the time `stop` (s). Returns false if the world has
    /// already reached `stop`.
    ///
    /// # Errors
    /// Returns an error if the storage of rows fails. The world is unusable afterwards.
    pub(super) fn advance(&mut self, stop: f64, max_steps: u64) -> io::Result<bool> {
        if self.world.time() >= stop {
            return Ok(false);
        }
        // Steps end exactly at the start of the next rain raster.
        let (rasters_started, next) =
            RainRasterSeries::count_started(&self.scene, self.world.time());
        if self.rasters_started != Some(rasters_started)
            && (rasters_started > 0 || next.is_finite())
        {
            let (rain_rasters, lattice) = (&self.rain_rasters, *self.world.lattice());
            self.world
                .set_rain_map(|rows| rain_rasters.rain_factors(rasters_started, &lattice, rows))?;
            self.rasters_started = Some(rasters_started);
        }
        let before = self.world.local_blocks().rows();
        let max_steps = usize::try_from(max_steps).unwrap_or(usize::MAX);
        let done = self.world.steps_toward(stop.min(next), max_steps)?;
        let moved = [f64::from(u8::from(self.world.local_blocks().rows() != before))];
        let mut any = moved;
        self.world.communicator().allreduce_max(&mut any);
        if any[0] > 0.0 {
            self.exchange_no_data_mask(&before)?;
        }
        Ok(done > 0)
    }

    /// Updates the mask of cells without data after rows have moved between processes. Each process
    /// sends the mask of the rows that it has given away to the neighbouring process that now owns
    /// them. `before` is the range of rows that this process owned before the move.
    fn exchange_no_data_mask(&mut self, before: &Range<usize>) -> io::Result<()> {
        let (now, nx) = (self.world.local_blocks().rows(), self.world.lattice().nx());
        let released =
            [before.start..now.start.min(before.end), now.end.max(before.start)..before.end];
        let mut to = [Vec::new(), Vec::new()];
        for (rows, to) in released.into_iter().zip(&mut to).filter(|(rows, _)| !rows.is_empty()) {
            if let Some(part) =
                self.no_data_mask.as_ref().and_then(|no_data_mask| no_data_mask.subset(rows))
            {
                *to = postcard::to_stdvec(&part).map_err(io::Error::other)?;
            }
        }
        let other = [now.start > 0, now.end < self.world.lattice().ny()];
        let from = self.comm().exchange_with_neighbours(other, to.each_ref().map(Vec::as_slice));
        let mut no_data_mask = CellMask::new(nx, now.clone());
        self.no_data_mask.iter().for_each(|old| no_data_mask.union_with(old));
        for bytes in from.iter().filter(|bytes| !bytes.is_empty()) {
            no_data_mask.union_with(&postcard::from_bytes(bytes).map_err(io::Error::other)?);
        }
        self.no_data_mask = no_data_mask.subset(now);
        Ok(())
    }

    /// Applies the event with the index `event` in the scene.
    ///
    /// # Errors
    /// Returns an error if the model rejects the event.
    pub(super) fn apply_event(&mut self, event: usize) -> Result<(), ModelError> {
        let Some(action) = self.scene.common_tables().events[event].action() else { return Ok(()) };
        let lattice = *self.world.lattice();
        let world = &mut self.world;
        match action {
            Action::Add(NonAreaAction(Added::Source(spring))) => {
                return Ok(world.add_spring(to_source(spring, &lattice))?);
            }
            Action::Add(NonAreaAction(Added::Drain(drain))) => {
                return Ok(world.add_drain(to_source(drain, &lattice))?);
            }
            _ => {}
        }
        let Some(Stroke { brush, edit, keep }) = action_to_stroke(action, &lattice, self.datum)
        else {
            return Ok(());
        };
        self.ground_changed = true;
        world.edit(&brush, edit, keep)?;
        if edit == Edit::Open {
            // Cells without data stay closed. A brush changes cells in the order of the rows.
            let touched = brush.cells(lattice)?;
            let rows = touched.first().map_or(0, |t| t.y)..touched.last().map_or(0, |t| t.y + 1);
            let own = self
                .no_data_mask
                .iter()
                .flat_map(|no_data_mask| no_data_mask.iter_set_cells(rows.clone()));
            let own: Vec<(usize, usize)> = own.collect();
            let cells = world.communicator().allgather_values(Ok(own))?.concat();
            if !cells.is_empty() {
                world.close(&cells)?;
            }
        }
        Ok(())
    }

    /// Returns the current values of the gauge with the index `gauge` in the scene.
    ///
    /// # Errors
    /// Returns an error if the storage of rows fails.
    pub(super) fn measure_gauge(&mut self, gauge: usize) -> io::Result<GaugeValues> {
        let world = &mut self.world;
        let gauge = self.scene.common_tables().all_gauges().nth(gauge);
        let target = gauge.and_then(|(_, of)| of.target(world.lattice(), &self.scene.bodies));
        let measured = match target {
            Some(Target::Point(point)) => {
                let sample = world.sample(point)?;
                let [bed, depth, u, v] = sample.map_or([f32::NAN; 4], |sample| {
                    let [u, v] = sample.velocity;
                    [sample.bed, sample.depth, u, v]
                });
                point_values(self.datum, depth, bed + depth, [u, v])
            }
            Some(Target::Line(points)) => {
                let rasters_started =
                    points.windows(2).map(|ends| world.discharge_through(ends[0], ends[1]));
                vec![("discharge_m3_per_s", rasters_started.sum::<io::Result<f64>>()?)]
            }
            Some(Target::Structure(name)) => {
                let all = self.scene.structures();
                let number = all.iter().position(|ends| ends.name == Some(&name));
                let rasters_started =
                    number.and_then(|number| world.structure_discharge(entry_id(number)));
                vec![("discharge_m3_per_s", rasters_started.unwrap_or(f64::NAN))]
            }
            Some(Target::Region(region)) => vec![("volume_m3", world.volume_in(&region)?)],
            _ => Vec::new(),
        };
        Ok(measured)
    }

    /// Returns the water balance of the whole world.
    ///
    /// # Errors
    /// Returns an error if the storage of rows fails.
    pub(super) fn volume_balance(&mut self) -> io::Result<LedgerSummary> {
        let balance = self.world.balance()?;
        let parts = ledger_parts(&self.scene, [0; 2], &self.world.part_volumes()?);
        Ok(LedgerSummary { parts, ..LedgerSummary::from_balance(&balance) })
    }

    /// Samples every `step`-th cell of every `step`-th row. If `samples_max_depth` is true, samples
    /// the maximum depths over time. Otherwise, samples the current state in the blocks of rows
    /// that have changed since the last call. Only the first process receives the samples.
    ///
    /// # Errors
    /// Returns an error if the storage of rows fails.
    pub(super) fn sample(
        &mut self,
        step: usize,
        samples_max_depth: bool,
    ) -> io::Result<Vec<RowSample>> {
        // Velocities in the outermost rows depend on the halo.
        self.world.exchange_halos();
        let own = self.sample_local_rows(step, samples_max_depth);
        Ok(self.comm().gather_values_to_root(own)?.concat())
    }

    fn sample_local_rows(
        &mut self,
        step: usize,
        samples_max_depth: bool,
    ) -> io::Result<Vec<RowSample>> {
        let visits: Vec<(Range<usize>, u64)> = self.world.local_blocks().block_visits().collect();
        let mut strips = Vec::new();
        if samples_max_depth {
            for (rows, _) in visits {
                strips.extend(
                    self.world.with_block(rows.start, |b| overview::sample_max_depth(&b, step))?,
                );
            }
            return Ok(strips);
        }
        strips.append(&mut self.ground);
        for (rows, count) in visits {
            if self.visits_sampled.insert(rows.start, count) != Some(count) {
                let no_data_mask = self.ground_changed.then_some(self.no_data_mask.as_ref());
                strips.extend(
                    self.world.with_block(rows.start, |b| {
                        overview::sample_block(&b, step, no_data_mask)
                    })?,
                );
            }
        }
        self.ground_changed = false;
        Ok(strips)
    }

    fn layer(&mut self, name: &str) -> io::Result<LocalLayer<'_>> {
        LocalLayer::new(&mut self.world, name, self.datum, self.no_data_mask.as_ref())
    }

    /// Writes a layer into an NPY file or, if `no_data` is given, into a GeoTIFF file in which this
    /// value replaces missing values. Each process writes its own rows. `start` is the byte
    /// position in the file at which the values of the whole world begin.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written or if rows on disk cannot be read.
    pub(super) fn write_rows(
        &mut self,
        layer: &str,
        file: &Path,
        start: u64,
        no_data: Option<f32>,
    ) -> io::Result<()> {
        self.world.exchange_halos();
        let written =
            self.layer(layer).and_then(|mut layer| layer.write_rows(file, start, no_data));
        self.comm().allgather_values(written).map(drop)
    }

    /// Writes a layer at one output time into a Zarr store. Only files whose cells all belong to
    /// the same process are written, each by that process. `time` is the index of the output time.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written or if rows on disk cannot be read.
    #[cfg(feature = "zarr")]
    pub(super) fn write_zarr(&mut self, layer: &str, store: &Path, time: usize) -> io::Result<()> {
        self.world.exchange_halos();
        let written = self.layer(layer).and_then(|mut layer| layer.write_zarr(store, time));
        self.comm().allgather_values(written).map(drop)
    }

    /// Gathers the values of a layer in `rows` from all processes. Only the first process receives
    /// them.
    ///
    /// # Errors
    /// Returns an error if the storage of rows fails.
    #[cfg(feature = "zarr")]
    pub(super) fn layer_rows(&mut self, layer: &str, rows: &Range<usize>) -> io::Result<Vec<f32>> {
        let owned = self.world.local_blocks().rows();
        let common = rows.start.max(owned.start)..rows.end.min(owned.end);
        let own = self.layer(layer).and_then(|mut layer| {
            let mut all = Vec::new();
            layer.for_each_block(common, &mut |values| {
                all.extend_from_slice(values);
                Ok(())
            })?;
            Ok(all)
        });
        Ok(self.comm().gather_values_to_root(own)?.concat())
    }

    /// Writes a checkpoint. Each process writes its rows into its own file in `folder`.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub(super) fn write_parts(
        &mut self,
        folder: &Path,
        generation: &str,
    ) -> io::Result<CheckpointParts> {
        let name = part_file_name(generation, self.world.local_blocks().rows().start);
        let written = PartWriter::create(folder, name).and_then(|mut file| {
            let blocks = self.world.write_checkpoint(&mut file)?;
            file.finish(blocks)
        });
        let parts = self.comm().allgather_values(written)?;
        Ok(CheckpointParts::new(parts, self.world.metadata()?, self.world.volume()?))
    }

    /// Restores the state from the files of a checkpoint. The number of processes that wrote the
    /// checkpoint may differ from the current number.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or belongs to another world.
    pub(super) fn restore_parts(
        &mut self,
        folder: &Path,
        contents: &CheckpointParts,
    ) -> io::Result<()> {
        self.rasters_started = None;
        self.ground_changed = true;
        let mut files = PartReader::new(folder, &contents.parts);
        self.world.restore(&contents.row_blocks(), &contents.metadata, &mut files)
    }

    /// Restores the state from a world that was saved as a whole, not in parts. The first process
    /// passes that world in `flow`; all others pass `None`.
    ///
    /// # Errors
    /// Returns an error if `flow` does not fit the world.
    pub(super) fn restore_undivided(&mut self, flow: Option<Flow>) -> io::Result<()> {
        self.rasters_started = None;
        self.ground_changed = true;
        self.world.restore_undivided(flow)
    }
}
