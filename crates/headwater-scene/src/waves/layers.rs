//! Layers of numbers and meshes of a rippling surface.

use super::WavesScene;
use crate::mesh::{Part, write_glb, write_obj};
use crate::raster;
use crate::run;
use crate::scene::{LayerFormat, LayerName, MeshFormat};
use headwater::waves::Waves;
use std::io;
use std::path::{Path, PathBuf};

/// Writes a layer of a surface as numbers.
pub(super) fn write_layer(
    waves: &Waves,
    layer: LayerName<WavesScene>,
    format: LayerFormat,
    folder: &Path,
) -> Result<PathBuf, String> {
    let name = layer.name();
    let field = waves.layer(name).ok_or_else(|| format!("there is no layer `{name}`"))?;
    let path = folder.join(format.file(name));
    let lattice = waves.lattice();
    let written = match format {
        LayerFormat::Npy => raster::write_npy(&path, &field),
        LayerFormat::Png => raster::write_png16(&path, &field),
        LayerFormat::Geotiff => {
            raster::write_geotiff(&path, &field, [lattice.dx(), lattice.dy()], None)
        }
    };
    written.map_err(|error| error.to_string())?;
    Ok(path)
}

/// Writes the surface as triangles with normals.
pub(super) fn write_mesh(waves: &Waves, format: MeshFormat, folder: &Path) -> io::Result<PathBuf> {
    let water = waves.water_mesh();
    let parts = [Part {
        name: "water",
        color: [0.03, 0.17, 0.30, 0.8],
        roughness: 0.05,
        mesh: &water,
        colors: &[],
    }];
    let path = folder.join(run::mesh_name(format));
    match format {
        MeshFormat::Glb => write_glb(&path, &parts, 0.0)?,
        MeshFormat::Obj => write_obj(&path, &parts, 0.0)?,
    }
    Ok(path)
}
