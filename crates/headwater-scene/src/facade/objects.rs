//! Springs, drains and bodies, identified by ids.

use super::error::FacadeError;
use super::facade::Facade;
use super::place::Place;
use headwater::Id;
use headwater::model::BodyState;

impl Facade {
    /// Adds a spring and returns its id. `rate` is in m³/s; in cells/s with `blocks`; in drops per
    /// cell of rain with `hydrology`.
    ///
    /// # Errors
    /// [`FacadeError`] if the place or the rate is not valid, or the model has no springs.
    pub fn add_spring(&mut self, place: &Place, rate: f64) -> Result<u32, FacadeError> {
        Ok(self.live.model_mut().add_spring(place.brush.region.clone(), rate)?.number())
    }

    /// Replaces a spring.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such spring; see also [`add_spring`](Self::add_spring).
    pub fn set_spring(&mut self, id: u32, place: &Place, rate: f64) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().set_spring(Id::new(id), place.brush.region.clone(), rate)?)
    }

    /// Removes a spring.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such spring.
    pub fn remove_spring(&mut self, id: u32) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().remove_spring(Id::new(id))?)
    }

    /// Returns the ids of all springs, including those of the scene.
    pub fn springs(&self) -> Vec<u32> {
        self.live.model().springs().into_iter().map(Id::number).collect()
    }

    /// Adds a drain with a maximum rate (units as for springs) and returns its id.
    ///
    /// # Errors
    /// [`FacadeError`] if the place or the rate is not valid, or the model has no drains.
    pub fn add_drain(&mut self, place: &Place, rate: f64) -> Result<u32, FacadeError> {
        Ok(self.live.model_mut().add_drain(place.brush.region.clone(), rate)?.number())
    }

    /// Replaces a drain.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such drain; see also [`add_drain`](Self::add_drain).
    pub fn set_drain(&mut self, id: u32, place: &Place, rate: f64) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().set_drain(Id::new(id), place.brush.region.clone(), rate)?)
    }

    /// Removes a drain.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such drain.
    pub fn remove_drain(&mut self, id: u32) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().remove_drain(Id::new(id))?)
    }

    /// Returns the ids of all drains, including those of the scene.
    pub fn drains(&self) -> Vec<u32> {
        self.live.model().drains().into_iter().map(Id::number).collect()
    }

    /// Adds a body and returns its id.
    ///
    /// # Errors
    /// [`FacadeError`] if the body is not valid there, or the model has no bodies.
    pub fn add_body(&mut self, body: BodyState) -> Result<u32, FacadeError> {
        Ok(self.live.model_mut().add_body(body)?.number())
    }

    /// Replaces a body, for example to move it or to set its velocity.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such body; see also [`add_body`](Self::add_body).
    pub fn set_body(&mut self, id: u32, body: BodyState) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().set_body(Id::new(id), body)?)
    }

    /// Removes a body.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such body.
    pub fn remove_body(&mut self, id: u32) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().remove_body(Id::new(id))?)
    }

    /// Returns all bodies with their ids and current states, including those of the scene.
    pub fn bodies(&self) -> Vec<(u32, BodyState)> {
        let bodies = self.live.model().bodies();
        bodies.into_iter().map(|(id, body)| (id.number(), body)).collect()
    }
}
