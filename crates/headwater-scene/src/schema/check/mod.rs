//! Checks of a scene's values by themselves: ranges, needed keys, keys that exclude each other.
//! Where things stand on the grid is checked by [`fit`].

mod body;
mod event;
pub(super) mod fit;
mod ground;
mod output;
mod structure;
mod water;

use super::place::{Area, Coordinate, Disc, Position, Rect};
use super::{Scene, problem::MOST_PROBLEMS};
use headwater::Series;
use std::fmt::{Debug, Display};

/// The most entries of each list: beyond it, a file was not written by a sane hand.
const MAX_ENTRIES: usize = 1000;

/// Bounds that keep every sum and product far from f32's end, and every list in memory.
const MAX_LENGTH: f64 = 1e8;
const MAX_HEIGHT: f64 = 1e5;
const MAX_TIME: f64 = 1e10;
const MAX_RATE: f64 = 1e9;
const MAX_RAIN: f64 = 1e5;
const MAX_REPEATS: f64 = 1e6;

/// All problems of a scene's values by themselves, as `(key, message)`.
pub(super) fn problems(scene: &Scene) -> Vec<(String, String)> {
    let mut check = Checker { problems: Vec::new() };
    output::check(&mut check, scene);
    ground::check(&mut check, scene);
    water::check(&mut check, scene);
    structure::check(&mut check, scene);
    event::check(&mut check, scene);
    body::check(&mut check, scene);
    check.problems
}

/// Names no file can have on every system.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Collects problems as `(key, message)`.
struct Checker {
    problems: Vec<(String, String)>,
}

impl Checker {
    /// Notes a problem, as long as anyone would read it.
    fn note(&mut self, key: impl Display, message: impl Into<String>) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push((key.to_string(), message.into()));
        }
    }

    /// A number of `unit` from `low` to `high`.
    fn range(&mut self, key: impl Display, v: f64, low: f64, high: f64, unit: &str) {
        // Written so that NaN fails.
        if !(v >= low && v <= high) {
            let (v, low, high) = (number(v), number(low), number(high));
            self.note(key, format!("found {v}, allowed is {low} to {high}{unit}"));
        }
    }

    /// A number of `unit` above 0, up to `high`.
    fn positive(&mut self, key: impl Display, v: f64, high: f64, unit: &str) {
        if !(v > 0.0 && v <= high) {
            let (v, high) = (number(v), number(high));
            self.note(key, format!("found {v}, allowed is above 0 up to {high}{unit}"));
        }
    }

    fn height(&mut self, key: impl Display, v: f64) {
        self.range(key, v, -MAX_HEIGHT, MAX_HEIGHT, " m");
    }

    fn series(&mut self, key: impl Display, series: &Series, low: f64, high: f64, unit: &str) {
        let range = series.range();
        let worst = if range.0 >= low { range.1 } else { range.0 };
        self.range(&key, worst, low, high, unit);
        if let Some([time, _]) = series.points().iter().find(|point| point[0].abs() > MAX_TIME) {
            self.range(key, *time, -MAX_TIME, MAX_TIME, " s");
        }
    }

    fn entries(&mut self, key: impl Display, len: usize) {
        if len > MAX_ENTRIES {
            self.note(key, format!("found {len} entries, allowed is up to {MAX_ENTRIES}"));
        }
    }

    fn coordinate(&mut self, key: impl Display, coordinate: Coordinate) {
        match coordinate {
            Coordinate::Metres(v) => self.range(key, v, -MAX_LENGTH, MAX_LENGTH, " m"),
            Coordinate::Percent(v) => self.range(key, v, 0.0, 100.0, " %"),
        }
    }

    fn position(&mut self, key: impl Display, position: Position) {
        for (i, coordinate) in position.into_iter().enumerate() {
            self.coordinate(format!("{key}[{i}]"), coordinate);
        }
    }

    /// The area of the table at `key`: one of its keys, and that one sound.
    fn area(&mut self, key: &str, area: &Area) {
        let given = area.given();
        if given.len() != 1 {
            let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
            let message = format!("found {found}, needs one of disc, rect, line, everywhere");
            self.note(key, message);
        }
        if let Some(disc) = &area.disc {
            self.disc(key, disc);
        }
        if let Some(rect) = &area.rect {
            self.rect(key, rect);
        }
        if let Some(line) = &area.line {
            self.positive(format!("{key}.line.width"), line.width, MAX_LENGTH, " m");
            self.points(format!("{key}.line.points"), &line.points, 1);
        }
    }

    /// The disc of the table at `key`.
    fn disc(&mut self, key: &str, disc: &Disc) {
        self.position(format!("{key}.disc.center"), disc.center);
        self.positive(format!("{key}.disc.radius"), disc.radius, MAX_LENGTH, " m");
    }

    /// The rectangle of the table at `key`.
    fn rect(&mut self, key: &str, rect: &Rect) {
        self.position(format!("{key}.rect.min"), rect.min);
        self.position(format!("{key}.rect.max"), rect.max);
    }

    /// How far a smoothing reaches.
    fn reach(&mut self, key: &str, reach: Option<f64>, smooths: bool, kind: impl Debug) {
        let key = format!("{key}.reach");
        match reach {
            Some(reach) if smooths => self.positive(key, reach, MAX_LENGTH, " m"),
            Some(_) => self.only_if(key, true, false, kind),
            None => {}
        }
    }

    fn points(&mut self, key: impl Display, points: &[Position], fewest: usize) {
        if points.len() < fewest || points.len() > MAX_ENTRIES {
            let found = points.len();
            let message = format!("found {found} points, allowed is {fewest} to {MAX_ENTRIES}");
            self.note(&key, message);
        }
        for (i, &point) in points.iter().take(MAX_ENTRIES).enumerate() {
            self.position(format!("{key}[{i}]"), point);
        }
    }

    /// A time after another, which stands at the key `start`.
    fn after(&mut self, key: impl Display, time: f64, begin: f64, start: &str) {
        if !(time > begin && time <= MAX_TIME) {
            let (found, begin) = (number(time), number(begin));
            self.note(key, format!("found {found}, needs a time after `{start}` ({begin} s)"));
        }
    }

    /// A key that is there just when the table's `kind` needs it.
    fn only_if(&mut self, key: String, given: bool, needed: bool, kind: impl Debug) {
        let kind = format!("{kind:?}").to_lowercase();
        match (given, needed) {
            (false, true) => self.note(key, format!("is missing, \"{kind}\" needs it")),
            (true, false) => self.note(key, format!("means nothing to \"{kind}\"")),
            _ => {}
        }
    }

    /// A name that can be a file's.
    fn name(&mut self, key: &str, name: &str) {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let short = (1..=64).contains(&name.len());
        if !(short && name.chars().all(plain)) || RESERVED.contains(&name.to_lowercase().as_str()) {
            let allowed = "1 to 64 of a-z, A-Z, 0-9, _ and -, as it becomes the name of a file";
            self.note(key, format!("found \"{name}\", allowed is {allowed}"));
        }
    }

    /// Two keys of which there must be just one.
    fn either(&mut self, key: &str, [a, b]: [(&str, bool); 2]) {
        if a.1 == b.1 {
            let found = if a.1 { "both" } else { "none" };
            self.note(key, format!("found {found}, needs one of {} and {}", a.0, b.0));
        }
    }

    /// Two keys of which there is one if the table's `kind` needs either, else none.
    fn one_of(&mut self, key: &str, [a, b]: [(&str, bool); 2], needed: bool, kind: impl Debug) {
        match (a.1, b.1) {
            (true, true) if needed => {
                let message = format!("found both {} and {}, needs only one of them", a.0, b.0);
                self.note(format!("{key}.{}", b.0), message);
            }
            (false, false) if needed => {
                let kind = format!("{kind:?}").to_lowercase();
                let message = format!("\"{kind}\" needs one of {} and {}", a.0, b.0);
                self.note(key, message);
            }
            _ if needed => {}
            (has_a, has_b) => {
                self.only_if(format!("{key}.{}", a.0), has_a, false, &kind);
                self.only_if(format!("{key}.{}", b.0), has_b, false, &kind);
            }
        }
    }
}

/// A number as short as it can be written.
fn number(v: f64) -> String {
    if v != 0.0 && (v.abs() >= 1e7 || v.abs() < 1e-4) { format!("{v:e}") } else { v.to_string() }
}
