//! Lands that cases carve.

use crate::carve::lattice;
use anyhow::{Context, Result};
use headwater::Field;
use headwater::hydrology::{Hydrology, Params};

/// A land on cells of 1 m.
pub(super) fn world(bed: &Field<f32>, params: Params) -> Result<Hydrology> {
    Ok(Hydrology::new(lattice(bed)?, params, bed)?)
}

/// A layer of a land.
pub(super) fn layer(world: &Hydrology, name: &str) -> Result<Field<f32>> {
    let layer = world.layer(name).with_context(|| format!("there is no layer `{name}`"))?;
    Ok(layer.into_owned())
}
