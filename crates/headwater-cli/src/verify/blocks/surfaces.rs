//! Whether every body of water has one level: told from the cells alone, not from what the model knows of bodies.

use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL};

/// Where a dry floor is beside water, this much may stand over it (256ths): three films of the default thickness, which a
/// single cell cannot spread to both sides.
const ON_A_FLOOR: i64 = 49;
/// A cell under a ceiling that lacks so little (256ths) counts as full.
const AS_GOOD_AS_FULL: i64 = 254;

/// How far apart the surfaces of connected water are at most (256ths of a cell): its tops under air, what is not full under a
/// ceiling, and the edges and floors beside it that it would have to run over.
pub(super) fn unlevel(world: &Blocks) -> f64 {
    let (nx, ny) = (world.nx(), world.ny());
    let mut seen = Field::new(nx, ny, false);
    let (mut most, mut stack, mut body) = (0, Vec::new(), Vec::new());
    for start in (0..ny).flat_map(|y| (0..nx).map(move |x| (x, y))) {
        body.clear();
        stack.push(start);
        while let Some((x, y)) = stack.pop() {
            if x >= nx || y >= ny || seen[(x, y)] || fill(world, x, y) == 0 {
                continue;
            }
            seen[(x, y)] = true;
            body.push((x, y));
            stack.extend([(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)]);
        }
        let top = |&(x, y): &(usize, usize)| floor(world, y) + fill(world, x, y);
        let highest = body.iter().map(top).max().unwrap_or(0);
        for at in &body {
            most = most.max(highest - lowest_beside(world, *at, top(at), highest));
        }
    }
    most as f64
}

/// The lowest surface at a cell of a body: its own, and those beside it; the highest of the body if it has none.
fn lowest_beside(world: &Blocks, (x, y): (usize, usize), top: i64, highest: i64) -> i64 {
    let is_wall =
        |x: usize, y: usize| !matches!(world.cell(x, y), Some(Cell::Air | Cell::Liquid(..)));
    let above = y.wrapping_sub(1);
    let under_air = !is_wall(x, above) && fill(world, x, above) == 0;
    let own = under_air || fill(world, x, y) < AS_GOOD_AS_FULL;
    let mut lowest = if own { top } else { highest };
    for x in [x.wrapping_sub(1), x + 1] {
        if !is_wall(x, y) && fill(world, x, y) == 0 {
            let is_firm = is_wall(x, y + 1) || fill(world, x, y + 1) == i64::from(FULL);
            lowest = lowest.min(floor(world, y) + if is_firm { ON_A_FLOOR } else { 0 });
        }
    }
    lowest
}

fn fill(world: &Blocks, x: usize, y: usize) -> i64 {
    world.fill_at(x, y).unwrap_or(0).into()
}

/// The height of a row's floor (256ths of a cell above the bottom).
fn floor(world: &Blocks, y: usize) -> i64 {
    (world.ny() - 1 - y) as i64 * i64::from(FULL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater::blocks::Params;

    #[test]
    fn a_step_in_a_lake_is_seen() {
        let of = |map: &str| unlevel(&Blocks::from_text(map, Params::default()).unwrap());
        assert_eq!(of("#~.~~#\n#~~~~#\n######"), 256.0);
        assert_eq!(of("#....#\n#~~~~#\n######"), 0.0);
        assert_eq!(of("#~#.#\n#~~~#\n#####"), 256.0, "a vessel");
        assert_eq!(of("~~.\n##.\n###"), 512.0 - 256.0, "an edge");
    }
}
