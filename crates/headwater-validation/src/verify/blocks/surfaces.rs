//! Differences in surface level within bodies of water. They are computed from the cells only, and
//! do not rely on the bodies that the model identifies.

use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL};

/// Largest height (1/256 cell) at which water may remain next to a dry floor. It is slightly more
/// than three films of the default thickness, because a cell with less water cannot wet the floors
/// on both sides.
const MAX_ON_DRY_FLOOR: i64 = 49;
/// Fill (1/256 cell) from which a cell under a ceiling counts as full.
const ALMOST_FULL: i64 = 254;

/// Returns the largest difference (1/256 cell) between the highest level in a connected body of
/// water and the lowest level to which its water could flow. The lowest level is a surface of the
/// body under air or in a partly filled cell under a ceiling, or a dry cell next to the body.
pub(super) fn level_difference(world: &Blocks) -> f64 {
    let (nx, ny) = (world.nx(), world.ny());
    let mut seen = Field::new(nx, ny, false);
    let (mut max_step, mut stack, mut body) = (0, Vec::new(), Vec::new());
    for start in (0..ny).flat_map(|y| (0..nx).map(move |x| (x, y))) {
        body.clear();
        stack.push(start);
        while let Some((x, y)) = stack.pop() {
            if x >= nx || y >= ny || seen[(x, y)] || fill_at(world, x, y) == 0 {
                continue;
            }
            seen[(x, y)] = true;
            body.push((x, y));
            stack.extend([(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)]);
        }
        let top = |&(x, y): &(usize, usize)| floor_height(world, y) + fill_at(world, x, y);
        let highest = body.iter().map(top).max().unwrap_or(0);
        for at in &body {
            max_step =
                max_step.max(highest - lowest_adjacent_surface(world, *at, top(at), highest));
        }
    }
    max_step as f64
}

/// Returns the lowest level (1/256 cell above the bottom) to which water in the cell `(x, y)` could
/// flow: its own surface `own_level`, or the floor of a dry cell next to it. Returns `highest`, the
/// highest surface of the body of water, if there is neither.
fn lowest_adjacent_surface(
    world: &Blocks,
    (x, y): (usize, usize),
    own_level: i64,
    highest: i64,
) -> i64 {
    let is_wall =
        |x: usize, y: usize| !matches!(world.cell(x, y), Some(Cell::Air | Cell::Liquid(..)));
    let above = y.wrapping_sub(1);
    let under_air = !is_wall(x, above) && fill_at(world, x, above) == 0;
    let own = under_air || fill_at(world, x, y) < ALMOST_FULL;
    let mut lowest = if own { own_level } else { highest };
    for x in [x.wrapping_sub(1), x + 1] {
        if !is_wall(x, y) && fill_at(world, x, y) == 0 {
            let is_firm = is_wall(x, y + 1) || fill_at(world, x, y + 1) == i64::from(FULL);
            lowest =
                lowest.min(floor_height(world, y) + if is_firm { MAX_ON_DRY_FLOOR } else { 0 });
        }
    }
    lowest
}

pub(super) fn fill_at(world: &Blocks, x: usize, y: usize) -> i64 {
    world.fill_at(x, y).unwrap_or(0).into()
}

/// Returns the height of the floor of row `y` (1/256 cell above the bottom).
fn floor_height(world: &Blocks, y: usize) -> i64 {
    (world.ny() - 1 - y) as i64 * i64::from(FULL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater::blocks::Params;

    #[test]
    fn surface_steps_are_detected() {
        let of = |map: &str| level_difference(&Blocks::from_text(map, Params::default()).unwrap());
        assert_eq!(of("#~.~~#\n#~~~~#\n######"), 256.0);
        assert_eq!(of("#....#\n#~~~~#\n######"), 0.0);
        assert_eq!(of("#~#.#\n#~~~#\n#####"), 256.0, "a vessel");
        assert_eq!(of("~~.\n##.\n###"), 512.0 - 256.0, "an edge");
    }
}
