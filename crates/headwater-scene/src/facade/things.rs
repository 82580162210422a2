//! Springs, drains and bodies, by ids.

use super::error::FacadeError;
use super::facade::Facade;
use super::place::Place;
use headwater::Id;
use headwater::model::BodyState;

impl Facade {
    /// Adds a spring that gives so much (m³/s; of blocks, cells/s; of hydrology, drops per cell of rain), and gives its id.
    ///
    /// # Errors
    /// [`FacadeError`] if the place or the rate makes no sense, or the model knows no springs.
    pub fn add_spring(&mut self, place: &Place, rate: f64) -> Result<u32, FacadeError> {
        Ok(self.live.model_mut().add_spring(place.brush.region.clone(), rate)?.number())
    }

    /// Puts another spring in the place of one.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such spring, or as of [`add_spring`](Self::add_spring).
    pub fn set_spring(&mut self, id: u32, place: &Place, rate: f64) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().set_spring(Id::new(id), place.brush.region.clone(), rate)?)
    }

    /// Takes a spring out.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such spring.
    pub fn remove_spring(&mut self, id: u32) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().remove_spring(Id::new(id))?)
    }

    /// The ids of its springs, those of the scene too.
    pub fn springs(&self) -> Vec<u32> {
        self.live.model().springs().into_iter().map(Id::number).collect()
    }

    /// Adds a drain that takes up to so much, and gives its id.
    ///
    /// # Errors
    /// [`FacadeError`] if the place or the rate makes no sense, or the model knows no drains.
    pub fn add_drain(&mut self, place: &Place, rate: f64) -> Result<u32, FacadeError> {
        Ok(self.live.model_mut().add_drain(place.brush.region.clone(), rate)?.number())
    }

    /// Puts another drain in the place of one.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such drain, or as of [`add_drain`](Self::add_drain).
    pub fn set_drain(&mut self, id: u32, place: &Place, rate: f64) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().set_drain(Id::new(id), place.brush.region.clone(), rate)?)
    }

    /// Takes a drain out.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such drain.
    pub fn remove_drain(&mut self, id: u32) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().remove_drain(Id::new(id))?)
    }

    /// The ids of its drains, those of the scene too.
    pub fn drains(&self) -> Vec<u32> {
        self.live.model().drains().into_iter().map(Id::number).collect()
    }

    /// Adds a body, and gives its id.
    ///
    /// # Errors
    /// [`FacadeError`] if the body makes no sense there, or the model knows no bodies.
    pub fn add_body(&mut self, body: BodyState) -> Result<u32, FacadeError> {
        Ok(self.live.model_mut().add_body(body)?.number())
    }

    /// Puts another body in the place of one, or the same elsewhere or with another velocity.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such body, or as of [`add_body`](Self::add_body).
    pub fn set_body(&mut self, id: u32, body: BodyState) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().set_body(Id::new(id), body)?)
    }

    /// Takes a body out.
    ///
    /// # Errors
    /// [`FacadeError`] if there is no such body.
    pub fn remove_body(&mut self, id: u32) -> Result<(), FacadeError> {
        Ok(self.live.model_mut().remove_body(Id::new(id))?)
    }

    /// Its bodies as they are now, with their ids, those of the scene too.
    pub fn bodies(&self) -> Vec<(u32, BodyState)> {
        let bodies = self.live.model().bodies();
        bodies.into_iter().map(|(id, body)| (id.number(), body)).collect()
    }
}
