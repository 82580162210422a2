//! The tables of a rippling surface: its grid, its physics, its shores, and what stirs it.

use crate::flow::BodyKind;
use crate::scene::place::{Area, Disc, Line, Position, Rect, resolve};
use headwater::waves::{Edges, Params};
use headwater::{Lattice, Point};
use serde::Deserialize;

/// `[grid]`: square cells.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WavesGrid {
    /// Columns, 1 up; with `ny` at most 2²⁶ cells.
    pub nx: usize,
    /// Rows, 1 up.
    pub ny: usize,
    /// Size of a cell (m), 0.0001 to 10⁵. Waves shorter than six of them are not to be trusted.
    pub cell: f64,
}

/// `[physics]`: how waves run. May be left out.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WavesPhysics {
    /// Speed of all waves (m/s), above 0 to 10⁵. Default 2. Not for `dispersion`.
    pub speed: Option<f64>,
    /// Gravity (m/s²), above 0 to 1000. Default 9.81.
    pub gravity: f64,
    /// How fast waves fade (1/s), 0 to 10⁴: their height as e^(−½·damping·time). Default 0.2.
    pub damping: f64,
    /// Length of a step (s), above 0 to 10⁴; `speed · step / cell` may be up to √½. Default 1/60.
    pub step: f64,
    /// Depth of the water (m), above 0 to 10⁵: for `dispersion`, and for how far light goes to the bed.
    /// Default 1.
    pub depth: f64,
    /// The highest wave (m) that is kept exactly, 10⁻⁶ to 10⁶. Default 1. A few times the waves in sight.
    pub highest: f64,
    /// Whether long waves outrun short ones, as on real water. Default `false`.
    pub dispersion: bool,
    /// Width of an absorbing edge (cells), 4 to 256; part of the grid. Default 24.
    pub absorbing_cells: usize,
}

impl Default for WavesPhysics {
    fn default() -> Self {
        let Params { gravity, damping, step, depth, highest, dispersion, absorbing_cells, .. } =
            Params::default();
        Self { speed: None, gravity, damping, step, depth, highest, dispersion, absorbing_cells }
    }
}

impl WavesPhysics {
    /// As the model takes it.
    pub fn params(&self, edges: Edges) -> Params {
        let default = Params::default();
        Params {
            gravity: self.gravity,
            speed: self.speed.unwrap_or(default.speed),
            damping: self.damping,
            step: self.step,
            highest: self.highest,
            depth: self.depth,
            dispersion: self.dispersion,
            absorbing_cells: self.absorbing_cells,
            edges,
            ..default
        }
    }
}

/// `[[land]]`: exactly one of `disc`, `rect`, `line`, `everywhere`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Land {
    /// A round place.
    pub disc: Option<Disc>,
    /// A rectangle along the axes.
    pub rect: Option<Rect>,
    /// A band along a polyline.
    pub line: Option<Line>,
    /// The whole world.
    #[serde(default)]
    pub everywhere: bool,
    /// `true` makes water of it again, where an earlier entry made land. Default `false`.
    #[serde(default)]
    pub water: bool,
}

impl Land {
    /// Where it is.
    pub fn area(&self) -> Area {
        let (disc, rect, line) = (self.disc, self.rect, self.line.clone());
        Area { disc, rect, line, everywhere: self.everywhere }
    }
}

/// `[[start]]`: exactly one of `at` (a drop) and `stroke`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Where a drop falls.
    pub at: Option<Position>,
    /// Of a drop: its radius with the rim (m), above 0 to 10⁸.
    pub radius: Option<f64>,
    /// A furrow along a line.
    pub stroke: Option<Stroke>,
    /// How deep it goes (m); below 0, how high it stands. At most `physics.highest` either way.
    pub depth: f64,
}

/// A furrow: a band that fades towards its sides.
pub type Stroke = Line;

/// `[[body]]`: exactly one of `radius` and `size`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swimmer {
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
    /// How deep it lies in the water (m), 0 to `physics.highest`.
    pub draft: f64,
    /// How it moves (m/s, to the east and to the south), −1000 to 1000. Default: not at all. Not with `path`.
    pub velocity: Option<[f64; 2]>,
    /// Where it goes, from `at` on.
    pub path: Option<SwimmerPath>,
}

/// `path` of a body: along straight lines from point to point, at an even speed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwimmerPath {
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

impl Swimmer {
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

/// `[[maker]]`: a band along a straight line that presses on the water up and down. Waves go out on both
/// its sides; an absorbing edge swallows those behind it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Maker {
    /// One end.
    pub from: Position,
    /// The other end.
    pub to: Position,
    /// Width of the band (m), above 0 to 10⁸. A third of a wavelength makes the highest waves.
    pub width: f64,
    /// Greatest pressure, as a height of water (m), 0 to `physics.highest`.
    pub head: f64,
    /// From crest to crest (s), above 0 to 10⁶.
    pub period: f64,
}

/// `[rain]`: drops at random. They ripple the surface and do not raise it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shower {
    /// Drops per second and m², 0 to 10⁶; at most 10000 fall in a step.
    pub rate: f64,
    /// Radius of a drop's crater with its rim (m), above 0 to 10⁸: three cells at least, or its waves are
    /// too short for the grid.
    pub radius: f64,
    /// Depth of the crater (m), 0 to `physics.highest`.
    pub depth: f64,
}

/// `[wind]`: round gusts that go with it, press, and die down.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gusts {
    /// How it blows (m/s, to the east and to the south), −1000 to 1000.
    pub velocity: [f64; 2],
    /// How many gusts there are at once, 1 to 10000.
    pub gusts: usize,
    /// Radius of a gust (m), above 0 to 10⁸.
    pub radius: f64,
    /// Pressure in its middle, as a height of water (m), 0 to `physics.highest`.
    pub head: f64,
    /// How long a gust lasts (s), above 0 to 10⁶. Default 4.
    #[serde(default = "four")]
    pub lifetime: f64,
}

fn four() -> f64 {
    4.0
}
