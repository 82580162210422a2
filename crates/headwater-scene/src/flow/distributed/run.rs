//! [`DistributedRun`]: the executor of a distributed world in the first process.

use super::command::Command;
use super::overview::{Overview, RowSample};
use super::rank_world::FlowRankWorld;
use crate::flow::FlowScene;
use crate::flow::run::FlowState;
use crate::flow::view::structure_lines;
use crate::flow::world::unused_key_notices;
use crate::picture::{Painter, Picture, Style, View};
use crate::raster::Georeference;
use crate::run::{
    CheckpointParts, Executor, GaugeValues, Grid, GridExtent, Input, LedgerSummary, MemoryLimit,
    ModelError, OutputTime, Ranks, StepLimit, WrittenFiles, lattice_name,
};
use crate::scene::scene_model::series_notices;
use crate::scene::{SceneError, SceneModel};
use crate::terrain::TerrainRows;
use headwater::flow::Flow;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Distributed world of a scene, controlled by the first process. Its rows belong to several
/// processes, or only some of its rows are in memory. Only the first process has a value of this
/// type; it sends commands to the other processes.
pub(in crate::flow) struct DistributedRun {
    ranks: Ranks,
    /// Part of the world that the first process owns.
    pub(super) local: FlowRankWorld,
    /// Whether a failed operation has made the world unusable.
    is_unusable: bool,
    /// Georeference of the world (its position on the map); `None` if it is unknown.
    pub(super) georeference: Option<Georeference>,
    notices: Vec<String>,
    pub(super) overview: Overview,
    painter: Option<Painter>,
    /// Line segment between the two mouths of each structure (culvert, gate or weir), with
    /// coordinates in m, for pictures.
    pub(super) structures: Vec<[[f64; 2]; 2]>,
    /// Range of rows that each process owned at the start of the run.
    rows: Vec<Range<usize>>,
}

/// Maximum number of steps in one call of `step_toward` if there is only one process and the caller
/// sets no limit.
const MAX_STEPS_PER_CALL: u64 = 8;
/// Maximum number of steps in one call of `step_toward` if there are several processes and the
/// caller sets no limit. It is higher than for one process because each call sends messages.
const MAX_STEPS_PER_CALL_MPI: u64 = 64;

impl DistributedRun {
    /// Builds the world of a scene on all processes. Only the first process may call this function.
    /// `budget` limits the memory if there is only one process.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the scene uses an unsupported feature or does not fit the grid, or
    /// if the memory limit is too low.
    pub(in crate::flow) fn new(
        scene: &FlowScene,
        ranks: &Ranks,
        budget: Option<&MemoryLimit>,
        inputs: &[Input],
    ) -> Result<Self, SceneError> {
        let started = ranks.build_remote_rows(scene.common_tables().origin.fingerprint(), inputs);
        started.map_err(scene.error_at(""))?;
        let Some(local) = FlowRankWorld::build(scene, ranks, budget)? else {
            return Err(scene.error("grid", "has no rows"));
        };
        let (lattice, georeference) = TerrainRows::scene_extent(scene)?;
        let Some(overview) = Overview::new(&lattice) else {
            return Err(scene.error("grid", "invalid grid"));
        };
        let mut notices = local.notices.clone();
        if budget.is_some() {
            let [all, here] = local.world.local_blocks().block_counts();
            notices.push(format!("{here} of {all} row blocks are in memory at a time"));
        }
        notices.extend(unused_key_notices(scene, &lattice));
        notices.extend(series_notices(scene));
        let structures = structure_lines(local.world.local_blocks().spec().structures());
        let rows = local.world.rows_of_ranks();
        Ok(Self {
            ranks: ranks.clone(),
            local,
            is_unusable: false,
            georeference,
            notices,
            overview,
            painter: None,
            structures,
            rows,
        })
    }

    /// Sends a command to the other processes. The caller must then execute the same operation
    /// itself.
    pub(super) fn send_command(&self, command: &Command) -> io::Result<()> {
        self.ranks.send_command(command)
    }

    /// Returns samples of the current state in the blocks of rows that have changed since the last
    /// call. If `samples_max_depth` is true, returns samples of the maximum depths over time
    /// instead. `step` is the spacing between sampled cells, in cells.
    pub(super) fn sample(
        &mut self,
        step: usize,
        samples_max_depth: bool,
    ) -> io::Result<Vec<RowSample>> {
        self.send_command(&Command::Sample { step, samples_max_depth })?;
        self.local.sample(step, samples_max_depth)
    }

    /// Updates the sample of the world, and calls `draw` with the picture style and a view of the
    /// sample.
    fn with_view<R>(&mut self, draw: impl FnOnce(Style, &View<'_>) -> R) -> Result<R, SceneError> {
        let strips = self.sample(self.overview.step, false);
        let scene = &self.local.scene;
        if !self.overview.store_rows(strips.map_err(scene.error_at("picture"))?) {
            return Err(scene.error("picture", "the samples do not match the world"));
        }
        let Overview { lattice, bed, depth, closed, no_data, velocity: [east, south], .. } =
            &self.overview;
        let view = View {
            closed: Some(closed),
            no_data: Some(no_data),
            structures: &self.structures,
            velocity: Some((east, south)),
            time: self.local.world.time(),
            datum: self.local.datum,
            ..View::new(lattice, bed, depth)
        };
        Ok(draw(scene.picture.clone(), &view))
    }
}

impl Executor for DistributedRun {
    fn grid(&self) -> Grid {
        let lattice = self.local.world.lattice();
        Grid { lattice: lattice_name(lattice).into(), nx: lattice.nx(), ny: lattice.ny() }
    }

    fn extent(&self) -> GridExtent {
        GridExtent::new(self.local.world.lattice(), self.georeference.as_ref())
    }

    fn time(&self) -> f64 {
        self.local.world.time()
    }

    fn steps(&self) -> u64 {
        self.local.world.steps()
    }

    fn step_toward(&mut self, stop: f64, limit: StepLimit) -> Result<bool, ModelError> {
        if self.has_reached(stop) {
            return Ok(false);
        }
        let max_steps = match limit {
            StepLimit::Steps(max_steps) => max_steps,
            StepLimit::Efficient if self.ranks.comm.size() > 1 => MAX_STEPS_PER_CALL_MPI,
            StepLimit::Efficient => MAX_STEPS_PER_CALL,
            StepLimit::Before(_) => 1,
        };
        self.send_command(&Command::Advance { stop, max_steps })?;
        let done = self.local.advance(stop, max_steps);
        self.is_unusable |= done.is_err();
        Ok(done?)
    }

    fn apply_event(&mut self, event: usize) -> Result<(), ModelError> {
        self.send_command(&Command::Act { event })?;
        let done = self.local.apply_event(event);
        // After an error, some processes may already have applied the event.
        self.is_unusable |= done.is_err();
        done
    }

    fn is_state_finite(&mut self) -> Result<bool, ModelError> {
        if self.is_unusable {
            return Ok(false);
        }
        self.send_command(&Command::IsSound)?;
        Ok(self.local.world.is_finite())
    }

    fn measure_gauge(&mut self, gauge: usize) -> Result<GaugeValues, ModelError> {
        self.send_command(&Command::Measure { gauge })?;
        Ok(self.local.measure_gauge(gauge)?)
    }

    fn determine_color_scales(&mut self) -> Result<(), SceneError> {
        if super::rank_world::draws_pictures(&self.local.scene) {
            let painter = self.with_view(Painter::new)?;
            self.painter = Some(painter.map_err(|error| {
                self.local.scene.error(&format!("picture.{}", error.what), error.to_string())
            })?);
        }
        Ok(())
    }

    fn draw_picture(&mut self) -> Result<Picture, SceneError> {
        if self.painter.is_none() {
            self.determine_color_scales()?;
        }
        let Some(mut painter) = self.painter.take() else {
            return Err(self.local.scene.error("picture", "the scene draws no pictures"));
        };
        let picture = self.with_view(|_, view| painter.paint(view));
        self.painter = Some(painter);
        picture
    }

    /// Writes layers and pictures. Meshes would need the whole world in memory, so scenes with
    /// `output.mesh` are rejected when the world is built.
    fn write_outputs(&mut self, folder: &Path, times: &[f64]) -> Result<WrittenFiles, String> {
        let layers = self.write_layers_at(folder, &OutputTime::at_end(times))?;
        let flood = self.local.scene.flood.is_some().then(|| self.write_flood(folder));
        let pictures = flood.into_iter().collect::<Result<_, _>>()?;
        Ok(WrittenFiles { layers, pictures, ..WrittenFiles::default() })
    }

    fn write_layers(
        &mut self,
        folder: &Path,
        moment: &OutputTime<'_>,
    ) -> Result<Vec<PathBuf>, String> {
        self.write_layers_at(folder, moment)
    }

    fn has_checkpoint_parts(&self) -> bool {
        true
    }

    fn write_state(&self, _: &mut dyn io::Write) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Restores a world that was saved as a whole rather than in parts. The complete state must fit
    /// in memory.
    fn restore_state(&mut self, state: &mut dyn io::Read) -> Result<(), String> {
        let mut bytes = Vec::new();
        state.read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
        let state = postcard::from_bytes(&bytes).map_err(|error| format!("is damaged: {error}"))?;
        drop(bytes);
        let (snapshot, _, _): FlowState = state;
        let flow = Flow::restore(snapshot).map_err(|error| error.to_string())?;
        let sent = self.send_command(&Command::RestoreUndivided);
        let restored = sent.and_then(|()| self.local.restore_undivided(Some(flow)));
        restored.map_err(|error| error.to_string())
    }

    fn write_parts(&mut self, folder: &Path, generation: &str) -> io::Result<CheckpointParts> {
        let (path, name) = (folder.to_owned(), generation.to_owned());
        self.send_command(&Command::WriteParts { folder: path, generation: name })?;
        self.local.write_parts(folder, generation)
    }

    fn restore_parts(&mut self, folder: &Path, contents: &CheckpointParts) -> Result<(), String> {
        let command =
            Command::RestoreParts { folder: folder.to_owned(), contents: contents.clone() };
        let sent = self.send_command(&command);
        let restored = sent.and_then(|()| self.local.restore_parts(folder, contents));
        restored.map_err(|error| error.to_string())
    }

    fn compute_state_hash(&mut self) -> Result<u64, ModelError> {
        self.send_command(&Command::StateHash)?;
        Ok(self.local.world.state_hash()?)
    }

    fn volume_balance(&mut self) -> Result<LedgerSummary, ModelError> {
        self.send_command(&Command::Balance)?;
        Ok(self.local.volume_balance()?)
    }

    fn notices(&self) -> Vec<String> {
        let now = self.local.world.rows_of_ranks();
        let counts = now.iter().map(|rows| rows.len().to_string()).collect::<Vec<_>>().join(", ");
        let moved = (now != self.rows).then(|| format!("rows have moved: ranks own {counts}"));
        self.notices.iter().cloned().chain(moved).collect()
    }
}
