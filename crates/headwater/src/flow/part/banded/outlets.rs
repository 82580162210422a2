//! [`Outlets`]: springs and drains of a world in bands, all of each.

use crate::flow::exchange::{Exchange, Outlet};
use crate::ids::IdList;

/// Springs and drains with all their cells.
#[derive(Clone, Debug)]
pub(super) struct Outlets {
    pub(super) springs: IdList<Outlet>,
    pub(super) drains: IdList<Outlet>,
}

impl Outlets {
    pub(super) fn of(exchange: &Exchange) -> Self {
        Self { springs: exchange.springs.clone(), drains: exchange.drains.clone() }
    }

    /// The springs (0) or the drains (1).
    pub(super) fn list(&self, kind: usize) -> &IdList<Outlet> {
        if kind == 0 { &self.springs } else { &self.drains }
    }

    /// Leaves those of a world no cell, and so many open ones elsewhere.
    pub(super) fn empty(&self, exchange: &mut Exchange, [springs, drains]: [Vec<usize>; 2]) {
        let lists = [(&mut exchange.springs, springs), (&mut exchange.drains, drains)];
        for (list, open) in lists {
            for (outlet, open) in list.iter_mut().zip(open) {
                (outlet.cells, outlet.remainders) = Default::default();
                outlet.elsewhere = open;
            }
        }
    }
}
