//! Springs and drains of an open world.

use super::store::Store;
use crate::columns::source::Source;
use crate::columns::world::Columns;
use crate::error::InputError;
use crate::ledger::{Cause, Ledger};
use crate::open::{ChunkPos, Outlets, Sources};
use crate::region::Region;
use std::collections::BTreeMap;

/// Columns of water by group.
pub(super) type Spread = BTreeMap<ChunkPos, Vec<usize>>;

/// The columns of each spring and each drain, in the order of their lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    springs: Vec<Spread>,
    drains: Vec<Spread>,
}

/// The columns of water in a region (m), by group.
///
/// # Errors
/// [`InputError`] if the size of a cell is not a length.
pub(super) fn columns_in(store: &Store, region: &Region) -> Result<Spread, InputError> {
    let mut spread = Spread::new();
    for (&home, group) in &store.groups {
        let mut columns = Vec::new();
        for (&chunk, walls) in &group.chunks {
            let (left, top) = group.bounds.cell(chunk.origin());
            for (x, y) in chunk.cells_in(store.cell_size, region)? {
                if !walls.is_wall(x, y) {
                    columns.extend(group.world.layout.columns_of_cell(left + x, top + y));
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

/// Splits quanta among the groups of columns by their number. `act` gets the columns of a group and
/// their share, and returns what the other groups need not take over, and what to sum up.
pub(super) fn distribute(
    store: &mut Store,
    places: &Spread,
    quanta: i64,
    mut act: impl FnMut(&mut Columns, &[usize], i64) -> [i64; 2],
) -> i64 {
    let (mut left, mut sum) = (quanta, 0);
    let mut count: i64 = places.values().map(|columns| columns.len() as i64).sum();
    for (home, columns) in places {
        let n = columns.len() as i64;
        let share = (i128::from(left) * i128::from(n) / i128::from(count.max(1))) as i64;
        if let Some(group) = store.groups.get_mut(home) {
            let [done, change] = act(&mut group.world, columns, share);
            (left, sum) = (left - done, sum + change);
        }
        count -= n;
    }
    sum
}

/// Applies springs and drains for a step at a time (s), in quanta of a volume of `unit` (m³).
pub(super) fn apply(
    store: &mut Store,
    sources: &mut Sources<Store>,
    ledger: &mut Ledger<i128>,
    [time, step, unit]: [f64; 3],
) {
    let places = std::mem::take(&mut store.places);
    let springs = (&mut sources.springs, &places.springs, 1.0, Cause::Source);
    let drains = (&mut sources.drains, &places.drains, -1.0, Cause::Drain);
    for (outlets, places, sign, cause) in [springs, drains] {
        for (outlet, places) in outlets.iter_mut().zip(places) {
            if places.is_empty() {
                continue;
            }
            let amount = outlet.carry + sign * outlet.source.rate.at(time) * step / unit;
            // A column cannot hold more, whatever the rate.
            let whole = amount.trunc().clamp(-1e9, 1e9);
            outlet.carry = if amount.abs() < 1e9 { amount - whole } else { 0.0 };
            if whole != 0.0 {
                let came = distribute(store, places, whole as i64, |world, columns, share| {
                    [share, world.give_from_outside(columns, share)]
                });
                ledger.book(cause, came.into());
            }
        }
    }
    store.places = places;
}

impl Places {
    /// Finds the columns of springs and drains.
    pub(super) fn new(store: &Store, sources: &Sources<Store>) -> Self {
        let places = |outlets: &Outlets<Source, f64>| {
            let of = |region| columns_in(store, region).unwrap_or_default();
            outlets.iter().map(|outlet| of(&outlet.source.region)).collect()
        };
        Self { springs: places(&sources.springs), drains: places(&sources.drains) }
    }
}
