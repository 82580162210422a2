//! [`Simulation`]: what a run needs of a world, whichever model moves it.

use super::backend::Backend;
use super::names::Moment;
use super::outcome::{Acted, Grid, Measured, ModelError, Written};
use super::parts::Kept;
use super::probe::Probed;
use super::question::{Answered, Question};
use super::summary::LedgerSummary;
use super::world::{World, WorldMut};
use crate::mesh::Part;
use crate::picture::Picture;
use crate::scene::SceneError;
use headwater::flow::Settled;
use headwater::{Field, Lattice, Model, Point};
use std::any::Any;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// A scene's world, as a run drives it; a run knows nothing else of the models. Those of all models are made of what
/// [`ModelWorld`](super::ModelWorld) asks of them.
pub trait Simulation: Send + Sync {
    /// The cells of the world.
    fn grid(&self) -> Grid;

    /// Simulated time (s).
    fn time(&self) -> f64;

    /// Steps done.
    fn steps(&self) -> u64;

    /// How long a step is now (s).
    fn step_length(&self) -> f64;

    /// Does a step of what comes before the clock starts; false if there is nothing left of it.
    ///
    /// # Errors
    /// The model's reason to refuse.
    fn prepare_step(&mut self) -> Result<bool, ModelError>;

    /// True if the world is at the time `stop` (s): no step is left on the way there. Models whose steps have one
    /// length come as near as they can.
    fn is_at(&self, stop: f64) -> bool;

    /// Does a step on the way to the time `stop` (s), or a few, at most `most`, if they go faster together; false if
    /// the world is there. They are the same steps however few are done at once. Where the world is stepped
    /// elsewhere, it does not wait for them to be done.
    ///
    /// # Errors
    /// The model's reason to refuse.
    fn steps_toward(&mut self, stop: f64, most: u64) -> Result<bool, ModelError>;

    /// Whether the model can be stepped on devices, if nothing in the world is against it.
    fn knows_devices(&self) -> bool;

    /// As [`steps_toward`](Self::steps_toward), as many as go best together.
    ///
    /// # Errors
    /// The model's reason to refuse.
    fn step_toward(&mut self, stop: f64) -> Result<bool, ModelError>;

    /// Has the world stepped by a backend from now on, from the state that it has.
    ///
    /// # Errors
    /// Why the backend cannot step it, or why it cannot be brought back from where it was; then it stays there.
    fn set_backend(&mut self, backend: &Backend) -> Result<(), ModelError>;

    /// Takes the world away from where it is stepped, as it was brought back last, to go on here.
    fn abandon(&mut self);

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
    /// [answer](Self::answers) comes a while later. False if it is not there, or this cannot be asked for.
    ///
    /// # Errors
    /// Why it cannot be asked.
    fn ask(&mut self, what: Question) -> Result<bool, ModelError> {
        let _ = what;
        Ok(false)
    }

    /// The answers that have come since this was asked, in the order of the questions.
    fn answers(&mut self) -> Vec<Answered> {
        Vec::new()
    }

    /// Brings the world back from where it is stepped, if that is elsewhere. False if it is on its way, as it may be in browsers: then it is asked for again in a later frame.
    ///
    /// # Errors
    /// Why it cannot be brought back.
    fn read_back(&mut self) -> Result<bool, ModelError>;

    /// Does to the world what the scene's event of that number says; nothing if it is about a gauge.
    ///
    /// # Errors
    /// The model's reason to refuse, which no checked scene gives it.
    fn act(&mut self, event: usize) -> Result<(), ModelError>;

    /// Does what the one event of a scene says to a world that is stepped elsewhere, where it is: it does not come back for
    /// that. The world here, which is as it was brought back last, has it done to it too.
    ///
    /// # Errors
    /// The model's reason to refuse; then nothing is done.
    fn act_on_device(&mut self, alone: &dyn Any) -> Result<Acted, ModelError>;

    /// True as long as the state is numbers.
    fn is_sound(&self) -> bool;

    /// What the gauge of that number measures now, each value with what it is and its unit, as `depth_m`. The scene's gauges come
    /// first, then those that its events add or change to, then those that [`add_gauge`](Self::add_gauge) added. Nothing if there is no
    /// such gauge.
    fn measured(&self, gauge: usize) -> Measured;

    /// The values of that alone.
    fn measure(&self, gauge: usize) -> Vec<f64> {
        self.measured(gauge).into_iter().map(|(_, value)| value).collect()
    }

    /// What they are.
    fn gauge_heads(&self, gauge: usize) -> Vec<&'static str> {
        self.measured(gauge).into_iter().map(|(head, _)| head).collect()
    }

    /// How many gauges it knows. None is ever forgotten.
    fn gauges(&self) -> usize;

    /// Gets to know one more gauge, which then has the number that [`gauges`](Self::gauges) was: the one that the last event of a
    /// scene of its model adds or changes to.
    ///
    /// # Errors
    /// That the scene is of another model, or its last event has no gauge.
    fn add_gauge(&mut self, scene: &dyn Any) -> Result<(), ModelError>;

    /// Fixes the colour scales of all pictures from the world as it is.
    ///
    /// # Errors
    /// [`SceneError`] if the scene's style does not suit the world.
    fn fix_scales(&mut self) -> Result<(), SceneError>;

    /// Draws the world. Without colour scales, they are fixed now.
    ///
    /// # Errors
    /// [`SceneError`] as [`fix_scales`](Self::fix_scales).
    fn paint(&mut self) -> Result<Picture, SceneError>;

    /// Writes the layers and meshes that the scene asks for, at the end, which is the last of the `times` at which layers are written.
    ///
    /// # Errors
    /// Says in words which file cannot be written, and why.
    fn write(&self, folder: &Path, times: &[f64]) -> Result<Written, String>;

    /// Writes the layers that the scene asks for, as they are now, on the way.
    ///
    /// # Errors
    /// Says in words which file cannot be written, and why.
    fn write_layers(&self, folder: &Path, moment: &Moment<'_>) -> Result<Vec<PathBuf>, String>;

    /// Writes the state, to go on from: bytes that [`restore`](Self::restore) reads. They are written as they come, without a copy
    /// of the world.
    ///
    /// # Errors
    /// The reason why they cannot be written.
    fn write_state(&self, into: &mut dyn io::Write) -> io::Result<()>;

    /// The same bytes in memory.
    ///
    /// # Errors
    /// Says in words why the state cannot be told in bytes.
    fn snapshot(&self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        self.write_state(&mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    /// Goes on from a state of the same scene.
    ///
    /// # Errors
    /// Says in words what is wrong with the bytes.
    fn restore(&mut self, state: &[u8]) -> Result<(), String>;

    /// The same from bytes as they come: to where they end, if the world needs all of them at once.
    ///
    /// # Errors
    /// As [`restore`](Self::restore), and why they cannot be read.
    fn restore_from(&mut self, state: &mut dyn io::Read) -> Result<(), String> {
        let mut bytes = Vec::new();
        state.read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
        self.restore(&bytes)
    }

    /// Whether several have the world, none of them the whole: then each [keeps](Self::keep_parts) what he has.
    fn is_spread(&self) -> bool {
        false
    }

    /// Has everybody write what he has of the world, to go on from, into a file of his own in `folder`, all at once. The files' names have the word
    /// `generation` in them.
    ///
    /// # Errors
    /// The reason why they cannot be written, or that one has the world as a whole.
    fn keep_parts(&self, folder: &Path, generation: &str) -> io::Result<Kept> {
        let _ = (folder, generation);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Goes on from a state of the same scene that was [kept](Self::keep_parts) in `folder`, by however many.
    ///
    /// # Errors
    /// Says in words what is wrong with it, and with which file.
    fn go_on_from_parts(&mut self, folder: &Path, kept: &Kept) -> Result<(), String> {
        let _ = (folder, kept);
        Err("is of a world in parts, which this one cannot be".into())
    }

    /// A hash of the state: the same for the same scene on every machine.
    fn state_hash(&self) -> u64;

    /// What came, went and is there, in the model's unit of volume.
    fn ledger(&self) -> LedgerSummary;

    /// What came of settling, as far as it has come; `None` if the scene does not ask for it.
    fn settling(&self) -> Option<Settled>;

    /// What was decided for lack of better knowledge, or fell short, in words for whoever runs the scene.
    fn notices(&self) -> Vec<String>;

    /// Figures of the world as it is, each with its name, such as `lowest_ground_metres`.
    fn figures(&self) -> Vec<(&'static str, serde_json::Value)>;

    /// Where its cells are; those of blocks are 1 wide.
    fn lattice(&self) -> Lattice;

    /// What is at a place (m from the top-left corner; of blocks, cells). Nothing off the grid.
    fn probe(&self, at: Point) -> Vec<Probed>;

    /// The model that moves it, by what all models can do; of several worlds, the last. Its heights may be counted from
    /// another level than the scene's: those of a [`layer`](Self::layer) and of [`probe`](Self::probe) are the scene's.
    fn model(&self) -> &dyn Model;

    /// The same, to be changed.
    fn model_mut(&mut self) -> &mut dyn Model;

    /// A layer by name, as a run writes it; `None` if there is no such layer.
    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>>;

    /// The same, but NaN in cells that are no part of the world, such as those whose heights are missing in a terrain file.
    fn known_layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
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
    fn act_alone(&mut self, alone: &dyn Any) -> Result<(), ModelError>;

    /// Has the world take on the values of another version of its scene, which [`follow`](Self::follow) then takes over.
    ///
    /// # Errors
    /// The model's reason to refuse, or that the scene is of another model.
    fn retune(&mut self, scene: &dyn Any) -> Result<(), ModelError>;

    /// Takes over another version of its scene (as [`Scene::as_any`](crate::scene::Scene::as_any) gives it), which differs in values that can be changed while the world runs. What
    /// the model itself holds of them is not touched.
    ///
    /// # Errors
    /// The scene's, if it is of another model.
    fn follow(&mut self, scene: &dyn Any) -> Result<(), ModelError>;
}
