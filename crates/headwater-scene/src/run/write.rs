//! What a run writes of its world, besides pictures: layers as numbers, and at the end meshes.

use super::model_world::ModelWorld;
use super::names::{at_time, mesh_name};
use super::outcome::Written;
use crate::mesh::{write_glb, write_obj};
use crate::raster::{self, RasterError};
use crate::scene::{LayerFormat, MeshFormat, Tables};
use crate::squares::Squares;
use headwater::Field;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Writes the layers and meshes that a scene asks for.
///
/// # Errors
/// Says in words which file cannot be written, and why.
pub(super) fn write<W: ModelWorld>(
    world: &W,
    scene: &W::Scene,
    folder: &Path,
) -> Result<Written, String> {
    let output = scene.common().output;
    let layers = layers(world, scene, folder, None)?;
    let mut written = Written { layers, ..Written::default() };
    world.write_more(scene, folder, &mut written)?;
    if let Some(format) = output.mesh {
        let path = folder.join(mesh_name(format));
        let (parts, datum) = (world.parts(), world.datum());
        let done = match format {
            MeshFormat::Glb => write_glb(&path, &parts, datum),
            MeshFormat::Obj => write_obj(&path, &parts, datum),
        };
        done.map_err(|error| error.to_string())?;
        written.meshes.push(path);
    }
    Ok(written)
}

/// Writes the layers that a scene asks for; `stamp` is the time that stands in their names, if they are written on the way.
///
/// # Errors
/// Says in words which file cannot be written, and why.
pub(super) fn layers<W: ModelWorld>(
    world: &W,
    scene: &W::Scene,
    folder: &Path,
    stamp: Option<&str>,
) -> Result<Vec<PathBuf>, String> {
    let output = scene.common().output;
    let format = output.layer_format;
    let write = |name: &'static str| {
        let file = format.file(name);
        let file = stamp.map_or_else(|| file.clone(), |stamp| at_time(&file, stamp));
        write_layer(world, name, format, folder.join(file))
    };
    output.layers.iter().map(|layer| write(layer.name())).collect()
}

/// Writes a layer as numbers. Cells without data are NaN in an NPY file, and marked as such in a GeoTIFF or PNG.
/// Hexagons stand in an NPY file as they are stored; a GeoTIFF, which lies on a map, has squares as large.
fn write_layer<W: ModelWorld>(
    world: &W,
    name: &str,
    format: LayerFormat,
    path: PathBuf,
) -> Result<PathBuf, String> {
    let field = world.layer(name).ok_or_else(|| format!("there is no layer `{name}`"))?;
    let written = match format {
        LayerFormat::Npy => raster::write_npy(&path, &known(field, world.no_data())),
        LayerFormat::Png => raster::write_png16(&path, &known(field, world.no_data())),
        LayerFormat::Geotiff => {
            write_geotiff(world, name, &field, missing(&field, world.no_data()).as_deref(), &path)
        }
    };
    written.map_err(|error| error.to_string())?;
    Ok(path)
}

/// A layer that is NaN where there are no data.
fn known<'a>(mut field: Cow<'a, Field<f32>>, no_data: Option<&Field<bool>>) -> Cow<'a, Field<f32>> {
    let missing = no_data.map_or(&[][..], Field::as_slice);
    if missing.contains(&true) {
        let values = field.to_mut().as_mut_slice().iter_mut().zip(missing);
        values.filter(|(_, missing)| **missing).for_each(|(value, _)| *value = f32::NAN);
    }
    field
}

/// Where a layer has no data: where the world has none, and where the layer itself says NaN.
fn missing<'a>(
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

fn write_geotiff<W: ModelWorld>(
    world: &W,
    name: &str,
    field: &Field<f32>,
    no_data: Option<&Field<bool>>,
    path: &Path,
) -> Result<(), RasterError> {
    let lattice = world.lattice();
    let Some(squares) = Squares::as_large(&lattice) else {
        return raster::write_geotiff(path, field, [lattice.dx(), lattice.dy()], no_data);
    };
    let is_known = |cell: usize| no_data.is_none_or(|missing| !missing.as_slice()[cell]);
    let field = if W::MARKS.contains(&name) {
        squares.nearest(field)
    } else {
        squares.linear(field, is_known, 0.0)
    };
    let (square, no_data) = (squares.square(), no_data.map(|missing| squares.nearest(missing)));
    raster::write_geotiff(path, &field, [square.dx(), square.dy()], no_data.as_ref())
}
