//! Block water: whether vessels level out and how soon, whether worlds come to rest, and whether not a unit
//! is lost on the way.

mod air;
mod article;
mod rest;
mod same;
mod vessels;

use super::{Case, Motion, Outcome};
use anyhow::Result;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL};

pub(super) use vessels::cases as vessels;

/// A case's name and how it is measured.
type Entry = (&'static str, fn(&'static str, &dyn Motion) -> Result<Outcome>);

fn entries<const N: usize>(entries: [Entry; N]) -> Vec<Case> {
    let case = |(name, measure): Entry| {
        Case::new(name.into(), move |motion: &dyn Motion| measure(name, motion))
    };
    entries.into_iter().map(case).collect()
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = same::cases();
    cases.extend(vessels());
    cases.extend(rest::cases());
    cases.extend(air::cases());
    cases.extend(article::cases());
    cases
}

/// The height of the surface in a column (cells above the bottom): that of its highest liquid.
fn surface(world: &Blocks, x: usize) -> f64 {
    let rows = 0..world.ny();
    let top = rows.into_iter().find(|&y| world.fill_at(x, y).is_some_and(|fill| fill > 0));
    top.map_or(0.0, |y| {
        let fill = f64::from(world.fill_at(x, y).unwrap_or(0));
        (world.ny() - 1 - y) as f64 + fill / f64::from(FULL)
    })
}

/// How far apart the surfaces in some columns are (cells).
fn spread(world: &Blocks, columns: &[usize]) -> f64 {
    let surfaces = columns.iter().map(|&x| surface(world, x));
    let (low, high) = surfaces
        .fold((f64::INFINITY, 0.0_f64), |(low, high), level| (low.min(level), high.max(level)));
    high - low
}

/// The same world seen in a mirror.
fn mirrored(cells: &Field<Cell>) -> Field<Cell> {
    Field::from_fn(cells.nx(), cells.ny(), |x, y| cells[(cells.nx() - 1 - x, y)])
}
