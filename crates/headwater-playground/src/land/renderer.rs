//! [`LandRenderer`]: the renderer of a world, with the world's GPU resources.

use super::camera::Camera;
use super::cells::{CellTextures, Cells, CellsError};
use super::flow_marks::{self, Arrows};
use super::frame::{ElapsedTimes, Frame};
use super::frame_description::FrameDescription;
use super::gpu::{Gpu, Instances};
use super::maps::Maps;
use super::noise;
use super::objects::Objects;
use super::objects::rivers;
use super::patches::Patches;
use super::pipelines::{self, Pipelines};
use super::ramps::Ramps;
use super::style::{Layer, Quality, Scales};
use super::target::Target;
use headwater::changes::Tile;
use headwater_scene::picture::{BodySprite, Particle, River, Tree};
use std::sync::Arc;

/// Largest difference in simulated time (s) between two frames that still counts as continuous
/// play.
const MAX_CONTINUOUS_JUMP: f64 = 600.0;

/// Renderer of a world, with the world's textures and buffers on the device.
#[derive(Debug)]
pub struct LandRenderer {
    gpu: Gpu,
    quality: Quality,
    pipelines: Arc<Pipelines>,
    uniforms: wgpu::Buffer,
    noise: wgpu::TextureView,
    ramps: Ramps,
    patches: Patches,
    objects: Objects,
    rivers: Instances,
    tracers: Instances,
    arrows: Arrows,
    target: Target,
    world: Option<WorldResources>,
    /// Size (pixels) and description of the frame that was drawn last, if any.
    last_frame: Option<([u32; 2], FrameDescription)>,
    /// Simulated time and animation time (s) of the frame that was drawn last, if any.
    last_times: Option<[f64; 2]>,
}

#[derive(Debug)]
struct WorldResources {
    store: CellTextures,
    maps: Maps,
    scales: Scales,
    group: wgpu::BindGroup,
}

impl LandRenderer {
    /// Creates a renderer that draws to targets of the texture format `format`.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
        quality: Quality,
    ) -> Self {
        let gpu = Gpu { device: device.clone(), queue: queue.clone() };
        let (pipelines, noise) =
            (Arc::new(Pipelines::new(&gpu, quality)), noise::create_detail_texture(&gpu));
        Self::with_pipelines(gpu, format, quality, pipelines, noise)
    }

    /// Creates a renderer for a comparison world on the same device. Both renderers share the
    /// pipelines, because pipelines are slow to create.
    pub(super) fn with_shared_pipelines(&self, format: wgpu::TextureFormat) -> Self {
        let (pipelines, noise) = (self.pipelines.clone(), self.noise.clone());
        Self::with_pipelines(self.gpu.clone(), format, self.quality, pipelines, noise)
    }

    fn with_pipelines(
        gpu: Gpu,
        format: wgpu::TextureFormat,
        quality: Quality,
        pipelines: Arc<Pipelines>,
        noise: wgpu::TextureView,
    ) -> Self {
        let size = size_of::<Frame>() as u64;
        Self {
            quality,
            uniforms: gpu.create_buffer("land frame", size, wgpu::BufferUsages::UNIFORM),
            noise,
            ramps: Ramps::new(&gpu),
            patches: Patches::new(&gpu),
            objects: Objects::new(&gpu),
            rivers: Instances::default(),
            tracers: Instances::default(),
            arrows: Arrows::default(),
            target: Target::new(&gpu, format, quality),
            pipelines,
            gpu,
            world: None,
            last_frame: None,
            last_times: None,
        }
    }

    pub(super) fn quality(&self) -> Quality {
        self.quality
    }

    /// Uploads a world. Computes the colour scales at the first call and whenever the grid changes.
    ///
    /// # Errors
    /// Returns [`CellsError`] if a slice has the wrong length, or if the grid is larger than a
    /// texture of the device.
    pub fn upload(&mut self, cells: &Cells<'_>) -> Result<(), CellsError> {
        let whole = Tile { x: 0, y: 0, nx: cells.nx, ny: cells.ny };
        self.upload_tiles(cells, &[whole])
    }

    /// Uploads the given tiles of a world. They must include all tiles that have changed since the
    /// last upload. If the size of the grid has changed, uploads all cells. Otherwise, cells
    /// outside the tiles are not read.
    ///
    /// # Errors
    /// Returns the same errors as [`upload`](Self::upload).
    pub fn upload_tiles(&mut self, cells: &Cells<'_>, tiles: &[Tile]) -> Result<(), CellsError> {
        cells.check_sizes(self.gpu.device.limits().max_texture_dimension_2d)?;
        self.last_frame = None;
        let fits = self.world.as_ref().is_some_and(|world| world.store.has_same_grid(cells));
        if !fits {
            let store = CellTextures::new(&self.gpu, cells);
            let maps = Maps::new(&self.gpu, &self.pipelines, &self.uniforms, &store);
            let shared = (&*self.pipelines, &self.uniforms, self.ramps.view(), &self.noise);
            let group = create_shared_bind_group(&self.gpu, shared, &store, &maps);
            self.world =
                Some(WorldResources { scales: Scales::from_cells(cells), store, maps, group });
            self.last_times = None;
        }
        let Some(world) = &mut self.world else { return Ok(()) };
        let change = world.store.write(&self.gpu, cells, tiles);
        world.maps.mark_cells_changed(change.bed);
        if change.have_walls_changed {
            self.objects.set_walls(&self.gpu, cells);
        }
        Ok(())
    }

    /// Sets `width × height` ground colours (red, green, blue; sRGB) that cover the whole world and
    /// replace the palette. `None` restores the palette.
    pub fn set_tint(&mut self, tint: Option<(&[[u8; 3]], u32, u32)>) {
        self.last_frame = None;
        let Some(world) = &mut self.world else { return };
        world.store.set_tint(&self.gpu, tint);
        let shared = (&*self.pipelines, &self.uniforms, self.ramps.view(), &self.noise);
        world.group = create_shared_bind_group(&self.gpu, shared, &world.store, &world.maps);
    }

    /// Returns the colour scales; `None` before the first upload.
    pub fn scales(&self) -> Option<Scales> {
        self.world.as_ref().map(|world| world.scales)
    }

    /// Sets the colour scales, such as those of another world for comparison.
    pub fn set_scales(&mut self, scales: Scales) {
        self.last_frame = None;
        if let Some(world) = &mut self.world {
            world.scales = scales;
            world.maps.mark_cells_changed(Some([0, 0, world.store.nx, world.store.ny]));
        }
    }

    /// Returns the texture that stores the state of the cells; `None` before the first upload. Its
    /// components are bed height (m), depth (m), and the eastward and southward velocity (m/s),
    /// each `f32`. A model that writes the texture on the GPU must call
    /// [`mark_cells_written`](Self::mark_cells_written) afterwards.
    pub fn cells_view(&self) -> Option<&wgpu::TextureView> {
        self.world.as_ref().map(|world| &world.store.cells)
    }

    /// Marks the cells as changed. Called after a model has written their texture on the GPU. The
    /// ground must be unchanged.
    pub fn mark_cells_written(&mut self) {
        self.last_frame = None;
        if let Some(world) = &mut self.world {
            world.maps.mark_cells_changed(None);
        }
    }

    /// Sets the tracer particles drawn on the water.
    pub fn set_particles(&mut self, particles: &[Particle]) {
        self.last_frame = None;
        self.tracers.set(&self.gpu, &flow_marks::tracers(particles));
    }

    /// Returns the buffer into which a model on the GPU writes `count` tracers; `None` if `count`
    /// is zero. Each tracer consists of five `f32` values: position (two components, m), velocity
    /// (two components, m/s), and age divided by lifetime.
    pub fn tracers_buffer(&mut self, count: usize) -> Option<&wgpu::Buffer> {
        self.last_frame = None;
        self.tracers.reserve(&self.gpu, count * size_of::<flow_marks::Tracer>(), count)
    }

    /// Sets the floating bodies to draw.
    pub fn set_body_sprites(&mut self, floats: &[BodySprite]) {
        self.last_frame = None;
        self.objects.set_body_sprites(&self.gpu, floats);
    }

    /// Sets the trees to draw. If there are too many trees for the rendering quality, an even
    /// selection of them is drawn.
    pub fn set_trees(&mut self, trees: &[Tree]) {
        self.last_frame = None;
        let Some(world) = &mut self.world else { return };
        let size = world.store.cell[0].max(world.store.cell[1]);
        world.maps.mark_objects_changed();
        self.objects.set_trees(&self.gpu, trees, size, self.quality);
    }

    /// Sets the rivers to draw as lines.
    pub fn set_rivers(&mut self, rivers: &[River]) {
        self.last_frame = None;
        let Some(world) = &mut self.world else { return };
        let [wide, high] = world.store.extent();
        self.rivers.set(&self.gpu, &rivers::all_river_segments(rivers, wide.max(high)));
        world.maps.mark_objects_changed();
    }

    /// Draws a frame of `size` pixels into the offscreen picture, which [`paint`](Self::paint)
    /// shows. Does nothing if the frame is the same as the last one.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        size: [u32; 2],
        description: &FrameDescription,
    ) {
        let size = self.target.resize_to_view(&self.gpu, size);
        if self.last_frame.as_ref().is_some_and(|drawn| drawn.0 == size && drawn.1 == *description)
        {
            return;
        }
        let Some(world) = &mut self.world else { return };
        self.last_frame = Some((size, description.clone()));
        self.ramps.write(&self.gpu, &description.style);
        let now = [description.clock, description.time];
        let [elapsed, play] = self
            .last_times
            .map_or([0.0; 2], |last_times| [now[0] - last_times[0], now[1] - last_times[1]]);
        self.last_times = Some(now);
        // Effects that depend on earlier frames begin anew after a restart or a jump in time.
        let is_continuous = (0.0..MAX_CONTINUOUS_JUMP).contains(&elapsed) && play >= 0.0;
        let passed = ElapsedTimes { world: elapsed as f32, play: play as f32, is_continuous };
        let frame = Frame::new(description, &world.store, &world.scales, size, passed);
        self.gpu.queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&frame));
        let shades = description.style.trees.then(|| self.objects.tree_shadows());
        world.maps.draw(encoder, &self.pipelines, &frame, shades, &self.rivers);
        let orbit = matches!(description.camera, Camera::Orbit { .. });
        if orbit {
            self.patches.select_patches(&self.gpu, &frame, self.quality, world.store.hex);
        }
        if description.style.arrows {
            self.arrows.select_arrow_cells(&self.gpu, &frame, description);
        }
        let Some(mut pass) = self.target.begin_pass(encoder) else { return };
        pass.set_bind_group(0, &world.group, &[]);
        pass.set_pipeline(&self.pipelines.backdrop);
        pass.draw(0..3, 0..1);
        if orbit {
            self.patches.draw(&mut pass, &self.pipelines, world.store.nx.max(world.store.ny));
        } else {
            pass.set_pipeline(&self.pipelines.map);
            pass.draw(0..3, 0..1);
        }
        if description.style.layer != Layer::Ground || orbit {
            self.objects.draw(&mut pass, &self.pipelines, description.style.trees);
        }
        if description.style.arrows {
            self.arrows.draw(&mut pass, &self.pipelines);
        }
        if orbit {
            let along = pipelines::spray_puffs_per_side(self.quality);
            pass.set_pipeline(&self.pipelines.spray);
            pass.draw(0..4, 0..along * along);
        }
        if description.style.particles {
            self.tracers.draw(&mut pass, &self.pipelines.tracer, 4);
        }
    }

    /// Copies the offscreen picture to the window. The picture fills the viewport of the render
    /// pass.
    pub fn paint(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.target.paint(pass);
    }
}

/// Resources for the bind group that all views of a world share: pipelines, uniform buffer, colour
/// ramps and noise texture, in this order.
type SharedResources<'a> =
    (&'a Pipelines, &'a wgpu::Buffer, &'a wgpu::TextureView, &'a wgpu::TextureView);

/// Creates the bind group that all views of a world share.
fn create_shared_bind_group(
    gpu: &Gpu,
    (pipelines, uniforms, ramps, noise): SharedResources<'_>,
    store: &CellTextures,
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
    resources.extend(
        [&pipelines.clamp_sampler, &pipelines.repeat_sampler].map(wgpu::BindingResource::Sampler),
    );
    resources.push(wgpu::BindingResource::TextureView(&maps.trace));
    gpu.bind(&pipelines.view_layout, resources)
}
