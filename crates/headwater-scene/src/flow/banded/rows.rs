//! [`Rows`]: the rows of a distributed world that a process owns.

use super::bits::Bits;
use super::lakes::{Held, Lakes};
use super::overview::{self, Overview};
use super::shelf::Scratch;
use super::world::{edge_beds, outline, still, under};
use super::write;
use crate::agree::agreed;
use crate::flow::FlowScene;
use crate::flow::capabilities::{Executor, check};
use crate::flow::world::{Maps, Radar};
use crate::run::{
    Brought, Errand, Held as HeldRows, Holding, Made, Reading, Strip, Writing, part_name,
};
use crate::scene::{SceneError, Tables};
use crate::terrain::{self, WaterMaps, obstacles_in};
use headwater::distributed::{Communicator, MemoryStore};
use headwater::distributed::{LocalBlocks, MemoryBudget, Window};
use headwater::{Field, InputError, Lattice};
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

/// Rows that are processed at a time.
const TOGETHER: usize = 64;

/// Memory of the program without its world (bytes).
const BESIDE: usize = 64 << 20;

/// Memory limit of a world, and the storage for the rest of it.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    /// Bytes that the program may use.
    pub(super) memory: usize,
    /// Folder for inactive row blocks.
    pub(super) scratch: PathBuf,
}

/// Rows of a world that a process owns.
#[derive(Debug)]
pub(super) struct Rows {
    scene: FlowScene,
    rows: Range<usize>,
    /// Memory limit; `None` to keep everything in memory.
    budget: Option<Budget>,
    /// Most rows of a block; `None` for the default.
    band_rows: Option<usize>,
    made: Option<There>,
}

/// Rows whose fields have been built.
#[derive(Debug)]
struct There {
    bands: LocalBlocks,
    /// Height at which the bed is 0 (m).
    datum: f64,
    /// Cells without data, if there are any.
    void: Option<Bits>,
    /// Time series of rain rasters.
    radar: Radar,
    /// Ground samples that were not requested yet.
    ground: Vec<Strip>,
    /// Whether the ground may have changed since it was sampled last.
    ground_changed: bool,
    /// Step count of each block when it was sampled last, by its first row.
    seen: BTreeMap<usize, u64>,
}

/// Error while a world is built.
enum Fault {
    Scene(SceneError),
    Storage(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Storage(error)
    }
}

impl Rows {
    /// Creates the rows of a scene, without building their fields.
    ///
    /// # Errors
    /// [`SceneError`] if the scene uses an unsupported feature.
    pub(super) fn new(
        scene: &FlowScene,
        rows: Range<usize>,
        budget: Option<Budget>,
        band_rows: Option<usize>,
    ) -> Result<Self, SceneError> {
        check(scene, Executor::Distributed)?;
        Ok(Self { scene: scene.clone(), rows, budget, band_rows, made: None })
    }

    /// Builds the fields. Collective.
    ///
    /// # Errors
    /// [`SceneError`] if something does not fit the grid, or the memory does not suffice; `None` if
    /// another process failed.
    fn make(&mut self, peers: &mut dyn Communicator) -> Result<Made, Option<SceneError>> {
        let (scene, rows) = (&self.scene, self.rows.clone());
        let scratch = self.scratch();
        let scratch = agreed(scratch.map_err(|error| self.no_room(&error)), peers)?;
        let laid = scratch.as_ref().map(|scratch| scratch.path().join("ground"));
        let ground = terrain::Rows::of(scene, &rows, laid.as_deref(), peers)?;
        let (lattice, datum) = (ground.lattice, ground.datum);
        let beds = edge_beds(scene, &ground, &rows, peers)?;
        let outline = outline(scene, &lattice, datum, &beds)?;
        let on_map = ground.georeference.as_ref();
        let maps = Maps::read(scene, on_map).and_then(|maps| {
            let water = WaterMaps::read(scene, on_map)?;
            Ok((maps, water))
        });
        let (maps, water) = agreed(maps, peers)?;
        let (passed, _) = Radar::passed(scene, 0.0);
        let held = Held { scene, lattice, rows: rows.clone(), together: TOGETHER };
        let lakes = Lakes::of(&held, peers, |level, rows| {
            let (bed, no_data) = ground.ground(rows.clone())?;
            Ok(under(level, &bed, &closed(scene, &lattice, rows, &no_data), datum))
        })?;
        let step = if draws(scene) { overview::step(&lattice) } else { 0 };
        let mut seen = Vec::new();
        let mut void = (ground.missing > 0).then(|| Bits::new(lattice.nx(), rows.clone()));
        let make = |window: Range<usize>| {
            let (bed, no_data) = ground.ground(window.clone()).map_err(Fault::Scene)?;
            if let Some(void) = &mut void {
                for (y, row) in window.clone().zip(no_data.rows()) {
                    let missing = row.iter().enumerate().filter(|(_, missing)| **missing);
                    let own = rows.contains(&y);
                    missing.filter(|_| own).for_each(|(x, _)| void.set(x, y, true));
                }
            }
            let closed = closed(scene, &lattice, window.clone(), &no_data);
            let mut depth = still(scene, &bed, &closed, datum);
            water.deepen(&mut depth, &closed, &lattice, window.clone(), |level, cell| {
                (level - datum - f64::from(bed[cell])).max(0.0) as f32
            });
            let deepened = lakes.deepen(&mut depth, window.clone(), |level, _| {
                Ok(under(level, &bed, &closed, datum))
            });
            deepened.map_err(Fault::Scene)?;
            let mut made = Window::new(bed, depth);
            made.closed = Some(closed);
            (made.roughness, made.soil) =
                maps.ground(scene.physics.keys.manning, &lattice, window.clone());
            made.rain = match maps.radar.is_empty() {
                true => maps.rain(&lattice, window.clone()),
                false => Some(maps.radar.map(passed, &lattice, window.clone())),
            };
            [made.velocity, made.unit_discharge] = maps.motion(&lattice, &window);
            if step > 0 {
                // Windows overlap, so skip rows that were sampled in the previous window.
                let last = seen.last().map_or(rows.start, |strip: &Strip| strip.row * step + 1);
                let own = window.start.max(last)..window.end.min(rows.end);
                seen.extend(overview::of_window(&made, &no_data, window.start, own, step));
            }
            Ok::<_, Fault>(made)
        };
        let voids = if ground.missing > 0 { lattice.nx() * rows.len() / 8 } else { 0 };
        let read = maps.bytes() + water.bytes();
        let bands = self.room(&lattice, voids + read, scratch).and_then(|room| {
            let of = |bytes: usize| {
                let room = MemoryBudget::from(bytes);
                self.band_rows.map_or(room, |rows| room.of_rows(rows))
            };
            let rows = rows.clone();
            let made = match room {
                None => {
                    LocalBlocks::new(&outline, rows, of(usize::MAX), MemoryStore::default(), make)
                }
                Some((budget, scratch)) => {
                    LocalBlocks::new(&outline, rows, of(budget), scratch, make)
                }
            };
            made.map_err(|fault| match fault {
                Fault::Scene(error) => error,
                Fault::Storage(error) => match error.downcast::<InputError>() {
                    Ok(error) => scene.error("terrain", error.to_string()),
                    Err(error) => self.no_room(&error),
                },
            })
        });
        let bands = agreed(bands, peers)?;
        if let Some(laid) = laid {
            // No longer needed. If this fails, the file is removed with its folder.
            let _ = std::fs::remove_file(laid);
        }
        let mut made = Made::new(datum, ground.notices.clone(), bands.count());
        (made.missing, made.beds) = (ground.missing, beds);
        // Moving water needs derived layers that the window lacks, so it is sampled again.
        let visits = bands.visits().filter(|_| !maps.has_motion());
        let visits = visits.map(|(rows, count)| (rows.start, count)).collect();
        let radar = maps.radar;
        let ground_changed = false;
        self.made =
            Some(There { bands, datum, void, radar, ground: seen, ground_changed, seen: visits });
        Ok(made)
    }

    /// Creates the folder for row blocks that do not fit in memory, if memory is limited.
    fn scratch(&self) -> io::Result<Option<Scratch>> {
        self.budget.as_ref().map(|budget| Scratch::new(&budget.scratch)).transpose()
    }

    /// Returns the bytes that row blocks may use besides voids and maps (`held`), and their
    /// storage; `None` if memory is unlimited.
    ///
    /// # Errors
    /// [`SceneError`] if the memory does not suffice.
    fn room(
        &self,
        lattice: &Lattice,
        held: usize,
        scratch: Option<Scratch>,
    ) -> Result<Option<(usize, Scratch)>, SceneError> {
        let (Some(Budget { memory, .. }), Some(scratch)) = (&self.budget, scratch) else {
            return Ok(None);
        };
        // Lakes, pictures and the buffer of a layer take memory too.
        let lake = lattice.nx() * self.rows.len() / 8 * (self.scene.water.lakes.len() + 1);
        let gathered = write::gathered(&self.scene, lattice);
        let beside = BESIDE + 51 * Overview::cells(lattice) + lake + held + gathered;
        let least = lattice.nx() * 8192;
        match memory.checked_sub(beside).filter(|left| *left >= least) {
            Some(budget) => Ok(Some((budget, scratch))),
            None => {
                let needed = (beside + least).div_ceil(1 << 20);
                let message = format!("needs --memory of {needed} MiB at least");
                Err(self.scene.error("grid", message))
            }
        }
    }

    fn no_room(&self, error: &io::Error) -> SceneError {
        let place = self.budget.iter().map(|budget| format!("{}: ", budget.scratch.display()));
        self.scene.error("grid", format!("{}{error}", place.collect::<String>()))
    }
}

/// Returns the closed cells of some rows.
fn closed(
    scene: &FlowScene,
    lattice: &Lattice,
    rows: Range<usize>,
    no_data: &Field<bool>,
) -> Field<bool> {
    let mut closed = obstacles_in(scene, lattice, rows);
    let cells = closed.as_mut_slice().iter_mut().zip(no_data.as_slice());
    cells.for_each(|(closed, missing)| *closed |= missing);
    closed
}

/// Returns whether a scene draws pictures.
pub(super) fn draws(scene: &FlowScene) -> bool {
    let record = scene.common().output.recording(&scene.time);
    record.final_picture || record.frame_every.is_some() || scene.flood.is_some()
}

impl There {
    fn do_errand(&mut self, errand: &Errand, peers: &mut dyn Communicator) -> io::Result<Brought> {
        if matches!(errand, Errand::Look { .. } | Errand::Npy { .. } | Errand::Zarr { .. }) {
            // Samples of the outermost rows depend on the halo.
            self.bands.refresh(peers);
        }
        match errand {
            Errand::Make => Err(io::Error::other("its rows have been made")),
            Errand::Request(ask) => {
                let before = self.bands.rows();
                let told = self.bands.answer(ask, peers)?;
                self.ground_changed |= ask.changes_ground();
                if ask.is_move() {
                    self.follow(before, peers)?;
                }
                Ok(Brought::Response(told))
            }
            Errand::Look { step, deepest } => Ok(Brought::Seen(self.look(*step, *deepest)?)),
            Errand::NoData { rows } => {
                let own = self.void.iter().flat_map(|void| void.cells(rows.clone()));
                Ok(Brought::NoData(own.collect()))
            }
            Errand::Rows { layer, rows } => {
                let mut layer = self.layer(layer)?;
                let mut all = Vec::new();
                layer.each_run(rows.clone(), &mut |values| {
                    all.extend_from_slice(values);
                    Ok(())
                })?;
                Ok(Brought::Rows(all))
            }
            Errand::Rain { passed } => {
                let Self { bands, radar, .. } = self;
                let lattice = *bands.lattice();
                bands.set_rain_map(|rows| radar.map(*passed, &lattice, rows))?;
                Ok(Brought::Done)
            }
            Errand::Npy { layer, file, start, no_data } => {
                self.layer(layer)?.npy(file, *start, *no_data)?;
                Ok(Brought::Done)
            }
            Errand::Zarr { layer, store, time } => {
                self.layer(layer)?.zarr(store, *time)?;
                Ok(Brought::Done)
            }
            Errand::Keep { folder, generation } => {
                let name = part_name(generation, self.bands.rows().start);
                let mut file = Writing::begin(folder, name)?;
                let bands = self.bands.keep_on(&mut file)?;
                Ok(Brought::Kept(file.end(bands)?))
            }
            Errand::GoOn { folder, parts } => {
                let bands = parts.iter().flat_map(|part| &part.bands);
                let bands: Vec<Range<usize>> = bands.map(|band| band.rows.clone()).collect();
                self.bands.go_on_from(&bands, &mut Reading::of(folder, parts))?;
                Ok(Brought::Done)
            }
        }
    }

    /// Sends the cells without data along with rows that moved to other processes. Collective.
    fn follow(&mut self, before: Range<usize>, peers: &mut dyn Communicator) -> io::Result<()> {
        let (now, nx) = (self.bands.rows(), self.bands.lattice().nx());
        let gone = [before.start..now.start.min(before.end), now.end.max(before.start)..before.end];
        let mut to = [Vec::new(), Vec::new()];
        for (rows, to) in gone.into_iter().zip(&mut to).filter(|(rows, _)| !rows.is_empty()) {
            if let Some(part) = self.void.as_ref().and_then(|void| void.part(rows)) {
                *to = postcard::to_stdvec(&part).map_err(io::Error::other)?;
            }
        }
        let beside = [now.start > 0, now.end < self.bands.lattice().ny()];
        let from = peers.exchange_bytes(beside, to.each_ref().map(Vec::as_slice));
        let mut void = Bits::new(nx, now.clone());
        self.void.iter().for_each(|old| void.take(old));
        for bytes in from.iter().filter(|bytes| !bytes.is_empty()) {
            let part: Bits = postcard::from_bytes(bytes).map_err(io::Error::other)?;
            if part.nx != nx {
                return Err(io::ErrorKind::InvalidData.into());
            }
            void.take(&part);
        }
        self.void = void.part(now);
        Ok(())
    }

    fn layer(&mut self, name: &str) -> io::Result<write::Layer<'_>> {
        write::Layer::new(&mut self.bands, name, self.datum, self.void.as_ref())
    }

    /// Samples the cells that have changed since the last call.
    fn look(&mut self, step: usize, deepest: bool) -> io::Result<Vec<Strip>> {
        let step = step.max(1);
        let visits: Vec<(Range<usize>, u64)> = self.bands.visits().collect();
        let mut strips = Vec::new();
        if deepest {
            for (rows, _) in visits {
                let seen = self.bands.look(rows.start, |band| overview::of_flood(&band, step))?;
                strips.extend(seen);
            }
            return Ok(strips);
        }
        strips.append(&mut self.ground);
        for (rows, count) in visits {
            if self.seen.insert(rows.start, count) != Some(count) {
                let void = self.ground_changed.then_some(self.void.as_ref());
                strips.extend(self.bands.look(rows.start, |b| overview::of_band(&b, step, void))?);
            }
        }
        self.ground_changed = false;
        Ok(strips)
    }
}

impl Holding for Rows {
    fn held(&self) -> HeldRows {
        match &self.made {
            Some(there) => HeldRows::new(there.bands.rows(), there.bands.moved()),
            None => HeldRows::new(self.rows.clone(), 0),
        }
    }

    fn obey(&mut self, errand: &Errand, peers: &mut dyn Communicator) -> Brought {
        match (&mut self.made, errand) {
            (_, Errand::Make) => match self.make(peers) {
                Ok(made) => Brought::Made(made),
                Err(error) => Brought::Refused(error),
            },
            (None, _) => Brought::Failed("its rows have not been made".into()),
            (Some(there), _) => {
                let done = there.do_errand(errand, peers);
                done.unwrap_or_else(|error| Brought::Failed(error.to_string()))
            }
        }
    }
}
