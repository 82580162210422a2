//! What `device` has, for a build without GPUs: all worlds are stepped on the host.

use super::backend::Backend;
use super::model_world::{ActionOf, ModelWorld};
use super::outcome::{Acted, ModelError, TOGETHER};
use std::marker::PhantomData;

/// Where a run's world is stepped: on the host.
pub(crate) struct Stepping<W>(PhantomData<W>);

impl<W: ModelWorld> Stepping<W> {
    pub(crate) fn on_host() -> Self {
        Self(PhantomData)
    }

    pub(crate) fn step_toward(
        &mut self,
        _: &mut W,
        _: f64,
        _: u64,
    ) -> Option<Result<bool, ModelError>> {
        None
    }

    pub(crate) fn invalidate(&mut self) {}

    pub(crate) fn is_on_device(&self) -> bool {
        false
    }

    pub(crate) fn act(&mut self, _: &W, _: &ActionOf<W>) -> Acted {
        Acted::NotOnDevice
    }

    pub(crate) fn move_to(&mut self, _: &mut W, _: &Backend) -> Result<(), ModelError> {
        Ok(())
    }

    pub(crate) fn abandon(&mut self) {}

    pub(crate) fn together(&self) -> u64 {
        TOGETHER
    }

    pub(crate) fn read_back(&mut self, _: &mut W) -> Result<(), ModelError> {
        Ok(())
    }

    pub(crate) fn progress(&self) -> Option<(f64, u64)> {
        None
    }
}
