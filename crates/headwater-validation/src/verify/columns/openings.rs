//! Test cases for openings between lakes. The discharge is compared with `a·√(2g·ΔH/loss)`, where a
//! is the size of the opening, ΔH the head difference and `loss` the loss coefficient.

use crate::noise::noise;
use crate::verify::{FROZEN, Outcome, Row, Stepper, norms::max_of_errors};
use anyhow::Result;
use headwater::columns::{Anchor, Columns, Params};
use headwater::{Field, Region};
use std::ops::Range;

/// Number of random openings of each kind, one per seed.
const SEEDS: usize = 12;

/// Gravitational acceleration (m/s²).
const GRAVITY: f64 = 9.81;

/// Width of each lake (cells).
const LAKE_WIDTH: usize = 60;

/// Initial height (cells) of the higher lake's surface above its floor. The opening is in this
/// floor, or at the foot of a wall that stands on it.
const LAKE_DEPTH: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq)]
enum OpeningKind {
    /// Opening at the foot of a wall between two lakes.
    Wall,
    /// Opening at the foot of a wall between a lake and a deep drop.
    WallAboveDrop,
    /// Opening in the floor of a lake, above dry space.
    Floor,
    /// Opening in the floor of a lake, above a dry room with a low ceiling.
    FloorAboveRoom,
    /// Two openings of the same size in the floor of one lake, above dry space.
    TwoHoles,
    /// Opening in the floor of the lower of two lakes, directly below an opening of the same size
    /// in the floor of the upper lake.
    TwoFloors,
    /// Opening in the floor of a lake, above a flooded cellar. The cellar is connected to a lower
    /// lake.
    FloorAboveWater,
    /// Opening in the floor of a lake, above a flooded cellar. The cellar is connected to a higher
    /// lake, so water flows upward through the opening.
    Ceiling,
}

const KINDS: [OpeningKind; 8] = [
    OpeningKind::Wall,
    OpeningKind::WallAboveDrop,
    OpeningKind::Floor,
    OpeningKind::FloorAboveWater,
    OpeningKind::Ceiling,
    OpeningKind::FloorAboveRoom,
    OpeningKind::TwoHoles,
    OpeningKind::TwoFloors,
];

/// Random opening that is 1 to 4 cells wide or high.
struct Opening {
    kind: OpeningKind,
    size: usize,
    params: Params,
}

impl Opening {
    fn from_seed(kind: OpeningKind, seed: usize) -> Self {
        let part = |k: usize| f64::from(noise(k, 7000 + 10 * seed + kind as usize));
        let per_cell = 1 << (3.99 * part(1)) as u32;
        let step = 1.0 / (60.0 * 2.0_f64.powi((4.99 * part(2)) as i32));
        // Waves as fast as the time step allows, so that the lake feeds the opening.
        let width = 1.0 / f64::from(per_cell);
        let fastest = 0.8 * width / step;
        let wave_depth = (fastest * fastest / GRAVITY).min(LAKE_DEPTH as f64);
        let sizes = match kind {
            OpeningKind::Wall => 4.0,
            // Larger holes flood the room, or take more water than flows to them from one side.
            OpeningKind::FloorAboveRoom | OpeningKind::TwoHoles => 2.0,
            _ => 3.0,
        };
        Self {
            kind,
            size: 1 + (part(0) * sizes) as usize,
            params: Params {
                step,
                columns_per_cell: per_cell,
                wave_depth,
                loss: [0.5, 1.0, 2.0][(2.99 * part(3)) as usize],
                damping: 0.0,
                sleep_speed: 0.0,
                ..Params::default()
            },
        }
    }
}

/// World in which the opening is still closed, and the points at which it is measured.
struct MeasurementSite {
    world: Columns,
    openings: Vec<Region>,
    /// Horizontal positions (m) of the centres of the western lake's water columns. Columns above
    /// an opening in the floor are left out.
    columns: Vec<f64>,
    /// Points (m) at which the head is measured on the two sides of the opening: above and below a
    /// floor, or west and east of a wall. The second point is `None` if the water falls freely
    /// after the opening; the level of the lake's floor then counts as the head.
    heads: [Option<[f64; 2]>; 2],
    /// Depths (m below the top of the world) of the floors of the lakes that drain through the
    /// opening, from the top down. The opening is in the last floor, or in a wall that stands on
    /// it.
    floors: Vec<f64>,
}

impl Opening {
    fn create_measurement_site(&self) -> Result<MeasurementSite> {
        let Self { kind, size, ref params } = *self;
        let is_floor = !matches!(kind, OpeningKind::Wall | OpeningKind::WallAboveDrop);
        let below = match kind {
            OpeningKind::Wall => 0,
            OpeningKind::FloorAboveRoom => LAKE_DEPTH / 2,
            OpeningKind::TwoFloors => 3 * LAKE_DEPTH,
            _ => 2 * LAKE_DEPTH,
        };
        let (nx, bed) = (2 * LAKE_WIDTH + 3, LAKE_DEPTH + 2);
        let ny = bed + 1 + below + 1;
        let wall = LAKE_WIDTH + 1;
        let floors = if kind == OpeningKind::TwoFloors {
            vec![bed, bed + LAKE_DEPTH + 2]
        } else {
            vec![bed]
        };
        // Cells of the holes in the floor.
        let gap = 2 * size;
        let holes = if kind == OpeningKind::TwoHoles { vec![0, size + gap] } else { vec![0] };
        let hole = |from: usize| LAKE_WIDTH / 2 + from..LAKE_WIDTH / 2 + from + size;
        let holes: Vec<_> = holes.into_iter().map(hole).collect();
        let outer = holes[0].start as f64..holes[holes.len() - 1].end as f64;
        let walls = Field::from_fn(nx, ny, |x, y| {
            let border = x == 0 || x == nx - 1 || y == ny - 1;
            let is_deep = matches!(kind, OpeningKind::WallAboveDrop | OpeningKind::TwoFloors);
            let side = x == wall && (y <= bed || is_deep);
            let floor = floors.contains(&y) && x <= wall;
            border || side || floor || kind == OpeningKind::Wall && y == bed
        });
        let openings = if is_floor {
            let region = |&floor: &usize, hole: &Range<usize>| {
                let [left, right] = [hole.start, hole.end].map(|x| x as f64);
                Region::rect([left, floor as f64], [right, floor as f64 + 1.0])
            };
            let all = floors.iter().flat_map(|floor| holes.iter().map(move |h| region(floor, h)));
            all.collect()
        } else {
            let [top, x] = [bed - size, wall].map(|cell| cell as f64);
            vec![Region::rect([x, top], [x + 1.0, bed as f64])]
        };
        let [west, east] = if kind == OpeningKind::Ceiling {
            [LAKE_DEPTH / 2, LAKE_DEPTH]
        } else {
            [LAKE_DEPTH, LAKE_DEPTH / 2]
        };
        let west = Anchor::new_level([2.5, (bed - west) as f64]);
        let east = Anchor::new_level([wall as f64 + 5.5, (bed - east) as f64]);
        let anchors = match kind {
            OpeningKind::Wall | OpeningKind::FloorAboveWater | OpeningKind::Ceiling => {
                vec![west, east]
            }
            OpeningKind::TwoFloors => {
                vec![west, Anchor::new_level([2.5, (floors[1] - LAKE_DEPTH) as f64])]
            }
            _ => vec![west],
        };
        let world = Columns::new(&walls, 1.0, &anchors, params.clone())?;
        let width = 1.0 / f64::from(params.columns_per_cell);
        let columns = (0..LAKE_WIDTH * params.columns_per_cell as usize)
            .map(|i| 1.0 + (i as f64 + 0.5) * width)
            .filter(|&x| !is_floor || !holes.iter().any(|hole| hole.contains(&(x as usize))));
        let beside = if is_floor { outer.start - 0.5 } else { wall as f64 - 2.5 };
        let beyond = match kind {
            OpeningKind::Wall => Some([wall as f64 + 3.5, bed as f64 - 0.5]),
            // Beside the hole, where the water flows away.
            OpeningKind::FloorAboveWater | OpeningKind::Ceiling => {
                Some([outer.end + 2.5, bed as f64 + 2.5])
            }
            _ => None,
        };
        let lowest = floors[floors.len() - 1] as f64;
        Ok(MeasurementSite {
            world,
            openings,
            columns: columns.collect(),
            heads: [Some([beside, lowest - 0.5]), beyond],
            floors: floors.iter().map(|&floor| floor as f64).collect(),
        })
    }

    /// Returns the mean discharge from 1.5 to 3 s after the opening was made, divided by the
    /// theoretical discharge `a·√(2g·ΔH/loss)`.
    fn relative_discharge(&self, stepper: &dyn Stepper) -> Result<f64> {
        let MeasurementSite { mut world, openings, columns, heads, floors } =
            self.create_measurement_site()?;
        let sill = floors[floors.len() - 1];
        let step = self.params.step;
        let steps = |seconds: f64| (seconds / step).round() as u64;
        stepper.step_columns(&mut world, 2)?;
        for opening in &openings {
            world.set_walls(opening, false)?;
        }
        stepper.step_columns(&mut world, steps(1.5))?;
        let width = world.column_width();
        let volume = |world: &Columns| -> f64 {
            let points = floors.iter().flat_map(|&floor| columns.iter().map(move |&x| (x, floor)));
            let depth = |(x, floor)| {
                let surface = world.surface_at([x, floor - 0.5]);
                surface.map(|surface| floor - surface)
            };
            points.filter_map(depth).sum::<f64>() * width
        };
        let head = |world: &Columns, at: Option<[f64; 2]>| {
            at.map_or(sill, |at| world.head_at(at).unwrap_or(sill))
        };
        let before = volume(&world);
        let sign = if self.kind == OpeningKind::Ceiling { -1.0 } else { 1.0 };
        let (samples, pause) = (15_u32, steps(0.1));
        let mut mean = 0.0;
        for _ in 0..samples {
            stepper.step_columns(&mut world, pause)?;
            let [upper, lower] = heads.map(|at| head(&world, at));
            mean += (2.0 * GRAVITY * (sign * (lower - upper)).max(0.0) / self.params.loss).sqrt();
        }
        mean /= f64::from(samples);
        let discharge =
            sign * (before - volume(&world)) / (f64::from(samples) * pause as f64 * step);
        let holes = if self.kind == OpeningKind::TwoHoles { 2.0 } else { 1.0 };
        Ok(if mean > 1.0 { discharge / (holes * self.size as f64 * mean) } else { FROZEN })
    }
}

pub(super) fn measure_discharge(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let all = KINDS.iter().flat_map(|&kind| (0..SEEDS).map(move |seed| (kind, seed)));
    let error = max_of_errors(all.map(|(kind, seed)| {
        let opening = Opening::from_seed(kind, seed);
        let ratio = opening.relative_discharge(stepper)?;
        Ok((ratio - 1.0).abs())
    }))?;
    let metric = "maximum relative error of the discharge of 96 openings";
    Ok(Row::at_most(name, metric, error, 0.1).into())
}
