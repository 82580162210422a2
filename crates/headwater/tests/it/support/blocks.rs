//! Block worlds and checks that several tests use.

use headwater::blocks::{Blocks, Cell, FULL, Liquid, Params};
use headwater::{Field, Ledger, Region};

pub(crate) fn noise(x: usize, y: usize, seed: u64) -> f64 {
    super::pools::noise(x, y, seed).into()
}

/// Returns a map of caves that contain liquids. `kinds` selects the liquids: 1 for water, 2 for
/// water and oil, 3 for water, oil and lava.
pub(crate) fn caves(nx: usize, ny: usize, seed: u64, kinds: usize) -> Field<Cell> {
    let scale = 1 + (8.0 * noise(0, 0, seed ^ 77)) as usize;
    let walls = 0.15 + 0.4 * noise(1, 0, seed ^ 77);
    Field::from_fn(nx, ny, |x, y| {
        if noise(x / scale, y / scale, seed) < walls {
            return Cell::Wall;
        }
        let wet = noise(x / (scale + 3), y / (scale + 2), seed ^ 5);
        let fill = match noise(x, y, seed ^ 9) {
            part if part < 0.5 => FULL,
            part => 1 + (2.0 * (part - 0.5) * 255.0) as u16,
        };
        let liquids = [Liquid::Water, Liquid::Oil, Liquid::Lava];
        let which = (noise(x / 7, y / 5, seed ^ 3) * kinds as f64) as usize;
        if wet < 0.45 { Cell::Liquid(liquids[which.min(kinds - 1)], fill) } else { Cell::Air }
    })
}

pub(crate) fn mirrored(cells: &Field<Cell>) -> Field<Cell> {
    Field::from_fn(cells.nx(), cells.ny(), |x, y| cells[(cells.nx() - 1 - x, y)])
}

pub(crate) fn world(cells: &Field<Cell>, params: &Params) -> Blocks {
    Blocks::new(cells, params.clone()).unwrap()
}

pub(crate) const OIL: Cell = Cell::Liquid(Liquid::Oil, FULL);

/// Runs a world for at most `steps` steps until it is at rest. Checks that the world stays at rest
/// and that all liquids are conserved.
pub(crate) fn check_rest(world: &mut Blocks, steps: u64) {
    assert!(world.run_to_rest(steps), "after {steps} steps it still moves:\n{}", world.to_text());
    let before = world.cells();
    (0..20).for_each(|_| world.step_plain());
    assert!(world.cells() == before, "asleep, but not at rest:\n{}", world.to_text());
    for liquid in Liquid::ALL {
        assert_eq!(world.balance(liquid).residual, 0);
    }
}

pub(crate) fn rect(x: usize, y: usize, nx: usize, ny: usize) -> Region {
    Region::rect([x as f64, y as f64], [(x + nx) as f64, (y + ny) as f64])
}

pub(crate) fn ledgers(world: &Blocks) -> [Ledger<i128>; 3] {
    Liquid::ALL.map(|liquid| world.ledger(liquid).clone())
}
