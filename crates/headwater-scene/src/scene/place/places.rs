//! [`Places`]: a collection of the positions and areas of a scene. It is used to check their values
//! and their location on the grid.

use super::fit::GridChecker;
use super::{Area, Disc, Extent, Position, Rect};
use crate::scene::check::Checker;
use headwater::Lattice;

/// Positions and areas of a scene, each with its key path.
#[derive(Default)]
pub struct Places {
    all: Vec<(String, Place)>,
}

enum Place {
    At(Position),
    In(Box<Area>),
}

impl Places {
    /// Adds a position to the collection. A later check requires that it is in a cell of the grid.
    /// `key` is the key path of the position, such as `source[0].at`.
    pub fn add_position(&mut self, key: impl Into<String>, position: Position) {
        self.all.push((key.into(), Place::At(position)));
    }

    /// Adds an area to the collection. A later check requires that it overlaps the grid. `table` is
    /// the key path of the table that contains the area, such as `obstacle[0]`.
    pub fn add_area(&mut self, table: impl Into<String>, area: Area) {
        self.all.push((table.into(), Place::In(Box::new(area))));
    }

    /// Adds the area of an event to the collection. A later check requires that it overlaps the
    /// grid. `table` is the key path of the event.
    pub fn add_extent(&mut self, table: impl Into<String>, extent: &Extent) {
        self.add_area(table, extent.clone().into());
    }

    /// Adds the position or the area of a gauge, if the gauge has one. `table` is the key path of
    /// the gauge.
    pub(crate) fn add_gauge(
        &mut self,
        table: &str,
        at: Option<Position>,
        disc: Option<Disc>,
        rect: Option<Rect>,
    ) {
        match (at, disc, rect) {
            (Some(at), None, None) => self.add_position(format!("{table}.at"), at),
            (None, None, None) => {}
            _ => self.add_area(table, Area { disc, rect, ..Area::default() }),
        }
    }

    /// Returns messages for the user about polygons that cover no cell of the lattice.
    pub(crate) fn notices(&self, lattice: &Lattice) -> Vec<String> {
        let uncovered = self.all.iter().filter_map(|(key, place)| {
            let Place::In(area) = place else { return None };
            let polygon = area.polygon.as_ref()?;
            let [all, none] = polygon.count_all_and_uncovered(lattice);
            (none > 0).then(|| {
                format!("{key}.polygon: {none} of {all} polygons cover no cell, because they contain no cell centre")
            })
        });
        uncovered.collect()
    }

    pub(in crate::scene) fn check_values(&self, check: &mut Checker) {
        for (key, place) in &self.all {
            match place {
                Place::At(position) => check.check_position(key, *position),
                Place::In(area) => check.check_area(key, area),
            }
        }
    }

    pub(in crate::scene) fn check_on_lattice(&self, check: &mut Checker, lattice: &Lattice) {
        let mut on = GridChecker { check, lattice };
        for (key, place) in &self.all {
            match place {
                Place::At(position) => on.check_position(key, *position),
                Place::In(area) => on.check_area(key, area),
            }
        }
    }
}
