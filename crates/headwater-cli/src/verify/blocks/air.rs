//! Air that counts: a diving bell and a siphon.

use super::vessels::spread;
use crate::verify::{FROZEN, Motion, Outcome, Row};
use anyhow::Result;
use headwater::Region;
use headwater::blocks::{Blocks, Cell, Edit, Liquid, Params};

const BELL: &str = include_str!("../boards/bell.txt");

fn with_air() -> Params {
    Params { trapped_air: true, ..Params::default() }
}

/// A bell in a lake; two rows more are poured in on one side.
pub(super) fn bell(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut world = Blocks::from_text(BELL, with_air())?;
    world.edit(&Region::rect([1.0, 0.0], [7.0, 3.0]), Edit::Set(Cell::WATER))?;
    motion.ticks(&mut world, 200)?;
    let lake: Vec<usize> = (1..14).collect();
    let (wet, level) = (world.volume_in(Liquid::Water, 6, 5, 3, 3), spread(&world, &lake));
    let wet = if level <= 1.0 && world.is_asleep() { wet as f64 } else { FROZEN };
    Ok(Row::at_most(name, "water in the bell (1/256 cell)", wet, 0.0).into())
}

const SIPHON: &str = include_str!("../boards/siphon.txt");

/// Two lakes of different level; a full pipe over the wall between them.
pub(super) fn siphon(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut world = Blocks::from_text(SIPHON, with_air())?;
    motion.ticks(&mut world, 500)?;
    let lakes = [1, 2, 3, 4, 5, 18, 19, 20, 21, 22, 23];
    let apart = if world.is_asleep() { spread(&world, &lakes) } else { FROZEN };
    Ok(Row::at_most(name, "lakes apart at rest (cells)", apart, 1.0).into())
}
