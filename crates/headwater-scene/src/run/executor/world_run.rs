//! [`ModelSimulation`]: implements [`Executor`] and [`Simulation`] for the scenes of any
//! model.

use super::backend::Backend;
#[cfg(feature = "gpu")]
use super::device_world::{DeviceQuery, PendingQuery};
use super::model_world::ModelWorld;
#[cfg(feature = "gpu")]
use super::model_world::QueryTarget;
use super::probe::ProbeValue;
#[cfg(feature = "gpu")]
use super::query::{Query, QueryResult};
use super::simulation::{SceneWorld, Simulation};
use super::stepping::SteppingBackend;
use super::world::{World, WorldMut};
use super::{Executor, StepLimit};
use crate::mesh::MeshPart;
use crate::picture::Picture;
use crate::run::checkpoint::postcard_io;
use crate::run::output::names::OutputTime;
use crate::run::output::summary::{GridExtent, LedgerSummary, lattice_name};
use crate::run::output::write;
use crate::run::parts::CheckpointParts;
use crate::run::types::{
    DeviceEventResult, GaugeValues, Grid, ModelError, WrittenFiles, downcast_scene,
};
use crate::scene::scene_model::{all_places, series_notices};
use crate::scene::{AnyAction, SceneError, SceneModel};
use headwater::changes::Tile;
use headwater::flow::RelaxationStatus;
use headwater::{Field, InputError, Lattice, Model, Point};
use serde_json::Value;
use std::any::Any;
use std::borrow::Cow;
#[cfg(feature = "gpu")]
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};

/// Whether the program can write pictures, layers and meshes. If this is false, the linker removes
/// their code.
const HAS_PICTURES: bool = cfg!(feature = "pictures");

/// Maximum number of steps per call on a device while a scheduled task is waiting for the world to
/// reach its time.
const MAX_STEPS_PER_CALL_ON_DEVICE: f64 = 64.0;

/// Error message for programs built without the feature `pictures`.
const NO_PICTURES: &str = "this program was built without the feature `pictures`";

/// Query of a world on a GPU that is still waiting for its result.
#[cfg(feature = "gpu")]
struct QueryInProgress<G> {
    query: Query,
    target: QueryTarget<G>,
    places: DeviceQuery,
    pending: Box<dyn PendingQuery>,
}

/// World of a scene with its gauges and, if a device steps the world, the copy on the device.
pub(crate) struct ModelSimulation<S: SceneModel> {
    scene: S,
    world: S::World,
    /// Gauges of the scene, followed by those that its events add or change. The index of a gauge
    /// is its number.
    gauges: Vec<S::Gauge>,
    /// Messages for the user about polygons in the scene that cover no cell of the grid, and about
    /// time series that do not overlap the run.
    scene_notices: Vec<String>,
    painter: Option<<S::World as ModelWorld>::Painter>,
    stepping: SteppingBackend<S::World>,
    /// Queries that are still waiting for their results, oldest first.
    #[cfg(feature = "gpu")]
    pending_queries: VecDeque<QueryInProgress<S::Gauge>>,
}

impl<S: SceneModel> ModelSimulation<S> {
    /// Builds the initial world of a scene, with the scene's gauges.
    ///
    /// # Errors
    /// Returns [`SceneError`] if a file cannot be used, or if the scene does not fit the grid
    /// that a file defines.
    pub(crate) fn new(scene: &S) -> Result<Self, SceneError> {
        let world = S::World::build(scene)?;
        let gauges = scene.common_tables().all_gauges().map(|(_, gauge)| gauge.clone()).collect();
        let mut scene_notices = all_places(scene).notices(&world.lattice());
        scene_notices.extend(series_notices(scene));
        let (scene, stepping) = (scene.clone(), SteppingBackend::on_host());
        Ok(Self {
            scene,
            world,
            gauges,
            scene_notices,
            painter: None,
            stepping,
            #[cfg(feature = "gpu")]
            pending_queries: VecDeque::new(),
        })
    }

    /// Creates a painter of pictures. The current state of the world determines its colour scales.
    fn new_painter(&self) -> Result<<S::World as ModelWorld>::Painter, SceneError> {
        if !HAS_PICTURES {
            return Err(self.scene.error("picture", NO_PICTURES));
        }
        let painter = self.world.create_painter(&self.scene);
        painter.map_err(|error| {
            self.scene.error(&format!("picture.{}", error.what), error.to_string())
        })
    }
}

/// Downcasts an action to the action type of the model whose scenes have the type `S`.
fn downcast_action<S: SceneModel>(action: &AnyAction) -> Result<&S::Action, ModelError> {
    action.get().ok_or_else(|| "the action belongs to another model".into())
}

impl<S: SceneModel> Executor for ModelSimulation<S> {
    fn grid(&self) -> Grid {
        let lattice = self.world.lattice();
        Grid { lattice: lattice_name(&lattice).into(), nx: lattice.nx(), ny: lattice.ny() }
    }

    fn extent(&self) -> GridExtent {
        if S::LENGTH_UNIT != " m" {
            return GridExtent::default();
        }
        GridExtent::new(&self.world.lattice(), self.world.placement().georeference)
    }

    fn time(&self) -> f64 {
        self.stepping.progress().map_or_else(|| self.world.model().time(), |(time, _)| time)
    }

    fn steps(&self) -> u64 {
        self.stepping.progress().map_or_else(|| self.world.model().steps(), |(_, steps)| steps)
    }

    fn relaxation_step(&mut self) -> Result<bool, ModelError> {
        let prepared = self.world.relaxation_step(&self.scene);
        if !matches!(prepared, Ok(false)) {
            self.stepping.invalidate();
        }
        Ok(prepared?)
    }

    fn has_reached(&self, stop: f64) -> bool {
        self.world.has_reached(stop, self.time(), self.steps())
    }

    fn step_toward(&mut self, stop: f64, limit: StepLimit) -> Result<bool, ModelError> {
        let max_steps = match limit {
            StepLimit::Steps(max_steps) => max_steps,
            StepLimit::Efficient => self.stepping.steps_per_call(),
            StepLimit::Before(next) if self.stepping.uses_device() => {
                let left = (next - self.time()) / self.world.step_length();
                // The clamp also handles infinities.
                left.ceil().clamp(1.0, MAX_STEPS_PER_CALL_ON_DEVICE) as u64
            }
            StepLimit::Before(_) => 1,
        };
        if let Some(stepped) = self.stepping.step_toward(&self.world, stop, max_steps) {
            return stepped;
        }
        let can_step = !self.has_reached(stop);
        if can_step {
            self.world.step(&self.scene, stop, max_steps)?;
        }
        Ok(can_step)
    }

    fn discard_device_copy(&mut self) {
        #[cfg(feature = "gpu")]
        self.pending_queries.clear();
        self.stepping.discard_device_copy();
    }

    fn read_back(&mut self) -> Result<bool, ModelError> {
        self.stepping.read_back(&mut self.world)
    }

    fn apply_event(&mut self, event: usize) -> Result<(), ModelError> {
        let Some(action) = self.scene.common_tables().events[event].action() else { return Ok(()) };
        self.stepping.invalidate();
        Ok(self.world.apply_action(action)?)
    }

    fn is_state_finite(&mut self) -> Result<bool, ModelError> {
        Ok(self.world.has_finite_state())
    }

    fn measure_gauge(&mut self, gauge: usize) -> Result<GaugeValues, ModelError> {
        Ok(self.gauge_values(gauge))
    }

    fn determine_color_scales(&mut self) -> Result<(), SceneError> {
        self.painter = Some(self.new_painter()?);
        Ok(())
    }

    fn draw_picture(&mut self) -> Result<Picture, SceneError> {
        if !HAS_PICTURES {
            return Err(self.scene.error("picture", NO_PICTURES));
        }
        let mut painter = match self.painter.take() {
            Some(painter) => painter,
            None => self.new_painter()?,
        };
        let picture = self.world.draw_picture(&self.scene, &mut painter);
        self.painter = Some(painter);
        Ok(picture)
    }

    fn write_outputs(&mut self, folder: &Path, times: &[f64]) -> Result<WrittenFiles, String> {
        if !HAS_PICTURES {
            return Err(NO_PICTURES.into());
        }
        write::write_final_files(&self.world, &self.scene, folder, times)
    }

    fn write_layers(
        &mut self,
        folder: &Path,
        output_time: &OutputTime<'_>,
    ) -> Result<Vec<PathBuf>, String> {
        if !HAS_PICTURES {
            return Err(NO_PICTURES.into());
        }
        write::write_layers(&self.world, &self.scene, folder, output_time)
    }

    fn write_state(&self, into: &mut dyn io::Write) -> io::Result<()> {
        postcard_io::write(&self.world.state(self.painter.as_ref()), into)
    }

    fn restore_state(&mut self, state: &mut dyn io::Read) -> Result<(), String> {
        let mut bytes = Vec::new();
        state.read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
        self.restore(&bytes)
    }

    fn restore_parts(&mut self, folder: &Path, contents: &CheckpointParts) -> Result<(), String> {
        self.stepping.invalidate();
        self.world.restore_parts(folder, contents).map_err(|error| error.to_string())
    }

    fn compute_state_hash(&mut self) -> Result<u64, ModelError> {
        Ok(self.world.state_hash())
    }

    fn volume_balance(&mut self) -> Result<LedgerSummary, ModelError> {
        Ok(self.world.ledger(&self.scene))
    }

    fn local_world(&self) -> Option<World<'_>> {
        Some(World::new(&self.world))
    }

    fn relaxation(&self) -> Option<RelaxationStatus> {
        self.world.relaxation()
    }

    fn notices(&self) -> Vec<String> {
        [self.world.notices(), self.scene_notices.clone()].concat()
    }
}

impl<S: SceneModel> SceneWorld for ModelSimulation<S> {
    fn model(&self) -> &dyn Model {
        self.world.model()
    }

    fn world(&self) -> World<'_> {
        World::new(&self.world)
    }

    fn lattice(&self) -> Lattice {
        self.world.lattice()
    }

    fn step_length(&self) -> f64 {
        self.world.step_length()
    }

    fn has_finite_state(&self) -> bool {
        self.world.has_finite_state()
    }

    fn probe(&self, at: Point) -> Vec<ProbeValue> {
        self.world.probe(at)
    }

    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        self.world.layer(name)
    }

    fn read_layer(&self, name: &str, tiles: &[Tile], into: &mut [f32]) -> Result<(), InputError> {
        self.world.read_layer(name, tiles, into)
    }

    fn sample_many(
        &self,
        name: &str,
        points: &[Point],
        into: &mut [f32],
    ) -> Result<(), InputError> {
        self.world.sample_many(name, points, into)
    }

    fn masked_layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        Some(write::mask_no_data(self.world.layer(name)?, self.world.placement().no_data))
    }

    fn meshes(&self) -> Vec<MeshPart> {
        self.world.mesh_parts()
    }

    fn datum(&self) -> f64 {
        self.world.placement().datum
    }

    fn gauge_values(&self, gauge: usize) -> GaugeValues {
        let gauge = self.gauges.get(gauge);
        gauge.map_or_else(Vec::new, |gauge| self.world.measure_gauge(&self.scene, gauge))
    }

    fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    fn ledger(&self) -> LedgerSummary {
        self.world.ledger(&self.scene)
    }

    fn statistics(&self) -> Vec<(&'static str, Value)> {
        self.world.statistics(&self.scene)
    }

    fn gauge_count(&self) -> usize {
        self.gauges.len()
    }
}

impl<S: SceneModel> Simulation for ModelSimulation<S> {
    fn supports_devices(&self) -> bool {
        #[cfg(feature = "gpu")]
        return S::World::DEVICE.is_some();
        #[cfg(not(feature = "gpu"))]
        false
    }

    fn set_backend(&mut self, backend: &Backend) -> Result<(), ModelError> {
        #[cfg(feature = "gpu")]
        if backend.is_device() {
            let support = S::World::DEVICE.ok_or("this model runs on the CPU only")?;
            if let Some(reason) = (support.cpu_only_reason)(&self.world) {
                return Err(reason.into());
            }
        }
        self.stepping.move_to(&mut self.world, backend)
    }

    fn is_ready(&self) -> bool {
        self.stepping.is_ready()
    }

    #[cfg(feature = "gpu")]
    fn draw_into(
        &mut self,
        view: &headwater_gpu::wgpu::TextureView,
        ground: Option<&headwater::Field<f32>>,
    ) -> Result<bool, ModelError> {
        self.stepping.draw_into(&self.world, view, ground)
    }

    #[cfg(feature = "gpu")]
    fn write_tracers(&mut self, target: &headwater_gpu::wgpu::Buffer) -> Result<bool, ModelError> {
        self.stepping.write_tracers(target)
    }

    #[cfg(feature = "gpu")]
    fn query(&mut self, request: Query) -> Result<bool, ModelError> {
        let target = match request {
            Query::Gauge(number) => self.gauges.get(number).cloned().map(QueryTarget::Gauge),
            Query::Point(at) => Some(QueryTarget::Point(at)),
        };
        let places = target.and_then(|target| {
            let query = S::World::DEVICE?.query;
            Some((query(&self.world, &self.scene, &target)?, target))
        });
        let Some((places, target)) = places else { return Ok(false) };
        let Some(pending) = self.stepping.query(&places)? else { return Ok(false) };
        self.pending_queries.push_back(QueryInProgress { query: request, target, places, pending });
        Ok(true)
    }

    #[cfg(feature = "gpu")]
    fn query_results(&mut self) -> Vec<QueryResult> {
        let mut answers = Vec::new();
        while let Some(QueryInProgress { query, target, places, pending }) =
            self.pending_queries.front_mut()
        {
            let Some(found) = pending.try_take() else { break };
            // An error is ignored here, because the next step reports it.
            let values = S::World::DEVICE.zip(found.ok()).map(|(support, found)| {
                let values = support.query_values;
                (found.time, values(&self.world, &self.scene, target, places, &found))
            });
            let (time, values) = values.unwrap_or((f64::NAN, Vec::new()));
            answers.push(QueryResult { query: *query, time, values });
            self.pending_queries.pop_front();
        }
        answers
    }

    fn apply_on_device(&mut self, action: &AnyAction) -> Result<DeviceEventResult, ModelError> {
        let action = downcast_action::<S>(action)?;
        #[cfg(feature = "gpu")]
        if self.stepping.has_current_copy()
            && S::World::DEVICE
                .is_some_and(|support| (support.supports_action)(&self.world, action))
        {
            self.world.apply_action(action)?;
            return Ok(self.stepping.apply_action(&self.world, action));
        }
        let _ = action;
        Ok(DeviceEventResult::NotOnDevice)
    }

    fn apply_action(&mut self, action: &AnyAction) -> Result<(), ModelError> {
        let action = downcast_action::<S>(action)?;
        self.stepping.invalidate();
        Ok(self.world.apply_action(action)?)
    }

    fn apply_settings(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let new = downcast_scene(scene)?;
        self.stepping.invalidate();
        self.world.apply_settings(&self.scene, new)
    }

    fn set_scene(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let new = downcast_scene::<S>(scene)?;
        self.world.set_scene(&self.scene, new)?;
        self.scene = new.clone();
        Ok(())
    }

    fn add_gauge(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let events = downcast_scene::<S>(scene)?.common_tables().events;
        let gauge = events.last().and_then(|event| event.gauge_edit()?.gauge());
        self.gauges.push(gauge.ok_or("the last event has no gauge")?.clone());
        Ok(())
    }

    fn snapshot(&self) -> Result<Vec<u8>, String> {
        let mut state = Vec::new();
        self.write_state(&mut state).map_err(|error| error.to_string())?;
        Ok(state)
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.stepping.invalidate();
        let state = postcard::from_bytes(state).map_err(|error| format!("is damaged: {error}"))?;
        let restored = self.world.restore(&self.scene, state, self.painter.as_mut());
        restored.map_err(|error| error.to_string())
    }

    fn model_mut(&mut self) -> &mut dyn Model {
        self.stepping.invalidate();
        self.world.model_mut()
    }

    fn world_mut(&mut self) -> WorldMut<'_> {
        self.stepping.invalidate();
        WorldMut::new(&mut self.world)
    }
}
