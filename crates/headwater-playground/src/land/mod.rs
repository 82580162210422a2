//! The renderer of worlds seen from above and in three dimensions: land with its shadows, water, and what
//! stands, floats and drifts there.
//!
//! [`Land`] holds what lies on the GPU. A world is handed over as [`Cells`]; a frame is a [`Shot`]: a
//! [`Camera`], a [`Look`], a [`Cursor`]. It is drawn into a picture of its own, which [`Land::paint`] then
//! brings to the window; [`paint_callback`] does both within egui. Places are metres to the east and to the
//! south of the world's top-left corner, heights metres above its datum.
//!
//! Everything drawn is read from textures by vertex and fragment shaders, so that it works wherever wgpu does,
//! WebGL2 included. Nothing here changes or measures the world, and nothing here is a side view.

mod callback;
mod camera;
mod cells;
mod frame;
mod look;
mod maps;
mod meshes;
mod noise;
mod patches;
mod pick;
mod pipelines;
mod ramps;
mod rivers;
mod shaders;
mod streaks;
mod target;
mod things;
mod woods;

pub use callback::{install, paint_callback};
pub use camera::{Camera, Extent};
pub use cells::{Cells, CellsError};
pub use look::{Cursor, Layer, Look, Quality, Scales};
pub use pick::Ground;
pub use shaders::shaders;
pub use woods::scatter;

use cells::Store;
use frame::Frame;
use headwater_scene::picture::{Float, Particle, River, Tree};
use maps::{Maps, Marked};
use patches::Patches;
use pipelines::Pipelines;
use ramps::Ramps;
use rivers::Rivers;
use streaks::{Arrows, Tracers};
use target::Target;
use things::Things;

/// What a frame shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// From where.
    pub camera: Camera,
    /// How.
    pub look: Look,
    /// The brush, if it lies on the land.
    pub cursor: Option<Cursor>,
    /// Time that ripples and glints run by (s); it may go on while the world stands still.
    pub time: f64,
    /// Width and height of the view (points: what [`Camera`] counts in).
    pub size: [f32; 2],
}

/// A world on the GPU, and all that draws it.
#[derive(Debug)]
pub struct Land {
    device: wgpu::Device,
    quality: Quality,
    pipelines: Pipelines,
    uniforms: wgpu::Buffer,
    noise: wgpu::TextureView,
    ramps: Ramps,
    patches: Patches,
    things: Things,
    rivers: Rivers,
    tracers: Tracers,
    arrows: Arrows,
    target: Target,
    world: Option<World>,
    /// What the picture shows, in how many pixels, if nothing has changed since.
    drawn: Option<([u32; 2], Shot)>,
}

/// What belongs to the world that is shown.
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
        let pipelines = Pipelines::new(device, quality);
        let uniforms = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("land frame"),
            size: size_of::<Frame>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self {
            device: device.clone(),
            quality,
            uniforms,
            noise: noise::texture(device, queue),
            ramps: Ramps::new(device),
            patches: Patches::new(device, queue),
            things: Things::new(device, queue),
            rivers: Rivers::default(),
            tracers: Tracers::default(),
            arrows: Arrows::default(),
            target: Target::new(device, format, quality),
            pipelines,
            world: None,
            drawn: None,
        }
    }

    /// How much work is done for a frame.
    pub fn quality(&self) -> Quality {
        self.quality
    }

    /// Hands the world over as it is. The first time, and whenever the grid is another, the scales of colours
    /// are found anew.
    ///
    /// # Errors
    /// [`CellsError`] if a slice does not have a number for every cell, or the grid is larger than a texture of
    /// the device may be.
    pub fn upload(&mut self, queue: &wgpu::Queue, cells: &Cells<'_>) -> Result<(), CellsError> {
        cells.check(self.device.limits().max_texture_dimension_2d)?;
        self.drawn = None;
        let fits = self.world.as_ref().is_some_and(|world| world.store.fits(cells));
        if !fits {
            let store = Store::new(&self.device, cells);
            let maps = Maps::new(&self.device, &self.pipelines, &self.uniforms, &store);
            let group = self.group(&store, &maps);
            self.world = Some(World { scales: Scales::of(cells), store, maps, group });
        }
        let Some(world) = &mut self.world else { return Ok(()) };
        let change = world.store.write(queue, cells);
        world.maps.cells_changed(change.bed);
        if change.walls {
            self.things.set_walls(&self.device, queue, cells);
        }
        Ok(())
    }

    /// Gives the land its own colours (red, green, blue: sRGB) in place of a palette's: `width × height` of them
    /// over the whole world, or none.
    pub fn set_tint(&mut self, queue: &wgpu::Queue, tint: Option<(&[[u8; 3]], u32, u32)>) {
        self.drawn = None;
        let Some(world) = &mut self.world else { return };
        world.store.set_tint(&self.device, queue, tint);
        let store = &world.store;
        let group = bind(
            &self.device,
            &self.pipelines,
            &self.uniforms,
            store,
            &world.maps,
            Shared { ramps: self.ramps.view(), noise: &self.noise },
        );
        world.group = group;
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

    /// Says that the cells' texture was written by somebody else; `bed` if the ground has changed, too.
    pub fn cells_written(&mut self, bed: bool) {
        self.drawn = None;
        if let Some(world) = &mut self.world {
            let whole = [0, 0, world.store.nx, world.store.ny];
            world.maps.cells_changed(bed.then_some(whole));
        }
    }

    /// The tracers that drift on the water.
    pub fn set_particles(&mut self, queue: &wgpu::Queue, particles: &[Particle]) {
        self.drawn = None;
        self.tracers.write(&self.device, queue, particles);
    }

    /// What floats.
    pub fn set_floats(&mut self, queue: &wgpu::Queue, floats: &[Float]) {
        self.drawn = None;
        self.things.set_floats(&self.device, queue, floats);
    }

    /// What grows; at most as many as the quality allows, evenly chosen.
    pub fn set_trees(&mut self, queue: &wgpu::Queue, trees: &[Tree]) {
        self.drawn = None;
        let Some(world) = &mut self.world else { return };
        let size = world.store.cell[0].max(world.store.cell[1]);
        world.maps.marks_changed();
        self.things.set_trees(&self.device, queue, trees, size, self.quality);
    }

    /// The rivers of a land whose model knows them as lines.
    pub fn set_rivers(&mut self, queue: &wgpu::Queue, rivers: &[River]) {
        self.drawn = None;
        let Some(world) = &mut self.world else { return };
        let [wide, high] = world.store.extent();
        self.rivers.set(&self.device, queue, rivers, wide.max(high));
        world.maps.marks_changed();
    }

    fn group(&self, store: &Store, maps: &Maps) -> wgpu::BindGroup {
        let shared = Shared { ramps: self.ramps.view(), noise: &self.noise };
        bind(&self.device, &self.pipelines, &self.uniforms, store, maps, shared)
    }

    /// Draws a frame of `size` pixels into the picture that [`paint`](Self::paint) shows, unless it shows that already.
    pub fn draw(
        &mut self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        size: [u32; 2],
        shot: &Shot,
    ) {
        let size = self.target.fit(&self.device, queue, size);
        if self.drawn.as_ref().is_some_and(|drawn| drawn.0 == size && drawn.1 == *shot) {
            return;
        }
        let Some(world) = &mut self.world else { return };
        self.drawn = Some((size, shot.clone()));
        self.ramps.write(queue, &shot.look);
        let frame = Frame::new(shot, &world.store, &world.scales, size);
        queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&frame));
        let marked = Marked {
            shades: self.things.shades().filter(|_| shot.look.trees),
            rivers: self.rivers.instances(),
        };
        world.maps.draw(encoder, &self.pipelines, &frame, &marked);
        let orbit = matches!(shot.camera, Camera::Orbit { .. });
        if orbit {
            self.patches.choose(&self.device, queue, &frame, self.quality, world.store.hex);
        }
        if shot.look.arrows {
            self.arrows.choose(&self.device, queue, &frame, shot);
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
        if shot.look.layer != Layer::Ground || orbit {
            self.things.draw(&mut pass, &self.pipelines, shot.look.trees);
        }
        if shot.look.arrows {
            self.arrows.draw(&mut pass, &self.pipelines);
        }
        if shot.look.particles {
            self.tracers.draw(&mut pass, &self.pipelines);
        }
    }

    /// Shows the picture in a pass that draws to the window; it fills the pass's viewport.
    pub fn paint(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.target.paint(pass);
    }
}

/// What all worlds share.
struct Shared<'a> {
    ramps: &'a wgpu::TextureView,
    noise: &'a wgpu::TextureView,
}

fn bind(
    device: &wgpu::Device,
    pipelines: &Pipelines,
    uniforms: &wgpu::Buffer,
    store: &Store,
    maps: &Maps,
    shared: Shared<'_>,
) -> wgpu::BindGroup {
    let view = wgpu::BindingResource::TextureView;
    let resources = [
        uniforms.as_entire_binding(),
        view(&store.cells),
        view(&store.flags),
        view(&maps.ground),
        view(&maps.depth),
        view(&maps.surface),
        view(shared.ramps),
        view(shared.noise),
        view(&maps.marks),
        view(&store.tint),
        wgpu::BindingResource::Sampler(&pipelines.even),
        wgpu::BindingResource::Sampler(&pipelines.again),
    ];
    let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("land"),
        layout: &pipelines.view_layout,
        entries: &entries,
    })
}
