//! [`WorldRun`]: a scene's world being run, the same for every model.

use super::backend::Backend;
use super::bytes;
use super::executor::Executor;
#[cfg(feature = "gpu")]
use super::model_world::Asker;
use super::model_world::{GaugeOf, ModelWorld};
use super::names::Moment;
#[cfg(feature = "gpu")]
use super::on_device::{Asked, Inquiry};
use super::outcome::{Acted, Grid, Measured, ModelError, Written, of_model};
use super::parts::Kept;
use super::probe::Probed;
#[cfg(feature = "gpu")]
use super::question::{Answered, Question};
use super::simulation::Simulation;
use super::stepping::Stepping;
use super::summary::{LedgerSummary, lattice_name};
use super::world::{World, WorldMut};
use super::write;
use crate::mesh::Part;
use crate::picture::Picture;
use crate::scene::{Places, Rules, SceneError, Tables};
use headwater::flow::RelaxationStatus;
use headwater::{Field, Lattice, Model, Point};
use serde_json::Value;
use std::any::Any;
use std::borrow::Cow;
#[cfg(feature = "gpu")]
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};

/// Whether pictures and files of layers and meshes can be made. Without, the linker leaves out all that draws and writes.
const DRAWS: bool = cfg!(feature = "pictures");

/// Most steps that a device does at once while something is due during them.
const MOST_ON_DEVICE: f64 = 64.0;

/// What is said where they cannot.
const NO_PICTURES: &str = "this was built without the feature `pictures`";

/// A question to a world on a GPU whose answer is on its way.
#[cfg(feature = "gpu")]
struct Underway<W: ModelWorld> {
    question: Question,
    who: Asker<GaugeOf<W>>,
    places: Inquiry,
    asked: Box<dyn Asked>,
}

/// A scene's world being run, here or on a device.
pub(crate) struct WorldRun<W: ModelWorld> {
    scene: W::Scene,
    world: W,
    /// What it can measure, by number.
    gauges: Vec<GaugeOf<W>>,
    /// Words on polygons that cover no cell.
    uncovered: Vec<String>,
    painter: Option<W::Painter>,
    stepping: Stepping<W>,
    /// What was asked of the world on a GPU, and its answers on their way.
    #[cfg(feature = "gpu")]
    asked: VecDeque<Underway<W>>,
}

impl<W: ModelWorld> WorldRun<W> {
    /// The world of a scene as it is at its start.
    ///
    /// # Errors
    /// [`SceneError`] if a file cannot be used, or something does not fit the grid that came from it.
    pub(crate) fn new(scene: &W::Scene) -> Result<Self, SceneError> {
        let world = W::build(scene)?;
        let gauges = scene.common().all_gauges().map(|(_, gauge)| gauge.clone()).collect();
        let mut places = Places::default();
        scene.places(&mut places);
        let uncovered = places.notices(&world.lattice());
        let (scene, stepping) = (scene.clone(), Stepping::on_host());
        Ok(Self {
            scene,
            world,
            gauges,
            uncovered,
            painter: None,
            stepping,
            #[cfg(feature = "gpu")]
            asked: VecDeque::new(),
        })
    }

    /// A painter for the world as it is.
    fn new_painter(&self) -> Result<W::Painter, SceneError> {
        if !DRAWS {
            return Err(self.scene.error("picture", NO_PICTURES));
        }
        let painter = self.world.painter(&self.scene);
        painter.map_err(|error| {
            self.scene.error(&format!("picture.{}", error.what), error.to_string())
        })
    }
}

impl<W: ModelWorld> Executor for WorldRun<W> {
    fn grid(&self) -> Grid {
        let lattice = self.world.lattice();
        Grid { lattice: lattice_name(&lattice).into(), nx: lattice.nx(), ny: lattice.ny() }
    }

    fn time(&self) -> f64 {
        self.stepping.progress().map_or_else(|| self.world.model().time(), |(time, _)| time)
    }

    fn steps(&self) -> u64 {
        self.stepping.progress().map_or_else(|| self.world.model().steps(), |(_, steps)| steps)
    }

    fn prepare_step(&mut self) -> Result<bool, ModelError> {
        let prepared = self.world.prepare_step(&self.scene);
        if !matches!(prepared, Ok(false)) {
            self.stepping.invalidate();
        }
        Ok(prepared?)
    }

    fn is_at(&self, stop: f64) -> bool {
        self.world.is_at(stop, self.time(), self.steps())
    }

    fn steps_toward(&mut self, stop: f64, most: u64) -> Result<bool, ModelError> {
        if let Some(stepped) = self.stepping.step_toward(&mut self.world, stop, most) {
            return stepped;
        }
        let goes = !self.is_at(stop);
        if goes {
            self.world.step(&self.scene, stop, most)?;
        }
        Ok(goes)
    }

    fn step_toward(&mut self, stop: f64) -> Result<bool, ModelError> {
        self.steps_toward(stop, self.stepping.together())
    }

    /// Devices work in batches, so a single step costs more there.
    fn steps_before(&self, next: f64) -> u64 {
        if !self.stepping.is_elsewhere() {
            return 1;
        }
        let left = (next - self.time()) / self.world.step_length();
        // A number that is not finite becomes one of the limits.
        left.ceil().clamp(1.0, MOST_ON_DEVICE) as u64
    }

    fn abandon(&mut self) {
        self.stepping.abandon();
    }

    fn read_back(&mut self) -> Result<bool, ModelError> {
        self.stepping.read_back(&mut self.world)
    }

    fn act(&mut self, event: usize) -> Result<(), ModelError> {
        let Some(action) = self.scene.common().events[event].action() else { return Ok(()) };
        self.stepping.invalidate();
        Ok(self.world.act(action)?)
    }

    fn check_finite(&mut self) -> Result<bool, ModelError> {
        Ok(self.world.is_sound())
    }

    fn measure_gauge(&mut self, gauge: usize) -> Result<Measured, ModelError> {
        Ok(self.measured(gauge))
    }

    fn gauges(&self) -> usize {
        self.gauges.len()
    }

    fn fix_scales(&mut self) -> Result<(), SceneError> {
        self.painter = Some(self.new_painter()?);
        Ok(())
    }

    fn paint(&mut self) -> Result<Picture, SceneError> {
        if !DRAWS {
            return Err(self.scene.error("picture", NO_PICTURES));
        }
        let mut painter = match self.painter.take() {
            Some(painter) => painter,
            None => self.new_painter()?,
        };
        let picture = self.world.paint(&self.scene, &mut painter);
        self.painter = Some(painter);
        Ok(picture)
    }

    fn write_outputs(&mut self, folder: &Path, times: &[f64]) -> Result<Written, String> {
        if !DRAWS {
            return Err(NO_PICTURES.into());
        }
        write::write(&self.world, &self.scene, folder, times)
    }

    fn write_layers(&mut self, folder: &Path, moment: &Moment<'_>) -> Result<Vec<PathBuf>, String> {
        if !DRAWS {
            return Err(NO_PICTURES.into());
        }
        write::layers(&self.world, &self.scene, folder, moment)
    }

    fn write_state(&self, into: &mut dyn io::Write) -> io::Result<()> {
        bytes::write(&self.world.state(self.painter.as_ref()), into)
    }

    fn restore_from(&mut self, state: &mut dyn io::Read) -> Result<(), String> {
        let mut bytes = Vec::new();
        state.read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
        self.restore(&bytes)
    }

    fn restore_parts(&mut self, folder: &Path, kept: &Kept) -> Result<(), String> {
        self.stepping.invalidate();
        self.world.restore_parts(folder, kept).map_err(|error| error.to_string())
    }

    fn hash(&mut self) -> Result<u64, ModelError> {
        Ok(self.world.state_hash())
    }

    fn balance(&mut self) -> Result<LedgerSummary, ModelError> {
        Ok(self.world.ledger())
    }

    fn undivided(&self) -> Option<World<'_>> {
        Some(World::of(&self.world))
    }

    fn settling(&self) -> Option<RelaxationStatus> {
        self.world.settling()
    }

    fn notices(&self) -> Vec<String> {
        [self.world.notices(), self.uncovered.clone()].concat()
    }
}

impl<W: ModelWorld> Simulation for WorldRun<W> {
    fn step_length(&self) -> f64 {
        self.world.step_length()
    }

    fn knows_devices(&self) -> bool {
        W::ON_DEVICES
    }

    fn set_backend(&mut self, backend: &Backend) -> Result<(), ModelError> {
        if backend.is_device() {
            let here = (!W::ON_DEVICES).then_some("this model runs on the CPU alone");
            if let Some(reason) = here.or_else(|| self.world.host_only()) {
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
    fn draw_tracers(&mut self, target: &headwater_gpu::wgpu::Buffer) -> Result<bool, ModelError> {
        self.stepping.draw_tracers(target)
    }

    #[cfg(feature = "gpu")]
    fn ask(&mut self, what: Question) -> Result<bool, ModelError> {
        let who = match what {
            Question::Gauge(number) => self.gauges.get(number).cloned().map(Asker::Gauge),
            Question::Place(at) => Some(Asker::Place(at)),
        };
        let places = who.and_then(|who| Some((self.world.inquiry(&self.scene, &who)?, who)));
        let Some((places, who)) = places else { return Ok(false) };
        let Some(asked) = self.stepping.ask(&places)? else { return Ok(false) };
        self.asked.push_back(Underway { question: what, who, places, asked });
        Ok(true)
    }

    #[cfg(feature = "gpu")]
    fn answers(&mut self) -> Vec<Answered> {
        let mut answers = Vec::new();
        while let Some(Underway { question, who, places, asked }) = self.asked.front_mut() {
            let Some(found) = asked.try_take() else { break };
            // Why there is none comes to light where the world is stepped.
            let (time, values) = found.map_or((f64::NAN, Vec::new()), |found| {
                (found.time, self.world.told(&self.scene, who, places, &found))
            });
            answers.push(Answered { question: *question, time, values });
            self.asked.pop_front();
        }
        answers
    }

    fn act_on_device(&mut self, alone: &dyn Any) -> Result<Acted, ModelError> {
        let alone = alone.downcast_ref::<W::Scene>().map(|scene| scene.common().events);
        let (Some([event]), true) = (alone, self.stepping.is_on_device()) else {
            return Ok(Acted::NotOnDevice);
        };
        let Some(action) = event.action().filter(|action| self.world.acts_on_device(action)) else {
            return Ok(Acted::NotOnDevice);
        };
        self.world.act(action)?;
        Ok(self.stepping.act(&self.world, action))
    }

    fn act_alone(&mut self, alone: &dyn Any) -> Result<(), ModelError> {
        let scene = of_model::<W::Scene>(alone)?;
        self.stepping.invalidate();
        scene.common().actions().try_for_each(|(_, action)| self.world.act(action))?;
        Ok(())
    }

    fn retune(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let new = of_model(scene)?;
        self.stepping.invalidate();
        self.world.tune(&self.scene, new)
    }

    fn follow(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let new = of_model::<W::Scene>(scene)?;
        self.world.follow(&self.scene, new)?;
        self.scene = new.clone();
        Ok(())
    }

    fn is_sound(&self) -> bool {
        self.world.is_sound()
    }

    fn measured(&self, gauge: usize) -> Measured {
        let gauge = self.gauges.get(gauge);
        gauge.map_or_else(Vec::new, |gauge| self.world.measure(&self.scene, gauge))
    }

    fn add_gauge(&mut self, scene: &dyn Any) -> Result<(), ModelError> {
        let events = of_model::<W::Scene>(scene)?.common().events;
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

    fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    fn ledger(&self) -> LedgerSummary {
        self.world.ledger()
    }

    fn figures(&self) -> Vec<(&'static str, Value)> {
        self.world.figures(&self.scene)
    }

    fn lattice(&self) -> Lattice {
        self.world.lattice()
    }

    fn probe(&self, at: Point) -> Vec<Probed> {
        self.world.probe(at)
    }

    fn model(&self) -> &dyn Model {
        self.world.model()
    }

    fn model_mut(&mut self) -> &mut dyn Model {
        self.stepping.invalidate();
        self.world.model_mut()
    }

    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        self.world.layer(name)
    }

    fn known_layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        Some(write::known(self.world.layer(name)?, self.world.no_data()))
    }

    fn meshes(&self) -> Vec<Part> {
        self.world.parts()
    }

    fn datum(&self) -> f64 {
        self.world.datum()
    }

    fn world(&self) -> World<'_> {
        World::of(&self.world)
    }

    fn world_mut(&mut self) -> WorldMut<'_> {
        self.stepping.invalidate();
        WorldMut::of(&mut self.world)
    }
}
