//! [`BandedRun`]: a distributed world of a scene, as a run drives it.

use super::asking::Asking;
use super::overview::Overview;
use super::rows::draws;
use super::world::outline;
use crate::flow::gauges::at_point;
use crate::flow::view::lines_of;
use crate::flow::world::{Radar, Stroke, idle, source, stroke};
use crate::flow::{Action, Added, BodyKind, FlowScene, Gauge, Target};
use crate::mesh::Part;
use crate::picture::{Looks, Painter, Picture, Style, View};
use crate::raster::Georeference;
use crate::run::{
    Acted, Backend, Errand, Grid, Kept, LedgerSummary, Measured, ModelError, Moment, Probed,
    Reading, Simulation, World, WorldMut, Written, lattice_name,
};
use crate::scene::{Alone, SceneError, Tables, entry_id};
use crate::terrain::{Rows, missing as missing_told};
use headwater::distributed::{DistributedFlow, Workers};
use headwater::flow::{Edit, Flow, Params, Settled};
use headwater::{Field, Lattice, Model, Point, Square};
use std::any::Any;
use std::borrow::Cow;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Running world of a scene of which no process has all rows in memory.
pub(in crate::flow) struct BandedRun {
    pub(super) scene: FlowScene,
    /// Gauges, by number.
    gauges: Vec<Gauge>,
    /// Workers that own its rows.
    pub(super) holders: Asking,
    world: Mutex<DistributedFlow<Asking>>,
    /// Error of a function that returns no error, reported by the next step.
    fault: Mutex<Option<String>>,
    /// Number of rain rasters that had ended when the rain was set last, if known.
    passed: Option<usize>,
    /// Whether a step failed, which makes the world unusable.
    is_lost: bool,
    pub(super) datum: f64,
    /// Position of the world on a map, if known.
    pub(super) georeference: Option<Georeference>,
    notices: Vec<String>,
    pub(super) overview: Overview,
    painter: Option<Painter>,
    /// Lines between the mouths of structures, for pictures.
    pub(super) structures: Vec<[[f64; 2]; 2]>,
    /// One-cell world for callers that need the model itself, because this world exists in parts
    /// only.
    stand_in: Flow,
}

/// Steps between two progress reports with one process; `OF_MANY` with several.
const TOGETHER: u64 = 8;
const OF_MANY: u64 = 64;

/// Error where an undivided world would be needed.
const IN_BANDS: &str = "of a world that nobody has as a whole nothing can be changed";

/// Writes the state of a world in the format of an undivided one.
fn whole_state<K: Workers>(
    world: &mut DistributedFlow<K>,
    into: &mut dyn io::Write,
) -> io::Result<()> {
    let mut into = io::BufWriter::with_capacity(1 << 16, into);
    world.write_state(&mut into)?;
    // The state ends with relaxation and bodies, which a distributed world cannot have.
    let rest = (None::<Settled>, Looks::<BodyKind>::default());
    let rest = postcard::to_stdvec(&rest).map_err(io::Error::other)?;
    io::Write::write_all(&mut into, &rest)?;
    io::Write::flush(&mut into)
}

/// Joins the state of a world that was stored in a folder, in the format of an undivided one.
///
/// # Errors
/// The file at fault and its problem.
pub(super) fn joined(lattice: &Lattice, folder: &Path, kept: &Kept) -> io::Result<Vec<u8>> {
    let files = Reading::of(folder, &kept.parts);
    let mut world = DistributedFlow::kept(lattice, &kept.besides, kept.bands(), files)?;
    let mut state = Vec::new();
    whole_state(&mut world, &mut state)?;
    Ok(state)
}

impl BandedRun {
    /// Creates the initial world of a scene, which the workers build.
    ///
    /// # Errors
    /// [`SceneError`] if something does not fit the grid, or the memory does not suffice.
    pub(super) fn new(scene: &FlowScene, holders: Asking) -> Result<Self, SceneError> {
        let made = holders.make().map_err(scene.refused(""))??;
        let bands = made
            .iter()
            .fold([0; 2], |[all, here], made| [all + made.bands[0], here + made.bands[1]]);
        let missing = made.iter().map(|made| made.missing).sum();
        let Some(first) = made.into_iter().next() else {
            return Err(scene.error("grid", "nobody holds its rows"));
        };
        let (datum, mut notices, beds) = (first.datum, first.notices, first.beds);
        notices.extend(missing_told(missing));
        let (lattice, georeference) = Rows::extent(scene)?;
        let outline = outline(scene, &lattice, datum, &beds)?;
        let structures = lines_of(outline.structures());
        let world = DistributedFlow::over(outline, holders.clone());
        let mut world = world.map_err(scene.refused(""))?;
        world.set_handover(holders.handover());
        let Some(overview) = Overview::new(&lattice) else {
            return Err(scene.error("grid", "no such grid"));
        };
        if holders.count() == 1 {
            let [all, here] = bands;
            notices.push(format!("{here} of {all} row blocks are in memory at a time"));
        }
        notices.extend(idle(scene));
        let one = || Field::new(1, 1, 0.0);
        let stand_in = Square::new(1, 1, 1.0, 1.0)
            .and_then(|lattice| Flow::new(lattice, Params::default(), one(), one()))
            .map_err(scene.refused("grid"))?;
        Ok(Self {
            scene: scene.clone(),
            gauges: scene.common().all_gauges().map(|(_, gauge)| gauge.clone()).collect(),
            holders,
            world: Mutex::new(world),
            fault: Mutex::new(None),
            passed: Some(Radar::passed(scene, 0.0).0),
            is_lost: false,
            datum,
            georeference,
            notices,
            overview,
            painter: None,
            structures,
            stand_in,
        })
    }

    pub(super) fn world(&self) -> MutexGuard<'_, DistributedFlow<Asking>> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queries the world. The next step reports the error, if any.
    fn ask<T>(&self, ask: impl FnOnce(&mut DistributedFlow<Asking>) -> io::Result<T>) -> Option<T> {
        let asked = ask(&mut self.world());
        asked
            .map_err(|error| {
                let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
                *fault = Some(error.to_string());
            })
            .ok()
    }

    /// Returns the error of an earlier query.
    fn told(&self) -> Result<(), ModelError> {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.take().map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// Applies an event. After an error, only some processes may have applied it, so the world is
    /// unusable.
    fn do_action(&self, action: &Action) -> Result<(), ModelError> {
        let mut world = self.world();
        let lattice = *world.lattice();
        match action {
            Action::Add(Alone(Added::Source(spring))) => {
                return Ok(world.add_spring(source(spring, &lattice))?);
            }
            Action::Add(Alone(Added::Drain(drain))) => {
                return Ok(world.add_drain(source(drain, &lattice))?);
            }
            _ => {}
        }
        let Some(Stroke { brush, edit, keep }) = stroke(action, &lattice, self.datum) else {
            return Ok(());
        };
        world.edit(&brush, edit, keep)?;
        if edit == Edit::Open {
            // Cells without data stay closed.
            let touched = brush.touched(lattice)?;
            // A brush touches cells in the order of the rows.
            let (Some(first), Some(last)) = (touched.first(), touched.last()) else {
                return Ok(());
            };
            let rows = first.y..last.y + 1;
            let cells: HashSet<_> = self.holders.no_data(rows.clone())?.into_iter().collect();
            if !cells.is_empty() {
                world.close(rows, |x, y| cells.contains(&(x, y)))?;
            }
        }
        Ok(())
    }

    /// Selects the current rain raster and returns its end (s).
    fn follow_radar(&mut self) -> Result<f64, ModelError> {
        let (passed, next) = Radar::passed(&self.scene, self.time());
        if self.passed != Some(passed) && (passed > 0 || next.is_finite()) {
            self.holders.have_done(Errand::Rain { passed })?;
            self.passed = Some(passed);
        }
        Ok(next)
    }

    /// Calls `look` with a view of the sampled world.
    fn with_view<R>(&mut self, look: impl FnOnce(Style, &View<'_>) -> R) -> Result<R, SceneError> {
        let strips = self.holders.look(self.overview.step, false);
        let strips = strips.map_err(self.scene.refused("picture"))?;
        if !self.overview.take(strips) {
            return Err(self.scene.error("picture", "what was seen is of another world"));
        }
        let Overview { lattice, bed, depth, closed, no_data, velocity: [east, south], .. } =
            &self.overview;
        let view = View {
            closed: Some(closed),
            no_data: Some(no_data),
            structures: &self.structures,
            velocity: Some((east, south)),
            time: self.world().time(),
            datum: self.datum,
            ..View::new(lattice, bed, depth)
        };
        Ok(look(self.scene.picture.clone(), &view))
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

    /// Only devices need it.
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
        // Steps end exactly where a raster does.
        let stop = stop.min(self.follow_radar()?);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let done = self.world().steps_toward(stop, most);
        self.is_lost |= done.is_err();
        Ok(done? > 0)
    }

    fn knows_devices(&self) -> bool {
        false
    }

    fn step_toward(&mut self, stop: f64) -> Result<bool, ModelError> {
        self.steps_toward(stop, if self.holders.count() > 1 { OF_MANY } else { TOGETHER })
    }

    fn set_backend(&mut self, _: &Backend) -> Result<(), ModelError> {
        Err("a world that nobody has as a whole stays so".into())
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
        self.told()?;
        let Some(action) = self.scene.common().events[event].action() else { return Ok(()) };
        let done = self.do_action(action);
        self.is_lost |= done.is_err();
        done
    }

    fn act_on_device(&mut self, _: &dyn Any) -> Result<Acted, ModelError> {
        Ok(Acted::NotOnDevice)
    }

    fn is_sound(&self) -> bool {
        !self.is_lost && self.ask(DistributedFlow::is_sound).unwrap_or(false)
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
                at_point(self.datum, depth, bed + depth, [u, v])
            }
            Some(Target::Line(points)) => {
                let pairs = points.windows(2).map(|pair| [pair[0], pair[1]]);
                let passed = self.ask(|world| {
                    pairs.map(|[a, b]| world.discharge_through(a, b)).sum::<io::Result<f64>>()
                });
                vec![("discharge_m3_per_s", passed.unwrap_or(f64::NAN))]
            }
            Some(Target::Structure(name)) => {
                let all = self.scene.structures();
                let number = all.iter().position(|ends| ends.name == Some(&name));
                let passed = number.and_then(|number| {
                    self.ask(|world| world.structure_discharge(entry_id(number))).flatten()
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
        if draws(&self.scene) {
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
        let flood = self.scene.flood.as_ref().map(|_| self.write_flood(folder));
        let pictures = flood.into_iter().collect::<Result<_, _>>()?;
        Ok(Written { layers, pictures, ..Written::default() })
    }

    fn write_layers(&self, folder: &Path, moment: &Moment<'_>) -> Result<Vec<PathBuf>, String> {
        self.layers(folder, moment)
    }

    /// Writes the format of an undivided world, which can resume from it too.
    fn write_state(&self, into: &mut dyn io::Write) -> io::Result<()> {
        whole_state(&mut self.world(), into)
    }

    fn is_spread(&self) -> bool {
        self.holders.is_spread()
    }

    fn keep_parts(&self, folder: &Path, generation: &str) -> io::Result<Kept> {
        let parts = self.holders.keep(folder, generation).map_err(io::Error::other)?;
        let mut world = self.world();
        Ok(Kept::new(parts, world.metadata()?, world.volume_about()?))
    }

    fn go_on_from_parts(&mut self, folder: &Path, kept: &Kept) -> Result<(), String> {
        self.passed = None;
        let (folder, parts) = (folder.to_owned(), kept.parts.clone());
        let taken = self.holders.have_done(Errand::GoOn { folder, parts });
        taken.map_err(|error| error.to_string())?;
        self.world().set_metadata(&kept.besides).map_err(|error| error.to_string())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.restore_from(&mut &*state)
    }

    fn restore_from(&mut self, state: &mut dyn io::Read) -> Result<(), String> {
        self.passed = None;
        // The state ends with relaxation and bodies, which a distributed world cannot have.
        self.world().read_state(state).map_err(|error| error.to_string())
    }

    fn state_hash(&self) -> u64 {
        self.ask(DistributedFlow::state_hash).unwrap_or(u64::MAX)
    }

    fn ledger(&self) -> LedgerSummary {
        let balance = self.ask(DistributedFlow::balance);
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

    /// Returns none, because meshes need the whole world; `output.mesh` is rejected at the start.
    fn meshes(&self) -> Vec<Part> {
        Vec::new()
    }

    fn datum(&self) -> f64 {
        self.datum
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
