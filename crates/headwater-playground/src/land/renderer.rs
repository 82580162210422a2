//! [`Land`]: a world on the GPU, and all that draws it.

use super::camera::Camera;
use super::cells::{Cells, CellsError, Store};
use super::frame::{Frame, Passed};
use super::gpu::{Gpu, Instances};
use super::maps::Maps;
use super::patches::Patches;
use super::pipelines::{self, Pipelines};
use super::ramps::Ramps;
use super::shot::Shot;
use super::streaks::{self, Arrows};
use super::style::{Layer, Quality, Scales};
use super::target::Target;
use super::things::Things;
use super::{noise, rivers};
use headwater::changes::Tile;
use headwater_scene::picture::{BodySprite, Particle, River, Tree};
use std::sync::Arc;

/// A world that is so much later than it was drawn last has not gone on from there (s).
const MOST_PASSED: f64 = 600.0;

/// A world on the GPU, and all that draws it.
#[derive(Debug)]
pub struct Land {
    gpu: Gpu,
    quality: Quality,
    pipelines: Arc<Pipelines>,
    uniforms: wgpu::Buffer,
    noise: wgpu::TextureView,
    ramps: Ramps,
    patches: Patches,
    things: Things,
    rivers: Instances,
    tracers: Instances,
    arrows: Arrows,
    target: Target,
    world: Option<World>,
    /// What the picture shows, in how many pixels, if nothing has changed since.
    drawn: Option<([u32; 2], Shot)>,
    /// Time of the world and of play when it was drawn last.
    then: Option<[f64; 2]>,
}

#[derive(Debug)]
struct World {
    store: Store,
    maps: Maps,
    scales: Scales,
    group: wgpu::BindGroup,
}

impl Land {
    /// Makes all that draws worlds to targets of a format.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
        quality: Quality,
    ) -> Self {
        let gpu = Gpu { device: device.clone(), queue: queue.clone() };
        let (pipelines, noise) = (Arc::new(Pipelines::new(&gpu, quality)), noise::grains(&gpu));
        Self::of(gpu, format, quality, pipelines, noise)
    }

    /// Another one on the same device, for a world beside this one's: pipelines are shared, which take longest to make.
    pub(super) fn beside(&self, format: wgpu::TextureFormat) -> Self {
        let (pipelines, noise) = (self.pipelines.clone(), self.noise.clone());
        Self::of(self.gpu.clone(), format, self.quality, pipelines, noise)
    }

    fn of(
        gpu: Gpu,
        format: wgpu::TextureFormat,
        quality: Quality,
        pipelines: Arc<Pipelines>,
        noise: wgpu::TextureView,
    ) -> Self {
        let size = size_of::<Frame>() as u64;
        Self {
            quality,
            uniforms: gpu.buffer("land frame", size, wgpu::BufferUsages::UNIFORM),
            noise,
            ramps: Ramps::new(&gpu),
            patches: Patches::new(&gpu),
            things: Things::new(&gpu),
            rivers: Instances::default(),
            tracers: Instances::default(),
            arrows: Arrows::default(),
            target: Target::new(&gpu, format, quality),
            pipelines,
            gpu,
            world: None,
            drawn: None,
            then: None,
        }
    }

    pub(super) fn quality(&self) -> Quality {
        self.quality
    }

    /// Hands the world over as it is. The first time, and whenever the grid is another, the scales of colours
    /// are found anew.
    ///
    /// # Errors
    /// [`CellsError`] if a slice does not have a number for every cell, or the grid is larger than a texture of
    /// the device may be.
    pub fn upload(&mut self, cells: &Cells<'_>) -> Result<(), CellsError> {
        let whole = Tile { x: 0, y: 0, nx: cells.nx, ny: cells.ny };
        self.upload_tiles(cells, &[whole])
    }

    /// The same of a world that has changed in some tiles since it was handed over last, as its `update_changes` names them;
    /// what is outside of them is not looked at, unless the grid is another.
    ///
    /// # Errors
    /// As [`upload`](Self::upload).
    pub fn upload_tiles(&mut self, cells: &Cells<'_>, tiles: &[Tile]) -> Result<(), CellsError> {
        cells.check(self.gpu.device.limits().max_texture_dimension_2d)?;
        self.drawn = None;
        let fits = self.world.as_ref().is_some_and(|world| world.store.fits(cells));
        if !fits {
            let store = Store::new(&self.gpu, cells);
            let maps = Maps::new(&self.gpu, &self.pipelines, &self.uniforms, &store);
            let shared = (&*self.pipelines, &self.uniforms, self.ramps.view(), &self.noise);
            let group = group(&self.gpu, shared, &store, &maps);
            self.world = Some(World { scales: Scales::of(cells), store, maps, group });
            self.then = None;
        }
        let Some(world) = &mut self.world else { return Ok(()) };
        let change = world.store.write(&self.gpu, cells, tiles);
        world.maps.cells_changed(change.bed);
        if change.walls {
            self.things.set_walls(&self.gpu, cells);
        }
        Ok(())
    }

    /// Gives the land its own colours (red, green, blue: sRGB) in place of a palette's: `width × height` of them
    /// over the whole world, or none.
    pub fn set_tint(&mut self, tint: Option<(&[[u8; 3]], u32, u32)>) {
        self.drawn = None;
        let Some(world) = &mut self.world else { return };
        world.store.set_tint(&self.gpu, tint);
        let shared = (&*self.pipelines, &self.uniforms, self.ramps.view(), &self.noise);
        world.group = group(&self.gpu, shared, &world.store, &world.maps);
    }

    /// The scales of colours: found from the first cells, or set.
    pub fn scales(&self) -> Option<Scales> {
        self.world.as_ref().map(|world| world.scales)
    }

    /// Sets the scales of colours.
    pub fn set_scales(&mut self, scales: Scales) {
        self.drawn = None;
        if let Some(world) = &mut self.world {
            world.scales = scales;
            world.maps.cells_changed(Some([0, 0, world.store.nx, world.store.ny]));
        }
    }

    /// The texture of the cells (bed, depth, velocity to the east and to the south; f32), for a model on the
    /// GPU that writes it by itself, where the device can. Whoever does so calls [`cells_written`].
    ///
    /// [`cells_written`]: Self::cells_written
    pub fn cells_view(&self) -> Option<&wgpu::TextureView> {
        self.world.as_ref().map(|world| &world.store.cells)
    }

    /// Says that the cells' texture was written by somebody else, on the same ground.
    pub fn cells_written(&mut self) {
        self.drawn = None;
        if let Some(world) = &mut self.world {
            world.maps.cells_changed(None);
        }
    }

    /// The tracers that drift on the water.
    pub fn set_particles(&mut self, particles: &[Particle]) {
        self.drawn = None;
        self.tracers.set(&self.gpu, &streaks::tracers(particles));
    }

    /// Room for so many tracers that a model on the GPU writes by itself, five f32 for each: place (m), velocity (m/s), and age as a
    /// part of its lifetime. Nothing for none.
    pub fn tracers_buffer(&mut self, count: usize) -> Option<&wgpu::Buffer> {
        self.drawn = None;
        self.tracers.room(&self.gpu, count * size_of::<streaks::Tracer>(), count)
    }

    /// What floats.
    pub fn set_body_sprites(&mut self, floats: &[BodySprite]) {
        self.drawn = None;
        self.things.set_body_sprites(&self.gpu, floats);
    }

    /// What grows; at most as many as the quality allows, evenly chosen.
    pub fn set_trees(&mut self, trees: &[Tree]) {
        self.drawn = None;
        let Some(world) = &mut self.world else { return };
        let size = world.store.cell[0].max(world.store.cell[1]);
        world.maps.marks_changed();
        self.things.set_trees(&self.gpu, trees, size, self.quality);
    }

    /// The rivers of a land whose model knows them as lines.
    pub fn set_rivers(&mut self, rivers: &[River]) {
        self.drawn = None;
        let Some(world) = &mut self.world else { return };
        let [wide, high] = world.store.extent();
        self.rivers.set(&self.gpu, &rivers::of(rivers, wide.max(high)));
        world.maps.marks_changed();
    }

    /// Draws a frame of `size` pixels into the picture that [`paint`](Self::paint) shows, unless it shows that already.
    pub fn draw(&mut self, encoder: &mut wgpu::CommandEncoder, size: [u32; 2], shot: &Shot) {
        let size = self.target.fit(&self.gpu, size);
        if self.drawn.as_ref().is_some_and(|drawn| drawn.0 == size && drawn.1 == *shot) {
            return;
        }
        let Some(world) = &mut self.world else { return };
        self.drawn = Some((size, shot.clone()));
        self.ramps.write(&self.gpu, &shot.style);
        let now = [shot.clock, shot.time];
        let [passed, play] =
            self.then.map_or([0.0; 2], |then| [now[0] - then[0], now[1] - then[1]]);
        self.then = Some(now);
        // What was is nothing to a world that has begun again, or was taken back or far forth.
        let goes_on = (0.0..MOST_PASSED).contains(&passed) && play >= 0.0;
        let passed = Passed { world: passed as f32, play: play as f32, goes_on };
        let frame = Frame::new(shot, &world.store, &world.scales, size, passed);
        self.gpu.queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&frame));
        let shades = shot.style.trees.then(|| self.things.shades());
        world.maps.draw(encoder, &self.pipelines, &frame, shades, &self.rivers);
        let orbit = matches!(shot.camera, Camera::Orbit { .. });
        if orbit {
            self.patches.choose(&self.gpu, &frame, self.quality, world.store.hex);
        }
        if shot.style.arrows {
            self.arrows.choose(&self.gpu, &frame, shot);
        }
        let Some(mut pass) = self.target.pass(encoder) else { return };
        pass.set_bind_group(0, &world.group, &[]);
        pass.set_pipeline(&self.pipelines.backdrop);
        pass.draw(0..3, 0..1);
        if orbit {
            self.patches.draw(&mut pass, &self.pipelines, world.store.nx.max(world.store.ny));
        } else {
            pass.set_pipeline(&self.pipelines.map);
            pass.draw(0..3, 0..1);
        }
        if shot.style.layer != Layer::Ground || orbit {
            self.things.draw(&mut pass, &self.pipelines, shot.style.trees);
        }
        if shot.style.arrows {
            self.arrows.draw(&mut pass, &self.pipelines);
        }
        if orbit {
            let along = pipelines::spray(self.quality);
            pass.set_pipeline(&self.pipelines.spray);
            pass.draw(0..4, 0..along * along);
        }
        if shot.style.particles {
            self.tracers.draw(&mut pass, &self.pipelines.tracer, 4);
        }
    }

    /// Shows the picture in a pass that draws to the window; it fills the pass's viewport.
    pub fn paint(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.target.paint(pass);
    }
}

/// What all worlds share: pipelines, uniforms, ramps, noise.
type Shared<'a> = (&'a Pipelines, &'a wgpu::Buffer, &'a wgpu::TextureView, &'a wgpu::TextureView);

fn group(
    gpu: &Gpu,
    (pipelines, uniforms, ramps, noise): Shared<'_>,
    store: &Store,
    maps: &Maps,
) -> wgpu::BindGroup {
    let mut resources = vec![uniforms.as_entire_binding()];
    let views = [
        &store.cells,
        &store.flags,
        &maps.ground,
        &maps.depth,
        &maps.surface,
        ramps,
        noise,
        &maps.marks,
        &store.tint,
    ];
    resources.extend(views.map(wgpu::BindingResource::TextureView));
    resources.extend([&pipelines.even, &pipelines.again].map(wgpu::BindingResource::Sampler));
    resources.push(wgpu::BindingResource::TextureView(&maps.trace));
    gpu.bind(&pipelines.view_layout, resources)
}
