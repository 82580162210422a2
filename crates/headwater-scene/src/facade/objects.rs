//! Springs, drains and floating bodies of a world, identified by numeric ids.

use super::error::FacadeError;
use super::facade::Facade;
use super::place::Place;
use headwater::Id;
use headwater::model::BodyState;

impl Facade {
    /// Adds a spring that covers `place` and returns its id. `rate` is in m³/s, in cells/s for
    /// `blocks`, and in m³ per drop of rain per cell for `hydrology`.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the place or the rate is not valid, or the model does not support
    /// springs.
    pub fn add_spring(&mut self, place: &Place, rate: f64) -> Result<u32, FacadeError> {
        Ok(self.live.model_mut().add_spring(place.brush.region.clone(), rate)?.number())
    }

    /// Replaces the place and rate of a spring. Units are as for [`add_spring`](Self::add_spring).
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no spring has this id, the place or the rate is not valid, or the
    /// model does not support springs.
    pub fn set_spring(&mut self, id: u32, place: &Place, rate: f64) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().set_spring(Id::new(id), place.brush.region.clone(), rate)?)
    }

    /// Removes a spring.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no spring has this id.
    pub fn remove_spring(&mut self, id: u32) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().remove_spring(Id::new(id))?)
    }

    /// Returns the ids of all springs, including those of the scene.
    pub fn springs(&self) -> Vec<u32> {
        self.live.model().springs().into_iter().map(Id::number).collect()
    }

    /// Adds a drain that covers `place` and returns its id. `rate` is the maximum rate, in the
    /// units of [`add_spring`](Self::add_spring).
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the place or the rate is not valid, or the model does not support
    /// drains.
    pub fn add_drain(&mut self, place: &Place, rate: f64) -> Result<u32, FacadeError> {
        Ok(self.live.model_mut().add_drain(place.brush.region.clone(), rate)?.number())
    }

    /// Replaces the place and maximum rate of a drain. Units are as for
    /// [`add_spring`](Self::add_spring).
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no drain has this id, the place or the rate is not valid, or the
    /// model does not support drains.
    pub fn set_drain(&mut self, id: u32, place: &Place, rate: f64) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().set_drain(Id::new(id), place.brush.region.clone(), rate)?)
    }

    /// Removes a drain.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no drain has this id.
    pub fn remove_drain(&mut self, id: u32) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().remove_drain(Id::new(id))?)
    }

    /// Returns the ids of all drains, including those of the scene.
    pub fn drains(&self) -> Vec<u32> {
        self.live.model().drains().into_iter().map(Id::number).collect()
    }

    /// Adds a floating body and returns its id.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the state of the body is not valid in this world, or the model
    /// does not support bodies.
    pub fn add_body(&mut self, body: BodyState) -> Result<u32, FacadeError> {
        Ok(self.live.model_mut().add_body(body)?.number())
    }

    /// Replaces the state of a body, for example to move it or to set its velocity.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no body has this id, the state is not valid in this world, or the
    /// model does not support bodies.
    pub fn set_body(&mut self, id: u32, body: BodyState) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().set_body(Id::new(id), body)?)
    }

    /// Removes a body.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if no body has this id.
    pub fn remove_body(&mut self, id: u32) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().remove_body(Id::new(id))?)
    }

    /// Returns the ids and current states of all bodies, including those of the scene.
    pub fn bodies(&self) -> Vec<(u32, BodyState)> {
        let bodies = self.live.model().bodies();
        bodies.into_iter().map(|(id, body)| (id.number(), body)).collect()
    }
}
