//! Systems that upload the texels of changed tiles to the GPU.

use super::texels::Texels;
use bevy::app::App;
use bevy::asset::AssetId;
use bevy::ecs::prelude::*;
use bevy::image::Image;
use bevy::render::render_asset::RenderAssets;
use bevy::render::render_resource::{
    Extent3d, Origin3d, TexelCopyBufferLayout, TexelCopyTextureInfo, TextureAspect,
};
use bevy::render::renderer::RenderQueue;
use bevy::render::texture::GpuImage;
use bevy::render::{ExtractSchedule, MainWorld, Render, RenderApp, RenderSystems};
use headwater::changes::Tile;

/// Maximum number of frames that an upload waits for its texture to be created on the GPU. After
/// that, the upload is discarded.
const MAX_WAIT_FRAMES: u32 = 600;

/// Pending upload of one tile to one or both textures of a water entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Upload {
    /// State texture, and index of the tile's first state texel; `None` if a compute kernel writes
    /// the texture.
    pub(crate) state: Option<(AssetId<Image>, usize)>,
    /// Looks texture, and index of the tile's first looks texel; `None` if the looks are unchanged.
    pub(crate) looks: Option<(AssetId<Image>, usize)>,
    pub(crate) tile: Tile,
    /// Number of frames for which the upload has waited for its textures.
    pub(crate) waited: u32,
}

/// Pending uploads of texels. The main world and the render world have one such resource each and
/// exchange the buffers every frame.
#[derive(Resource, Debug, Default)]
pub(crate) struct Uploads {
    pub(crate) texels: Texels,
    pub(crate) tiles: Vec<Upload>,
}

impl Uploads {
    fn clear(&mut self) {
        self.texels.clear();
        self.tiles.clear();
    }

    fn append(&mut self, other: &Self) {
        let [states, looks] = self.texels.count();
        self.texels.append(&other.texels);
        let later =
            |of: Option<(AssetId<Image>, usize)>, by| of.map(|(id, begin)| (id, begin + by));
        self.tiles.extend(other.tiles.iter().map(|upload| Upload {
            state: later(upload.state, states),
            looks: later(upload.looks, looks),
            ..*upload
        }));
    }
}

/// Adds the upload systems. Returns false if the app has no renderer.
pub(crate) fn build(app: &mut App) -> bool {
    let Some(render) = app.get_sub_app_mut(RenderApp) else { return false };
    render
        .init_resource::<Uploads>()
        .add_systems(ExtractSchedule, take_uploads)
        .add_systems(Render, send_uploads.in_set(RenderSystems::PrepareResources));
    true
}

/// Discards all uploads. Used in apps without a render world.
pub(crate) fn discard_uploads(mut uploads: ResMut<Uploads>) {
    uploads.clear();
}

/// Moves the uploads from the main world to the render world, and returns empty buffers to the main
/// world for reuse.
fn take_uploads(mut main: ResMut<MainWorld>, mut own: ResMut<Uploads>) {
    let Some(mut theirs) = main.get_resource_mut::<Uploads>() else { return };
    if theirs.tiles.is_empty() {
        return;
    }
    if own.tiles.is_empty() {
        std::mem::swap(&mut *own, &mut *theirs);
    } else {
        own.append(&theirs);
    }
    theirs.clear();
}

/// Uploads the texels of tiles to their textures. Tiles whose textures do not exist yet stay
/// pending.
fn send_uploads(
    mut uploads: ResMut<Uploads>,
    images: Res<RenderAssets<GpuImage>>,
    queue: Res<RenderQueue>,
) {
    if uploads.tiles.is_empty() {
        return;
    }
    let Uploads { texels, tiles } = &mut *uploads;
    let write = |image: &GpuImage, tile: Tile, bytes: &[u8], bytes_per_texel: usize| {
        let [x, y, width, height] = [tile.x, tile.y, tile.nx, tile.ny].map(|n| n as u32);
        let destination = TexelCopyTextureInfo {
            texture: &image.texture,
            mip_level: 0,
            origin: Origin3d { x, y, z: 0 },
            aspect: TextureAspect::All,
        };
        let layout = TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * bytes_per_texel as u32),
            rows_per_image: Some(height),
        };
        queue.write_texture(
            destination,
            bytes,
            layout,
            Extent3d { width, height, depth_or_array_layers: 1 },
        );
    };
    tiles.retain_mut(|upload| {
        let is_there =
            |of: Option<(AssetId<Image>, usize)>| of.is_none_or(|(id, _)| images.get(id).is_some());
        if !is_there(upload.state) || !is_there(upload.looks) {
            upload.waited += 1;
            return upload.waited < MAX_WAIT_FRAMES;
        }
        let tile = upload.tile;
        let cells = tile.nx * tile.ny;
        if let Some((id, begin)) = upload.state
            && let Some(image) = images.get(id)
        {
            write(image, tile, bytemuck::cast_slice(&texels.state()[begin..begin + cells]), 16);
        }
        if let Some((id, begin)) = upload.looks
            && let Some(image) = images.get(id)
        {
            write(image, tile, bytemuck::cast_slice(&texels.looks()[begin..begin + cells]), 4);
        }
        false
    });
    if tiles.is_empty() {
        texels.clear();
    }
}
