//! [`BandedRun`]: a scene's world in bands, as a run drives it.

use super::overview::Overview;
use super::world::{Made, make};
use super::write::{self, Ground};
use crate::flow::gauges::at_point;
use crate::flow::world::idle;
use crate::flow::{BodyKind, FlowScene, Gauge, Target};
use crate::mesh::Part;
use crate::picture::{Looks, Painter, Picture, Style, View};
use crate::run::{
    Acted, Backend, Grid, LedgerSummary, Measured, ModelError, Moment, Probed, Simulation, World,
    WorldMut, Written, at_time, lattice_name,
};
use crate::scene::{LayerFormat, SceneError, Tables};
use headwater::flow::{Banded, Flow, Params, Settled};
use headwater::{Field, Lattice, Model, Point, Square};
use std::any::Any;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A scene's world being run, some rows of which are in memory.
pub(in crate::flow) struct BandedRun {
    scene: FlowScene,
    /// What it can measure, by number.
    gauges: Vec<Gauge>,
    world: Mutex<Banded>,
    /// What went wrong where it could not be said.
    fault: Mutex<Option<String>>,
    ground: Ground,
    notices: Vec<String>,
    overview: Overview,
    painter: Option<Painter>,
    /// A world of one cell, for whoever asks for the model itself: this one is nowhere in one piece.
    stand_in: Flow,
}

/// The steps that are done before whoever watches is asked again.
const TOGETHER: usize = 8;

/// What is said where a world in one piece would have to be there.
const IN_BANDS: &str = "of a world of which only some rows are in memory nothing can be changed";

impl BandedRun {
    /// The world of a scene as it is at its start.
    ///
    /// # Errors
    /// [`SceneError`] if the scene asks for what is not done so, or the memory does not do.
    pub(in crate::flow) fn new(
        scene: &FlowScene,
        memory: usize,
        scratch: &Path,
    ) -> Result<Self, SceneError> {
        let Made { world, datum, overview, georeference, void, mut notices } =
            make(scene, memory, scratch)?;
        let [all, here] = world.bands();
        notices.push(format!("{here} of {all} bands of rows are in memory at a time"));
        if scene.flood.is_some() {
            notices.push("flood.png is not drawn with --memory".into());
        }
        notices.extend(idle(scene));
        let one = || Field::new(1, 1, 0.0);
        let stand_in = Square::new(1, 1, 1.0, 1.0)
            .and_then(|lattice| Flow::new(lattice, Params::default(), one(), one()))
            .map_err(scene.refused("grid"))?;
        Ok(Self {
            scene: scene.clone(),
            gauges: scene.common().all_gauges().map(|(_, gauge)| gauge.clone()).collect(),
            world: Mutex::new(world),
            fault: Mutex::new(None),
            notices,
            overview,
            ground: Ground { datum, georeference, void },
            painter: None,
            stand_in,
        })
    }

    fn world(&self) -> MutexGuard<'_, Banded> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the world; why it cannot be asked is told by the next step.
    fn ask<T>(&self, ask: impl FnOnce(&mut Banded) -> io::Result<T>) -> Option<T> {
        let asked = ask(&mut self.world());
        asked
            .map_err(|error| {
                let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
                *fault = Some(error.to_string());
            })
            .ok()
    }

    /// Says what went wrong where it could not be said.
    fn told(&self) -> Result<(), ModelError> {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.take().map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// Whether anything is drawn.
    fn draws(&self) -> bool {
        let record = self.scene.common().output.recording(&self.scene.time);
        record.final_picture || record.frame_every.is_some()
    }

    /// Shows the world as far as pictures can show it.
    fn with_view<R>(&mut self, look: impl FnOnce(Style, &View<'_>) -> R) -> Result<R, SceneError> {
        let mut world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        let followed = self.overview.follow(&mut world);
        followed.map_err(self.scene.refused("picture"))?;
        let Overview { lattice, bed, depth, closed, no_data, velocity: [east, south], .. } =
            &self.overview;
        let view = View {
            closed: Some(closed),
            no_data: Some(no_data),
            velocity: Some((east, south)),
            time: world.time(),
            datum: self.ground.datum,
            ..View::new(lattice, bed, depth)
        };
        Ok(look(self.scene.picture.clone(), &view))
    }

    fn layers(&self, folder: &Path, moment: &Moment<'_>) -> Result<Vec<PathBuf>, String> {
        let output = self.scene.common().output;
        let format = output.layer_format;
        let mut paths = Vec::new();
        for layer in &output.layers {
            let file = format.file(layer.name());
            let file = match &moment.stamp {
                // A store has all times.
                Some(stamp) if format != LayerFormat::Zarr => at_time(&file, stamp),
                _ => file,
            };
            let path = folder.join(file);
            let world = &mut self.world();
            write::layer(world, &self.scene, layer.name(), &self.ground, moment, &path)?;
            paths.push(path);
        }
        paths.dedup();
        Ok(paths)
    }
}

impl Simulation for BandedRun {
    fn grid(&self) -> Grid {
        let lattice = *self.world().lattice();
        Grid { lattice: lattice_name(&lattice).into(), nx: lattice.nx(), ny: lattice.ny() }
    }

    fn time(&self) -> f64 {
        self.world().time()
    }

    fn steps(&self) -> u64 {
        self.world().steps()
    }

    /// Asked of devices alone.
    fn step_length(&self) -> f64 {
        f64::NAN
    }

    fn prepare_step(&mut self) -> Result<bool, ModelError> {
        Ok(false)
    }

    fn is_at(&self, stop: f64) -> bool {
        self.time() >= stop
    }

    fn steps_toward(&mut self, stop: f64, most: u64) -> Result<bool, ModelError> {
        self.told()?;
        if self.is_at(stop) {
            return Ok(false);
        }
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Ok(self.world().steps_toward(stop, most)? > 0)
    }

    fn knows_devices(&self) -> bool {
        false
    }

    fn step_toward(&mut self, stop: f64) -> Result<bool, ModelError> {
        self.steps_toward(stop, TOGETHER as u64)
    }

    fn set_backend(&mut self, _: &Backend) -> Result<(), ModelError> {
        Err("a world of which only some rows are in memory stays so".into())
    }

    fn abandon(&mut self) {}

    #[cfg(feature = "gpu")]
    fn draw_into(
        &mut self,
        _: &headwater_gpu::wgpu::TextureView,
        _: Option<&Field<f32>>,
    ) -> Result<bool, ModelError> {
        Ok(false)
    }

    #[cfg(feature = "gpu")]
    fn draw_tracers(&mut self, _: &headwater_gpu::wgpu::Buffer) -> Result<bool, ModelError> {
        Ok(false)
    }

    fn read_back(&mut self) -> Result<bool, ModelError> {
        self.told().map(|()| true)
    }

    fn act(&mut self, event: usize) -> Result<(), ModelError> {
        match self.scene.common().events[event].action() {
            None => Ok(()),
            Some(_) => Err(IN_BANDS.into()),
        }
    }

    fn act_on_device(&mut self, _: &dyn Any) -> Result<Acted, ModelError> {
        Ok(Acted::NotOnDevice)
    }

    fn is_sound(&self) -> bool {
        self.world().is_sound()
    }

    fn measured(&self, gauge: usize) -> Measured {
        let lattice = *self.world().lattice();
        let Some(gauge) = self.gauges.get(gauge) else { return Vec::new() };
        match gauge.target(&lattice, &self.scene.bodies) {
            Some(Target::Point(point)) => {
                let there = self.ask(|world| world.at(point)).flatten();
                let [bed, depth, u, v] = there.map_or([f32::NAN; 4], |there| {
                    let [u, v] = there.velocity;
                    [there.bed, there.depth, u, v]
                });
                at_point(self.ground.datum, depth, bed + depth, [u, v])
            }
            Some(Target::Line(points)) => {
                let pairs = points.windows(2).map(|pair| [pair[0], pair[1]]);
                let passed = self.ask(|world| {
                    pairs.map(|[a, b]| world.discharge_through(a, b)).sum::<io::Result<f64>>()
                });
                vec![("discharge_m3_per_s", passed.unwrap_or(f64::NAN))]
            }
            Some(Target::Region(region)) => {
                let volume = self.ask(|world| world.volume_in(&region));
                vec![("volume_m3", volume.unwrap_or(f64::NAN))]
            }
            _ => Vec::new(),
        }
    }

    fn gauges(&self) -> usize {
        self.gauges.len()
    }

    fn add_gauge(&mut self, _: &dyn Any) -> Result<(), ModelError> {
        Err(IN_BANDS.into())
    }

    fn fix_scales(&mut self) -> Result<(), SceneError> {
        if self.draws() {
            let painter = self.with_view(Painter::new)?;
            self.painter = Some(painter.map_err(|error| {
                self.scene.error(&format!("picture.{}", error.what), error.to_string())
            })?);
        }
        Ok(())
    }

    fn paint(&mut self) -> Result<Picture, SceneError> {
        if self.painter.is_none() {
            self.fix_scales()?;
        }
        let Some(mut painter) = self.painter.take() else {
            return Err(self.scene.error("picture", "nothing is drawn"));
        };
        let picture = self.with_view(|_, view| painter.paint(view));
        self.painter = Some(painter);
        picture
    }

    fn write(&self, folder: &Path, times: &[f64]) -> Result<Written, String> {
        let layers = self.layers(folder, &Moment::end(times))?;
        Ok(Written { layers, ..Written::default() })
    }

    fn write_layers(&self, folder: &Path, moment: &Moment<'_>) -> Result<Vec<PathBuf>, String> {
        self.layers(folder, moment)
    }

    /// That of a world in one piece, which can go on from it, too.
    fn write_state(&self, into: &mut dyn io::Write) -> io::Result<()> {
        let mut into = io::BufWriter::with_capacity(1 << 16, into);
        self.world().write_state(&mut into)?;
        let rest = (None::<Settled>, Looks::<BodyKind>::default());
        let rest = postcard::to_stdvec(&rest).map_err(io::Error::other)?;
        io::Write::write_all(&mut into, &rest)?;
        io::Write::flush(&mut into)
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.restore_from(&mut &*state)
    }

    fn restore_from(&mut self, state: &mut dyn io::Read) -> Result<(), String> {
        // What comes after the world are a walk to a steady state and bodies, which it cannot have.
        self.world().read_state(state).map_err(|error| error.to_string())
    }

    fn state_hash(&self) -> u64 {
        self.ask(Banded::state_hash).unwrap_or(u64::MAX)
    }

    fn ledger(&self) -> LedgerSummary {
        let balance = self.ask(Banded::balance);
        LedgerSummary::of(&balance.unwrap_or_else(|| self.world().ledger().balance(f64::NAN)))
    }

    fn settling(&self) -> Option<Settled> {
        None
    }

    fn notices(&self) -> Vec<String> {
        self.notices.clone()
    }

    fn figures(&self) -> Vec<(&'static str, serde_json::Value)> {
        Vec::new()
    }

    fn lattice(&self) -> Lattice {
        *self.world().lattice()
    }

    fn probe(&self, _: Point) -> Vec<Probed> {
        Vec::new()
    }

    fn model(&self) -> &dyn Model {
        &self.stand_in
    }

    fn model_mut(&mut self) -> &mut dyn Model {
        &mut self.stand_in
    }

    fn layer(&self, _: &str) -> Option<Cow<'_, Field<f32>>> {
        None
    }

    /// It is not in memory as a whole: `output.mesh` is refused at the start.
    fn meshes(&self) -> Vec<Part> {
        Vec::new()
    }

    fn datum(&self) -> f64 {
        self.ground.datum
    }

    fn world(&self) -> World<'_> {
        World::of(&self.stand_in)
    }

    fn world_mut(&mut self) -> WorldMut<'_> {
        WorldMut::of(&mut self.stand_in)
    }

    fn act_alone(&mut self, _: &dyn Any) -> Result<(), ModelError> {
        Err(IN_BANDS.into())
    }

    fn retune(&mut self, _: &dyn Any) -> Result<(), ModelError> {
        Err(IN_BANDS.into())
    }

    fn follow(&mut self, _: &dyn Any) -> Result<(), ModelError> {
        Err(IN_BANDS.into())
    }
}
