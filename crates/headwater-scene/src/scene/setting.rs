//! What the scenes of all models have in common: a head, events, gauges, output, and the way from keys to
//! problems.
//!
//! A model's scene says in [`Tables`] which of its tables are which; [`Setting`], all that reading and
//! running a scene needs to know, follows from that.

use super::check::{Checker, MAX_ENTRIES};
use super::clock::Clock;
use super::files::Files;
use super::origin::Origin;
use super::output::{GaugeHead, Output, Recording, Time, Times};
use super::places::Places;
use super::problem::SceneError;
use headwater::{InputError, Lattice};
use std::path::PathBuf;

/// What is wrong with a scene's values, as `(key, message)`.
pub type Problems = Vec<(String, String)>;

/// How many measurements a gauge takes in a run that does not say how often it measures.
const MEASUREMENTS: f64 = 200.0;

/// The tables that the scenes of all models have.
pub struct Common<'a, S: Tables + ?Sized> {
    /// `title`
    pub title: &'a str,
    /// `description`
    pub description: &'a str,
    /// `[time]`
    pub time: Time,
    /// `[[event]]`
    pub events: &'a [S::Event],
    /// `[[gauge]]`
    pub gauges: &'a [S::Gauge],
    /// `[output]`
    pub output: &'a Output<S::Layer>,
    /// The text it came from.
    pub origin: &'a Origin,
}

/// An entry of `[[event]]`.
pub trait Timed {
    /// When it happens.
    fn times(&self) -> Times;
}

/// An entry of `[[gauge]]`.
pub trait Measuring {
    /// Its name and its file's.
    fn name(&self) -> &str;
    /// Time between two measurements (s), if it says so.
    fn every(&self) -> Option<f64>;
}

/// An entry of `output.layers`.
pub trait Named: Copy {
    /// Its name: as in a scene, and as the model knows it.
    fn name(self) -> &'static str;
}

/// A scene of one model: its tables of the kinds that the scenes of all models have.
pub trait Tables {
    /// What `[[event]]` holds.
    type Event: Timed;
    /// What `[[gauge]]` holds.
    type Gauge: Measuring;
    /// What `output.layers` holds.
    type Layer: Named + PartialEq;

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
    fn files_mut(&mut self) -> Vec<(&'static str, &mut PathBuf)>;

    /// Where its files come from.
    fn source_of_files(&self) -> &Files {
        self.common().origin.files()
    }

    /// The lattice it stands on, where it is known without reading a file. `None` too for sizes no
    /// lattice can have, which no checked scene has.
    fn lattice(&self) -> Option<Lattice>;

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

    /// An error about the value at a key path such as `source[0].rate`, found again in the text or the
    /// overrides, for what comes to light only after the scene was read.
    fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.common().origin.locate(vec![(key.to_owned(), message.into())])
    }
}

/// Checks the tables that all scenes have.
fn check_common<S: Tables + ?Sized>(
    check: &mut Checker,
    scene: &Common<'_, S>,
    unused: &[(&str, &str)],
) {
    let Common { title, description, time, events, gauges, output, .. } = *scene;
    check.head(title, description, time);
    check.events(events.iter().map(Timed::times));
    for (i, event) in events.iter().enumerate() {
        check.times(&format!("event[{i}]"), event.times(), time.until);
    }
    check.gauges(gauges.iter().map(Measuring::name));
    for (i, gauge) in gauges.iter().enumerate().take(MAX_ENTRIES) {
        check.gauge_every(&format!("gauge[{i}]"), gauge.every(), time.until);
    }
    check.output(output, time);
    let given = |key: &str| match key {
        "time.dt" => time.dt.is_some(),
        "output.flow_map" => output.flow_map.is_some(),
        "output.mesh" => output.mesh.is_some(),
        _ => false,
    };
    for (key, message) in unused.iter().filter(|(key, _)| given(key)) {
        check.note(key, *message);
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
    /// The files of the layers it writes.
    fn layer_files(&self) -> Vec<String>;
    /// When its events happen, in their order.
    fn events(&self) -> Vec<Times>;
    /// Its gauges, in their order.
    fn gauges(&self) -> Vec<GaugeHead<'_>>;
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
        output.layers.iter().map(|layer| output.layer_format.file(layer.name())).collect()
    }

    fn events(&self) -> Vec<Times> {
        self.common().events.iter().map(Timed::times).collect()
    }

    fn gauges(&self) -> Vec<GaugeHead<'_>> {
        let Common { gauges, time, .. } = self.common();
        let every = |gauge: &S::Gauge| gauge.every().unwrap_or(time.until / MEASUREMENTS);
        gauges.iter().map(|gauge| GaugeHead { name: gauge.name(), every: every(gauge) }).collect()
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
