//! Methods that edit the springs, drains and floating bodies of a world. Each of these objects is
//! identified by a number.

use super::error::FacadeError;
use super::facade::Facade;
use super::place::Place;
use headwater::Id;
use headwater::model::BodyState;

impl Facade {
    /// Adds a spring in the region `place`, and returns its number. `rate` is the total inflow: in
    /// m³/s; in the model `blocks`, in cells/s; in the model `hydrology`, in m³ per unit of time
    /// (one raindrop per cell on average).
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the place or the rate is not valid, or if the model does not
    /// support springs.
    pub fn add_spring(&mut self, place: &Place, rate: f64) -> Result<u32, FacadeError> {
        Ok(self.live.model_mut().add_spring(place.brush.region.clone(), rate)?.number())
    }

    /// Replaces the region and the rate of a spring. The units are the same as in
    /// [`add_spring`](Self::add_spring).
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no spring has this number, if the place or the rate is not valid,
    /// or if the model does not support springs.
    pub fn set_spring(&mut self, id: u32, place: &Place, rate: f64) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().set_spring(Id::new(id), place.brush.region.clone(), rate)?)
    }

    /// Removes the spring with the given number.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no spring has this number.
    pub fn remove_spring(&mut self, id: u32) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().remove_spring(Id::new(id))?)
    }

    /// Returns the numbers of all springs, including the springs that the scene defines.
    pub fn springs(&self) -> Vec<u32> {
        self.live.model().springs().into_iter().map(Id::number).collect()
    }

    /// Adds a drain in the region `place`, and returns its number. `rate` is the maximum total
    /// outflow, in the units of [`add_spring`](Self::add_spring).
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the place or the rate is not valid, or if the model does not
    /// support drains.
    pub fn add_drain(&mut self, place: &Place, rate: f64) -> Result<u32, FacadeError> {
        Ok(self.live.model_mut().add_drain(place.brush.region.clone(), rate)?.number())
    }

    /// Replaces the region and the maximum rate of a drain. The units are the same as in
    /// [`add_spring`](Self::add_spring).
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no drain has this number, if the place or the rate is not valid,
    /// or if the model does not support drains.
    pub fn set_drain(&mut self, id: u32, place: &Place, rate: f64) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().set_drain(Id::new(id), place.brush.region.clone(), rate)?)
    }

    /// Removes the drain with the given number.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no drain has this number.
    pub fn remove_drain(&mut self, id: u32) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().remove_drain(Id::new(id))?)
    }

    /// Returns the numbers of all drains, including the drains that the scene defines.
    pub fn drains(&self) -> Vec<u32> {
        self.live.model().drains().into_iter().map(Id::number).collect()
    }

    /// Adds a floating body, and returns its number.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the state of the body is not valid in this world, or if the model
    /// does not support bodies.
    pub fn add_body(&mut self, body: BodyState) -> Result<u32, FacadeError> {
        Ok(self.live.model_mut().add_body(body)?.number())
    }

    /// Replaces the state of a floating body, for example to move the body or to set its velocity.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no body has this number, if the state is not valid in this world,
    /// or if the model does not support bodies.
    pub fn set_body(&mut self, id: u32, body: BodyState) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().set_body(Id::new(id), body)?)
    }

    /// Removes the floating body with the given number.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no body has this number.
    pub fn remove_body(&mut self, id: u32) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().remove_body(Id::new(id))?)
    }

    /// Returns the numbers and the current states of all floating bodies, including the bodies that
    /// the scene defines.
    pub fn bodies(&self) -> Vec<(u32, BodyState)> {
        let bodies = self.live.model().bodies();
        bodies.into_iter().map(|(id, body)| (id.number(), body)).collect()
    }
}
