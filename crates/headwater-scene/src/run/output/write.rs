//! Functions that write the layers and meshes of a run.

use super::names::{MESH_FILE, OutputTime, intermediate_file_name};
use crate::mesh::write_glb;
use crate::picture::HexResampler;
use crate::raster;
use crate::run::executor::model_world::ModelWorld;
use crate::run::types::WrittenFiles;
use crate::scene::{LayerFormat, SceneModel};
use headwater::Field;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Writes the final layers, the meshes and the output files that are specific to the model. Returns
/// the paths of all files. `times` contains all output times of layers (s), in ascending order.
///
/// # Errors
/// Returns a message with the file that cannot be written and the reason.
pub(in crate::run) fn write_final_files<S: SceneModel>(
    world: &S::World,
    scene: &S,
    folder: &Path,
    times: &[f64],
) -> Result<WrittenFiles, String> {
    let output = scene.common_tables().output;
    let layers = write_layers(world, scene, folder, &OutputTime::at_end(times))?;
    let mut written = WrittenFiles { layers, ..WrittenFiles::default() };
    world.write_extra_files(scene, folder, &mut written)?;
    if output.mesh.is_some() {
        let path = folder.join(MESH_FILE);
        write_glb(&path, &world.mesh_parts(), world.placement().datum)
            .map_err(|error| error.to_string())?;
        written.meshes.push(path);
    }
    Ok(written)
}

/// Writes the layers that a scene requests at the output time `moment`, and returns the paths of
/// the files.
///
/// # Errors
/// Returns a message with the file that cannot be written and the reason.
pub(in crate::run) fn write_layers<S: SceneModel>(
    world: &S::World,
    scene: &S,
    folder: &Path,
    moment: &OutputTime<'_>,
) -> Result<Vec<PathBuf>, String> {
    let output = scene.common_tables().output;
    let format = output.layer_format;
    let write = |name: &'static str| {
        let file = match &moment.stamp {
            // A Zarr store contains the layers at all times.
            Some(stamp) if format != LayerFormat::Zarr => {
                intermediate_file_name(&format.file_name(name), stamp)
            }
            _ => format.file_name(name),
        };
        let path = folder.join(file);
        write_layer(world, scene, name, moment, &path)?;
        Ok(path)
    };
    let paths: Result<Vec<_>, String> =
        output.layers.iter().map(|layer| write(layer.name())).collect();
    paths.map(|mut paths| {
        // All layers may be in the same store.
        paths.dedup();
        paths
    })
}

/// Writes a layer in the format that the scene requests. Cells without data are NaN in NPY files
/// and Zarr stores, and have the no-data value in GeoTIFF and PNG files. Layers of hexagonal grids
/// are written cell by cell to NPY and PNG files. For GeoTIFF files and Zarr stores, they are
/// resampled to squares of about equal area.
///
/// # Errors
/// Returns a message if the layer does not exist or the file cannot be written.
fn write_layer<S: SceneModel>(
    world: &S::World,
    scene: &S,
    name: &str,
    output_time: &OutputTime<'_>,
    path: &Path,
) -> Result<(), String> {
    let unknown = || format!("there is no layer `{name}`");
    let field = world.layer(name).ok_or_else(unknown)?;
    let no_data = world.placement().no_data;
    let written = match scene.common_tables().output.layer_format {
        LayerFormat::Npy => raster::write_npy(path, &mask_no_data(field, no_data)),
        LayerFormat::Png => {
            let lattice = world.lattice();
            // Hexagons are not raster cells.
            let cell = (!lattice.is_hex()).then(|| [lattice.dx(), lattice.dy()]);
            raster::write_png16(path, &mask_no_data(field, no_data), cell)
        }
        LayerFormat::Geotiff => {
            let no_data = missing_cells(&field, no_data);
            let layer = resample_to_squares(world, name, &field, no_data.as_deref());
            let no_data = layer.no_data.as_deref();
            // A coordinate system without a GeoTIFF code is omitted.
            match world.placement().georeference.filter(|map| map.has_geotiff_unit()) {
                Some(map) => raster::write_geotiff_georeferenced(path, &layer.field, map, no_data),
                None => raster::write_geotiff(path, &layer.field, layer.cell_size, no_data),
            }
        }
        #[cfg(feature = "zarr")]
        LayerFormat::Zarr => {
            let layer = world.model().layers().iter().find(|layer| layer.name == name);
            let no_data = missing_cells(&field, no_data);
            let SquareCellLayer { field, cell_size, no_data } =
                resample_to_squares(world, name, &field, no_data.as_deref());
            let field = mask_no_data(field, no_data.as_deref());
            let axes = raster::zarr::Axes {
                times: output_time.times,
                time_unit: S::CLOCK.unit.trim(),
                shape: [field.nx(), field.ny()],
                cell: cell_size,
                georeference: world.placement().georeference,
            };
            raster::zarr::write_layer(
                path,
                &axes,
                layer.ok_or_else(unknown)?,
                output_time.number,
                &field,
            )
        }
        #[cfg(not(feature = "zarr"))]
        LayerFormat::Zarr => {
            // The scene check has already rejected this format. Only Zarr needs the time.
            let _ = output_time;
            return Err("this program was built without Zarr".into());
        }
    };
    written.map_err(|error| error.to_string())
}

/// Returns the values of a layer, with NaN in all cells where the mask `no_data` is true.
pub(in crate::run) fn mask_no_data<'a>(
    mut field: Cow<'a, Field<f32>>,
    no_data: Option<&Field<bool>>,
) -> Cow<'a, Field<f32>> {
    let missing = no_data.map_or(&[][..], Field::as_slice);
    if missing.contains(&true) {
        let values = field.to_mut().as_mut_slice().iter_mut().zip(missing);
        values.filter(|(_, missing)| **missing).for_each(|(value, _)| *value = f32::NAN);
    }
    field
}

/// Returns a mask that is true in cells without data in the world, and in cells where the layer
/// `field` is NaN; `None` if there are no such cells.
fn missing_cells<'a>(
    field: &Field<f32>,
    no_data: Option<&'a Field<bool>>,
) -> Option<Cow<'a, Field<bool>>> {
    if !field.as_slice().iter().any(|value| value.is_nan()) {
        return no_data.map(Cow::Borrowed);
    }
    let of_world = |x, y| no_data.is_some_and(|missing| missing[(x, y)]);
    let of_layer = |x, y| field[(x, y)].is_nan() || of_world(x, y);
    Some(Cow::Owned(Field::from_fn(field.nx(), field.ny(), of_layer)))
}

/// Layer with square or rectangular cells, which geographic file formats require.
struct SquareCellLayer<'a> {
    field: Cow<'a, Field<f32>>,
    /// Width and height of a cell (m).
    cell_size: [f64; 2],
    no_data: Option<Cow<'a, Field<bool>>>,
}

fn resample_to_squares<'a, W: ModelWorld>(
    world: &W,
    name: &str,
    field: &'a Field<f32>,
    no_data: Option<&'a Field<bool>>,
) -> SquareCellLayer<'a> {
    let lattice = world.lattice();
    let Some(squares) = HexResampler::with_equal_area(&lattice) else {
        let cell_size = [lattice.dx(), lattice.dy()];
        return SquareCellLayer {
            field: Cow::Borrowed(field),
            cell_size,
            no_data: no_data.map(Cow::Borrowed),
        };
    };
    let is_known = |cell: usize| no_data.is_none_or(|missing| !missing.as_slice()[cell]);
    let field = if W::BOOLEAN_LAYERS.contains(&name) {
        squares.resample_nearest(field)
    } else {
        squares.resample_linear(field, is_known, 0.0)
    };
    let (square, no_data) =
        (squares.target_lattice(), no_data.map(|missing| squares.resample_nearest(missing)));
    let cell_size = [square.dx(), square.dy()];
    SquareCellLayer { field: Cow::Owned(field), cell_size, no_data: no_data.map(Cow::Owned) }
}
