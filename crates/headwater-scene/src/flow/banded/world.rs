//! From a scene to what its world has besides its fields, and to water at rest.

use crate::flow::FlowScene;
use crate::flow::world::{boundary_kind, covers, params, source};
use crate::scene::{SceneError, Tables};
use headwater::flow::{Boundary, BoundaryKind, Outline, Rain};
use headwater::{Field, Lattice};
use std::ops::Range;

/// The rows of a scene's grid as they are shared out to so many who hold them, or to as many as there are rows for.
///
/// # Errors
/// [`SceneError`] if a parameter is out of its range.
pub(super) fn spans(
    scene: &FlowScene,
    lattice: &Lattice,
    wished: usize,
) -> Result<Vec<Range<usize>>, SceneError> {
    let bare = Outline::new(*lattice, params(scene, lattice)).map_err(scene.refused("physics"))?;
    Ok(bare.spans(wished))
}

/// All of the world but its fields.
pub(super) fn outline(
    scene: &FlowScene,
    lattice: &Lattice,
    datum: f64,
) -> Result<Outline, SceneError> {
    let mut outline =
        Outline::new(*lattice, params(scene, lattice)).map_err(scene.refused("physics"))?;
    scene.add_each("boundary", &scene.boundaries, |boundary| {
        // One of which it would be asked is refused.
        let kind = boundary_kind(boundary, datum, |_| 1.0);
        let whole = kind == BoundaryKind::Periodic;
        let span = (!whole).then(|| boundary.stretch.ends(lattice));
        outline.set_boundary(Boundary { edge: boundary.stretch.edge, span, kind })
    })?;
    scene.add_each("source", &scene.sources, |one| outline.add_spring(source(one, lattice)))?;
    scene.add_each("drain", &scene.drains, |one| outline.add_drain(source(one, lattice)))?;
    if let Some(rain) = &scene.rain {
        let is_mapped = rain.own.map.is_some() || !rain.own.rasters.is_empty();
        let rain = Rain { map: is_mapped.then(Field::default), ..(*rain.keys).clone() };
        outline.set_rain(rain).map_err(scene.refused("rain"))?;
    }
    if let Some(evaporation) = &scene.evaporation {
        let evaporation = (**evaporation).clone();
        outline.set_evaporation(evaporation).map_err(scene.refused("evaporation"))?;
    }
    if let Some(soil) = &scene.infiltration {
        outline.set_soil(**soil).map_err(scene.refused("infiltration"))?;
    }
    let soils = covers::soils(scene);
    if !soils.is_empty() {
        outline.set_soils(soils).map_err(scene.refused("cover"))?;
    }
    if let Some(flood) = &scene.flood {
        outline.set_flood(**flood).map_err(scene.refused("flood"))?;
    }
    Ok(outline)
}

/// The sea and the water that stands everywhere, as [`initial_depth`](crate::terrain::initial_depth) has them.
pub(super) fn still(
    scene: &FlowScene,
    bed: &Field<f32>,
    closed: &Field<bool>,
    datum: f64,
) -> Field<f32> {
    let even = scene.water.depth.unwrap_or(0.0) as f32;
    let sea = scene.water.level.map(|level| under(level, bed, closed, datum));
    Field::from_fn(bed.nx(), bed.ny(), |x, y| match &sea {
        _ if closed[(x, y)] => 0.0,
        Some(sea) => sea[(x, y)].max(even),
        None => even,
    })
}

/// How deep water would be under a surface at a level (m); 0 in closed cells.
pub(super) fn under(level: f64, bed: &Field<f32>, closed: &Field<bool>, datum: f64) -> Field<f32> {
    Field::from_fn(bed.nx(), bed.ny(), |x, y| match closed[(x, y)] {
        true => 0.0,
        false => (level - datum - f64::from(bed[(x, y)])).max(0.0) as f32,
    })
}
