//! Saving a world and going on from there, and a hash to tell whether two worlds are the same.

use super::absorbing::Parts;
use super::body::Shape;
use super::current::Current;
use super::dispersion;
use super::rule::Rule;
use super::state::State;
use super::tiles::Tiles;
use super::world::{Waves, check_square};
use crate::error::InputError;
use crate::field::Field;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// All that a world needs to go on: restoring it equals never having stopped, bit for bit.
///
/// It serializes with serde; a snapshot read back from a file is checked by [`Waves::restore`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    world: Box<Waves>,
}

impl Waves {
    /// Saves the world as it is.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { world: Box::new(self.clone()) }
    }

    /// The world that a snapshot holds.
    ///
    /// # Errors
    /// [`InputError`] if the snapshot's parts do not fit one another or hold impossible numbers.
    pub fn restore(snapshot: Snapshot) -> Result<Self, InputError> {
        let mut waves = *snapshot.world;
        waves.params.validate()?;
        check_square(&waves.lattice)?;
        let damaged = |what| Err(InputError::snapshot(what));
        let (nx, ny) = (waves.lattice.nx(), waves.lattice.ny());
        if !waves.state.fits(nx, ny) {
            return damaged("its fields do not have the shape of its grid");
        }
        if f64::from(waves.state.quantum) != waves.params.quantum() {
            return damaged("its quantum is not that of its parameters");
        }
        let State { height, flux_x, flux_y, carried, quantum } = &waves.state;
        let finite = |field: &Field<f32>| field.as_slice().iter().all(|v| v.is_finite());
        if ![height, flux_x, flux_y].into_iter().chain(carried).all(finite) {
            return damaged("a height or flux is not finite");
        }
        if !height.as_slice().iter().all(|z| (z / quantum).fract() == 0.0) {
            return damaged("a height is no whole number of quanta");
        }
        let whole = |field: &Field<f32>| {
            field.same_shape(height)
                && field.as_slice().iter().all(|z| z.is_finite() && (z / quantum).fract() == 0.0)
        };
        let awaited = Parts::new(&waves.params, nx, ny);
        if waves.parts.is_some() != awaited.is_some()
            || !waves.parts.iter().all(|parts| whole(&parts.x) && whole(&parts.y))
        {
            return damaged("its absorbing layers do not fit its grid and edges");
        }
        if !waves.land.iter().all(|land| land.same_shape(height)) {
            return damaged("its land does not have the shape of its grid");
        }
        if !waves.clock.is_sound() {
            return damaged("the time it owes is no part of a step");
        }
        let highest = waves.params.highest;
        waves.bodies.iter().try_for_each(|body| body.check_in(highest))?;
        waves.makers.iter().try_for_each(|maker| maker.check_in(highest))?;
        if let Some(shower) = &waves.shower {
            waves.check_rain(&shower.rain)?;
            if !shower.fits() {
                return damaged("its rain does not make sense");
            }
        }
        if let Some(gusts) = &waves.gusts {
            waves.check_wind(&gusts.wind)?;
            if !gusts.fits() {
                return damaged("its gusts do not fit its wind");
            }
        }
        waves.filter = dispersion::filter(&waves.params, &waves.lattice)?;
        waves.check_speeds(waves.speed.as_ref())?;
        if let Some(Current { east, south }) = &waves.current {
            waves.check_current(east, south)?;
        }
        waves.rule = Rule::of(&waves.params, &waves.lattice);
        waves.tiles = Tiles::new(nx, ny);
        waves.update_all();
        Ok(waves)
    }

    /// A hash of every bit that a step reads or writes: heights, fluxes, absorbing
    /// layers, land, speeds, current, bodies, wave makers, rain and
    /// gusts on their way, time. The same on every machine.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(&self.steps.to_le_bytes());
        hash.update(&postcard::to_stdvec(&self.clock).unwrap_or_default());
        let parts = self.parts.iter().flat_map(|parts| [&parts.x, &parts.y]);
        let fields = [&self.state.height, &self.state.flux_x, &self.state.flux_y];
        let current = self.current.iter().flat_map(|current| [&current.east, &current.south]);
        for field in fields.into_iter().chain(&self.speed).chain(parts).chain(current) {
            for row in field.rows() {
                let bytes: Vec<u8> = row.iter().flat_map(|v| v.to_le_bytes()).collect();
                hash.update(&bytes);
            }
        }
        for row in self.land.iter().flat_map(Field::rows) {
            let bytes: Vec<u8> = row.iter().map(|&land| u8::from(land)).collect();
            hash.update(&bytes);
        }
        for body in &self.bodies {
            for value in [body.position, body.velocity].concat() {
                hash.update(&value.to_le_bytes());
            }
            if let Shape::Oval { heading, .. } = body.shape {
                hash.update(&heading.to_le_bytes());
            }
        }
        for maker in &self.makers {
            let ends = [maker.from, maker.to].concat();
            for value in ends.into_iter().chain([maker.width, maker.head, maker.period]) {
                hash.update(&value.to_le_bytes());
            }
        }
        let mut feed = |bytes: &[u8]| hash.update(bytes);
        if let Some(shower) = &self.shower {
            shower.feed_hash(&mut feed);
        }
        if let Some(gusts) = &self.gusts {
            gusts.feed_hash(&mut feed);
        }
        hash.digest()
    }
}
