//! From a scene to its world in bands.

use super::bits::Bits;
use super::lakes::Lakes;
use super::overview::Overview;
use super::refused;
use super::shelf::Scratch;
use super::write;
use crate::flow::FlowScene;
use crate::flow::world::{boundary_kind, params, source};
use crate::raster::Georeference;
use crate::scene::{SceneError, Tables};
use crate::terrain::{Rows, obstacles_in};
use headwater::flow::{Banded, Boundary, BoundaryKind, Outline, Rain, Window};
use headwater::{Field, InputError, Lattice};
use std::io;
use std::ops::Range;
use std::path::Path;

/// Rows that are looked at together where all are.
const TOGETHER: usize = 64;

/// What a program takes beside its world (bytes).
const BESIDE: usize = 64 << 20;

/// A world in bands, and what goes with it.
pub(super) struct Made {
    pub(super) world: Banded,
    /// The height at which the bed is 0 (m).
    pub(super) datum: f64,
    pub(super) overview: Overview,
    /// Where the world lies on a map, if it is known.
    pub(super) georeference: Option<Georeference>,
    /// The cells without data, if there are any.
    pub(super) void: Option<Bits>,
    pub(super) notices: Vec<String>,
}

/// What is wrong on the way to a world.
enum Fault {
    Scene(SceneError),
    Shelf(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Shelf(error)
    }
}

/// Makes the world of a scene, with so many bytes of memory for it.
///
/// # Errors
/// [`SceneError`] if the scene asks for what is not done so, something does not fit its grid, or the memory does not do.
pub(super) fn make(scene: &FlowScene, memory: usize, scratch: &Path) -> Result<Made, SceneError> {
    refused::check(scene)?;
    let no_room = |error: io::Error| scene.error("grid", format!("{}: {error}", scratch.display()));
    let shelf = Scratch::new(scratch).map_err(no_room)?;
    let laid = scratch.join("ground");
    let ground = Rows::of(scene, &laid)?;
    let (lattice, datum) = (ground.lattice, ground.datum);
    let outline = outline(scene, &lattice, datum)?;
    let mut below = |level: f64, rows: Range<usize>| {
        let (bed, no_data) = ground.ground(rows.clone())?;
        Ok(under(level, &bed, &closed(scene, &lattice, rows, &no_data), datum))
    };
    let lakes = Lakes::of(scene, &lattice, TOGETHER, &mut below)?;
    let Some(mut overview) = Overview::new(&lattice) else {
        return Err(scene.error("grid", "no such grid"));
    };
    // Beside bands there are lakes, pictures, and what a layer is gathered in.
    let lake = lattice.cells() / 8 * (scene.water.lakes.len() + 1);
    let voids = if ground.missing > 0 { lattice.cells() / 8 } else { 0 };
    let pictures = 41 * overview.bed.as_slice().len();
    let beside = BESIDE + pictures + lake + voids + write::gathered(scene, &lattice);
    let least = lattice.nx() * 8192;
    let Some(budget) = memory.checked_sub(beside).filter(|left| *left >= least) else {
        let needed = (beside + least).div_ceil(1 << 20);
        return Err(scene.error("grid", format!("needs --memory of {needed} MiB at least")));
    };
    let mut void = (ground.missing > 0).then(|| Bits::new(lattice.nx(), lattice.ny()));
    let made = Banded::new(outline, budget, shelf, |rows| {
        let (bed, no_data) = ground.ground(rows.clone()).map_err(Fault::Scene)?;
        if let Some(void) = &mut void {
            for (y, row) in rows.clone().zip(no_data.rows()) {
                let missing = row.iter().enumerate().filter(|(_, missing)| **missing);
                missing.for_each(|(x, _)| void.set(x, y, true));
            }
        }
        let closed = closed(scene, &lattice, rows.clone(), &no_data);
        let mut depth = still(scene, &bed, &closed, datum);
        let deepened = lakes
            .deepen(&mut depth, rows.clone(), |level, _| Ok(under(level, &bed, &closed, datum)));
        deepened.map_err(Fault::Scene)?;
        let mut window = Window::new(bed, depth);
        window.closed = Some(closed);
        overview.begin(rows, &window, &no_data);
        Ok::<_, Fault>(window)
    });
    let world = made.map_err(|fault| match fault {
        Fault::Scene(error) => error,
        Fault::Shelf(error) => match error.downcast::<InputError>() {
            Ok(error) => scene.error("terrain", error.to_string()),
            Err(error) => no_room(error),
        },
    })?;
    // No longer asked for. What cannot be removed goes with the folder.
    let _ = std::fs::remove_file(&laid);
    let Rows { georeference, notices, .. } = ground;
    Ok(Made { world, datum, overview, georeference, void, notices })
}

/// The cells of some rows that are closed to water.
fn closed(
    scene: &FlowScene,
    lattice: &Lattice,
    rows: Range<usize>,
    no_data: &Field<bool>,
) -> Field<bool> {
    let mut closed = obstacles_in(scene, lattice, rows);
    let cells = closed.as_mut_slice().iter_mut().zip(no_data.as_slice());
    cells.for_each(|(closed, missing)| *closed |= missing);
    closed
}

/// All of the world but its fields.
fn outline(scene: &FlowScene, lattice: &Lattice, datum: f64) -> Result<Outline, SceneError> {
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
        let rain = Rain { map: None, ..(*rain.keys).clone() };
        outline.set_rain(rain).map_err(scene.refused("rain"))?;
    }
    if let Some(evaporation) = &scene.evaporation {
        let evaporation = (**evaporation).clone();
        outline.set_evaporation(evaporation).map_err(scene.refused("evaporation"))?;
    }
    if let Some(soil) = &scene.infiltration {
        outline.set_soil(**soil).map_err(scene.refused("infiltration"))?;
    }
    if let Some(flood) = &scene.flood {
        outline.set_flood(**flood).map_err(scene.refused("flood"))?;
    }
    Ok(outline)
}

/// The sea and the water that stands everywhere, as [`initial_depth`](crate::terrain::initial_depth) has them.
fn still(scene: &FlowScene, bed: &Field<f32>, closed: &Field<bool>, datum: f64) -> Field<f32> {
    let even = scene.water.depth.unwrap_or(0.0) as f32;
    let sea = scene.water.level.map(|level| under(level, bed, closed, datum));
    Field::from_fn(bed.nx(), bed.ny(), |x, y| match &sea {
        _ if closed[(x, y)] => 0.0,
        Some(sea) => sea[(x, y)].max(even),
        None => even,
    })
}

/// How deep water would be under a surface at a level (m); 0 in closed cells.
fn under(level: f64, bed: &Field<f32>, closed: &Field<bool>, datum: f64) -> Field<f32> {
    Field::from_fn(bed.nx(), bed.ny(), |x, y| match closed[(x, y)] {
        true => 0.0,
        false => (level - datum - f64::from(bed[(x, y)])).max(0.0) as f32,
    })
}
