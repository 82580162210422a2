//! Specification and initial water of a distributed world.

use crate::collective::collective_result;
use crate::flow::FlowScene;
use crate::flow::world::{covers, params, structures, to_source};
use crate::scene::{SceneError, SceneModel};
use crate::terrain;
use headwater::distributed::Communicator;
use headwater::distributed::WorldSpec;
use headwater::flow::{Rain, Structure};
use headwater::{Field, Lattice};
use std::ops::Range;

/// Divides the rows of a scene's grid among at most `max_processes` processes. Returns one range of
/// rows for each process.
///
/// # Errors
/// Returns [`SceneError`] if a parameter of the scene is out of range.
pub(super) fn partition_rows(
    scene: &FlowScene,
    lattice: &Lattice,
    max_processes: usize,
) -> Result<Vec<Range<usize>>, SceneError> {
    let bare =
        WorldSpec::new(*lattice, params(scene, lattice)).map_err(scene.error_at("physics"))?;
    Ok(bare.partition_rows(max_processes))
}

/// Returns, for each boundary condition, the bed elevations (m) of the cells along its edge. Only
/// solitary waves without a given depth need them; the list is empty for all other boundary
/// conditions. Collective: each process passes the ground of the `rows` that it owns.
pub(super) fn edge_bed_elevations(
    scene: &FlowScene,
    ground: &terrain::TerrainRows<'_>,
    rows: &Range<usize>,
    comm: &dyn Communicator,
) -> Result<Vec<Vec<f32>>, SceneError> {
    let lattice = &ground.lattice;
    let mut all = Vec::new();
    for boundary in &scene.boundaries {
        let edge = boundary.stretch.edge;
        let count = if boundary.depends_on_bed() { lattice.edge_len(edge) } else { 0 };
        let mut beds = vec![f64::NEG_INFINITY; count];
        // Reuses the row for the next face in the same row.
        let mut row = None;
        let found = beds.iter_mut().enumerate().try_for_each(|(i, bed)| {
            let (x, y) = lattice.edge_cell(edge, i);
            if rows.contains(&y) {
                if row.as_ref().is_none_or(|(of, _)| *of != y) {
                    row = Some((y, ground.ground(y..y + 1)?.0));
                }
                *bed = row.as_ref().map_or(0.0, |(_, row)| f64::from(row[(x, 0)]));
            }
            Ok(())
        });
        collective_result(found, comm)?;
        if count > 0 {
            comm.allreduce_max(&mut beds);
        }
        all.push(beds.into_iter().map(|bed| bed as f32).collect());
    }
    Ok(all)
}

/// Creates the specification of a world from a scene. `datum` is the elevation of the model's
/// height 0 (m). `beds` are the bed elevations that [`edge_bed_elevations`] returns.
pub(super) fn create_world_spec(
    scene: &FlowScene,
    lattice: &Lattice,
    datum: f64,
    beds: &[Vec<f32>],
) -> Result<WorldSpec, SceneError> {
    let mut beds = beds.iter();
    let mut world_spec =
        WorldSpec::new(*lattice, params(scene, lattice)).map_err(scene.error_at("physics"))?;
    scene.add_each("boundary", &scene.boundaries, |boundary| {
        let beds = beds.next().map_or(&[][..], Vec::as_slice);
        world_spec.set_boundary(boundary.to_model(lattice, datum, |i| beds[i]))
    })?;
    scene
        .add_each("source", &scene.sources, |one| world_spec.add_spring(to_source(one, lattice)))?;
    scene.add_each("drain", &scene.drains, |one| world_spec.add_drain(to_source(one, lattice)))?;
    for (ends, kind) in
        scene.structures().iter().zip(structures::structure_kinds(scene, lattice, datum))
    {
        let structure =
            Structure { mouths: ends.mouth_regions(lattice), one_way: ends.one_way, kind };
        world_spec.add_structure(structure).map_err(scene.error_at(&ends.key))?;
    }
    if let Some(rain) = &scene.rain {
        let is_mapped = rain.extra.map.is_some() || !rain.extra.rasters.is_empty();
        let rain = Rain { map: is_mapped.then(Field::default), ..(*rain.keys).clone() };
        world_spec.set_rain(rain).map_err(scene.error_at("rain"))?;
    }
    if let Some(evaporation) = &scene.evaporation {
        let evaporation = (**evaporation).clone();
        world_spec.set_evaporation(evaporation).map_err(scene.error_at("evaporation"))?;
    }
    if let Some(soil) = &scene.infiltration {
        world_spec.set_soil(**soil).map_err(scene.error_at("infiltration"))?;
    }
    let soils = covers::soils(scene);
    if !soils.is_empty() {
        world_spec.set_soils(soils).map_err(scene.error_at("cover"))?;
    }
    if let Some(flood) = &scene.flood {
        world_spec.set_flood(**flood).map_err(scene.error_at("flood"))?;
    }
    Ok(world_spec)
}

/// Returns the initial depth (m) in each cell, from the sea level and the uniform depth of the
/// scene. The larger of the two applies, as in [`initial_depth`](crate::flow::initial_depth) for
/// worlds in memory.
pub(super) fn initial_depth(
    scene: &FlowScene,
    bed: &Field<f32>,
    closed: &Field<bool>,
    datum: f64,
) -> Field<f32> {
    let even = scene.water.depth.unwrap_or(0.0) as f32;
    let sea = scene.water.level.map(|level| depth_at_level(level, bed, closed, datum));
    Field::from_fn(bed.nx(), bed.ny(), |x, y| match &sea {
        _ if closed[(x, y)] => 0.0,
        Some(sea) => sea[(x, y)].max(even),
        None => even,
    })
}

/// Returns the water depth (m) in each cell for a water surface at `level` (m). The depth is 0 in
/// closed cells.
pub(super) fn depth_at_level(
    level: f64,
    bed: &Field<f32>,
    closed: &Field<bool>,
    datum: f64,
) -> Field<f32> {
    Field::from_fn(bed.nx(), bed.ny(), |x, y| match closed[(x, y)] {
        true => 0.0,
        false => (level - datum - f64::from(bed[(x, y)])).max(0.0) as f32,
    })
}
