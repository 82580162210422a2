//! [`SceneModel`]: the interface that a model implements for its scenes. [`CommonTables`] gives
//! access to the tables that the scenes of all models have.

use super::check::Checker;
use super::clock::Clock;
use super::event::Event;
use super::event::gauge_edit::{GaugeEdit, GaugeEntry, GaugeNames, GaugeTask};
use super::event::tool::Tool;
use super::has_schema::HasSchema;
use super::keys::quote_names;
use super::layer::LayerName;
use super::output::{GaugeDefinition, GaugeInfo, Output, Time, Times};
use super::parameter::{self, Parameter};
use super::place::places::Places;
use super::problem::{Problems, SceneError};
use super::read::origin::Origin;
use crate::run::{Executor, Input, MemoryLimit, ModelWorld, RankWorld, Ranks};
use headwater::parameter::Setting;
use headwater::{Id, InputError, Lattice, Layer, Region};
use headwater_io::Files;
use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use std::borrow::Cow;
use std::fmt::{Debug, Display};
use std::path::PathBuf;

/// Number of readings in a run for a gauge without a reading interval in the scene.
const DEFAULT_READINGS: f64 = 200.0;

/// Maximum number of readings of all gauges in a run. All readings are in memory.
const MAX_READINGS: f64 = 1e7;
/// Memory (bytes) of one gauge reading, measured with gauges at a point in the model `flow`.
const READING_BYTES: u64 = 112;

/// References to the tables and keys that the scenes of all models have.
pub struct CommonTables<'a, S: SceneModel> {
    /// Value of the key `title`.
    pub title: &'a str,
    /// Value of the key `description`.
    pub description: &'a str,
    /// Seed of the scene's random number generators.
    pub seed: u32,
    /// Table `[time]`: the end of the run and the step length.
    pub time: Time,
    /// Entries of `[[event]]`.
    pub events: &'a [Event<S::Action, S::Gauge>],
    /// Entries of `[[gauge]]`.
    pub gauges: &'a [S::Gauge],
    /// Table `[output]`: the files that a run writes.
    pub output: &'a Output<LayerName<S>>,
    /// TOML source and overrides from which the scene was read.
    pub origin: &'a Origin,
}

impl<'a, S: SceneModel> CommonTables<'a, S> {
    /// Returns the actions of all events that act on the world, each with the key path of its
    /// event.
    pub fn actions(&self) -> impl Iterator<Item = (String, &'a S::Action)> + use<'a, S> {
        let events = self.events.iter().enumerate();
        events.filter_map(|(i, event)| Some((format!("event[{i}]"), event.action()?)))
    }

    /// Returns all gauges with their key paths. The entries of `[[gauge]]` come first, followed by
    /// the gauges that events add or change. Worlds number gauges in this order.
    pub fn all_gauges(&self) -> impl Iterator<Item = (String, &'a S::Gauge)> + use<'a, S> {
        let events = self.events.iter().enumerate();
        let later = events.filter_map(|(i, event)| {
            Some((format!("event[{i}].gauge"), event.gauge_edit()?.gauge()?))
        });
        let first = self.gauges.iter().enumerate();
        first.map(|(i, gauge)| (format!("gauge[{i}]"), gauge)).chain(later)
    }
}

/// Declares the methods [`common_tables`](SceneModel::common_tables) and
/// [`origin_mut`](SceneModel::origin_mut) of a scene type. Its fields must have the names of the
/// tables.
macro_rules! common_tables {
    () => {
        fn common_tables(&self) -> crate::scene::CommonTables<'_, Self> {
            let Self { title, description, seed, time, events, gauges, output, origin, .. } = self;
            crate::scene::CommonTables {
                title,
                description,
                seed: *seed,
                time: *time,
                events,
                gauges,
                output,
                origin,
            }
        }

        fn origin_mut(&mut self) -> &mut crate::scene::Origin {
            &mut self.origin
        }
    };
}
pub(crate) use common_tables;

/// Type of the scenes of one model. The trait describes the model, gives access to the tables of a
/// scene, checks the scene and creates its world.
pub trait SceneModel:
    HasSchema + DeserializeOwned + Clone + PartialEq + Send + Sync + 'static
{
    /// Type of the worlds that are built from scenes of this type.
    type World: ModelWorld<Scene = Self, Action = Self::Action, Gauge = Self::Gauge>;
    /// Type of the actions in the entries of `[[event]]`.
    type Action: Serialize + DeserializeOwned + Debug + Send + Sync + 'static;
    /// Type of the entries of `[[gauge]]`.
    type Gauge: GaugeEntry + DeserializeOwned + Clone + Send + Sync + 'static;

    /// Name of the model: the value of the key `model` in its scenes.
    const MODEL: &'static str;
    /// Title of the model in user interfaces.
    const TITLE: &'static str;
    /// Short description of the model for the user.
    const ABOUT: &'static str;
    /// Tools with which users edit the model's worlds interactively.
    const TOOLS: &'static [Tool];
    /// Layers (fields of cell values) of the model that a run can write to files.
    const LAYERS: &'static [Layer];
    /// Unit of time of the model.
    const CLOCK: &'static Clock = &Clock::SECONDS;
    /// Unit of length for messages, with a leading space.
    const LENGTH_UNIT: &'static str = " m";
    /// Keys of `[time]` and `[output]` that the model does not support, each with the message for
    /// scenes that contain the key.
    const UNSUPPORTED_KEYS: &'static [(&'static str, &'static str)] = &[];
    /// Prefixes of the keys whose values can be changed while the world runs. `[]` stands for any
    /// entry of a list. In addition, the parameters among [`settings`](Self::settings) that are
    /// marked as changeable can be changed.
    const LIVE_KEYS: &'static [&'static str] = &[];
    /// Exceptions to [`LIVE_KEYS`](Self::LIVE_KEYS): prefixes of keys whose values cannot be
    /// changed while the world runs.
    const FIXED_KEYS: &'static [&'static str] = &[];

    /// Returns references to the tables and keys that all models have.
    fn common_tables(&self) -> CommonTables<'_, Self>;

    /// Returns a mutable reference to the TOML source and the overrides from which the scene was
    /// read.
    fn origin_mut(&mut self) -> &mut Origin;

    /// Returns mutable references to the paths of all files that the scene refers to, each with its
    /// key.
    fn files_mut(&mut self) -> Vec<(Cow<'static, str>, &mut PathBuf)> {
        Vec::new()
    }

    /// Returns the lattice of the scene. Returns `None` if the size of the grid is read from a
    /// file, or if it is not valid. The size is valid in a scene that has been checked.
    fn lattice(&self) -> Option<Lattice>;

    /// Returns the estimated memory per cell of a running world (bytes). The estimate is used to
    /// check the limit on memory.
    fn cell_bytes(&self) -> u64 {
        64
    }

    /// Returns the parameters of the model with their values in this scene and their keys.
    fn settings(&self) -> Vec<Setting> {
        Vec::new()
    }

    /// Returns the values of the scene that can be changed while the world runs.
    fn parameters(&self) -> Vec<Parameter> {
        parameter::parameters_from_settings(self.settings())
    }

    /// Collects all positions and areas of the scene in `_places`, except the positions and areas
    /// of actions. The caller checks their values, and their location on the lattice.
    fn collect_places(&self, _places: &mut Places) {}

    /// Returns the regions of the objects, such as sources, that store a list of their cells. Each
    /// region comes with the memory that its object needs per cell (bytes). They are used to check
    /// the limit on memory.
    fn object_regions(&self, _lattice: &Lattice) -> Vec<(Region, u64)> {
        Vec::new()
    }

    /// Adds to `check` those problems with the scene's values that do not depend on the lattice.
    /// Actions, the tables that all models have, and the
    /// [places](Self::collect_places) are checked elsewhere.
    fn check_values(&self, check: &mut Checker);

    /// Adds all problems to `_check` that can be found only if the lattice is known. The
    /// [places](Self::collect_places) are checked elsewhere.
    fn check_against_lattice(&self, _check: &mut Checker, _lattice: &Lattice) {}

    /// Collects the positions and areas of an action in `places`. `key` is the key path of the
    /// event.
    fn collect_action_places(&self, key: &str, action: &Self::Action, places: &mut Places);

    /// Adds all problems with the values of an action that can be found without the lattice to
    /// `_check`. `_key` is the key path of the event.
    fn check_action(&self, _check: &mut Checker, _key: &str, _action: &Self::Action) {}

    /// Adds all problems of an action to `_check` that can be found only if the lattice is known.
    /// Its [places](Self::collect_action_places) are checked elsewhere.
    fn check_action_against_lattice(
        &self,
        _check: &mut Checker,
        _key: &str,
        _action: &Self::Action,
        _lattice: &Lattice,
    ) {
    }

    /// Checks that GPUs support all features that the scene uses.
    ///
    /// # Errors
    /// Returns [`SceneError`] with the keys of features that GPUs do not support.
    #[cfg(feature = "gpu")]
    fn check_gpu_support(&self) -> Result<(), SceneError> {
        Ok(())
    }

    /// Creates the world of the scene, with its rows distributed over processes or partly stored on
    /// disk. This is called only in the first process. All processes must read the same input
    /// files; `inputs` contains the hashes of these files. `limit` limits the memory if there is
    /// only one process.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the scene uses a feature that such worlds do not support, or if a
    /// file cannot be used.
    fn build_partitioned_world(
        &self,
        ranks: &Ranks,
        limit: Option<&MemoryLimit>,
        inputs: &[Input],
    ) -> Result<Box<dyn Executor>, SceneError> {
        let _ = (ranks, limit, inputs);
        Err(not_partitioned_error(self))
    }

    /// Creates the rows of a distributed world that this process owns. This is called in all
    /// processes except the first. Returns `None` if there are too few rows for this process to own
    /// any.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the scene uses a feature that distributed worlds do not support,
    /// or if a file cannot be used.
    fn build_rank_world(&self, ranks: &Ranks) -> Result<Option<Box<dyn RankWorld>>, SceneError> {
        let _ = ranks;
        Err(not_partitioned_error(self))
    }

    /// Returns the source from which the scene's files are read.
    fn file_source(&self) -> &Files {
        &self.common_tables().origin.files
    }

    /// Checks that a world of `nx` × `ny` cells is within the limits of the scene.
    ///
    /// # Errors
    /// Returns a message with the memory needed and allowed.
    fn check_cells(&self, size: [usize; 2]) -> Result<(), String> {
        self.common_tables().origin.limits.check_cells(size, self.cell_bytes())
    }

    /// Adds the entries of a list to a world, in order, by calling `add` for each. `list` is the
    /// key path of the list, for error messages.
    ///
    /// # Errors
    /// Returns [`SceneError`] for the first entry that the world rejects.
    fn add_each<T, R>(
        &self,
        list: &str,
        entries: &[T],
        mut add: impl FnMut(&T) -> Result<R, InputError>,
    ) -> Result<(), SceneError> {
        entries.iter().enumerate().try_for_each(|(i, entry)| {
            add(entry).map(drop).map_err(self.error_at(format!("{list}[{i}]")))
        })
    }

    /// Returns a function that converts an error about the value at the key path `key` to a
    /// [`SceneError`]. See [`error`](Self::error).
    fn error_at<E: Display>(&self, key: impl Into<String>) -> impl FnOnce(E) -> SceneError {
        let key = key.into();
        move |error| self.error(&key, error.to_string())
    }

    /// Creates an error about the value at a key path such as `source[0].rate`. Use this function
    /// for problems that are found after the scene was read. The error contains the line of the
    /// value in the scene file, or the override that has set the value.
    fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.common_tables().origin.locate_problems(vec![(key.to_owned(), message.into())])
    }
}

/// Creates the error for a model whose worlds can be neither distributed nor limited in memory use.
fn not_partitioned_error<S: SceneModel>(scene: &S) -> SceneError {
    let message = "does not support --memory or MPI ranks; only the model `flow` does";
    scene.error("model", format!("the model `{}` {message}", S::MODEL))
}

/// Checks a scene, and returns all problems with its values.
pub(super) fn scene_problems<S: SceneModel>(scene: &S) -> Problems {
    let mut check = Checker::new(S::LENGTH_UNIT, S::CLOCK);
    check_common_tables(&mut check, &scene.common_tables(), S::UNSUPPORTED_KEYS);
    all_places(scene).check_values(&mut check);
    scene.check_values(&mut check);
    for (key, action) in scene.common_tables().actions() {
        scene.check_action(&mut check, &key, action);
    }
    // Positions are checked against the lattice only if the positions and the lattice are valid.
    match scene.lattice() {
        Some(lattice) if check.problems.is_empty() => lattice_problems(scene, &lattice),
        _ => check.problems,
    }
}

/// Checks a scene against the lattice, and returns all problems found.
pub(super) fn lattice_problems<S: SceneModel>(scene: &S, lattice: &Lattice) -> Problems {
    let mut check = Checker::new(S::LENGTH_UNIT, S::CLOCK);
    all_places(scene).check_on_lattice(&mut check, lattice);
    scene.check_against_lattice(&mut check, lattice);
    for (key, action) in scene.common_tables().actions() {
        scene.check_action_against_lattice(&mut check, &key, action, lattice);
    }
    let objects = scene.object_regions(lattice);
    let sizes = objects.iter().map(|(region, cell)| region.max_cell_count(*lattice) as u64 * cell);
    let bytes = sizes.fold(0, u64::saturating_add);
    if let Err(message) = scene.common_tables().origin.limits.check_memory(bytes) {
        check.add_problem("model", format!("cells of sources and other objects: {message}"));
    }
    check.problems
}

/// Checks that all positions and areas of a scene are on the lattice. This is needed if the size of
/// the lattice is read from a file.
///
/// # Errors
/// Returns [`SceneError`] with all positions and areas that are outside the grid.
pub(crate) fn check_fits_lattice<S: SceneModel>(
    scene: &S,
    lattice: &Lattice,
) -> Result<(), SceneError> {
    let problems = lattice_problems(scene, lattice);
    if problems.is_empty() {
        Ok(())
    } else {
        Err(scene.common_tables().origin.locate_problems(problems))
    }
}

/// Returns all positions and areas of a scene.
pub(crate) fn all_places<S: SceneModel>(scene: &S) -> Places {
    let mut places = Places::default();
    scene.collect_places(&mut places);
    for (key, action) in scene.common_tables().actions() {
        scene.collect_action_places(&key, action, &mut places);
    }
    places
}

/// Returns a message for the user about each time series of a scene that lies entirely before or
/// after the run.
pub(crate) fn series_notices<S: SceneModel>(scene: &S) -> Vec<String> {
    let mut check = Checker::new(S::LENGTH_UNIT, S::CLOCK);
    scene.check_values(&mut check);
    let (unit, until) = (S::CLOCK.unit, scene.common_tables().time.until);
    let message = |(key, [first, last]): (String, [f64; 2])| match (first >= until, last <= 0.0) {
        (true, _) => Some(format!(
            "{key}: the series starts at {first}{unit}, after the end of the run at {until}{unit}; its first value applies"
        )),
        (_, true) => Some(format!(
            "{key}: the series ends at {last}{unit}, before the run starts; its last value applies"
        )),
        _ => None,
    };
    check.series.into_iter().filter_map(message).collect()
}

/// Returns all problems with the action of an event. `key` is the key path of the event.
pub(super) fn action_problems<S: SceneModel>(
    scene: &S,
    key: &str,
    action: &S::Action,
    lattice: &Lattice,
) -> Problems {
    let mut check = Checker::new(S::LENGTH_UNIT, S::CLOCK);
    let mut places = Places::default();
    scene.collect_action_places(key, action, &mut places);
    places.check_values(&mut check);
    scene.check_action(&mut check, key, action);
    // Positions are checked against the lattice only if they are valid themselves.
    if check.problems.is_empty() {
        places.check_on_lattice(&mut check, lattice);
        scene.check_action_against_lattice(&mut check, key, action, lattice);
    }
    check.problems
}

/// Checks the tables that the scenes of all models have. `unsupported_keys` contains the keys that
/// the model does not support, each with an error message for scenes that contain it.
fn check_common_tables<S: SceneModel>(
    check: &mut Checker,
    scene: &CommonTables<'_, S>,
    unsupported_keys: &[(&str, &str)],
) {
    let CommonTables { title, description, time, events, gauges, output, .. } = *scene;
    check.check_title_and_time(title, description, time);
    check.check_event_count(events.iter().map(|event| event.times));
    for (i, event) in events.iter().enumerate() {
        check.check_event_times(&format!("event[{i}]"), event.times, time.until);
    }
    check.check_entry_count("gauge", gauges.len());
    let mut readings = 0.0;
    for (key, gauge) in scene.all_gauges() {
        let every = gauge.name_and_interval().1;
        check.check_gauge_interval(&key, every, time.until);
        readings += every.map_or(DEFAULT_READINGS, |every| time.until / every);
    }
    if readings > MAX_READINGS {
        let found = format!("found {readings:.0} readings of all gauges");
        check.add_problem("gauge", format!("{found}, allowed is up to {MAX_READINGS:e}"));
    } else if let Err(message) = scene.origin.limits.check_memory(readings as u64 * READING_BYTES) {
        check
            .add_problem("gauge", format!("found {readings:.0} readings of all gauges: {message}"));
    }
    check_gauge_names(check, gauges, events);
    if output.ledger_every.is_some() {
        for (key, gauge) in scene.all_gauges() {
            if gauge.name_and_interval().0.eq_ignore_ascii_case("ledger") {
                let message =
                    "found \"ledger\", which is the file of output.ledger_every; use another name";
                check.add_problem(format!("{key}.name"), message);
            }
        }
    }
    check.check_output(output, time);
    let given = |key: &str| match key {
        "time.dt" => time.dt.is_some(),
        "output.mesh" => output.mesh.is_some(),
        _ => false,
    };
    for (key, message) in unsupported_keys.iter().filter(|(key, _)| given(key)) {
        check.add_problem(key, *message);
    }
}

/// Checks that events change or remove only existing gauges, and that no two gauges have the same
/// name at the same time.
fn check_gauge_names<A, G: GaugeEntry>(check: &mut Checker, gauges: &[G], events: &[Event<A, G>]) {
    let mut names = GaugeNames::default();
    for (i, gauge) in gauges.iter().enumerate() {
        names.add(check, &format!("gauge[{i}].name"), gauge.name_and_interval().0);
    }
    let edits = events.iter().enumerate();
    let edits = edits.filter_map(|(i, event)| Some((i, event.times, event.gauge_edit()?)));
    let mut edits: Vec<(usize, Times, &GaugeEdit<G>)> = edits.collect();
    // Same order as in a run: simultaneous stopping events first, then by position in the list.
    edits.sort_by(|(_, a, _), (_, b, _)| {
        a.time.total_cmp(&b.time).then(a.in_passing.cmp(&b.in_passing))
    });
    for (i, times, edit) in edits {
        if times.every.is_some() {
            let message = "does not apply to gauge edits, which are done once";
            check.add_problem(format!("event[{i}].every"), message);
        }
        names.apply_edit(check, &format!("event[{i}]"), edit);
    }
}

/// Returns the gauge edits of a scene, each with the index of its event. Gauges that events add or
/// change are numbered after those in the scene's list `[[gauge]]`.
pub(super) fn gauge_tasks<S: SceneModel>(scene: &S) -> Vec<(usize, GaugeTask)> {
    let CommonTables { gauges, events, time, .. } = scene.common_tables();
    let mut number = gauges.len();
    let mut definition = |gauge: &S::Gauge| {
        let GaugeInfo { name, every } = gauge_info(gauge, time);
        number += 1;
        GaugeDefinition { name: name.to_owned(), every, number: number - 1 }
    };
    let edits = events.iter().enumerate();
    let edits = edits.filter_map(|(i, event)| Some((i, event.gauge_edit()?)));
    let mut task = |edit: &GaugeEdit<S::Gauge>| match edit {
        GaugeEdit::Add(gauge) => GaugeTask::Add(definition(gauge)),
        GaugeEdit::Change(gauge) => GaugeTask::Change(definition(gauge)),
        GaugeEdit::Remove(name) => GaugeTask::Remove(name.clone()),
    };
    edits.map(|(i, edit)| (i, task(edit))).collect()
}

/// Returns the name and the reading interval of a gauge. `time` determines the interval if the
/// scene does not give it.
pub(super) fn gauge_info<G: GaugeEntry>(gauge: &G, time: Time) -> GaugeInfo<'_> {
    let (name, every) = gauge.name_and_interval();
    GaugeInfo { name, every: every.unwrap_or(time.until / DEFAULT_READINGS) }
}

/// Returns the id of the object that [`SceneModel::add_each`] adds to a new world for the list
/// entry with the index `index`.
pub(crate) fn entry_id(index: usize) -> Id {
    Id::new(index as u32)
}

impl<'de, M: SceneModel> Deserialize<'de> for LayerName<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = String::deserialize(deserializer)?;
        let names: Vec<&'static str> = M::LAYERS.iter().map(|layer| layer.name).collect();
        let known = names.iter().find(|name| **name == found);
        // Uses serde's format, so that the error is reported like any other unknown word.
        let unknown = || format!("unknown variant `{found}`, expected {}", quote_names(&names));
        known.map(|name| Self::new(name)).ok_or_else(|| D::Error::custom(unknown()))
    }
}
