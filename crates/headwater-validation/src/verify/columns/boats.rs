//! Test cases for boats that cross sills.

use crate::noise::noise;
use crate::verify::{FROZEN, Outcome, Row, Stepper};
use anyhow::Result;
use headwater::Field;
use headwater::columns::{Anchor, Body, Columns, Params, Shape};

/// Number of random boats, one per seed.
const SEEDS: usize = 50;

/// Cell size (m).
const CELL: f64 = 0.5;

/// Half the width and half the height of each boat (m).
const HALF: [f64; 2] = [0.75, 0.5];

/// Test world with a sill in water 3 m deep and a boat that moves toward the sill.
struct Crossing {
    world: Columns,
    /// Whether the depth of the water above the sill exceeds the draught of the boat.
    is_deep: bool,
    /// Horizontal extent of the sill (m).
    sill: [f64; 2],
    eastward: bool,
}

impl Crossing {
    /// Creates a sill and a boat from a seed. Every third sill is a horizontal slab with water
    /// below it. At the ends of such a slab are joints, which are boundaries between adjacent
    /// pools.
    fn from_seed(seed: usize) -> Result<Self> {
        let part = |k: usize| f64::from(noise(k, 9700 + seed));
        let (nx, bed, from) = (61, 9, 26);
        let thick = 1 + (7.99 * part(0)) as usize;
        // The water above the sill is 0.5 to 1.5 m deep.
        let cells_above_sill = 1 + (2.99 * part(1)) as usize;
        let level = 1.5;
        let top = 3 + cells_above_sill;
        let is_slab = seed.is_multiple_of(3);
        let walls = Field::from_fn(nx, bed + 1, |x, y| {
            let is_sill = (from..from + thick).contains(&x) && y >= top;
            x == 0 || x == nx - 1 || y == bed || is_sill && (!is_slab || y == top)
        });
        let is_deep = part(2) < 0.6;
        let above_sill = cells_above_sill as f64 * CELL;
        let draught = if is_deep { (0.6 - 0.3 * part(3)) * above_sill } else { 1.2 * above_sill };
        let draught = draught.min(1.6 * HALF[1]);
        let is_deep = draught < above_sill;
        let params = Params { columns_per_cell: 1 + (3.99 * part(4)) as u32, ..Params::default() };
        let anchors = [2.0, 28.0].map(|x| Anchor::new_level([x, level]));
        let mut world = Columns::new(&walls, CELL, &anchors, params)?;
        let sill = [CELL * from as f64, CELL * (from + thick) as f64];
        let eastward = part(5) < 0.5;
        let x = if eastward { sill[0] - 2.5 } else { sill[1] + 2.5 };
        let shape = Shape::Box { center: [x, level + draught - HALF[1]], half: HALF };
        let boat = Body::new(shape, 1000.0 * 2.0 * HALF[0] * draught);
        world.add_body(boat)?;
        Ok(Self { world, is_deep, sill, eastward })
    }

    /// Returns whether the boat crosses the sill within 20 s. Every half second, the boat's
    /// horizontal speed is set to 1 m/s toward the sill.
    fn simulate_crossing(mut self, stepper: &dyn Stepper) -> Result<bool> {
        stepper.step_columns(&mut self.world, 300)?;
        for _ in 0..40 {
            let Some((id, &boat)) = self.world.bodies().entries().next() else { break };
            let (Shape::Box { center: [x, _], .. } | Shape::Disc { center: [x, _], .. }) =
                boat.shape;
            if if self.eastward { x > self.sill[1] } else { x < self.sill[0] } {
                return Ok(true);
            }
            let speed = if self.eastward { 1.0 } else { -1.0 };
            self.world.set_body(id, Body { velocity: [speed, boat.velocity[1]], ..boat })?;
            stepper.step_columns(&mut self.world, 30)?;
        }
        Ok(false)
    }
}

/// Counts the boats that do not cross a sill that is deep enough, or that cross one that is not.
pub(super) fn count_wrong_crossings(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut wrong, mut crossed) = (0.0, 0);
    for seed in 0..SEEDS {
        let crossing = Crossing::from_seed(seed)?;
        let is_deep = crossing.is_deep;
        let is_crossed = crossing.simulate_crossing(stepper)?;
        crossed += usize::from(is_crossed);
        wrong += f64::from(u8::from(is_crossed != is_deep));
    }
    let wrong = if crossed < SEEDS / 4 { FROZEN } else { wrong };
    Ok(Row::at_most(name, "boats of 50 whose draught does not decide the crossing", wrong, 0.0)
        .into())
}
