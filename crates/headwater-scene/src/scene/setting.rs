//! Common parts of the scenes of all models: title, events, gauges and output, and the checks of
//! keys.
//!
//! A model's scene gives its tables in [`Tables`] and its checks in [`Rules`]. From these follows
//! [`Setting`], the model-independent view of a scene for reading and running it.

use super::check::Checker;
use super::clock::Clock;
use super::event::Event;
use super::files::Files;
use super::gauge_edit::{GaugeEdit, GaugeNames, GaugeTask, Measuring};
use super::layer::LayerName;
use super::origin::Origin;
use super::output::{GaugeDefinition, GaugeInfo, LayerTimes, Output, Recording, Time, Times};
use super::places::Places;
use super::problem::{Problems, SceneError};
use headwater::{Id, InputError, Lattice};
use std::borrow::Cow;
use std::fmt::Display;
use std::path::PathBuf;

/// Number of readings of a gauge without an interval.
const DEFAULT_READINGS: f64 = 200.0;

/// Tables that the scenes of all models have.
pub struct Common<'a, S: Tables> {
    /// Key `title`.
    pub title: &'a str,
    /// Key `description`.
    pub description: &'a str,
    /// Seed of the random numbers.
    pub seed: u32,
    /// Table `[time]`.
    pub time: Time,
    /// Tables `[[event]]`.
    pub events: &'a [Event<S::Action, S::Gauge>],
    /// Tables `[[gauge]]`.
    pub gauges: &'a [S::Gauge],
    /// Table `[output]`.
    pub output: &'a Output<LayerName<S>>,
    /// Text of the scene.
    pub origin: &'a Origin,
}

impl<'a, S: Tables> Common<'a, S> {
    /// Returns the actions of its events on the world, with the events' keys.
    pub fn actions(&self) -> impl Iterator<Item = (String, &'a S::Action)> + use<'a, S> {
        let events = self.events.iter().enumerate();
        events.filter_map(|(i, event)| Some((format!("event[{i}]"), event.action()?)))
    }

    /// Returns all gauges with their keys: those of `[[gauge]]`, then those that events add or
    /// change. Worlds number gauges in this order.
    pub fn all_gauges(&self) -> impl Iterator<Item = (String, &'a S::Gauge)> + use<'a, S> {
        let events = self.events.iter().enumerate();
        let later = events.filter_map(|(i, event)| {
            Some((format!("event[{i}].gauge"), event.gauge_edit()?.gauge()?))
        });
        let first = self.gauges.iter().enumerate();
        first.map(|(i, gauge)| (format!("gauge[{i}]"), gauge)).chain(later)
    }
}

/// Checks of a model's scenes beyond the ranges of single keys.
pub trait Rules {
    /// Lists its positions and areas, which are checked on their own and against the lattice.
    fn places(&self, _places: &mut Places) {}

    /// Checks the table `[picture]`.
    ///
    /// # Errors
    /// The first value that is out of range.
    fn check_style(&self) -> Result<(), InputError>;

    /// Notes all problems of its values on their own, except in the common tables and the
    /// [`places`](Self::places).
    fn check_values(&self, check: &mut Checker);

    /// Notes all problems with the lattice, except those of the [`places`](Self::places).
    fn check_fit(&self, _check: &mut Checker, _lattice: &Lattice) {}
}

/// Scene of a model: its common tables and files.
pub trait Tables: Rules + Sized {
    /// Action of an `[[event]]` entry.
    type Action;
    /// Gauge of a `[[gauge]]` entry.
    type Gauge: Measuring + Clone + Send + Sync;

    /// Returns the common tables.
    fn common(&self) -> Common<'_, Self>;

    /// Returns the unit of time.
    fn clock(&self) -> &'static Clock {
        &Clock::SECONDS
    }

    /// Unit of length with a leading space.
    const LENGTH: &'static str = " m";

    /// Keys of `[time]` and `[output]` that the model does not support, each with a message.
    const UNUSED: &'static [(&'static str, &'static str)] = &[];

    /// Returns the text of the scene for editing.
    fn origin_mut(&mut self) -> &mut Origin;

    /// Returns the files that it reads, with their keys.
    fn files_mut(&mut self) -> Vec<(Cow<'static, str>, &mut PathBuf)> {
        Vec::new()
    }

    /// Returns the source of its files.
    fn file_source(&self) -> &Files {
        &self.common().origin.files
    }

    /// Returns the lattice if it is known without reading a file. Also `None` for invalid sizes,
    /// which checked scenes do not have.
    fn lattice(&self) -> Option<Lattice>;

    /// Returns all problems of its values on their own.
    fn value_problems(&self) -> Problems {
        let mut check = Checker::new(Self::LENGTH, self.clock());
        check_common(&mut check, &self.common(), Self::UNUSED);
        if let Err(error) = self.check_style() {
            check.input_error("picture", &error);
        }
        let mut places = Places::default();
        self.places(&mut places);
        places.check(&mut check);
        self.check_values(&mut check);
        check.problems
    }

    /// Returns all problems with the lattice.
    fn lattice_problems(&self, lattice: &Lattice) -> Problems {
        let mut check = Checker::new(Self::LENGTH, self.clock());
        let mut places = Places::default();
        self.places(&mut places);
        places.check_fit(&mut check, lattice);
        self.check_fit(&mut check, lattice);
        check.problems
    }

    /// Checks all positions and areas against the lattice, for a scene whose lattice is from a
    /// file.
    ///
    /// # Errors
    /// [`SceneError`] with all positions and areas that are off the grid.
    fn check_on(&self, lattice: &Lattice) -> Result<(), SceneError> {
        let problems = self.lattice_problems(lattice);
        if problems.is_empty() { Ok(()) } else { Err(self.common().origin.locate(problems)) }
    }

    /// Adds the entries of a list to a world, one after the other. An error has the key of its
    /// entry.
    ///
    /// # Errors
    /// [`SceneError`] for the first entry that is rejected.
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

    /// Returns a function that converts an error about the value at a key path into a
    /// [`SceneError`], see [`error`](Self::error).
    fn error_at<E: Display>(&self, key: impl Into<String>) -> impl FnOnce(E) -> SceneError {
        let key = key.into();
        move |error| self.error(&key, error.to_string())
    }

    /// Returns an error about the value at a key path such as `source[0].rate`, with its line in
    /// the text or its override. For problems that are found after the scene was read.
    fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.common().origin.locate(vec![(key.to_owned(), message.into())])
    }
}

/// Checks the common tables.
fn check_common<S: Tables>(check: &mut Checker, scene: &Common<'_, S>, unused: &[(&str, &str)]) {
    let Common { title, description, time, events, gauges, output, .. } = *scene;
    check.head(title, description, time);
    check.events(events.iter().map(|event| event.times));
    for (i, event) in events.iter().enumerate() {
        check.times(&format!("event[{i}]"), event.times, time.until);
    }
    check.entries("gauge", gauges.len());
    for (key, gauge) in scene.all_gauges() {
        check.gauge_every(&key, gauge.name_and_interval().1, time.until);
    }
    check_gauge_names(check, gauges, events);
    check.output(output, time);
    let given = |key: &str| match key {
        "time.dt" => time.dt.is_some(),
        "output.mesh" => output.mesh.is_some(),
        _ => false,
    };
    for (key, message) in unused.iter().filter(|(key, _)| given(key)) {
        check.note(key, *message);
    }
}

/// Checks that edited gauges exist, and that the names of gauges are unique at any time.
fn check_gauge_names<A, G: Measuring>(check: &mut Checker, gauges: &[G], events: &[Event<A, G>]) {
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
            check.note(format!("event[{i}].every"), message);
        }
        names.edit(check, &format!("event[{i}]"), edit);
    }
}

/// Model-independent view of a scene for reading and running it.
pub(crate) trait Setting {
    /// Returns the title.
    fn title(&self) -> &str;
    /// Returns the description.
    fn description(&self) -> &str;
    /// Returns end and steps of the run.
    fn time(&self) -> Time;
    /// Returns the unit of time.
    fn clock(&self) -> &'static Clock;
    /// Returns the recording settings of `[output]`.
    fn recording(&self) -> Recording;
    /// Returns the file names of the final layers.
    fn layer_files(&self) -> Vec<String>;
    /// Returns the intermediate times of layer output.
    fn layer_times(&self) -> LayerTimes;
    /// Returns the times of its events, in their order.
    fn events(&self) -> Vec<Times>;
    /// Returns its gauges, in their order.
    fn gauges(&self) -> Vec<GaugeInfo<'_>>;
    /// Returns the gauge edits with the numbers of their events. Added and changed gauges are
    /// numbered after those of [`gauges`](Self::gauges).
    fn gauge_tasks(&self) -> Vec<(usize, GaugeTask)>;
    /// Returns all problems of its values.
    fn problems(&self) -> Problems;
    /// Returns the text of the scene.
    fn origin(&self) -> &Origin;
}

impl<S: Tables> Setting for S {
    fn title(&self) -> &str {
        self.common().title
    }

    fn description(&self) -> &str {
        self.common().description
    }

    fn time(&self) -> Time {
        self.common().time
    }

    fn clock(&self) -> &'static Clock {
        Tables::clock(self)
    }

    fn recording(&self) -> Recording {
        let Common { output, time, .. } = self.common();
        output.recording(&time)
    }

    fn layer_files(&self) -> Vec<String> {
        let output = self.common().output;
        let files = output.layers.iter().map(|layer| output.layer_format.file(layer.name()));
        let mut files: Vec<String> = files.collect();
        // All layers may be in one store.
        files.dedup();
        files
    }

    fn layer_times(&self) -> LayerTimes {
        self.common().output.layer_times()
    }

    fn events(&self) -> Vec<Times> {
        self.common().events.iter().map(|event| event.times).collect()
    }

    fn gauges(&self) -> Vec<GaugeInfo<'_>> {
        let Common { gauges, time, .. } = self.common();
        gauges.iter().map(|gauge| head(gauge, time)).collect()
    }

    fn gauge_tasks(&self) -> Vec<(usize, GaugeTask)> {
        let Common { gauges, events, time, .. } = self.common();
        let mut number = gauges.len();
        let mut definition = |gauge: &S::Gauge| {
            let GaugeInfo { name, every } = head(gauge, time);
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
        self.common().origin
    }
}

/// Returns name and reading interval of a gauge.
fn head<G: Measuring>(gauge: &G, time: Time) -> GaugeInfo<'_> {
    let (name, every) = gauge.name_and_interval();
    GaugeInfo { name, every: every.unwrap_or(time.until / DEFAULT_READINGS) }
}

/// Returns the id of the `i`-th entry that [`Tables::add_each`] has added to a new world.
pub(crate) fn entry_id(i: usize) -> Id {
    Id::new(i as u32)
}
