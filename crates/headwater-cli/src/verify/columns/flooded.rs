//! Flooded boards into whose cellars somebody digs: nothing feeds the water's motion, and none stands above a ceiling.

use crate::flooded::Flooded;
use crate::verify::{FROZEN, Motion, Outcome, Row};
use anyhow::Result;

/// Boards, and steps on each.
const BOARDS: usize = 100;
const STEPS: u64 = 600;

/// How far the energy of undamped water rises above the least it has been, of what the dig has released, and how much more
/// water than fits is in the fullest column (of a cell's height).
pub(super) fn flooded(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let (mut rise, mut over, mut moved) = (0.0_f64, 0.0_f64, 0);
    for seed in 0..BOARDS {
        let board = Flooded::of(seed);
        let mut world = board.world(0.0)?;
        world.set_walls(&board.hole, false)?;
        let start = world.energy().total();
        let (mut least, mut gained) = (start, 0.0_f64);
        for _ in 0..STEPS {
            motion.swing(&mut world, 1)?;
            let now = world.energy().total();
            least = least.min(now);
            gained = gained.max(now - least);
            over = over.max(world.overfull() / world.cell());
        }
        let released = start - least;
        // Where the hole meets no water, there is nothing but rounding.
        if released > 1e-6 * start {
            moved += 1;
            rise = rise.max(gained / released);
        }
        anyhow::ensure!(world.balance().residual == 0.0, "a drop is lost");
    }
    if moved < BOARDS / 3 {
        (rise, over) = (FROZEN, FROZEN);
    }
    Ok(Outcome::of(vec![
        Row::at_most(
            format!("{name}-energy"),
            "greatest rise of energy on 100 boards, of what was released",
            rise,
            1e-3,
        ),
        Row::at_most(
            format!("{name}-ceilings"),
            "most water above a ceiling on 100 boards (cells)",
            over,
            1e-3,
        ),
    ]))
}
