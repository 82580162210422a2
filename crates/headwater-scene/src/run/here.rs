//! Where worlds are stepped if there is nowhere else to: what `away` has, for a build without GPUs.

use super::simulation::{Acted, ModelError};
use std::marker::PhantomData;

/// Where a run's world is stepped: here.
pub(super) struct Place<W>(PhantomData<W>);

impl<W> Place<W> {
    pub(super) fn here() -> Self {
        Self(PhantomData)
    }

    pub(super) fn walk_toward(
        &mut self,
        _: &mut W,
        _: f64,
        _: u64,
    ) -> Option<Result<bool, ModelError>> {
        None
    }

    pub(super) fn forget(&mut self) {}

    pub(super) fn is_away(&self) -> bool {
        false
    }

    pub(super) fn edit<E>(&mut self, _: &E) -> Acted {
        Acted::NotThere
    }

    pub(super) fn progress(&self) -> Option<(f64, u64)> {
        None
    }
}
