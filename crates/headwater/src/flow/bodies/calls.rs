//! What a world lets be done to its bodies.

use super::body::Body;
use super::footprint::Footprint;
use crate::error::{InputError, Place};
use crate::flow::world::Flow;
use crate::region::Point;

impl Flow {
    /// Sets a body on or above the water; returns its number. It brings no water and takes none.
    ///
    /// # Errors
    /// [`InputError`] if one of its numbers is out of its range, or its middle lies off the grid or in a
    /// closed cell.
    pub fn add_body(&mut self, body: Body) -> Result<usize, InputError> {
        self.check_body(&body)?;
        let closed =
            self.lattice.cell_at(body.position).map(|(x, y)| self.state.closed.contains(x, y));
        if closed == Some(true) {
            return Err(no_place(body.position));
        }
        let mut body = Body { aground: false, keel: 0.0, gone: false, ..body };
        let under = Footprint::new(&body, &self.state, &self.lattice);
        let level = under.level(&self.state, self.params.dry_depth as f32);
        body.rest_on(under.bed, level);
        self.bodies.push(body);
        Ok(self.bodies.len() - 1)
    }

    /// The bodies, in the order in which they were added.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Gives body `i` an impulse (N·s, `[east, south]`) at its middle.
    ///
    /// # Errors
    /// [`InputError`] if there is no such body, or it would become faster than 1000 m/s.
    pub fn push_body(&mut self, i: usize, impulse: [f64; 2]) -> Result<(), InputError> {
        InputError::check_entry("body", i, self.bodies.len())?;
        let mut pushed = self.bodies[i];
        pushed.take(impulse, [0.0; 2]);
        pushed.validate()?;
        self.bodies[i] = pushed;
        Ok(())
    }

    /// Takes body `i` out of the world; those after it move up by one.
    ///
    /// # Errors
    /// [`InputError`] if there is no such body.
    pub fn remove_body(&mut self, i: usize) -> Result<Body, InputError> {
        InputError::check_entry("body", i, self.bodies.len())?;
        Ok(self.bodies.remove(i))
    }

    /// Checks a body's numbers and that it is on the grid.
    pub(in crate::flow) fn check_body(&self, body: &Body) -> Result<(), InputError> {
        body.validate()?;
        match self.lattice.cell_at(body.position) {
            Some(_) => Ok(()),
            None => Err(no_place(body.position)),
        }
    }
}

fn no_place(position: Point) -> InputError {
    InputError::new("body", "its middle there", "in an open cell of the grid")
        .at(Place::Point(position))
}
