//! Springs and drains of a distributed world, whose cells may lie in blocks of different processes.

use crate::flow::sources::exchange::{Exchange, Outlet};
use crate::ids::IdList;

/// Springs and drains of a distributed world, with all their cells on the whole grid.
#[derive(Clone, Debug)]
pub(in crate::distributed) struct Outlets {
    pub(in crate::distributed) springs: IdList<Outlet>,
    pub(in crate::distributed) drains: IdList<Outlet>,
}

impl Outlets {
    /// Copies the springs and drains of a world from its `exchange`.
    pub(in crate::distributed) fn from_exchange(exchange: &Exchange) -> Self {
        Self { springs: exchange.springs.clone(), drains: exchange.drains.clone() }
    }

    /// Returns the list of springs (kind 0) or of drains (kind 1).
    pub(in crate::distributed) fn springs_or_drains(&self, kind: usize) -> &IdList<Outlet> {
        if kind == 0 { &self.springs } else { &self.drains }
    }

    /// Returns the list of springs (kind 0) or of drains (kind 1), mutably.
    pub(in crate::distributed) fn springs_or_drains_mut(
        &mut self,
        kind: usize,
    ) -> &mut IdList<Outlet> {
        if kind == 0 { &mut self.springs } else { &mut self.drains }
    }
}

/// Removes the cells of all springs and drains from `exchange`. Instead, all open cells (cells that
/// water can enter) are counted as cells of other subdomains; their number is set for each spring
/// and each drain.
pub(in crate::distributed) fn remove_cells(
    exchange: &mut Exchange,
    [springs, drains]: [&[usize]; 2],
) {
    for (list, open) in [(&mut exchange.springs, springs), (&mut exchange.drains, drains)] {
        for (i, outlet) in list.iter_mut().enumerate() {
            (outlet.cells, outlet.remainders) = Default::default();
            outlet.remote_open_cells = open.get(i).copied().unwrap_or(0);
        }
    }
}
