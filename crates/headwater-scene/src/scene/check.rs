//! [`Checker`]: collects the problems of a scene, for all models. It checks ranges, required keys,
//! mutually exclusive keys, and the tables that every scene has.

use super::clock::Clock;
use super::output::{LayerFormat, Output, Time, Times};
use super::place::{Area, Coordinate, Disc, Position, Rect};
use super::problem::MAX_PROBLEMS;
use headwater::{Falloff, InputError, InputPosition, Series};
use std::collections::BTreeSet;
use std::fmt::{Debug, Display};

/// Maximum number of entries in a list of a scene. A longer list suggests a broken file.
pub(crate) const MAX_ENTRIES: usize = 1000;

/// Maximum number of events in a scene, including events that do not shorten time steps. This
/// number suffices for hours of recorded interactive edits.
pub(crate) const MAX_EVENTS: usize = 100_000;

/// Largest coordinate and length in a scene (m). The limits on lengths, heights, times and repeats
/// keep sums and products in the range of `f32`, and lists small enough for memory.
pub(crate) const MAX_LENGTH: f64 = 1e8;
/// Maximum magnitude of elevations and heights in a scene (m).
pub(crate) const MAX_HEIGHT: f64 = 1e5;
/// Maximum time in a scene (in the unit of time of its model).
pub(crate) const MAX_TIME: f64 = 1e10;
/// Maximum number of times that a recurring event is applied or a gauge is read in a run.
pub(crate) const MAX_REPEATS: f64 = 1e6;

/// Maximum number of pictures that a run may draw.
const MAX_FRAMES: u32 = 10_000;

/// File names that some operating systems reserve, in lower case.
const RESERVED_FILE_NAMES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Collector of the problems that the checks of a scene find. Each problem consists of a key and a
/// message.
pub struct Checker {
    pub(crate) problems: Vec<(String, String)>,
    /// Unit of length for messages, with a leading space.
    pub(crate) length: &'static str,
    /// Unit of time for messages.
    pub(crate) clock: &'static Clock,
    /// Checked time series that have several values. Each entry contains the key of a series and
    /// its first and last time.
    pub(super) series: Vec<(String, [f64; 2])>,
}

impl Checker {
    /// Creates a collector without problems. Its messages use these units of length and time.
    pub(super) fn new(length: &'static str, clock: &'static Clock) -> Self {
        Self { problems: Vec::new(), length, clock, series: Vec::new() }
    }

    /// Adds a problem for an input error that a model reported. `table` is the key path of the
    /// scene table that contains the invalid value; it is empty for the top level of the scene.
    pub fn add_input_error(&mut self, table: &str, error: &InputError) {
        let dot = if table.is_empty() { "" } else { "." };
        self.add_problem(format!("{table}{dot}{}", error.what), range_message(error));
    }

    /// Adds a problem with the table `[picture]` if `result`, the result of validating this table,
    /// is an error.
    pub fn check_style(&mut self, result: &Result<(), InputError>) {
        if let Err(error) = result {
            self.add_input_error("picture", error);
        }
    }

    /// Adds a problem with the value of `key`, a character map (string with one character per
    /// cell). `error` is the model's error about the map. The problem names the row and the column
    /// of the character.
    pub fn add_map_error(&mut self, key: &str, error: &InputError) {
        let place = match error.place {
            Some(InputPosition::Text(row, column)) => format!("[{}][{}]", row - 1, column - 1),
            _ => String::new(),
        };
        self.add_problem(format!("{key}{place}"), error.to_string());
    }

    /// Adds a problem with the value of `key`. Discards the problem if the maximum number of
    /// problems per scene has been reached.
    pub fn add_problem(&mut self, key: impl Display, message: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push((key.to_string(), message.into()));
        }
    }

    /// Checks that the number `value`, which is the value of `key`, lies between `low` and `high`,
    /// inclusive. `unit` is its unit for messages.
    pub fn check_range(&mut self, key: impl Display, value: f64, low: f64, high: f64, unit: &str) {
        // This comparison rejects NaN.
        if !(value >= low && value <= high) {
            let (value, low, high) =
                (format_number(value), format_number(low), format_number(high));
            self.add_problem(key, format!("found {value}, allowed is {low} to {high}{unit}"));
        }
    }

    /// Checks that the number `value`, which is the value of `key`, is positive and at most `high`.
    /// `unit` is its unit for messages.
    pub fn check_positive(&mut self, key: impl Display, value: f64, high: f64, unit: &str) {
        if !(value > 0.0 && value <= high) {
            let (value, high) = (format_number(value), format_number(high));
            self.add_problem(key, format!("found {value}, allowed is above 0 up to {high}{unit}"));
        }
    }

    /// Checks the keys `title` and `description`, and the table `[time]`.
    pub(super) fn check_title_and_time(&mut self, title: &str, description: &str, time: Time) {
        for (key, text, longest) in [("title", title, 100), ("description", description, 200)] {
            let length = text.chars().count();
            let is_line = !text.chars().any(char::is_control);
            if length > longest || !is_line {
                let message = format!("needs one line of at most {longest} characters");
                let found =
                    if is_line { format!("{length} characters") } else { format!("{text:?}") };
                self.add_problem(key, format!("found {found}, {message}"));
            }
        }
        self.check_positive("time.until", time.until, MAX_TIME, self.clock.unit);
        if let Some(dt) = time.dt {
            self.check_positive("time.dt", dt, MAX_TIME, self.clock.unit);
        }
    }

    /// Checks the reading interval `every` (s) of the gauge at the key path `key`. The run ends at
    /// `until` (s).
    pub(super) fn check_gauge_interval(&mut self, key: &str, every: Option<f64>, until: f64) {
        if let Some(every) = every {
            let shortest = until / MAX_REPEATS;
            self.check_range(format!("{key}.every"), every, shortest, MAX_TIME, self.clock.unit);
        }
    }

    /// Checks the number of events. `times` contains the times of each event.
    pub(super) fn check_event_count(&mut self, times: impl ExactSizeIterator<Item = Times>) {
        let all = times.len();
        if all > MAX_EVENTS {
            self.add_problem(
                "event",
                format!("found {all} entries, allowed is up to {MAX_EVENTS}"),
            );
        }
        let stops = times.filter(|times| !times.in_passing).count();
        if stops > MAX_ENTRIES {
            let message = format!(
                "found {stops} entries that are not `in_passing`, allowed is up to {MAX_ENTRIES}"
            );
            self.add_problem("event", message);
        }
    }

    /// Checks the times of the event at the key path `key`. The run ends at `end` (s).
    pub(super) fn check_event_times(&mut self, key: &str, event: Times, end: f64) {
        self.check_range(format!("{key}.time"), event.time, 0.0, MAX_TIME, self.clock.unit);
        if let Some(until) = event.until {
            self.check_time_order(format!("{key}.until"), until, event.time, "time");
            if event.every.is_none() {
                self.add_problem(format!("{key}.until"), "does not apply without `every`");
            }
        }
        if event.in_passing && event.every.is_some() {
            self.add_problem(format!("{key}.every"), "cannot be combined with `in_passing`");
        }
        if let Some(every) = event.every {
            self.check_positive(format!("{key}.every"), every, MAX_TIME, self.clock.unit);
            let last = event.until.map_or(end, |until| until.min(end));
            let repeats = (last - event.time) / every;
            if every > 0.0 && repeats > MAX_REPEATS {
                let (repeats, max_repeats) =
                    (format_number(repeats.floor()), format_number(MAX_REPEATS));
                let message = format!("makes {repeats} repeats, allowed is up to {max_repeats}");
                self.add_problem(format!("{key}.every"), message);
            }
        }
    }

    pub(super) fn check_output<L: PartialEq>(&mut self, output: &Output<L>, time: Time) {
        if let (Some(_), Some(_)) = (output.frames, output.frame_every) {
            let message = "found both frames and frame_every, needs only one of them";
            self.add_problem("output.frame_every", message);
        }
        if let Some(frames) = output.frames.filter(|&frames| frames > MAX_FRAMES) {
            self.add_problem(
                "output.frames",
                format!("found {frames}, allowed is 0 to {MAX_FRAMES}"),
            );
        }
        if let Some(every) = output.frame_every {
            let shortest = time.until / f64::from(MAX_FRAMES);
            if !(every >= shortest && every <= MAX_TIME) {
                let (every, shortest) = (format_number(every), format_number(shortest));
                let unit = self.clock.unit;
                let message = format!(
                    "found {every}, allowed is {shortest}{unit} and more ({MAX_FRAMES} pictures in the run)"
                );
                self.add_problem("output.frame_every", message);
            }
        }
        self.check_layer_times(output, time);
        if let Some(every) = output.ledger_every {
            let (unit, shortest) = (self.clock.unit, time.until / MAX_REPEATS);
            self.check_range("output.ledger_every", every, shortest, MAX_TIME, unit);
        }
        self.check_range("output.checkpoint_every", output.checkpoint_every, 0.0, 1e6, " s");
        if output.layer_format == LayerFormat::Zarr && !cfg!(feature = "zarr") {
            let message = "found \"zarr\", but this program was built without Zarr support (build it with `--features zarr`)";
            self.add_problem("output.layer_format", message);
        }
        self.check_range("output.fps", f64::from(output.fps), 1.0, 50.0, " per second");
        for (i, layer) in output.layers.iter().enumerate() {
            if output.layers[..i].contains(layer) {
                self.add_problem(format!("output.layers[{i}]"), "is listed twice");
            }
        }
    }

    /// Checks the keys that define the output times of layers before the end of the run.
    fn check_layer_times<L>(&mut self, output: &Output<L>, time: Time) {
        let Output { layers, layers_at, layers_every, .. } = output;
        let given =
            [("layers_at", !layers_at.is_empty()), ("layers_every", layers_every.is_some())];
        for (key, _) in given.iter().filter(|(_, given)| *given && layers.is_empty()) {
            self.add_problem(format!("output.{key}"), "does not apply without `layers`");
        }
        if given.iter().all(|(_, given)| *given) {
            let message = "found both layers_at and layers_every, needs only one of them";
            self.add_problem("output.layers_every", message);
        }
        self.check_entry_count("output.layers_at", layers_at.len());
        for (i, &at) in layers_at.iter().enumerate().take(MAX_ENTRIES) {
            let key = format!("output.layers_at[{i}]");
            self.check_range(&key, at, 0.0, time.until, self.clock.unit);
            if layers_at[..i].iter().any(|before| format_number(*before) == format_number(at)) {
                self.add_problem(key, "is listed twice");
            }
        }
        if let Some(every) = *layers_every {
            let shortest = time.until / f64::from(MAX_FRAMES);
            self.check_range("output.layers_every", every, shortest, MAX_TIME, self.clock.unit);
        }
    }

    /// Stores the time range of a time series with several values. If this range does not overlap
    /// the run, the user gets a message later.
    pub(super) fn record_series(&mut self, key: impl Display, series: &Series) {
        if let [[first, _], .., [last, _]] = *series.points() {
            self.series.push((key.to_string(), [first, last]));
        }
    }

    pub(crate) fn check_height(&mut self, key: impl Display, value: f64) {
        self.check_range(key, value, -MAX_HEIGHT, MAX_HEIGHT, " m");
    }

    pub(crate) fn check_series(
        &mut self,
        key: impl Display,
        series: &Series,
        low: f64,
        high: f64,
        unit: &str,
    ) {
        self.record_series(&key, series);
        let range = series.value_range();
        let worst = if range.0 >= low { range.1 } else { range.0 };
        self.check_range(&key, worst, low, high, unit);
        if let Some([time, _]) = series.points().iter().find(|point| point[0].abs() > MAX_TIME) {
            self.check_range(key, *time, -MAX_TIME, MAX_TIME, self.clock.unit);
        }
    }

    /// Checks that the list at the key path `key`, which has `len` entries, has at most
    /// `MAX_ENTRIES`.
    pub fn check_entry_count(&mut self, key: impl Display, len: usize) {
        if len > MAX_ENTRIES {
            self.add_problem(key, format!("found {len} entries, allowed is up to {MAX_ENTRIES}"));
        }
    }

    pub(crate) fn check_coordinate(&mut self, key: impl Display, coordinate: Coordinate) {
        match coordinate {
            Coordinate::Metres(v) => self.check_range(key, v, -MAX_LENGTH, MAX_LENGTH, self.length),
            Coordinate::Percent(v) => self.check_range(key, v, 0.0, 100.0, " %"),
            Coordinate::Map { map, .. } => {
                self.check_range(key, map, -MAX_LENGTH, MAX_LENGTH, self.length);
            }
        }
    }

    pub(crate) fn check_position(&mut self, key: impl Display, position: Position) {
        for (i, coordinate) in position.into_iter().enumerate() {
            self.check_coordinate(format!("{key}[{i}]"), coordinate);
        }
    }

    /// Checks the area in the table at the key path `key`. The table must have exactly one area
    /// key, with valid values.
    pub(crate) fn check_area(&mut self, key: &str, area: &Area) {
        if area.given_keys().len() != 1 {
            self.add_problem(key, area.key_count_message());
        }
        if let Some(disc) = &area.disc {
            self.check_disc(key, disc);
        }
        if let Some(rect) = &area.rect {
            self.check_rect(key, rect);
        }
        if let Some(line) = &area.line {
            self.check_positive(format!("{key}.line.width"), line.width, MAX_LENGTH, self.length);
            self.check_points(format!("{key}.line.points"), &line.points, 1);
        }
        if let Some(polygon) = &area.polygon {
            let problem = polygon.find_problem(MAX_LENGTH);
            problem
                .into_iter()
                .for_each(|problem| self.add_problem(format!("{key}.polygon"), problem));
        }
    }

    pub(crate) fn check_disc(&mut self, key: &str, disc: &Disc) {
        self.check_position(format!("{key}.disc.center"), disc.center);
        self.check_positive(format!("{key}.disc.radius"), disc.radius, MAX_LENGTH, self.length);
    }

    /// Checks the corners of the rectangle in the table at the key path `key`.
    pub(crate) fn check_rect(&mut self, key: &str, rect: &Rect) {
        self.check_position(format!("{key}.rect.min"), rect.min);
        self.check_position(format!("{key}.rect.max"), rect.max);
    }

    /// Adds a problem if an edit in a polygon has a falloff other than `Flat`. Falloff is measured
    /// from a centre, which polygons do not have.
    pub(crate) fn check_flat_falloff(&mut self, key: &str, falloff: Falloff) {
        if falloff != Falloff::Flat {
            self.add_problem(
                format!("{key}.falloff"),
                "does not apply in a polygon, which has no centre",
            );
        }
    }

    /// Checks the radius `reach` (m) of the averages that an edit computes. `key` is the key path
    /// of the table that contains `reach`. The radius may be given only if `is_smoothing` is true,
    /// that is, if the edit computes averages. Messages refer to the edit as `kind`.
    pub(crate) fn check_smoothing_radius(
        &mut self,
        key: &str,
        reach: Option<f64>,
        is_smoothing: bool,
        kind: impl Debug,
    ) {
        let key = format!("{key}.reach");
        match reach {
            Some(reach) if is_smoothing => self.check_positive(key, reach, MAX_LENGTH, self.length),
            Some(_) => self.check_key_presence(key, true, false, kind),
            None => {}
        }
    }

    pub(crate) fn check_points(
        &mut self,
        key: impl Display,
        points: &[Position],
        min_count: usize,
    ) {
        if points.len() < min_count || points.len() > MAX_ENTRIES {
            let found = points.len();
            let message = format!("found {found} points, allowed is {min_count} to {MAX_ENTRIES}");
            self.add_problem(&key, message);
        }
        for (i, &point) in points.iter().take(MAX_ENTRIES).enumerate() {
            self.check_position(format!("{key}[{i}]"), point);
        }
    }

    /// Checks that the time `time` (s) at the key `key` is later than the time `earlier_time` (s)
    /// at the key `earlier_key`.
    pub(crate) fn check_time_order(
        &mut self,
        key: impl Display,
        time: f64,
        earlier_time: f64,
        earlier_key: &str,
    ) {
        if !(time > earlier_time && time <= MAX_TIME) {
            let (found, earlier_time) = (format_number(time), format_number(earlier_time));
            self.add_problem(
                key,
                format!("found {found}, needs a time after `{earlier_key}` ({earlier_time} s)"),
            );
        }
    }

    /// Adds a problem if the key `key` is required but missing, or if it is given but does not
    /// apply. In messages, `kind` is the name of the table that contains the key.
    pub(crate) fn check_key_presence(
        &mut self,
        key: String,
        is_given: bool,
        is_needed: bool,
        kind: impl Debug,
    ) {
        let kind = format!("{kind:?}").to_lowercase();
        match (is_given, is_needed) {
            (false, true) => self.add_problem(key, format!("is missing, \"{kind}\" needs it")),
            (true, false) => self.add_problem(key, format!("does not apply to \"{kind}\"")),
            _ => {}
        }
    }

    /// Checks that the name of a list entry is valid and not yet in `names`, and adds it to
    /// `names`. Messages refer to the entry as `kind`, such as `boundary`.
    pub(crate) fn check_entry_name<'a>(
        &mut self,
        key: &str,
        name: &'a str,
        names: &mut BTreeSet<&'a str>,
        kind: &str,
    ) {
        if name.is_empty() || name.chars().count() > 64 || name.chars().any(char::is_control) {
            self.add_problem(key, format!("found {name:?}, allowed is 1 to 64 characters"));
        }
        if !names.insert(name) {
            let message = format!("found {name:?} twice; every {kind} needs its own name");
            self.add_problem(key, message);
        }
    }

    /// Checks that `name`, which is the value of `key`, can be used as a file name.
    pub(crate) fn check_file_name(&mut self, key: &str, name: &str) {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let short = (1..=64).contains(&name.len());
        if RESERVED_FILE_NAMES.contains(&name.to_lowercase().as_str()) {
            self.add_problem(
                key,
                format!("found {name:?}, which Windows reserves; use another name"),
            );
        } else if !(short && name.chars().all(plain)) {
            let allowed = "1 to 64 of a-z, A-Z, 0-9, _ and -, as it becomes the name of a file";
            self.add_problem(key, format!("found {name:?}, allowed is {allowed}"));
        }
    }

    /// Checks that exactly one of several keys is given in the table at the key path `key`.
    /// `candidates` contains the name of each key, and whether it is given.
    pub(crate) fn check_exactly_one(&mut self, key: &str, candidates: &[(&'static str, bool)]) {
        let given = candidates.iter().map(|&(key, given)| (key, given.then_some(())));
        if let Err(message) = only_given_value("needs", given) {
            self.add_problem(key, message);
        }
    }

    /// Checks that exactly one of two keys is given in the table at the key path `key`. The array
    /// contains the name of each key, and whether it is given.
    pub(crate) fn check_exactly_one_of_two(&mut self, key: &str, [a, b]: [(&str, bool); 2]) {
        let given = [a, b].map(|(key, given)| (key, given.then_some(())));
        if let Err(message) = only_given_of_two(given) {
            self.add_problem(key, message);
        }
    }

    /// Checks two alternative keys of the table at the key path `key`. If `is_needed` is true,
    /// exactly one of them must be given; otherwise, none. The array contains the name of each key,
    /// and whether it is given. Messages refer to the table as `kind`.
    pub(crate) fn check_exactly_one_of_two_if(
        &mut self,
        key: &str,
        [a, b]: [(&str, bool); 2],
        is_needed: bool,
        kind: impl Debug,
    ) {
        match (a.1, b.1) {
            (true, true) if is_needed => {
                let message = format!("found both {} and {}, needs only one of them", a.0, b.0);
                self.add_problem(format!("{key}.{}", b.0), message);
            }
            (false, false) if is_needed => {
                let kind = format!("{kind:?}").to_lowercase();
                let message = format!("\"{kind}\" needs one of {} and {}", a.0, b.0);
                self.add_problem(key, message);
            }
            _ if is_needed => {}
            (has_a, has_b) => {
                self.check_key_presence(format!("{key}.{}", a.0), has_a, false, &kind);
                self.check_key_presence(format!("{key}.{}", b.0), has_b, false, &kind);
            }
        }
    }
}

/// Formats the found and the allowed values of an error as a message, without the key.
pub(crate) fn range_message(error: &InputError) -> String {
    format!("found {}, allowed is {}", error.found, error.allowed)
}

/// Returns the value of the only key in `candidates` that has a value. `candidates` contains the
/// name of each key, and its value if it is given. If none or several keys are given, returns a
/// message. `needs_phrase` is a phrase in this message, such as `"add" needs`.
pub(crate) fn only_given_value<T>(
    needs_phrase: &str,
    candidates: impl IntoIterator<Item = (&'static str, Option<T>)>,
) -> Result<T, String> {
    let (mut keys, mut names, mut given) = (Vec::new(), Vec::new(), Vec::new());
    for (key, value) in candidates {
        keys.push(key);
        names.extend(value.is_some().then_some(key));
        given.extend(value);
    }
    match (given.pop(), names.len()) {
        (Some(value), 1) => Ok(value),
        (_, count) => {
            let found = if count == 0 { "none".to_owned() } else { names.join(" and ") };
            Err(format!("found {found}, {needs_phrase} one of {}", keys.join(", ")))
        }
    }
}

/// Returns the value of a key if exactly one of two keys is given. The array contains the name of
/// each key, and its value if it is given. Otherwise, returns a message.
pub(crate) fn only_given_of_two<T>([a, b]: [(&str, Option<T>); 2]) -> Result<T, String> {
    let found = match (a.1, b.1) {
        (Some(value), None) | (None, Some(value)) => return Ok(value),
        (Some(_), Some(_)) => "both",
        (None, None) => "none",
    };
    Err(format!("found {found}, needs one of {} and {}", a.0, b.0))
}

/// Formats a number for a message, with as few digits as possible.
pub(crate) fn format_number(value: f64) -> String {
    // Rounding to 13 digits hides the rounding errors of products and sums.
    let value = format!("{value:.12e}").parse().unwrap_or(value);
    if value != 0.0 && (value.abs() >= 1e7 || value.abs() < 1e-4) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}
