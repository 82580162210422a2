//! Parts that the scenes of all models have in common, such as title, events, gauges and output,
//! and checks of these parts.
//!
//! A model implements [`SceneTables`] and [`SceneChecks`] for its scene type. [`SceneInterface`] is
//! then implemented automatically. It is the interface through which a scene of any model is read
//! and run.

use super::check::Checker;
use super::clock::Clock;
use super::event::Event;
use super::gauge_edit::{GaugeEdit, GaugeEntry, GaugeNames, GaugeTask};
use super::layer::LayerName;
use super::output::{
    GaugeDefinition, GaugeInfo, LayerTimes, Output, RecordingSettings, Time, Times,
};
use super::place::places::Places;
use super::problem::{Problems, SceneError};
use super::read::origin::Origin;
use headwater::{Id, InputError, Lattice};
use headwater_io::Files;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::fmt::{Debug, Display};
use std::path::PathBuf;

/// Number of readings per run of a gauge for which the scene gives no interval.
const DEFAULT_READINGS: f64 = 200.0;

/// References to the tables and keys that the scenes of all models have.
pub struct CommonTables<'a, S: SceneTables> {
    /// Value of the key `title`.
    pub title: &'a str,
    /// Value of the key `description`.
    pub description: &'a str,
    /// Seed of the scene's random numbers.
    pub seed: u32,
    /// Table `[time]`, which contains the end of the run and the step length.
    pub time: Time,
    /// Entries of `[[event]]`.
    pub events: &'a [Event<S::Action, S::Gauge>],
    /// Entries of `[[gauge]]`.
    pub gauges: &'a [S::Gauge],
    /// Table `[output]`, which selects the files that a run writes.
    pub output: &'a Output<LayerName<S>>,
    /// TOML source and overrides from which the scene was read.
    pub origin: &'a Origin,
}

impl<'a, S: SceneTables> CommonTables<'a, S> {
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

/// Checks of a model's scenes that concern several keys, or the lattice.
pub trait SceneChecks {
    /// Adds all positions and areas of the scene to `_places`, except those of actions. The caller
    /// checks their values, and their location on the lattice.
    fn collect_places(&self, _places: &mut Places) {}

    /// Checks the values in the table `[picture]`.
    ///
    /// # Errors
    /// Returns [`InputError`] for the first value that is out of range.
    fn check_style(&self) -> Result<(), InputError>;

    /// Adds all problems with the scene's values that can be found without the lattice to `check`.
    /// Excludes actions, the tables that all models have, and the [places](Self::collect_places),
    /// which are checked elsewhere.
    fn check_values(&self, check: &mut Checker);

    /// Adds all problems that concern the lattice to `_check`. Excludes the
    /// [places](Self::collect_places), which are checked elsewhere.
    fn check_fit(&self, _check: &mut Checker, _lattice: &Lattice) {}
}

/// Scene type of a model. It gives access to the tables that all models have, and to the files and
/// the lattice of the scene.
pub trait SceneTables: SceneChecks + Sized {
    /// Type of the actions in the entries of `[[event]]`.
    type Action: Serialize + DeserializeOwned + Debug + Send + Sync + 'static;
    /// Type of the entries of `[[gauge]]`.
    type Gauge: GaugeEntry + DeserializeOwned + Clone + Send + Sync + 'static;

    /// Returns references to the tables and keys that all models have.
    fn common_tables(&self) -> CommonTables<'_, Self>;

    /// Adds the positions and areas of an action to `places`. `key` is the key path of the event.
    fn collect_action_places(&self, key: &str, action: &Self::Action, places: &mut Places);

    /// Adds all problems with the values of an action that can be found without the lattice to
    /// `_check`. `_key` is the key path of the event.
    fn check_action(&self, _check: &mut Checker, _key: &str, _action: &Self::Action) {}

    /// Adds all problems of an action that concern the lattice to `_check`. Excludes its
    /// [places](Self::collect_action_places).
    fn check_action_fit(
        &self,
        _check: &mut Checker,
        _key: &str,
        _action: &Self::Action,
        _lattice: &Lattice,
    ) {
    }

    /// Returns the unit of time of the model.
    fn clock(&self) -> &'static Clock {
        &Clock::SECONDS
    }

    /// Unit of length for messages, with a leading space.
    const LENGTH: &'static str = " m";

    /// Keys of `[time]` and `[output]` that the model does not support, each with the message that
    /// is reported if the scene contains the key.
    const UNUSED: &'static [(&'static str, &'static str)] = &[];

    /// Returns a mutable reference to the TOML source and the overrides from which the scene was
    /// read.
    fn origin_mut(&mut self) -> &mut Origin;

    /// Returns mutable references to the paths of all files that the scene refers to, each with its
    /// key.
    fn files_mut(&mut self) -> Vec<(Cow<'static, str>, &mut PathBuf)> {
        Vec::new()
    }

    /// Returns the source from which the scene's files are read.
    fn file_source(&self) -> &Files {
        &self.common_tables().origin.files
    }

    /// Returns the lattice of the scene. Returns `None` if the size of the grid is read from a
    /// file, or if it is not valid. The size is valid in a scene that has been checked.
    fn lattice(&self) -> Option<Lattice>;

    /// Returns all problems with the scene's values that can be found without the lattice.
    fn value_problems(&self) -> Problems {
        let mut check = Checker::new(Self::LENGTH, self.clock());
        check_common(&mut check, &self.common_tables(), Self::UNUSED);
        if let Err(error) = self.check_style() {
            check.add_input_error("picture", &error);
        }
        self.places().check_values(&mut check);
        self.check_values(&mut check);
        for (key, action) in self.common_tables().actions() {
            self.check_action(&mut check, &key, action);
        }
        check.problems
    }

    /// Returns all positions and areas of the scene.
    fn places(&self) -> Places {
        let mut places = Places::default();
        self.collect_places(&mut places);
        for (key, action) in self.common_tables().actions() {
            self.collect_action_places(&key, action, &mut places);
        }
        places
    }

    /// Returns all problems of an action of an event with the key path `key`.
    fn action_problems(&self, key: &str, action: &Self::Action, lattice: &Lattice) -> Problems {
        let mut check = Checker::new(Self::LENGTH, self.clock());
        let mut places = Places::default();
        self.collect_action_places(key, action, &mut places);
        places.check_values(&mut check);
        self.check_action(&mut check, key, action);
        // Positions are checked against the lattice only if they are valid on their own.
        if check.problems.is_empty() {
            places.check_on_lattice(&mut check, lattice);
            self.check_action_fit(&mut check, key, action, lattice);
        }
        check.problems
    }

    /// Checks the scene against the lattice, and returns all problems found.
    fn lattice_problems(&self, lattice: &Lattice) -> Problems {
        let mut check = Checker::new(Self::LENGTH, self.clock());
        self.places().check_on_lattice(&mut check, lattice);
        self.check_fit(&mut check, lattice);
        for (key, action) in self.common_tables().actions() {
            self.check_action_fit(&mut check, &key, action, lattice);
        }
        check.problems
    }

    /// Checks that all positions and areas are on the lattice. This is needed if the size of the
    /// lattice is read from a file.
    ///
    /// # Errors
    /// Returns [`SceneError`] with all positions and areas that are outside the grid.
    fn check_fits_lattice(&self, lattice: &Lattice) -> Result<(), SceneError> {
        let problems = self.lattice_problems(lattice);
        if problems.is_empty() {
            Ok(())
        } else {
            Err(self.common_tables().origin.locate_problems(problems))
        }
    }

    /// Adds the entries of a list to a world, in order, by calling `add` for each. `list` is the
    /// key path of the list, which error messages contain.
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

    /// Creates an error about the value at a key path such as `source[0].rate`. It is used for
    /// problems that are found after the scene was read. The error contains the line of the value
    /// in the scene file, or the override that has set the value.
    fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.common_tables().origin.locate_problems(vec![(key.to_owned(), message.into())])
    }
}

/// Checks the tables that the scenes of all models have. `unused` contains the keys that the model
/// does not support, each with the message that is reported if the scene contains the key.
fn check_common<S: SceneTables>(
    check: &mut Checker,
    scene: &CommonTables<'_, S>,
    unused: &[(&str, &str)],
) {
    let CommonTables { title, description, time, events, gauges, output, .. } = *scene;
    check.check_title_and_time(title, description, time);
    check.check_event_count(events.iter().map(|event| event.times));
    for (i, event) in events.iter().enumerate() {
        check.check_event_times(&format!("event[{i}]"), event.times, time.until);
    }
    check.check_entry_count("gauge", gauges.len());
    for (key, gauge) in scene.all_gauges() {
        check.check_gauge_interval(&key, gauge.name_and_interval().1, time.until);
    }
    check_gauge_names(check, gauges, events);
    check.check_output(output, time);
    let given = |key: &str| match key {
        "time.dt" => time.dt.is_some(),
        "output.mesh" => output.mesh.is_some(),
        _ => false,
    };
    for (key, message) in unused.iter().filter(|(key, _)| given(key)) {
        check.add_problem(key, *message);
    }
}

/// Checks that the gauges that events change or remove exist, and that no two gauges have the same
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

/// Interface through which a scene of any model is read and run.
pub(crate) trait SceneInterface {
    /// Returns the title of the scene.
    fn title(&self) -> &str;
    /// Returns the description of the scene.
    fn description(&self) -> &str;
    /// Returns the table `[time]`, which contains the end of the run and the step length.
    fn time(&self) -> Time;
    /// Returns the unit of time of the scene's model.
    fn clock(&self) -> &'static Clock;
    /// Returns the settings of a run for pictures and checkpoints.
    fn recording_settings(&self) -> RecordingSettings;
    /// Returns the names of the files to which layers are written at the end of the run.
    fn layer_files(&self) -> Vec<String>;
    /// Returns the output times of layers before the end of the run.
    fn layer_times(&self) -> LayerTimes;
    /// Returns the times of all events, in the order in which the scene lists them.
    fn events(&self) -> Vec<Times>;
    /// Returns the names and reading intervals of the gauges in the scene's list `[[gauge]]`, in
    /// the order in which the scene lists them.
    fn gauges(&self) -> Vec<GaugeInfo<'_>>;
    /// Returns the gauge edits of the scene, each with the index of its event. Gauges that events
    /// add or change have higher numbers than the scene's [`gauges`](Self::gauges).
    fn gauge_tasks(&self) -> Vec<(usize, GaugeTask)>;
    /// Checks the scene, and returns all problems with its values.
    fn problems(&self) -> Problems;
    /// Returns the TOML source and the overrides from which the scene was read.
    fn origin(&self) -> &Origin;
}

impl<S: SceneTables> SceneInterface for S {
    fn title(&self) -> &str {
        self.common_tables().title
    }

    fn description(&self) -> &str {
        self.common_tables().description
    }

    fn time(&self) -> Time {
        self.common_tables().time
    }

    fn clock(&self) -> &'static Clock {
        SceneTables::clock(self)
    }

    fn recording_settings(&self) -> RecordingSettings {
        let CommonTables { output, time, .. } = self.common_tables();
        output.recording_settings(&time)
    }

    fn layer_files(&self) -> Vec<String> {
        let output = self.common_tables().output;
        let files = output.layers.iter().map(|layer| output.layer_format.file_name(layer.name()));
        let mut files: Vec<String> = files.collect();
        // All layers may be in the same store.
        files.dedup();
        files
    }

    fn layer_times(&self) -> LayerTimes {
        self.common_tables().output.layer_times()
    }

    fn events(&self) -> Vec<Times> {
        self.common_tables().events.iter().map(|event| event.times).collect()
    }

    fn gauges(&self) -> Vec<GaugeInfo<'_>> {
        let CommonTables { gauges, time, .. } = self.common_tables();
        gauges.iter().map(|gauge| gauge_info(gauge, time)).collect()
    }

    fn gauge_tasks(&self) -> Vec<(usize, GaugeTask)> {
        let CommonTables { gauges, events, time, .. } = self.common_tables();
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

    fn problems(&self) -> Problems {
        let problems = self.value_problems();
        // Positions are checked against the lattice only if both are valid on their own.
        match self.lattice() {
            Some(lattice) if problems.is_empty() => self.lattice_problems(&lattice),
            _ => problems,
        }
    }

    fn origin(&self) -> &Origin {
        self.common_tables().origin
    }
}

/// Returns the name and the reading interval of a gauge. `time` determines the interval if the
/// scene does not give it.
fn gauge_info<G: GaugeEntry>(gauge: &G, time: Time) -> GaugeInfo<'_> {
    let (name, every) = gauge.name_and_interval();
    GaugeInfo { name, every: every.unwrap_or(time.until / DEFAULT_READINGS) }
}

/// Returns the id of the object that [`SceneTables::add_each`] has added to a new world for the
/// entry at index `i` of a list.
pub(crate) fn entry_id(i: usize) -> Id {
    Id::new(i as u32)
}
