//! [`Simulation`]: an undivided world, whichever model moves it.

use super::backend::Backend;
use super::executor::Executor;
use super::probe::ProbeValue;
use super::query::{Query, QueryResult};
use super::summary::LedgerSummary;
use super::types::{DeviceEventResult, GaugeValues, ModelError};
use super::world::{World, WorldMut};
use crate::mesh::Part;
use headwater::{Field, Lattice, Model, Point};
use std::any::Any;
use std::borrow::Cow;

/// Undivided world of a scene, with access to its model. Those of all models are made of a
/// [`ModelWorld`](super::ModelWorld).
pub trait Simulation: Executor + Sync {
    /// How long a step is now (s).
    fn step_length(&self) -> f64;

    /// Whether the model can be stepped on devices, if nothing in the world is against it.
    fn supports_devices(&self) -> bool;

    /// Has the world stepped by a backend from now on, from the state that it has.
    ///
    /// # Errors
    /// Why the backend cannot step it, or why it cannot be brought back from where it was; then it stays there.
    fn set_backend(&mut self, backend: &Backend) -> Result<(), ModelError>;

    /// Draws a world that is stepped on a GPU, as it is there after all steps so far, into a texture on that GPU, as
    /// [`GpuFlow::draw_into`](headwater_gpu::flow::GpuFlow::draw_into) and
    /// [`GpuWaves::draw_over`](headwater_gpu::waves::GpuWaves::draw_over) do it: nothing is brought back. False for one that is
    /// stepped here.
    ///
    /// # Errors
    /// Why it cannot be drawn.
    #[cfg(feature = "gpu")]
    fn draw_into(
        &mut self,
        view: &headwater_gpu::wgpu::TextureView,
        ground: Option<&headwater::Field<f32>>,
    ) -> Result<bool, ModelError>;

    /// Whether the world can be stepped and worked on now. Only in browsers, where nobody can wait, one on a GPU may not be for a
    /// few frames.
    fn is_ready(&self) -> bool {
        true
    }

    /// Writes the tracers of a world that is stepped on a GPU into a buffer there, as
    /// [`GpuFlow::draw_tracers`](headwater_gpu::flow::GpuFlow::draw_tracers) does. False for one that is stepped here, or has none.
    ///
    /// # Errors
    /// Why that cannot be done.
    #[cfg(feature = "gpu")]
    fn draw_tracers(&mut self, target: &headwater_gpu::wgpu::Buffer) -> Result<bool, ModelError>;

    /// Asks a world that is stepped on a GPU for what a gauge measures now, or what is at a place, without bringing it back: the
    /// [answer](Self::query_results) comes a while later. False if it is not there, or this cannot be asked for.
    ///
    /// # Errors
    /// Why it cannot be asked.
    fn query(&mut self, what: Query) -> Result<bool, ModelError> {
        let _ = what;
        Ok(false)
    }

    /// The answers that have come since this was asked, in the order of the questions.
    fn query_results(&mut self) -> Vec<QueryResult> {
        Vec::new()
    }

    /// Does what the one event of a scene says to a world that is stepped elsewhere, where it is: it does not come back for
    /// that. The world here, which is as it was brought back last, has it done to it too.
    ///
    /// # Errors
    /// The model's reason to refuse; then nothing is done.
    fn apply_event_on_device(&mut self, alone: &dyn Any) -> Result<DeviceEventResult, ModelError>;

    /// True as long as the state is numbers.
    fn is_sound(&self) -> bool;

    /// What the gauge of that number measures now, each value with what it is and its unit, as `depth_m`. The scene's gauges come
    /// first, then those that its events add or change to, then those that [`add_gauge`](Self::add_gauge) added. Nothing if there is no
    /// such gauge.
    fn gauge_values(&self, gauge: usize) -> GaugeValues;

    /// The values of that alone.
    fn gauge_reading(&self, gauge: usize) -> Vec<f64> {
        self.gauge_values(gauge).into_iter().map(|(_, value)| value).collect()
    }

    /// What they are.
    fn gauge_columns(&self, gauge: usize) -> Vec<&'static str> {
        self.gauge_values(gauge).into_iter().map(|(head, _)| head).collect()
    }

    /// Gets to know one more gauge, which then has the number that [`gauge_count`](Executor::gauge_count) was: the one that the last event of a
    /// scene of its model adds or changes to.
    ///
    /// # Errors
    /// That the scene is of another model, or its last event has no gauge.
    fn add_gauge(&mut self, scene: &dyn Any) -> Result<(), ModelError>;

    /// Returns the state as bytes that [`restore`](Self::restore) reads.
    ///
    /// # Errors
    /// The reason why it cannot be serialized.
    fn snapshot(&self) -> Result<Vec<u8>, String>;

    /// Goes on from a state of the same scene.
    ///
    /// # Errors
    /// Says in words what is wrong with the bytes.
    fn restore(&mut self, state: &[u8]) -> Result<(), String>;

    /// A hash of the state: the same for the same scene on every machine.
    fn state_hash(&self) -> u64;

    /// What came, went and is there, in the model's unit of volume.
    fn ledger(&self) -> LedgerSummary;

    /// Figures of the world as it is, each with its name, such as `lowest_ground_metres`.
    fn figures(&self) -> Vec<(&'static str, serde_json::Value)>;

    /// Where its cells are; those of blocks are 1 wide.
    fn lattice(&self) -> Lattice;

    /// What is at a place (m from the top-left corner; of blocks, cells). Nothing off the grid.
    fn probe(&self, at: Point) -> Vec<ProbeValue>;

    /// The model that moves it, by what all models can do; of several worlds, the last. Its heights may be counted from
    /// another level than the scene's: those of a [`layer`](Self::layer) and of [`probe`](Self::probe) are the scene's.
    fn model(&self) -> &dyn Model;

    /// The same, to be changed.
    fn model_mut(&mut self) -> &mut dyn Model;

    /// A layer by name, as a run writes it; `None` if there is no such layer.
    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>>;

    /// The same, but NaN in cells that are no part of the world, such as those whose heights are missing in a terrain file.
    fn masked_layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        self.layer(name)
    }

    /// Ground and water as triangles, lifted by [`datum`](Self::datum); of worlds in side view, nothing.
    fn meshes(&self) -> Vec<Part>;

    /// How high the model's height 0 lies (m).
    fn datum(&self) -> f64;

    /// The world itself. One that is stepped elsewhere is as it was brought back last.
    fn world(&self) -> World<'_>;

    /// The world itself, to be changed.
    fn world_mut(&mut self) -> WorldMut<'_>;

    /// Does the only event of a scene of its model.
    ///
    /// # Errors
    /// The model's reason to refuse, or that the scene is of another model.
    fn apply_single_event(&mut self, alone: &dyn Any) -> Result<(), ModelError>;

    /// Has the world take on the values of another version of its scene, which [`set_scene`](Self::set_scene) then takes over.
    ///
    /// # Errors
    /// The model's reason to refuse, or that the scene is of another model.
    fn apply_settings(&mut self, scene: &dyn Any) -> Result<(), ModelError>;

    /// Takes over another version of its scene (as [`Scene::as_any`](crate::scene::Scene::as_any) gives it), which differs in values that can be changed while the world runs. What
    /// the model itself holds of them is not touched.
    ///
    /// # Errors
    /// The scene's, if it is of another model.
    fn set_scene(&mut self, scene: &dyn Any) -> Result<(), ModelError>;
}
