//! Creation of hydrology worlds from scenes, and application of events. A world contains one land
//! surface for each variant of the parameters (each `[[way]]` of the scene).

use super::{HydrologyAction, HydrologyScene, River};
use crate::raster::Georeference;
use crate::scene::check::range_message;
use crate::scene::{NonAreaAction, SceneError, SceneModel, resolve_position};
use crate::terrain::{self, RasterMap, Terrain};
use crate::terrain::{CellSize, Grid};
use headwater::hydrology::{Hydrology, Inflow, Params};
use headwater::parameter::Parameters;
use headwater::{Brush, Field, InputError, Lattice, Square};

/// World of a hydrology scene: one land surface for each variant of the parameters. All surfaces
/// start from the same ground.
#[derive(Clone, Debug)]
pub struct HydrologyWorld {
    /// Variants of the parameters, each with its land surface. There is at least one.
    pub variants: Vec<HydrologyVariant>,
    /// Messages for the user about assumptions that were made when the world was created.
    pub notices: Vec<String>,
    /// Time of the next update of the rain distribution (drops per cell: mean number of raindrops
    /// per cell since the start). Used only if the scene has winds, because only winds change the
    /// distribution.
    pub(super) next_rain_update: f64,
    /// Position of the land on the map; `None` if the terrain file does not give it.
    pub(super) georeference: Option<Georeference>,
}

/// Land surface that is eroded with one variant of the parameters.
#[derive(Clone, Debug)]
pub struct HydrologyVariant {
    /// Name of the variant; empty if it is the only one.
    pub name: String,
    /// Hydrology model of the land surface.
    pub land: Hydrology,
}

impl HydrologyWorld {
    /// Creates the world of a scene in its initial state.
    ///
    /// # Errors
    /// Returns [`SceneError`] if a file cannot be used, or if the scene does not fit the grid.
    pub fn build(scene: &HydrologyScene) -> Result<Self, SceneError> {
        let terrain = build_square_cell_terrain(scene)?;
        let Lattice::Square(square) = terrain.lattice else {
            return Err(scene.error("grid.lattice", "hydrology needs square cells"));
        };
        let missing = terrain.no_data.as_slice().iter().filter(|missing| **missing).count();
        if missing > 0 {
            let file = scene.terrain.file.as_deref().unwrap_or("IN".as_ref()).display();
            let message = format!(
                "{missing} cells have no data, hydrology needs a height in each; crop the file to \
                 cells with data, or continue the ground into these cells: gdal_fillnodata.py -md \
                 100000 {file} OUT.tif"
            );
            return Err(scene.error("terrain.file", message));
        }
        let bed = terrain.bed.map(|&z| (f64::from(z) + terrain.datum) as f32);
        let rain =
            scene.rain.map.as_deref().map(|path| read_raster(scene, "rain.map", path, &terrain));
        let rain = rain.transpose()?;
        let uplift = relative_uplift(scene, &terrain)?;
        let maps = [rain.as_ref(), uplift.as_ref()];
        let variants = scene.variants().into_iter().map(|(name, params)| {
            let land = build_land(scene, square, &bed, params, maps)?;
            Ok(HydrologyVariant { name, land })
        });
        let variants = variants.collect::<Result<_, SceneError>>()?;
        let Terrain { notices, georeference, .. } = terrain;
        Ok(Self {
            variants,
            notices,
            next_rain_update: scene.rain.rain_update_interval(),
            georeference,
        })
    }

    /// Returns the land surface of the last variant. The key figures, layers and mesh of the run
    /// describe this surface.
    pub fn land(&self) -> &Hydrology {
        let [.., last] = &self.variants[..] else { unreachable!("a scene has a variant") };
        &last.land
    }

    /// Returns mutable access to the land surface of the last variant.
    pub(super) fn land_mut(&mut self) -> &mut Hydrology {
        let [.., last] = &mut self.variants[..] else { unreachable!("a scene has a variant") };
        &mut last.land
    }

    /// Applies the action of an event to the land surface of every variant.
    ///
    /// # Errors
    /// Returns [`InputError`] if the model rejects the action, which does not occur in checked
    /// scenes.
    pub fn apply_action(&mut self, action: &HydrologyAction) -> Result<(), InputError> {
        self.variants.iter_mut().try_for_each(|variant| apply_to_land(&mut variant.land, action))
    }
}

/// Builds the terrain of the scene on square cells. If the cells of a terrain file are rectangular,
/// the file is resampled to squares. The side of a square is the longer side of a rectangle.
fn build_square_cell_terrain(scene: &HydrologyScene) -> Result<Terrain, SceneError> {
    let mut terrain = terrain::build_terrain(scene)?;
    let (dx, dy) = (terrain.lattice.dx(), terrain.lattice.dy());
    if dx == dy || matches!(terrain.lattice, Lattice::Hex(_)) {
        return Ok(terrain);
    }
    let cell = dx.max(dy);
    let cells = |length: f64| ((length / cell).round() as usize).max(1);
    let (nx, ny) = (cells(terrain.lattice.width()), cells(terrain.lattice.height()));
    let grid =
        Grid { nx: Some(nx), ny: Some(ny), cell: Some(CellSize::Square(cell)), ..scene.grid };
    let notice = format!(
        "the ground's cells are {dx:.3} × {dy:.3} m: it is resampled to {nx} × {ny} squares of \
         {cell:.3} m"
    );
    let mut square = scene.clone();
    square.grid = grid;
    terrain = terrain::build_terrain(&square)?;
    terrain.notices.push(notice);
    Ok(terrain)
}

fn build_land(
    scene: &HydrologyScene,
    square: Square,
    bed: &Field<f32>,
    params: Params,
    [rain, uplift]: [Option<&Field<f32>>; 2],
) -> Result<Hydrology, SceneError> {
    // The allowed range of a parameter may depend on the cell size, which may come from the terrain
    // file.
    let refused = |error: InputError| match Params::parameter(&error.what) {
        Some(one) => scene.error(&format!("hydrology.{}", one.key), range_message(&error)),
        None => scene.error_at("terrain")(error),
    };
    let mut land = Hydrology::new(square, params, bed).map_err(refused)?;
    land.set_rain(rain).map_err(scene.error_at("rain.map"))?;
    let key = if scene.uplift.map.is_some() { "uplift.map" } else { "uplift.zone" };
    land.set_uplift(uplift).map_err(scene.error_at(key))?;
    if !scene.rain.winds.is_empty() {
        land.set_winds(&scene.rain.winds).map_err(scene.error_at("rain.wind"))?;
    }
    let lattice = Lattice::from(square);
    scene.add_each("inflow", &scene.inflows, |one| land.add_spring(to_inflow(*one, &lattice)))?;
    Ok(land)
}

fn to_inflow(river: River, lattice: &Lattice) -> Inflow {
    Inflow { position: resolve_position(river.at, lattice), catchment: river.catchment }
}

fn apply_to_land(land: &mut Hydrology, action: &HydrologyAction) -> Result<(), InputError> {
    let lattice = Lattice::from(*land.lattice());
    match action {
        HydrologyAction::Pour(NonAreaAction(pour)) => {
            land.pour(resolve_position(pour.at, &lattice), pour.volume)
        }
        HydrologyAction::Sea(NonAreaAction(sea)) => land.set_sea_level(sea.level),
        HydrologyAction::Storm(NonAreaAction(storm)) => {
            land.start_storm(storm.rain, storm.intensity)
        }
        HydrologyAction::Method(NonAreaAction(carving)) => {
            land.set_params(Params { method: carving.method, ..land.params().clone() })
        }
        HydrologyAction::Add(NonAreaAction(added)) => {
            land.add_spring(to_inflow(added.inflow, &lattice)).map(|_| ())
        }
        brushed => {
            let edit = brushed.to_edit(lattice.dx(), &land.params().plants);
            match (brushed.extent_and_falloff(), edit) {
                (Some((extent, falloff)), Some(edit)) => {
                    land.edit(&Brush { region: extent.region(&lattice), falloff }, edit)
                }
                // This variant of the parameters has no plants of this kind.
                _ => Ok(()),
            }
        }
    }
}

/// Returns the uplift rate of each cell relative to the maximum uplift rate. Returns `None` if the
/// scene does not give a spatial distribution.
fn relative_uplift(
    scene: &HydrologyScene,
    terrain: &Terrain,
) -> Result<Option<Field<f32>>, SceneError> {
    let lattice = &terrain.lattice;
    if let Some(path) = scene.uplift.map.as_deref() {
        return read_raster(scene, "uplift.map", path, terrain).map(Some);
    }
    if scene.uplift.zones.is_empty() {
        return Ok(None);
    }
    let mut uplift = Field::new(lattice.nx(), lattice.ny(), 0.0_f32);
    for zone in &scene.uplift.zones {
        let region = zone.extent.region(lattice);
        let brush = Brush { region, falloff: zone.value.falloff };
        for t in brush.cells(*lattice).map_err(scene.error_at("uplift.zone"))? {
            let value = &mut uplift[(t.x, t.y)];
            *value = value.max(zone.value.part as f32 * t.weight);
        }
    }
    Ok(Some(uplift))
}

/// Reads a raster file and resamples it to the lattice of the terrain. `key` is the scene key that
/// names the file.
///
/// # Errors
/// Returns [`SceneError`] if the file cannot be used, if a value is negative, or if a cell has no
/// data.
fn read_raster(
    scene: &HydrologyScene,
    key: &'static str,
    path: &std::path::Path,
    terrain: &Terrain,
) -> Result<Field<f32>, SceneError> {
    let map = RasterMap::read(scene, key, path, terrain.georeference.as_ref())?;
    let map = map.check_range(scene, key, [0.0, f64::INFINITY], "")?;
    let rows = 0..terrain.lattice.ny();
    let (map, missing) = match key {
        "rain.map" => map.resample_area(&terrain.lattice, rows),
        _ => map.resample(&terrain.lattice, rows),
    };
    match missing.as_slice().iter().filter(|missing| **missing).count() {
        0 => Ok(map),
        count => {
            let message = format!("{count} cells have no data, it needs a number in each");
            Err(scene.error(key, message))
        }
    }
}
