//! Systems that attach meshes and materials to water entities, and update the meshes and materials
//! when the world changes.

use super::materials::{
    GroundExtension, GroundMaterial, Look, SideMaterial, WaterExtension, WaterMaterial,
};
use super::surface::{SurfaceEntities, WaterSurface};
use super::texels::join_adjacent_tiles;
use super::upload::{Upload, Uploads};
use super::{grid, side};
use crate::any::AnyWaterReadOnly;
use crate::backend::WaterBackend;
use crate::models::WaterModel;
use crate::texels::Scratch;
use bevy::asset::{Assets, Handle, RenderAssetUsages};
use bevy::camera::visibility::NoFrustumCulling;
use bevy::ecs::prelude::*;
use bevy::ecs::system::SystemParam;
use bevy::image::Image;
use bevy::light::NotShadowCaster;
use bevy::math::Vec4;
use bevy::mesh::{Mesh, Mesh3d};
use bevy::pbr::{MeshMaterial3d, StandardMaterial};
use bevy::prelude::{AlphaMode, ChildOf, Transform};
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};
use headwater::Lattice;
use headwater::changes::{Changes, Stamp, Tile};

/// Rendering state of a water entity that persists from frame to frame.
#[derive(Component)]
pub(crate) struct SurfaceRenderState {
    grid: [usize; 2],
    made: MeshSettings,
    /// Whether compute kernels can write the water's state texture.
    is_kernel_writable: bool,
    /// Whether the looks texture (appearance of the cells) contains only zeros, so that it need not
    /// be uploaded.
    are_looks_zero: bool,
    changes: Changes,
    scratch: Scratch,
}

/// Properties of a [`WaterSurface`] that determine its meshes and materials. When one of them
/// changes, the meshes and materials are rebuilt.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MeshSettings {
    ground: bool,
    sides: bool,
    stride: usize,
}

impl MeshSettings {
    fn from_surface(surface: &WaterSurface, grid: [usize; 2]) -> Self {
        let stride = grid::stride(grid, surface.vertices);
        Self { ground: surface.ground, sides: surface.block.is_some(), stride }
    }
}

type SurfaceData = (&'static SurfaceRenderState, &'static SurfaceEntities);

type SurfaceSettings = (&'static WaterSurface, Option<&'static WaterBackend>);

/// System parameter with the asset storages for meshes, images and materials.
#[derive(SystemParam)]
pub(crate) struct AssetStores<'w> {
    images: ResMut<'w, Assets<Image>>,
    meshes: ResMut<'w, Assets<Mesh>>,
    waters: ResMut<'w, Assets<WaterMaterial>>,
    grounds: ResMut<'w, Assets<GroundMaterial>>,
    sides: ResMut<'w, Assets<SideMaterial>>,
}

impl AssetStores<'_> {
    /// Creates two textures with one texel per cell of a grid. Returns the state texture and the
    /// looks texture (appearance of the cells), in this order. If `is_kernel_writable` is true,
    /// compute kernels can write the state texture.
    fn create_textures(
        &mut self,
        grid: [usize; 2],
        is_kernel_writable: bool,
    ) -> [Handle<Image>; 2] {
        let kernels = if is_kernel_writable {
            TextureUsages::STORAGE_BINDING
        } else {
            TextureUsages::empty()
        };
        [(TextureFormat::Rgba32Float, kernels), (TextureFormat::Rgba8Unorm, TextureUsages::empty())]
            .map(|(format, usage)| create_texture(&mut self.images, grid, format, usage))
    }
}

fn create_texture(
    images: &mut Assets<Image>,
    [nx, ny]: [usize; 2],
    format: TextureFormat,
    extra_usages: TextureUsages,
) -> Handle<Image> {
    let size = Extent3d { width: nx as u32, height: ny as u32, depth_or_array_layers: 1 };
    let mut image =
        Image::new_uninit(size, TextureDimension::D2, format, RenderAssetUsages::RENDER_WORLD);
    image.texture_descriptor.usage = TextureUsages::TEXTURE_BINDING
        | TextureUsages::COPY_DST
        | TextureUsages::COPY_SRC
        | extra_usages;
    images.add(image)
}

/// Attaches meshes and materials to water entities that have none. Replaces them when the grid, the
/// ground or the mesh settings change.
pub(crate) fn attach_surfaces(
    waters: Query<(Entity, AnyWaterReadOnly, SurfaceSettings, Option<SurfaceData>)>,
    mut asset_stores: AssetStores,
    mut commands: Commands,
) {
    for (entity, water, (surface, backend), has) in &waters {
        let Some(model) = water.model() else { continue };
        let grid = model.grid_size();
        let made = MeshSettings::from_surface(surface, grid);
        let is_kernel_writable =
            cfg!(feature = "gpu") && backend.is_some_and(|&backend| backend != WaterBackend::Cpu);
        if let Some((memory, entities)) = has {
            if memory.grid == grid
                && memory.made == made
                && memory.is_kernel_writable >= is_kernel_writable
            {
                continue;
            }
            for child in [Some(entities.water), entities.ground].into_iter().flatten() {
                commands.entity(child).try_despawn();
            }
        }
        let entities = match model.surface_info().lattice {
            Some(of) => {
                let textures = asset_stores.create_textures(grid, is_kernel_writable);
                attach_map_view(
                    (entity, &of),
                    textures,
                    model,
                    surface,
                    &mut asset_stores,
                    &mut commands,
                )
            }
            None => attach_side_view(entity, model, surface, &mut asset_stores, &mut commands),
        };
        let changes = Changes { tiles: Vec::new(), stamp: Stamp::NEVER };
        let memory = SurfaceRenderState {
            grid,
            made,
            is_kernel_writable,
            are_looks_zero: true,
            changes,
            scratch: Scratch::default(),
        };
        commands.entity(entity).insert((memory, entities));
    }
}

fn shader_uniforms(model: &dyn WaterModel, surface: &WaterSurface) -> Look {
    let grid = model.grid_size();
    let info = model.surface_info();
    let [width, height] = model.extent();
    let cell = info.lattice.map_or([width / grid[0] as f64, height / grid[1] as f64], |lattice| {
        [lattice.dx(), lattice.dy()]
    });
    let mut look = Look::new(surface, grid, cell);
    look.steep_ground.w = grid::stride(grid, surface.vertices) as f32;
    look.limits.x = info.dry_depth;
    look.flat_ground.w = info.lowest_ground - surface.block.unwrap_or(0.0);
    look.wet_ground.w = f32::from(u8::from(info.has_velocity_foam));
    look
}

fn attach_map_view(
    (parent, lattice): (Entity, &Lattice),
    [state, looks]: [Handle<Image>; 2],
    model: &dyn WaterModel,
    surface: &WaterSurface,
    asset_stores: &mut AssetStores,
    commands: &mut Commands,
) -> SurfaceEntities {
    let grid = model.grid_size();
    let stride = grid::stride(grid, surface.vertices);
    let mesh = grid::create_grid_mesh(lattice, stride, surface.block.is_some());
    let mesh = asset_stores.meshes.add(mesh);
    let look = shader_uniforms(model, surface);
    let extension = WaterExtension { state: state.clone(), looks: looks.clone(), look };
    let base = StandardMaterial {
        specular_transmission: f32::from(u8::from(surface.refraction)),
        alpha_mode: if surface.refraction { AlphaMode::Opaque } else { AlphaMode::Blend },
        ..Default::default()
    };
    let material = asset_stores.waters.add(WaterMaterial { base, extension });
    let water = commands
        .spawn((
            Mesh3d(mesh.clone()),
            MeshMaterial3d(material),
            Transform::IDENTITY,
            NoFrustumCulling,
            NotShadowCaster,
            ChildOf(parent),
        ))
        .id();
    let ground = surface.ground.then(|| {
        let extension = GroundExtension { state: state.clone(), looks: looks.clone(), look };
        let base =
            StandardMaterial { perceptual_roughness: 0.95, reflectance: 0.2, ..Default::default() };
        let material = asset_stores.grounds.add(GroundMaterial { base, extension });
        commands
            .spawn((
                Mesh3d(mesh),
                MeshMaterial3d(material),
                Transform::IDENTITY,
                NoFrustumCulling,
                ChildOf(parent),
            ))
            .id()
    });
    SurfaceEntities { water, ground, state, looks }
}

fn attach_side_view(
    parent: Entity,
    model: &dyn WaterModel,
    surface: &WaterSurface,
    asset_stores: &mut AssetStores,
    commands: &mut Commands,
) -> SurfaceEntities {
    let grid = model.grid_size();
    let [state, looks] = asset_stores.create_textures(grid, false);
    let material = asset_stores.sides.add(SideMaterial {
        state: state.clone(),
        looks: looks.clone(),
        look: shader_uniforms(model, surface),
        tiles: surface.tiles.as_ref().map(|tiles| tiles.image.clone()),
        tile_count: tile_count(surface),
        alpha_mode: if surface.ground { AlphaMode::Opaque } else { AlphaMode::Blend },
    });
    let water = commands
        .spawn((
            Mesh3d(asset_stores.meshes.add(side::create_rectangle_mesh(model.extent(), grid))),
            MeshMaterial3d(material),
            Transform::IDENTITY,
            NotShadowCaster,
            ChildOf(parent),
        ))
        .id();
    SurfaceEntities { water, ground: None, state, looks }
}

pub(crate) fn update_looks(
    waters: Query<(AnyWaterReadOnly, &WaterSurface, &SurfaceEntities), Changed<WaterSurface>>,
    water_materials: Query<&MeshMaterial3d<WaterMaterial>>,
    ground_materials: Query<&MeshMaterial3d<GroundMaterial>>,
    side_materials: Query<&MeshMaterial3d<SideMaterial>>,
    mut asset_stores: AssetStores,
) {
    for (water, surface, entities) in &waters {
        let Some(model) = water.model() else { continue };
        let look = shader_uniforms(model, surface);
        if let Ok(handle) = water_materials.get(entities.water)
            && let Some(mut material) = asset_stores.waters.get_mut(&handle.0)
        {
            // Number of cells per vertex with which the grid mesh was created.
            let stride = material.extension.look.steep_ground.w;
            material.extension.look = look;
            material.extension.look.steep_ground.w = stride;
            material.base.specular_transmission = f32::from(u8::from(surface.refraction));
            material.base.alpha_mode =
                if surface.refraction { AlphaMode::Opaque } else { AlphaMode::Blend };
        }
        if let Some(Ok(handle)) = entities.ground.map(|ground| ground_materials.get(ground))
            && let Some(mut material) = asset_stores.grounds.get_mut(&handle.0)
        {
            let stride = material.extension.look.steep_ground.w;
            material.extension.look = look;
            material.extension.look.steep_ground.w = stride;
        }
        if let Ok(handle) = side_materials.get(entities.water)
            && let Some(mut material) = asset_stores.sides.get_mut(&handle.0)
        {
            material.look = look;
            material.tiles = surface.tiles.as_ref().map(|tiles| tiles.image.clone());
            material.tile_count = tile_count(surface);
        }
    }
}

/// Returns the number of wall textures as a shader vector with four equal components; 0 if there
/// are none.
fn tile_count(surface: &WaterSurface) -> Vec4 {
    let count = surface.tiles.as_ref().map_or(0, |tiles| tiles.count);
    Vec4::splat(count as f32)
}

/// Collects, for upload, the texels of tiles that have changed since the last frame. For worlds on
/// a GPU, a compute kernel writes the state texture instead.
pub(crate) fn collect_texel_uploads(
    mut waters: Query<(AnyWaterReadOnly, &mut SurfaceRenderState, &SurfaceEntities)>,
    mut uploads: ResMut<Uploads>,
) {
    for (water, mut memory, entities) in &mut waters {
        let Some(model) = water.model() else { continue };
        let SurfaceRenderState { grid, are_looks_zero, changes, scratch, .. } =
            memory.bypass_change_detection();
        if model.grid_size() != *grid {
            continue;
        }
        let state = match water.closed_cells_changed_on_gpu() {
            None => {
                model.update_changes(changes);
                Some(entities.state.id())
            }
            Some(looks_changed) => {
                // After a read-back everything counts as changed.
                changes.stamp = Stamp::NEVER;
                changes.tiles.clear();
                changes.tiles.extend(looks_changed.then_some(Tile::all(*grid)));
                None
            }
        };
        if changes.tiles.is_empty() {
            continue;
        }
        join_adjacent_tiles(&mut changes.tiles);
        // New textures contain zeros.
        let is_blank = !model.has_nonzero_looks();
        let with_looks = !(is_blank && *are_looks_zero);
        // A tile that was not uploaded may leave old texels in the buffer.
        if with_looks {
            *are_looks_zero = false;
        }
        let Uploads { texels, tiles } = &mut *uploads;
        let [mut of_state, mut of_looks] = texels.count();
        let cells = changes.tiles.iter().map(|tile| tile.nx * tile.ny).sum();
        model.write_texels(&changes.tiles, scratch, texels.extend_by(cells, with_looks));
        for &tile in &changes.tiles {
            let looks = with_looks.then(|| (entities.looks.id(), of_looks));
            let state = state.map(|state| (state, of_state));
            tiles.push(Upload { state, looks, tile, waited: 0 });
            of_state += tile.nx * tile.ny;
            of_looks += tile.nx * tile.ny;
        }
    }
}
