//! Scene tables of the model `waves` for the grid, land, initial disturbances, bodies and wave
//! makers.

use crate::picture::BodyKind;
use crate::scene::has_schema::schema_of;
use crate::scene::place::{Line, Position, resolve_position};
use crate::waves::disturbance::FallingDrop;
use headwater::{Lattice, Point};
use serde::{Deserialize, Serialize};

/// `[grid]`: number and size of the cells, which are squares.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WavesGrid {
    /// Number of columns, at least 1. At most 2²⁶ cells in total.
    pub nx: usize,
    /// Number of rows, at least 1. At most 2²⁶ cells in total.
    pub ny: usize,
    /// Side length of a cell (m), 0.0001 to 10⁵. Waves shorter than six cells are inaccurate.
    pub cell: f64,
}

/// `[[land]]`: area of land, which reflects waves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Land {
    /// Whether the area becomes water instead of land, for example a pond within earlier land.
    /// Default `false`.
    pub water: bool,
}

/// `[[start]]`: initial disturbance of the surface. Needs exactly one of `at` (a drop) and `stroke`
/// (a trough).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "StartKeys")]
#[non_exhaustive]
pub enum InitialDisturbance {
    /// Depression or elevation of the surface in a disc.
    Drop(FallingDrop),
    /// Trough along a line, with its depth in the middle (m). The trough becomes shallower toward
    /// its sides.
    Stroke(Line, f64),
}

/// Keys of `[[start]]` in a scene, from which an [`InitialDisturbance`] is deserialized.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct StartKeys {
    /// Position of the centre of a drop.
    at: Option<Position>,
    /// Radius of a drop including its rim (m), greater than 0 and at most 10⁸.
    radius: Option<f64>,
    /// Line and width of a trough.
    stroke: Option<Line>,
    /// Depth of the depression (m), at most `physics.highest`. Negative values raise the surface.
    depth: f64,
}

schema_of!([] InitialDisturbance, |generator| StartKeys::json_schema(generator));

impl TryFrom<StartKeys> for InitialDisturbance {
    type Error = &'static str;

    fn try_from(keys: StartKeys) -> Result<Self, Self::Error> {
        let StartKeys { at, radius, stroke, depth } = keys;
        match (at, radius, stroke) {
            (Some(at), Some(radius), None) => {
                Ok(InitialDisturbance::Drop(FallingDrop { at, radius, depth }))
            }
            (Some(_), None, None) => Err("missing field `radius`"),
            (None, None, Some(line)) => Ok(InitialDisturbance::Stroke(line, depth)),
            (None, Some(_), Some(_)) => Err("found radius, which does not apply to a stroke"),
            (None, _, None) => Err("found none, needs one of at and stroke"),
            (Some(_), _, Some(_)) => Err("found both, needs one of at and stroke"),
        }
    }
}

/// `[[body]]`: floating body, with exactly one of `radius` and `size`. The key `draft` is required.
/// The keys `velocity` and `path` cannot be combined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SteeredBody {
    /// Appearance of the body in pictures: `"boat"`, `"log"`, `"crate"` or `"buoy"`. Default:
    /// `"buoy"` with `radius`, otherwise `"boat"`.
    pub kind: Option<BodyKind>,
    /// Initial position of the body's centre, which may be outside the grid.
    pub at: Position,
    /// Radius of a round body (m), 0.001 to 10⁶.
    pub radius: Option<f64>,
    /// Length and width of the hull (m), 0.001 to 10⁶.
    pub size: Option<[f64; 2]>,
    /// Heading of a hull at rest (degrees), clockwise from east, −360 to 360. Default 0. A moving
    /// hull points in its direction of motion.
    #[serde(default)]
    pub heading: f64,
    /// Path of the body. It starts at `at`. Default: none.
    pub path: Option<BodyPath>,
}

/// `path` of a body: straight line segments on which the body moves at constant speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BodyPath {
    /// 1 to 1000 points that follow `at`. They may be outside the grid.
    pub points: Vec<Position>,
    /// Speed along the path (m/s), greater than 0 and at most 1000.
    pub speed: f64,
    /// Time at which the body starts to move (s), 0 to 10¹⁰. Default 0.
    #[serde(default)]
    pub from: f64,
    /// Whether the body returns to `at` after the last point and repeats the path. Default `false`:
    /// the body stops at the last point.
    #[serde(default)]
    pub round: bool,
}

impl SteeredBody {
    /// Returns the appearance of the body in pictures: the key `kind`, or the default for the
    /// body's shape.
    pub fn body_kind(&self) -> BodyKind {
        let default = if self.radius.is_some() { BodyKind::Buoy } else { BodyKind::Boat };
        self.kind.unwrap_or(default)
    }

    /// Returns the position of the body on its path at a time (s). Returns `None` if the body has
    /// no path.
    pub fn position_on_path(&self, time: f64, lattice: &Lattice) -> Option<Point> {
        let path = self.path.as_ref()?;
        let mut points = vec![resolve_position(self.at, lattice)];
        points.extend(path.points.iter().map(|&point| resolve_position(point, lattice)));
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

/// `[[maker]]`: position of a wave maker, a straight band that generates waves. The table also has
/// the keys `width`, `head` and `period`. Waves travel away from both sides of the band. To remove
/// the waves on one side, place the band at an absorbing edge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MakerEnds {
    /// Position of one end of the band.
    pub from: Position,
    /// Position of the other end of the band.
    pub to: Position,
}
