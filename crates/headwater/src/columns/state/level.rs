//! Method that sets the level of connected water in a running world, as a level anchor does when a
//! world is created.

use crate::columns::layout::anchor::{Anchor, InitialFill};
use crate::columns::solver::pressure;
use crate::columns::world::Columns;
use crate::error::{InputError, InputPosition};
use crate::ledger::Cause;
use crate::region::Point;

impl Columns {
    /// Sets the surface level of all water connected to a point to the height of that point (m to
    /// the east and down from the grid's top-left corner). Other water and trapped air do not
    /// change. Returns the added volume (m³ for a world 1 m thick), which is negative if water was
    /// removed. The ledger records this volume.
    ///
    /// # Errors
    /// Returns [`InputError`] if there can be no water at the point, or if the world uses
    /// [`Motion::Springs`](crate::columns::Motion::Springs).
    pub fn set_level(&mut self, point: Point) -> Result<f64, InputError> {
        self.require_volume("a level of water")?;
        let layout = &self.layout;
        let (nx, ny) = (layout.grid.nx(), layout.grid.ny());
        let fill =
            InitialFill::new(&layout.rects, &[Anchor::new_level(point)], nx, ny, layout.cell);
        if let Some(ignored) = fill.ignored.first() {
            let error = InputError::new("a level", ignored.reason, "where water can stand");
            return Err(error.at_position(InputPosition::Point(point)));
        }
        let mut changes = Vec::new();
        for (columns, level) in layout.rect_columns.iter().zip(&fill.level) {
            let Some(level) = level else { continue };
            let surface = layout.to_quanta(level * layout.cell);
            let free = columns.clone().filter(|&c| !self.bubbles.iter().any(|air| air.contains(c)));
            changes.extend(free.map(|c| {
                let wanted = pressure::still_water_amount(layout, c, surface, self.params.gravity);
                (c, i64::from(wanted) - i64::from(self.state.depth[c]))
            }));
        }
        let added: i64 =
            changes.into_iter().map(|(c, more)| self.add_water_from_outside(&[c], more)).sum();
        self.ledger.record(Cause::Edit, added.into());
        Ok(added as f64 * self.layout.quantum_volume())
    }
}
