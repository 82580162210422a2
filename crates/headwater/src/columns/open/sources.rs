//! Springs and drains of an open world. They stand at places, and act where these are loaded.

use super::land::Land;
use crate::columns::source::Source;
use crate::error::InputError;
use crate::ids::IdList;
use crate::lattice::Square;
use crate::ledger::{Cause, Ledger};
use crate::open::{CHUNK, ChunkPos};
use crate::region::Region;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Columns of water by island.
pub(super) type Spread = BTreeMap<ChunkPos, Vec<usize>>;

/// Springs and drains, and the columns that they act on.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    pub(super) springs: IdList<Outlet>,
    pub(super) drains: IdList<Outlet>,
    /// Of each spring and each drain, in order.
    places: [Vec<Spread>; 2],
}

/// A spring or a drain, and what it still owes: less than a quantum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Outlet {
    pub(super) source: Source,
    pub(super) remainder: f64,
}

/// The cells of a chunk whose middles lie in a region (m), by their columns and rows in the chunk.
///
/// # Errors
/// [`InputError`] if the region makes no sense.
pub(super) fn cells_in(
    chunk: ChunkPos,
    cell: f64,
    region: &Region,
) -> Result<Vec<(usize, usize)>, InputError> {
    let from = chunk.origin().map(|at| at as f64 * cell);
    let lattice = Square::new(CHUNK, CHUNK, cell, cell)?;
    let cells = region.seen_from(from).cells(lattice).into_iter();
    Ok(cells.map(|(x, y, _)| (x, y)).collect())
}

/// The columns of water in a region (m), by island.
///
/// # Errors
/// [`InputError`] if the region makes no sense.
pub(super) fn columns_in(land: &Land, cell: f64, region: &Region) -> Result<Spread, InputError> {
    let mut spread = Spread::new();
    for (&home, island) in &land.islands {
        let mut columns = Vec::new();
        for (&chunk, walls) in &island.chunks {
            let (left, top) = island.tract.cell(chunk.origin());
            for (x, y) in cells_in(chunk, cell, region)? {
                if !walls.is_wall(x, y) {
                    columns.extend(island.world.layout.columns_of_cell(left + x, top + y));
                }
            }
        }
        columns.sort_unstable();
        columns.dedup();
        if !columns.is_empty() {
            spread.insert(home, columns);
        }
    }
    Ok(spread)
}

/// Gives some quanta to columns in equal parts, or takes them as far as there are any; returns what came.
pub(super) fn give(land: &mut Land, places: &Spread, quanta: i64) -> i64 {
    let (mut left, mut came) = (quanta, 0);
    let mut count: i64 = places.values().map(|columns| columns.len() as i64).sum();
    for (home, columns) in places {
        let n = columns.len() as i64;
        let share = (i128::from(left) * i128::from(n) / i128::from(count.max(1))) as i64;
        if let Some(island) = land.islands.get_mut(home) {
            came += island.world.give_from_outside(columns, share);
        }
        (left, count) = (left - share, count - n);
    }
    came
}

impl Sources {
    /// Finds the columns that springs and drains act on.
    pub(super) fn find(&mut self, land: &Land, cell: f64) {
        let Self { springs, drains, places } = self;
        for (outlets, places) in [&*springs, &*drains].into_iter().zip(places) {
            let of = |outlet: &Outlet| columns_in(land, cell, &outlet.source.region);
            *places = outlets.iter().map(|outlet| of(outlet).unwrap_or_default()).collect();
        }
    }

    /// Lets springs give and drains take what is due in a step at a time (s), in quanta of a volume of `unit` (m³).
    pub(super) fn flow(
        &mut self,
        land: &mut Land,
        ledger: &mut Ledger<i128>,
        [time, step, unit]: [f64; 3],
    ) {
        let Self { springs, drains, places } = self;
        let all = [(springs, 1.0, Cause::Source), (drains, -1.0, Cause::Drain)];
        for ((outlets, sign, cause), places) in all.into_iter().zip(places) {
            for (outlet, places) in outlets.iter_mut().zip(&*places) {
                if places.is_empty() {
                    continue;
                }
                let amount = outlet.remainder + sign * outlet.source.rate.at(time) * step / unit;
                // Less than a column can hold, whatever was asked for.
                let whole = amount.trunc().clamp(-1e9, 1e9);
                outlet.remainder = if amount.abs() < 1e9 { amount - whole } else { 0.0 };
                if whole != 0.0 {
                    ledger.book(cause, give(land, places, whole as i64).into());
                }
            }
        }
    }
}
