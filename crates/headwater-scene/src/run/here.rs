//! Where worlds are stepped if there is nowhere else to: what `away` has, for a build without GPUs.

use super::outcome::{Acted, ModelError};
use std::marker::PhantomData;

/// Where a run's world is stepped: here.
pub(crate) struct Place<W>(PhantomData<W>);

impl<W> Place<W> {
    pub(crate) fn here() -> Self {
        Self(PhantomData)
    }

    pub(crate) fn walk_toward(
        &mut self,
        _: &mut W,
        _: f64,
        _: u64,
    ) -> Option<Result<bool, ModelError>> {
        None
    }

    pub(crate) fn forget(&mut self) {}

    pub(crate) fn is_away(&self) -> bool {
        false
    }

    pub(crate) fn edit<E>(&mut self, _: &E) -> Acted {
        Acted::NotThere
    }

    pub(crate) fn progress(&self) -> Option<(f64, u64)> {
        None
    }
}
