//! Methods of [`Flow`] that add, change and remove floating bodies.

use super::body::Body;
use super::footprint::Footprint;
use crate::error::{InputError, InputPosition};
use crate::flow::world::Flow;
use crate::ids::{Id, IdList};
use crate::region::Point;

impl Flow {
    /// Adds a floating body. Its `draft` sets the initial depth of the keel below the water level;
    /// a negative draft places the keel above the water. The volume of water does not change.
    ///
    /// # Errors
    /// Returns [`InputError`] if a value in `body` is out of range, if the body is longer than the
    /// diagonal of the grid, or if its centre lies off the grid or in a closed cell.
    pub fn add_body(&mut self, body: Body) -> Result<Id, InputError> {
        let body = self.place_body(body)?;
        Ok(self.bodies.add(body))
    }

    fn place_body(&self, body: Body) -> Result<Body, InputError> {
        self.check_body(&body)?;
        let closed =
            self.lattice.cell_at(body.position).map(|(x, y)| self.state.closed.contains(x, y));
        if closed == Some(true) {
            return Err(closed_position_error(body.position));
        }
        let mut body = Body { aground: false, keel: 0.0, gone: false, ..body };
        let under = Footprint::new(&body, &self.state, &self.lattice);
        let level = under.water_level(&self.state, self.params.dry_depth as f32);
        body.update_grounding(under.bed, level);
        Ok(body)
    }

    /// Returns the floating bodies with their identifiers.
    pub fn bodies(&self) -> &IdList<Body> {
        &self.bodies
    }

    /// Calls `visit(cell, depression)` for every cell in which a body depresses the water surface.
    /// `depression` is the height (m) by which the surface is lowered. A cell under several bodies
    /// is visited once per body. To obtain a surface that continues smoothly under the hulls, add
    /// the depression to the bed and the depth. The function does not allocate.
    pub fn for_each_depressed_cell(&self, mut visit: impl FnMut((usize, usize), f32)) {
        if self.bodies.is_empty() {
            return;
        }
        let mut under = self.scratch.take::<Footprint>();
        for body in self.bodies.iter().filter(|body| !body.gone && body.submerged_height() > 0.0) {
            under.compute(body, &self.state, &self.lattice);
            for cell in &under.cells {
                visit(cell.cell, (cell.weight * body.submerged_height()) as f32);
            }
        }
    }

    /// Replaces a body. The new body is placed in the same way as by [`add_body`](Self::add_body).
    ///
    /// # Errors
    /// Returns [`InputError`] if there is no such body, or [`add_body`](Self::add_body) would
    /// reject the new one.
    pub fn set_body(&mut self, id: Id, body: Body) -> Result<(), InputError> {
        let i = self.bodies.find_index("a body", id)?;
        self.bodies[i] = self.place_body(body)?;
        Ok(())
    }

    /// Applies an impulse (N·s, `[east, south]`) at the centre of a body.
    ///
    /// # Errors
    /// Returns [`InputError`] if there is no such body, or the impulse would make the body faster
    /// than 1000 m/s.
    pub fn push_body(&mut self, id: Id, impulse: [f64; 2]) -> Result<(), InputError> {
        let i = self.bodies.find_index("a body", id)?;
        let mut pushed = self.bodies[i];
        pushed.apply_impulse(impulse, [0.0; 2]);
        pushed.validate()?;
        self.bodies[i] = pushed;
        Ok(())
    }

    /// Removes a body and returns it.
    ///
    /// # Errors
    /// Returns [`InputError`] if there is no such body.
    pub fn remove_body(&mut self, id: Id) -> Result<Body, InputError> {
        let body = self.bodies.remove("a body", id)?;
        // The water under the body is no longer in equilibrium.
        self.workspace.sweep.tiles.wake_all();
        Ok(body)
    }

    pub(in crate::flow) fn check_body(&self, body: &Body) -> Result<(), InputError> {
        body.validate()?;
        // The cost of a step grows with the reach of a body, on the grid or not.
        let diagonal = self.lattice.width().hypot(self.lattice.height());
        let size = body.size()[0];
        let allowed = format_args!("up to {diagonal:.6} m, from one corner of the grid to another");
        InputError::check("body", size, size <= diagonal, allowed)?;
        match self.lattice.cell_at(body.position) {
            Some(_) => Ok(()),
            None => Err(closed_position_error(body.position)),
        }
    }
}

fn closed_position_error(position: Point) -> InputError {
    InputError::new("body", "a centre there", "a centre in an open cell of the grid")
        .at_position(InputPosition::Point(position))
}
