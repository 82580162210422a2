//! What a run draws and writes: numbered frames, the last picture, the animation, and layers of
//! numbers.

use crate::mesh::{Part, write_glb, write_obj};
use crate::picture::{Float, Painter, Particle, Style, StyleError, View, write_gif, write_png};
use crate::raster;
use crate::schema::{Layer, LayerFormat, MeshFormat, Scene};
use crate::squares::Squares;
use crate::world::World;
use headwater::{Field, Region};
use image::{Rgb, RgbImage};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The pictures of a run, in one folder.
pub(super) struct Gallery {
    folder: PathBuf,
    painter: Painter,
    /// How long a particle lasts (s), to fade it.
    lifetime: f64,
    pub(super) frames: u32,
}

/// Width to which the animation is reduced (pixels): a GIF is for showing around.
const GIF_WIDTH: u32 = 640;

pub(super) const FINAL: &str = "final.png";
pub(super) const ANIMATION: &str = "animation.gif";
pub(super) const FLOW_MAP: &str = "flow-map.png";

/// The name of a frame, counted from 1.
pub(super) fn frame_name(number: u32) -> String {
    format!("frame-{number:04}.png")
}

/// True of the names that [`frame_name`] gives.
pub(super) fn is_frame(name: &str) -> bool {
    let number = name.strip_prefix("frame-").and_then(|name| name.strip_suffix(".png"));
    number.and_then(|number| number.parse().ok()).is_some_and(|number| frame_name(number) == name)
}

/// The name of a layer's file.
pub(super) fn layer_name(layer: Layer, format: LayerFormat) -> String {
    let extension = match format {
        LayerFormat::Npy => "npy",
        LayerFormat::Geotiff => "tif",
    };
    format!("{}.{extension}", layer.name())
}

impl Gallery {
    /// Fixes the colour scales from the world at its start.
    pub(super) fn new(
        scene: &Scene,
        style: Style,
        folder: &Path,
        start: &World,
    ) -> Result<Self, StyleError> {
        let lifetime = scene.particles.as_ref().map_or(1.0, |particles| particles.lifetime);
        let painter = with_view(start, lifetime, |view| Painter::new(style, view))?;
        Ok(Self { folder: folder.into(), painter, lifetime, frames: 0 })
    }

    /// Draws the next frame.
    pub(super) fn frame(&mut self, world: &World) -> Result<(), String> {
        self.frames += 1;
        self.draw(world, &frame_name(self.frames)).map(|_| ())
    }

    /// Draws the world into the file of that name.
    pub(super) fn draw(&mut self, world: &World, name: &str) -> Result<PathBuf, String> {
        let painter = &mut self.painter;
        let picture = with_view(world, self.lifetime, |view| painter.paint(view));
        let path = self.folder.join(name);
        write_png(&path, &picture).map_err(|error| error.to_string())?;
        Ok(path)
    }

    /// The frames drawn so far, as far as they are still there.
    pub(super) fn frame_paths(&self) -> Vec<PathBuf> {
        let paths = (1..=self.frames).map(|number| self.folder.join(frame_name(number)));
        paths.filter(|path| path.is_file()).collect()
    }

    /// Makes the animation of the frames.
    pub(super) fn animate(&self, fps: u32) -> Result<PathBuf, String> {
        let path = self.folder.join(ANIMATION);
        let delay = Duration::from_secs_f64(1.0 / f64::from(fps));
        write_gif(&path, &self.frame_paths(), delay, Some(GIF_WIDTH))
            .map_err(|error| error.to_string())?;
        Ok(path)
    }
}

/// Shows a world to `look`.
fn with_view<R>(world: &World, lifetime: f64, look: impl FnOnce(&View<'_>) -> R) -> R {
    let flow = &world.flow;
    let state = flow.state();
    let velocity = |axis: usize| {
        let lattice = flow.lattice();
        Field::from_fn(lattice.nx(), lattice.ny(), |x, y| flow.velocity(x, y)[axis])
    };
    let (east, south) = (velocity(0), velocity(1));
    let no_data = &world.terrain.no_data;
    let closed = state.closed.cells();
    let obstacles =
        Field::from_fn(closed.nx(), closed.ny(), |x, y| closed[(x, y)] && !no_data[(x, y)]);
    let particles: Vec<Particle> = flow
        .particles()
        .iter()
        .map(|p| Particle {
            position: p.position,
            velocity: p.velocity.map(f64::from),
            age: (p.age / lifetime).min(1.0) as f32,
        })
        .collect();
    let structures: Vec<[[f64; 2]; 2]> = flow
        .structures()
        .filter_map(|structure| match structure.mouths {
            [Region::Disc { center: from, .. }, Region::Disc { center: to, .. }] => {
                Some([from, to])
            }
            // No scene makes others.
            _ => None,
        })
        .collect();
    let bodies: Vec<Float> =
        flow.bodies().iter().zip(&world.body_kinds).map(|(b, k)| Float::new(b, *k)).collect();
    look(&View {
        bodies: &bodies,
        closed: Some(&obstacles),
        no_data: Some(no_data),
        velocity: Some((&east, &south)),
        particles: &particles,
        structures: &structures,
        time: flow.time(),
        datum: world.terrain.datum,
        ..View::new(flow.lattice(), &state.bed, &state.depth)
    })
}

/// Writes velocity and foam as a texture; `fast` (m/s) is the speed at the ends of its scale.
pub(super) fn write_flow_map(world: &World, fast: f64, folder: &Path) -> Result<PathBuf, String> {
    let flow = &world.flow;
    let (nx, ny) = (flow.lattice().nx(), flow.lattice().ny());
    let velocity = |axis: usize| Field::from_fn(nx, ny, |x, y| flow.velocity(x, y)[axis]);
    let mut fields = [velocity(0), velocity(1), flow.foam()];
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
    let path = folder.join(FLOW_MAP);
    write_png(&path, &texture).map_err(|error| error.to_string())?;
    Ok(path)
}

/// The name of the file of meshes.
pub(super) fn mesh_name(format: MeshFormat) -> &'static str {
    match format {
        MeshFormat::Glb => "final.glb",
        MeshFormat::Obj => "final.obj",
    }
}

/// Writes ground and water as triangles.
pub(super) fn write_mesh(world: &World, format: MeshFormat, folder: &Path) -> io::Result<PathBuf> {
    let (ground, water) = (world.flow.ground_mesh(), world.flow.water_mesh());
    let parts = [
        Part { name: "ground", color: [0.27, 0.30, 0.16, 1.0], roughness: 1.0, mesh: &ground },
        Part { name: "water", color: [0.03, 0.17, 0.30, 0.8], roughness: 0.1, mesh: &water },
    ];
    let path = folder.join(mesh_name(format));
    let datum = world.terrain.datum;
    match format {
        MeshFormat::Glb => write_glb(&path, &parts, datum)?,
        MeshFormat::Obj => write_obj(&path, &parts, datum)?,
    }
    Ok(path)
}

/// Writes a layer of a world as numbers; heights as the scene counts them. Cells without data are
/// NaN in an NPY file and marked as such in a GeoTIFF. Hexagons stand in an NPY file as they are
/// stored; a GeoTIFF, which lies on a map, has squares as large.
pub(super) fn write_layer(
    world: &World,
    layer: Layer,
    format: LayerFormat,
    folder: &Path,
) -> Result<PathBuf, String> {
    let name = layer.name();
    let mut field = world.flow.view(name).ok_or_else(|| format!("there is no layer `{name}`"))?;
    if matches!(layer, Layer::Bed | Layer::Surface) {
        let datum = world.terrain.datum;
        field = field.map(|&height| (f64::from(height) + datum) as f32);
    }
    let no_data = &world.terrain.no_data;
    let path = folder.join(layer_name(layer, format));
    let lattice = world.flow.lattice();
    let written = match format {
        LayerFormat::Npy => {
            for (value, _) in
                field.as_mut_slice().iter_mut().zip(no_data.as_slice()).filter(|v| *v.1)
            {
                *value = f32::NAN;
            }
            raster::write_npy(&path, &field)
        }
        LayerFormat::Geotiff => match Squares::as_large(lattice) {
            None => {
                raster::write_geotiff(&path, &field, [lattice.dx(), lattice.dy()], Some(no_data))
            }
            Some(squares) => {
                let known = |cell: usize| !no_data.as_slice()[cell];
                let field = match layer {
                    // It says yes or no.
                    Layer::Closed => squares.nearest(&field),
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
