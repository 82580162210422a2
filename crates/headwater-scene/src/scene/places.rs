//! [`Places`]: positions and areas of a scene, which are checked on their own and against the
//! lattice.

use super::check::Checker;
use super::fit::OnGrid;
use super::place::{Area, Disc, Extent, Position, Rect};
use headwater::Lattice;

/// Positions and areas of a scene with their keys.
#[derive(Default)]
pub struct Places {
    all: Vec<(String, Place)>,
}

enum Place {
    At(Position),
    In(Area),
}

impl Places {
    /// Adds a position with a key such as `source[0].at`. It must be in a cell of the grid.
    pub fn at(&mut self, key: impl Into<String>, position: Position) {
        self.all.push((key.into(), Place::At(position)));
    }

    /// Adds an area that must touch the grid: one of `disc`, `rect`, `line`, `polygon`,
    /// `everywhere` of the table at a key such as `obstacle[0]`.
    pub fn area(&mut self, table: impl Into<String>, area: Area) {
        self.all.push((table.into(), Place::In(area)));
    }

    /// Adds an extent as an area.
    pub fn extent(&mut self, table: impl Into<String>, extent: &Extent) {
        self.area(table, extent.clone().into());
    }

    /// Adds the position or area of a gauge, if it has one.
    pub(crate) fn gauge(
        &mut self,
        table: &str,
        at: Option<Position>,
        disc: Option<Disc>,
        rect: Option<Rect>,
    ) {
        match (at, disc, rect) {
            (Some(at), None, None) => self.at(format!("{table}.at"), at),
            (None, None, None) => {}
            _ => self.area(table, Area { disc, rect, ..Area::default() }),
        }
    }

    /// Returns notices about polygons that cover no cell.
    pub(crate) fn notices(&self, lattice: &Lattice) -> Vec<String> {
        let uncovered = self.all.iter().filter_map(|(key, place)| {
            let Place::In(Area { polygon: Some(polygon), .. }) = place else { return None };
            let [all, none] = polygon.uncovered(lattice);
            (none > 0).then(|| {
                format!("{key}.polygon: {none} of {all} polygons cover no cell, because they contain no cell centre")
            })
        });
        uncovered.collect()
    }

    pub(super) fn check(&self, check: &mut Checker) {
        for (key, place) in &self.all {
            match place {
                Place::At(position) => check.position(key, *position),
                Place::In(area) => check.area(key, area),
            }
        }
    }

    pub(super) fn check_fit(&self, check: &mut Checker, lattice: &Lattice) {
        let mut on = OnGrid { check, lattice };
        for (key, place) in &self.all {
            match place {
                Place::At(position) => on.position(key, *position),
                Place::In(area) => on.area(key, area),
            }
        }
    }
}
