//! Layers of numbers and meshes of a land.

use super::HydrologyScene;
use crate::mesh::{Part, write_glb, write_obj};
use crate::picture::Scenery;
use crate::raster;
use crate::run;
use crate::scene::{LayerFormat, LayerName, MeshFormat};
use headwater::hydrology::Hydrology;
use headwater::mesh::Mesh;
use std::io;
use std::path::{Path, PathBuf};

/// Writes a layer of a land as numbers.
pub(super) fn write_layer(
    land: &Hydrology,
    layer: LayerName<HydrologyScene>,
    format: LayerFormat,
    folder: &Path,
) -> Result<PathBuf, String> {
    let name = layer.name();
    let field = land.layer(name).ok_or_else(|| format!("there is no layer `{name}`"))?;
    let path = folder.join(format.file(name));
    let size = land.lattice().dx();
    let written = match format {
        LayerFormat::Npy => raster::write_npy(&path, &field),
        LayerFormat::Png => raster::write_png16(&path, &field),
        LayerFormat::Geotiff => raster::write_geotiff(&path, &field, [size; 2], None),
    };
    written.map_err(|error| error.to_string())?;
    Ok(path)
}

/// Writes ground, in its colours, and water as triangles.
pub(super) fn write_mesh(
    land: &Hydrology,
    format: MeshFormat,
    folder: &Path,
) -> io::Result<PathBuf> {
    let lattice = *land.lattice();
    let scenery = Scenery::of(land);
    let layer = |name| land.layer(name).ok_or_else(|| io::Error::other("no such layer"));
    let (bed, depth) = (layer("bed")?, Scenery::lakes(land));
    let ground = Mesh::of_heights(lattice, &bed);
    let water = Mesh::of_water(lattice, &bed, &depth, 0.0);
    let colors = scenery.colors();
    let parts = [
        Part { name: "ground", color: [1.0; 4], roughness: 1.0, mesh: &ground, colors: &colors },
        Part {
            name: "water",
            color: [0.03, 0.17, 0.30, 0.8],
            roughness: 0.1,
            mesh: &water,
            colors: &[],
        },
    ];
    let path = folder.join(run::mesh_name(format));
    match format {
        MeshFormat::Glb => write_glb(&path, &parts, 0.0)?,
        MeshFormat::Obj => write_obj(&path, &parts, 0.0)?,
    }
    Ok(path)
}
