//! Test cases for vessels and channels: periods of U-tubes, reflection at joints between pools, and
//! pressure below ceilings.

use crate::verify::{FROZEN, Outcome, Row, Stepper, norms::max_of_errors};
use anyhow::Result;
use headwater::columns::{Anchor, Columns, Edit, Params};
use headwater::{Field, Region};
use std::f64::consts::PI;

/// Returns parameters without damping and without sleeping.
pub(super) fn undamped_params() -> Params {
    Params { damping: 0.0, spread: 0.0, loss: 0.0, sleep_speed: 0.0, ..Params::default() }
}

/// U-tube with equal arms. In cells, `arm_width` is the width of an arm, `passage_height` and
/// `passage_length` are the height and length of the passage, and `depth` is the depth of water
/// over its floor. `cell_size` is the cell size (m).
struct Tube {
    arm_width: usize,
    passage_height: usize,
    passage_length: usize,
    depth: usize,
    cell_size: f64,
}

const TUBES: [Tube; 5] = [
    Tube { arm_width: 1, passage_height: 1, passage_length: 20, depth: 12, cell_size: 0.5 },
    Tube { arm_width: 1, passage_height: 1, passage_length: 8, depth: 30, cell_size: 0.5 },
    Tube { arm_width: 2, passage_height: 2, passage_length: 40, depth: 20, cell_size: 0.25 },
    Tube { arm_width: 4, passage_height: 4, passage_length: 60, depth: 30, cell_size: 0.1 },
    Tube { arm_width: 3, passage_height: 3, passage_length: 12, depth: 40, cell_size: 0.1 },
];

impl Tube {
    /// Creates the U-tube. The water is raised in the western arm and lowered in the eastern arm,
    /// each by a twentieth of the depth.
    fn world(&self) -> Result<Columns> {
        let Tube { arm_width, passage_height, passage_length, depth, cell_size } = *self;
        let (nx, ny) = (2 * arm_width + passage_length, 2 * depth);
        let walls = Field::from_fn(nx, ny, |x, y| {
            (arm_width..arm_width + passage_length).contains(&x) && y < ny - passage_height
        });
        let anchor = Anchor::new_level([0.5 * cell_size, depth as f64 * cell_size]);
        let mut world = Columns::new(&walls, cell_size, &[anchor], undamped_params())?;
        let lift = 0.05 * (depth * arm_width) as f64 * cell_size * cell_size;
        let arm = |x: usize| {
            let from = x as f64 * cell_size;
            Region::rect([from, 0.0], [from + arm_width as f64 * cell_size, 0.999 * cell_size])
        };
        world.edit(&arm(0), Edit::Pour(lift))?;
        world.edit(&arm(arm_width + passage_length), Edit::Remove(lift))?;
        Ok(world)
    }

    /// Returns the exact period `2π√(L/2g)` (s), where L is the length along the centre line of the
    /// tube.
    fn period(&self) -> f64 {
        let length = (self.passage_length + self.arm_width) as f64 + 2.0 * self.depth as f64
            - self.passage_height as f64;
        2.0 * PI * (length * self.cell_size / (2.0 * 9.81)).sqrt()
    }

    /// Returns the water level in the west minus that in the east (m).
    fn level_difference(&self, world: &Columns) -> f64 {
        let far = (2 * self.arm_width + self.passage_length) as f64 - 0.5;
        let [west, east] =
            [0.5, far].map(|x| world.surface_at([x * self.cell_size, 0.01]).unwrap_or(0.0));
        east - west
    }

    /// Returns the measured period (s): the time between two consecutive crossings of the mean
    /// level in the same direction.
    fn measured_period(&self, stepper: &dyn Stepper) -> Result<f64> {
        let mut world = self.world()?;
        let step = world.params().step;
        let (mut crossings, mut last) = (Vec::new(), self.level_difference(&world));
        for i in 0..(4.0 * self.period() / step) as usize {
            stepper.step_columns(&mut world, 1)?;
            let now = self.level_difference(&world);
            if last > 0.0 && now <= 0.0 {
                crossings.push((i as f64 + last / (last - now)) * step);
            }
            last = now;
        }
        Ok(if let [first, .., last] = crossings[..] {
            (last - first) / (crossings.len() - 1) as f64
        } else {
            FROZEN
        })
    }
}

pub(super) fn measure_period(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let off = |tube: &Tube| Ok((tube.measured_period(stepper)? / tube.period() - 1.0).abs());
    let error = max_of_errors(TUBES.iter().map(off))?;
    let metric = "maximum relative error of the period of five tubes";
    Ok(Row::at_most(name, metric, error, 0.05).into())
}

/// Creates a channel of 100 m. If `has_platform` is true, a platform in the air above the water
/// splits the channel into four pools.
fn create_channel(has_platform: bool) -> Result<Columns> {
    let walls = Field::from_fn(400, 20, |x, y| has_platform && y == 5 && (200..230).contains(&x));
    let params = Params { wave_depth: 10.0, step: 1.0 / 240.0, ..undamped_params() };
    let mut world = Columns::new(&walls, 0.25, &[Anchor::new_level([2.0, 2.5])], params)?;
    world.edit(&Region::rect([20.0, 0.0], [22.0, 5.0]), Edit::Splash(-0.05))?;
    Ok(world)
}

/// Measures the reflection of a wave by a joint (boundary between two pools). The wave starts 5 m
/// from the joint. The result is compared with a channel without joints.
pub(super) fn measure_reflection(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut with, mut without) = (create_channel(true)?, create_channel(false)?);
    anyhow::ensure!(with.pool_count() == 4 && without.pool_count() == 1, "no joints to reflect");
    let (mut incident, mut reflected) = (0.0_f64, 0.0_f64);
    for _ in 0..240 * 9 {
        stepper.step_columns(&mut with, 1)?;
        stepper.step_columns(&mut without, 1)?;
        let [a, b] = [&with, &without].map(|w| height_above_bottom(w, w.surface_at([45.1, 4.9])));
        incident = incident.max((b - 2.5).abs());
        reflected = reflected.max((a - b).abs());
    }
    let part = if (0.01..0.1).contains(&incident) { reflected / incident } else { FROZEN };
    Ok(Row::at_most(name, "reflection coefficient of a joint of pools", part, 0.01).into())
}

/// Measures a surge in a basin that continues under a low ceiling and ends in a shaft. Reports the
/// largest height (m) by which the water in a column exceeds the column's capacity. The head under
/// the ceiling and the level in the shaft must show that the surge has arrived there.
pub(super) fn measure_ceiling(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let walls = Field::from_fn(60, 16, |x, y| (20..56).contains(&x) && y < 10);
    let anchor = Anchor::new_level([1.0, 2.75]);
    let mut world = Columns::new(&walls, 0.25, &[anchor], Params::default())?;
    let before = world.volume();
    world.edit(&Region::rect([0.0, 0.0], [5.0, 2.0]), Edit::Pour(6.0))?;
    let (mut over, mut head, mut shaft) = (0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..60 * 180 {
        stepper.step_columns(&mut world, 1)?;
        over = over.max(world.max_overfill());
        head = head.max(height_above_bottom(&world, world.head_at([9.0, 3.0])));
        shaft = shaft.max(height_above_bottom(&world, world.surface_at([14.5, 3.0])));
    }
    // After the surge, the added water has raised both levels.
    let [basin, end] = [1.0, 14.5].map(|x| height_above_bottom(&world, world.surface_at([x, 3.0])));
    let pressed = head > 1.55 && shaft > 1.55 && (basin - end).abs() < 0.02;
    let kept = (world.volume() - before - 6.0).abs() < 1e-6;
    let over = if pressed && kept { over } else { FROZEN };
    Ok(Row::at_most(name, "maximum water above a ceiling in a surge (m)", over, 2.5e-4).into())
}

/// Converts a depth below the top of the world (m) to a height above the bottom (m). Returns 0 if
/// the depth is `None`.
fn height_above_bottom(world: &Columns, depth_below_top: Option<f64>) -> f64 {
    depth_below_top.map_or(0.0, |y| world.size()[1] - y)
}
