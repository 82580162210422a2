//! The tables of a rippling surface: its grid, its shores, and what stirs it.

use crate::flow::BodyKind;
use crate::scene::place::{Line, Position, resolve};
use crate::scene::schema::schema_of;
use crate::waves::disturbance::FallingDrop;
use headwater::{Lattice, Point};
use schemars::JsonSchema;
use serde::Deserialize;

/// `[grid]`: square cells.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WavesGrid {
    /// Columns, 1 up; with `ny` at most 2²⁶ cells.
    pub nx: usize,
    /// Rows, 1 up.
    pub ny: usize,
    /// Size of a cell (m), 0.0001 to 10⁵. Waves shorter than six of them are not to be trusted.
    pub cell: f64,
}

/// `[[land]]`: waves come back from there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Land {
    /// `true` makes water of it again, where an earlier entry made land. Default `false`.
    pub water: bool,
}

/// `[[start]]`: exactly one of `at` (a drop) and `stroke`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "StartKeys")]
#[non_exhaustive]
pub enum Start {
    /// A drop falls.
    Drop(FallingDrop),
    /// A furrow is drawn: a band along a line that fades towards its sides, and its depth (m).
    Stroke(Line, f64),
}

/// The keys of a start.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StartKeys {
    /// Where a drop falls.
    at: Option<Position>,
    /// Of a drop, its radius with the rim (m), above 0 to 10⁸.
    radius: Option<f64>,
    /// The line of a furrow, with its width.
    stroke: Option<Line>,
    /// How deep it goes (m); below 0, how high it stands. At most `physics.highest` either way.
    depth: f64,
}

schema_of!([] Start, |generator| StartKeys::json_schema(generator));

impl TryFrom<StartKeys> for Start {
    type Error = &'static str;

    fn try_from(keys: StartKeys) -> Result<Self, Self::Error> {
        let StartKeys { at, radius, stroke, depth } = keys;
        match (at, radius, stroke) {
            (Some(at), Some(radius), None) => Ok(Start::Drop(FallingDrop { at, radius, depth })),
            (Some(_), None, None) => Err("missing field `radius`"),
            (None, None, Some(line)) => Ok(Start::Stroke(line, depth)),
            (None, Some(_), Some(_)) => Err("found radius, which means nothing to a stroke"),
            (None, _, None) => Err("found none, needs one of at and stroke"),
            (Some(_), _, Some(_)) => Err("found both, needs one of at and stroke"),
        }
    }
}

/// `[[body]]`: exactly one of `radius` and `size`, beside `draft`, which is needed, and `velocity`, which is not for bodies
/// with a `path`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SteeredBody {
    /// What it is in pictures: `"boat"`, `"log"`, `"crate"` or `"buoy"`. Default: a round body is a
    /// buoy, any other a boat.
    pub kind: Option<BodyKind>,
    /// Where its middle is at the start; it may be off the grid.
    pub at: Position,
    /// Of a round body, its radius (m), 0.001 to 10⁶.
    pub radius: Option<f64>,
    /// Of a hull, its length and width (m), 0.001 to 10⁶.
    pub size: Option<[f64; 2]>,
    /// Where a hull points as long as it lies still (degrees), clockwise from the east, −360 to 360.
    /// Default 0. Under way it points where it goes.
    #[serde(default)]
    pub heading: f64,
    /// Where it goes, from `at` on.
    pub path: Option<BodyPath>,
}

/// `path` of a body: along straight lines from point to point, at an even speed.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyPath {
    /// 1 to 1000 points after `at`; they may be off the grid.
    pub points: Vec<Position>,
    /// Its speed (m/s), above 0 to 1000.
    pub speed: f64,
    /// When it starts (s), 0 to 10¹⁰. Default 0.
    #[serde(default)]
    pub from: f64,
    /// Whether it goes back to `at` after the last point, and round again. Default `false`: it stays there.
    #[serde(default)]
    pub round: bool,
}

impl SteeredBody {
    /// What it is in pictures.
    pub fn looks(&self) -> BodyKind {
        let default = if self.radius.is_some() { BodyKind::Buoy } else { BodyKind::Boat };
        self.kind.unwrap_or(default)
    }

    /// Where it is on its path at a time (s); `None` for a body without one.
    pub fn on_path(&self, time: f64, lattice: &Lattice) -> Option<Point> {
        let path = self.path.as_ref()?;
        let mut points = vec![resolve(self.at, lattice)];
        points.extend(path.points.iter().map(|&point| resolve(point, lattice)));
        if path.round {
            points.push(points[0]);
        }
        let length = |leg: &[Point]| {
            let [x, y] = [leg[1][0] - leg[0][0], leg[1][1] - leg[0][1]];
            (x * x + y * y).sqrt()
        };
        let whole: f64 = points.windows(2).map(length).sum();
        let mut way = (time - path.from).max(0.0) * path.speed;
        if path.round && whole > 0.0 {
            way %= whole;
        }
        for leg in points.windows(2) {
            let long = length(leg);
            if way < long {
                let t = way / long;
                return Some([0, 1].map(|i| leg[0][i] + t * (leg[1][i] - leg[0][i])));
            }
            way -= long;
        }
        points.last().copied()
    }
}

/// Where a `[[maker]]` stands, beside `width`, `head` and `period`: a band along a straight line. Waves go out on both its
/// sides; an absorbing edge swallows those behind it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ends {
    /// One end.
    pub from: Position,
    /// The other end.
    pub to: Position,
}
