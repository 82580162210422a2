//! Layers of numbers, textures and meshes of a world of flow.

use super::{FlowScene, FlowWorld};
use crate::mesh::{Part, write_glb, write_obj};
use crate::picture::write_png;
use crate::raster;
use crate::run;
use crate::scene::{LayerFormat, LayerName, MeshFormat};
use crate::squares::Squares;
use image::{Rgb, RgbImage};
use std::io;
use std::path::{Path, PathBuf};

/// Writes velocity and foam as a texture; `fast` (m/s) is the speed at the ends of its scale.
pub(super) fn write_flow_map(
    world: &FlowWorld,
    fast: f64,
    folder: &Path,
) -> Result<PathBuf, String> {
    let flow = &world.flow;
    let velocity = flow.velocities();
    let foam = flow.foam_of(&velocity);
    let [east, south] = velocity;
    let mut fields = [east, south, foam];
    if let Some(squares) = Squares::as_large(flow.lattice()) {
        fields = fields.map(|field| squares.linear(&field, |_| true, 0.0));
    }
    let [east, south, foam] = fields;
    let size = (foam.nx() as u32, foam.ny() as u32);
    let texture = RgbImage::from_fn(size.0, size.1, |x, y| {
        let at = (x as usize, y as usize);
        let speed = |v: f32| (128.0 + 127.0 * (f64::from(v) / fast).clamp(-1.0, 1.0)).round() as u8;
        Rgb([speed(east[at]), speed(south[at]), (255.0 * foam[at]).round() as u8])
    });
    let path = folder.join(run::FLOW_MAP);
    write_png(&path, &texture).map_err(|error| error.to_string())?;
    Ok(path)
}

/// Writes ground and water as triangles.
pub(super) fn write_mesh(
    world: &FlowWorld,
    format: MeshFormat,
    folder: &Path,
) -> io::Result<PathBuf> {
    let (ground, water) = (world.flow.ground_mesh(), world.flow.water_mesh());
    let parts = [
        Part {
            name: "ground",
            color: [0.27, 0.30, 0.16, 1.0],
            roughness: 1.0,
            mesh: &ground,
            colors: &[],
        },
        Part {
            name: "water",
            color: [0.03, 0.17, 0.30, 0.8],
            roughness: 0.1,
            mesh: &water,
            colors: &[],
        },
    ];
    let path = folder.join(run::mesh_name(format));
    let datum = world.terrain.datum;
    match format {
        MeshFormat::Glb => write_glb(&path, &parts, datum)?,
        MeshFormat::Obj => write_obj(&path, &parts, datum)?,
    }
    Ok(path)
}

/// Writes a layer of a world as numbers; heights as the scene counts them. Cells without data are
/// NaN in an NPY file, 0 in a PNG, and marked as such in a GeoTIFF. Hexagons stand in an NPY file as they are
/// stored; a GeoTIFF, which lies on a map, has squares as large.
pub(super) fn write_layer(
    world: &FlowWorld,
    layer: LayerName<FlowScene>,
    format: LayerFormat,
    folder: &Path,
) -> Result<PathBuf, String> {
    let name = layer.name();
    let layered = world.flow.layer(name).ok_or_else(|| format!("there is no layer `{name}`"))?;
    let mut field = layered.into_owned();
    if matches!(name, "bed" | "surface") {
        let datum = world.terrain.datum;
        field = field.map(|&height| (f64::from(height) + datum) as f32);
    }
    let no_data = &world.terrain.no_data;
    let path = folder.join(format.file(name));
    let lattice = world.flow.lattice();
    let written = match format {
        LayerFormat::Npy | LayerFormat::Png => {
            for (value, _) in
                field.as_mut_slice().iter_mut().zip(no_data.as_slice()).filter(|v| *v.1)
            {
                *value = f32::NAN;
            }
            if format == LayerFormat::Png {
                raster::write_png16(&path, &field)
            } else {
                raster::write_npy(&path, &field)
            }
        }
        LayerFormat::Geotiff => match Squares::as_large(lattice) {
            None => {
                raster::write_geotiff(&path, &field, [lattice.dx(), lattice.dy()], Some(no_data))
            }
            Some(squares) => {
                let known = |cell: usize| !no_data.as_slice()[cell];
                let field = match name {
                    // It says yes or no.
                    "closed" => squares.nearest(&field),
                    _ => squares.linear(&field, known, 0.0),
                };
                let cell = [squares.square().dx(), squares.square().dy()];
                raster::write_geotiff(&path, &field, cell, Some(&squares.nearest(no_data)))
            }
        },
    };
    written.map_err(|error| error.to_string())?;
    Ok(path)
}
