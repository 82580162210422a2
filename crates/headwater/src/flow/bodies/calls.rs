//! What a world lets be done to its bodies.

use super::body::Body;
use super::footprint::Footprint;
use crate::error::{InputError, Place};
use crate::flow::world::Flow;
use crate::ids::{Id, IdList};
use crate::region::Point;

impl Flow {
    /// Sets a body on or above the water. It brings no water and takes none.
    ///
    /// # Errors
    /// [`InputError`] if one of its numbers is out of its range, it is longer than the grid from corner to corner, or
    /// its middle lies off the grid or in a closed cell.
    pub fn add_body(&mut self, body: Body) -> Result<Id, InputError> {
        let body = self.set_down(body)?;
        Ok(self.bodies.add(body))
    }

    fn set_down(&self, body: Body) -> Result<Body, InputError> {
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
        Ok(body)
    }

    /// The bodies.
    pub fn bodies(&self) -> &IdList<Body> {
        &self.bodies
    }

    /// Calls `tell` with how far (m) bodies press the surface down, cell by cell, several times
    /// under several bodies. Added to the depth, it makes the surface go on under hulls. It
    /// allocates nothing.
    pub fn each_pressed_cell(&self, mut tell: impl FnMut((usize, usize), f32)) {
        if self.bodies.is_empty() {
            return;
        }
        let mut under = self.scratch.take::<Footprint>();
        for body in self.bodies.iter().filter(|body| !body.gone && body.head() > 0.0) {
            under.find(body, &self.state, &self.lattice);
            for cell in &under.cells {
                tell(cell.cell, (cell.weight * body.head()) as f32);
            }
        }
    }

    /// Puts another body in the place of one, or the same elsewhere, on or above the water.
    ///
    /// # Errors
    /// [`InputError`] if there is no such body, or as of [`add_body`](Self::add_body).
    pub fn set_body(&mut self, id: Id, body: Body) -> Result<(), InputError> {
        let i = self.bodies.find("a body", id)?;
        self.bodies[i] = self.set_down(body)?;
        Ok(())
    }

    /// Gives a body an impulse (N·s, `[east, south]`) at its middle.
    ///
    /// # Errors
    /// [`InputError`] if there is no such body, or it would become faster than 1000 m/s.
    pub fn push_body(&mut self, id: Id, impulse: [f64; 2]) -> Result<(), InputError> {
        let i = self.bodies.find("a body", id)?;
        let mut pushed = self.bodies[i];
        pushed.take(impulse, [0.0; 2]);
        pushed.validate()?;
        self.bodies[i] = pushed;
        Ok(())
    }

    /// Takes a body out of the world.
    ///
    /// # Errors
    /// [`InputError`] if there is no such body.
    pub fn remove_body(&mut self, id: Id) -> Result<Body, InputError> {
        let body = self.bodies.remove("a body", id)?;
        // What it lay in is no longer at rest.
        self.workspace.sweep.tiles.wake_all();
        Ok(body)
    }

    pub(in crate::flow) fn check_body(&self, body: &Body) -> Result<(), InputError> {
        body.validate()?;
        // What a step costs goes by how far a body reaches, on the grid or not.
        let diagonal = self.lattice.width().hypot(self.lattice.height());
        let size = body.size()[0];
        let allowed = format_args!("up to {diagonal:.6} m, from one corner of the grid to another");
        InputError::check("body", size, size <= diagonal, allowed)?;
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
