//! What the scenes of all models have in common: a head, events, gauges, output, and the way from keys to
//! problems.
//!
//! A model's scene says in [`Tables`] which of its tables are which, and in [`Rules`] what they must be; [`Setting`], all that reading and
//! running a scene needs to know, follows from that.

use super::check::Checker;
use super::clock::Clock;
use super::event::Event;
use super::files::Files;
use super::gauge_edit::{GaugeEdit, GaugeTask, Measuring, Names};
use super::layer::LayerName;
use super::origin::Origin;
use super::output::{GaugeForm, GaugeHead, LayerTimes, Output, Recording, Time, Times};
use super::places::Places;
use super::problem::{Problems, SceneError};
use headwater::{Id, InputError, Lattice};
use std::borrow::Cow;
use std::fmt::Display;
use std::path::PathBuf;

/// How many measurements a gauge takes in a run that does not say how often it measures.
const MEASUREMENTS: f64 = 200.0;

/// The tables that the scenes of all models have.
pub struct Common<'a, S: Tables> {
    /// `title`
    pub title: &'a str,
    /// `description`
    pub description: &'a str,
    /// The seed of its random numbers.
    pub seed: u32,
    /// `[time]`
    pub time: Time,
    /// `[[event]]`
    pub events: &'a [Event<S::Action, S::Gauge>],
    /// `[[gauge]]`
    pub gauges: &'a [S::Gauge],
    /// `[output]`
    pub output: &'a Output<LayerName<S>>,
    /// The text it came from.
    pub origin: &'a Origin,
}

impl<'a, S: Tables> Common<'a, S> {
    /// What its events do to the world, each with the event's key.
    pub fn actions(&self) -> impl Iterator<Item = (String, &'a S::Action)> + use<'a, S> {
        let events = self.events.iter().enumerate();
        events.filter_map(|(i, event)| Some((format!("event[{i}]"), event.action()?)))
    }

    /// All gauges that there are at some time, each with its key: those of `[[gauge]]`, then those that events add or change to. A
    /// world numbers them so.
    pub fn all_gauges(&self) -> impl Iterator<Item = (String, &'a S::Gauge)> + use<'a, S> {
        let events = self.events.iter().enumerate();
        let later = events.filter_map(|(i, event)| {
            Some((format!("event[{i}].gauge"), event.gauge_edit()?.gauge()?))
        });
        let first = self.gauges.iter().enumerate();
        first.map(|(i, gauge)| (format!("gauge[{i}]"), gauge)).chain(later)
    }
}

/// What a scene of one model must be beyond what each of its keys allows.
pub trait Rules {
    /// Where its things stand: each position and area by itself is checked for that, and against the lattice.
    fn places(&self, _places: &mut Places) {}

    /// Checks `[picture]`.
    ///
    /// # Errors
    /// The first value out of its range.
    fn check_style(&self) -> Result<(), InputError>;

    /// Notes all that is wrong with its values by themselves, but for the tables that all scenes have and the
    /// [`places`](Self::places).
    fn check_values(&self, check: &mut Checker);

    /// Notes all that does not fit the lattice, but for the [`places`](Self::places).
    fn check_fit(&self, _check: &mut Checker, _lattice: &Lattice) {}
}

/// A scene of one model: its tables of the kinds that the scenes of all models have.
pub trait Tables: Rules + Sized {
    /// What the entries of `[[event]]` do.
    type Action;
    /// What `[[gauge]]` holds.
    type Gauge: Measuring + Clone + Send + Sync;

    /// Its tables.
    fn common(&self) -> Common<'_, Self>;

    /// What its times are counted in.
    fn clock(&self) -> &'static Clock {
        &Clock::SECONDS
    }

    /// The unit of its lengths, as it stands after a number.
    const LENGTH: &'static str = " m";

    /// The keys of `[time]` and `[output]` that mean nothing to the model, each with what is told of it.
    const UNUSED: &'static [(&'static str, &'static str)] = &[];

    /// The text it came from.
    fn origin_mut(&mut self) -> &mut Origin;

    /// The files it reads, and the keys that name them.
    fn files_mut(&mut self) -> Vec<(Cow<'static, str>, &mut PathBuf)> {
        Vec::new()
    }

    /// Where its files come from.
    fn source_of_files(&self) -> &Files {
        &self.common().origin.files
    }

    /// The lattice it stands on, where it is known without reading a file. `None` too for sizes no
    /// lattice can have, which no checked scene has.
    fn lattice(&self) -> Option<Lattice>;

    /// All that is wrong with its values by themselves.
    fn problems_alone(&self) -> Problems {
        let mut check = Checker::new(Self::LENGTH, self.clock());
        check_common(&mut check, &self.common(), Self::UNUSED);
        if let Err(error) = self.check_style() {
            check.refused("picture", &error);
        }
        let mut places = Places::default();
        self.places(&mut places);
        places.check(&mut check);
        self.check_values(&mut check);
        check.problems
    }

    /// All that does not fit the lattice.
    fn problems_on(&self, lattice: &Lattice) -> Problems {
        let mut check = Checker::new(Self::LENGTH, self.clock());
        let mut places = Places::default();
        self.places(&mut places);
        places.check_fit(&mut check, lattice);
        self.check_fit(&mut check, lattice);
        check.problems
    }

    /// Checks all that stands somewhere against the lattice that it stands on, for a scene that came to
    /// know its lattice from a file.
    ///
    /// # Errors
    /// [`SceneError`] with all that does not fit.
    fn check_on(&self, lattice: &Lattice) -> Result<(), SceneError> {
        let problems = self.problems_on(lattice);
        if problems.is_empty() { Ok(()) } else { Err(self.common().origin.locate(problems)) }
    }

    /// Puts the entries of one of its lists into a world, one after the other; a refusal is told by its entry's key.
    ///
    /// # Errors
    /// [`SceneError`] with the first refusal.
    fn add_each<T, R>(
        &self,
        list: &str,
        entries: &[T],
        mut add: impl FnMut(&T) -> Result<R, InputError>,
    ) -> Result<(), SceneError> {
        entries.iter().enumerate().try_for_each(|(i, entry)| {
            add(entry).map(drop).map_err(self.refused(format!("{list}[{i}]")))
        })
    }

    /// What somebody's refusal of the value at a key path is to a reader of the scene, as [`error`](Self::error) tells it.
    fn refused<E: Display>(&self, key: impl Into<String>) -> impl FnOnce(E) -> SceneError {
        let key = key.into();
        move |error| self.error(&key, error.to_string())
    }

    /// An error about the value at a key path such as `source[0].rate`, found again in the text or the
    /// overrides, for what comes to light only after the scene was read.
    fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.common().origin.locate(vec![(key.to_owned(), message.into())])
    }
}

/// Checks the tables that all scenes have.
fn check_common<S: Tables>(check: &mut Checker, scene: &Common<'_, S>, unused: &[(&str, &str)]) {
    let Common { title, description, time, events, gauges, output, .. } = *scene;
    check.head(title, description, time);
    check.events(events.iter().map(|event| event.times));
    for (i, event) in events.iter().enumerate() {
        check.times(&format!("event[{i}]"), event.times, time.until);
    }
    check.entries("gauge", gauges.len());
    for (key, gauge) in scene.all_gauges() {
        check.gauge_every(&key, gauge.head().1, time.until);
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

/// Checks that there is what events are about, and that no two gauges have one name at a time.
fn check_gauge_names<A, G: Measuring>(check: &mut Checker, gauges: &[G], events: &[Event<A, G>]) {
    let mut names = Names::default();
    for (i, gauge) in gauges.iter().enumerate() {
        names.add(check, &format!("gauge[{i}].name"), gauge.head().0);
    }
    let edits = events.iter().enumerate();
    let edits = edits.filter_map(|(i, event)| Some((i, event.times, event.gauge_edit()?)));
    let mut edits: Vec<(usize, Times, &GaugeEdit<G>)> = edits.collect();
    // As a run does them: at one time first those that make a stop, then in the order of the list.
    edits.sort_by(|(_, a, _), (_, b, _)| {
        a.time.total_cmp(&b.time).then(a.in_passing.cmp(&b.in_passing))
    });
    for (i, times, edit) in edits {
        if times.every.is_some() {
            let message = "does not apply to gauges, which come, change and go once";
            check.note(format!("event[{i}].every"), message);
        }
        names.edit(check, &format!("event[{i}]"), edit);
    }
}

/// All that reading and running a scene needs to know of it, whichever model runs it.
pub(crate) trait Setting {
    /// `title`
    fn title(&self) -> &str;
    /// `description`
    fn description(&self) -> &str;
    /// `[time]`
    fn time(&self) -> Time;
    /// What its times are counted in.
    fn clock(&self) -> &'static Clock;
    /// What of `[output]` every model has.
    fn recording(&self) -> Recording;
    /// The files of the layers it writes at the end.
    fn layer_files(&self) -> Vec<String>;
    /// When it writes them on the way.
    fn layer_times(&self) -> LayerTimes;
    /// When its events happen, in their order.
    fn events(&self) -> Vec<Times>;
    /// Its gauges, in their order.
    fn gauges(&self) -> Vec<GaugeHead<'_>>;
    /// What its events do to the gauges, each with the number of the event. What they add or change to has the numbers after
    /// those of [`gauges`](Self::gauges).
    fn gauge_tasks(&self) -> Vec<(usize, GaugeTask)>;
    /// All that is wrong with its values.
    fn problems(&self) -> Problems;
    /// The text it came from.
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
        // All may lie in one.
        files.dedup();
        files
    }

    fn layer_times(&self) -> LayerTimes {
        self.common().output.layer_times()
    }

    fn events(&self) -> Vec<Times> {
        self.common().events.iter().map(|event| event.times).collect()
    }

    fn gauges(&self) -> Vec<GaugeHead<'_>> {
        let Common { gauges, time, .. } = self.common();
        gauges.iter().map(|gauge| head(gauge, time)).collect()
    }

    fn gauge_tasks(&self) -> Vec<(usize, GaugeTask)> {
        let Common { gauges, events, time, .. } = self.common();
        let mut number = gauges.len();
        let mut form = |gauge: &S::Gauge| {
            let GaugeHead { name, every } = head(gauge, time);
            number += 1;
            GaugeForm { name: name.to_owned(), every, number: number - 1 }
        };
        let edits = events.iter().enumerate();
        let edits = edits.filter_map(|(i, event)| Some((i, event.gauge_edit()?)));
        let mut task = |edit: &GaugeEdit<S::Gauge>| match edit {
            GaugeEdit::Add(gauge) => GaugeTask::Add(form(gauge)),
            GaugeEdit::Change(gauge) => GaugeTask::Change(form(gauge)),
            GaugeEdit::Remove(name) => GaugeTask::Remove(name.clone()),
        };
        edits.map(|(i, edit)| (i, task(edit))).collect()
    }

    fn problems(&self) -> Problems {
        let problems = self.problems_alone();
        // Places are looked for only on a lattice, and in areas, that make sense by themselves.
        match self.lattice() {
            Some(lattice) if problems.is_empty() => self.problems_on(&lattice),
            _ => problems,
        }
    }

    fn origin(&self) -> &Origin {
        self.common().origin
    }
}

/// A gauge as a run knows it.
fn head<G: Measuring>(gauge: &G, time: Time) -> GaugeHead<'_> {
    let (name, every) = gauge.head();
    GaugeHead { name, every: every.unwrap_or(time.until / MEASUREMENTS) }
}

/// The id of the `i`-th of the entries that [`Tables::add_each`] has put into a new world.
pub(crate) fn entry_id(i: usize) -> Id {
    Id::new(i as u32)
}
